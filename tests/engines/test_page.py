"""The text of a view for people: names for seats, and no word on how a model answers."""

import re
from random import Random

import pytest

from engines import GAMES, playout
from engines.games import BUILT_IN
from engines.page import tell_people

NAMES = ["You", "greedy", "天狼星", "seat 7"]
BY_SEAT = re.compile(r"by seat\b.*|from seat 0:.*", re.IGNORECASE)


def views(name, seats):
    rng = Random(3)
    for step in playout(GAMES[name], GAMES[name].deal(seats, rng), seats, rng):
        yield from (GAMES[name].view(step.state, seat) for seat in (0, 1, None))


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_seat_has_its_name_and_no_other_word_changes(name):
    game = GAMES[name]
    seats = min(3, game.seats[-1])
    names = NAMES[:seats]
    for view in views(name, seats):
        told = game.text(view, names=names, ask=False)
        assert not re.search(r"[Ss]eats? \d", BY_SEAT.sub("", told)), told
        assert "(you)" not in told
        assert "Answer with" not in told
        assert not re.search(r"\b[Yy]ou (?:has|is|takes|plays|keeps|chooses|places)\b", told), told
        assert game.text(view) == game.text(view, names=(), ask=True)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("T: seat 0 plays a card, or burns a light.\n", "T: you play a card, or burn a light.\n"),
        ("You are seat 0 of 3 seats. Seat 1 began.\n", "greedy began.\n"),
        ("  Seat 0 (you) has 3\n", "  You have 3\n"),
        ("Fallen: seats 0, 1 and 2.\n", "Fallen: you, greedy and 天狼星.\n"),
        ("seat 3 and seat 9\n", "seat 7 and seat 9\n"),
        (
            "A\n\nPoints by seat: 1 2\n",
            "A\nSeats by number: 0 You, 1 greedy, 2 天狼星, 3 seat 7.\n\nPoints by seat: 1 2\n",
        ),
    ],
)
def test_a_name_stands_in_its_sentence(text, told):
    assert told == tell_people(text, NAMES)


def test_only_a_part_that_says_how_to_answer_is_left_out():
    assert "a\n\nb\n" == tell_people("a\n\nb\n\nYou may\nAnswer with one move.\nKey\n", ask=False)
    assert "a\n\nAnswer with care: a card\n\nb\n" == tell_people(
        "a\n\nAnswer with care: a card\n\nb\n", ask=False
    )
