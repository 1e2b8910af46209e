"""Periods: what a match from one reshuffle to the next leaves behind, for views."""

from typing import NamedTuple, TypeAlias

Parts: TypeAlias = list[list[int]]
"""A history in parts, each a sorted multiset: a hand played part i of its cards after it had received part i
of its cards, and before it received the next part."""
FrozenParts: TypeAlias = tuple[tuple[int, ...], ...]


class Period(NamedTuple):
    """The public course of play from one reshuffle to the next, and the cards dealt to each seat."""

    cards: tuple[int, ...]
    """The cards of the draw pile; empty before the first reshuffle."""
    received: tuple[tuple[int, ...], ...]
    """The cards that each hand received; a seat knows only its own."""
    backs: tuple[FrozenParts, ...]
    """The backs of those cards, which are public, in parts."""
    played: tuple[FrozenParts, ...]
    """The cards that each hand played, in parts."""
    dummy: tuple[int, ...]
    """The cards that the Dummy drew and played."""


def end_period(
    cards: list[int], received: list[list[int]], backs: list[Parts], played: list[Parts], dummy: list[int]
) -> Period:
    """Return the period that has these fields: of tuples, so that it never changes."""
    return Period(
        tuple(cards),
        tuple([tuple(sorted(hand)) for hand in received]),
        tuple([_freeze(parts) for parts in backs]),
        tuple([_freeze(parts) for parts in played]),
        tuple(sorted(dummy)),
    )


def _freeze(parts: Parts) -> FrozenParts:
    return tuple([tuple(part) for part in parts])
