"""The time in which one process must do one thing: begin, or answer outside of a match.

The law of delays is that of decisions.  Their clocks are in `clocks`, because a table has many of them, and
few are ever looked at before the answer.
"""

from ladder.process.patience import MOST_TIMES, ClockSpell, State, judge_clock
from ladder.referee.clocks import Standstill
from ladder.referee.player import Player
from ladder.referee.rules import MS


class ProcessDeadline:
    """A limit that runs for the process of one player."""

    def __init__(self, player: Player, limit_ns: int, standstill: Standstill) -> None:
        """Run from the start of the process, which had used nothing and waited for no core."""
        self._player = player
        self.limit_ns = limit_ns
        self._standstill = standstill
        self._cpu_us = self._waited_us = self._frozen_ns = self._uncounted = 0
        self._run(player.started_ns)

    def begin(self, now: int) -> None:
        """Run from *now*: what the process has done so far does not count."""
        process = self._player.process
        assert process
        use = process.use()
        self._cpu_us = use.cpu_us if use else 0
        self._waited_us, self._uncounted = process.waited_us(), process.uncounted
        self._frozen_ns = self._standstill.ns
        self._run(now)

    def _run(self, began_ns: int) -> None:
        self.began_ns = began_ns
        self.deadline_ns = began_ns + self.limit_ns
        """When to judge; set later while the machine delays the process."""

    def spell(self, now: int) -> ClockSpell:
        """Return what the process did since its time began."""
        player, process = self._player, self._player.process
        assert process
        player.waited_us = process.waited_us()
        use = process.use()
        return ClockSpell(
            (now - self.began_ns) // 1000,
            player.waited_us - self._waited_us,
            (self._standstill.ns - self._frozen_ns) // 1000,
            max(0, use.cpu_us - self._cpu_us) if use else 0,
            player.cores,
            process.uncounted > self._uncounted,
        )

    def judge(self, now: int) -> tuple[State, ClockSpell]:
        """Judge the process, whose deadline has passed; if its time runs on, the next deadline is set."""
        spell = self.spell(now)
        state = judge_clock(self.limit_ns // 1000, spell)
        if state == "runs":
            left_ns = max(MS, self.limit_ns - 1000 * spell.had_us)
            self.deadline_ns = min(now + left_ns, self.began_ns + MOST_TIMES * self.limit_ns)
        return state, spell
