"""How far the check of a bot has come, for a display that looks from another thread."""

from __future__ import annotations

from collections.abc import Sequence

from ladder.referee.player import Player

__all__ = ["Progress"]


class Progress:
    """What is being done, and what the processes that play have done so far."""

    def __init__(self) -> None:
        self._doing = ""
        self._matches = 0
        self._seats = 1
        self._before = (0, 0)
        self._players: Sequence[Player] = ()

    def begin(self, doing: str) -> None:
        """Say what is being done from now on."""
        self._doing, self._matches = doing, 0

    def play(self, doing: str, matches: int, seats: int, players: Sequence[Player]) -> None:
        """Say what is being played: *matches* at a table, by *players*; more may be added to them."""
        self._players, self._seats = players, seats
        self._before = self._counted()
        self._doing, self._matches = doing, matches

    def __str__(self) -> str:
        """Return it in words."""
        if not self._matches:
            return self._doing
        begun, decisions = (now - before for now, before in zip(self._counted(), self._before, strict=True))
        match = min(max(1, begun // self._seats), self._matches)
        return f"{self._doing}, match {match} of {self._matches}, {decisions:,} decisions"

    def _counted(self) -> tuple[int, int]:
        """Return how many matches the players have begun, each for itself, and what they have decided."""
        players = list(self._players)
        lines = [(player.process.lines, player.ready) for player in players if player.process]
        return sum(player.matches for player in players), sum(count - bool(ready) for count, ready in lines)
