"""What people see of a tournament and of its rounds: results so far, brackets, the standing, the terms."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import groupby
from typing import Final, TypeAlias

from ladder.pairing.event_report import RoundReport, StageReport, TableReport
from ladder.pairing.notes import BYE, EventNote, tell_note
from ladder.pairing.score_rows import ScoreRow
from ladder.run.tournament import event_words
from ladder.run.tournament.certainty import Chance
from ladder.run.tournament.drawn_bracket import draw_bracket
from ladder.run.tournament.event_facts import EventFacts
from ladder.run.tournament.event_rows import TOURNAMENTS
from ladder.run.tournament.table_lists import Drawing, Strong
from results.reports import document as doc
from results.reports.story import tell_result

Bots: TypeAlias = Sequence[doc.Value]
"""The entrants, by their numbers, as values."""
Draw: TypeAlias = Callable[[StageReport], str]
"""Draws a bracket as SVG."""
NOTES: Final = 20
"""The most notes of a stage; the pages of its rounds have all."""
LINKED: Final = 1000
"""At most about this many matches of a round are listed one by one."""
FEWEST_LINKED: Final = 12
"""At least this many of each table are."""
HIDDEN: Final = (
    "This tournament is secret: only what is revealed of it is shown here, and none of its matches. Those who"
    " may read the files of this ladder can know more."
)
NEARLY_SURE: Final = 0.95
PODIUM: Final = 3
"""The bots that the head of a tournament names."""
NAMED: Final = 4
"""The most winners that the head of a round names."""
FINAL_SHOWN: Final = 6
"""The most matches of a final whose points are told."""
WON: Final = "the deals that a bot has won, a tie as ½; at more than two seats, its place"


def tournaments_document(events: Iterable[EventFacts]) -> doc.Document:
    """Return the list of tournaments as anybody may see it: of a secret one, not even whether it is over."""
    rows = [
        {**each.row, "stages": event_words.tell_stages(each.terms.stages)}
        | (
            {"state": "secret"}
            if each.state.is_hidden
            else {"winner": ", ".join(each.names[winner] for winner in each.winners) or None}
        )
        for each in events
    ]
    columns = [doc.Column("tournament", "tournament", kind=_by_title)]
    columns += [column for column in TOURNAMENTS if column.key not in ("tournament", "title")]
    table = doc.Table(columns, rows, "All tournaments", sortable=True)
    return doc.Document("Tournaments", [doc.Text("Events with an end and a winner."), table])


def _by_title(row: doc.Row) -> doc.EventRef:
    return doc.EventRef(row["tournament"], text=row["title"] or row["tournament"])


def event_document(
    event: EventFacts, bots: Bots, audience: doc.Audience, draw: Draw = str, sure: Chance | None = None
) -> doc.Document:
    """Return what *audience* may see of a tournament.

    Its stages stand in the order of play for an operator, whose terminal ends with the last one; on pages the
    last one is the first.  *draw* is what pages draw brackets with.  *sure*: how surely the winner is the
    best, which is said unless it is NEARLY_SURE.
    """
    is_public, report = audience == "public", event.state.report
    parts: list[doc.Part] = [*_outcome(event, bots)]
    if sure and sure.low < NEARLY_SURE:
        parts.append(doc.Text(f"{event_words.tell_sure(sure).capitalize()}.", quiet=True))
    if is_public:
        parts.append(doc.Text(doc.EventRef(event.name, "screen", "Show it on a large screen")))
    parts += [
        _stage(event, stage, bots, draw, is_public=is_public) for stage in report[:: -1 if is_public else 1]
    ]
    if len(report) > 1 or any(map(event_words.is_bracket, report)):
        parts.append(doc.Section("Standing", [_standing(event, bots)], "standing"))
    parts.append(doc.Section("Terms", [_terms(event, is_public=is_public)], "terms"))
    title = [doc.Prose(event.title), *(tell_winners(event, bots) or [", ", doc.GameRef(event.game)])]
    return doc.Document(title, parts)


def tell_winners(event: EventFacts, bots: Bots) -> doc.Words:
    """Return who won a tournament, to follow its name; nothing while it goes on."""
    winners = [bots[each] for each in event.winners]
    ends = " wins" if len(winners) == 1 else " share the first place"
    return [": ", *doc.join_with_and(winners), ends] if winners else []


def _outcome(event: EventFacts, bots: Bots) -> Iterator[doc.Part]:
    state = event.state
    if state.problem:
        yield doc.Text(state.problem)
    elif event.winners:
        yield doc.Text(
            doc.between([[f"{place}. ", bots[entrant]] for place, entrant, _ in event.places[:PODIUM]])
        )
        yield from _tell_final(event, bots)
    elif event.has_begun:
        yield doc.Text(f"Now: {event_words.tell_state(state.report, is_over=state.is_over)}")
    else:
        yield doc.Text("No match has been played yet.")
    if state.is_hidden:
        yield doc.Text(HIDDEN)


def _standing(event: EventFacts, bots: Bots) -> doc.Table:
    rows: list[doc.Row] = [
        {"place": place, "bot": bots[entrant], "stage": event_words.name_stage(stage)}
        for place, entrant, stage in event.places
    ]
    columns = [doc.Column("place", "#", right=True), _own("bot", "bot"), doc.Column("stage", "reached")]
    return doc.Table(
        columns[: 3 if len(event.state.report) > 1 else 2], rows, "Standing of all stages together"
    )


def _own(key: str, title: str, *, right: bool = False) -> doc.Column:
    """Return a column whose rows hold values."""
    return doc.Column(key, title, right=right, kind=lambda row: row[key])


def _terms(event: EventFacts, *, is_public: bool) -> doc.Facts:
    terms = event.terms
    (each, _), *finals = event_words.tell_deal_numbers(terms)
    deals = f"{each} for each table"
    if terms.round_blocks != terms.series_blocks:
        deals += f", {terms.series_blocks} in brackets"
    deals += "".join(f", {blocks} in {table}" for blocks, table in finals)
    return doc.Facts(
        [
            ("stages", event_words.tell_stages(terms.stages) if is_public else terms.stages),
            ("bots", f"{len(event.entrants)}"),
            ("tables", f"of {terms.seats}"),
            ("deals", f"{deals}, each played from every seat"),
            ("matches", "secret" if event.state.is_hidden else f"{event.matches:,}"),
            ("ratings", "these matches count" if event.is_rated else "these matches do not count"),
            ("started", f"{datetime.fromtimestamp(event.run.started / 1e6, UTC):%Y-%m-%d %H:%M}"),
            ("secret SHA-256", event.run.secret_hash),
        ]
    )


def _stage(event: EventFacts, stage: StageReport, bots: Bots, draw: Draw, *, is_public: bool) -> doc.Section:
    title = event_words.name_stage(stage.name)
    parts: list[doc.Part] = []
    if event_words.is_bracket(stage):
        if stage.rounds:
            parts.append(doc.Bracket(title, partial(_letters, event, stage), partial(draw, stage)))
            parts.append(doc.Text(f"Numbers are {WON}; in bold, those who go on.", quiet=True))
    elif any(table.blocks or table.is_over for each in stage.rounds for table in each.tables):
        for name, rounds in groupby(stage.rounds, lambda each: each.name.rpartition("/")[0]):
            parts += _results(event, stage, name, [*rounds], bots)
    else:  # a table would rank those of whom nothing is known
        parts.append(doc.Text("No result so far."))
    if is_public:
        if not event_words.is_bracket(stage):  # the names above the columns of a bracket are links
            parts.append(
                doc.Text(["Rounds: ", *doc.join_with_and([_ref(event, each) for each in stage.rounds])])
            )
    else:
        parts += [
            doc.Section(event_words.name_round(each.name), [_tables(each, bots, with_ends=False)])
            for each in event_words.open_rounds(stage)
        ]
    if is_public or not event_words.is_bracket(stage):  # a bracket in letters has them beside its tables
        parts += _notes_of_rounds(event, stage)
    return doc.Section(title, parts, stage.name)


def _letters(event: EventFacts, stage: StageReport, width: int, strong: Strong) -> Iterable[str]:
    return draw_bracket(stage, Drawing(event.names, width, strong))


def _notes_of_rounds(event: EventFacts, stage: StageReport) -> Iterator[doc.Part]:
    """Yield what is to be said of the rounds of *stage*, each with its round."""
    lines: list[doc.Value | doc.Words] = []
    for each in stage.rounds:
        notes = [note for note in each.notes if note.kind != BYE]
        notes += [note for table in each.tables for note in table.notes]
        lines += [[_ref(event, each), ": ", text] for text in _sentences(event, notes)]
    if len(lines) > NOTES:
        lines = [*lines[:NOTES], f"{len(lines) - NOTES} more, on the pages of the rounds"]
    if lines:
        yield doc.Lines(lines)


def _ref(event: EventFacts, played: RoundReport) -> doc.EventRef:
    return doc.EventRef(event.name, played.name, event_words.name_round(played.name))


def _sentences(event: EventFacts, notes: Iterable[EventNote]) -> list[doc.Prose]:
    return [doc.Prose(tell_note(note, event.names.__getitem__)) for note in notes]


def _results(
    event: EventFacts, stage: StageReport, name: str, rounds: Sequence[RoundReport], bots: Bots
) -> Iterator[doc.Part]:
    """Yield the standing of a stage of rounds, or of the group *name*, with all results."""
    _, slash, letter = name.partition("/")
    seated = [(*each.byes, *(bot for table in each.tables for bot in table.entrants)) for each in rounds]
    there = {entrant for of_round in seated for entrant in of_round}
    ranked = [row for row in stage.rows if row.entrant in there]
    has_pairs = all(len(table.entrants) == 2 for each in rounds for table in each.tables)
    if has_pairs and not stage.name.startswith("swiss"):
        titles, cells = [str(1 + place) for place in range(len(ranked))], _grid(event, rounds, ranked)
        said = "A cell is the deals that the bot of its row has won against that of its column, a tie as ½."
    else:
        titles, cells = [each.name.rpartition("/")[2] for each in rounds], _progress(event, rounds, ranked)
        said = (
            "A cell is the deals that a bot has won, a tie as ½, and the place of the one it met."
            if has_pairs
            else "A cell is the place of a bot at its table, and the number of the table."
        )
    columns = [
        doc.Column("place", "#", right=True),
        _own("bot", "bot"),
        doc.Column("score", "score", right=True),
    ]
    columns.append(doc.Column("opponents", "opponents", right=True))
    columns += [_own(f"cell {index}", title, right=True) for index, title in enumerate(titles)]
    rows: list[doc.Row] = [
        {
            "place": str(place),
            "bot": bots[row.entrant],
            "score": f"{float(row.score):.2f}",
            "opponents": f"{float(row.opponents):.2f}",
            **{f"cell {index}": cell for index, cell in enumerate(cells[row.entrant])},
        }
        for place, row in enumerate(ranked, 1)
    ]
    title = f"Group {letter.upper()}" if slash else ""
    table = doc.Table(columns, rows, f"{event_words.name_stage(stage.name)}{f', {title}' if title else ''}")
    yield doc.Section(title, [table]) if title else table
    if rounds[-1] is stage.rounds[-1]:
        said += " Score is the sum of the shares won, 1 for a round and 0.5 for a bye; opponents, the sum of"
        yield doc.Text(f"{said} the scores of those it met, decides between equal scores.", quiet=True)


def _progress(
    event: EventFacts, rounds: Sequence[RoundReport], ranked: Sequence[ScoreRow]
) -> dict[int, list[doc.Words | None]]:
    """Return how each did in each round."""
    places = {row.entrant: place for place, row in enumerate(ranked, 1)}
    cells: dict[int, list[doc.Words | None]] = {entrant: [None] * len(rounds) for entrant in places}
    for index, each in enumerate(rounds):
        for entrant in each.byes:
            cells[entrant][index] = ["bye"]
        for number, table in enumerate(each.tables, 1):
            seated = [entrant for entrant in table.entrants if entrant is not None]
            for seat, entrant in enumerate(seated):
                others = [places[other] for other in seated if other != entrant]
                beside = f" v {others[0]}" if len(others) == 1 else f" t{number}"
                cells[entrant][index] = [
                    doc.EventRef(event.name, each.name, event_words.tell_won(table, seat) or "…"),
                    beside,
                ]
    return cells


def _grid(
    event: EventFacts, rounds: Sequence[RoundReport], ranked: Sequence[ScoreRow]
) -> dict[int, list[doc.Words | None]]:
    """Return the score of each against each, at each meeting."""
    met: dict[tuple[int, int], doc.Words] = {}
    for each in rounds:
        for table in each.tables:
            one, two = (entrant or 0 for entrant in table.entrants)
            for seat, pair in enumerate([(one, two), (two, one)]):
                before = [*met[pair], " "] if pair in met else []
                met[pair] = [
                    *before,
                    doc.EventRef(event.name, each.name, event_words.tell_won(table, seat) or "…"),
                ]
    return {row.entrant: [met.get((row.entrant, other.entrant)) for other in ranked] for row in ranked}


def round_document(
    event: EventFacts,
    stage: StageReport,
    played: RoundReport,
    bots: Bots,
    has_page: Callable[[str, int], bool],
) -> doc.Document:
    """Return a round: its tables, and their matches.  *has_page*: of a match, by its store and number."""
    at = stage.rounds.index(played)
    way: doc.Words = [doc.EventRef(event.name, text=event.title), f", {event_words.name_stage(stage.name)}"]
    for word, others in (("before", stage.rounds[:at][-1:]), ("after", stage.rounds[at + 1 :][:1])):
        way += [part for other in others for part in (f"; {word}: ", _ref(event, other))]
    parts: list[doc.Part] = [doc.Text(way)]
    if notes := [*played.notes, *(note for table in played.tables for note in table.notes)]:
        parts.append(doc.Lines(_sentences(event, notes)))
    parts += [
        _tables(played, bots, with_ends=event_words.is_bracket(stage)),
        doc.Text(f"A score is {WON}.", quiet=True),
    ]
    parts += _matches(event, played, bots, has_page)
    title: doc.Words = [event_words.name_round(played.name)]
    over = [table for table in played.tables if table.is_over and table.won and None not in table.entrants]
    if len(played.tables) == len(over) == 1:
        title += [": ", *_tell_table(over[0], bots)]
    elif over:
        winners = [bots[table.ranking[0]] for table in over if _rank(table).count(1) == 1]
        title += [": won by ", *doc.some_of(winners, NAMED)] if winners else [": no winner"]
    return doc.Document(title, parts)


def _tables(played: RoundReport, bots: Bots, *, with_ends: bool) -> doc.Table:
    """Return the seats of the tables of a round, the best of each first."""
    rows: list[doc.Row] = []
    tones = []
    for number, table in enumerate(played.tables, 1):
        for index, seat in enumerate(event_words.seat_results(table)):
            at = None if index else event_words.label_table(table, number)
            state = None if index else event_words.tell_deals(table)
            bot = seat.source if seat.entrant is None else bots[seat.entrant]
            rows.append(
                {"table": at, "deals": state, "bot": bot, "score": seat.score or "-", "end": seat.end}
            )
            tones.append("on" if seat.goes_on else "")
    columns = [
        doc.Column("table", "table", right=True),
        _own("bot", "bot"),
        doc.Column("score", "score", right=True),
        *([doc.Column("end", "result")] if with_ends else []),
        doc.Column("deals", "deals"),
    ]
    return doc.Table(columns, rows, f"Tables of {event_words.name_round(played.name)}", tones=tones)


def _matches(
    event: EventFacts, played: RoundReport, bots: Bots, has_page: Callable[[str, int], bool]
) -> Iterator[doc.Section]:
    """Yield the matches of a round in a line each, by table and deal; where they are many, some as spans."""
    most = max(FEWEST_LINKED, LINKED // max(1, len(played.tables)))
    lines, others = list[doc.Value | doc.Words](), list[int]()
    for table in played.tables:
        matches = [match for deal in event.state.deals.get(table.name, ()) for match in deal]
        for match in matches[:most]:
            is_seen = has_page(event.store, match)
            watch: doc.Words = ["  ", doc.MatchRef(event.store, match, text="Watch")] if is_seen else []
            lines.append([*_tell_match(event, bots, match), *watch])
        others += matches[most:]
    parts: list[doc.Part] = [doc.Lines(lines)]
    if others:
        parts.append(doc.Text(f"Also {event_words.tell_spans(event.store, others)}", quiet=True))
    if lines:
        yield doc.Section("Matches", parts, "matches")


def _tell_match(event: EventFacts, bots: Bots, match: int) -> doc.Words:
    """Return who won a match, in one line."""
    seats, of = event.state.results[match], dict(zip(event.entrants, bots, strict=True))
    return tell_result(seats, [of[seat["bot"], seat["version"]] for seat in seats])


def _tell_table(table: TableReport, bots: Bots) -> doc.Words:
    """Return who won a table that is over, with the deals of each if they are two."""
    names, is_pair = [bots[entrant or 0] for entrant in table.entrants], len(table.entrants) == 2
    ranks = [1, 1] if is_pair and len({*table.won}) == 1 else _rank(table)
    seats = [
        {"rank": rank, "score": event_words.tell_won(table, seat) if is_pair else None, "fault": None}
        for seat, rank in enumerate(ranks)
    ]
    # another rule than the score has decided, which the page of the round names
    by_rule: doc.Words = [", decided for ", names[_rank(table).index(1)]] if ranks != _rank(table) else []
    return [*tell_result(seats, names), *by_rule]


def _rank(table: TableReport) -> list[int]:
    """Return the rank of each seat of a table that is over: equals share it where none goes on."""
    if table.go_on:
        return [1 + table.ranking.index(entrant or 0) for entrant in table.entrants]
    return [1 + sum(other > won for other in table.won) for won in table.won]


def _tell_final(event: EventFacts, bots: Bots) -> Iterator[doc.Part]:
    """Yield the result of the final, if there is one, with the points of its matches."""
    stage = event.state.report[-1]
    table = stage.rounds[-1].tables[-1] if event_words.is_bracket(stage) and stage.rounds else None
    if not table or not table.won or not table.is_over:
        return
    matches = [match for deal in event.state.deals.get(table.name, ()) for match in deal][:FINAL_SHOWN]
    points = []
    for match in matches:
        of = {(seat["bot"], seat["version"]): seat["score"] for seat in event.state.results[match]}
        points.append(" : ".join(f"{of.get(event.entrants[entrant])}" for entrant in table.ranking))
    told = [f" ({', '.join(points)})"] if points and "None" not in "".join(points) else []
    yield doc.Text(["Final: ", *_tell_table(table, bots), *told])
