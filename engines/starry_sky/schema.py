"""What bots read and write, declared: schema.json is made of it (python -m engines.schemas)."""

from __future__ import annotations

from typing import Final

from engines.schemas import (
    TEXTS,
    EventParts,
    at_table,
    by_seat,
    document,
    integer,
    length,
    list_of,
    map_of,
    name_of,
    nullable,
    part_of,
    record,
    seat,
    text_of,
    when,
)
from engines.starry_sky import StarrySky
from engines.starry_sky.boards import BOARDS, MOST_STARS, STARS
from engines.starry_sky.luck import SEATS
from engines.starry_sky.tokens import HIDDEN, TOKENS

__all__ = ["SCHEMA"]

EACH_FACE: Final = "|".join(TOKENS)
EACH_STAR: Final = "|".join([rf"{name}\.[0-{len(board.stars) - 1}]" for name, board in BOARDS.items()])
FEWEST_STARS: Final = 5

BOARD, STAR, TOKEN, STAR_INDEX = map(part_of, ("board_name", "star", "token", "star_index"))
FIRST: Final = seat("The seat that begins.")
DONE: Final = {
    "board": BOARD,
    "owners": list_of(seat(), FEWEST_STARS, MOST_STARS, "By star, whose token lay there."),
    "tokens": list_of(TOKEN, FEWEST_STARS, MOST_STARS, "By star."),
    "coins": by_seat(integer(0, 16), "By seat, what it won."),
}
STAR_COUNT: Final = [part_of("star_count")]

SCHEMA: Final = document(
    StarrySky,
    texts=TEXTS | {"options": "The rule options: there are none."},
    view={
        "first": seat("The seat that began."),
        "turn": integer(0, STARS, "How many tokens have been placed."),
        "next": nullable(seat(), "The seat that is asked; null when the match is over."),
        "coins": by_seat(integer(0, 144), "By seat."),
        "hands": by_seat(integer(0, 9), "By seat, the number of tokens in hand."),
        "boards": by_seat(
            part_of("open_board"),
            "The boards in play: as many as seats while there are enough.",
            or_fewer=True,
        ),
        "pile": integer(0, len(BOARDS) - SEATS[0], "How many boards are still to come."),
        "excluded": map_of(
            STAR,
            list_of(TOKEN, 1, len(TOKENS)),
            "By star on which a token lies face down, what all can tell it is not.",
        ),
        "rarer": map_of(
            STAR,
            {"type": "integer", "minimum": 2, "multipleOf": 2},
            "By star on which a token lies face down, how many times fewer ways it can be a double star "
            "than another token.",
        ),
        "scored": at_table(
            list_of(part_of("scored_board"), 0, len(BOARDS), "The boards that are done, oldest first.")
        ),
    },
    own={
        "hand": list_of(TOKEN, 0, 9, "Your tokens in hand. Not there for a spectator."),
        "mine": map_of(
            STAR, TOKEN, "Your tokens that lie face down, by star. Not there for a spectator.", most=9
        ),
    },
    rules=[
        when(
            {"next": None},
            {"turn": STARS, "boards": [], "scored": length(len(BOARDS))},
            {
                "turn": integer(0, STARS - 1),
                "boards": length(1, SEATS[-1]),
                "scored": length(0, len(BOARDS) - 1),
            },
        ),
        *[when({"seats": seats}, {"pile": integer(0, len(BOARDS) - seats)}) for seats in SEATS],
    ],
    events={
        "start": EventParts(
            "The match begins.",
            {
                "options": part_of("options"),
                "first": FIRST,
                "boards": by_seat(BOARD, "Those in play, as many as seats.") | {"uniqueItems": True},
            },
        ),
        "place": EventParts(
            "A turn.",
            {
                "seat": seat(),
                "star": STAR,
                "token": part_of("shown_token", "On a large star: ? for all but the seat whose token it is."),
            },
        ),
        "score": EventParts(
            "The board that the turn has filled is scored; its tokens go home.", DONE, rules=STAR_COUNT
        ),
        "open": EventParts(
            "A new board comes into play.",
            {"board": BOARD, "at": integer(0, SEATS[-1] - 1, "Its index among the boards in play.")},
        ),
        "skip": EventParts("A seat that would be next has no token in hand.", {"seat": seat()}),
    },
    moves={
        "": text_of(
            f"(?:{EACH_FACE})@(?:{EACH_STAR})",
            "What a seat may answer: a token of its hand, and where it goes.",
        )
    },
    deal={
        "first": FIRST,
        "boards": list_of(
            BOARD, len(BOARDS), len(BOARDS), "In the order in which they come into play.", unique=True
        ),
    },
    parts={
        "token": name_of(TOKENS, "A number, a black hole, a double star."),
        "shown_token": name_of([*TOKENS, HIDDEN], "A token, or one that lies face down."),
        "board_name": name_of(BOARDS),
        "star": text_of(f"(?:{EACH_STAR})", "A star: its board, and its index in the lists of that board."),
        "star_index": integer(0, MOST_STARS - 1),
        "open_board": record(
            "A board in play.",
            {
                "board": BOARD,
                "prizes": list_of(integer(3, 9), 2, 2, "The first and the second."),
                "large": list_of(STAR_INDEX, 2, 4, "The large stars.", unique=True),
                "edges": list_of(
                    list_of(STAR_INDEX, 2, 2, unique=True),
                    4,
                    11,
                    "The lines, each with its two stars.",
                    unique=True,
                ),
                "owners": list_of(
                    nullable(seat()), FEWEST_STARS, MOST_STARS, "By star, whose token lies there, if any."
                ),
                "tokens": list_of(
                    nullable(part_of("shown_token")),
                    FEWEST_STARS,
                    MOST_STARS,
                    "By star, what all see of the token, if any.",
                ),
            },
            rules=STAR_COUNT,
        ),
        "scored_board": record("A board that is done.", DONE, rules=STAR_COUNT),
        "star_count": {
            "description": "How many stars each board has.",
            "allOf": [
                when(
                    {"board": name}, {"owners": length(len(board.stars)), "tokens": length(len(board.stars))}
                )
                for name, board in BOARDS.items()
            ],
        },
    },
)
