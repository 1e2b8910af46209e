"""The matches most worth watching, one of each kind, with the reason why."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from statistics import fmean, pstdev
from typing import Final, NamedTuple

from ladder.web.site.format import Shown
from results.record import Match
from results.reports.leaderboard import GameBoard, count
from results.reports.survey import MatchId

__all__ = ["worth_watching"]

FEWEST: Final = 5
"""In a game with fewer matches than this, none is said to stand out by its points or its length."""


class Watched(NamedTuple):
    """A match to watch."""

    which: MatchId
    kind: str
    why: str


class _Found(NamedTuple):
    """How much a match stands out in one way, and what is said of it."""

    much: float
    why: str


def worth_watching(shown: Shown) -> list[Watched]:
    """Return an upset, a close match, a high score, a long match and the newest, as far as there are.

    Only matches with a page are looked at, and none of them twice.  Those with a fault are left out: it
    decided them.
    """
    played = {which: match for which, (match, _) in shown.matches.items() if _is_whole(match)}
    found: list[Watched] = []
    for kind, rate in (
        ("Upset", _upsets(shown)),
        ("Close", _closeness),
        ("High score", _high_scores(played)),
        ("Long", _long_ones(played)),
    ):
        rated = [(rated.much, which, rated.why) for which, match in played.items() if (rated := rate(match))]
        for _, which, why in sorted(rated, reverse=True):
            if which not in {each.which for each in found}:
                found.append(Watched(which, kind, why))
                break
    newest = max((which for which in played if which not in {each.which for each in found}), default=None)
    return [*found, Watched(newest, "New", "the newest")] if newest else found


def _is_whole(match: Match) -> bool:
    return all(seat.rank and seat.score is not None and not seat.fault for seat in match.seats)


_Rate = Callable[[Match], _Found | None]


def _upsets(shown: Shown) -> _Rate:
    """Rate by how much lower the winner is rated than somebody it beat and is told apart from."""

    def rate(match: Match) -> _Found | None:
        board = shown.facts.boards.get(match.game)
        best: _Found | None = None
        for winner, loser in _beaten(match) if board else ():
            lead = _lead(board, loser, winner) if board else 0.0
            if lead > (best.much if best else 0.0):
                names = [shown.facts.label.get(bot, bot[0]) for bot in (winner, loser)]
                best = _Found(lead, f"{names[0]} beats {names[1]}, which is rated {lead:.1f} higher")
        return best

    return rate


def _beaten(match: Match) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """Yield the winner with each of those it beat."""
    winners = [seat for seat in match.seats if seat.rank == 1]
    if len(winners) == 1:
        yield from (
            ((winners[0].bot, winners[0].version), (seat.bot, seat.version))
            for seat in match.seats
            if seat.rank != 1
        )


def _lead(board: GameBoard, above: tuple[str, str], below: tuple[str, str]) -> float:
    """Return by how much *above* is rated higher, if the two are told apart; else 0."""
    places = {board.fit.bots[i]: i for i in board.ranked}
    if above not in places or below not in places or board.is_open(places[above], places[below]):
        return 0.0
    return board.rated.standings[above].mu - board.rated.standings[below].mu


def _closeness(match: Match) -> _Found | None:
    """Rate by how few points, of those of the first, lie between the two highest scores."""
    scores = sorted((seat.score or 0 for seat in match.seats), reverse=True)
    if scores[0] <= 0 or scores[0] == scores[1]:
        return None
    apart = scores[0] - scores[1]
    return _Found(-apart / scores[0], f"{count(apart, 'point')} apart")


def _high_scores(played: dict[MatchId, Match]) -> _Rate:
    def best(match: Match) -> int:
        return max(seat.score or 0 for seat in match.seats)

    return _outliers(played, best, lambda match: f"{best(match)} points")


def _long_ones(played: dict[MatchId, Match]) -> _Rate:
    def steps(match: Match) -> int:
        return len(json.loads(match.moves))

    return _outliers(played, steps, lambda match: count(steps(match), "step"))


def _outliers(
    played: dict[MatchId, Match], size: Callable[[Match], int], say: Callable[[Match], str]
) -> _Rate:
    """Rate by how far *size* is above the mean of its game and table size, in standard deviations."""
    groups: dict[tuple[str, int], list[int]] = defaultdict(list)
    for match in played.values():
        groups[match.game, len(match.seats)].append(size(match))

    def rate(match: Match) -> _Found | None:
        group = groups[match.game, len(match.seats)]
        spread = pstdev(group)
        if len(group) < FEWEST or not spread:
            return None
        return _Found((size(match) - fmean(group)) / spread, say(match))

    return rate
