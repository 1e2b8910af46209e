"""What happens while a run is played, as events: a caller may print them, show them, or drop them."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from ladder.home.home import Home
from ladder.pairing.tournament import Tournament
from ladder.run.duel import Duel
from ladder.run.executors.base import WorkerSpeed
from ladder.run.status import Status
from results.record import Run


class OperatorNote(NamedTuple):
    """A sentence for the operator, and what to type next."""

    text: str
    hint: str = ""


class Planned(NamedTuple):
    """The run is stored: its matches come next."""

    home: Home
    run: Run
    name: int | str
    """What the run is called: its number, or the name of its unrated store."""


class Progress(NamedTuple):
    """How far the run is."""

    status: Status
    duel: Duel | None
    tournament: Tournament | None = None
    """The tournament that is played, if it is one: it has heard all results so far."""


class Ended(NamedTuple):
    """The last match was played, or the run stopped."""

    status: Status
    workers: Sequence[WorkerSpeed] = ()
    """How fast the workers of a cluster have played, slowest first."""


Event: TypeAlias = OperatorNote | Planned | Progress | Ended
Tell: TypeAlias = Callable[[Event], object]
