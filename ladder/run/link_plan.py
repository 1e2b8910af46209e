"""What the next link of a chain begins with: its length, who joins, and who lacks a minimum of matches."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from msgspec import structs

from ladder.registry.version import Version
from ladder.run.run_schedule import FLOOR
from results.rating.cache import ratings_current
from results.record import ChainLink, Contest, JoinedBot
from results.storage.contents import Contents
from results.storage.store import Store

FIRST_MATCHES = 1_000
"""The matches of a link before which nothing was played, so that nothing is known of its speed."""
MOST = 2.0
"""A link ends by the clock after this many times its time: its bots may be slower than those before."""


class LinkPlan(NamedTuple):
    """The length of a link, and what is stored with it."""

    matches: int
    seconds: float
    """When the clock ends it."""
    stored: ChainLink


def plan_link(store: Store, bots: Sequence[Version], contests: Sequence[Contest], seconds: float) -> LinkPlan:
    """Return the plan of a link of *bots* that takes about *seconds*; the lock of *store* must be held."""
    contents = store.contents()
    earlier = contents.rated_runs
    known = {bot for run in earlier for bot in run.bot_keys}
    joined = tuple(
        JoinedBot(bot.bot, bot.version, bot.submitted) for bot in bots if (bot.bot, bot.version) not in known
    )
    owed = _owed_by(store, bots, contests) if earlier else None
    return LinkPlan(_length(contents, seconds), MOST * seconds, ChainLink(joined, owed))


def _length(contents: Contents, seconds: float) -> int:
    """Return how many matches take about *seconds*, by the speed of the last run that has some."""
    for run in reversed(contents.rated_runs):
        assert contents.manifest is not None
        # the last segments of a run tell its speed: to read one of millions of matches takes a minute
        sheet = structs.replace(contents.manifest, segments=contents.segments(run.run)[-2:])
        newest = replace(contents, manifest=sheet)
        took = newest.seconds_played(run.run)
        matches = sum(len(part) for part in newest.match_parts(["number"], run.run))
        if took and matches:
            return max(1, round(matches / took * seconds))
    return FIRST_MATCHES


def _owed_by(
    store: Store, bots: Sequence[Version], contests: Sequence[Contest]
) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return for each contest the bots that lack their minimum, and how many blocks they lack."""
    by_size = {seats: ratings_current(store, seats) for seats in {contest.seats for contest in contests}}
    owed = []
    for contest in contests:
        rated = by_size[contest.seats].get(contest.game)
        lacking = []
        for index in contest.bots:
            standing = rated.standings.get((bots[index].bot, bots[index].version)) if rated else None
            if (missing := FLOOR - (standing.matches if standing else 0)) > 0:
                lacking.append((index, math.ceil(missing / contest.seats)))
        owed.append(tuple(lacking))
    return tuple(owed)
