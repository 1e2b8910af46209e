"""The two forms of a choice, by themselves."""

import json
from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import Event, IllegalMove, InvalidMove, OneOf, Outcome, Some
from engines.game import below, shuffled

LETTERS = tuple("abcde")
BOUNDS = [(low, high) for low in range(6) for high in range(low, 6)]


def test_one_of_counts_what_it_iterates_over_and_takes_each_of_it():
    choice = OneOf(("a", "b", "c"))
    assert ["a", "b", "c"] == list(choice) == [choice.check(move) for move in choice]
    assert 3 == choice.count()


@pytest.mark.parametrize("move", [None, True, 1, 1.5, [], ["a"], {}, {"move": "a"}, ("a",), b"a"])
def test_one_of_cannot_read_what_is_not_a_string(move):
    with pytest.raises(InvalidMove, match="expected a move as a string, got: "):
        OneOf(LETTERS).check(move)


@pytest.mark.parametrize("move", ["", "A", "a ", "ab", "f", "a" * 100_000])
def test_one_of_refuses_a_string_that_is_no_option_and_quotes_it_shortly(move):
    with pytest.raises(IllegalMove, match="expected one of 5 moves, got: '") as refusal:
        OneOf(LETTERS).check(move)
    assert len(str(refusal.value)) < 200
    assert not isinstance(refusal.value, InvalidMove)


def test_one_of_a_single_option_names_it_when_it_refuses():
    with pytest.raises(IllegalMove, match="expected one of the move 'a', got: 'b'"):
        OneOf(("a",)).check("b")


def test_one_of_samples_every_option_equally_often():
    rng = Random(1)
    seen = Counter(OneOf(LETTERS).sample(rng) for _ in range(5000))
    assert set(LETTERS) == set(seen)
    assert all(900 < count < 1100 for count in seen.values())


def test_one_of_goes_through_json():
    assert {"kind": "one", "options": ["a", "b"]} == json.loads(json.dumps(OneOf(("a", "b")).to_json()))


@pytest.mark.parametrize(("low", "high"), BOUNDS)
def test_some_counts_what_it_iterates_over_and_gives_each_move_its_place(low, high):
    some = Some(LETTERS, low, high)
    moves = list(some)
    assert [c for size in range(low, high + 1) for c in combinations(LETTERS, size)] == moves
    assert len(set(moves)) == some.count()
    assert [*range(some.count())] == [some.rank_of(move) for move in moves]
    assert moves == [some.move_at(rank) for rank in range(some.count())]


@pytest.mark.parametrize(("low", "high"), BOUNDS)
def test_every_move_of_some_passes_its_check_in_any_order_and_comes_back_in_the_order_of_the_options(
    low, high
):
    some = Some(LETTERS, low, high)
    rng = Random(2)
    for move in some:
        assert move == some.check(move)
        assert move == some.check(shuffled(move, rng))


def test_the_place_of_a_move_does_not_depend_on_how_it_is_written():
    some = Some(LETTERS, 1, 3)
    assert some.rank_of(LETTERS[:2]) == some.rank_of([*LETTERS[:2]][::-1])
    assert [0, 1] == [OneOf(LETTERS).rank_of(letter) for letter in LETTERS[:2]]
    assert LETTERS[1] == OneOf(LETTERS).move_at(1)


@pytest.mark.parametrize("choice", [OneOf(LETTERS), Some(LETTERS, 1, 3)])
def test_what_is_no_move_has_no_place(choice):
    with pytest.raises(IllegalMove):
        choice.rank_of("nonsense")


@pytest.mark.parametrize(("low", "high"), BOUNDS)
def test_samples_of_some_cover_every_move_about_equally_often(low, high):
    some, rng = Some(LETTERS, low, high), Random(3)
    seen = Counter(some.sample(rng) for _ in range(200 * some.count()))
    assert set(some) == set(seen)
    assert all(120 < count < 280 for count in seen.values())


@given(st.sets(st.integers(0, 30), min_size=1), st.data())
def test_a_sample_of_some_is_one_of_its_moves(numbers, data):
    options = tuple(map(str, sorted(numbers)))
    low = data.draw(st.integers(0, len(options)))
    some = Some(options, low, data.draw(st.integers(low, len(options))))
    move = some.sample(Random(data.draw(st.integers(0, 1000))))
    assert move == some.check(list(move))


@pytest.mark.parametrize("move", [None, True, 1, "a", {}, {"a": 1}, [1], [1, 1], [None], [["a"]], ["a", 1]])
def test_some_cannot_read_what_is_not_a_list_of_strings(move):
    with pytest.raises(InvalidMove, match="expected a move as a list of strings, got: "):
        Some(LETTERS, 1, 3).check(move)


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ([], "expected 1 to 3 options, got 0"),
        (["a", "b", "c", "d"], "expected 1 to 3 options, got 4"),
        (["a", "a"], "expected different options, got one twice"),
        (["a", "x"], "expected some of 5 moves, got: 'x'"),
        (["a"] * 100_000, "expected different options, got one twice"),
    ],
)
def test_some_refuses_strangers_repetitions_and_wrong_sizes(move, message):
    with pytest.raises(IllegalMove, match=message) as refusal:
        Some(LETTERS, 1, 3).check(move)
    assert len(str(refusal.value)) < 200
    assert not isinstance(refusal.value, InvalidMove)


def test_some_goes_through_json():
    expected = {"kind": "some", "options": ["a", "b"], "low": 1, "high": 2}
    assert expected == json.loads(json.dumps(Some(("a", "b"), 1, 2).to_json()))


def test_choices_are_values():
    assert OneOf(("a",)) == OneOf(("a",))
    assert hash(Some(("a",), 0, 1)) == hash(Some(("a",), 0, 1))


def test_below_covers_its_range_and_shuffled_every_order_about_equally_often():
    rng = Random(4)
    assert {0, 1, 2} == {below(3, rng) for _ in range(100)}
    orders = Counter("".join(shuffled("abcd", rng)) for _ in range(4800))
    assert 24 == len(orders)
    assert all(140 < count < 260 for count in orders.values())


def test_an_event_shows_every_seat_the_public_part_and_its_own():
    event = Event("deal", {"row": ["x"]}, {1: {"hand": ["y"]}})
    assert {"event": "deal", "row": ["x"]} == event.seen_by(0) == event.seen_by(None)
    assert {"event": "deal", "row": ["x"], "hand": ["y"]} == event.seen_by(1)
    assert {"event": "pass"} == Event("pass").seen_by(0)


@pytest.mark.parametrize(
    ("scores", "tiebreak", "ranks"),
    [
        ([3, 5], (), (2, 1)),
        ([5, 5], (), (1, 1)),
        ([9, 9, 4], (), (1, 1, 3)),
        ([4, 9, 9, 9], (), (4, 1, 1, 1)),
        ([5, 5, 5], (1, 3, 2), (3, 1, 2)),
        ([6, 5, 5], (0, 3, 3), (1, 2, 2)),
    ],
)
def test_a_rank_is_one_more_than_the_number_of_better_seats(scores, tiebreak, ranks):
    assert Outcome(ranks, tuple(scores)) == Outcome.ranked(scores, tiebreak)
