"""The rating parameters that games declare, for `results`, which knows no games."""

from collections.abc import Iterable

from engines import GAMES
from results.rating.parameters import Draws, Parameters


def rating_defaults(games: Iterable[str] | None = None) -> dict[str, Parameters]:
    """Return the parameters that *games* (default: all) declare."""
    return {
        name: Parameters(GAMES[name].beta, Draws.of(GAMES[name].draw_probability))
        for name in (GAMES if games is None else games)
    }
