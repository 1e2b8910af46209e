"""Games of other packages: an error in one of them names the package, and is no error of the ladder.

It ends a run.  It is no void match: the same deal would fail each time, and bots would be rated on the
matches that happen to be free of the error.  What is only shown goes on without it: see shown_game.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

from engines import GAMES
from engines.game import IllegalMove
from engines.games import BUILT_IN
from ladder.errors import LadderError, describe, of_game
from ladder.machine.unexpected import summarize

T = TypeVar("T")
D = TypeVar("D")
logger = logging.getLogger(__name__)
OF_JUNK: Final = (AttributeError, LookupError, TypeError, ValueError)
"""What becomes of a value that is not what it should be."""
WARNED: Final[set[str]] = set()
"""What has been warned of: a match has hundreds of boards."""


@contextmanager
def name_game(game: str, *, in_match: bool = False) -> Iterator[None]:
    """Raise as that of *game* an error in this block, which asks the game, if another package offers it.

    *in_match*: the block does more than that.  The error must have come through the game, or be one of those
    that junk causes, for with other games this block has none.  Elsewhere an illegal move is the record's.
    """
    try:
        yield
    except Exception as error:
        is_its_own = not isinstance(error, LadderError | IllegalMove)
        if in_match:
            is_its_own = isinstance(error, OF_JUNK) or GAMES.trace(error) == game
        if not is_its_own or game in {"", *BUILT_IN}:
            raise
        raise of_game(error, game, f" in a match: {summarize(error)}" if in_match else "") or error from error


def go_on_without(what: str, make: Callable[[], T], otherwise: D, game: str = "") -> T | D:
    """Return what *make*, which asks *game*, returns; if it raises, *otherwise*, with one warning.

    The warning says *what* is missing.  Games of other packages fail in many ways, and so does a record that
    contradicts itself: neither may cost the page of which this is a part.
    """
    try:
        with name_game(game):
            return make()
    except Exception as error:
        if what not in WARNED:
            WARNED.add(what)
            logger.warning("%s: %s", what, error if isinstance(error, LadderError) else describe(error))
        return otherwise
