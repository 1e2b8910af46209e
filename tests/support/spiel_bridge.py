"""A bridge to OpenSpiel: a position of any game as what its searches in Python call a state.

It is written against bots/SEARCH.md alone, as a stranger would write it.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from random import Random
from types import SimpleNamespace
from typing import Any

from engines import Game
from engines.position import Position, read_view


class SpielState:
    """A match that is played on in place.  What a player knows of it is the numbers that its seat sees."""

    def __init__(self, game: Game[Any], seats: int, position: Position, rng: Random) -> None:
        self.game, self.seats, self.position, self.rng = game, seats, position, rng
        self.row = array("f", bytes(4 * len(game.columns(seats))))

    def get_game(self) -> Any:
        """Return what a search asks of the game: here, whether it is one that it knows."""
        from pyspiel import GameType

        kind = SimpleNamespace(
            dynamics=GameType.Dynamics.SEQUENTIAL, information=GameType.Information.IMPERFECT_INFORMATION
        )
        return SimpleNamespace(get_type=lambda: kind)

    def clone(self) -> SpielState:
        return SpielState(self.game, self.seats, self.position.copy(), self.rng)

    def current_player(self) -> int:
        return self.position.seat

    def legal_actions(self, player: int | None = None) -> list[int]:
        return [*(self.position.options() if player is None else self.position.options_of(player))]

    def apply_action(self, option: int) -> None:
        self.position.play(int(option))

    def is_chance_node(self) -> bool:
        return False

    def is_terminal(self) -> bool:
        return self.position.over

    def returns(self) -> Sequence[float]:
        """Return the share of the others that each seat beat; a tie is half."""
        ranks = self.position.outcome().ranks
        others = len(ranks) - 1
        return [(sum((x > rank) + (x == rank) / 2 for x in ranks) - 0.5) / others for rank in ranks]

    def information_state_string(self) -> bytes:
        self.position.numbers(self.position.seat, self.row)
        return self.row.tobytes()

    def resample_from_infostate(self, player: int, _: object) -> SpielState:
        world = self.game.position(self.game.imagine(read_view(self.position, player), self.rng))
        while world.seat != player:  # the seats before it have chosen in this step already, hidden from it
            world.play(self.rng.choice(world.options()))
        return SpielState(self.game, self.seats, world, self.rng)
