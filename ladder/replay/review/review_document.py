"""What a review of a match, or of a bot, says in every medium: `ladder review`, and the page of a match."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from engines import GAMES
from engines.game import Seat
from ladder.games.shown_game import ShownGame
from ladder.replay.review.account import Account, account_of
from ladder.replay.review.bot_review import FEW, BotReview
from ladder.replay.review.decisions_document import ShownDecision, decisions_section
from ladder.replay.review.effort import COARSE
from ladder.replay.review.foretelling import Foretold
from ladder.replay.review.loss_names import THRESHOLDS, Z
from ladder.replay.review.loss_words import (
    ask_command,
    name_loss,
    name_unit,
    say_options,
    sign_of,
    tell_loss,
    tell_number,
    tell_why,
    unit_of,
    whole_percents,
)
from ladder.replay.review.summary import KindRate, Rate, costliest, rate_in_match, rates_by_kind
from ladder.replay.review.walk import walk
from results.record import Json
from results.reports import document as doc
from results.reports.labels import Numbers
from results.reviewed import SEVERAL, ReviewedStep
from results.words import count

MOST: Final = 3
"""The most decisions of one seat that are told."""
Seen = tuple[Mapping[str, Json], Sequence[str]]
"""What a seat saw when it decided, and the options that it played."""


class MatchReview(NamedTuple):
    """All that is told of the review of a match."""

    record: Mapping[str, Json]
    rows: Sequence[ReviewedStep]
    names: Sequence[str]
    """Those of the seats."""
    seats: Sequence[Seat]
    """Those that are told of."""
    see: Callable[[ReviewedStep], Seen]
    numbers: Numbers


def views_of(record: Mapping[str, Json]) -> Callable[[ReviewedStep], Seen]:
    """Return what finds what the seats of *record* saw, and what they played."""
    game, moves = GAMES[record["game"]], record["moves"]
    steps = [*walk(game, record["deal"], len(record["seats"]), moves)]

    def see(row: ReviewedStep) -> Seen:
        move = next(move for seat, move, *_ in moves[row.step] if seat == row.seat)
        return steps[row.step].view_of(row.seat), [move] if isinstance(move, str) else move

    return see


def match_review(review: MatchReview, audience: doc.Audience) -> list[doc.Section]:
    """Return what the decisions of a match cost, seat by seat, and what made the results."""
    decisions: list[doc.Part] = [doc.Text(_explain(review), quiet=True), *_seats(review, audience)]
    names = {seat: _name(review, seat, audience) for seat in review.seats}
    faults = {seat: each["fault"] for seat, each in enumerate(review.record["seats"]) if each.get("fault")}
    cost = doc.Section("What decisions cost", decisions)
    turns = _turning_points(review) if audience == "public" else []
    return [*turns, cost, *account_sections(review.rows, names, faults)]


def _name(review: MatchReview, seat: Seat, audience: doc.Audience) -> doc.Words:
    """Return what a seat is called, with its number for those who may type it."""
    return [doc.SeatRef(seat, review.names[seat]), *([] if audience == "public" else [f", seat {seat}"])]


def _turning_points(review: MatchReview) -> list[doc.Section]:
    """Return the decisions that surely moved the chances most; pages draw a small board beside each."""
    unit = unit_of(review.record["game"], len(review.names))
    worst = costliest([row for row in review.rows if row.seat in review.seats], MOST)
    lines: list[doc.Value | doc.Words] = [
        [doc.SeatRef(row.seat, review.names[row.seat]), ", ", *words]
        for row in sorted(worst, key=lambda row: row.step)
        for words in _decision(review, row, unit, "public")
    ]
    return [doc.Section("Turning points", [doc.Lines(lines)], "turning-points")] if lines else []


def _explain(review: MatchReview) -> str:
    decided = [row for row in review.rows if row.loss is not None]
    worlds = sum([row.worlds or 0 for row in decided]) / max(1, len(decided))
    leasts = ", ".join(tell_number(100 * least) for least, _ in THRESHOLDS)
    names = ", ".join(name for _, name in THRESHOLDS)
    result = f"% of the {name_unit(len(review.names))}"
    told_in = unit_of(review.record["game"], len(review.names))
    unit, of = ("points", result) if told_in == "points" else (result, "%")
    listed = "those that surely cost most"
    if told_in == "points":
        names += "; of that chance a point may be much or little"
        listed = "sure losses alone: those that cost most of that chance"
    return (
        f"Judged by {review.rows[0].judge} in {worlds:.0f} worlds a decision. A loss is how much more the"
        f" best option promised than what was played, by what the seat could know, in {unit}; +- is a 95 %"
        f" interval. Counts afterwards are means, played : better. Losses surely above {leasts} {of}"
        f" are named: {names}. At most {MOST} decisions of each seat are listed, {listed}."
        " A review explains; it does not rate."
    )


def _seats(review: MatchReview, audience: doc.Audience) -> Iterator[doc.Section]:
    unit = unit_of(review.record["game"], len(review.names))
    for seat in review.seats:
        mine = [row for row in review.rows if row.seat == seat and row.loss is not None]
        rate = _tell_rate(rate_in_match(review.rows, seat), unit)
        title: doc.Words = [*_name(review, seat, audience), f": {rate}"]
        parts: list[doc.Part] = []
        if fault := review.record["seats"][seat].get("fault"):
            told = f"It lost by a fault, {fault}. Losses of decisions leave it out"
            is_counted = account_of(review.rows, seat) is not None
            parts.append(doc.Text(f"{told}; own moves, below, count it." if is_counted else f"{told}."))
        if len(kinds := rates_by_kind([mine], unit)) > 1 and kinds[0].share is not None:
            parts.append(doc.Text(_tell_kinds(kinds), quiet=True))
        worst = sorted(costliest(mine, MOST), key=lambda row: row.step)
        lines = [line for row in worst for line in _decision(review, row, unit, audience)]
        parts.append(doc.Lines(lines) if lines else doc.Text("No decision was surely a loss."))
        yield doc.Section(title, parts)


def _decision(
    review: MatchReview, row: ReviewedStep, unit: str, audience: doc.Audience
) -> Iterator[doc.Value | doc.Words]:
    """Yield what is told of a decision: what it cost, and how to ask its bot again."""
    view, played = review.see(row)
    shown, better = ShownGame(row.game), (row.best or "").split(SEVERAL)
    yield [
        doc.StepRef(row.step),
        f": {name_loss(row)}, {tell_loss(row, unit)}. Played: ",
        doc.Prose(say_options(shown, view, played, audience)),
        ". Better: ",
        doc.Prose(say_options(shown, view, better, audience)),
        *tell_why(row),
        ".",
    ]
    match = f"{review.record['run']}/{review.record['number']}"
    if audience == "operator" and (command := ask_command(row, review.numbers, match)):
        yield doc.Command(command)


def _tell_rate(rate: Rate, unit: str) -> str:
    """Return an error rate in words: "lost 3.1 +- 0.4 % a decision, 30 decisions"."""
    if not rate.decisions:
        return "no decision to judge"
    loss, margin = rate.told_in(unit)
    digits = 2 if unit == "points" else 1
    interval = "" if margin is None else f" +- {margin:.{digits}f}"
    decisions = count(rate.decisions, "decision")
    return f"lost {tell_number(loss, digits)}{interval} {sign_of(unit)} a decision, {decisions}"


def _tell_kinds(kinds: Sequence[KindRate]) -> str:
    """Return how much each kind of decision cost: "keep 62 % of the loss, in 7 decisions; ..."."""
    percents = whole_percents([kind.share or 0.0 for kind in kinds])
    pairs = [*zip(percents, kinds, strict=True)]
    told = [
        f"{kind.kind} {percent} % of the loss, in {count(kind.rate.decisions, 'decision')}"
        for percent, kind in pairs
        if percent
    ]
    others = sum([kind.rate.decisions for percent, kind in pairs if not percent])
    return "; ".join([*told, *([f"nothing in {others:,} of other kinds"] if others else [])]) + "."


def bot_review(found: BotReview, worst: Sequence[ShownDecision], numbers: Numbers) -> doc.Document:
    """Return what the decisions of a bot cost in many matches, for the operator."""
    parts: list[doc.Part] = [doc.Text(f"{found.bot}: {count(found.matches, 'reviewed match')}.")]
    if section := decisions_section(found, worst, numbers, "operator", boards=False):
        parts = [section._replace(title=[doc.BotRef(found.bot), ": what its decisions cost"])]
        if found.matches < FEW:
            parts.append(doc.Note(f"from fewer than {FEW} matches, intervals are rough"))
        if found.quick:
            said = f"one decision in {COARSE.sample} was judged in {count(found.quick, 'match')}"
            parts.append(doc.Note(said, f"ladder review --bot {found.bot} --full, which judges all of them"))
    return doc.Document([doc.BotRef(found.bot), ": reviewed"], parts)


# -- judges


def _whole(share: float) -> str:
    return f"{100 * share:.0f}"


_TENTHS: Final = (
    doc.Column("expected", "expected %", _whole, right=True),
    doc.Column("happened", "happened %", _whole, right=True),
    doc.Column("chances", "chances", lambda number: f"{number:,}", right=True),
)


def foretold_section(found: Foretold) -> doc.Section:
    matches = count(found.matches, "match")
    title = f"{found.game}, {found.seats} seats: {found.judge} in {matches}, Brier {found.brier:.3f}"
    return doc.Section(title, [doc.Table(_TENTHS, [tenth._asdict() for tenth in found.tenths], title)])


_FEW_PERCENT: Final = 3
"""Less luck than this is no luck to speak of, and a smaller error of own moves is not told."""

_FAULTS: Final[Mapping[str, str]] = {
    "start": "the failed start",
    "timeout": "the timeout",
    "crash": "the crash",
    "illegal": "the illegal move",
    "protocol": "the wrong answer",
    "memory": "the use of too much memory",
    "limit": "the use of more than a limit",
    "unreadable": "the answer without a move",
    "truncated": "the answer that was cut",
    "transport": "the failure of its service",
}
"""What a fault of each kind is among the moves of a seat."""


def account_sections(
    rows: Sequence[ReviewedStep], names: Mapping[Seat, doc.Words], faults: Mapping[Seat, str]
) -> Iterator[doc.Section]:
    """Yield what made the results of *names*, or why *rows* do not tell it; *faults* ended these seats."""
    found = {seat: account for seat in names if (account := account_of(rows, seat)) is not None}
    title = "How the results came about"
    if not found:
        missing = "This review does not say it: it is of one seat alone, or an older ladder made it."
        yield doc.Section(title, [doc.Text(missing, quiet=True)])
        return
    lines: list[doc.Value | doc.Words] = []
    luck: list[doc.Value | doc.Words] = []
    for seat, account in found.items():
        named = names[seat]
        lines.append([*named, f": {_tell_account(account, faults.get(seat, ''))}"])
        if told := _tell_luck(account):
            luck.append([*named, told if len(named) > 1 else told.removeprefix(",")])
    if not luck:
        drawn = any(each.luck or each.luck_se for each in found.values())
        luck.append("No seat was surely lucky or unlucky." if drawn else "What was drawn changed nothing.")
    split = all(each.hidden is not None for each in found.values())
    own = (
        "Own moves are judged by what the seat could know."
        if split
        else "Own moves are judged with open cards, so they include what the seat could not know."
    )
    explained = (
        f"In % of the {name_unit(rows[0].seats)}; each line adds up. The start is what the seat could expect"
        f" of the cards as they were dealt, luck what was drawn later. {own} Error rates measure decisions"
        " against the best option; own moves are measured against how the judge would have played on, so they"
        " can also be gains."
    )
    yield doc.Section(title, [doc.Lines(lines), doc.Lines(luck), doc.Text(explained, quiet=True)])


def _percents(account: Account) -> list[int]:
    """Return start, luck, own and others' moves, and what was hidden, in whole percent that add up."""
    terms = [account.start, account.luck, account.own, account.others, account.hidden or 0.0]
    return whole_percents(terms, account.result)


def _tell_account(account: Account, fault: str) -> str:
    """Return what made a result: "result 100 % = 47 at the start + 52 luck (+- 8) - 29 own moves + ..."."""
    start, luck, own, others, hidden = _percents(account)
    moves = f"own moves, {_FAULTS.get(fault, 'the fault')} among them" if fault else "own moves"
    sure = 100 * Z * account.own_se <= _FEW_PERCENT
    told = [
        f"result {start + luck + own + others + hidden} % = {start} at the start",
        _term(luck, f"luck{_tell_margin(account.luck_se)}"),
        _term(own, moves if sure else f"{moves}{_tell_margin(account.own_se)}"),
        _term(others, "moves of the others"),
    ]
    if account.hidden is not None:
        told.append(_term(hidden, "what it could not know"))
    return " ".join(told)


def _term(percent: int, what: str) -> str:
    return f"{'-' if percent < 0 else '+'} {abs(percent)} {what}"


def _tell_margin(se: float) -> str:
    """Return half of the 95 % interval with this standard error; nothing where it is less than 1 %."""
    margin = round(100 * Z * se)
    return f" (+- {margin})" if margin else ""


def _tell_luck(account: Account) -> str:
    """Return what follows the name of a seat that was surely lucky or unlucky, in words; else ""."""
    _, luck, *_ = _percents(account)
    if abs(luck) < _FEW_PERCENT or abs(account.luck) <= Z * account.luck_se:
        return ""
    margin = _tell_margin(account.luck_se)
    if luck > 0:
        return f", was lucky: what was drawn gave it {luck} %{margin}."
    return f", was unlucky: what was drawn cost it {-luck} %{margin}."
