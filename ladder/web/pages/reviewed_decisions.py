"""What a review says of decisions, in words for pages: what each option promised, and what a move cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from ladder.games.shown_game import ShownGame
from ladder.replay.review.loss_names import Z, verdict_of
from ladder.replay.review.narration import percent
from ladder.replay.review.summary import Ledger, Rate, costliest, ledger_of, rate_in_match
from ladder.web.pages.environment import visible
from results.record import Json
from results.reviewed import SEVERAL, ReviewedStep, read_promises
from results.words import count

LEDGER: Final = ("start", "luck", "own errors", "errors of others", "what was hidden", "remainder", "result")
"""What makes a result, in the order of Ledger; those in between are added to the first."""
_MOST: Final = 3
"""The most decisions of one seat in the list of those that cost most."""


class ShownPromise(NamedTuple):
    """An option of a decision, as a page shows it."""

    options: Sequence[str]
    """Its notation; several of one choice are several."""
    share: int | None
    """The result that it promised, in percent; None where the review does not say."""
    played: bool


class LostHere(NamedTuple):
    """A decision that cost much."""

    step: int
    verdict: str
    cost: str
    played: str
    better: str


class SeatLosses(NamedTuple):
    """What a seat lost by its decisions in one match."""

    seat: int
    rate: str
    lost: Sequence[LostHere]
    """Those with a name that cost most, in the order of the match."""
    ledger: Sequence[str]
    """What made its result, in percent, as LEDGER names it; empty for one who sees what a seat knew."""


def name_unit(seats: int) -> str:
    """Return what a share of the result is at a table of this many *seats*."""
    return "chance to win" if seats == 2 else "share of the others to be beaten"


def tell_interval(row: ReviewedStep) -> str:
    """Return the loss of *row* with its 95 % interval: "13 % (11 to 15)"; "13.2 % (± 0.1)" if it is less."""
    loss, half = row.loss or 0.0, Z * (row.loss_se or 0.0)
    digits = 0 if half >= 0.005 else 1
    low, high = percent(loss - half, digits), percent(loss + half, digits)
    return f"{percent(loss, digits)} % ({low} to {high})" if low != high else f"{low} % (± 0.1)"


def _tell_rate(rate: Rate) -> str:
    """Return an error *rate* in words: "lost 2.3 ± 0.3 % a decision, 22 decisions"."""
    if not rate.decisions:
        return "no decision to judge"
    margin = "" if rate.margin is None else f" ± {100 * rate.margin:.1f}"
    return f"lost {percent(rate.loss, 1)}{margin} % a decision, {count(rate.decisions, 'decision')}"


def tell_cost(row: ReviewedStep, played: Sequence[str]) -> str:
    """Return what the move of *row*, the options *played*, cost: "Mistake: it cost 9 % (7 to 11)"."""
    loss, se = row.loss or 0.0, row.loss_se or 0.0
    if name := verdict_of(loss, se):
        return f"{name.capitalize()}: it cost {tell_interval(row)}"
    if loss > Z * se:
        return f"A small loss: {tell_interval(row)}"
    if row.best == SEVERAL.join(played):
        most = round(100 * (loss + Z * se))
        return "Nothing better was found" + (f"; it cost at most {most} %" if most > 0 else "")
    return f"Not surely a loss: {tell_interval(row)}"


def promises_of(row: ReviewedStep, played: Sequence[str]) -> list[ShownPromise]:
    """Return what the options of *row* promised, the best first; one of them was *played*.

    A review of an older ladder has the best and the one that was played, and not what they promised.
    """
    made = SEVERAL.join(played)
    found = [
        (each.option, round(100 * each.result))
        for each in read_promises(row.promised, row.best or made, made)
    ]
    told: list[tuple[str, int | None]] = [*found] or [(name, None) for name in _best_and(row, made)]
    return [ShownPromise(option.split(SEVERAL), share, option == made) for option, share in told]


def _best_and(row: ReviewedStep, made: str) -> Iterable[str]:
    return dict.fromkeys([row.best or made, made])


def seat_losses(
    rows: Sequence[ReviewedStep],
    seat: int,
    find: Callable[[ReviewedStep], tuple[Mapping[str, Json], Sequence[str]]],
) -> SeatLosses:
    """Return what *seat* lost in the match of *rows*.

    *find* returns what the seat of a row saw, and the options that it played.
    """
    mine = [row for row in rows if row.seat == seat and row.loss is not None]
    named = [row for row in mine if verdict_of(row.loss or 0.0, row.loss_se or 0.0)]
    worst = sorted(costliest(named, _MOST), key=lambda row: row.step)
    return SeatLosses(
        seat,
        _tell_rate(rate_in_match(rows, seat)),
        [lost_here(row, *find(row)) for row in worst],
        _tell_ledger(ledger_of(rows, seat)),
    )


def _tell_ledger(ledger: Ledger | None) -> list[str]:
    """Return the parts of *ledger* in the order of LEDGER."""
    if ledger is None:
        return []
    start, *changes, result = (round(100 * share) for share in ledger)
    signed = [
        f"{'-+'[change > 0]}{abs(change)}".replace("-", "\N{MINUS SIGN}") if change else "0"
        for change in changes
    ]
    return [str(start), *signed, str(result)]


def lost_here(row: ReviewedStep, view: Mapping[str, Json], played: Sequence[str]) -> LostHere:
    """Return what is told of *row*, whose seat saw this *view* and chose the options *played*."""

    def say(options: Sequence[str]) -> str:
        return visible(", ".join(ShownGame(row.game).say(view, options)))

    return LostHere(
        row.step,
        verdict_of(row.loss or 0.0, row.loss_se or 0.0),
        tell_interval(row),
        say(played),
        say((row.best or "").split(SEVERAL)),
    )
