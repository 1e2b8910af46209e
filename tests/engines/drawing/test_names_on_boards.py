"""The names of the seats on a board: of any length, in any script, told from the numbers of the seats."""

import re
from itertools import islice
from random import Random

import pytest

from engines import GAMES, playout
from engines.contract.texts import faults_of
from engines.games import BUILT_IN
from engines.news import agree

NAMES = ["You", "search-light", "п" * 60, "电子" * 30, "W" * 60, "<b>&"]


@pytest.mark.parametrize("name", BUILT_IN)
def test_names_are_on_the_board_and_fit_it(name):
    game = GAMES[name]
    seats = game.seats[-1]
    names = [*NAMES, *NAMES][:seats]
    steps = list(playout(game, game.deal(seats, Random(1)), seats, Random(1)))
    for step in steps[:: max(1, len(steps) // 12)]:
        for views in (
            [game.view(step.state, 0)],
            [game.view(step.state, None)],
            [game.view(step.state, seat) for seat in range(seats)],
        ):
            picture = game.draw(*views, names=names)
            shown = "".join(part.svg for part in picture.parts)
            assert "You" in shown
            assert "search-light" in shown
            assert "Seat 1" not in shown
            assert "<b>" not in shown
            assert [] == [*faults_of(picture)]


def test_a_sentence_with_you_has_the_verb_that_suits():
    assert "You take a card; greedy has it" == agree("You takes a card; greedy has it")
    assert "The winner is You" == agree("The winner is You")
    assert "You have one, and You are next" == agree("You has one, and You is next")


@pytest.mark.parametrize("name", BUILT_IN)
def test_people_read_no_notation_in_the_log(name):
    game = GAMES[name]
    seats = game.seats[0]
    called = ["You", "greedy", "careful"][:seats]
    for step in playout(game, game.deal(seats, Random(2)), seats, Random(2)):
        for event in step.events:
            line = game.tell({"event": event.kind, **event.public}, called)
            assert "@" not in line
            assert "Seat" not in line


@pytest.mark.parametrize("name", BUILT_IN)
def test_names_of_twenty_letters_are_whole(name):
    game = GAMES[name]
    names = ["Wandering Walrus MMM", "صقر الصحراء السريع", "deeper-searchlight-1", *NAMES[:3]][
        : game.seats[-1]
    ]
    seats = len(names)
    *_, step = islice(playout(game, game.deal(seats, Random(1)), seats, Random(1)), 20)
    shown = "".join(part.svg for part in game.draw(game.view(step.state, 0), names=names).parts)
    found = {text.rstrip("…") for text in re.findall(r"([^<>]+…)<", shown)}
    assert not [each for each in found for name in names[:3] if each and each in name]
