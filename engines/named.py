"""The old way to see a state in names, for one release: Game.view tells it, one seat after another."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from engines.game import Game, Json


def old_teller(game: Game[Any]) -> Callable[[Any], list[dict[str, Json]]]:
    """Return the old function `told` of *game*, which warns and returns the views of all seats."""

    def told(state: Any) -> list[dict[str, Json]]:
        what = f"engines.{game.name.replace('-', '_')}.named.told"
        warnings.warn(f"{what} is deprecated: call game.view(state, seat)", DeprecationWarning, stacklevel=2)
        seats = game.view(state, None)["seats"]
        return [game.view(state, seat) for seat in range(seats)]

    return told
