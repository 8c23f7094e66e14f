"""The error that ends a reproduction with a message instead of a traceback."""


class Problem(Exception):
    """What is wrong, where, and what to do about it."""
