"""The winner of a round (SQ7, SQ10 to SQ14)."""

from collections.abc import Sequence
from typing import Final

from engines.stella_quest.cards import BACK_OF, BREAK_CARD, CODES, NO_BACK, NO_CARD

NO_WINNER: Final = -1
"""The place of the winning card if all cards are Break Cards."""


def winner(top: str, cards: Sequence[str]) -> int | None:
    """Return the index of the card that wins a round when *top* lies on the discards.

    The last Super Trump wins, else the highest trump, else the highest card of the leading colour; None if
    all *cards* are Break Cards.
    """
    place = winning_place(CODES[top], [CODES[card] for card in cards])
    return None if place == NO_WINNER else place


def winning_place(top: int, cards: list[int]) -> int:
    """Return what winner() does, from codes; NO_WINNER if all *cards* are Break Cards."""
    trump, best, super_trump = BACK_OF[top], NO_WINNER, False
    best_card, best_back = NO_CARD, NO_BACK  # the first card leads the colour
    for at, card in enumerate(cards):
        if card == BREAK_CARD:
            continue
        if card == top or cards.index(card) < at:
            best, super_trump = at, True
        elif not super_trump:
            back = BACK_OF[card]
            if best == NO_WINNER or (card > best_card if back == best_back else back == trump):
                best, best_card, best_back = at, card, back
    return best
