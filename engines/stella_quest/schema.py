"""What bots read and write, declared: schema.json is made of it (python -m engines.schemas)."""

from __future__ import annotations

from typing import Final

from engines.schemas import (
    ABSENT,
    PRESENT,
    TEXTS,
    EventParts,
    Schema,
    at_table,
    by_seat,
    document,
    either,
    has,
    integer,
    list_of,
    name_of,
    nullable,
    optional,
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

__all__ = ["SCHEMA"]

CARDS: Final = len(DECK)
AN_EMOTION: Final = "[BGRY][1-6]"
CARD, EMOTION, BACK, WHO, SORTED, SCORES = map(part_of, ("card", "emotion", "back", "who", "cards", "scores"))
FIRST: Final = seat("The leader of round 1.")
OPENING: Final = part_of("card", "The first discard.")
LIGHTS: Final = integer(0, 5)
PILE: Final = integer(0, CARDS - 1)
ENDING: Final = {
    "why": name_of(ENDS, "The last two: after 200 rounds, and when nobody can play."),
    "seat": nullable(seat(), "Who is enlightened or eliminated; else null."),
}
NAMES_A_SEAT: Final = [when({"why": ("enlightened", "eliminated")}, {"seat": PRESENT}, {"seat": None})]


def parts_by_seat(part: Schema, about: str) -> Schema:
    """Return the schema of what went through the hand of each seat, in parts."""
    return by_seat(list_of(part, 1, None), about)


def draw(about: str, lights: Schema, most: int) -> EventParts:
    """Return an event that brings up to *most* cards to a hand."""
    backs = list_of(BACK, 1, most, "Those of the new cards, sorted.")
    cards = list_of(CARD, 1, most, "Private: the new cards, sorted.")
    return EventParts(about, {"seat": seat(), "lights": lights, "backs": backs}, {"cards": cards})


SCHEMA: Final = document(
    StellaQuest,
    texts=TEXTS | {"options": "The rule options: there are none."},
    view={
        "first": FIRST,
        "opening": OPENING,
        "round": integer(1, NUMBER_OF_ROUNDS),
        "step": part_of("step"),
        "turn": nullable(seat(), "The seat that is asked; null at over."),
        "leader": seat("The leader of this round."),
        "lead": nullable(part_of("colour"), "The leading colour; null while it is open."),
        "table": at_table(
            list_of(
                part_of("played_card"),
                0,
                4,
                "The cards of this round in the order played; at top without the one that was taken.",
            )
        ),
        "marker": nullable(WHO, "Who has the Black Star."),
        "top": part_of("card", "The top of the discard pile."),
        "discards": SORTED,
        "pile": PILE | {"description": "The number of cards in the draw pile."},
        "back": nullable(BACK, "The back of its next card."),
        "reshuffles": integer(
            0,
            820,
            "How often the discards have become the draw pile: never more often than cards are drawn.",
        ),
        "hands": by_seat(integer(0, 10), "By seat, the number of cards."),
        "backs": by_seat(list_of(BACK, 0, 10), "By seat, the backs of its hand, sorted."),
        "lights": by_seat(LIGHTS, "By seat."),
        "collections": by_seat(list_of(EMOTION, 0, 10), "By seat, the cards it has taken, oldest first."),
        "periods": at_table(
            list_of(
                part_of("period"),
                1,
                None,
                "From the start to the first reshuffle, then from one reshuffle to the next.",
            )
        ),
    },
    own={
        "hand": list_of(CARD, 0, 10, "Your cards, sorted. Not there for a spectator."),
        "drawn": list_of(
            SORTED, 1, None, "By period, the cards that came to your hand. Not there for a spectator."
        ),
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
                "marker": {"not": {"const": DUMMY}},
                "table": {"items": {"prefixItems": [{"not": {"const": DUMMY}}]}},
            },
        ),
    ],
    events={
        "start": EventParts(
            "The match begins, and round 1.",
            {
                "options": part_of("options"),
                "first": FIRST,
                "top": OPENING,
                "backs": by_seat(list_of(BACK, 5, 5), "By seat, the backs of its hand, sorted."),
                "back": part_of("back", "That of the next card of the draw pile."),
            },
            {"hand": list_of(CARD, 5, 5, "Private: your cards, sorted.")},
        ),
        "play": EventParts("A card is played.", {"seat": WHO, "card": CARD}),
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
        "reshuffle": EventParts(
            "The discards but the top one become the draw pile.",
            {"cards": list_of(CARD, 1, CARDS - 1, "All of them, sorted.")},
        ),
        "skip": EventParts("A seat, or the Dummy, has no card to play.", {"seat": WHO}),
        "win": EventParts(
            "The round is won, or not.",
            {
                "seat": nullable(WHO, "Null: all cards were Break Cards."),
                "lights": optional(
                    integer(0, 5, "Only of a seat: what it has after the marker took one, if it did.")
                ),
            },
            rules=[when({"seat": (DUMMY, None)}, {"lights": ABSENT}, {"lights": PRESENT})],
        ),
        "take": EventParts(
            "The winner takes a card.",
            {"seat": seat(), "card": EMOTION, "lights": integer(0, 5, "After what the card has cost.")},
        ),
        "discard": EventParts(
            "The cards on the table go to the discard pile.",
            {
                "top": part_of("card", "The one that lies on top."),
                "marker": nullable(WHO, "Who has the Black Star now."),
            },
        ),
        "round": EventParts("A new round begins.", {"round": integer(2, NUMBER_OF_ROUNDS), "leader": seat()}),
        "over": EventParts("The match is over.", {**ENDING, "scores": SCORES}, rules=NAMES_A_SEAT),
        "pile": EventParts(
            "The draw pile has changed; told last of what follows a move.",
            {
                "pile": PILE | {"description": "How many cards it has."},
                "back": nullable(BACK, "The back of the next one."),
            },
        ),
    },
    moves={
        "play": text_of(f"(?:play (?:{AN_EMOTION}|{BREAK})|draw)", "At play."),
        "take": text_of(f"take {AN_EMOTION}", "At take."),
        "top": text_of(f"top {AN_EMOTION}", "At top."),
    },
    deal={
        "first": FIRST,
        "deck": list_of(
            CARD, CARDS, CARDS, "Five for each hand, the first discard, then the draw pile, next card first."
        ),
        "reshuffles": list_of(
            list_of(CARD, CARDS, CARDS),
            1,
            None,
            "The orders that reshuffles follow, one after the other, then from the first again.",
        ),
    },
    parts={
        "who": either(
            seat(), name_of([DUMMY]), about="A seat, or the Dummy, who plays only between two seats."
        ),
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
                    "By seat, the cards it played, in as many parts: each after the same part of received "
                    "had come.",
                ),
                "dummy": optional(
                    list_of(CARD, 0, CARDS, "Only with two seats: the cards that the Dummy played, sorted.")
                ),
            },
        ),
        "ending": record("Why the match is over.", ENDING, rules=NAMES_A_SEAT),
        "scores": by_seat(part_of("score"), "By seat; in a view only at over."),
        "score": record(
            "The points of a seat.", {"lights": LIGHTS, "jewels": integer(0, 12), "total": integer(0, 17)}
        ),
    },
)
