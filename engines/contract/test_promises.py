"""What every game promises, at every table size."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest

from engines.contract.secrets import random_options
from engines.contract.subject import Subject
from engines.contract.texts import wide_lines
from engines.game import Choice, Game, IllegalMove, Json, OneOf, Some
from engines.playout import onwards, playout, replay
from engines.wording import tell_view

LONGEST = 10_000
"""No match of any game has more steps."""


class NothingButRandom(Random):
    """A generator of which only random() may be used: the rest is not promised to stay as it is."""

    def getrandbits(self, k: int, /) -> int:
        raise AssertionError("expected Random.random() only")


def texts(value: Json) -> Iterator[str]:
    """Yield every text inside a deal; keys do not count."""
    for inside in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from texts(inside)
    if isinstance(value, str):
        yield value


def lists(value: Json, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], list[str]]]:
    """Yield every list of several texts inside a deal, with the path to it."""
    if isinstance(value, list) and len(value) > 1 and all(isinstance(item, str) for item in value):
        yield path, value
    elif isinstance(value, (dict, list)):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from lists(value[key], (*path, key))


def orders(game: Game[Any], seats: int) -> Iterator[tuple[tuple[Any, ...], list[str]]]:
    """Yield the lists of a deal that luck only puts in order, and their paths: every deal has what they hold.

    What stands in some deals only may be any text.
    """
    deals = [game.deal(seats, Random(seed)) for seed in range(10)]
    always = set.intersection(*[set(texts(deal)) for deal in deals])
    for path, items in lists(deals[0]):
        if always.issuperset(items):
            yield path, items


def with_list(deal: Mapping[str, Any], path: tuple[Any, ...], items: Json) -> dict[str, Any]:
    changed = copy.deepcopy({**deal})
    *way, last = path
    inside: Any = changed
    for key in way:
        inside = inside[key]
    inside[last] = items
    return changed


def bad_moves(choice: Choice, strangers: set[str]) -> Iterator[Json]:
    """Yield what no seat may answer to *choice*."""
    yield from (None, True, 0, 1.5, {}, {"move": "a"}, [1, 1], [None], [[]], "", "nonsense", "x" * 1_000)
    yield from (["nonsense"], [choice.options[0]] * 2, [choice.options[0]] * 1_000)
    if isinstance(choice, OneOf):
        yield from ([], [choice.options[0]], choice.options[:1])
        yield from sorted(strangers - set(choice.options))[:50]
    else:
        yield choice.options[0]
        yield from ([stranger] for stranger in sorted(strangers - set(choice.options))[:50])


def test_a_match_ends_and_only_then_has_an_outcome(subject: Subject, seats: int) -> None:
    game = subject.game
    for seed in range(20):
        rng = Random(seed)
        for steps, played in enumerate(playout(game, game.deal(seats, rng), seats, rng)):
            choices = game.choices(played.state)
            assert steps < LONGEST
            assert all(choice.count() > 0 for choice in choices.values())
            assert choices.keys() <= set(range(seats))
            if choices:
                with pytest.raises(ValueError, match="not over"):
                    game.outcome(played.state)
        outcome = game.outcome(played.state)
        assert seats == len(outcome.ranks) == len(outcome.scores)


def test_every_sampled_move_is_legal_and_every_bad_move_is_refused(subject: Subject, seats: int) -> None:
    game = subject.game
    rng = Random(5)
    strangers: set[str] = set()
    for played in playout(game, game.deal(seats, rng), seats, rng):
        state, choices = played.state, game.choices(played.state)
        before, views = hash(state), [game.view(state, seat) for seat in range(seats)]
        good = {seat: choice.sample(rng) for seat, choice in choices.items()}
        for seat, choice in choices.items():
            assert isinstance(choice, (OneOf, Some))
            assert good[seat] == choice.check(good[seat])
            for bad in bad_moves(choice, strangers):
                with pytest.raises(IllegalMove):
                    choice.check(bad)
                with pytest.raises(IllegalMove):
                    game.play(state, good | {seat: bad})
            strangers.update(choice.options)
        assert (before, views) == (hash(state), [game.view(state, seat) for seat in range(seats)])


def test_exactly_the_seats_that_are_asked_may_move(subject: Subject, seats: int) -> None:
    game = subject.game
    rng = Random(6)
    for played in playout(game, game.deal(seats, rng), seats, rng):
        moves = {seat: choice.sample(rng) for seat, choice in game.choices(played.state).items()}
        a_move = next(iter(moves.values()), "nonsense")
        for seat in moves:
            with pytest.raises(ValueError, match="seats"):
                game.play(played.state, {who: move for who, move in moves.items() if who != seat})
        for seat in {*range(seats), -1, seats, "0", None} - set(moves):
            with pytest.raises(ValueError, match="seats"):
                game.play(played.state, moves | {seat: a_move})
        with pytest.raises(ValueError, match="seats"):
            game.play(played.state, {})


def test_a_deal_with_a_card_missing_doubled_or_foreign_cannot_start(subject: Subject, seats: int) -> None:
    game = subject.game
    deal, found = game.deal(seats, Random(0)), [*orders(game, seats)]
    for path, items in found:
        double = next(item for item in items if item != items[0])
        for changed in (items[1:], [*items, items[0]], [double, *items[1:]], ["X9", *items[1:]], None, []):
            with pytest.raises(ValueError, match=r"expected|at least"):
                game.start(with_list(deal, path, changed), seats)
    assert found


def test_a_deal_is_json_and_depends_on_nothing_but_its_arguments(subject: Subject, seats: int) -> None:
    game = subject.game
    for seed in range(20):
        options = random_options(game, Random(seed))
        deal = game.deal(seats, Random(seed), options)
        assert json.loads(json.dumps(deal)) == deal == game.deal(seats, Random(seed), options)
        assert game.start(deal, seats) == game.start(json.loads(json.dumps(deal)), seats)
        assert options == game.view(game.start(deal, seats).state, None)["options"]
    assert game.deal(seats, Random(1)) != game.deal(seats, Random(2))


def test_a_table_size_or_an_option_that_a_game_does_not_have_is_refused(subject: Subject, seats: int) -> None:
    game = subject.game
    deal = game.deal(seats, Random(8))
    for wrong in (0, 1, max(game.seats) + 1):
        with pytest.raises(ValueError, match="seats"):
            game.deal(wrong, Random(8))
        with pytest.raises(ValueError, match="seats"):
            game.start(deal, wrong)
    with pytest.raises(ValueError, match="no_such_option"):
        game.deal(seats, Random(8), {"no_such_option": 1})
    for key in game.options:
        with pytest.raises(ValueError, match=key):
            game.deal(seats, Random(8), {key: "no such value"})


def test_missing_options_are_the_first_ones(subject: Subject, seats: int) -> None:
    game = subject.game
    assert {key: values[0] for key, values in game.options.items()} == game.deal(seats, Random(9))["options"]
    assert game.deal(seats, Random(9)) == game.deal(seats, Random(9), {})


def test_luck_comes_from_random_alone(subject: Subject, seats: int) -> None:
    game = subject.game
    for seed in range(5):
        plain, strict = Random(seed), NothingButRandom(seed)
        one = list(playout(game, game.deal(seats, plain), seats, plain))
        other = list(playout(game, game.deal(seats, strict), seats, strict))
        assert one == other
        game.imagine(game.view(one[len(one) // 2].state, 0), strict)


def test_a_record_that_has_been_through_json_replays_the_same_match(subject: Subject, seats: int) -> None:
    game = subject.game
    for seed in range(10):
        rng = Random(seed)
        deal = game.deal(seats, rng, random_options(game, rng))
        match = list(playout(game, deal, seats, rng))
        record = json.loads(json.dumps({"deal": deal, "moves": [played.moves for played in match[1:]]}))
        again = list(replay(game, record["deal"], seats, record["moves"]))
        assert [(played.state, played.events) for played in match] == again
        assert [hash(played.state) for played in match] == [hash(step.state) for step in again]


def test_ranks_begin_at_1_and_count_the_strictly_better_seats(subject: Subject, seats: int) -> None:
    game = subject.game
    for seed in range(20):
        rng = Random(seed)
        *_, last = playout(game, game.deal(seats, rng), seats, rng)
        ranks = game.outcome(last.state).ranks
        assert 1 == min(ranks)
        assert all(rank == 1 + sum(other < rank for other in ranks) for rank in ranks)


def test_states_are_values_that_can_be_copied_and_pickled(subject: Subject, seats: int) -> None:
    game = subject.game
    rng = Random(10)
    for played in playout(game, game.deal(seats, rng), seats, rng):
        for again in (pickle.loads(pickle.dumps(played.state)), copy.deepcopy(played.state)):
            assert played.state == again
            assert hash(played.state) == hash(again)
            assert game.choices(played.state) == game.choices(again)


def test_whoever_changes_what_a_game_hands_out_changes_nothing_in_it(subject: Subject, seats: int) -> None:
    game = subject.game

    def spoil(value: Json) -> None:
        for inside in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            spoil(inside)
        if isinstance(value, (dict, list)):
            value.clear()

    rng = Random(11)
    for played in playout(game, game.deal(seats, rng), seats, rng):
        state = played.state
        views = [json.dumps(game.view(state, seat)) for seat in range(seats)]
        choices = dict(game.choices(state))
        for seat in range(seats):
            spoil(game.view(state, seat))
        spoil(game.choices(state))
        assert choices == game.choices(state)
        assert views == [json.dumps(game.view(state, seat)) for seat in range(seats)]


def test_an_imagined_world_can_be_played_to_its_end(subject: Subject, seats: int) -> None:
    game = subject.game
    rng = Random(12)
    for step, played in enumerate(playout(game, game.deal(seats, rng), seats, rng)):
        if step & (step - 1) == 0:  # at every power of two
            for seat in [*range(seats), None]:
                state = game.imagine(game.view(played.state, seat), rng)
                for last in onwards(game, state, rng):
                    state = last.state
                assert seats == len(game.outcome(state).ranks)


def test_a_view_can_be_told_in_plain_text_of_at_most_100_columns(subject: Subject, seats: int) -> None:
    game = subject.game
    rng = Random(13)
    for played in playout(game, game.deal(seats, rng), seats, rng):
        for seat in [*range(seats), None]:
            view, news = game.view(played.state, seat), [event.seen_by(seat) for event in played.events]
            for told in (game.text(view), tell_view(game, view, news)):
                assert [] == wide_lines(told.splitlines(), 100)
                assert [] == [line for line in told.splitlines() if not line.isprintable()]
            assert told == tell_view(game, json.loads(json.dumps(view)), news)


def test_the_rules_are_summed_up_in_at_most_60_lines_of_100_columns(subject: Subject, seats: int) -> None:
    game = subject.game
    lines = game.summary.splitlines()
    assert 4 <= len(lines) <= 60
    assert [] == wide_lines(lines, 100)
    assert all(option in game.summary for option in game.options)


def test_the_ratings_can_be_computed_with_what_the_game_declares(subject: Subject) -> None:
    draws: float | Mapping[int, float] = subject.game.draw_probability
    assert all(0 < each < 1 for each in (draws.values() if isinstance(draws, Mapping) else [draws]))
    assert not isinstance(draws, Mapping) or draws.keys() == set(subject.game.seats)
    assert 0 < subject.game.beta < 1e6
