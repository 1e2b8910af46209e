"""The review of a match as text, in 80 columns."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from engines import GAMES
from engines.game import Seat
from ladder.games.shown_game import ShownGame
from ladder.replay.review.loss_names import THRESHOLDS, Z, verdict_of
from ladder.replay.review.summary import (
    KindRate,
    Ledger,
    Rate,
    costliest,
    ledger_of,
    rate_in_match,
    rates_by_kind,
)
from ladder.replay.review.walk import walk
from results.record import Json
from results.reports.labels import Numbers, hint_on
from results.reviewed import SEVERAL, ReviewedStep
from results.words import count

_WORST: Final = 3
_WIDTH: Final = 78


def narrate_review(
    record: Mapping[str, Json],
    rows: Sequence[ReviewedStep],
    names: Sequence[str],
    numbers: Numbers,
    seat: Seat | None = None,
) -> Iterator[str]:
    """Yield the review of *record* as lines: error rates, ledgers, and the decisions that cost most.

    *names* are those of the seats, *numbers* say which bots can be asked again.  With *seat* only what it
    knew is told.
    """
    match, seats = f"{record['run']}/{record['number']}", range(len(names)) if seat is None else [seat]
    decided = [row for row in rows if row.loss is not None]
    worlds = sum([row.worlds or 0 for row in decided]) / max(1, len(decided))
    yield f"match {match}: {record['game']}, judged by {rows[0].judge} in {worlds:.0f} worlds a decision"
    yield from textwrap.wrap(_tell_unit(len(names)), _WIDTH, initial_indent="  ", subsequent_indent="  ")
    yield ""
    width = max(len(names[each]) for each in seats)
    for each in seats:
        yield f"  {names[each]:<{width}}  seat {each}  {_tell_rate(rate_in_match(rows, each))}"
        if fault := record["seats"][each].get("fault"):
            yield f"    it lost by a fault, {fault}, of which no decision is charged"
        mine = [row for row in decided if row.seat == each]
        if len(kinds := rates_by_kind([mine])) > 1:
            yield from textwrap.wrap(
                _tell_kinds(kinds), _WIDTH, initial_indent="    ", subsequent_indent="      "
            )
        if ledger := ledger_of(rows, each):
            yield from textwrap.wrap(
                _tell_ledger(ledger), _WIDTH, initial_indent="    ", subsequent_indent="      "
            )
    views = _Views(record)
    for each in seats:
        worst = costliest([row for row in rows if row.seat == each], _WORST)
        yield ""
        if not worst:
            yield f"{names[each]} (seat {each}) lost nothing that can be seen."
            continue
        yield f"{names[each]} (seat {each}) lost most here, by the lower ends of the intervals:"
        for row in worst:
            yield from _tell_decision(row, views)
            if command := ask_command(row, numbers, match):
                yield f"             {command}"


def ask_command(row: ReviewedStep, numbers: Numbers, match: str = "") -> str:
    """Return the command that asks the bot of *row* again; empty if it is not here to be asked.

    *match* is another name of its match.
    """
    where = [match or f"{row.run}/{row.number}", str(row.step), "--seat", str(row.seat)]
    command = shlex.join(["ladder", "bots", "ask", row.bot, *where])
    return hint_on(command, [(row.bot, row.version)], numbers)


def say_options(game: ShownGame, view: Mapping[str, Json], options: Sequence[str]) -> str:
    """Return *options* of the seat of *view* in words, with their notation."""
    said, notation = ", ".join(game.say(view, options)), " ".join(options)
    return said if said == notation else f"{said} ({notation})"


def tell_loss(row: ReviewedStep) -> str:
    """Return the loss of *row* with its interval: "9 % +- 3"; "9.1 % +- 0.2" where it is as narrow."""
    loss, half = row.loss or 0.0, Z * (row.loss_se or 0.0)
    digits = 0 if half >= 0.005 else 1
    return f"{percent(loss, digits)} % +- {percent(max(half, 0.001), digits)}"


def percent(share: float, digits: int = 0) -> str:
    """Return *share* in percent with this number of *digits*, and never as -0."""
    return f"{round(100 * share, digits) + 0.0:.{digits}f}"


def _tell_unit(seats: int) -> str:
    """Return what the numbers of a review are, in words."""
    unit = "of the chance to win" if seats == 2 else "of the others, if all are beaten"
    leasts = ", ".join(percent(least) for least, _ in THRESHOLDS)
    names = ", ".join(name for _, name in THRESHOLDS)
    return f"% {unit}; +- is a 95 % interval. Losses surely above {leasts} % are named: {names}."


def _tell_rate(rate: Rate) -> str:
    """Return an error rate in words: "lost 3.1 +- 0.4 % and 0.86 points a decision, 30 decisions"."""
    if not rate.decisions:
        return "no decision to judge"
    margin = "" if rate.margin is None else f" +- {100 * rate.margin:.1f}"
    return (
        f"lost {percent(rate.loss, 1)}{margin} % and {rate.points:.2f} points a decision,"
        f" {count(rate.decisions, 'decision')}"
    )


def _tell_kinds(kinds: Sequence[KindRate]) -> str:
    """Return in words what each kind of decision cost: "by kind: 14 % in 12 x take a card, ..."."""
    costly = [kind for kind in kinds if round(100 * kind.total) > 0]
    told = [f"{percent(kind.total)} % in {kind.rate.decisions:,} x {kind.kind}" for kind in costly]
    others = sum([kind.rate.decisions for kind in kinds if kind not in costly])
    if others:
        told.append(f"nothing in {others:,} of other kinds" if told else "nothing")
    return f"by kind: {', '.join(told)}"


def _tell_ledger(ledger: Ledger) -> str:
    """Return what made a result, in words."""
    return (
        f"result {100 * ledger.result:.0f} % = {100 * ledger.start:.0f} at the start"
        f" {_sign(ledger.luck)} luck {_sign(ledger.others)} errors of others"
        f" {_sign(ledger.own)} own errors {_sign(ledger.revealed)} what was hidden"
        f" {_sign(ledger.rest)} remainder"
    )


def _sign(share: float) -> str:
    percent = round(100 * share)
    return f"{'-' if percent < 0 else '+'} {abs(percent)}"


def _tell_decision(row: ReviewedStep, views: _Views) -> Iterator[str]:
    loss, se = row.loss or 0.0, row.loss_se or 0.0
    name = verdict_of(loss, se) or ("small" if loss > Z * se else "not sure")
    points = f", {row.points:.1f} points" if (row.points or 0.0) > 0 else ""
    played = views.say(row, views.find_played(row))
    better = views.say(row, (row.best or "").split(SEVERAL))
    yield from textwrap.wrap(
        f"step {row.step:>4}  {name}: {tell_loss(row)}{points}.  Played: {played}.  Better: {better}.",
        _WIDTH,
        initial_indent="  ",
        subsequent_indent="             ",
    )


class _Views:
    """What the seats saw in a match, to say moves in words."""

    def __init__(self, record: Mapping[str, Json]) -> None:
        self._game, game = ShownGame(record["game"]), GAMES[record["game"]]
        self._moves: Sequence[Json] = record["moves"]
        self._steps = [*walk(game, record["deal"], len(record["seats"]), record["moves"])]

    def find_played(self, row: ReviewedStep) -> list[str]:
        """Return the options that were played in the decision of *row*."""
        move = next(move for seat, move, *_ in self._moves[row.step] if seat == row.seat)
        return [move] if isinstance(move, str) else [*move]

    def say(self, row: ReviewedStep, options: Sequence[str]) -> str:
        """Return *options* of the seat of *row* in words, with their notation."""
        return say_options(self._game, self._steps[row.step].view_of(row.seat), options)
