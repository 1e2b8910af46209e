"""What bots read and write, declared: schema.json is made of it (python -m engines.schemas)."""

from __future__ import annotations

from typing import Final

from engines.schemas import (
    ABSENT,
    PRESENT,
    TEXTS,
    EventParts,
    Schema,
    by_seat,
    document,
    flag,
    has,
    integer,
    length,
    list_of,
    map_of,
    name_of,
    nullable,
    optional,
    part_of,
    record,
    seat,
    text_of,
    when,
)
from engines.stella import Stella
from engines.stella.deck import DISCOVERY, FEWEST_CARDS, LONGEST, MOST_TAGS
from engines.stella.grid import PLACES, ROUNDS
from engines.stella.luck import SEATS
from engines.stella.moves import FEWEST, MOST, SHOW_WORD, VOTE_MOVES

__all__ = ["SCHEMA"]

CARD, HOUSE_CARD, PICTURE, WORD = map(part_of, ("card", "house_card", "picture", "word"))
CROSSED, SHOWN, WORD_CARD = map(part_of, ("crossed", "shown", "deck_word_card"))
ROUND: Final = integer(1, ROUNDS)
STARS: Final = integer(0, 30)
COUNTS: Final = by_seat(integer(FEWEST, MOST), "By seat, how many crosses it made.")
FIRST: Final = seat("The first scout of round 1.")
DARK: Final = nullable(seat(), "The seat in the dark.")
FILLED: Final = by_seat(STARS, "By seat, as filled.")
ROUND_SCORES: Final = by_seat(STARS, "By seat, the points of the round.")


def seats_of(about: str = "", fewest: int = 0) -> Schema:
    """Return the schema of a set of seats."""
    return list_of(seat(), fewest, SEATS[-1], about, unique=True)


def cards_of(fewest: int, about: str = "") -> Schema:
    """Return the schema of the crosses of a seat."""
    return list_of(CARD, fewest, MOST, about, unique=True)


def line_of(kind: str, about: str = "") -> Schema:
    """Return the schema of a text of a deck: one line that is not blank."""
    return text_of(r".*\S.*", about, LONGEST[kind])


def picture(tags: Schema, about: str) -> Schema:
    """Return the schema of a picture card."""
    text = line_of("text", "What is to be seen, in one line.")
    image = optional(line_of("image", "A path or a URL."))
    return record(about, {"id": CARD, "text": text, "tags": tags, "image": image})


def deck(cards: Schema, about: str, more: dict[str, Schema]) -> Schema:
    """Return the schema of a deck of one's own."""
    words = optional(list_of(WORD_CARD, DISCOVERY, None))
    discovery = optional(list_of(WORD_CARD, DISCOVERY, DISCOVERY))
    cards = list_of(cards, FEWEST_CARDS, None)
    return record(about, {**more, "cards": cards, "words": words, "discovery": discovery})


TAGS: Final = list_of(line_of("tag"), 0, MOST_TAGS)
HOUSE_CARDS: Final = {"items": HOUSE_CARD}
HOUSE_SHOWN: Final = {"propertyNames": HOUSE_CARD}

SCHEMA: Final = document(
    Stella,
    texts=TEXTS
    | {
        "options": "The rule options, all of them; deck only if it is a deck of one's own.",
        "word_vote": "Rounds begin with a vote on the word.",
        "first_game": "The words are those of the discovery cards.",
    },
    custom={"deck": (part_of("deck"), part_of("given_deck"))},
    view={
        "first": FIRST,
        "round": ROUND,
        "step": part_of("step"),
        "grid": list_of(PICTURE, PLACES, PLACES, "Row by row from the top, five in a row."),
        "words": optional(list_of(WORD, 2, 2, "At vote: both words, the one at the top first.")),
        "word": nullable(WORD, "The word in use; null at vote."),
        "flipped": flag("The word in use is the one printed upside down."),
        "counts": by_seat(
            integer(FEWEST, MOST),
            "By seat, how many crosses it made. Empty before all have made theirs.",
            or_fewer=True,
        ),
        "dark": DARK,
        "scout": nullable(seat(), "At show: the seat that is asked; else null."),
        "shown": SHOWN,
        "fallen": seats_of("The seats that have fallen in this round."),
        "stars": by_seat(STARS, "By seat, filled in this round."),
        "sparks": by_seat(integer(0, 10), "By seat, on how many cards its stars are."),
        "scores": by_seat(integer(0, 30 * ROUNDS), "By seat, the points of the rounds that are over."),
        "rounds": list_of(part_of("past_round"), 0, ROUNDS, "The rounds that are over."),
    },
    own={
        "crosses": cards_of(
            0, "Your crosses of this round, in the order of the grid. Not there for a spectator."
        ),
        "past_crosses": list_of(
            cards_of(1), 0, ROUNDS, "Your crosses of the rounds that are over. Not there for a spectator."
        ),
    },
    rules=[
        when(
            {"step": "vote"},
            {"words": PRESENT, "word": None, "flipped": False},
            {"words": ABSENT, "word": PRESENT},
        ),
        when(
            {"step": ("vote", "associate")},
            {"counts": [], "dark": None, "shown": {"maxProperties": 0}, "crosses": []},
            {"counts": length(SEATS[0], SEATS[-1]), "crosses": length(FEWEST, MOST)},
        ),
        when({"step": "show"}, {"scout": PRESENT}, {"scout": None}),
        when(
            {"step": "over"}, {"round": ROUNDS, "rounds": length(ROUNDS)}, {"rounds": length(0, ROUNDS - 1)}
        ),
        when(
            {"options": has({"deck": ABSENT})},
            {
                "grid": {"items": has({"id": HOUSE_CARD, "image": ABSENT})},
                "shown": HOUSE_SHOWN,
                "crosses": HOUSE_CARDS,
                "past_crosses": {"items": HOUSE_CARDS},
                "rounds": {"items": has({"cards": HOUSE_CARDS, "shown": HOUSE_SHOWN})},
            },
        ),
    ],
    events={
        "start": EventParts(
            "The match begins.",
            {
                "seats": integer(SEATS[0], SEATS[-1], "The size of the table."),
                "options": part_of("options"),
                "first": FIRST,
            },
        ),
        "round": EventParts(
            "A round begins, with a vote if both words are told.",
            {
                "round": ROUND,
                "places": list_of(
                    integer(0, PLACES - 1),
                    5,
                    PLACES,
                    "Those of the grid that get new pictures: all in round 1, then a row.",
                    unique=True,
                ),
                "cards": list_of(PICTURE, 5, PLACES, "The new pictures, in the order of the places."),
                "words": optional(
                    list_of(WORD, 2, 2, "Before a vote: both words, the one at the top first.")
                ),
                "word": optional(part_of("word", "Without a vote: the word in use.")),
            },
            rules=[
                when({"words": PRESENT}, {"word": ABSENT}, {"word": PRESENT}),
                when(
                    {"round": 1},
                    {"places": length(PLACES), "cards": length(PLACES)},
                    {"places": length(5), "cards": length(5)},
                ),
            ],
        ),
        "vote": EventParts(
            "All have voted.",
            {
                "flipped": flag("The word in use is the one printed upside down."),
                "word": part_of("word", "The word in use."),
            },
        ),
        "announce": EventParts(
            "All have made their crosses.",
            {"counts": COUNTS, "dark": DARK, "scout": seat("Who shows first.")},
            {"crosses": cards_of(1, "Private: your own, in the order of the grid.")},
        ),
        "show": EventParts(
            "A scout has shown a card.",
            {
                "seat": seat(),
                "card": CARD,
                "crossed": CROSSED,
                "stars": by_seat(STARS, "By seat, filled in this round so far."),
                "scout": nullable(seat(), "Who shows next; null: the round is over."),
            },
        ),
        "fall": EventParts("The scout falls: nobody else had crossed the card.", {"seat": seat()}),
        "score": EventParts("The round is over.", {"round": ROUND, "stars": FILLED, "scores": ROUND_SCORES}),
    },
    moves={
        "vote": name_of(VOTE_MOVES, "At vote."),
        "associate": cards_of(FEWEST, "At associate: cards on the grid, in any order."),
        "show": text_of(rf"{SHOW_WORD}\S+", "At show: a cross that nobody has shown."),
    },
    deal={
        "first": FIRST,
        "cards": list_of(
            CARD,
            FEWEST_CARDS,
            None,
            "The whole deck: the grid, then the rows of rounds 2, 3 and 4, then what is not used.",
            unique=True,
        ),
        "words": list_of(
            part_of("word_card"),
            ROUNDS,
            ROUNDS,
            "By round, the word at the top and the one printed upside down.",
        ),
    },
    deal_rules=[when({"options": has({"deck": ABSENT})}, {"cards": HOUSE_CARDS | length(84)})],
    parts={
        "card": text_of(r"\S+", "The id of a picture.", LONGEST["id"]),
        "house_card": text_of(
            "c(?:0[1-9]|[1-7][0-9]|8[0-4])", "The id of a picture of the deck that comes with the game."
        ),
        "word": text_of() | {"minLength": 1},
        "word_card": list_of(WORD, 2, 2, "The word at the top, and the one printed upside down."),
        "crossed": seats_of("All who had crossed the card.", 1),
        "shown": map_of(
            CARD, CROSSED, "The cards shown in the round, each with all who had crossed it.", most=PLACES
        ),
        "past_round": record(
            "A round that is over.",
            {
                "cards": list_of(CARD, PLACES, PLACES, "The grid.", unique=True),
                "word": WORD,
                "flipped": flag("It is the word printed upside down."),
                "counts": COUNTS,
                "dark": DARK,
                "shown": SHOWN,
                "fallen": seats_of(),
                "stars": FILLED,
                "scores": ROUND_SCORES,
            },
        ),
        "picture": picture(TAGS, "A picture card. Only one of a deck of one's own may have an image."),
        "given_picture": picture(optional(TAGS), "A picture card as its author writes it."),
        "deck_word_card": list_of(
            line_of("word"),
            2,
            2,
            "A word card of a deck: the word at the top, and the one printed upside down.",
        ),
        "deck": deck(
            PICTURE,
            "A deck of one's own. Word cards that are not there are those that come with the game.",
            {},
        ),
        "given_deck": deck(
            part_of("given_picture"),
            "A deck as its author writes it.",
            {"about": optional(text_of(about="A note, which is not passed on."))},
        ),
    },
)
