"""Multisets of cards, as sorted tuples of names, so that equal multisets are equal values."""

from __future__ import annotations

from bisect import bisect

__all__ = ["with_card", "without_card"]


def with_card(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """Return *cards* with *card* added."""
    at = bisect(cards, card)
    return (*cards[:at], card, *cards[at:])


def without_card(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """Return *cards* without one copy of *card*, or unchanged if it has no copy."""
    if card not in cards:
        return cards
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]
