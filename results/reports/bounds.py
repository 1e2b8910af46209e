"""Say of which bots only one end is known, and why: some never came before others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from results.reports.leaderboard import GameBoard


def find_bounds(board: GameBoard, names: Sequence[str]) -> Callable[[int, int], str] | None:
    """Return what says why ratings are bounds, given the most names and their width; None if none is.

    *names* are by index.  It is about the largest group with bounds.
    """
    own, reaches = board.fit.own, board.fit.parts.reaches
    for group in board.groups:
        core = own[group[0]].core
        sides: dict[tuple[bool, bool], list[str]] = {}
        for i in group:
            sides.setdefault((reaches(i, core), reaches(core, i)), []).append(names[i])
        if sides.keys() - {(True, True)}:
            return lambda most, width: _say(sides, most, width)
    return None


def _say(sides: Mapping[tuple[bool, bool], Sequence[str]], most: int, width: int) -> str:
    inside = sides.get((True, True), ["others"])  # where the core is not on the board
    before, behind = sides.get((True, False)), sides.get((False, True))
    if before and behind:
        return (
            f"{_list(behind, 'and', most, width)} never came before {_list(inside, 'or', most, width)}, nor"
            f" these before {_list(before, 'or', most, width)}: how far apart they are is not known"
        )
    if before or behind:
        worse, better = (inside, before) if before else (behind or (), inside)
        named = _list(better, "or", most, width)
        is_one = len(better) == 1 and (better is before or (True, True) in sides)
        known = "its lead" if is_one else "how much better these are"
        return f"{_list(worse, 'and', most, width)} never came before {named}: {known} is not known"
    aside = _list(sides[False, False], "or", most, width)
    return f"no results lead from {aside} to {_list(inside, 'or', most, width)} or back"


def _list(names: Sequence[str], word: str, most: int, width: int) -> str:
    """Return at most so many of *names* in a list, with a *word* before the last, or before how many more."""
    short = [name if len(name) <= width else f"{name[: width - 3]}..." for name in names]
    if short[most + 1 :]:
        short[most:] = [f"{len(short) - most:,} more"]
    *first, last = short
    return f"{', '.join(first)} {word} {last}" if first else last
