"""SeatEnv: one seat of a game as a Gymnasium environment.  Policies or functions play the others.

This module registers an environment for each game: gymnasium.make("ladder.learn.seat_env:ladder/stellar").
"""

from collections.abc import Iterable, Mapping, Sequence
from operator import index
from random import Random
from typing import Any, ClassVar

import gymnasium
import numpy as np

from engines import GAMES, Game, Json, find_policy
from engines.position import Policy, chosen_by
from ladder.learn.actions import RENDER_MODES, ActionTable, deal_in, seeded, whole

TRIES = 100
"""At most this many matches in a row are left out."""


class SeatEnv(gymnasium.Env):  # type: ignore[misc]  # mypy does not read gymnasium
    """One seat of a table against *others*: a policy's name, a function as policies are, or one for each.

    A list names the others clockwise from the own seat.  With *seat* None each deal is played from every
    seat in turn.  *settings* are `options`, `strict` and `render_mode` of ActionTable.  An observation is the
    numbers of the own view; in games whose moves may be of several options, flags of those marked follow
    them.  The mask is in `info["action_mask"]` and action_masks().  The result, -1 to 1, is the only reward.
    An illegal action loses, and `info["illegal"]` says why.  Raises as ActionTable does, ValueError for a
    seat or others that cannot be, and LookupError for a policy that the game does not have.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": [*RENDER_MODES]}
    deal: Mapping[str, Json]
    """The deal of the last match: reset(options={"deal": env.deal}) plays it again."""
    seat: int
    """The own seat of the last match."""

    def __init__(
        self,
        game: str | Game[Any],
        seats: int | None = None,
        others: str | Policy | Sequence[str | Policy] = "greedy-1",
        seat: int | None = None,
        **settings: Any,
    ) -> None:
        self.table = ActionTable(game, seats, **settings)
        self.render_mode, self._rng = self.table.render_mode, Random()
        table, count = self.table, self.table.seats
        if seat is not None and seat not in range(count):
            raise ValueError(f"expected a seat from 0 to {count - 1}, got: {seat!r}")
        several = isinstance(others, Iterable) and not isinstance(others, str) and not callable(others)
        given: list[Any] = [*others] if several else [others] * (count - 1)  # type: ignore[misc]  # by `several`
        if len(given) != count - 1:
            raise ValueError(f"expected one policy for each of {count - 1} others, got: {len(given)}")
        if wrong := [each for each in given if not (isinstance(each, str) or callable(each))]:
            raise ValueError(f"expected others as names of policies or as functions, got: {wrong[0]!r}")
        self._others = [find_policy(table.game, each) if isinstance(each, str) else each for each in given]
        self._seats = range(count) if seat is None else [whole(seat, "a seat")]
        self._begun = 0  # since the seed
        self.is_over = True  # or not begun
        most = [column.most for column in table.columns] + [1] * (table.size - len(table.columns))
        self.observation_space = gymnasium.spaces.Box(0, np.array(most, np.float32))
        self.action_space = gymnasium.spaces.Discrete(len(table.words))

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin a match: that of `options["deal"]`, or of the next deal from the next seat.

        With *seed* the row of deals begins anew; it does not depend on how matches are played.  Matches that
        end before the own seat is asked are left out.  Raises ValueError for a deal that cannot be or has
        other rule options and for another option, and TypeError for a seed that is no whole number.
        """
        given = deal_in(options)
        if others := {**(options or {})}.keys() - {"deal"}:
            raise ValueError(f"expected no option but 'deal', got: {', '.join(map(repr, others))}")
        if seed is not None:
            self._rng, self._begun = seeded(seed), 0
        super().reset(seed=seed)
        for _ in range(TRIES):
            turn = self._begun % len(self._seats)
            deal = self.deal if given is None and turn else given
            self.match, self.seat = self.table.begin(self._rng, deal), self._seats[turn]
            self.deal, self._begun = self.match.deal, self._begun + 1
            self._luck = Random(int(self._rng.random() * 2**53))
            self._play_others()
            if not self.is_over:
                return self._look()
        raise ValueError(f"expected a match in which seat {self.seat} is asked: {TRIES} ended before that")

    def _play_others(self) -> None:
        """Let the others play until the own seat is asked or the match is over."""
        position = self.match.position
        while not position.over and position.seat != self.seat:
            other = self._others[(position.seat - self.seat) % self.table.seats - 1]
            position.play(chosen_by(other, position, self._luck))
        self.is_over, self._mask = position.over, self.match.mask()

    def _look(self) -> tuple[Any, dict[str, Any]]:
        row: Any = np.empty(self.table.size, np.float32)
        self.match.see(self.seat, row)
        return row, {"action_mask": np.array(self._mask, np.int8)}

    def action_masks(self) -> Any:
        """Return which actions are legal, as truth values: learners that mask ask for it."""
        return np.array(self._mask, bool)

    def render(self) -> str | None:
        """Return what the own seat sees, in the render mode."""
        return self.match.render(self.seat)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play *action*, then let the others play.

        Raises ValueError once the match is over, and TypeError for an action that is no whole number.
        """
        if self.is_over:
            raise ValueError("no match is in progress: call reset()")
        reason = self.match.refuse(action)
        if reason:
            self.is_over, self._mask = True, bytearray(len(self._mask))
        else:
            self.match.play(index(action))
            self._play_others()
        seen, info = self._look()
        if not self.is_over:
            return seen, 0.0, False, False, info
        reward = self.match.rewards(self.seat if reason else None)[self.seat]
        return seen, reward, True, False, {**info, "illegal": reason} if reason else info


for _name in GAMES:
    gymnasium.register(f"ladder/{_name}", "ladder.learn.seat_env:SeatEnv", kwargs={"game": _name})
