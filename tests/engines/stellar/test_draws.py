"""The luck of draws at Stellar: its expectation is 0, exactly, and it is bounded."""

import math
from itertools import permutations, product
from random import Random

import pytest
from support.house_play import house_move
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
    return house_move("stellar", "greedy", state.state, seat)


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
        last = states[-1].discards, states[-1].reshuffles
        leads = [
            play_out(state, state.pile)
            for state in states
            if state.step in {"wipe", "take", "place"} and (state.discards, state.reshuffles) == last
        ]
        assert {*leads} <= {first - second}
        compared += len(leads)
    assert compared > 60


def small_world(step, twins):
    """Return a state before the last turn but one ends, in which the pile has only four cards, and moves.

    With *twins*, two of the four are equal.
    """
    for seed in range(40):
        for state in states_of(seed):
            after_draw = state.turn == 20 and state.step == step and not state.discards
            if after_draw:
                seat, choice = next(iter(STELLAR.choices(state).items()))
                for pile in with_twins(state.pile[:4]) if twins else [state.pile[:4]]:
                    small = state._replace(pile=pile)
                    move = greedy(small, seat, choice)
                    after = STELLAR.play(small, {seat: move}).state
                    lucky = {lead_with(small, {seat: move}, order) for order in permutations(pile)}
                    if (
                        len(after.pile) < 4 and len(lucky) > 1 and min(map(abs, lucky)) < 3
                    ):  # then it is close
                        return small, {seat: move}
    raise AssertionError("no such state")


def with_twins(pile):
    """Yield *pile* with one card in place of another, for each two."""
    for kept, gone in permutations(range(len(pile)), 2):
        yield (*pile[:gone], pile[kept], *pile[gone + 1 :])


def lead_with(state, moves, pile):
    after = STELLAR.play(state._replace(pile=pile), moves).state
    return play_out(after, after.pile)


@interpreted
@pytest.mark.parametrize("twins", [False, True])
@pytest.mark.parametrize("step", ["play", "place"])
def test_the_expectation_of_the_luck_of_a_draw_is_zero_over_all_orders_and_all_dice(step, twins, monkeypatch):
    """By enumeration: 24 orders of the real pile, and 24 ways in which the dice may fall."""
    monkeypatch.setattr(draws, "SAMPLES", 1)
    state, moves = small_world(step, twins)
    assert twins == (len(set(state.pile)) < 4)
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
@pytest.mark.parametrize(
    ("values", "chance"),
    [((-2.0, 2.0), 1 / 2), ((-0.5, 2.0), 1 / 5), ((-2.0, 0.5), 4 / 5)],
    ids=["fair", "seldom much luck", "seldom much bad luck"],
)
def test_the_bound_holds_and_leaves_the_expectation_at_zero(values, chance, monkeypatch):
    """Each draw has one of two *values*, the second with this *chance*: all the ways in which they may fall.

    What is cut off at the bound would be missing on one side only where luck is seldom but great.
    """
    state, moves = a_match(1)
    monkeypatch.setattr(draws, "FIRST_TURN", 17)
    monkeypatch.setattr(draws, "WEIGHTS", (0.7,) * 6)
    asked = []
    monkeypatch.setattr(draws, "_luck_of_draw", lambda *_: asked.append(1) or 0.0)
    STELLAR.luck(state, moves, Random(0))
    assert 4 <= len(asked) <= 10
    found, terms = [], []
    for fall in product((0, 1), repeat=len(asked)):
        left = [values[lucky] for lucky in fall]
        monkeypatch.setattr(draws, "_luck_of_draw", lambda *_: left.pop())  # noqa: B023
        found.append(STELLAR.luck(state, moves, Random(0)))
        terms.append(found[-1] * math.prod(chance if lucky else 1 - chance for lucky in fall))
    assert max(map(abs, found)) == draws.MOST_LUCK
    assert math.fsum(terms) == pytest.approx(0, abs=1e-9)


def test_draws_from_an_order_that_a_bot_may_know_have_no_luck():
    """A deal has three orders for reshuffles and begins with the first one again after them."""
    state, moves = a_match(SEED_WITHOUT_RESHUFFLE)
    for made in moves[:-9]:
        state = STELLAR.play(state, made).state
    lucks = []
    for reshuffles in range(6):
        again = state._replace(reshuffles=reshuffles)
        lucks.append(STELLAR.luck(again, moves[-9:], Random(1)))
    known = 3
    assert all(lucks[:known])
    assert not any(lucks[known:])


def test_luck_is_a_function_of_what_was_drawn_and_of_its_dice(monkeypatch):
    monkeypatch.setattr(draws, "SAMPLES", 2)
    state, moves = a_match(SEED_WITHOUT_RESHUFFLE)
    luck = STELLAR.luck(state, moves, Random(1))
    assert luck == STELLAR.luck(state, moves, Random(1))
    assert luck != STELLAR.luck(state, moves, Random(2))
    assert 0 < abs(luck) <= STELLAR.most_luck
    *_, last = states_of(SEED_WITHOUT_RESHUFFLE)
    assert 0 == last.reshuffles
    kept = len(state.pile) - len(last.pile)
    other = state._replace(pile=(*state.pile[:kept], *reversed(state.pile[kept:])))
    assert luck == STELLAR.luck(other, moves, Random(1))


@pytest.mark.parametrize(
    ("seed", "luck"), [(1, -0.5120456984481483), (34, -0.28063138186047254), (45, -0.034218829094805656)]
)
def test_luck_before_is_what_records_of_then_hold(seed, luck):
    """In the last two matches, two equal cards are drawn at once."""
    state, moves = a_match(seed)
    assert luck == pytest.approx(STELLAR.luck_before(state, moves, Random(1)), abs=1e-12)
    assert luck != pytest.approx(STELLAR.luck(state, moves, Random(1)), abs=1e-3)


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
            rest = shuffled(state.discards, Random(1))
            assert play_out(state, (*state.pile, *rest)) == finish(state, Random(1))
            finished += 1
    assert refused == 22
    assert finished > 22
