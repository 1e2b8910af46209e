"""The page on search: its bot plays every game, and its table lists what positions can do."""

import json
import re
from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from support.documents import PAGES, blocks, rows, section
from support.need import need

import protocol.client
from engines import GAMES, playout
from engines.position import Position

PAGE = PAGES["bots/SEARCH.md"]


@pytest.fixture
def choose(monkeypatch):
    """Return the function of the program on the page, with little time to think."""
    served: list[Callable[[Any], Any]] = []
    monkeypatch.setattr(protocol.client, "serve", served.append)
    program, *_ = blocks("python", PAGE)
    exec(program.replace("SECONDS = 0.02", "SECONDS = 0.0"), names := {"__name__": "__main__"})
    assert 0.0 == names["SECONDS"]
    return served[0]


def act_of(name, state, seat, rng):
    return SimpleNamespace(game=name, seat=seat, view=GAMES[name].view(state, seat), rng=rng)


@pytest.mark.parametrize("name", GAMES)
def test_the_bot_of_the_page_answers_every_kind_of_decision(name, choose):
    game, rng, asked = GAMES[name], Random(1), 0
    seats = game.seats[0]
    steps = [step.state for step in playout(game, game.deal(seats, rng), seats, rng)]
    seen = {}
    for state in steps:  # the first decision of each kind, and the last ones, whose playouts are short
        for seat in game.choices(state):
            seen.setdefault((game.view(state, seat).get("step"), seat), state)
    for (_, seat), state in seen.items():
        move = choose(act_of(name, state, seat, rng))
        assert move == game.choices(state)[seat].check(move)
        asked += 1
    assert asked >= seats


@pytest.mark.parametrize("seed", [50, 69, 108, 147])
def test_the_bot_of_the_page_finds_the_move_that_wins(seed, choose):
    game, rng = GAMES["stellar"], Random(seed)
    states = [step.state for step in playout(game, game.deal(2, rng), 2, rng)]
    last = next(state for state in states if state.step == "final")
    mine, theirs = game.choices(last).values()
    after = {move: [game.play(last, {0: move, 1: other}).state for other in theirs] for move in mine}
    ranks = {move: {game.outcome(state).ranks[0] for state in states} for move, states in after.items()}
    assert [{1}, {2}] == sorted(ranks.values(), key=min)  # it decides who wins, whatever the other does
    assert {1} == ranks[choose(act_of("stellar", last, 0, rng))]


def test_the_ideas_of_the_page_value_an_option():
    *ideas, _ = blocks("python", section(PAGE, "What wins"))
    values = {}
    for idea, (game, value) in zip(
        ideas, [("stellar", "chance_to_win"), ("stella-quest", "worth"), ("starry-sky", "lead")], strict=True
    ):
        exec(idea, names := {"__name__": "__main__"})
        world, rng = (
            GAMES[game].begin(GAMES[game].deal(GAMES[game].seats[0], Random(1)), GAMES[game].seats[0]),
            Random(2),
        )
        for _ in range(6):
            world.play(world.options()[0])
        values[game] = [names[value](world, option, world.seat, rng) for option in world.options()]
    assert all(0 < chance < 1 for chance in values["stellar"])
    assert all(len({*found}) > 1 for found in values.values())


def test_the_worlds_of_the_page_are_weighed():
    *_, program = blocks("python", section(PAGE, "What wins"))
    exec(program, names := {})
    game = GAMES["starry-sky"]
    world = game.begin(game.deal(3, Random(1)), 3)
    told = read_events(world)
    for _ in range(4):
        world.play(world.options()[0])
        told += read_events(world)
    worlds = names["worlds_of"](game.view(world, 0), told, Random(1))
    assert 32 == len(worlds)
    assert 1 == pytest.approx(sum(weight for _, weight in worlds))


def read_events(world):
    return [json.loads(words) for words in world.write_events(0)]


@pytest.mark.tools
def test_the_environments_of_the_page_play(capsys):
    need("pettingzoo")
    every, one, many, spiel = blocks("python", section(PAGE, "Environments"))
    exec(every, names := {})
    assert [] == names["env"].agents
    exec(one, {})
    assert capsys.readouterr().out.startswith("0 ")
    exec(many, names := {})
    assert (256, 2001) == names["rows"].shape
    need("pyspiel")
    exec(spiel, names := {})
    assert names["state"].is_terminal()


def test_the_programs_for_learning_run(capsys):
    (many,) = blocks("python", section(PAGE, "Many at once"))
    exec(many, names := {})
    assert 4 == len([row for row in names["masks"].tolist() if any(row)])
    assert capsys.readouterr().out.startswith("[0.")


def test_the_page_lists_all_of_a_position():
    listed = {
        name
        for row in rows(section(PAGE, "Positions"))
        for code in re.findall(r"`([^`]+)`", row[0])
        for name in re.findall(r"^\w+", code)
    }
    assert {name for name in dir(Position) if not name.startswith("_")} == listed
