"""Worlds weighed by a policy: what the others did is likelier in some worlds than in others.

`Game.imagine` takes the others for players at random.  Their moves say more: where a policy explains them, a
world gets more weight.

    weighed = weigh(game, act.view, told, find_policy(game, "greedy-1"), act.rng)
"""

import json
from collections.abc import Callable, Mapping, Sequence
from math import exp, log
from random import Random
from typing import Any, NamedTuple, TypeAlias

from engines.position import Policy, Position
from engines.types import Json, Seat

Told: TypeAlias = Sequence[Mapping[str, Json]]
"""All that a seat was told, from the first event of the match on: the events of all its `act`, in order."""


class PastChoice(NamedTuple):
    """What a seat chose, and the position that it chose in."""

    position: Any
    seat: Seat
    option: int


class WeighedWorlds(NamedTuple):
    """Worlds, as Game.imagine returns them, and how likely each is."""

    worlds: list[Any]
    weights: list[float]
    """Of each world; they sum to 1."""

    @property
    def effective(self) -> float:
        """How many worlds of equal weight would say as much: 1 to all."""
        return 1 / sum([weight * weight for weight in self.weights])


def weigh(
    game: Any,
    view: Mapping[str, Json],
    told: Told,
    policy: Policy,
    rng: Random,
    worlds: int = 32,
    noise: float = 0.1,
    last: int | None = None,
) -> WeighedWorlds:
    """Imagine *worlds* that look like the *view* of a seat, and weigh them by what the others did.

    *told* is all that the seat was told since the match began.  With *last*, only that many of the latest
    decisions of others count.  *noise*, more than 0, is the chance that they play at random and not
    by *policy*: no weight is 0.  Raises NotImplementedError for a game without `unplay`, and ValueError for
    events that are not those of the match of the view.
    """
    if last is not None and last < 1:
        raise ValueError(f"expected last to be 1 decision or more, or None, got: {last}")
    if worlds < 1 or not 0 < noise <= 1:
        raise ValueError(f"expected 1 world or more and a noise above 0, at most 1, got: {worlds}, {noise}")
    imagined, logs = [], []
    for _ in range(worlds):
        world = game.imagine(view, rng)
        imagined.append(world)
        likely = 0.0
        try:
            decisions = game.unplay(world, told, view["seat"])
        except (ValueError, LookupError, TypeError) as error:  # each game finds it out in its own way
            raise ValueError(
                "the events do not belong to this view: expected all that its seat was told, "
                "from the first event of its match on"
            ) from error
        for position, seat, option in decisions[-last:] if last else decisions:
            chance = noise / len(position.options())
            likely += log(chance + (1 - noise) * (policy(position, seat, rng) == option))
        logs.append(likely)
    weights = [exp(likely - max(logs)) for likely in logs]
    whole = sum(weights)
    return WeighedWorlds(imagined, [weight / whole for weight in weights])


def play_again(
    position: Position, told: Told, own: Seat, option_in: Callable[[Any, Mapping[str, Json]], int]
) -> list[PastChoice]:
    """Play a match from its first *position* as *told* to seat *own*; return what the other seats decided.

    *option_in* returns what the seat that is next chose, by the first event of the step.  Raises ValueError
    where the match cannot have gone so.
    """
    decisions: list[PastChoice] = []
    at = 0
    while True:
        news = [json.loads(words) for words in position.write_events(own)]
        if news != [*told[at : at + len(news)]]:
            raise ValueError(f"these events cannot have happened in this world: {told[at : at + len(news)]}")
        at += len(news)
        if at == len(told):
            return decisions
        for seat in position.seats():
            option = option_in(position, told[at])
            if not position.allows(seat, option):
                raise ValueError(f"this cannot have happened in this world: {told[at]}")
            if seat != own:
                decisions.append(PastChoice(position.copy(), seat, option))
            position.play(option)


def no_way_back(game: str) -> NotImplementedError:
    """Return the error for a game whose matches are not played again."""
    return NotImplementedError(f"worlds of {game} cannot be weighed: it needs unplay(world, told, seat)")


def complete(order: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return *order*, then those of *names* that are not in it: each of *names* once."""
    left = [*names]
    for name in order:
        left.remove(name)
    return [*order, *left]
