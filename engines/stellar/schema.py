"""What bots read and write, declared: schema.json is made of it (python -m engines.schemas)."""

from typing import Final

from engines.schemas import (
    ABSENT,
    PRESENT,
    by_seat,
    document,
    either,
    event,
    exactly,
    flag,
    integer,
    list_of,
    map_of,
    name_of,
    nullable,
    optional,
    orders_of,
    part_of,
    record,
    seat,
    text_of,
    when,
)
from engines.stellar import Stellar
from engines.stellar.cards import DECK, SLOTS, STARTERS
from engines.stellar.turns import TURNS

A_CARD: Final = r"(?:[PMACB](?:1\.3|2\.[23]|3\.[12]|4\.1|5\.[01]|6\.0)|S[1-5])"
A_PLACE: Final = "(?:T[2-5]|M[1-3]|B[1-4])(?: down)?"

CARD, STARTER, SCORES, FULL_ROW, HAND = map(part_of, ("card", "starter", "scores", "full_row", "hand"))
ROW_SLOT: Final = part_of("row_slot")
FIRST: Final = seat("The seat of turn 0.")
THROWN: Final = by_seat(CARD, "At over: by seat, the card that was left.")
RESHUFFLED: Final = optional(part_of("reshuffled"))

SCHEMA: Final = document(
    Stellar,
    texts={"face_down_number": "Which number a card that is played face down calls for."},
    view={
        "first": FIRST,
        "turn": integer(0, TURNS, "22 after the last turn."),
        "step": part_of("step"),
        "satellite": flag("A satellite was taken from the row: the other seat will be asked wipe."),
        "row": exactly(5, nullable(CARD), "By slot. All null at starter, some at play and place."),
        "pile": integer(0, 56, "The number of cards in the draw pile."),
        "discards": list_of(CARD, 0, 27, "The discard pile, sorted."),
        "reshuffles": integer(0, 5, "How often the discards have become the draw pile."),
        "telescopes": by_seat(part_of("telescope"), "By seat."),
        "notebooks": by_seat(part_of("notebook"), "By seat."),
        "hands": by_seat(integer(0, 3), "By seat, the number of cards."),
        "known": by_seat(HAND, "By seat, the cards of its hand that all have seen."),
    },
    own={"hand": HAND},
    last={
        "waiting": optional(part_of("card", "At place: the card to be placed.")),
        "pile_cards": optional(list_of(CARD, 0, 25, "Since a reshuffle: the draw pile, sorted.")),
        "thrown": optional(THROWN),
        "scores": optional(SCORES),
    },
    rules=[
        when({"step": "place"}, {"waiting": PRESENT}, {"waiting": ABSENT}),
        when({"step": "over"}, {"thrown": PRESENT, "scores": PRESENT}, {"thrown": ABSENT, "scores": ABSENT}),
        when({"reshuffles": 0}, {"pile_cards": ABSENT}, {"pile_cards": PRESENT}),
        when({"step": "starter"}, {"row": [None] * 5}),
        when({"step": ("wipe", "take", "final", "over")}, {"row": FULL_ROW}),
    ],
    events={
        "start": event(
            "The match begins.",
            options=part_of("options"),
            first=FIRST,
            private={"hand": exactly(2, STARTER, "Private: your two starters.", unique=True)},
        ),
        "starters": event(
            "Both seats have chosen.",
            moves=by_seat(part_of("starter_move")),
            notebooks=by_seat(exactly(1, STARTER)),
        ),
        "deal": event(
            "Hands and row are dealt.",
            row=FULL_ROW,
            private={"hand": exactly(2, CARD, "Private: your two cards, sorted.")},
        ),
        "keep": event("The row stays.", seat=seat()),
        "wipe": event("The row is replaced by a new one.", seat=seat(), row=FULL_ROW, reshuffled=RESHUFFLED),
        "take": event("A card of the row comes to a hand.", seat=seat(), slot=ROW_SLOT, card=CARD),
        "play": event(
            "A card of the hand is played.",
            seat=seat(),
            move=part_of("play_move"),
            card=part_of("card", "The matching card."),
            slot=nullable(ROW_SLOT, "Where it was in the row; null if it comes from the draw pile."),
            reshuffled=RESHUFFLED,
        ),
        "place": event(
            "The matching card is placed, and the row refilled.",
            seat=seat(),
            move=either(part_of("place_move"), part_of("notebook_move")),
            row=FULL_ROW,
            reshuffled=RESHUFFLED,
        ),
        "final": event(
            "Both seats have chosen their last card; the match is over.",
            moves=by_seat(part_of("final_move")),
            thrown=THROWN,
            scores=SCORES,
        ),
    },
    moves={
        "starter": text_of(r"[PMACB]3\.2@T1", "At starter."),
        "wipe": name_of(["keep", "wipe"], "At wipe."),
        "take": text_of("take [1-5]", "At take: a slot of the row."),
        "play": text_of(f"{A_CARD}@(?:{A_PLACE}|notebook)", "At play: a card of the hand."),
        "place": text_of(f"{A_CARD}@{A_PLACE}", "At place: the waiting card."),
        "final": part_of("notebook_move", "At final: a card of the hand."),
    },
    deal={
        "first": FIRST,
        "starters": exactly(5, STARTER, "Two for each seat; the last one is in the deck.", unique=True),
        "deck": exactly(56, CARD, "Two for each hand, five for the row, then the draw pile from its top."),
        "reshuffles": orders_of(len(DECK), CARD),
    },
    parts={
        "notebook_move": text_of(f"{A_CARD}@notebook"),
        "card": text_of(A_CARD, "Type, number and stars; or a satellite."),
        "lying_card": text_of(f"{A_CARD}(?: down)?", "A card of a telescope, face up or face down."),
        "starter": name_of(STARTERS),
        "row_slot": integer(1, 5),
        "slot": name_of(SLOTS, "A place in a telescope."),
        "telescope": map_of(part_of("slot"), part_of("lying_card"), "What lies in each slot."),
        "notebook": list_of(CARD, 0, 13, "Sorted."),
        "hand": list_of(CARD, 0, 3, "Sorted."),
        "full_row": exactly(5, CARD, "By slot."),
        "reshuffled": flag("The draw pile ran out among the cards drawn.") | {"const": True},
        "scores": by_seat(part_of("score"), "By seat."),
        "score": record(
            "The points of a seat.",
            {
                "types": integer(0, 210),
                "majorities": {"enum": [0, 10, 20, 30]},
                "diversity": {"enum": [0, 10]},
                "total": integer(0, 250),
            },
        ),
    },
)
