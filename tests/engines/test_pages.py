"""The page of each game for authors of bots: it names all that the schema does, and its program runs."""

import json
from itertools import islice
from random import Random
from statistics import median

import pytest
from support.documents import blocks
from support.places import ROOT

from engines import GAMES, canonical, playout
from engines.games import BUILT_IN


def folder_of(name):
    return ROOT / type(GAMES[name]).__module__.replace(".", "/")


def page_of(name):
    return (folder_of(name) / "README.md").read_text("utf-8")


def match_of(name, seats, seed=1):
    rng = Random(seed)
    return [*playout(GAMES[name], GAMES[name].deal(seats, rng), seats, rng)]


@pytest.mark.parametrize("name", BUILT_IN)
def test_it_names_the_fields_of_every_part_of_the_schema(name):
    parts = json.loads((folder_of(name) / "schema.json").read_text("utf-8"))["$defs"]
    fields = {field for part in parts.values() for field in part.get("properties", ())}
    page = page_of(name)
    assert [] == [field for field in sorted(fields) if f"`{field}`" not in page and f'"{field}"' not in page]


@pytest.mark.parametrize("name", BUILT_IN)
def test_its_program_prints_each_option_of_a_choice_with_what_a_bot_may_weigh(name, capsys):
    program = blocks("python", page_of(name))[0]
    game, tried = GAMES[name], set()
    for step in match_of(name, game.seats[0]):
        for seat, choice in game.choices(step.state).items():
            view = game.view(step.state, seat)
            if view.get("step") not in tried:
                tried.add(view.get("step"))
                exec(program, {"view": view})
                told = [line.rpartition(" (")[0] for line in capsys.readouterr().out.splitlines()]
                assert [*map(str, islice(choice, len(told)))] == told
                assert len(told) == choice.count() or len(told) >= 10
    assert tried


@pytest.mark.parametrize("name", BUILT_IN)
def test_different_views_are_told_differently(name):
    game, told = GAMES[name], {}
    for seats in game.seats:
        for step in match_of(name, seats):
            for seat in [*range(seats), None]:
                view = game.view(step.state, seat)
                assert told.setdefault(game.text(view), canonical(view)) == canonical(view)


@pytest.mark.parametrize("name", ["stellar", "stella-quest"])
def test_half_of_all_decisions_take_at_most_1500_bytes_of_choice_view_and_events(name):
    game = GAMES[name]
    for seats in game.seats:
        sizes, heard = [], [[] for _ in range(seats)]
        for step in (step for seed in range(4) for step in match_of(name, seats, seed)):
            for seat, news in enumerate(heard):
                news += [event.seen_by(seat) for event in step.events]
            for seat, choice in game.choices(step.state).items():
                sizes.append(len(canonical([choice.to_json(), game.view(step.state, seat), heard[seat]])))
                heard[seat] = []
        assert median(sizes) <= 1500
