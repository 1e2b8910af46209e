"""What bots read and write, declared: schema.json is made of it (python -m engines.schemas)."""

from typing import Final

from engines.schemas import (
    ABSENT,
    PRESENT,
    Schema,
    by_seat,
    document,
    event,
    exactly,
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

CARD, HOUSE_CARD, PICTURE, WORD = map(part_of, ("card", "house_card", "picture", "word"))
CROSSED, SHOWN, WORD_CARD = map(part_of, ("crossed", "shown", "deck_word_card"))
IN_USE: Final = part_of("word", "The word in use.")
ROUND: Final = integer(1, ROUNDS)
PLACE: Final = integer(0, PLACES - 1)
FIRST: Final = seat("The first scout of round 1.")
COUNT: Final = integer(FEWEST, MOST)
COUNTS: Final = by_seat(COUNT, "By seat, how many crosses it made.")
DARK: Final = nullable(seat(), "The seat in the dark.")
FLIPPED: Final = flag("The word in use is the one printed upside down.")
STARS: Final = by_seat(integer(0, 30), "By seat, filled in this round.")
ROUND_SCORES: Final = by_seat(integer(0, 30), "By seat, the points of the round.")


def seats_of(about: str = "", fewest: int = 0) -> Schema:
    return list_of(seat(), fewest, SEATS[-1], about, unique=True)


def crosses(fewest: int, about: str = "") -> Schema:
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


def deck(card: Schema, what: str, **more: Schema) -> Schema:
    """Return the schema of a deck of one's own."""
    words = optional(list_of(WORD_CARD, DISCOVERY, None))
    discovery = optional(exactly(DISCOVERY, WORD_CARD))
    cards = list_of(card, FEWEST_CARDS, None)
    return record(what, {**more, "cards": cards, "words": words, "discovery": discovery})


TAGS: Final = list_of(line_of("tag"), 0, MOST_TAGS)
# the cards of the game itself are known, so their ids are held to a pattern; those of a deck of one's own are
# not
HOUSE_DECK: Final = {"options": has({"deck": ABSENT})}
HOUSE_CARDS: Final = {"items": HOUSE_CARD}
HOUSE_SHOWN: Final = {"propertyNames": HOUSE_CARD}

SCHEMA: Final = document(
    Stella,
    texts={
        "options": "The rule options, all of them; deck only if it is a deck of one's own.",
        "word_vote": "Rounds begin with a vote on the word.",
        "first_game": "The words are those of the discovery cards.",
    },
    custom={"deck": (part_of("deck"), part_of("given_deck"))},
    view={
        "first": FIRST,
        "round": ROUND,
        "step": part_of("step"),
        "grid": exactly(PLACES, PICTURE, "Row by row from the top, five in a row."),
        "words": optional(exactly(2, WORD, "At vote: both words, the one at the top first.")),
        "word": nullable(WORD, "The word in use; null at vote."),
        "flipped": FLIPPED,
        "counts": by_seat(
            COUNT, "By seat, its number of crosses; empty before all have them.", or_fewer=True
        ),
        "dark": DARK,
        "scout": nullable(seat(), "At show: the seat that is asked; else null."),
        "shown": SHOWN,
        "fallen": seats_of("The seats that have fallen in this round."),
        "stars": STARS,
        "sparks": by_seat(integer(0, 10), "By seat, on how many cards its stars are."),
        "scores": by_seat(integer(0, 30 * ROUNDS), "By seat, the points of the rounds that are over."),
        "rounds": list_of(part_of("past_round"), 0, ROUNDS, "The rounds that are over."),
    },
    own={
        "crosses": crosses(0, "Your crosses of this round, in the order of the grid."),
        "past_crosses": list_of(crosses(1), 0, ROUNDS, "Your crosses of the rounds that are over."),
    },
    # what is told at which step: fields that would tell too early must be empty
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
            HOUSE_DECK,
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
        "start": event(
            "The match begins.",
            seats=integer(SEATS[0], SEATS[-1], "The size of the table."),
            options=part_of("options"),
            first=FIRST,
        ),
        "round": event(
            "A round begins, with a vote if both words are told.",
            round=ROUND,
            places=list_of(
                PLACE, 5, PLACES, "Where new pictures lie: all in round 1, then a row.", unique=True
            ),
            cards=list_of(PICTURE, 5, PLACES, "The new pictures, in the order of the places."),
            words=optional(exactly(2, WORD, "Before a vote: both words, the one at the top first.")),
            word=optional(IN_USE),
            rules=[
                when({"words": PRESENT}, {"word": ABSENT}, {"word": PRESENT}),
                when(
                    {"round": 1},
                    {"places": length(PLACES), "cards": length(PLACES)},
                    {"places": length(5), "cards": length(5)},
                ),
            ],
        ),
        "vote": event("All have voted.", flipped=FLIPPED, word=IN_USE),
        "announce": event(
            "All have made their crosses.",
            counts=COUNTS,
            dark=DARK,
            scout=seat("Who shows first."),
            private={"crosses": crosses(1, "Private: your own, in the order of the grid.")},
        ),
        "show": event(
            "A scout has shown a card.",
            seat=seat(),
            card=CARD,
            crossed=CROSSED,
            stars=STARS,
            scout=nullable(seat(), "Who shows next; null: the round is over."),
        ),
        "fall": event("The scout falls: nobody else had crossed the card.", seat=seat()),
        "score": event("The round is over.", round=ROUND, stars=STARS, scores=ROUND_SCORES),
    },
    moves={
        "vote": name_of(VOTE_MOVES, "At vote."),
        "associate": crosses(FEWEST, "At associate: cards on the grid, in any order."),
        "show": text_of(rf"{SHOW_WORD}\S+", "At show: a cross that nobody has shown."),
    },
    deal={
        "first": FIRST,
        "cards": list_of(CARD, FEWEST_CARDS, None, "The deck: the grid, then row after row.", unique=True),
        "words": exactly(ROUNDS, part_of("word_card"), "By round."),
    },
    deal_rules=[when(HOUSE_DECK, {"cards": HOUSE_CARDS | length(84)})],
    parts={
        "card": text_of(r"\S+", "The id of a picture.", LONGEST["id"]),
        "house_card": text_of("c(?:0[1-9]|[1-7][0-9]|8[0-4])", "The id of a picture of the game's own deck."),
        "word": text_of() | {"minLength": 1},
        "word_card": exactly(2, WORD, "The word at the top, and the one printed upside down."),
        "crossed": seats_of("All who had crossed the card.", 1),
        "shown": map_of(CARD, CROSSED, "The cards shown, each with all who had crossed it.", most=PLACES),
        "past_round": record(
            "A round that is over.",
            {
                "cards": exactly(PLACES, CARD, "The grid.", unique=True),
                "word": WORD,
                "flipped": FLIPPED,
                "counts": COUNTS,
                "dark": DARK,
                "shown": SHOWN,
                "fallen": seats_of(),
                "stars": STARS,
                "scores": ROUND_SCORES,
            },
        ),
        "picture": picture(TAGS, "A picture card. Only one of a deck of one's own may have an image."),
        "given_picture": picture(optional(TAGS), "A picture card as its author writes it."),
        "deck_word_card": exactly(2, line_of("word"), "A word card of a deck: top, and upside down."),
        "deck": deck(PICTURE, "A deck of one's own. Without words it has those of the game."),
        "given_deck": deck(
            part_of("given_picture"),
            "A deck as its author writes it.",
            about=optional(text_of(about="A note, which is not passed on.")),
        ),
    },
)
