"""Say of which bots only one end is known, and why: some never came before others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from results.reports.leaderboard import GameBoard


def find_bounds(board: GameBoard, names: Sequence[str]) -> Callable[[int, int], str] | None:
    """Return what says, with at most so many names of a width, why ratings are bounds; None if none is.

    *names* are by index, "" for bots that are not on the board.  It is of the largest group with bounds.
    """
    core, reaches = board.fit.core, board.fit.parts.reaches
    for group in board.groups:
        at = core[group[0]]
        behind = [names[i] for i in group if not reaches(i, at) and reaches(at, i)]
        before = [names[i] for i in group if reaches(i, at) and not reaches(at, i)]
        aside = [names[i] for i in group if not reaches(i, at) and not reaches(at, i)]
        inside = [names[i] for i in group if reaches(i, at) and reaches(at, i)] or ["bots that do not play"]
        if behind or before or aside:
            return lambda most, width: _say(behind, inside, before, aside, most, width)
    return None


def _say(
    behind: Sequence[str],
    inside: Sequence[str],
    before: Sequence[str],
    aside: Sequence[str],
    most: int,
    width: int,
) -> str:
    def either(bots: Sequence[str]) -> str:
        return _list(bots, "or", most, width)

    def all_of(bots: Sequence[str]) -> str:
        return _list(bots, "and", most, width)

    if behind and before:
        return (
            f"{all_of(behind)} never came before {either(inside)}, and these never before {either(before)}:"
            " how far apart they are is not known"
        )
    if behind or before:
        worse, better = (behind, inside) if behind else (inside, before)
        if len(better) == 1:
            known = f"it is not known how much better {all_of(better)} is"
        else:
            known = "how much better these are is not known"
        return f"{all_of(worse)} never came before {either(better)}: {known}"
    return f"no results lead from {either(aside)} to {either(inside)} or back: which is better is not known"


def _list(names: Sequence[str], word: str, most: int, width: int) -> str:
    """Return at most so many of *names* in a list, with a *word* before the last, or before how many more."""
    short = [name if len(name) <= width else f"{name[: width - 3]}..." for name in names]
    if short[most + 1 :]:
        short[most:] = [f"{len(short) - most:,} more"]
    *first, last = short
    return f"{', '.join(first)} {word} {last}" if first else last
