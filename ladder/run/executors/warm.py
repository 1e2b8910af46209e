"""Guess which bot processes a worker keeps, so that it gets blocks whose processes it need not start."""

from collections import OrderedDict

from ladder.contest.blocks import PlannedBlock


class WarmBots:
    """The processes of one worker, as far as its parent can tell: those of the tables that it got last."""

    def __init__(self, capacity: int) -> None:
        """Guess that the worker keeps *capacity* processes, and has none yet."""
        self._capacity = capacity
        self._warm: OrderedDict[tuple[int, int], None] = OrderedDict()
        """Bots with their lanes; those that played last stand last."""

    def missing(self, block: PlannedBlock) -> int:
        """Return how many processes the worker would have to start for *block*."""
        return sum(process not in self._warm for process in _processes(block))

    def add(self, block: PlannedBlock) -> None:
        """Note that the worker plays *block*."""
        for process in _processes(block):
            self._warm[process] = None
            self._warm.move_to_end(process)
        while len(self._warm) > self._capacity:
            self._warm.popitem(last=False)


def _processes(block: PlannedBlock) -> list[tuple[int, int]]:
    """Return the processes that play *block*: each bot has one in each lane."""
    return [(bot, lane) for bot in block.bots for lane in range(len(block.bots))]
