"""States are equal only if all is equal that a match can come to depend on, also what nobody has seen yet."""

from random import Random

import pytest

from engines import GAMES, playout, replay
from engines.contract.test_positions import compact

ALIKE = [(name, seats) for name in ("starry-sky", "stella") for seats in GAMES[name].seats]
TABLES = [(name, seats) for name, game in GAMES.items() for seats in game.seats]


def other_deals(game, deal, seats):
    """Yield what differs, and a deal that differs from *deal* in nothing else."""
    yield "first", deal | {"first": (deal["first"] + 1) % seats}
    for key, value in deal.items():
        if isinstance(value, list):
            at = 1 if key == "starters" else len(value) - 2  # between two hands, or where no match comes to
            other = [*value[:at], value[at + 1], value[at], *value[at + 2 :]]
            assert value != other
            yield key, deal | {key: other}
    for at, order in enumerate(deal.get("reshuffles", ())):
        orders = [*deal["reshuffles"]]
        orders[at] = [*order[1:], order[0]]
        yield f"reshuffles[{at}]", deal | {"reshuffles": orders}
    for option, values in game.options.items():
        for value in values if option != "first_game" else ():  # which has other words, too
            if value != deal["options"][option]:
                yield option, deal | {"options": deal["options"] | {option: value}}


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_states_of_deals_that_differ_in_one_thing_are_different_values(name, seats):
    game = GAMES[name]
    deal = game.deal(seats, Random(3))
    state = game.start(deal, seats).state
    again = game.start(deal, seats).state
    assert (state, hash(state)) == (again, hash(again))
    compared = set()
    for what, other in other_deals(game, deal, seats):
        differs = game.start(other, seats).state
        assert state != differs, what
        assert hash(state) != hash(differs), what
        compared.add(what)
    assert {"first", *(key for key in deal if isinstance(deal[key], list))} <= compared


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_all_states_of_a_match_differ(name, seats):
    game, rng = GAMES[name], Random(1)
    states = [step.state for step in playout(game, game.deal(seats, rng), seats, rng)]
    assert len(states) == len({*states})


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_what_is_kept_of_a_view_belongs_to_the_copy_that_wrote_it(name, seats):
    game, rng, copies = GAMES[name], Random(2), []
    position = game.begin(game.deal(seats, rng), seats)

    def seen_of(copy):
        return [copy.write_view(seat) for seat in [*range(seats), None]]

    while not position.over:
        other = position.copy()
        other.play(other.sample(rng.random))
        copies += [(position.copy(), seen_of(position)), (other, seen_of(other))]
        position.play(position.options()[0])
    for copy, seen in copies:
        assert seen == seen_of(copy)
        assert seen == [compact(game.view(copy, seat)) for seat in [*range(seats), None]]


@pytest.mark.parametrize(("name", "seats"), ALIKE)
def test_relabelling_the_seats_relabels_the_result(name, seats):
    """Where no seat is dealt anything: see the tests of the turns of the other games."""
    game = GAMES[name]
    for rng in map(Random, range(5)):
        deal = game.deal(seats, rng)
        match = list(playout(game, deal, seats, rng))
        moves = [{(seat + 1) % seats: move for seat, move in step.moves.items()} for step in match[1:]]
        *_, last = replay(game, deal | {"first": (deal["first"] + 1) % seats}, seats, moves)
        scores = game.outcome(match[-1].state).scores
        assert (scores[-1], *scores[:-1]) == game.outcome(last.state).scores
