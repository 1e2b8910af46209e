"""The program: `ladder`, or `python -m ladder`.

Workers import this module again when they start, so it loads nothing until it is asked to run.
"""

import sys


def main() -> None:
    """Run the command line and exit with its code."""
    try:
        from ladder.cli import run_program

        code = run_program()
    except KeyboardInterrupt:  # before there was anything to stop, or after
        print("ladder: stopped", file=sys.stderr)
        code = 130
    raise SystemExit(code)


if __name__ == "__main__":
    main()
