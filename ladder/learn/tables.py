"""Tables: many matches side by side, for a network that is asked for all of them at once."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engines import Game, Json
from engines.many import write_masks, write_rows
from ladder.learn.actions import ActionTable, seeded, whole


class Tables:
    """*count* matches of a game, played on together; a new one takes the place of each that is over.

    Raises as ActionTable does, ValueError for no matches, and TypeError for a *count* or a *seed* that is no
    whole number.
    """

    def __init__(
        self,
        game: str | Game[Any],
        seats: int | None = None,
        count: int = 256,
        options: Mapping[str, Json] | None = None,
        seed: int | None = None,
    ) -> None:
        self.table = table = ActionTable(game, seats, options, strict=True)
        if whole(count, "a count of matches") < 1:
            raise ValueError(f"expected 1 match or more, got: {count}")
        self._rng = seeded(seed)
        self.matches = [table.begin(self._rng) for _ in range(count)]
        self._rows: Any = np.empty((count, table.size), np.float32)
        self._masks: Any = np.empty((count, len(table.words)), np.int8)

    def observe(self) -> tuple[Any, Any, Any]:
        """Return what the seats see that are asked, their masks and the seats, a row for each match.

        The first two are written anew by the next call.  Rows are those of SeatEnv.
        """
        positions = [match.position for match in self.matches]
        if self.table.several:
            for at, match in enumerate(self.matches):
                match.see(match.position.seat, self._rows[at])
                self._masks[at] = np.frombuffer(match.mask(), np.int8)
        else:
            write_rows(positions, self._rows)
            write_masks(positions, self._masks)
        return self._rows, self._masks, np.array([position.seat for position in positions])

    def step(self, actions: Sequence[int]) -> tuple[Any, Any]:
        """Play an action at each table; return which matches are over, and the rewards of all their seats.

        Raises ValueError unless there is one action for each match that its mask allows, and TypeError for
        what is no whole number; then nothing is played.
        """
        chosen = [whole(action, "an action") for action in actions]
        if len(chosen) != len(self.matches):
            raise ValueError(f"expected {len(self.matches)} actions, one for each match, got {len(chosen)}")
        for match, action in zip(self.matches, chosen, strict=True):
            match.refuse(action)  # which raises: the table is strict
        ended, rewards = [], []
        for at, (match, action) in enumerate(zip(self.matches, chosen, strict=True)):
            match.play(action)
            if match.position.over:
                ended.append(at)
                rewards.append(match.rewards())
                self.matches[at] = self.table.begin(self._rng)
        return np.array(ended, int), np.array(rewards, np.float32).reshape(-1, self.table.seats)
