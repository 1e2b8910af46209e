"""Starry Sky: states as values, and as positions."""

from random import Random

from engines.starry_sky import StarrySky
from engines.starry_sky.tokens import hand_of

SKY = StarrySky()


def states(seats):
    """Yield every state of a random match."""
    rng = Random(seats)
    state = SKY.start(SKY.deal(seats, rng), seats).state
    yield state
    while not state.over:
        option = state.option_at(int(rng.random() * state.count_options()))
        state = SKY.play(state, {state.seat: state.move_of(option)}).state
        yield state


def test_the_options_counted_and_picked_by_place_are_those_of_the_list():
    for state in states(4):
        if not state.over:
            places = range(state.count_options())
            assert state.options() == [state.option_at(place) for place in places]


def test_an_imagined_state_is_the_state_if_nothing_is_hidden_from_its_holder():
    for state in states(3):
        if state.opened == len(state.pile):
            view = SKY.view(state, 0)
            worlds = [SKY.imagine(view, Random(seed)) for seed in range(5)]
            hidden = any(state.hidden[1:])
            assert all(state.hidden[0] == world.hidden[0] for world in worlds)
            assert hidden or all(state == world for world in worlds)


def test_a_hand_is_a_set_with_one_number_for_one_double_star():
    assert hand_of([0, 7]) == hand_of([7, 0]) != hand_of([0, 7, 7])
