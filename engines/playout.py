"""Play any game: whole matches, playouts from a state, replays, and decisions by a policy."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from random import Random
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from engines.game import Choice, Event, Game, Json, Move, Seat, Step
from engines.position import Policy, chosen_by

S = TypeVar("S")
Chooser: TypeAlias = Callable[[S, Seat, Choice], Move]
"""Returns the move of a seat in a state, given its choice."""


class PlayoutStep(NamedTuple, Generic[S]):
    """One step of a match: the moves of all seats that were asked, and the result."""

    moves: dict[Seat, Move]
    state: S
    events: tuple[Event, ...]


def playout(
    game: Game[S], deal: Mapping[str, Json], seats: int, policy: Random | Chooser[S]
) -> Iterator[PlayoutStep[S]]:
    """Play a match to its end: yield the start, with no moves, then every step.  A Random plays at random."""
    state, events = game.start(deal, seats)
    yield PlayoutStep({}, state, events)
    yield from onwards(game, state, policy)


def onwards(game: Game[S], state: S, policy: Random | Chooser[S]) -> Iterator[PlayoutStep[S]]:
    """Play from *state* to the end of the match, like playout."""
    while choices := game.choices(state):
        if isinstance(policy, Random):
            moves = {seat: choice.sample(policy) for seat, choice in choices.items()}
        else:
            moves = {seat: policy(state, seat, choice) for seat, choice in choices.items()}
        state, events = game.play(state, moves)
        yield PlayoutStep(moves, state, events)


def replay(
    game: Game[S], deal: Mapping[str, Json], seats: int, moves: Iterable[Mapping[Any, Json] | Move]
) -> Iterator[Step[S]]:
    """Play a match again: yield the start, then the step that follows from each of *moves*.

    Each of *moves* maps seats to moves; seats may be strings, as they are after a trip through JSON.  Where
    only one seat is asked, the bare move is enough.  Raises the errors of start and play.
    """
    step = game.start(deal, seats)
    yield step
    for made in moves:
        if isinstance(made, Mapping):
            together = {int(seat): move for seat, move in made.items()}
        else:
            together = dict.fromkeys(game.choices(step.state), made)
        step = game.play(step.state, together)
        yield step


def find_policy(game: Game[Any], name: str) -> Policy:
    """Return the policy of *game* with this *name*.  Raises LookupError, naming those that there are."""
    policies = game.policies()
    if name not in policies:
        there = f"it has {', '.join(policies)}" if policies else "it has none"
        raise LookupError(f"{game.name} has no policy {name!r}: {there}")
    return policies[name]


def decide(game: Game[Any], policy: Policy, view: Mapping[str, Json], rng: Random) -> Move:
    """Return the move that *policy* makes with *view*, that of a seat that must decide.

    A policy reads only what the seat sees, so any world that looks like the view will do: one is imagined.
    Raises ValueError for the view of a seat that is not asked, and if the policy chooses what is not offered.
    """
    world, seat = game.position(game.imagine(view, rng)), view.get("seat")
    if seat not in world.seats():
        raise ValueError(f"seat {seat} is not asked to decide")
    while world.seat != seat:  # it chooses at the same time, and nothing is shown before all have
        world.play(world.options()[0])
    return world.move_of(chosen_by(policy, world, rng))


def can_replay(game: Game[Any], version: int) -> bool:
    """Return whether *game* can replay the records of its *version*."""
    return version == game.version or version in game.replays


def canonical(value: Json) -> str:
    """Return *value* as canonical JSON: keys sorted, no spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def deal_digest(deal: Mapping[str, Json]) -> str:
    """Return the SHA-256 of a deal's canonical JSON, as 64 hex digits."""
    import hashlib  # as slow to load as a game, and bots do not need it

    return hashlib.sha256(canonical(deal).encode()).hexdigest()
