"""What bots read and write, declared: schema.json is made of it (python -m engines.schemas)."""

from typing import Final

from engines.schemas import (
    ABSENT,
    PRESENT,
    EventParts,
    Schema,
    at_table,
    by_seat,
    document,
    either,
    event,
    exactly,
    has,
    integer,
    list_of,
    name_of,
    nullable,
    optional,
    orders_of,
    part_of,
    record,
    row_of,
    seat,
    text_of,
    when,
)
from engines.stella_quest import StellaQuest
from engines.stella_quest.cards import BREAK, COLOURS, DECK
from engines.stella_quest.players import DUMMY
from engines.stella_quest.turns import ENDS, NUMBER_OF_ROUNDS

CARDS: Final = len(DECK)
AN_EMOTION: Final = "[BGRY][1-6]"
CARD, EMOTION, BACK, WHO, SORTED, SCORES = map(part_of, ("card", "emotion", "back", "who", "cards", "scores"))
FIRST: Final = seat("The leader of round 1.")
OPENING: Final = part_of("card", "The first discard.")
TOP: Final = part_of("card", "The top of the discard pile.")
MARKER: Final = nullable(WHO, "Who has the Black Star.")
LIGHTS: Final = integer(0, 5)
PILE: Final = integer(0, CARDS - 1, "The number of cards in the draw pile.")
NEXT_BACK: Final = nullable(BACK, "The back of the next card of the draw pile.")
ENDING: Final = {
    "why": name_of(ENDS, "The last two: after 200 rounds, and when nobody can play."),
    "seat": nullable(seat(), "Who is enlightened or eliminated; else null."),
}
# no seat brings about the other two ends
NAMES_A_SEAT: Final = [when({"why": ("enlightened", "eliminated")}, {"seat": PRESENT}, {"seat": None})]
# the Dummy plays between two seats only
NO_DUMMY: Final = {"not": {"const": DUMMY}}


def parts_by_seat(part: Schema, about: str) -> Schema:
    """Return the schema of what went through the hand of each seat, in parts."""
    return by_seat(list_of(part, 1, None), about)


def draw(about: str, lights: Schema, most: int) -> EventParts:
    """Return an event that brings up to *most* cards to a hand."""
    backs = list_of(BACK, 1, most, "Those of the new cards, sorted.")
    cards = list_of(CARD, 1, most, "Private: the new cards, sorted.")
    return event(about, seat=seat(), lights=lights, backs=backs, private={"cards": cards})


SCHEMA: Final = document(
    StellaQuest,
    texts={"options": "The rule options: there are none."},
    view={
        "first": FIRST,
        "opening": OPENING,
        "round": integer(1, NUMBER_OF_ROUNDS),
        "step": part_of("step"),
        "turn": nullable(seat(), "The seat that is asked; null at over."),
        "leader": seat("The leader of this round."),
        "lead": nullable(part_of("colour"), "The leading colour; null while it is open."),
        "table": at_table(list_of(part_of("played_card"), 0, 4, "The cards of this round, in order.")),
        "marker": MARKER,
        "top": TOP,
        "discards": SORTED,
        "pile": PILE,
        "back": NEXT_BACK,
        # each serves a card that is drawn: four seats draw at most 205 cards each, see _most_history in
        # numbers
        "reshuffles": integer(0, 820, "How often the discards have become the draw pile."),
        "hands": by_seat(integer(0, 10), "By seat, the number of cards."),
        "backs": by_seat(list_of(BACK, 0, 10), "By seat, the backs of its hand, sorted."),
        "lights": by_seat(LIGHTS, "By seat."),
        "collections": by_seat(list_of(EMOTION, 0, 10), "By seat, the cards it has taken, oldest first."),
        "periods": at_table(list_of(part_of("period"), 1, None, "What went round; a reshuffle ends each.")),
    },
    own={
        "hand": list_of(CARD, 0, 10, "Your cards, sorted."),
        "drawn": list_of(SORTED, 1, None, "By period, the cards that came to your hand."),
    },
    last={
        "ending": optional(at_table(part_of("ending", "Only at over."))),
        "scores": optional(at_table(SCORES)),
    },
    rules=[
        when(
            {"step": "over"},
            {"turn": None, "ending": PRESENT, "scores": PRESENT},
            {"turn": PRESENT, "ending": ABSENT, "scores": ABSENT},
        ),
        when(
            {"seats": 2},
            {"periods": {"items": has({"dummy": PRESENT})}},
            {
                "periods": {"items": has({"dummy": ABSENT})},
                "marker": NO_DUMMY,
                "table": {"items": {"prefixItems": [NO_DUMMY]}},
            },
        ),
    ],
    events={
        "start": event(
            "The match begins, and round 1.",
            options=part_of("options"),
            first=FIRST,
            top=OPENING,
            backs=by_seat(exactly(5, BACK), "By seat, the backs of its hand, sorted."),
            back=part_of("back", "That of the next card of the draw pile."),
            private={"hand": exactly(5, CARD, "Private: your cards, sorted.")},
        ),
        "play": event("A card is played.", seat=WHO, card=CARD),
        "draw": draw(
            "A light is burnt for cards: two events where a reshuffle comes between them.",
            integer(1, 4, "How many are left."),
            3,
        ),
        "refill": draw(
            "An empty hand gets new cards: two events where a reshuffle comes between them.",
            integer(1, 5, "How many it has."),
            5,
        ),
        "reshuffle": event(
            "The discards but the top one become the draw pile.",
            cards=list_of(CARD, 1, CARDS - 1, "All of them, sorted."),
        ),
        "skip": event("A seat, or the Dummy, has no card to play.", seat=WHO),
        "win": event(
            "The round is won, or not.",
            seat=nullable(WHO, "Null: all cards were Break Cards."),
            lights=optional(integer(0, 5, "Only of a seat: after the marker took one, if it did.")),
            rules=[when({"seat": (DUMMY, None)}, {"lights": ABSENT}, {"lights": PRESENT})],
        ),
        "take": event(
            "The winner takes a card.",
            seat=seat(),
            card=EMOTION,
            lights=integer(0, 5, "After what the card has cost."),
        ),
        "discard": event("The cards on the table go to the discard pile.", top=TOP, marker=MARKER),
        "round": event("A new round begins.", round=integer(2, NUMBER_OF_ROUNDS), leader=seat()),
        "over": event("The match is over.", **ENDING, scores=SCORES, rules=NAMES_A_SEAT),
        "pile": event("The draw pile has changed; told last after a move.", pile=PILE, back=NEXT_BACK),
    },
    moves={
        "play": text_of(f"(?:play (?:{AN_EMOTION}|{BREAK})|draw)", "At play."),
        "take": text_of(f"take {AN_EMOTION}", "At take."),
        "top": text_of(f"top {AN_EMOTION}", "At top."),
    },
    deal={
        "first": FIRST,
        "deck": exactly(CARDS, CARD, "Five for each hand, the first discard, the draw pile from its top."),
        "reshuffles": orders_of(CARDS, CARD),
    },
    parts={
        "who": either(seat(), name_of([DUMMY]), about="A seat; or the Dummy, between two seats."),
        "card": text_of(f"(?:{AN_EMOTION}|{BREAK})", "Colour and number; or a Break Card."),
        "emotion": text_of(AN_EMOTION, "A card that is no Break Card."),
        "played_card": row_of(WHO, CARD, about="Who played it, and the card."),
        "cards": list_of(CARD, 0, CARDS, "Sorted."),
        "back": name_of([*COLOURS, BREAK]),
        "colour": name_of(COLOURS),
        "period": record(
            "What went round, from one reshuffle to the next.",
            {
                "cards": nullable(SORTED, "What the draw pile was made of; null in the first period."),
                "received": parts_by_seat(
                    list_of(BACK, 0, CARDS, "Sorted."),
                    "By seat, the backs of the cards that came to its hand, in parts; "
                    "between two parts it played.",
                ),
                "played": parts_by_seat(
                    SORTED,
                    "By seat, the cards it played, each part after the same part of received had come.",
                ),
                "dummy": optional(list_of(CARD, 0, CARDS, "With two seats: what the Dummy played, sorted.")),
            },
        ),
        "ending": record("Why the match is over.", ENDING, rules=NAMES_A_SEAT),
        "scores": by_seat(part_of("score"), "By seat; in a view only at over."),
        "score": record(
            "The points of a seat.", {"lights": LIGHTS, "jewels": integer(0, 12), "total": integer(0, 17)}
        ),
    },
)
