"""`ladder bots --similar`: list bots whose programs are the same."""

from typing import TYPE_CHECKING

from ladder.cli.options import note, print_rows
from results.reports.document import Column

if TYPE_CHECKING:
    from ladder.home.home import Home


def print_similar(home: "Home", form: str) -> None:
    """Print the bots whose programs are the same, grouped by program."""
    from ladder.registry.same_programs import find_same_programs

    places = home.roster.places()
    groups = find_same_programs(home.roster.versions())
    rows = [
        {
            "program": number,
            "bot": version.bot,
            "number": version.number,
            "author": version.manifest.author or None,
            "submitted": version.submitted,
            "from": str(places[version.bot][-1]) if places.get(version.bot) else None,
        }
        for number, group in enumerate(groups, 1)
        for version in group
    ]
    columns = [
        Column("program", "program", right=True),
        Column("bot", "bot"),
        Column("number", "no.", right=True),
        Column("author", "author", always=False),
        Column("submitted", "submitted"),
        Column("from", "from", always=False),
    ]
    if rows or form != "table":
        print_rows(rows, columns, form)
    else:
        note("no two bots have the same program")
