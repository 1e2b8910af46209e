"""The matches most worth watching, one of each kind, with the reason why."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ladder.web.site.format import Shown
from results.record import Match
from results.reports.intervals import say_lead
from results.reports.labels import Key
from results.reports.leaderboard import GameBoard
from results.reports.survey import MatchId
from results.words import count


class Watched(NamedTuple):
    """A match to watch."""

    which: MatchId
    kind: str
    why: str


class _Found(NamedTuple):
    """How much a match stands out in one way, and what is said of it."""

    much: float
    which: MatchId
    why: str


def worth_watching(shown: Shown) -> list[Watched]:
    """Return an upset, a close match and the newest, as far as there are.

    Only matches with a page are looked at, and none of them twice.  Those with a fault are left out: it
    decided them.
    """
    played = {which: match for which, (match, _) in shown.matches.items() if is_whole(match)}
    newest = [_Found(0.0, which, "the newest") for which in played]
    found: dict[MatchId, Watched] = {}
    for kind, rated in (
        ("Upset", _upsets(shown, played)),
        ("Close", _close_ones(played)),
        ("New", newest),
    ):
        if best := max((each for each in rated if each.which not in found), default=None):
            found[best.which] = Watched(best.which, kind, best.why)
    return [*found.values()]


def is_whole(match: Match) -> bool:
    """Return whether *match* has a result that no fault decided."""
    return all(seat.rank and seat.score is not None and not seat.fault for seat in match.seats)


def _upsets(shown: Shown, played: Mapping[MatchId, Match]) -> Iterator[_Found]:
    """Yield the matches whose winner is rated lower than somebody it beat, and told apart from it."""
    for which, match in played.items():
        if board := shown.facts.boards.get(match.game):
            for winner, loser in _beaten(match):
                if lead := _lead(board, loser, winner):
                    names = [shown.facts.label.get(bot, bot[0]) for bot in (winner, loser)]
                    said = f"{names[0]} beats {names[1]}, which is rated {say_lead(board.fit, loser, winner)}"
                    yield _Found(lead, which, said)


def _beaten(match: Match) -> Iterator[tuple[Key, Key]]:
    """Yield the winner, if there is one alone, with each of those it beat."""
    winners = [seat for seat in match.seats if seat.rank == 1]
    if len(winners) == 1:
        for seat in match.seats:
            if seat.rank != 1:
                yield (winners[0].bot, winners[0].version), (seat.bot, seat.version)


def _lead(board: GameBoard, above: Key, below: Key) -> float:
    """Return by how much *above* is rated higher, if the two are told apart; else 0."""
    places = {board.fit.bots[i]: i for i in board.ranked}
    if above not in places or below not in places or board.is_open(places[above], places[below]):
        return 0.0
    return max(0.0, board.rated.standings[above].mu - board.rated.standings[below].mu)


def _close_ones(played: Mapping[MatchId, Match]) -> Iterator[_Found]:
    """Rate by how few points, of those of the first, lie between the two highest scores."""
    for which, match in played.items():
        first, second, *_ = sorted((seat.score or 0 for seat in match.seats), reverse=True)
        if first > max(second, 0):
            yield _Found((second - first) / first, which, f"{count(first - second, 'point')} apart")
