"""The vocabularies of the built-in games, and how options, which are numbers, lead to places in them."""

from random import Random

import pytest
from support.short_game import Showdown

from engines import GAMES
from engines.games import BUILT_IN
from engines.template import Toy


def played(name):
    """Yield the positions of a match at each table size."""
    game, rng = GAMES[name], Random(1)
    for seats in game.seats:
        world = game.begin(game.deal(seats, rng), seats)
        while not world.over:
            yield world, game.vocabulary(seats)
            world.play(world.sample(rng.random))


def test_these_games_say_that_an_option_is_a_place_in_the_vocabulary():
    """A contract test holds them to it."""
    places = {name for name in GAMES if GAMES[name].options_are_places}
    assert {"stellar", "starry-sky", "stella-quest"} == places & {*BUILT_IN}


def test_stella_has_the_votes_then_the_cards_then_what_shows_them():
    game = GAMES["stella"]
    words = game.vocabulary(3)
    assert ["keep", "flip", "c01"] == [*words[:3]]
    assert ["c84", "show c01"] == [*words[85:87]]
    assert 170 == len(words)


def test_options_of_stella_lead_to_the_vocabulary_as_its_page_says():
    for world, words in played("stella"):
        for option in world.options()[:200]:
            move = world.move_of(option)
            if world.step == "vote":
                assert move == words[option - 15]
            elif world.step == "show":
                assert move == words[86 + world.grid.cards[option]]
            else:
                places = [place for place in range(15) if option - 32 >> 14 - place & 1]
                assert [*move] == [words[2 + world.grid.cards[place]] for place in places]


def test_the_vocabulary_of_an_own_deck_has_its_cards():
    cards = [{"id": f"pier-{number}", "text": "A pier."} for number in range(30)]
    words = GAMES["stella"].vocabulary(4, {"deck": {"cards": cards}})
    assert ("keep", "flip", "pier-0", "show pier-29") == (*words[:3], words[-1])


def test_the_sizes_that_the_pages_tell():
    sizes = {name: len(GAMES[name].vocabulary(GAMES[name].seats[-1])) for name in GAMES}
    assert {"stellar": 1257, "starry-sky": 672, "stella-quest": 76, "stella": 170}.items() <= sizes.items()


def test_a_vocabulary_depends_on_the_table_where_the_moves_do():
    assert ["card 12", "card 16", "card 20"] == [Toy().vocabulary(seats)[-1] for seats in (3, 4, 5)]


def test_a_game_without_one_says_what_to_write():
    with pytest.raises(NotImplementedError, match=r"^showdown does not list its moves: implement vocabulary"):
        Showdown().vocabulary(2)
