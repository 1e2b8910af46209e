"""A match in words: a line a step, by round, with names."""

import copy
import re

import pytest
from support.hostile_game import hostile_game
from support.random_matches import random_record

from engines.games import BUILT_IN
from ladder.replay.narration import tell_steps
from ladder.replay.replay import narrate, story_of
from ladder.replay.seat import narrate_seat

NAMES = ["ann", "bob", "cy"]


@pytest.mark.parametrize("game", BUILT_IN)
def test_every_step_has_one_line_in_order_with_its_notes_and_every_round_a_heading(game):
    seats = 2 if game == "stellar" else 3
    record = random_record(game, seats)
    lines = [*tell_steps(record, NAMES[:seats])]
    steps = [int(line[:4]) for line in lines if re.match(r" *\d+  ", line[:6])]
    assert [*range(len(record["moves"]))] == steps
    notes = sum(len(seat["notes"]) for seat in record["seats"])
    assert notes == sum(line.startswith("      # ") for line in lines)
    rounds = [int(found[1]) for line in lines if (found := re.match(r"Round (\d+)", line))]
    assert [*range(1, len(rounds) + 1)] == rounds
    assert not re.search(r"\b[Ss]eat \d", "\n".join(line for line in lines[:-1] if "#" not in line))


def test_a_seat_reads_nothing_of_what_another_chose_in_secret():
    one = random_record("starry-sky", 3)
    one["moves"] = one["moves"][:2]
    other = copy.deepcopy(one)
    first, second = sorted({"1@Cnc.2", "3@Cnc.2"})
    one["moves"][1][0][1], other["moves"][1][0][1] = first, second
    seat = one["moves"][1][0][0]
    for viewpoint in {0, 1, 2} - {seat}:
        assert [*tell_steps(one, NAMES, viewpoint)] == [*tell_steps(other, NAMES, viewpoint)]


def test_two_bots_alike_are_told_apart_and_the_referee_is_named():
    record = random_record("stella-quest", 3)
    record["moves"][0][0].append("referee")
    lines = [*tell_steps(record, ["ann", "ann", "bob"])]
    assert any("ann (0) plays" in line for line in lines)
    assert any(line.endswith(": the referee moved") for line in lines)


def test_a_game_without_events_is_told_by_its_moves():
    with hostile_game(play=silent_play):
        record = random_record("hostile", 3)
        assert any(re.match(r"   0  ann: bid \d\. bob: bid \d", line) for line in tell_steps(record, NAMES))


def silent_play(game, state, moves):
    step = super(type(game), game).play(state, moves)
    return step._replace(events=())


def test_words_have_the_head_of_the_moves_and_begin_and_end_with_who_won():
    record = random_record("stellar", 2)
    for whole in (narrate(record), narrate_seat(record, 0)):
        notation = [*whole]
        words = (
            [*narrate(record, {}, tell_steps)]
            if "block" in notation[0]
            else [*narrate_seat(record, 0, {}, lambda record, names: tell_steps(record, names, 0))]
        )
        assert words[0] == words[-1] == story_of(record)
        assert notation[:3] == words[1:4]
        assert "  1. " in notation[-2]
