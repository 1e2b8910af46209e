"""Say in words where one rating a bot is the wrong picture of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from results.reports.labels import Numbers, labels

if TYPE_CHECKING:
    from results.rating.misfit import Misfit, SizeGaps
    from results.rating.rated import Rated

NAMED = 2
"""At most this many bots that change are named."""


def picture_notes(rated: Rated, numbers: Numbers, season: str = "", *, commands: bool = True) -> list[str]:
    """Return a sentence for each reason why the ratings of a game are the wrong picture of it.

    *season* is what commands need, to be about the same matches: empty for the current one.  Without
    *commands* the sentences are for people who cannot type any.
    """
    found = []
    if rated.misfit and rated.misfit.is_wrong:
        see = f"see ladder matrix --game {rated.game}{season}: " if commands else ""
        found.append(_on_misfit(rated.misfit, numbers, see))
    if rated.size_gaps:
        see = f"ladder leaderboard --game {rated.game} --seats N{season}: " if commands else ""
        found.append(_on_sizes(rated.size_gaps, numbers, see))
    return [*found, *_on_changes(rated, numbers)]


def machine_notes(rated: Rated, numbers: Numbers) -> list[str]:
    """Name the bots that play otherwise on one machine, in one sentence.

    It names machines, so it is for the operator alone: no page, export or feedback has it.
    """
    gaps = rated.machine_gaps
    label = labels((each.bot for each in gaps), numbers)
    named = [
        _compare(label[each.bot], each.there, f"on {each.machine}", each.elsewhere, "elsewhere")
        for each in gaps[:NAMED]
    ]
    return [f"not the same on all machines: {_list_all(named, len(gaps))}"] if gaps else []


def _on_changes(rated: Rated, numbers: Numbers) -> list[str]:
    """Name the bots that change, in one sentence."""
    changes, first = rated.changes, "in the first half of its matches"
    label = labels((each.bot for each in changes), numbers)
    named = [
        _compare(label[each.bot], each.first, first, each.second, "in the second") for each in changes[:NAMED]
    ]
    return [f"not the same all the time: {_list_all(named, len(changes))}"] if changes else []


def _compare(bot: str, excess: float, where: str, other: float, elsewhere: str) -> str:
    """Return how a bot plays in two parts of its matches, beside its rating."""
    return f"{bot} wins {_beside(excess)} than its rating says {where}, {_beside(other)} {elsewhere}"


def _list_all(named: list[str], number: int) -> str:
    """Return the texts of those that are *named*, of *number* in all."""
    more = [f"and {number - len(named):,} more"] if number > len(named) else []
    return "; ".join([*named, *more])


def _beside(excess: float) -> str:
    """Return a score less the expected one in wins of 100."""
    return f"{100 * abs(excess):.0f} of 100 {'fewer' if excess < 0 else 'more'}"


def _on_misfit(found: Misfit, numbers: Numbers, see: str) -> str:
    """Return what is wrong; *see* is the command that shows more, or empty for who has none."""
    points = f"{100 * found.misfit:.1f}"
    large = (
        f"misfit {points} points" if see else f"results of pairs lie {points} points of 100 off their ratings"
    )
    said = f"{large if found.is_large else 'a cycle'}: {see}one rating a bot is the wrong picture here"
    if found.cycle:
        bots = found.cycle.bots
        label = labels(bots, numbers)
        steps = zip(bots, (*bots[1:], bots[0]), found.cycle.scores, strict=True)
        beats = [f"{label[bot]} beats {label[rival]} ({100 * score:.0f} %)" for bot, rival, score in steps]
        return f"{said}: {', '.join(beats)}"
    if pair := found.worst:
        label = labels((pair.a, pair.b), numbers)
        happened, expected = 100 * pair.happened, 100 * pair.said
        wins = f"{happened:.0f} % of {pair.meetings:,} meetings, where ratings say {expected:.0f} %"
        return f"{said}: {label[pair.a]} wins against {label[pair.b]} {wins}"
    return said


def _on_sizes(found: SizeGaps, numbers: Numbers, see: str) -> str:
    gap = found.surest
    label = labels((gap.above, gap.below), numbers)
    more = f", and {found.pairs - 1:,} more pairs" if found.pairs > 2 else ", and 1 more pair"
    return (
        f"ratings differ by table size: {see}{label[gap.above]} is above {label[gap.below]} by"
        f" {gap.difference:.1f} at {gap.seats} seats, and below by {gap.reverse:.1f} at {gap.other}"
        f"{more if found.pairs > 1 else ''}"
    )
