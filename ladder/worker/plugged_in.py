"""Games of other packages: an error in their rules names them, and ends the run.

It is no void match: the same deal would fail each time, and bots would be rated on the matches that happen to
be free of the error.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from engines import GAMES
from ladder.errors import Told, printable
from ladder.machine.unexpected import summarize

__all__ = ["name_game"]


@contextmanager
def name_game(game: str) -> Iterator[None]:
    """Raise as the package's an error in the rules of *game*, if another package offers it."""
    try:
        yield
    except Exception as error:
        package = GAMES.package(game)
        if not package or not _is_of(error, type(GAMES[game]).__module__):
            raise
        name = package.partition(" ")[0]
        raise Told(
            f"the game {game!r} of {printable(package)} has failed in a match: {summarize(error)}",
            f"tell its authors; install another version, or remove it: pip uninstall {printable(name)}",
            "game",
            1,
        ) from error


def _is_of(error: BaseException, module: str) -> bool:
    """Return whether *error* came through the package of *module*."""
    top, frame = module.partition(".")[0], error.__traceback__
    while frame:
        if str(frame.tb_frame.f_globals.get("__name__", "")).partition(".")[0] == top:
            return True
        frame = frame.tb_next
    return False
