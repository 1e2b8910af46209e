"""The ladder: let bots play, and rate them.  The commands are functions, and bots can be functions as well.

A function gets an Act and returns a move: see protocol.client.serve.  Objects, such as what learns, need a
name and a version, because their source does not tell them apart: ladder.play({"learner@1000": learner}), or
ladder.Bot(...) in a list.

    import ladder

    def first(act):
        return act.choice.options[0]

    def chance(act):
        return act.rng.choice(act.choice.options)

    run = ladder.play([first, chance], game="stellar", games=10, home="my-ladder")
    print(run.leaderboard("stellar").select(["rank", "bot", "score"]).to_pylist())
    print(run.matches(["number", "seats.bot", "seats.rank"]).to_pylist())
    print(ladder.open_home("my-ladder").matches().num_rows, "matches in all runs")
"""

import sys
from types import ModuleType

from ladder.machine.installation import __version__

TYPE_CHECKING = False  # typing's own would cost every spawner its loading
if TYPE_CHECKING:
    from ladder.api.face import (
        Bot,
        LadderError,
        PlayedRun,
        check,
        duel,
        export,
        leaderboard,
        matches,
        open_home,
        play,
        reference,
        replay,
        review,
        submit,
        tournament,
        try_change,
    )

__all__ = [
    "Bot",
    "LadderError",
    "PlayedRun",
    "__version__",
    "check",
    "duel",
    "export",
    "leaderboard",
    "matches",
    "open_home",
    "play",
    "reference",
    "replay",
    "review",
    "submit",
    "tournament",
    "try_change",
]


class _Face(ModuleType):
    """This package.  Two functions have the names of rooms, and the functions are what it offers."""

    def __setattr__(self, name: str, value: object) -> None:
        """Set an attribute, but none for these rooms: imports find them without it."""
        if name not in ("reference", "replay") or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Face


def __getattr__(name: str) -> object:
    """Load ladder.api.face when one of its names is asked for: workers and bots import this package, too."""
    if name in __all__:
        from ladder.api import face

        return getattr(face, name)
    raise AttributeError(f"module 'ladder' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
