"""What is told of a measurement against R1, in every medium."""

from ladder.reference.reference_result import ReferenceResult
from results.reports.document import Audience, Code, Column, Document, Note, Part, Prose, Row, Share, Table
from results.words import count


def reference_document(result: ReferenceResult, audience: Audience) -> Document:
    """Return the place of a bot in the set, and the line to quote; the operator reads what to type next."""
    rows: list[Row] = [
        {"bot": [Prose(row.bot)], "rating": f"{row.rating:.1f}", "beaten": row.beaten, "met": row.met}
        for row in result.rows
    ]
    parts: list[Part] = []
    if result.score:
        own = {"bot": ["> ", Prose(result.bot)], "rating": result.rating_text, "beaten": None, "met": None}
        rows.insert(result.place - 1, own)
        beaten = f" is number {result.place} of {len(rows)}; beaten: in how many of 100 meetings it ranked"
        parts.append(Note([Prose(result.bot), f"{beaten} before that bot, a tie half"]))
    if result.faults:
        faults = f"it made a fault in {count(result.faults, 'match', result.matches)}, and is last in them"
        parts.append(Note(faults, f"ladder faults --in {result.run}" if audience == "operator" else ""))
    if audience == "operator":
        matches = f"ladder matches --in {result.run}"
        parts.append(Note(f"these matches do not count; they are {result.run}", matches))
    ranked = [{"place": place, **row} for place, row in enumerate(rows, 1)]
    columns = [
        Column("place", "#", right=True),
        Column("bot", "bot", kind=lambda row: row["bot"]),
        Column("rating", result.key),
        Column("beaten", "beaten %", right=True, kind=_beaten),
        Column("met", "met", "{:,}".format, right=True),
    ]
    table = Table(columns, ranked, f"{result.bot} among the bots of {result.set}")
    return Document([Prose(result.bot), f" at {result.key}"], [table, *parts, Code(result.line)])


def _beaten(row: Row) -> Share | None:
    return None if row["beaten"] is None else Share(row["beaten"], digits=0)
