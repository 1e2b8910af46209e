"""What the events of the game say, as engines.news tells them."""

from __future__ import annotations

from typing import Final

__all__ = ["PHRASES"]

PHRASES: Final = {
    "start": "{first:seat} leads[; the first discard is {top}][; hand: {hand}]",
    "play": "{seat} plays {card}",
    "draw": "{seat} burns a light and draws {backs}[, which are {cards}]; lights left: {lights}",
    "refill": "{seat} fills its empty hand with {backs}[, which are {cards}]",
    "reshuffle": "The discards are the new pile: {cards}",
    "skip": "{seat} has no card to play",
    "win": "[{seat} wins the round][seat!No seat wins the round][; lights left: {lights}]",
    "take": "{seat} takes {card}; lights left: {lights}",
    "discard": "The table is cleared[; {top} is the top of the discards][; {marker:seat} has the Black Star]",
    "round": "Round {round} begins; {leader:seat} leads",
    "over": "The match is over: [{seat} is ]{why}; points: {scores:points}",
    "pile": "The pile has {pile} cards[; the next is {back}]",
}
