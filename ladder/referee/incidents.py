"""What comes from the players beside their answers, and what does not come in time."""

from ladder.referee.channels import Channels, Handlers
from ladder.referee.clocks import Clocks
from ladder.referee.decisions import Decisions
from ladder.referee.handshake import ending
from ladder.referee.match import SeatFault
from ladder.referee.matches import Matches
from ladder.referee.player import Player
from ladder.referee.verdicts import Verdicts


class Incidents:
    """Notices what players do on stderr, that they end, that they take up a request at last, or are late."""

    def __init__(
        self, channels: Channels, clocks: Clocks, matches: Matches, decisions: Decisions, verdicts: Verdicts
    ) -> None:
        self._channels = channels
        self._clocks = clocks
        self._matches = matches
        self._decisions = decisions
        self._verdicts = verdicts

    def handlers(self) -> Handlers:
        """Return what is to be called for the descriptors of a player."""
        return Handlers(self._on_stdout, self._on_stderr, self._on_exit, self._on_writable)

    def _on_stdout(self, player: Player, now: int) -> bool:
        """Have what has arrived read; return whether there was output and the process plays on."""
        if self._decisions.read(player, now):
            return True
        process = player.process
        assert process
        if not process.stdout_open and not player.lost:
            self._channels.forget(process.stdout_fd)
            if process.exit_fd is None and process.exit_status(patience=0.05) is not None:
                self._crash(player, now)
        return False

    def _on_stderr(self, player: Player, now: int) -> None:
        process = player.process
        assert process
        process.drain_stderr(self._clocks.where(player))
        if not process.stderr_open:
            self._channels.forget(process.stderr_fd)
        most = player.limits.stderr_bytes
        over = process.stderr.size - player.stderr_before > most
        if over and self._matches.in_progress:  # else it counts in the next match
            fault = SeatFault("limit", f"more than {most:,} bytes on stderr in a match")
            self._verdicts.judge(player, fault, now)

    def _on_writable(self, player: Player, now: int) -> None:
        """Continue to send; a decision's clock starts with the last byte of its request."""
        process = player.process
        assert process
        if process.send_rest():
            self._channels.forget(process.stdin_fd)
            self._clocks.start_again(player, now, alone=len(self._matches.in_progress) == 1)

    def _on_exit(self, player: Player, now: int) -> None:
        while not player.lost and self._on_stdout(player, now):
            pass  # what it wrote before it ended counts
        if not player.lost:
            self._crash(player, now)

    def _crash(self, player: Player, now: int) -> None:
        assert player.process
        if player.process.end != "crash":
            self._verdicts.end_all(player, player.process.end == "transport", now)
            return
        status = player.process.exit_status()
        self._verdicts.judge(player, SeatFault("crash", f"the process ended ({ending(status)})"), now)

    def expire(self, now: int) -> None:
        """Fault the players whose answers are overdue, unless the machine has delayed them."""
        for asked in self._clocks.overdue(now):
            player = asked.seat.player
            if not asked.match.is_over and not player.lost:
                assert player.process
                state, spell = self._clocks.judge(asked, now)
                if state == "runs":
                    continue
                late = state == "too late"
                reason = self._clocks.reason(asked, spell, late=late)
                fault = SeatFault("timeout", reason, player.process.unfinished_line)
                self._verdicts.judge(player, fault, now, asked, spell.delay if late else "")
