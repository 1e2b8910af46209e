"""`ladder doctor`: what this machine offers."""

from ladder.cli.last_line import remember_commands
from ladder.cli.options import FormatOption, print_rows
from results.reports.document import Column


def doctor(format: FormatOption = "table") -> None:  # noqa: A002
    """Show what this machine offers to bots.

    It lists cores, interpreters, compilers and sandboxes.

    Example: ladder doctor
    """
    from ladder.dev.doctor import examine

    rows = [found._replace(found=remember_commands(found.found))._asdict() for found in examine()]
    columns = [
        Column("what", "what"),
        Column("ok", "", lambda ok: "ok" if ok else "-"),
        Column("found", "found", fold=True),
    ]
    print_rows(rows, columns, format)
