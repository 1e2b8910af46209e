"""`ladder doctor`: what this machine offers."""

from __future__ import annotations

from ladder.cli.options import FormatOption, print_rows
from ladder.cli.program_name import as_called


def doctor(format: FormatOption = "table") -> None:  # noqa: A002
    """Show what this machine offers to bots.

    It lists cores, interpreters, compilers and sandboxes.

    Example: ladder doctor
    """
    from ladder.dev.doctor import examine
    from results.reports.document import Column

    rows = [found._replace(found=as_called(found.found))._asdict() for found in examine()]
    columns = [
        Column("what", "what"),
        Column("ok", "", lambda ok: "ok" if ok else "-"),
        Column("found", "found", fold=True),
    ]
    print_rows(rows, columns, format)
