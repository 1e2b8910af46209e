"""Worlds that look like a view, in an order that follows from the view alone.

The same decision and the same judge give the same worlds on any machine.  Nothing but
what the seat saw goes into the seeds, so no number of a review tells what was hidden from it.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, NamedTuple

from engines.game import Game, Seat
from engines.judge import Judge, Prospects, lower
from engines.position import Position


def seed_of(*parts: object) -> int:
    """Return a number of 128 bits that follows from *parts*, as they are printed."""
    return int.from_bytes(hashlib.sha256("\0".join(map(str, parts)).encode()).digest()[:16])


def luck_of(seed: int, number: int) -> Random:
    """Return the generator that has this *number* among those of *seed*."""
    return Random(seed ^ (number << 128))


def optimism_of(judge: Judge[Any], position: Position, seat: Seat) -> float:
    """Return the log odds by which *seat* expects too much in worlds like *position*; 0 if none are told."""
    find: Callable[[Position, Seat], float] | None = getattr(judge, "optimism", None)
    return find(position, seat) if find else 0.0


class World(NamedTuple):
    """A position that looks to a seat as the real one did, and the luck that all its options share."""

    position: Position
    luck: int
    rng: Random
    """Is given the luck each time: worlds share a generator, since each takes longer to make than to set."""

    def after(self, option: int, judge: Judge[Any]) -> Prospects:
        """Return what all seats may expect once the seat that is next has played *option*."""
        return judge.prospects(self._play(option), self.rng)

    def onward(self, option: int, judge: Judge[Any]) -> Position:
        """Return the position that `after` values: see `onward` of a judge, which must have it."""
        found: Position = judge.onward(self._play(option), self.rng)  # type: ignore[attr-defined]  # optional
        return found

    def _play(self, option: int) -> Position:
        after = self.position.copy()
        after.play(option)
        self.rng.seed(self.luck)
        return after

    def now(self, judge: Judge[Any]) -> Prospects:
        """Return what all seats may expect if the judge plays for them from here on."""
        self.rng.seed(self.luck)
        return judge.prospects(self.position, self.rng)


class WorldSource:
    """All worlds that look like the view of a seat which is asked, by their numbers."""

    def __init__(self, game: Game[Any], judge: Judge[Any], view: bytes, seat: Seat, *, asked: bool) -> None:
        """Prepare worlds of *game* that look like *view*, the JSON of what *seat* sees.

        Where the seat is *asked* and others choose at the same time, the judge chooses for those before it.
        """
        self._game = game
        self._judge = judge
        self._view: Mapping[str, Any] = json.loads(view)
        self._seat = seat
        self._asked = asked
        self._seed = seed_of(judge.name, game.name, game.version, seat, view.decode())
        self._worlds: dict[int, World] = {}
        self._rng = Random(0)

    def is_in_sample(self, of: int) -> bool:
        """Return whether this view belongs to the one in *of* that a sample has."""
        return self._seed % of == 0

    def world(self, number: int) -> World:
        """Return the world of this *number*.  Raises ValueError if the game cannot imagine one."""
        if number not in self._worlds:
            self._worlds[number] = self._imagine(number)
        return self._worlds[number]

    def expect(self, worlds: int) -> float:
        """Return what the seat may expect if the judge plays for all: the mean result of *worlds* worlds."""
        found = [self.world(number).now(self._judge).results[self._seat] for number in range(worlds)]
        return self.temper(sum(found) / worlds)

    def answer(self) -> int:
        """Return what the judge would choose in place of the seat."""
        return self._judge.answer(self.world(0).position, Random(self._seed))

    def temper(self, mean: float) -> float:
        """Return the result to expect where *mean* is that over worlds, which may be too kind."""
        return lower(mean, optimism_of(self._judge, self.world(0).position, self._seat))

    def _imagine(self, number: int) -> World:
        rng = luck_of(self._seed, number)
        position = self._game.position(self._game.imagine(self._view, rng))
        luck = rng.getrandbits(64)
        while self._asked and position.seat != self._seat:  # nothing is shown before all have chosen
            position.play(self._judge.answer(position, rng))
        return World(position, luck, self._rng)
