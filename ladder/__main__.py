"""The program: `ladder`, or `python -m ladder`.

Workers import this module again when they start, so it loads nothing until it is asked to run.
"""

__all__ = ["main"]


def main() -> None:
    """Run the command line and exit with its code."""
    from ladder.cli import run_command_line
    from ladder.cli.streams import outlive_readers

    outlive_readers()
    raise SystemExit(run_command_line())


if __name__ == "__main__":
    main()
