"""Replaces the library path of an executable, the folder of the build's solvers, by one relative to the executable."""

import re
import sys

NEW = b"$ORIGIN/../lib/clew"


def main():
    (path,) = sys.argv[1:]
    with open(path, "rb") as file:
        data = file.read()
    found = [match.span() for match in re.finditer(rb"(?<=\0)[^\0]*/\.solvers/z3-solver-[^/\0]*/lib(?=\0)", data)]
    if not found:
        return 0
    if len(found) > 1:
        print(f"{path}: {len(found)} library paths instead of one", file=sys.stderr)
        return 1
    (start, end), = found
    # The text is part of a table, so its length stays.
    with open(path, "wb") as file:
        file.write(data[:start] + NEW.ljust(end - start, b"\0") + data[end:])
    return 0


if __name__ == "__main__":
    sys.exit(main())
