"""The error that ends a reproduction with a message instead of a traceback."""


class Problem(Exception):
    """An error with its place and a remedy in the message."""
