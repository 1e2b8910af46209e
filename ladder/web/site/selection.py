"""Choose the matches that get a page."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, zip_longest

from ladder.web.site.facts import Facts
from results.reports.survey import MatchId


def select_matches(facts: Facts, most: int) -> dict[MatchId, str]:
    """Return at most *most* matches, each with the reason it was chosen, newest first.

    The reasons take turns, so that each has its share: faults, neighbours on a leaderboard, notable matches
    of a bot, the newest.
    """
    chosen: dict[MatchId, str] = {}
    for turn in zip_longest(
        *(
            list(source)
            for source in (_newest(facts), _find_faulted(facts), _neighbours(facts), _notable(facts))
        )
    ):
        for found in turn:
            if found and len(chosen) < most:
                chosen.setdefault(*found)
    return dict(sorted(chosen.items(), reverse=True))


def _newest(facts: Facts) -> Iterator[tuple[MatchId, str]]:
    for turn in zip_longest(*facts.survey.newest.values()):
        yield from ((match, "newest") for match in turn if match)


def _find_faulted(facts: Facts) -> Iterator[tuple[MatchId, str]]:
    for turn in zip_longest(*facts.survey.faulted.values()):
        yield from ((match, "fault") for match in turn if match)


def _neighbours(facts: Facts) -> Iterator[tuple[MatchId, str]]:
    """Yield wins and losses of each bot against the next on the leaderboard."""
    for game, board in facts.boards.items():
        for i, j in pairwise(board.ranked):
            above, below = board.fit.bots[i], board.fit.bots[j]
            for winner, loser in ((above, below), (below, above)):
                if match := facts.survey.newest_win(game, winner, loser):
                    yield match, f"{facts.label[winner]} beats its neighbour {facts.label[loser]}"


def _notable(facts: Facts) -> Iterator[tuple[MatchId, str]]:
    for game, board in facts.boards.items():
        for i in board.ranked:
            bot = board.fit.bots[i]
            for what, match in facts.survey.notable(game, bot).items():
                yield match, f"{what} of {facts.label[bot]}"
