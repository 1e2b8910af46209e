"""What may be expected of a board of Starry Sky: the value that the rules count, where all is known."""

from math import exp, sqrt
from random import Random

import pytest
from support.starry_scores import standings

from engines import GAMES
from engines.playout import playout
from engines.starry_sky.boards import BOARDS
from engines.starry_sky.outlook import Outlook, expected_coins, outlooks_of
from engines.starry_sky.tokens import ALL, HOLE, NAMES

EACH = NAMES[ALL]
BOARD = BOARDS["Psc"]


def outlook(board, owners, tokens, seats=3, doubt=2.0):
    """Return the outlook of *board*, on which all *tokens* are known."""
    seen = Outlook(board.id, board.prizes, owners, seats, doubt)
    for star, token in enumerate(tokens):
        seen.put(star, token)
    return seen


def lights(seen):
    return seen.lights(seen.shares())


def counted(board, owners, tokens, seats=3):
    """Return the value of each seat on *board*, as the rules count it."""
    values = [0] * seats
    for value, _, seat in standings(board, owners, tokens):
        values[seat] = value
    return values


def random_board(rng, kinds=("3", "5", "10", "H", "D")):
    """Return a board, some of its stars free, with more holes and double stars than a match has."""
    board = BOARDS[rng.choice([*BOARDS])]
    owners = [rng.choice([0, 1, 2, None]) for _ in board.stars]
    tokens = [None if owner is None else rng.choice(kinds) for owner in owners]
    return board, owners, tokens


def test_known_tokens_give_the_light_that_the_rules_count():
    rng = Random(1)
    for _ in range(300):
        board, owners, tokens = random_board(rng)
        assert counted(board, owners, tokens) == lights(outlook(board, owners, tokens))


def test_a_guess_among_numbers_gives_the_mean_of_the_lights_weighted_by_fear():
    rng, fear = Random(2), 3.0
    for _ in range(100):
        board, owners, tokens = random_board(rng, ("3", "5", "10"))
        star, owners[0] = 0, 1
        choices = ["1", "6", HOLE]
        seen = outlook(board, owners, [*tokens[:star], None, *tokens[star + 1 :]])
        seen.guess(star, choices, fear)
        total, weights = [0.0] * 3, [1.0, 1.0, fear]
        for token, weight in zip(choices, weights, strict=True):
            whole = counted(board, owners, [*tokens[:star], token, *tokens[star + 1 :]])
            total = [so_far + weight * value for so_far, value in zip(total, whole, strict=True)]
        assert [of_seat / sum(weights) for of_seat in total] == pytest.approx(lights(seen))


# -- what a board promises, in coins


def spread_out(lead, spread):
    """Return the chance that a lead of *lead* light holds, where it may be misjudged by *spread*."""
    return 1 / (1 + exp(-lead / spread))


def test_a_full_board_that_is_won_by_far_promises_its_prizes():
    """Psc pays 7 and 5.  Seat 1 has 10 + 5 + 7 there, seat 0 has 1 + 3, and seat 2 no token."""
    owners, tokens = [1, 0, 0, 1, 0, 1, 0], ["10", "3", "1", "10", "1", "10", "1"]
    promised = outlook(BOARD, owners, tokens).promises()
    first, second = BOARD.prizes
    assert [second, first] == pytest.approx(promised[:2], abs=0.01)
    assert promised[2] == pytest.approx(0.0, abs=0.05)


def test_the_promise_of_two_seats_is_made_of_their_chances():
    """One star of seven is free.  Seat 0 leads seat 1 by 2 light; seat 2, with nothing, may take it yet."""
    owners, tokens = [0, 1, 0, 1, 0, 1, None], ["7", "5", "1", "1", "1", "1", None]
    seen = outlook(BOARD, owners, tokens, doubt=3.0)
    assert [9.0, 7.0, 0.0] == lights(seen)
    spread = sqrt(1 + 3.0**2)
    over_one, over_two = spread_out(2, spread), spread_out(9, spread)
    first = over_one * over_two
    second = over_one + over_two - 2 * first
    prizes = BOARD.prizes
    expected = first * prizes[0] + second * prizes[1] + (1 - first - second) * 3
    assert expected == pytest.approx(seen.promises()[0])


def test_an_empty_board_promises_all_seats_the_same():
    """Each is ahead of both others with a chance of 1/2 x 1/2, and of one of them with 1/2."""
    promised = outlook(BOARD, [None] * 7, [None] * 7).promises()
    assert promised == pytest.approx([promised[0]] * 3)
    assert 7 / 4 + 5 / 2 == pytest.approx(promised[0])


def test_a_gain_is_the_promise_after_the_move_less_the_promise_before():
    rng = Random(3)
    for _ in range(50):
        board, owners, tokens = random_board(rng)
        before = outlook(board, owners, tokens)
        free = [star for star, owner in enumerate(owners) if owner is None]
        if not free:
            continue
        gains = before.gains(1, ["6", "H", "D"], 0, 0.0)
        for place, token in enumerate(["6", "H", "D"]):
            star = free[0]
            after = outlook(
                board,
                [*owners[:star], 1, *owners[star + 1 :]],
                [*tokens[:star], token, *tokens[star + 1 :]],
            )
            assert gains[place] == pytest.approx(after.promises()[1] - before.promises()[1])


# -- of a position


def without(tokens, gone):
    left = [*tokens]
    for token in gone:
        if token in left:
            left.remove(token)
    return left


def outlook_of_view(view, board, doubt, fear):
    """Return the outlook that the holder of a view has of a board in play, from names alone."""
    seen = Outlook(board["board"], tuple(board["prizes"]), board["owners"], view["seats"], doubt)
    for star, (owner, token) in enumerate(zip(board["owners"], board["tokens"], strict=True)):
        place = f"{board['board']}.{star}"
        if token == "?" and owner != view["seat"]:
            lying = [zip(each["owners"], each["tokens"], strict=True) for each in view["boards"]]
            shown = [lies for pairs in lying for who, lies in pairs if who == owner and lies != "?"]
            unseen = without(EACH, shown)
            seen.guess(star, without(unseen, view["excluded"].get(place, ())) or unseen, fear)
        elif owner is not None:
            seen.put(star, view["mine"].get(place, token))
    return seen


def fields(seen):
    names = ("near", "owners", "prizes", "values", "holes", "doubles", "counts", "blind", "doubt")
    return [getattr(seen, name) for name in names]


def test_the_outlooks_of_a_position_are_those_of_the_view_or_know_all():
    game, rng = GAMES["starry-sky"], Random(4)
    for seats in game.seats:
        for step in playout(game, game.deal(seats, rng), seats, rng):
            state, seat = step.state, step.state.seat
            view = game.view(state, seat)
            of_view = [outlook_of_view(view, board, 1.5, 5.0) for board in view["boards"]]
            of_seat = outlooks_of(state, seat, 1.5, 5.0)
            assert [*map(fields, of_view)] == [*map(fields, of_seat)]
            promised = [sum(each) for each in zip(*(seen.promises() for seen in of_seat), strict=True)]
            expected = [
                coins + more for coins, more in zip(state.coins, promised or [0] * seats, strict=True)
            ]
            assert expected == pytest.approx(expected_coins(state, seat, 1.5, 5.0))
            assert all(seen.blind == 0 for seen in outlooks_of(state))


def test_what_a_seat_expects_does_not_depend_on_what_it_does_not_see():
    game, rng = GAMES["starry-sky"], Random(5)
    for step in playout(game, game.deal(3, rng), 3, rng):
        other = game.imagine(game.view(step.state, 1), rng)
        assert expected_coins(step.state, 1) == expected_coins(other, 1)
