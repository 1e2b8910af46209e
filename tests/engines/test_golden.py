"""Golden records: one match of every game, kept as text, that must replay to the letter.

`pytest --regold` rewrites them.  A game whose old records replay differently needs a higher version first,
for stored results would otherwise come to mean something else.  Records of a version that `Game.replays`
lists stay as they are: they show that the list is right.
"""

from __future__ import annotations

import json
from random import Random

import pytest
from support.games import TABLES, each_table
from support.places import GOLDEN
from support.toy_game import Toy

from engines import can_replay, canonical, playout, replay

SEEDS = {"stella-quest": 290, "starry-sky": 845, "stellar": 4, "stella": 81}
"""Seeds of matches in which something happens, such as a reshuffle or a win of the Dummy."""


def told(event):
    return {"kind": event.kind, "public": event.public, "private": event.private}


def lines_of(game, deal, steps, moves, version):
    """Return a record: the deal with the first events, a line for every step, and the outcome."""
    head = {"game": game.name, "version": version, "deal": deal, "events": [*map(told, steps[0].events)]}
    made = [
        {"moves": together, "events": [*map(told, step.events)]}
        for together, step in zip(moves, steps[1:], strict=True)
    ]
    outcome = game.outcome(steps[-1].state)
    return [*map(canonical, [head, *made, {"ranks": outcome.ranks, "scores": outcome.scores}])]


def new_record(game, seats, version):
    rng = Random(SEEDS.get(game.name, 1))
    deal = game.deal(seats, rng)
    match = list(playout(game, deal, seats, rng))
    return lines_of(game, deal, match, [played.moves for played in match[1:]], version)


def version_of(path, game):
    """Return the version of a record that still replays, else that of the game."""
    if not path.exists():
        return game.version
    with path.open(encoding="utf-8") as record:
        version = json.loads(record.readline())["version"]
    return version if version in game.replays else game.version


def rewrite(path, lines):
    """Write a record; fail if it changes one of the same version."""
    if path.exists():
        old = path.read_text("utf-8").splitlines()
        if old != lines and json.loads(old[0])["version"] == json.loads(lines[0])["version"]:
            pytest.fail(f"{path.name} changes: raise the version of the game, then rewrite it")
    path.write_text("\n".join(lines) + "\n", "utf-8")


@each_table
def test_a_golden_record_replays_to_the_letter(game, seats, request):
    path = GOLDEN / f"{game.name}-{seats}.jsonl"
    if request.config.getoption("--regold"):
        rewrite(path, new_record(game, seats, version_of(path, game)))
    expected = path.read_text("utf-8").splitlines()
    head, *made, _ = map(json.loads, expected)
    moves = [line["moves"] for line in made]
    assert can_replay(game, head["version"]), f"{path.name} is of version {head['version']}: rewrite it"
    steps = list(replay(game, head["deal"], seats, moves))
    lines = lines_of(game, head["deal"], steps, moves, head["version"])
    for number, (line, again) in enumerate(zip(expected, lines, strict=True), 1):
        assert line == again, f"line {number} of {path.name} replays differently"


def test_every_golden_record_belongs_to_a_table():
    assert {f"{game.name}-{seats}.jsonl" for game, seats in TABLES} == {
        path.name for path in GOLDEN.iterdir()
    }


def test_a_golden_record_of_the_same_version_is_not_rewritten_with_other_lines(tmp_path):
    path = tmp_path / "game-2.jsonl"
    rewrite(path, ['{"version":1}', '{"moves":{}}'])
    rewrite(path, ['{"version":1}', '{"moves":{}}'])
    with pytest.raises(pytest.fail.Exception, match="raise the version"):
        rewrite(path, ['{"version":1}', '{"moves":{"0":"a"}}'])
    rewrite(path, ['{"version":2}', '{"moves":{"0":"a"}}'])
    assert ['{"version":2}', '{"moves":{"0":"a"}}'] == path.read_text("utf-8").splitlines()


def test_a_golden_record_of_a_version_that_replays_keeps_its_version(tmp_path):
    class Later(Toy):
        version = 4
        replays = frozenset({3})

    path = tmp_path / "toy-3.jsonl"
    assert 4 == version_of(path, Later())
    for version, expected in ((2, 4), (3, 3), (4, 4)):
        path.write_text(f'{{"version":{version}}}\n')
        assert expected == version_of(path, Later())


DRAWN_AND_REFILLED = ('"kind":"draw"', '"kind":"refill"')
FELL_AND_FLIPPED = ('"kind":"fall"', '"flipped":true', '"flipped":false', '"dark":null')
TELLING = {
    "stellar-2": ('"kind":"wipe"', '"kind":"keep"', '"reshuffled":true', ' down"'),
    "stella-quest-2": (*DRAWN_AND_REFILLED, '"public":{"seat":"dummy"}', '"why":"enlightened"'),
    "stella-quest-3": DRAWN_AND_REFILLED,
    "stella-quest-4": (*DRAWN_AND_REFILLED, '"kind":"reshuffle"', '"why":"eliminated"'),
    "starry-sky-3": ('"token":"?"', '"kind":"skip"', '"coins":[1,1,1]', '"ranks":[1,3,1]'),  # ties
    "starry-sky-4": ('"token":"?"', '"coins":[2,0,2,8]'),  # the second are tied
    "starry-sky-5": ('"token":"?"', '"coins":[10,0,0,0,0]'),  # who is alone on a board gets both prizes
    "stella-3": (*FELL_AND_FLIPPED, '"dark":1'),
    "stella-4": (*FELL_AND_FLIPPED, '"dark":2'),
    "stella-5": (*FELL_AND_FLIPPED, '"dark":4'),
    "stella-6": (*FELL_AND_FLIPPED, '"dark":0'),
}
"""What stands in the records: the rare things, so that a change in them is seen."""


@pytest.mark.parametrize("table", TELLING)
def test_a_golden_match_shows_the_rare_things(table):
    text = (GOLDEN / f"{table}.jsonl").read_text("utf-8")
    assert [] == [thing for thing in TELLING[table] if thing not in text]
