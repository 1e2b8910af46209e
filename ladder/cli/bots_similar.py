"""`ladder bots similar`: list bots whose programs are the same."""

from __future__ import annotations

from ladder.cli.options import FormatOption, HomeOption, existing_home, note, print_rows


def similar(
    home: HomeOption = None,
    format: FormatOption = "table",  # noqa: A002 - the option's name
) -> None:
    """List bots whose programs are the same.

    Programs are the same if their files are, whatever their names; manifests are not compared. Older versions
    are included, house bots are not. No page, site or feedback shows this list.

    Example: ladder bots similar
    """
    from ladder.registry.same_programs import find_same_programs
    from results.reports.document import Column

    where = existing_home(home)
    places = where.roster.places()
    groups = find_same_programs(where.roster.versions())
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
    if rows or format != "table":
        print_rows(rows, columns, format)
    else:
        note("no two bots have the same program")
