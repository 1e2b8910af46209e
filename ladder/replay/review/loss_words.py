"""A decision in words: what it cost, and what its options promised."""

import shlex
from collections.abc import Mapping, Sequence
from math import floor

from engines import GAMES
from ladder.games.shown_game import ShownGame
from ladder.machine.plugged_in import go_on_without
from ladder.replay.review.loss_names import Z, verdict_of
from results.record import Json
from results.reports.document import Audience, Prose, Value
from results.reports.labels import Numbers, hint_on
from results.reviewed import SEVERAL, ReviewedStep, read_promises


def unit_of(game: str, seats: int) -> str:
    """Return the unit of losses of *game*: "points" or "result", as its judge says; "result" without it."""
    if game not in GAMES:
        return "result"
    judge = go_on_without(f"the judge of {game} is not known", lambda: GAMES[game].judge(seats), None, game)
    return str(getattr(judge, "tells", "result"))


def name_loss(row: ReviewedStep) -> str:
    """Return the name of *row*, which is surely a loss: "mistake", or "loss" where it has no name."""
    return verdict_of(row.loss or 0.0, row.loss_se or 0.0) or "loss"


def is_surely_lost(row: ReviewedStep, unit: str) -> bool:
    """Return whether *row* has the name of a loss, or is surely a loss in *unit*."""
    return bool(verdict_of(row.loss or 0.0, row.loss_se or 0.0)) or _is_sure(row, unit)


def _is_sure(row: ReviewedStep, unit: str) -> bool:
    loss, half = _loss_in(unit, row)
    return loss > half


def tell_loss(row: ReviewedStep, unit: str) -> str:
    """Return the loss of *row* with its interval: "9 % +- 3", or for points "1.5 points +- 0.6 (9 %)".

    Where the interval is narrow, a percentage has a digit more: "9.1 % +- 0.2".  A loss that has a name, and
    is not surely one of points, is told in what the name is given by: "9 % +- 3 of the chance to win".
    """
    of = ""
    if unit == "points" and not _is_sure(row, unit) and is_surely_lost(row, unit):
        unit, of = "result", f" of the {name_unit(row.seats)}"
    loss, half = _loss_in(unit, row)
    digits = 0 if half >= 0.5 and unit != "points" else 1
    if unit == "points" and loss > half:
        of = f" ({tell_number(100 * (row.loss or 0.0))} %)"
    return f"{tell_number(loss, digits)} {sign_of(unit)} +- {tell_number(max(half, 0.1), digits)}{of}"


def _loss_in(unit: str, row: ReviewedStep) -> tuple[float, float]:
    """Return the loss of *row* in *unit*, and half of its 95 % interval."""
    if unit == "points":
        return row.points or 0.0, Z * (row.points_se or 0.0)
    return 100 * (row.loss or 0.0), 100 * Z * (row.loss_se or 0.0)


def sign_of(unit: str) -> str:
    """Return what stands behind a number of *unit*."""
    return "points" if unit == "points" else "%"


def tell_why(row: ReviewedStep) -> list[Value]:
    """Return what goes on a sentence on *row* with what surely differs afterwards, if anything does."""
    return ["; ", Prose(row.why)] if row.why else []


def tell_number(number: float, digits: int = 0) -> str:
    """Return *number* with this number of *digits*, and never as -0."""
    return f"{round(number, digits) + 0.0:.{digits}f}"


def whole_percents(shares: Sequence[float], total: float = 1.0) -> list[int]:
    """Return *shares* in whole percent that sum to that of *total*, by largest remainders."""
    exact = [100 * share for share in shares]
    found = [floor(each) for each in exact]
    missing = round(100 * total) - sum(found)
    for place in sorted(range(len(found)), key=lambda place: found[place] - exact[place])[:missing]:
        found[place] += 1
    return found


def name_unit(seats: int) -> str:
    """Return what a share of the result is at a table of this many *seats*."""
    return "chance to win" if seats == 2 else "share of the others to be beaten"


def say_options(game: ShownGame, view: Mapping[str, Json], options: Sequence[str], audience: Audience) -> str:
    """Return *options* of the seat of *view* in words, with their notation for those who may type it."""
    said = [*game.say(view, options)]
    told = ", ".join(said)
    return told if said == [*options] or audience == "public" else f"{told} ({' '.join(options)})"


def ask_command(row: ReviewedStep, numbers: Numbers, match: str = "") -> str:
    """Return the command that asks the bot of *row* again, in *match* if given; empty if it is not here."""
    where = [match or f"{row.run}/{row.number}", str(row.step), "--seat", str(row.seat)]
    command = shlex.join(["ladder", "bots", "ask", row.bot, *where])
    return hint_on(command, [(row.bot, row.version)], numbers)


def tell_cost(row: ReviewedStep, played: Sequence[str], unit: str) -> str:
    """Return what the move of *row*, the options *played*, cost: "Mistake: it cost 9 % ± 2"."""
    told = tell_loss(row, unit).replace("+-", "±")
    loss, half = _loss_in(unit, row)
    if name := verdict_of(row.loss or 0.0, row.loss_se or 0.0):
        return f"{name.capitalize()}: it cost {told}"
    if loss > half:
        return f"A loss: {told}"
    if row.best == SEVERAL.join(played):
        digits = 1 if unit == "points" else 0
        most = round(loss + half, digits)
        at_most = f"; it cost at most {tell_number(most, digits)} {sign_of(unit)}"
        return "Nothing better was found" + (at_most if most > 0 else "")
    return f"{'Surely no loss' if loss + half < 0 else 'Not surely a loss'}: {told}"


def promises_of(row: ReviewedStep, played: Sequence[str]) -> list[tuple[list[str], int, bool]]:
    """Return what the options of *row* promised, the best first, in percent; one of them was *played*.

    An option is told by its notation; several of one choice are several.
    """
    made = SEVERAL.join(played)
    return [
        (each.option.split(SEVERAL), round(100 * each.result), each.option == made)
        for each in read_promises(row.promised, row.best or made, made)
    ]
