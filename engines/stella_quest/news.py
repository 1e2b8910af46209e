"""What the events of the game say, as engines.news tells them, with the fields that reasons.py adds."""

from typing import Final

PHRASES: Final = {
    "start": "{first:seat} leads[; the first discard is {top}][; hand: {hand}]",
    "play": "{seat} plays {card}[, having no {lacking} card]",
    "draw": "{seat} burns a light to draw {backs}[, which are {cards}]; lights left: {lights}",
    "refill": "{seat} fills its empty hand with {backs}[, which are {cards}]",
    "reshuffle": "The discards are the new pile: {cards}",
    "skip": "{seat} has no card to play",
    "win": "[{seat} wins the round][seat!No seat wins the round][broken?; all cards are Break Cards]"
    "[ with {with}, {by}][; the Black Star from an earlier win costs {price}][; lights left: {lights}]",
    "take": "{seat} takes {card}[; another {another} costs {price}]; lights left: {lights}",
    "discard": "The table is cleared[; {top} is the top of the discards][; {marker:seat} has the Black Star]",
    "round": "Round {round} begins; {leader:seat} leads",
    "over": "The match is over: [{seat} is ]{why}; points: {scores:points}",
    "pile": "The pile has {pile} cards[; the next is {back}]",
}
