"""What made the result of a match, seat by seat: terms that add up to it, whatever the judge says.

With open cards the judge tells what all seats may expect before each step and after its moves: the
difference is what the moves did.  From there to the next step, it is what was drawn.  Both are measured in
the same redraws throughout the match: as long as nothing is drawn, a position that is drawn again is the one
that was played on, and the luck of the step is 0 exactly.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import fsum, sqrt
from random import Random
from typing import Any, Final, NamedTuple

from engines.game import Seat
from engines.int_state import IntState
from engines.judge import Judge
from engines.position import Position
from ladder.replay.review.walk import WalkedStep
from ladder.replay.review.worlds import luck_of
from results.reviewed import ReviewedStep

ACCOUNT: Final = "account-1"
"""How accounts are made; another name wherever the same match may have another one."""
_COMPARED: Final = 6
"""In how many redraws it is looked whether anything was drawn."""
Values = list[list[float]]
"""Results by redraw, then by seat."""
Estimated = tuple[float, float]
"""A value and its standard error."""


class Account(NamedTuple):
    """What made the result of a seat: the start and all that follows add up to it, in results."""

    start: float
    """What the seat could expect of the cards as they were dealt."""
    luck: float
    """What was drawn in the match."""
    luck_se: float
    own: float
    """What its own moves did: as far as it could know, and with open cards where `hidden` is None."""
    own_se: float
    others: float
    """What the moves of the others did."""
    hidden: float | None
    """What its own moves did by what it could not know."""
    result: float


class OpenStep(NamedTuple):
    """What all seats may expect with open cards around a step."""

    before: Values
    after: Values
    """Once its moves are made, and before anything is drawn."""
    alone: Mapping[Seat, Values]
    """By seat, the same if the judge had answered for those who chose at the same time: see open_line."""

    def chances(self) -> list[float]:
        """Return by seat what it may expect before the step."""
        return [fsum(column) / len(column) for column in zip(*self.before, strict=True)]


class _OpenCards:
    """Values positions in the same redraws, each with the same luck, throughout a match."""

    def __init__(self, judge: Judge[Any], seed: int, redraws: int) -> None:
        self._judge = judge
        self._rng = Random(0)
        makers = [luck_of(seed, number) for number in range(redraws)]
        self._seeds = [(rng.getrandbits(64), rng.getrandbits(64)) for rng in makers]
        self.replies = replies_to(judge)

    def redraw(self, position: Position) -> Iterator[Position]:
        """Yield copies of *position*, each with other luck to come."""
        for seed, _ in self._seeds:
            self._rng.seed(seed)
            yield self._judge.redraw(position, self._rng)

    def is_nothing_drawn(self, worlds: Sequence[Position], position: Position) -> bool:
        """Return whether *worlds*, which were played on, are what *position* is when it is drawn again.

        The first _COMPARED tell it: of two cards that are left, all have the same one in 1 of 64 draws.
        Only states of integers tell that they are equal; others are drawn again each time.
        """
        if not isinstance(position, IntState):
            return False
        drawn = self.redraw(position)
        return all(world == next(drawn) for world in worlds[:_COMPARED])

    def values(self, worlds: Iterable[Position]) -> Values:
        """Return what all seats may expect of each of *worlds*, one for each redraw."""
        return [self.value(number, world) for number, world in enumerate(worlds)]

    def value(self, number: int, world: Position) -> list[float]:
        """Return what all seats may expect of *world*, which belongs to the redraw of this *number*."""
        self._rng.seed(self._seeds[number][1])
        if self.replies and not world.over:
            return self._mean_of_turns(world)
        return self._judge.prospects(world, self._rng).results

    def _mean_of_turns(self, world: Position) -> list[float]:
        """Return the mean of what is expected where each seat is next, once the others have answered.

        A judge of replies counts no move of the seat that is next.  Asked before and after a move alone, it
        would blame the others for what it leaves out.
        """
        found: dict[Seat, list[float]] = {}
        after = world.copy()
        results = self._judge.prospects(after, self._rng).results
        while len(found) < len(results) and not after.over:
            if after.seat not in found:
                found[after.seat] = self._judge.prospects(after, self._rng).results if found else results
            after.play(self._judge.answer(after, self._rng))
        rows = [*found.values()]
        if len(rows) < len(results):  # the match ended before the others were next
            rows += [self._judge.prospects(after, self._rng).results] * (len(results) - len(rows))
        return [fsum(column) / len(rows) for column in zip(*rows, strict=True)]

    def play_alone(self, worlds: Iterable[Position], step: WalkedStep, seat: Seat) -> Values:
        """Return the values once *seat* has made its move of *step*, and the judge those of the others."""
        found = []
        for number, world in enumerate(worlds):
            after = world.copy()
            for made in step.made:
                after.play(made.option if made.seat == seat else self._judge.answer(after, self._rng))
            found.append(self.value(number, after))
        return found


def replies_to(judge: Judge[Any]) -> bool:
    """Return whether *judge* counts the next moves of the others, and not of the seat that is next."""
    return bool(getattr(judge, "replies", False))


def open_line(judge: Judge[Any], steps: Sequence[WalkedStep], seed: int, redraws: int) -> list[OpenStep]:
    """Return what all seats may expect around each of *steps*, those of a match, in this many *redraws*.

    Where several choose in one step, the part of each is told by worlds of its view; by OpenStep.alone only
    for a judge of replies, whose values in those worlds do not compare.
    """
    cards, line = _OpenCards(judge, seed, redraws), []
    worlds = [*cards.redraw(steps[0].position)]
    now = cards.values(worlds)
    for step, following in pairwise(steps):
        if not all(_can_follow(world, step) for world in worlds):
            worlds = [*cards.redraw(step.position)]
        several = step.made if cards.replies and len(step.made) > 1 else ()
        alone = {made.seat: cards.play_alone(worlds, step, made.seat) for made in several}
        for world in worlds:
            for made in step.made:
                world.play(made.option)
        after = cards.values(worlds)
        line.append(OpenStep(now, after, alone))
        now = after
        if not cards.is_nothing_drawn(worlds, following.position):
            worlds = [*cards.redraw(following.position)]
            now = cards.values(worlds)
    return [*line, OpenStep(now, now, {})]


def _can_follow(world: Position, step: WalkedStep) -> bool:
    """Return whether the moves of *step* are open in *world*: not where it missed what was drawn."""
    asked = world.seats()
    return all(made.seat in asked and world.allows(made.seat, made.option) for made in step.made)


def make_account(
    seat: Seat,
    steps: Sequence[WalkedStep],
    line: Sequence[OpenStep],
    gains: Mapping[tuple[int, Seat], Estimated] | None,
    result: float,
    failed: Collection[Seat],
) -> Account:
    """Return the account of *seat*, which has this *result*, in a match with these *steps*.

    *gains* tells by step and seat what a decision gained, as far as the seat could know; None: by open cards
    alone.  What a fault did, and the referee's moves after it, are moves of the seats that *failed*.
    """
    redraws = range(len(line[0].before))
    luck, others, open_moves, sure = ([0.0] * len(redraws) for _ in range(4))
    known: list[Estimated] = []
    alone, together = 0.0, 0.0  # what was known, in steps of one seat and of several
    for step, (now, following) in zip(steps, pairwise(line), strict=False):
        mine = next((made for made in step.made if made.seat == seat), None)
        gained = (gains or {}).get((step.number, seat), (0.0, 0.0))
        known.append(gained)
        if len(step.made) > 1:
            together += gained[0]
            moves, part = others, now.alone.get(seat)
        else:
            alone += gained[0]
            moves, part = others if mine is None else sure if mine.by_referee else open_moves, None
        for number in redraws:
            before, after = now.before[number][seat], now.after[number][seat]
            luck[number] += following.before[number][seat] - after
            if part is not None:
                open_moves[number] += part[number][seat] - before
                before = part[number][seat]
            moves[number] += after - before
    last = luck if not failed else sure if seat in failed else others
    for number in redraws:
        last[number] += result - line[-1].before[number][seat]
    start, _ = _mean([values[seat] for values in line[0].before])
    drawn, by_others = _mean(luck), _mean(others)
    if gains is None:
        own = _mean([moved + faulted for moved, faulted in zip(open_moves, sure, strict=True)])
        return Account(start, *drawn, *own, by_others[0], None, result)
    faulted, hidden = _mean(sure), _mean(open_moves)[0] - alone
    error = sqrt(fsum([faulted[1] ** 2, *(se**2 for _, se in known)]))
    own = alone + together + faulted[0], error
    return Account(start, *drawn, *own, by_others[0] - together, hidden, result)


def _mean(values: Sequence[float]) -> Estimated:
    """Return the mean of *values*, one for each redraw, and its standard error."""
    mean = fsum(values) / len(values)
    spread = fsum([(value - mean) ** 2 for value in values]) / max(1, len(values) - 1)
    return mean, sqrt(spread / len(values))


def account_of(rows: Iterable[ReviewedStep], seat: Seat) -> Account | None:
    """Return the account of *seat* in one match; None for a quick review, and one of an older ladder.

    Terms are rounded where they are stored, so the start is what the others leave of the result.
    """
    last = max((row for row in rows if row.seat == seat), key=lambda row: row.step, default=None)
    if last is None or last.account != ACCOUNT or last.luck is None:
        return None
    own, others = last.own or 0.0, last.others or 0.0
    result = whole_result(last.chance_open or 0.0, last.seats)
    start = result - fsum([last.luck, own, others, last.hidden or 0.0])
    luck_se, own_se = last.luck_se or 0.0, last.own_se or 0.0
    return Account(start, last.luck, luck_se, own, own_se, others, last.hidden, result)


def whole_result(stored: float, seats: int) -> float:
    """Return the result that was rounded to *stored*: a share of the others, in whole and half bots."""
    # a draw with one of the others is half a bot
    halves = 2 * max(1, seats - 1)
    return round(stored * halves) / halves
