"""The winner of a round (SQ7, SQ10 to SQ14)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engines.stella_quest.cards import BACK_OF, BREAK_CARD, CODES, NO_CARD, codes_of

__all__ = ["NO_WINNER", "winner", "winning_place"]

NO_WINNER: Final = -1
"""The place of the winning card if all cards are Break Cards."""


def winner(top: str, cards: Sequence[str]) -> int | None:
    """Return the index of the card that wins a round when *top* lies on the discards.

    The last Super Trump wins, else the highest trump, else the highest card of the leading colour; None if
    all *cards* are Break Cards.
    """
    place = winning_place(CODES[top], codes_of(cards))
    return None if place == NO_WINNER else place


def winning_place(top: int, cards: list[int]) -> int:
    """Return what winner() does, from codes; NO_WINNER if all *cards* are Break Cards."""
    best, best_card, super_trump, trump = NO_WINNER, NO_CARD, False, BACK_OF[top]
    for at, card in enumerate(cards):
        if card == BREAK_CARD:
            continue
        if card == top or cards.index(card) < at:
            best, super_trump = at, True
        elif not super_trump and _beats(card, best_card, trump):
            best, best_card = at, card
    return best


def _beats(card: int, best: int, trump: int) -> bool:
    """Return whether *card* beats *best*, the best card before it; the first card leads the colour."""
    if best == NO_CARD or BACK_OF[card] == BACK_OF[best]:
        return card > best
    return BACK_OF[card] == trump
