"""What the tests of all games must be told of one: its module `testing` has it as `KNOWN`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeAlias

from engines.game import Event, Game, Seat, Step
from engines.playout import Chooser, PlayoutStep

Match: TypeAlias = Sequence[PlayoutStep[Any]]
"""The steps of a match so far."""
Past: TypeAlias = tuple[Mapping[str, Any], Sequence[Mapping[Seat, Any]]]
"""A deal and moves."""
Matches: TypeAlias = Sequence[tuple[Mapping[str, Any], Sequence[Step[Any]]]]
"""Deals, each with the steps of a match on it."""


class Impossible(Exception):
    """No deal and no moves lead to a world."""


@dataclass(frozen=True)
class Known:
    """What only the author of a game can say.  Everything but `past` has a default that fits a small game."""

    past: Callable[[Mapping[str, Any], Match, Any, Seat | None], Past]
    """Makes, of a deal, the match so far, a world and the seat that imagined it, the deal and the moves by
    which the match went if that world is the truth.  Raises Impossible if there are none."""
    later: Callable[[Any, Any], Any] = lambda world, state: world
    """Returns a world with what no seat has seen anything of, such as reshuffles to come, from a state."""
    policy: Callable[[Random], Chooser[Any]] | None = None
    """How seats play where random moves end a match before what is rare happens."""
    golden_seed: int = 1
    """The seed of the golden records: one with which rare things happen."""
    shown_by_golden: Mapping[int, Sequence[str]] = field(default_factory=dict)
    """By table size, what must stand in the golden record: the rare things."""
    rare: Callable[[Callable[[int], Matches]], Iterator[tuple[int, Step[Any]]]] = lambda matches: iter(())
    """Yields table sizes and steps of what hardly ever happens, from states made by hand.  It is given what
    returns the matches that were played at a table size."""
    maps: frozenset[str] = frozenset()
    """Fields of views, events and deals that are objects with names for keys: any key may be missing."""
    free: frozenset[str] = frozenset()
    """Fields whose texts may be any."""
    optional: frozenset[str] = frozenset()
    """Fields of events that may be missing for those who may see them."""
    leaks: Mapping[str, Game[Any]] = field(default_factory=dict)
    """The game with a mistake in it that gives something away, to see that the tests notice."""
    forgetful: Mapping[str, Game[Any]] = field(default_factory=dict)
    """The game with an imagination that contradicts what its seat has seen, to see that the tests notice."""
    harmless: Mapping[str, Game[Any]] = field(default_factory=dict)
    """The game with more in its view or events that all know anyway: no leak."""


# -- for `past`


def take_from(pool: Counter[str], cards: Iterable[str]) -> list[str]:
    """Return *cards* after they were taken out of *pool*.  Raises Impossible if they are not in it."""
    taken = list(cards)
    pool.subtract(taken)
    if -pool:
        raise Impossible(f"one card too many: {sorted(-pool)}")
    return taken


def rest_of(deck: Iterable[str], cards: Iterable[str]) -> list[str]:
    """Return the cards of *deck* that are not among *cards*."""
    rest = Counter(deck)
    take_from(rest, cards)
    return sorted(rest.elements())


# -- for `later`


def with_orders(world: Any, state: Any) -> Any:
    """Return *world* with the `orders` of *state*, the reshuffles to come: no seat has seen them."""
    other = world.copy()
    other.orders = state.orders
    return other


# -- for `leaks` and `forgetful`


def showing(game: type[Game[Any]], fact: Callable[[Any], Any]) -> Game[Any]:
    """Return *game* with a view that shows to all what *fact* says of the state."""

    class Leak(game):  # type: ignore[misc, valid-type]  # a class that is a value
        def view(self, state: Any, seat: Seat | None) -> dict[str, Any]:
            return {**super().view(state, seat), "leak": fact(state)}

    return Leak()


def telling(game: type[Game[Any]], fact: Callable[[Mapping[Seat, Any], Any], Any]) -> Game[Any]:
    """Return *game* with an event more at every step: what *fact* says of the moves and the state after."""

    class Leak(game):  # type: ignore[misc, valid-type]  # a class that is a value
        def play(self, state: Any, moves: Mapping[Seat, Any]) -> Step[Any]:
            after, events = super().play(state, moves)
            return Step(after, (*events, Event("leak", {"fact": fact(moves, after)})))

    return Leak()


def forgetting(game: type[Game[Any]], key: str, nothing: Callable[[Any], Any]) -> Game[Any]:
    """Return *game* with an imagination that gets a view without what it says of the past under *key*."""

    class Forgetful(game):  # type: ignore[misc, valid-type]  # a class that is a value
        def imagine(self, view: Mapping[str, Any], rng: Random) -> Any:
            forgotten = {key: nothing(view[key])} if view.get(key) else {}
            return super().imagine({**view, **forgotten}, rng)

    return Forgetful()
