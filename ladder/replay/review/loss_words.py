"""A decision in words: what it cost, and what its options promised."""

import shlex
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ladder.games.shown_game import ShownGame
from ladder.replay.review.loss_names import Z, verdict_of
from results.record import Json
from results.reports.labels import Numbers, hint_on
from results.reviewed import SEVERAL, ReviewedStep, read_promises


def name_loss(row: ReviewedStep) -> str:
    """Return the name of the loss of *row*, also where it has none of its own."""
    loss, se = row.loss or 0.0, row.loss_se or 0.0
    return verdict_of(loss, se) or ("small loss" if loss > Z * se else "not surely a loss")


def tell_loss(row: ReviewedStep) -> str:
    """Return the loss of *row* with its interval: "9 % +- 3"; "9.1 % +- 0.2" where it is as narrow."""
    loss, half = row.loss or 0.0, Z * (row.loss_se or 0.0)
    digits = 0 if half >= 0.005 else 1
    return f"{percent(loss, digits)} % +- {percent(max(half, 0.001), digits)}"


def percent(share: float, digits: int = 0) -> str:
    """Return *share* in percent with this number of *digits*, and never as -0."""
    return f"{round(100 * share, digits) + 0.0:.{digits}f}"


def name_unit(seats: int) -> str:
    """Return what a share of the result is at a table of this many *seats*."""
    return "chance to win" if seats == 2 else "share of the others to be beaten"


def say_options(game: ShownGame, view: Mapping[str, Json], options: Sequence[str]) -> str:
    """Return *options* of the seat of *view* in words, with their notation."""
    said, notation = ", ".join(game.say(view, options)), " ".join(options)
    return said if said == notation else f"{said} ({notation})"


def ask_command(row: ReviewedStep, numbers: Numbers, match: str = "") -> str:
    """Return the command that asks the bot of *row* again; empty if it is not here to be asked.

    *match* is another name of its match.
    """
    where = [match or f"{row.run}/{row.number}", str(row.step), "--seat", str(row.seat)]
    command = shlex.join(["ladder", "bots", "ask", row.bot, *where])
    return hint_on(command, [(row.bot, row.version)], numbers)


class ShownPromise(NamedTuple):
    """An option of a decision, as a page shows it."""

    options: Sequence[str]
    """Its notation; several of one choice are several."""
    share: int | None
    """The result that it promised, in percent; None where the review does not say."""
    played: bool


def tell_cost(row: ReviewedStep, played: Sequence[str]) -> str:
    """Return what the move of *row*, the options *played*, cost: "Mistake: it cost 9 % ± 2"."""
    told = tell_loss(row).replace("+-", "±")
    loss, se = row.loss or 0.0, row.loss_se or 0.0
    if name := verdict_of(loss, se):
        return f"{name.capitalize()}: it cost {told}"
    if loss > Z * se:
        return f"A small loss: {told}"
    if row.best == SEVERAL.join(played):
        most = round(100 * (loss + Z * se))
        return "Nothing better was found" + (f"; it cost at most {most} %" if most > 0 else "")
    return f"Not surely a loss: {told}"


def promises_of(row: ReviewedStep, played: Sequence[str]) -> list[ShownPromise]:
    """Return what the options of *row* promised, the best first; one of them was *played*.

    A review of an older ladder has the best and the one that was played, and not what they promised.
    """
    made = SEVERAL.join(played)
    found = [
        (each.option, round(100 * each.result))
        for each in read_promises(row.promised, row.best or made, made)
    ]
    told: list[tuple[str, int | None]] = [*found] or [(name, None) for name in {row.best or made: 0, made: 0}]
    return [ShownPromise(option.split(SEVERAL), share, option == made) for option, share in told]
