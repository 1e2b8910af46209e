"""Environments that libraries for learning know.  `pip install 'botladder[learn]'` brings what they need.

actions     moves as numbered actions, a choice of several one by one; results as rewards
ladder_env  LadderEnv, a PettingZoo environment: every seat is an agent
seat_env    SeatEnv, a Gymnasium environment: one seat against policies
tables      Tables, many matches side by side
spiel       the games as games of OpenSpiel, for those who import it
encoder     Encoder, which makes features of the numbers of views
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ladder.learn.encoder import Encoder
    from ladder.learn.ladder_env import LadderEnv
    from ladder.learn.seat_env import SeatEnv
    from ladder.learn.tables import Tables

__all__ = ["Encoder", "LadderEnv", "SeatEnv", "Tables"]
_MODULES = {"Encoder": "encoder", "LadderEnv": "ladder_env", "SeatEnv": "seat_env", "Tables": "tables"}


def __getattr__(name: str) -> object:
    """Load a class when it is asked for: it needs numpy, which takes as long as all else."""
    if name not in _MODULES:
        raise AttributeError(f"module 'ladder.learn' has no attribute {name!r}")
    try:
        module = import_module(f"ladder.learn.{_MODULES[name]}")
    except ModuleNotFoundError as error:
        raise ImportError(
            f"ladder.learn.{name} needs {error.name}: pip install 'botladder[learn]'", name=error.name
        ) from error
    return getattr(module, name)


def __dir__() -> list[str]:
    return __all__
