"""The luck of draws at Stellar: its expectation is 0, exactly, and it is bounded."""

from __future__ import annotations

import math
from itertools import permutations, product
from random import Random

import pytest
from support.house_play import Act, chooser
from support.stellar_by_name import ByName, finish, luck_of_draw, play_out

from engines.game import shuffled
from engines.playout import onwards
from engines.stellar import draws

STELLAR = ByName()
SEED_WITHOUT_RESHUFFLE = 4
interpreted = pytest.mark.skipif(
    not str(draws.__file__).endswith(".py"), reason="compiled code has its constants and functions built in"
)


class Dice:
    """A generator that shuffles as it is told: it rolls each of *faces* with a die of the sides given."""

    def __init__(self, faces, sides):
        self.rolls = [(face + 0.5) / side for face, side in zip(faces, sides, strict=True)]

    def random(self):
        return self.rolls.pop(0)


def greedy(state, seat, choice):
    return chooser("stellar", "greedy")(Act(STELLAR.view(state, seat), choice))


def a_match(seed, policy=greedy):
    """Return the first state of a match and the moves of its steps."""
    state = STELLAR.start(STELLAR.deal(2, Random(seed)), 2).state
    return state, [step.moves for step in onwards(STELLAR, state, policy)]


def states_of(seed):
    state, moves = a_match(seed)
    yield state
    for made in moves:
        state = STELLAR.play(state, made).state
        yield state


def test_playouts_are_matches_of_the_house_bot_by_the_rules():
    """With the real pile, each ends as the match that the engine plays between two `greedy` from there.

    Play-outs wipe less often, so as not to run out of cards; these begin after the last wipe.
    """
    compared = 0
    for seed in range(6):
        *states, end = states_of(seed)
        first, second = STELLAR.outcome(end).scores
        last = states[-1].discards
        leads = [
            play_out(state, state.pile)
            for state in states
            if state.step in {"wipe", "take", "place"} and state.discards == last
        ]
        assert {*leads} <= {first - second}
        compared += len(leads)
    assert compared > 60


def small_world(step):
    """Return a state before the last turn but one ends, in which the pile has only four cards, and moves."""
    for seed in range(40):
        for state in states_of(seed):
            after_draw = state.turn == 20 and state.step == step and not state.discards.cards
            if after_draw:
                seat, choice = next(iter(STELLAR.choices(state).items()))
                state = state._replace(pile=state.pile[:4])
                move = greedy(state, seat, choice)
                after = STELLAR.play(state, {seat: move}).state
                lucky = {lead_with(state, {seat: move}, order) for order in permutations(state.pile)}
                if len(after.pile) < 4 and len(lucky) > 1 and min(map(abs, lucky)) < 3:  # then it is close
                    return state, {seat: move}
    raise AssertionError("no such state")


def lead_with(state, moves, pile):
    after = STELLAR.play(state._replace(pile=pile), moves).state
    return play_out(after, after.pile)


@interpreted
@pytest.mark.parametrize("step", ["play", "place"])
def test_the_expectation_of_the_luck_of_a_draw_is_zero_over_all_orders_and_all_dice(step, monkeypatch):
    """By enumeration: 24 orders of the real pile, and 24 ways in which the dice may fall."""
    monkeypatch.setattr(draws, "SAMPLES", 1)
    state, moves = small_world(step)
    sides = [4, 3, 2]  # what `shuffled` rolls for four cards
    lucks = []
    for order in permutations(state.pile):
        real = state._replace(pile=order)
        after = STELLAR.play(real, moves).state
        rolls = (Dice(faces, sides) for faces in product(*map(range, sides)))
        lucks += [luck_of_draw(real, moves, after, dice) for dice in rolls]
    assert 576 == len(lucks)
    assert any(lucks)
    assert math.fsum(lucks) == pytest.approx(0, abs=1e-9)


@interpreted
def test_the_bound_holds_and_leaves_the_expectation_at_zero(monkeypatch):
    """Each draw is as lucky as can be or as unlucky: all the ways in which eight of them may fall."""
    state, moves = a_match(1)
    monkeypatch.setattr(draws, "FIRST_TURN", 15)
    monkeypatch.setattr(draws, "WEIGHTS", (0.7,) * 8)
    asked = []
    monkeypatch.setattr(draws, "_luck_of_draw", lambda *_: asked.append(1) or 0.0)
    STELLAR.luck(state, moves, Random(0))
    assert 6 <= len(asked) <= 12
    found = []
    for signs in product((-2.0, 2.0), repeat=len(asked)):
        left = [*signs]
        monkeypatch.setattr(draws, "_luck_of_draw", lambda *_: left.pop())  # noqa: B023
        found.append(STELLAR.luck(state, moves, Random(0)))
    assert max(map(abs, found)) == draws.MOST_LUCK
    assert math.fsum(found) == pytest.approx(0, abs=1e-9)


def test_luck_is_a_function_of_what_was_drawn_and_of_its_dice(monkeypatch):
    monkeypatch.setattr(draws, "SAMPLES", 2)
    state, moves = a_match(SEED_WITHOUT_RESHUFFLE)
    luck = STELLAR.luck(state, moves, Random(1))
    assert luck == STELLAR.luck(state, moves, Random(1))
    assert luck != STELLAR.luck(state, moves, Random(2))
    assert 0 < abs(luck) <= STELLAR.most_luck
    *_, last = states_of(SEED_WITHOUT_RESHUFFLE)
    assert 0 == last.discards.reshuffles
    kept = len(state.pile) - len(last.pile)
    other = state._replace(pile=(*state.pile[:kept], *reversed(state.pile[kept:])))
    assert luck == STELLAR.luck(other, moves, Random(1))


def test_a_match_that_a_fault_ended_has_luck_too(monkeypatch):
    monkeypatch.setattr(draws, "SAMPLES", 2)
    state, moves = a_match(5)
    assert 0.0 == STELLAR.luck(state, moves[:20], Random(1))
    assert STELLAR.luck(state, moves[:-9], Random(1))


@pytest.mark.parametrize("seed", range(6))
def test_matches_with_many_wipes_have_luck(seed, monkeypatch):
    """Their pile runs out, and play-outs go on with the discards."""
    monkeypatch.setattr(draws, "SAMPLES", 1)
    rng = Random(seed)

    def wiping(state, seat, choice):
        return "wipe" if "wipe" in choice.options else choice.sample(rng)

    state, moves = a_match(seed, wiping)
    assert abs(STELLAR.luck(state, moves, Random(1))) <= STELLAR.most_luck


def test_a_match_is_finished_with_the_cards_of_its_pile_and_then_the_discards():
    state, moves = a_match(4)
    finished = refused = 0
    for made in moves:
        state = STELLAR.play(state, made).state
        if state.step == "play":
            with pytest.raises(ValueError, match="wipe, take, place, final, got: 'play'"):
                finish(state, Random(1))
            refused += 1
        elif state.step != "over":
            rest = shuffled(state.discards.cards, Random(1))
            assert play_out(state, (*state.pile, *rest)) == finish(state, Random(1))
            finished += 1
    assert refused == 22
    assert finished > 22
