"""LadderEnv: a game as a PettingZoo environment, in which every seat is an agent."""

from collections.abc import Mapping
from operator import index
from random import Random
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv

from engines import Game, Json
from ladder.learn.actions import RENDER_MODES, ActionTable, deal_in, seeded


class LadderEnv(AECEnv):  # type: ignore[misc]  # mypy does not read pettingzoo
    """A table of a game: agents `seat_0`, `seat_1`, ... are asked one after another.

    *settings* are `options`, `strict` and `render_mode` of ActionTable.  An observation has the numbers of
    the seat's view as `observation`, and `action_mask`; in games whose moves may be of several options also
    `marked`.  The result, -1 to 1 and 0 in sum, is the only reward.  An illegal action loses the match, and
    `infos` say why.  Raises as ActionTable does.
    """

    deal: Mapping[str, Json]
    """The deal of the last match: reset(options={"deal": env.deal}) plays it again."""

    def __init__(self, game: str | Game[Any], seats: int | None = None, **settings: Any) -> None:
        self.table = table = ActionTable(game, seats, **settings)
        self.render_mode = table.render_mode
        name = f"ladder_{table.game.name.replace('-', '_')}_v{table.game.version}"
        self.metadata = {"name": name, "is_parallelizable": False, "render_modes": [*RENDER_MODES]}
        self.agents: list[str] = []
        self.possible_agents = [f"seat_{seat}" for seat in range(table.seats)]
        spaces = {
            "observation": Box(0, np.array([column.most for column in table.columns], np.float32)),
            "action_mask": Box(0, 1, (len(table.words),), np.int8),
        }
        if table.several:
            spaces["marked"] = Box(0, 1, (len(table.places),), np.int8)
        self.observation_spaces = {agent: Dict(spaces) for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(len(table.words)) for agent in self.possible_agents}
        self._rng = Random()

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a match: that of `options["deal"]` or a random one; *seed* begins the row of deals anew.

        Other options are ignored, as PettingZoo wants it.  Raises ValueError for a deal that cannot be or has
        other rule options, and TypeError for a seed that is no whole number.
        """
        self._rng = self._rng if seed is None else seeded(seed)
        self.match = self.table.begin(self._rng, deal_in(options))
        self.deal = self.match.deal
        self.agents = [*self.possible_agents]
        self.rewards, self._cumulative_rewards = (dict.fromkeys(self.agents, 0.0) for _ in range(2))
        self.terminations, self.truncations = (dict.fromkeys(self.agents, False) for _ in range(2))
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None  # where PettingZoo goes on once those that are done are gone
        self._ask()

    def _ask(self) -> None:
        """Say whose turn it is and what is legal; end the match if it is over."""
        if self.match.position.over:
            self._end(self.match.rewards())
            return
        self.agent_selection = self.possible_agents[self.match.position.seat]
        self._mask = np.frombuffer(self.match.mask(), np.int8)
        self.infos[self.agent_selection] = {"action_mask": self._mask}

    def _end(self, rewards: list[float]) -> None:
        self.rewards = dict(zip(self.agents, rewards, strict=True))
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]

    def step(self, action: Any) -> None:
        """Play *action* for the agent that is selected; None for one whose match is over.

        Raises ValueError once all agents are gone, and TypeError for an action that is no whole number.
        """
        if not self.agents:
            raise ValueError("no match is in progress: call reset()")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
        elif reason := self.match.refuse(action):
            self.infos[agent] = {"illegal": reason}
            self._end(self.match.rewards(self.match.position.seat))
        else:
            self.infos[agent] = {}
            self.match.play(index(action))
            self._ask()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what *agent* sees; the mask is 0 unless it is asked."""
        table, asked = self.table, agent == self.agent_selection and not self.terminations[agent]
        row: Any = np.empty(table.size, np.float32)
        self.match.see(self.possible_agents.index(agent), row)
        seen = {"observation": row, "action_mask": self._mask if asked else np.zeros_like(self._mask)}
        if table.several:
            seen["observation"], marked = np.split(row, [len(table.columns)])
            seen["marked"] = marked.astype(np.int8)
        return seen

    def render(self) -> str | None:
        """Return what the seat sees that is asked, in the render mode."""
        return self.match.render(self.match.position.seat)

    def close(self) -> None:
        """Do nothing: no window is open.  PettingZoo wants the method beside render."""
