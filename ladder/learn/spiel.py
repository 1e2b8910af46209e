"""The games as games of OpenSpiel, from `import ladder.learn.spiel` on: load_game("ladder_stella_quest").

Parameters are `players`, the rule options and `rng_seed` (-1: none).  A deal is one outcome of chance, drawn
when it is applied.  Actions, rewards and the information tensor are those of SeatEnv.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

import numpy as np
import pyspiel

from engines import GAMES
from engines.position import read_view
from ladder.learn.actions import ActionMatch, ActionTable

LONGEST: Final = 10_000
"""No match has more actions: OpenSpiel wants a bound."""
CHANCE, TERMINAL = pyspiel.PlayerId.CHANCE, pyspiel.PlayerId.TERMINAL


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # mypy does not read pyspiel
    """A table of a game; each game has a class of its own."""

    name: str
    kind: Any

    def __init__(self, params: Mapping[str, Any]) -> None:
        options = {**params}
        players, seed = options.pop("players", None), options.pop("rng_seed", -1)
        self.table, self.rng = ActionTable(self.name, players, options), Random(None if seed < 0 else seed)
        info = pyspiel.GameInfo(len(self.table.words), 1, self.table.seats, -1, 1, 0, LONGEST)
        super().__init__(self.kind, info, dict(params))

    def new_initial_state(self) -> "SpielState":
        return SpielState(self)

    def make_py_observer(self, *_: object) -> "SpielObserver":
        return SpielObserver(self.table)


class SpielState(pyspiel.State):  # type: ignore[misc]  # likewise
    """A match; before the deal it has none.  OpenSpiel copies its attributes to clone it."""

    match: Any = None

    def current_player(self) -> int:
        if not self.match:
            return CHANCE  # type: ignore[no-any-return]
        return TERMINAL if self.is_terminal() else self.match.position.seat  # type: ignore[no-any-return]

    def is_terminal(self) -> bool:
        return bool(self.match and self.match.position.over)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(0, 1.0)]

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.match.legal()) if player == self.current_player() else []

    def _apply_action(self, action: int) -> None:
        if self.match:
            self.match.play(action)
        else:
            self.match = self.get_game().table.begin(self.get_game().rng)

    def _action_to_string(self, player: int, action: int) -> str:
        return "deal" if player == CHANCE else self.match.table.words[action]

    def returns(self) -> Any:
        return self.match.rewards() if self.is_terminal() else [0.0] * self.num_players()

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "SpielState":
        """Return a random world that looks the same to *player*, who is asked."""
        match, rng, other = self.match, Random(sampler()), SpielState(self.get_game())
        game = match.table.game
        world = game.position(game.imagine(read_view(match.position, player), rng))
        while world.seat != player:  # others choose at the same time
            options = world.options()
            world.play(options[int(rng.random() * len(options))])
        other.match = ActionMatch(match.table, world, match.deal, match.marked)
        return other

    def look(self, player: int | None) -> str:
        """Return what *player* knows, as a text that differs where it knows more; None is a spectator."""
        if not self.match:
            return "before the deal"
        marked = self.match.marked if player == self.match.position.seat else []
        return f"{self.match.position.write_view(player).decode()} {marked}"

    def __str__(self) -> str:
        return self.look(None)


class SpielObserver:
    """Writes what a player knows, as a tensor and as a text."""

    def __init__(self, table: ActionTable) -> None:
        self.tensor: Any = np.zeros(table.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        self.tensor[:] = 0
        if state.match:
            state.match.see(player, self.tensor)

    def string_from(self, state: SpielState, player: int) -> str:
        return state.look(player)


def _register(name: str) -> None:
    table, kinds = ActionTable(name), pyspiel.GameType
    kind = kinds(
        f"ladder_{name.replace('-', '_')}",
        table.game.summary.partition("\n")[0],
        *(kinds.Dynamics.SEQUENTIAL, kinds.ChanceMode.SAMPLED_STOCHASTIC),
        *(kinds.Information.IMPERFECT_INFORMATION, kinds.Utility.ZERO_SUM, kinds.RewardModel.TERMINAL),
        *(table.game.seats[-1], table.game.seats[0]),
        *(True, True, False, False),  # text and tensor of all that a player knows, and no lesser observation
        {key: value for key, value in table.options.items() if isinstance(value, (bool, int, str))}
        | {"players": table.seats, "rng_seed": -1},
    )
    # OpenSpiel lets go of it after Python has ended, which only a class survives
    pyspiel.register_game(kind, type("SpielGame", (SpielGame,), {"name": name, "kind": kind}))


for _name in GAMES:
    _register(_name)
