"""Compare matches through the runner with a bare exchange of the same bytes, on one core.

The bare exchange sends the bytes that the runner sent, to the same bots, pinned in the same way, and reads
the answers without parsing them.
"""

import statistics
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

from engines import GAMES
from ladder.dev.benchmark.figure import Figure, at_least, at_most
from ladder.dev.benchmark.rig import CLIENT_BOT, Cost, Rig, build_c_bot, pin_to_core

AT_ONCE = 32
"""The number of matches in progress, if more than one."""


def pipe_figures(rounds: int) -> Iterator[Figure]:
    """Compare the runner with the bare exchange, at the smallest table of every game.

    Stellar is also measured with several matches in progress, and with three kinds of bots.
    """
    with pin_to_core():
        for game in GAMES:
            if game != "stellar":
                with closing(_Pair(game, 1)) as pair:
                    pair.measure(rounds)
                    yield from pair.figures(0.65)
        yield from _stellar(rounds)
        yield from _c_bots(rounds)


def _c_bots(rounds: int) -> Iterator[Figure]:
    """Measure what the referee itself takes for a decision, with bots that take next to nothing."""
    with build_c_bot() as program, ExitStack() as stack:
        if program is None:
            return
        one, several = [
            stack.enter_context(closing(_Pair("stellar", in_progress, program, "bots in C")))
            for in_progress in (1, AT_ONCE)
        ]
        for _ in range(rounds):
            for pair in (one, several):
                pair.measure(1)
    for pair, aim in ((one, 24), (several, 15)):
        yield at_most(f"{pair.name}: referee's CPU", pair.median("own"), "us/decision", aim)
        yield Figure(f"{pair.name}: runner / bare", 1 / pair.ratio("wall"), "")


def _stellar(rounds: int) -> Iterator[Figure]:
    """Compare one match in progress with several, in alternating rounds."""
    with ExitStack() as stack:
        one, several, client_one, client_several = [
            stack.enter_context(closing(_Pair("stellar", in_progress, program, bots)))
            for program, bots in ((None, ""), (CLIENT_BOT, "client-library bots without views"))
            for in_progress in (1, AT_ONCE)
        ]
        for _ in range(rounds):
            for pair in (one, several, client_one, client_several):
                pair.measure(1)
    yield from one.figures(0.7)
    yield at_most(f"{one.name}: CPU of all processes, runner / bare", one.ratio("cpu"), "", 1.4)
    yield at_most(f"{one.name}: referee's CPU over the bare one's", one.ratio("own"), "", 2.8)
    yield from several.figures(0.72)
    yield from client_one.figures(0.58)
    yield from client_several.figures(0.5)
    for kind, alone, together, aim in (
        ("stdlib bots", one, several, 1.4),
        ("client-library bots", client_one, client_several, 1.7),
    ):
        gain = alone.median("wall") / together.median("wall")
        yield at_least(f"stellar, {kind}: {AT_ONCE} in progress over 1", gain, "", aim)


class _Pair:
    """The costs of one table over bare pipes and through the runner, by round."""

    def __init__(self, game: str, in_progress: int, program: Path | None = None, bots: str = "") -> None:
        self.name = f"{game}, {in_progress} in progress" + (f", {bots}" if bots else "")
        self._stand = Rig(game, in_progress, program=program)
        self.close = self._stand.close
        self._decisions = self._stand.record() / self._stand.matches
        self._bare: list[Cost] = []
        self._through: list[Cost] = []

    def measure(self, rounds: int) -> None:
        """Measure both, one after the other, *rounds* times."""
        for _ in range(rounds):
            self._bare.append(self._stand.bare())
            self._through.append(self._stand.play())

    def median(self, what: str) -> float:
        """Return the median of a cost through the runner, in microseconds per decision."""
        return statistics.median(float(getattr(cost, what)) for cost in self._through)

    def ratio(self, what: str) -> float:
        """Return the median ratio of the runner's cost to the bare one."""
        pairs = zip(self._bare, self._through, strict=True)
        ratios = [float(getattr(through, what) / getattr(bare, what)) for bare, through in pairs]
        return statistics.median(ratios)

    def figures(self, aim: float) -> Iterator[Figure]:
        """Yield the speed of both and their ratio, which should be at least *aim*."""
        bare = statistics.median(cost.wall for cost in self._bare)
        through = self.median("wall")
        yield Figure(f"{self.name}: bare ping-pong", 1e6 / bare, "decisions/s")
        yield Figure(f"{self.name}: through the runner", 1e6 / through, "decisions/s")
        yield Figure(f"{self.name}: matches, one core", 1e6 / through / self._decisions, "matches/s")
        yield at_least(f"{self.name}: runner / bare", 1 / self.ratio("wall"), "", aim)
        yield Figure(f"{self.name}: referee's CPU", self.median("own"), "us/decision")
