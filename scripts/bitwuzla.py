"""Bitwuzla as a process: reads SMT-LIB, one command a line, and answers on its output.

scripts/setup installs a copy of it beside the module. It is started for hard queries only and outlives several.
"""

import ctypes
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import bitwuzla


def parser():
    return bitwuzla.Parser(bitwuzla.TermManager(), bitwuzla.Options())


def main():
    if sys.argv[1:] == ["--version"]:
        print(bitwuzla.version())
        return 0
    flush = ctypes.CDLL(None).fflush
    current = parser()
    for line in sys.stdin:
        command = line.strip()
        if command == "(exit)":
            break
        if command == "(reset)":
            current = parser()
            continue
        try:
            if command:
                current.parse(command, False, False)
        except bitwuzla.BitwuzlaException as error:
            # The state of the parser is undefined from here on.
            flush(None)
            print('(error "{}")'.format(str(error).replace('"', '""')), flush=True)
            return 1
        # Bitwuzla writes to the buffer of the C library.
        flush(None)
    return 0


if __name__ == "__main__":
    # The end of the process frees everything faster.
    code = main()
    sys.stdout.flush()
    os._exit(code)
