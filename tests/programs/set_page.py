"""The table of the reference set on the page of each game."""

from __future__ import annotations

from pathlib import Path

from ladder.reference.reference_set import ReferenceSet

BEGIN = "<!-- reference set: made by tests/programs/record_set.py -->"
END = "<!-- end of reference set -->"


def table_of_set(found: ReferenceSet, game: str) -> str:
    """Return the table of the bots of *game* with their ratings at each table size, in Markdown."""
    of = found.listed.games[game]
    contests = [found.contest(game, seats) for seats in of.blocks]
    last = contests[-1].recorded.ratings
    bots = sorted((*of.bots, *of.more), key=lambda bot: -last[bot])
    heads = [f"{contest.seats} seats" for contest in contests]
    lines = [f"| {found.name} | {' | '.join(heads)} |", f"|---|{'---:|' * len(heads)}"]
    for bot in bots:
        marked = f"`{bot}`" + (" (`--full`)" if bot in of.more else "")
        ratings = [f"{contest.recorded.ratings[bot]:.1f}" for contest in contests]
        lines.append(f"| {marked} | {' | '.join(ratings)} |")
    if any(contest.is_provisional for contest in contests):
        deals = min(contest.recorded.deals for contest in contests)
        lines += ["", f"**Provisional:** from {deals} deals at a size. These numbers say nothing yet."]
    return "\n".join(lines)


def _with_table(page: str, table: str) -> str:
    """Return the text of *page* with *table* in its place.  Raises ValueError if there is no place."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"expected the lines {BEGIN} and {END}")
    return f"{before}{BEGIN}\n{table}\n{END}{after}"


def write_tables(found: ReferenceSet, engines: Path) -> None:
    """Write the tables into the pages of the games in the folder *engines* of a clone."""
    for game in found.listed.games:
        file = engines / game.replace("-", "_") / "README.md"
        file.write_text(_with_table(file.read_text("utf-8"), table_of_set(found, game)), "utf-8")
