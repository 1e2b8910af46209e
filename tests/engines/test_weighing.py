"""Worlds weighed by what the others did, and the way back to their decisions."""

import json
from math import log, sqrt
from random import Random
from statistics import fmean, stdev

import pytest
from support.draws import times

from engines import GAMES, find_policy
from engines.position import read_view
from engines.template import Toy
from engines.weighing import weigh

TABLES = [(name, seats) for name in ("stella-quest", "starry-sky", "stellar") for seats in GAMES[name].seats]


def matches(name, seats, count, chance=0.1, seed=1):
    """Yield, at every decision of matches of greedy, the position, what the seat was told, and all decisions.

    With *chance* a move is a random one.
    """
    game, rng = GAMES[name], Random(seed)
    greedy = find_policy(game, "greedy-1")
    for _ in range(count):
        world = game.begin(game.deal(seats, rng), seats)
        told, made = [[] for _ in range(seats)], []
        while True:
            for seat in range(seats):
                told[seat] += map(json.loads, world.write_events(seat))
            if world.over:
                break
            yield world.copy(), [*told[world.seat]], [*made]
            for seat in world.seats():
                chosen = world.sample(rng.random) if rng.random() < chance else greedy(world, seat, rng)
                made.append((world.copy(), seat, chosen))
                world.play(chosen)


def seen(world, seats):
    return [world.write_view(seat) for seat in seats]


@times(1, 20)
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_in_the_true_world_the_way_back_gives_the_decisions_that_were_made(name, seats, number):
    for place, (world, told, made) in enumerate(matches(name, seats, number)):
        own = world.seat
        if number == 1 and place % 7:
            continue
        others = [decision for decision in made if decision[1] != own]
        found = GAMES[name].unplay(world, told, own)
        assert [choice for _, *choice in others] == [choice for _, *choice in found]
        for (then, _, _), decision in zip(others, found, strict=True):
            # before a reshuffle of Stella Quest a world does not say when hidden cards came
            alike = name == "stella-quest" and len(then.past) < len(world.past)
            who = [None, own] if alike else [None, *range(seats)]
            assert seen(then, who) == seen(decision.position, who)


@times(1, 10)
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_in_an_imagined_world_the_match_can_have_gone_as_the_seat_was_told(name, seats, number):
    rng = Random(2)
    for world, told, made in matches(name, seats, number):
        own = world.seat
        imagined = GAMES[name].imagine(read_view(world, own), rng)
        before = imagined.copy()
        found = GAMES[name].unplay(imagined, told, own)  # it raises where other events follow
        assert before == imagined
        assert [seat for _, seat, _ in made if seat != own] == [decision.seat for decision in found]
        assert all(decision.position.allows(decision.seat, decision.option) for decision in found)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_events_that_cannot_have_happened_in_a_world_are_an_error(name, seats):
    *_, (world, told, _) = matches(name, seats, 1)
    *_, (other, _, _) = matches(name, seats, 1, seed=5)
    game = GAMES[name]
    for wrong in (other, game.begin(game.deal(seats, Random(1)), seats)):
        with pytest.raises(ValueError, match=r"."):
            game.unplay(wrong, told, world.seat)
    for wrong in (told[1:], [*told, told[-1]], [*told, {"event": "weather"}]):
        with pytest.raises(ValueError, match=r"."):
            game.unplay(world, wrong, world.seat)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_events_of_another_match_and_a_gap_are_said_to_belong_to_another_view(name, seats):
    pairs = zip(matches(name, seats, 1), matches(name, seats, 1, seed=5), strict=False)
    for (world, told, _), (_, others, _) in [*pairs][3::4]:
        for wrong in (others, [*told[:1], *told[3:]], told[1:], [], 5):
            with pytest.raises(ValueError, match=r"^the events do not belong to this view: expected all"):
                weigh(GAMES[name], read_view(world, world.seat), wrong, first, Random(1), worlds=1)


@pytest.mark.parametrize("last", [0, -1])
def test_no_decisions_are_refused(last):
    with pytest.raises(ValueError, match=f"expected last to be 1 decision or more, or None, got: {last}"):
        weigh(GAMES["stellar"], {}, [], first, Random(1), last=last)


def first(position, seat, rng):
    """Return the first option: a policy."""
    return position.options()[0]


def any_option(position, seat, rng):
    return position.sample(rng.random)


@pytest.mark.parametrize(("name", "seats"), [("stella-quest", 3), ("starry-sky", 4), ("stellar", 2)])
def test_weights_sum_to_1_and_none_is_0_and_noise_alone_weighs_all_alike(name, seats):
    *_, (world, told, _) = matches(name, seats, 1)
    view = read_view(world, world.seat)
    belief = weigh(GAMES[name], view, told, first, Random(1), worlds=8)
    assert 1 == pytest.approx(sum(belief.weights))
    assert 0 < min(belief.weights)
    assert 1 <= belief.effective <= 8
    flat = weigh(GAMES[name], view, told, first, Random(1), worlds=8, noise=1.0, last=1)
    assert belief.worlds == flat.worlds
    counts = {len(GAMES[name].unplay(each, told, world.seat)[-1].position.options()) for each in flat.worlds}
    assert len(counts) > 1 or 8 == pytest.approx(flat.effective)


@pytest.mark.parametrize(("worlds", "noise"), [(0, 0.1), (1, 0.0), (1, 1.5), (1, float("nan"))])
def test_no_worlds_and_another_noise_are_refused(worlds, noise):
    with pytest.raises(ValueError, match="expected 1 world or more"):
        weigh(GAMES["stellar"], {}, [], first, Random(1), worlds, noise)


@pytest.mark.parametrize(("game", "seats"), [(GAMES["stella"], 3), (Toy(), 3)])
def test_a_game_that_does_not_go_back_says_what_it_needs(game, seats):
    world = game.begin(game.deal(seats, Random(1)), seats)
    with pytest.raises(NotImplementedError, match=rf"{game.name} cannot be weighed: it needs unplay"):
        weigh(game, read_view(world, 0), [], first, Random(1))


def hidden(name, world, own):
    """Return what *own* does not see of the others, each a fact that is true or false in another world."""
    if name == "starry-sky":
        return {
            (star, world.laid[star])
            for seat, stars in enumerate(world.hidden)
            if seat != own
            for star in stars
        }
    return {(seat, card) for seat, hand in enumerate(world.hands) if seat != own for card in hand}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), [("stella-quest", 2), ("starry-sky", 3), ("stellar", 2)])
def test_the_true_cards_are_surely_likelier_under_the_weights_of_greedy(name, seats):
    game, gains, rng = GAMES[name], [], Random(3)
    greedy, worlds = find_policy(game, "greedy-1"), 24
    for number, (world, told, made) in enumerate(matches(name, seats, 12, chance=0.0)):
        own = world.seat
        if number % 5 or not hidden(name, world, own) or all(seat == own for _, seat, _ in made):
            continue
        belief = weigh(game, read_view(world, own), told, greedy, rng, worlds, last=6)
        gain = 0.0
        for fact in hidden(name, world, own):
            there = [fact in hidden(name, each, own) for each in belief.worlds]
            weighed = sum(weight for weight, is_there in zip(belief.weights, there, strict=True) if is_there)
            # a prior of a world for and a world against: no chance is 0
            gain += log((weighed * worlds + 1) / (sum(there) + 1))
        gains.append(gain)
    assert fmean(gains) - 3 * stdev(gains) / sqrt(len(gains)) > 0
