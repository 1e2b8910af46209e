"""The progress of a bot's check, for a display in another thread."""

from ladder.referee.player import Player
from ladder.referee.table_events import BotStarted, Event
from results.words import count


class CheckProgress:
    """The current activity, and what its processes have done so far."""

    def __init__(self) -> None:
        self._activity = ""
        self._matches = 0
        self._seats = 1
        self._before = (0, 0)
        self._players: list[Player] = []
        self._playing = 1
        self.waits = False
        """Whether its bots wait for something else than a core."""

    def hear_tables(self, playing: int, waits: bool) -> None:
        """Note how many tables are *playing*, and whether their bots wait."""
        self._playing, self.waits = playing, waits

    def begin(self, activity: str) -> None:
        """Set the current activity."""
        self._activity, self._matches = activity, 0

    def play(self, activity: str, matches: int, seats: int) -> None:
        """Set the current activity to *matches* at a table of *seats*."""
        self._seats, self._before = seats, self._count()
        self._activity, self._matches = activity, matches

    def hear(self, event: Event) -> None:
        """Note who plays."""
        if isinstance(event, BotStarted):
            self._players.append(event.player)

    @property
    def part(self) -> None:
        """The part that is over: a check does not know."""
        return

    def __str__(self) -> str:
        """Return the progress in words."""
        if not self._matches:
            return self._activity
        begun, decisions = (now - before for now, before in zip(self._count(), self._before, strict=True))
        match = min(max(1, begun // self._seats), self._matches)
        beside = f", and {self._playing - 1} beside it" if self._playing > 1 else ""
        told = count(decisions, "decision")
        return f"{self._activity}, match {match} of {self._matches}{beside}, {told}"

    def _count(self) -> tuple[int, int]:
        """Return the matches that the players have begun, summed over players, and their decisions."""
        players = list(self._players)
        lines = [(player.process.lines, player.ready) for player in players if player.process]
        return sum(player.matches for player in players), sum(count - bool(ready) for count, ready in lines)
