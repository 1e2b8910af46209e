"""What bots read and write, declared: schema.json is made of it (python -m engines.schemas)."""

from typing import Final

from engines.schemas import (
    by_seat,
    document,
    either,
    event,
    exactly,
    integer,
    list_of,
    name_of,
    part_of,
    row_of,
    seat,
)

from . import Toy
from .cards import CARDS, HAND
from .luck import OPTIONS, SEATS
from .state import BIDS, TAKES

ROUNDS = max(OPTIONS["rounds"])
CARD = name_of(CARDS[SEATS[-1]])
KEPT = list_of(CARD, 1, 2) | {"uniqueItems": True}
SHOWN = either(
    name_of([*BIDS, *TAKES]), integer(1, 2), about="The bid, what was taken, or how many cards are kept."
)

SCHEMA: Final = document(
    Toy,
    view={
        "moves": list_of(row_of(seat(), SHOWN), 0, 3 * ROUNDS * SEATS[-1], "All moves so far, with seats."),
        "points": by_seat(integer(0, 6 * ROUNDS), "By seat, the points of bids and takes."),
    },
    own={
        "hand": exactly(HAND, CARD, "Your cards."),
        "kept": list_of(KEPT, 0, ROUNDS, "The cards that you kept, by round."),
    },
    events={
        "start": event(
            "The match begins.",
            options=part_of("options"),
            private={"hand": exactly(HAND, CARD, "Private: your cards.")},
        ),
        "move": event("A seat has moved.", seat=seat(), move=SHOWN, private={"kept": KEPT}),
    },
    moves={"bid": name_of(BIDS), "take": name_of(TAKES), "keep": KEPT},
    deal={
        "cards": list_of(
            CARD, HAND * SEATS[0], HAND * SEATS[-1], "All cards, dealt one by one from seat 0 on."
        )
    },
)
