"""A stored match step by step, as positions: what each seat saw before it decided, and what it chose."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from engines.game import Game, Seat
from engines.position import Position
from results.record import Json


class Made(NamedTuple):
    """What a seat chose."""

    seat: Seat
    option: int
    forced: bool
    """Whether there was no other option, or the referee moved because the bot had failed."""
    by_referee: bool


class WalkedStep(NamedTuple):
    """A position before a step, and the moves of the step; none after the last one."""

    number: int
    position: Position
    views: tuple[bytes, ...]
    """By seat, what it sees, as JSON."""
    made: tuple[Made, ...]
    events: tuple[list[bytes], ...]
    """By seat, what it saw since the step before, each event as JSON."""

    def view_of(self, seat: Seat) -> dict[str, Json]:
        view: dict[str, Json] = json.loads(self.views[seat])
        return view


def walk(
    game: Game[Any], deal: Mapping[str, Json], seats: int, moves: Sequence[Json]
) -> Iterator[WalkedStep]:
    """Yield each step of a match, and its end, as the reader's.  Raises ValueError for a move not offered."""
    position = game.begin(deal, seats)
    for number, step in enumerate([*moves, ()]):
        before, made = position.copy(), []
        views = tuple(before.write_view(seat) for seat in range(seats))
        events = tuple(position.write_events(seat) for seat in range(seats))
        for seat, move, *by in sorted(step, key=lambda each: each[0]):
            option = position.option_of(seat, tuple(move) if isinstance(move, list) else move)
            forced = bool(by) or len(position.options_of(seat)) == 1
            made.append(Made(seat, option, forced, bool(by)))
            position.play(option)
        yield WalkedStep(number, before, views, tuple(made), events)
