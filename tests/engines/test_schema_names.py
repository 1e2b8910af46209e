"""The names, boards and ends in the schemas of the games: those of the game, and no others like them."""

import pytest

from engines import GAMES
from engines.contract.game_schema import fits, properties, schema_of
from engines.contract.subject import subject_of
from engines.contract.test_page import section, table_of
from engines.contract.test_schema import list_steps
from engines.starry_sky.boards import BOARDS, PLACES
from engines.starry_sky.tokens import HIDDEN, TOKENS
from engines.stella.deck import DEFAULT
from engines.stella_quest.cards import BACKS, COLOURS, EMOTIONS
from engines.stellar.cards import CARDS, SLOTS, STARTERS


@pytest.mark.parametrize(
    ("game", "part", "names"),
    [
        ("starry-sky", "token", TOKENS),
        ("starry-sky", "shown_token", [*TOKENS, HIDDEN]),
        ("starry-sky", "board_name", BOARDS),
        ("starry-sky", "star", PLACES),
        ("stella", "house_card", DEFAULT.pictures),
        ("stella-quest", "card", BACKS),
        ("stella-quest", "emotion", EMOTIONS),
        ("stella-quest", "back", BACKS.values()),
        ("stella-quest", "colour", COLOURS),
        ("stellar", "card", CARDS),
        ("stellar", "starter", STARTERS),
        ("stellar", "slot", SLOTS),
    ],
)
def test_the_names_are_those_of_the_game_and_no_others_like_them(game, part, names):
    names, subject = [*names], subject_of(GAMES[game])
    one_sign_more = {
        text[:at] + sign + text[at:] for text in names for at in (0, len(text)) for sign in " 1X"
    }
    another_sign = {
        text[:at] + sign + text[at + 1 :] for text in names for at in range(len(text)) for sign in "A.?02468"
    }
    tried = {*names, *one_sign_more, *another_sign}
    assert {*names} == {text for text in tried if fits(subject, part, text)}


@pytest.mark.parametrize("board", BOARDS)
def test_a_board_with_more_or_fewer_stars_does_not_fit(board):
    subject, stars = subject_of(GAMES["starry-sky"]), len(BOARDS[board].stars)
    for count in range(5, 10):
        scored = {"board": board, "owners": [0] * count, "tokens": ["1"] * count, "coins": [0, 0, 0]}
        assert (count == stars) == fits(subject, "scored_board", scored)
        assert (count == stars) == fits(subject, "event", scored | {"event": "score"})


@pytest.mark.parametrize(
    ("game", "title", "number", "parts"),
    [
        ("starry-sky", "The view", 1, ["open_board"]),
        ("stella", "Your own deck", 0, ["given_deck", "given_picture"]),
    ],
)
def test_the_page_names_the_fields_of_boards_and_decks(game, title, number, parts):
    subject = subject_of(GAMES[game])
    fields = {field for part in parts for field in properties(subject, part)}
    assert fields == table_of(section(subject, title), number).keys()


def test_every_end_of_stella_quest_occurs():
    subject = subject_of(GAMES["stella-quest"])
    ends = schema_of(subject)["$defs"]["ending"]["properties"]["why"]["enum"]
    overs = [event for _, step in list_steps(subject) for event in step.events if event.kind == "over"]
    assert {*ends} == {event.public["why"] for event in overs}
