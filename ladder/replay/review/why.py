"""Why an option is better: what surely differs afterwards from what the one that was played leads to."""

import json
from collections.abc import Iterator, Sequence
from math import inf
from typing import Any, Final

from engines.game import Seat
from engines.judge import Judge
from engines.position import Position
from ladder.games.shown_game import ShownGame
from ladder.machine.plugged_in import go_on_without
from ladder.replay.review.estimate import mean_difference
from ladder.replay.review.worlds import WorldSource

MOST_BYTES: Final = 200
_MOST_WORLDS: Final = 24
"""More would take more than a tenth of the time of a review."""
_MOST_COUNTS: Final = 3
_SURE: Final = 2.6
"""Standard errors: several counts are looked at, and none of them should be noise."""
_POINTS: Final = "points"
_LEAST: Final = 0.1
"""A smaller difference of means is not told: it helps no player."""
Counts = dict[str, tuple[int, ...]]
"""Points and tallies after an option, by name and seat."""


def find_why(
    game: ShownGame,
    judge: Judge[Any],
    source: WorldSource,
    seats: int,
    seat: Seat,
    options: tuple[int, int],
    worlds: int,
) -> str | None:
    """Return what *seat* surely has less or more of, played : better: "afterwards: points 8 : 13".

    After the *options*, the played one and the better, and what the judge plays on by itself, at the mean of
    *worlds* worlds at most.  None if nothing surely differs, or the judge or the game cannot say it.
    """
    if getattr(judge, "onward", None) is None:
        return None

    def count(position: Position) -> Counts:
        view = json.loads(position.write_view(seat))
        points = game.points(view, seats)
        return ({_POINTS: points} if points else {}) | game.tallies(view, seats)

    def tell() -> str | None:
        tried = map(source.world, range(min(worlds, _MOST_WORLDS)))
        pairs = [[count(world.onward(each, judge)) for each in options] for world in tried]
        found = sorted(_differences(pairs), key=lambda each: -each[0])
        own = [(errors, words) for errors, of, words in found if of == seat][:_MOST_COUNTS]
        others = [(errors, words) for errors, of, words in found if of != seat]
        if others and (not own or others[0][0] > own[0][0]):
            whose = "the other's" if seats == 2 else "another's"
            own[_MOST_COUNTS - 1 :] = [(0.0, f"{whose} {others[0][1]}")]
        told = "afterwards: " + ", ".join(words for _, words in own)
        return told if own and len(told.encode()) <= MOST_BYTES else None

    return go_on_without(f"what differs after moves of {game.name} is left out", tell, None, game.name)


def _differences(counted: Sequence[Sequence[Counts]]) -> Iterator[tuple[float, Seat, str]]:
    """Yield what surely differs in *counted*, two in each world: by how many errors, of whom, in words."""
    told: list[list[list[tuple[int, ...]]]] = []
    for name in reversed(counted[0][0]):
        if not all(name in counts for pair in counted for counts in pair):
            continue
        pairs = [[counts[name] for counts in pair] for pair in counted]
        if name == _POINTS and pairs in told:  # coins are told as coins
            continue
        told.append(pairs)
        for seat in range(len(pairs[0][0])):
            played, better = [one[seat] for one, _ in pairs], [other[seat] for _, other in pairs]
            mean, error = mean_difference([other - one for one, other in zip(played, better, strict=True)])
            one, other = (sum(values) / len(values) for values in (played, better))
            if abs(mean) > max(_SURE * error, _LEAST):
                digits = 0 if abs(mean) >= 1 else 1
                words = f"{name} {one:.{digits}f} : {other:.{digits}f}"
                yield abs(mean) / error if error else inf, seat, words
