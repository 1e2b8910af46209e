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
    told = "beaten: in how many of 100 meetings it ranked before that bot, a tie half"
    columns = [
        Column("bot", "bot", kind=lambda row: row["bot"]),
        Column("beaten", "beaten %", right=True, kind=_beaten),
        Column("met", "met", "{:,}".format, right=True),
    ]
    if result.scale:
        columns.insert(0, Column("place", "#", right=True))
        columns.insert(2, Column("rating", result.key))
    if result.score and result.scale:
        own = {"bot": ["> ", Prose(result.bot)], "rating": result.rating_text, "beaten": None, "met": None}
        rows.insert(result.place - 1, own)
        told = f"number {result.place} of {len(rows)}; {told}"
    parts: list[Part] = [Note([Prose(result.bot), f": {told}"]), Note(_tell_scale(result))]
    if bots := result.otherwise.bots:
        otherwise = f"{', '.join(bots)} of {result.set}: not the decisions that were recorded"
        why = "an engine was changed, or another C library rounds in another way"
        parts.append(Note(f"{otherwise}; {why}"))
    if result.worse:
        worse = "it does worse on deals drawn now: it may know answers to the public ones"
        hint = "ladder reference --draw-deals FILE, for secret deals"
        parts.append(Note(worse, hint if audience == "operator" else ""))
    if result.faults:
        faults = f"it made a fault in {count(result.faults, 'match', result.matches)}, and is last in them"
        parts.append(Note(faults, f"ladder faults --in {result.run}" if audience == "operator" else ""))
    if audience == "operator":
        names = f"{result.run}, and on new deals {result.new.run}" if result.new else result.run
        matches = f"ladder matches --in {result.run}"
        parts.append(Note(f"these matches do not count; they are {names}", matches))
    ranked = [{"place": place, **row} for place, row in enumerate(rows, 1)]
    table = Table(columns, ranked, f"{result.bot} among the bots of {result.set}")
    return Document([Prose(result.bot), f" at {result.key}"], [table, *parts, Code(result.line)])


def _tell_scale(result: ReferenceResult) -> str:
    """Return what a line compares with, and how sure the scale is on which it stands."""
    within = f"lines compare within {result.key} only"
    if not result.scale:
        return f"{within}, by what the bot beats: {result.set} has no one scale here"
    known = sorted(result.margins.items(), key=lambda item: item[1])
    ends = " to ".join(f"+-{margin:.1f} ({bot})" for bot, margin in (*known[:1], *known[1:][-1:]))
    return f"{within}; the ratings of {result.set} itself are known to {ends}" if ends else within


def _beaten(row: Row) -> Share | None:
    return None if row["beaten"] is None else Share(row["beaten"], digits=0)
