"""What made the results of a match, in words: a line for each seat, and who was lucky."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from engines.game import Seat
from ladder.replay.review.account import Account, account_of
from ladder.replay.review.loss_names import Z
from ladder.replay.review.loss_words import name_unit, whole_percents
from results.reports.document import Lines, SeatRef, Section, Text, Value, Words
from results.reviewed import ReviewedStep

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
    rows: Sequence[ReviewedStep], names: Mapping[Seat, str], faults: Mapping[Seat, str]
) -> Iterator[Section]:
    """Yield what made the results of *names*, or why *rows* do not tell it; *faults* ended these seats."""
    found = {seat: account for seat in names if (account := account_of(rows, seat)) is not None}
    title = "How the results came about"
    if not found:
        missing = "This review does not say it: it is of one seat alone, or an older ladder made it."
        yield Section(title, [Text(missing, quiet=True)])
        return
    lines: list[Value | Words] = []
    luck: list[Value | Words] = []
    for seat, account in found.items():
        named: Words = [SeatRef(seat, names[seat]), f", seat {seat}"]
        lines.append([*named, f": {_tell_account(account, faults.get(seat, ''))}"])
        if told := _tell_luck(account):
            luck.append([*named, told])
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
    yield Section(title, [Lines(lines), Lines(luck), Text(explained, quiet=True)])


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
