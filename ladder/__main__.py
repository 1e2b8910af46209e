"""The program: `ladder`, or `python -m ladder`.

Workers import this module again when they start, so it loads nothing until it is asked to run.
"""

import sys


def main() -> None:
    """Run the command line and exit with its code."""
    try:
        from ladder.cli import is_about_version, run_command_line, say_version
        from ladder.cli.streams import outlive_readers

        outlive_readers()
        if is_about_version(sys.argv[1:]):
            code = say_version()
        else:
            from ladder.cli.last_line import say_what_ladder_is
            from ladder.machine.capacity import spare_addresses
            from ladder.machine.unexpected import say_one_line
            from ladder.machine.without_pandas import leave_out_pandas

            leave_out_pandas()
            spare_addresses()
            say_one_line()
            code = run_command_line()
            say_what_ladder_is(sys.argv[1:])
    except KeyboardInterrupt:  # before there was anything to stop, or after
        print("ladder: stopped", file=sys.stderr)
        code = 130
    raise SystemExit(code)


if __name__ == "__main__":
    main()
