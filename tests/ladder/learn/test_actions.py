"""Moves as numbered actions: every move has one path, and a wrong action says what is wrong."""

import json
from copy import deepcopy
from itertools import combinations
from random import Random

import pytest
from support.learning import IDS, NUMBERED
from support.short_game import Showdown

from engines import GAMES, Some
from engines.judge import beaten_by
from ladder.learn.actions import ActionMatch, ActionTable


def begin(table, seed):
    return table.begin(Random(seed))


@pytest.mark.parametrize(("game", "seats"), NUMBERED, ids=IDS)
def test_a_random_match_by_actions_is_a_match_by_options(game, seats):
    table, rng = ActionTable(game, seats), Random(seats)
    match = table.begin(rng)
    mirror = match.position.copy()
    while not match.position.over:
        legal = match.legal()
        assert len(set(legal)) == len(legal) > 0
        action = legal[int(rng.random() * len(legal))]
        marked, seat = [*match.marked], match.position.seat
        before = json.loads(match.position.write_choice(seat))
        match.play(action)
        if match.marked:
            assert [*marked, action] == match.marked
            continue
        if before["kind"] == "some":
            done = action == len(table.places)
            move = [table.words[place] for place in (marked if done else [*marked, action])]
        else:
            move = table.words[action]
        mirror.play(mirror.option_of(seat, move))
        assert mirror.write_view(seat) == match.position.write_view(seat)
    rewards = match.rewards()
    assert [2 * share - 1 for share in beaten_by(mirror.outcome().ranks)] == rewards
    assert abs(sum(rewards)) < 1e-9


def paths_of(match):
    """Return the moves to which paths of actions lead, one for each path."""
    if not match.marked and match.position.moves_made:
        return match.position.moves_made
    found = []
    for action in match.legal():
        other = deepcopy(match)
        other.play(action)
        found += paths_of(other)
    return found


class OneChoice:
    """A position in which one seat makes one choice."""

    def __init__(self, choice, moves_made=()):
        self.choice, self.moves_made, self.over, self.seat = choice, [*moves_made], bool(moves_made), 0

    def copy(self):
        return OneChoice(self.choice, self.moves_made)

    def options(self):
        return ()

    def write_choice(self, seat):
        return json.dumps(self.choice.to_json())

    def option_of(self, seat, move):
        return self.choice.rank_of(move)

    def play(self, option):
        self.moves_made, self.over = [self.choice.move_at(option)], True


@pytest.mark.parametrize(("low", "high"), [(0, 3), (1, 1), (1, 2), (2, 4), (3, 3), (0, 1), (4, 4)])
def test_each_move_of_several_has_one_path(low, high):
    """Also where so few are left that they must be marked."""
    table = ActionTable("stella", 4)
    words = [table.words[place] for place in (9, 4, 30, 7)]  # not in the order of the vocabulary
    expected = [move for size in range(low, high + 1) for move in combinations(words, size)]
    match = ActionMatch(table, OneChoice(Some(tuple(words), low, high)), {})
    assert sorted(expected) == sorted(paths_of(match))


def test_a_copy_remembers_what_is_marked():
    table = ActionTable("stella", 4)
    match = begin(table, 1)
    while match.table.words[match.legal()[0]] in ("keep", "flip"):
        match.play(match.legal()[0])
    match.play(match.legal()[0])
    other = deepcopy(match)
    assert match.marked == other.marked != []
    other.play(other.legal()[0])
    assert 1 == len(match.marked)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (("go",), ValueError, "expected one of the games .*stellar.*got: 'go'"),
        (("stellar", 5), ValueError, "seats"),
        (("stellar", 2, {"rows": 3}), ValueError, "rows"),
        ((Showdown(),), NotImplementedError, r"implement columns\(seats, options\)"),
    ],
)
def test_a_table_that_cannot_be_is_refused(arguments, error, words):
    with pytest.raises(error, match=words):
        ActionTable(*arguments)


def test_a_game_that_lacks_the_methods_says_what_to_write():
    class Bare:
        name, seats = "bare", (2,)

    with pytest.raises(NotImplementedError, match=r"bare does not list its moves: implement vocabulary"):
        ActionTable(Bare())


def test_a_deal_of_other_options_is_refused():
    table = ActionTable("stellar")
    other = GAMES["stellar"].deal(2, Random(1), {"face_down_number": "three"})
    with pytest.raises(ValueError, match=r"expected a deal with the options .*'three'"):
        table.begin(Random(1), other)


def test_a_refusal_says_what_the_action_means_and_what_was_expected():
    table = ActionTable("stella", 3)
    match = begin(table, 2)
    assert "vote" == match.position.step
    told = match.refuse(table.words.index("c05"))
    assert "expected one of 2 moves, got: 'c05' (not a move of stella)" == told
    while match.position.step == "vote":
        match.play(0)
    match.play(max(match.legal()[:-1]))
    told = "show c01: expected one of the actions that the mask allows"
    assert told == match.refuse(86)
    for wrong in (-1, 171):
        assert f"expected an action from 0 to 170, got: {wrong}" == match.refuse(wrong)
    table.strict = True
    with pytest.raises(ValueError, match=f"^{told}$"):
        match.refuse(86)
    for wrong in (None, "3", 1.0, [1]):
        with pytest.raises(TypeError, match="integer"):
            match.refuse(wrong)


def test_rewards_compare_each_seat_with_the_others():
    table = ActionTable("stella", 3)
    match = begin(table, 1)
    match.position.scores = [5, 9, 7]
    assert [-1, 1, 0] == match.rewards()
    assert [0, -1, 1] == match.rewards(loser=1)
    match.position.scores = [0, 0, 0]
    assert [-1, 0.5, 0.5] == match.rewards(loser=0)
