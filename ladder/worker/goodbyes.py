"""Let processes exit after `bye`, beside the next match; kill those that stay.  Only the end waits."""

import time
from collections import Counter, deque

from ladder.process.bot import BYE_SECONDS, BotProcess
from ladder.process.patience import Patience
from ladder.process.spawn import SpawnerEnded
from protocol.encode import BYE

MOST = 16
"""The most processes of a worker that may be leaving at once; beyond it the oldest are killed."""
CPU_US = 200_000
"""The most CPU time for leaving, child processes included, because a match goes on beside it."""
LOOK_SECONDS = 0.05
"""How often to look at a leaving process."""
NAP_SECONDS = 0.002
"""How often the end of a worker checks which processes are left."""


class Goodbyes:
    """The processes of one worker that are leaving."""

    def __init__(self) -> None:
        self.overstayed: Counter[str] = Counter()
        """The number of processes killed after `bye`, by the id of the bot's version."""
        self._leavers: deque[_Leaver] = deque()

    def __len__(self) -> int:
        return len(self._leavers)

    def pids(self) -> list[int]:
        """Return the process ids of all leaving processes."""
        return [leaver.process.pid for leaver in self._leavers]

    def add(self, bot: str, process: BotProcess) -> None:
        """Say bye to *process*, of the bot's version with the id *bot*."""
        process.say_bye(BYE)
        self._leavers.append(_Leaver(bot, process))

    def look(self) -> None:
        """Forget processes that have exited; kill those that stay too long, compute, or are too many."""
        self._settle()
        while len(self._leavers) > MOST:
            self._end(self._leavers.popleft())

    def wait(self) -> None:
        """Wait until all have exited; kill those that stay too long."""
        self._settle()
        while self._leavers:
            time.sleep(NAP_SECONDS)
            self._settle()

    def kill(self) -> None:
        """Kill all leaving processes at once."""
        while self._leavers:
            self._leavers.pop().process.kill()

    def _settle(self) -> None:
        left: deque[_Leaver] = deque()
        for leaver in self._leavers:
            if leaver.is_gone() or leaver.is_over():
                self._end(leaver)
            else:
                left.append(leaver)
        self._leavers = left

    def _end(self, leaver: "_Leaver") -> None:
        if not leaver.is_gone() and leaver.has_overstayed:
            self.overstayed[leaver.bot] += 1
        leaver.process.kill()  # also the rest of its group, if it has exited


class _Leaver:
    """A process that was told bye."""

    def __init__(self, bot: str, process: BotProcess) -> None:
        self.bot = bot
        self.process = process
        self._look_at = time.monotonic()
        self._patience = Patience(BYE_SECONDS, process.pids)
        self._cpu_us: int | None = None
        """The CPU time at the first check."""
        self.has_overstayed = False

    def is_gone(self) -> bool:
        try:
            return self.process.exit_fd is None or self.process.exit_status() is not None
        except SpawnerEnded:  # bots end with their spawner
            return True

    def is_over(self) -> bool:
        """Return whether it is to be killed: it had its time, or the machine has taken too much of it."""
        now = time.monotonic()
        if now < self._look_at:
            return False
        self._look_at = now + LOOK_SECONDS
        self.process.drain_stderr()  # its last words may be more than a pipe holds
        state = self._patience.look()
        self.has_overstayed = state == "over" or self._computes()
        return self.has_overstayed or state == "too late"

    def _computes(self) -> bool:
        if (use := self.process.use()) is None:
            return False
        if self._cpu_us is None:
            self._cpu_us = use.cpu_us
        return use.cpu_us - self._cpu_us > CPU_US
