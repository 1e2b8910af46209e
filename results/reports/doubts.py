"""What takes meaning from the ratings of a board: draws alone, a cycle, few matches, ends not known."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from math import sqrt

from results.rating.field_parts import Parts
from results.rating.one_sided import Z_95
from results.rating.outcomes import Bot
from results.reports.document import BotRef, Column, Row, name_columns
from results.reports.intervals import half_of, value_of
from results.reports.labels import Key
from results.reports.leaderboard import GameBoard, bot_of

REAL = 0.8
"""Where less than this share of the differences is real, they are not told as they stand."""


def are_on_board(board: GameBoard, bots: Iterable[Bot]) -> bool:
    """Return whether all *bots* are shown: what is about others has no place below a table."""
    return {*bots} <= {board.fit.bots[i] for i in board.by_rating}


def is_all_drawn(board: GameBoard) -> bool:
    """Return whether every match ended in a draw."""
    standings = [board.rated.standings[bot] for bot in board.fit.bots]
    return all(not each.wins + each.losses and each.rank_sum == each.ranked for each in standings)


def bots_without_order(board: GameBoard) -> frozenset[Bot]:
    """Return the bots among which none is better: those of a cycle on the board; all, where all was drawn."""
    if is_all_drawn(board):
        return frozenset(board.fit.bots)
    misfit = board.rated.misfit
    cycle = misfit.cycle.bots if misfit and misfit.cycle else ()
    return frozenset(cycle if are_on_board(board, cycle) else ())


def share_real(board: GameBoard) -> float:
    """Return how much of a difference between two ranked bots is real, on average.

    It is the factor by which all differences come nearest to what the spread of the skills expects, by least
    squares.
    """
    fit, ranked = board.fit, board.ranked
    scale = max([1.0, *(lean.scale for lean in fit.leans if lean)])
    widest = 2 * scale * sqrt(max([0.0, *(fit.covariance[i][i] for i in ranked)]))
    if fit.spread.share_kept(widest) >= REAL:
        return 1.0  # no difference has less, so the pairs need not be looked at
    real = printed = 0.0
    for i, j in combinations(ranked, 2):
        difference, se = fit.difference(i, j)
        if board.are_compared(i, j) and round(difference, 1):  # else it is told as 0.0
            real += difference * difference * fit.spread.share_kept(se)
            printed += difference * difference
    return real / printed if printed else 1.0


def say_few_matches(board: GameBoard) -> str:
    """Say how much of the differences is real; empty where most of each is."""
    share, ranked = share_real(board), board.ranked
    if share >= REAL:
        return ""
    matches = sum(board.fit.matches[i] for i in ranked) / len(ranked)
    real = f"{10 * share:.0f}" if share >= 0.05 else "less than 1"
    return f"few matches ({matches:,.0f} a bot): differences are exaggerated; read 10 points as about {real}"


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
            levels = _levels(board.fit.parts, group, names)
            if len(levels) > 2 and (True, True) in sides:
                return lambda most, width: _say_levels(levels, most, width)
            return lambda most, width: _say(sides, most, width)
    return None


def _levels(parts: Parts, group: Sequence[int], names: Sequence[str]) -> list[list[str]]:
    """Return the *names* of the bots of each part of *group*, the worst first; empty if that is no order."""
    here = {parts.of[i] for i in group}
    order = sorted(here, key=lambda part: len(parts.below[part] & here))
    if any(len(parts.below[part] & here) != level for level, part in enumerate(order)):
        return []
    return [[names[i] for i in group if parts.of[i] == part] for part in order]


def _say_levels(levels: Sequence[Sequence[str]], most: int, width: int) -> str:
    worst, *better = levels
    before = ", nor these before ".join(_list(level, "or", most, width) for level in better)
    return (
        f"{_list(worst, 'and', most, width)} never came before {before}: how far apart they are is not known"
    )


def _say(sides: Mapping[tuple[bool, bool], Sequence[str]], most: int, width: int) -> str:
    inside = sides.get((True, True), ["versions not shown"])  # then they are the core
    before, behind, aside = (sides.get(key) for key in ((True, False), (False, True), (False, False)))
    told = []
    if before and behind:
        told.append(_say_levels((behind, inside, before), most, width))
    elif before or behind:
        worse, better = (inside, before) if before else (behind or (), inside)
        named = _list(better, "or", most, width)
        is_one = len(better) == 1 and (better is before or (True, True) in sides)
        known = f"the lead of {named}" if is_one else "how much better these are"
        told.append(f"{_list(worse, 'and', most, width)} never came before {named}: {known} is not known")
    if aside:
        apart, here = (_list(each, "or", most, width) for each in (aside, inside))
        told.append(f"no results lead from {apart} to {here} or back")
    return "; ".join(told)


def _list(names: Sequence[str], word: str, most: int, width: int) -> str:
    """Return the first *most* of *names* as a list, with *word* before the last, or before how many more."""
    short = [clip(name, width) for name in names]
    if short[most + 1 :]:
        short[most:] = [f"{len(short) - most:,} more"]
    *first, last = short
    return f"{', '.join(first)} {word} {last}" if first else last


def clip(name: str, width: int) -> str:
    """Return *name* in at most *width* characters."""
    return name if len(name) <= width else f"{name[: width - 3]}..."


PAIRS = name_columns(
    *("bot", "version", "rival", "rival_version", "difference", "margin", "se"),
    *("p_above", "told_apart", "low", "high"),
)
"""The columns of JSON and CSV; GAME goes before them."""


def pairs(board: GameBoard, top: int | None = None) -> list[Row]:
    """Return the rows of GAME and PAIRS: each two bots, the higher rated first, in the order of their places.

    With *top*, only those among the first *top* bots.  Where no results lead from one of two bots to the
    other, all is None: nothing is known of their difference.  Of two in a cycle, none is likely above.
    """
    listed, mu = (board.ranked + board.unranked)[:top], board.fit.mu
    alike = bots_without_order(board)
    return [_row(board, alike, *sorted(pair, key=lambda i: -mu[i])) for pair in combinations(listed, 2)]


def _row(board: GameBoard, alike: frozenset[Key], i: int, j: int) -> Row:
    fit = board.fit
    (bot, version), (rival, rival_version) = fit.bots[i], fit.bots[j]
    low, high = fit.interval_of_difference(i, j)
    known, both = (low, high) != (None, None), None not in (low, high)
    difference, se = fit.difference(i, j)
    return {
        "game": board.game,
        "bot": bot,
        "version": version,
        "rival": rival,
        "rival_version": rival_version,
        "difference": difference if known else None,
        "margin": Z_95 * se if both else None,
        "se": se if both else None,
        "p_above": fit.p_above(i, j) if known and not alike.issuperset((fit.bots[i], fit.bots[j])) else None,
        "told_apart": not board.is_open(i, j),
        "low": low,
        "high": high,
    }


def _percent(p: float) -> str:
    return f"{100 * p:.1f} %" if p < 0.9995 else ">99.9 %"


SHOWN_PAIRS = (
    Column("bot", "bot", kind=bot_of),
    Column("rival", "is above", kind=lambda row: BotRef(row["rival"], row["rival_version"])),
    Column("difference", "by", right=True, kind=value_of("difference", "")),
    Column("margin", "+-", right=True, kind=half_of("")),
    Column("p_above", "likely", _percent, right=True),
    Column("state", "", kind=lambda row: "told apart" if row["told_apart"] else "open"),
)
"""The columns of tables, for rows of `pairs` of which something is known."""
