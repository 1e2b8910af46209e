"""What bots read and write, declared: schema.json is made of it (python -m engines.schemas)."""

from typing import Final

from engines.schemas import (
    Schema,
    at_table,
    by_seat,
    document,
    event,
    exactly,
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

EACH_FACE: Final = "|".join(TOKENS)
EACH_STAR: Final = "|".join([rf"{name}\.[0-{len(board.stars) - 1}]" for name, board in BOARDS.items()])
FEWEST_STARS: Final = 5

BOARD, STAR, TOKEN, STAR_INDEX = map(part_of, ("board_name", "star", "token", "star_index"))
SHOWN: Final = part_of("shown_token")


def by_star(item: Schema, about: str) -> Schema:
    """Return the schema of a list with an *item* for each star of a board."""
    return list_of(item, FEWEST_STARS, MOST_STARS, about)


def star_count(name: str, stars: int) -> Schema:
    """Return the rule that the board called *name* has this number of *stars*."""
    return when({"board": name}, {"owners": length(stars), "tokens": length(stars)})


DONE: Final = {
    "board": BOARD,
    "owners": by_star(seat(), "By star, whose token lay there."),
    "tokens": by_star(TOKEN, "By star."),
    "coins": by_seat(integer(0, 16), "By seat, what it won."),
}
STAR_COUNT: Final = [part_of("star_count")]
ALL: Final = len(BOARDS)

SCHEMA: Final = document(
    StarrySky,
    texts={"options": "The rule options: there are none."},
    view={
        "first": seat("The seat that began."),
        "turn": integer(0, STARS, "How many tokens have been placed."),
        "next": nullable(seat(), "The seat that is asked; null when the match is over."),
        "coins": by_seat(integer(0, 144), "By seat."),
        "hands": by_seat(integer(0, 9), "By seat, the number of tokens in hand."),
        "boards": by_seat(part_of("open_board"), "In play: as many as seats, if there are.", or_fewer=True),
        "pile": integer(0, ALL - SEATS[0], "How many boards are still to come."),
        "excluded": map_of(
            STAR,
            list_of(TOKEN, 1, len(TOKENS)),
            "By star on which a token lies face down, what all can tell it is not.",
        ),
        "rarer": map_of(
            STAR,
            {"type": "integer", "minimum": 2, "multipleOf": 2},
            "By star with a token face down, how many times fewer ways it can be a double star than another.",
        ),
        "scored": at_table(list_of(part_of("scored_board"), 0, ALL, "The boards done, oldest first.")),
    },
    own={
        "hand": list_of(TOKEN, 0, 9, "Your tokens in hand."),
        "mine": map_of(STAR, TOKEN, "Your tokens that lie face down, by star.", most=9),
    },
    rules=[
        when(
            {"next": None},
            {"turn": STARS, "boards": [], "scored": length(ALL)},
            {"turn": integer(0, STARS - 1), "boards": length(1, SEATS[-1]), "scored": length(0, ALL - 1)},
        ),
        *[when({"seats": seats}, {"pile": integer(0, ALL - seats)}) for seats in SEATS],
    ],
    events={
        "start": event(
            "The match begins.",
            options=part_of("options"),
            first=seat("The seat that begins."),
            boards=by_seat(BOARD, "Those in play, as many as seats.") | {"uniqueItems": True},
        ),
        "place": event(
            "A turn. A token on a large star is ? for all others.", seat=seat(), star=STAR, token=SHOWN
        ),
        "score": event("The turn has filled a board; its tokens go home.", **DONE, rules=STAR_COUNT),
        "open": event(
            "A new board comes into play.",
            board=BOARD,
            at=integer(0, SEATS[-1] - 1, "Its index among the boards in play."),
        ),
        "skip": event("A seat that would be next has no token in hand.", seat=seat()),
    },
    moves={"": text_of(f"(?:{EACH_FACE})@(?:{EACH_STAR})", "A token of your hand, and where it goes.")},
    deal={
        "first": seat("The seat that begins."),
        "boards": exactly(ALL, BOARD, "In the order in which they come into play.", unique=True),
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
                "prizes": exactly(2, integer(3, 9), "The first and the second."),
                "large": list_of(STAR_INDEX, 2, 4, "The large stars.", unique=True),
                "edges": list_of(exactly(2, STAR_INDEX, unique=True), 4, 11, "The lines.", unique=True),
                "owners": by_star(nullable(seat()), "By star, whose token lies there, if any."),
                "tokens": by_star(nullable(SHOWN), "By star, what all see of the token, if any."),
            },
            rules=STAR_COUNT,
        ),
        "scored_board": record("A board that is done.", DONE, rules=STAR_COUNT),
        "star_count": {
            "description": "How many stars each board has.",
            "allOf": [star_count(name, len(board.stars)) for name, board in BOARDS.items()],
        },
    },
)
