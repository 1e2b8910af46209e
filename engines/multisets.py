"""Multisets of cards: sorted tuples of names, so that states that are alike are equal."""

from __future__ import annotations

from bisect import bisect

__all__ = ["with_card", "without_card"]


def with_card(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """Return *cards* with one more."""
    at = bisect(cards, card)
    return (*cards[:at], card, *cards[at:])


def without_card(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """Return *cards* with one copy of *card* less, or *cards* where there is none."""
    if card not in cards:
        return cards
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]
