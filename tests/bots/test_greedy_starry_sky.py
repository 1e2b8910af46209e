"""The house bot's play in Starry Sky: what every style sees, and where the styles part."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

import pytest
from support import greedy_bot

from engines import GAMES, playout
from engines.starry_sky.boards import BOARDS

bot = greedy_bot.module("starry_sky")

SKY = GAMES["starry-sky"]
STYLES = ["greedy", "bold", "careful", "rival"]


def chosen(style, view):
    """Return the bot's move; all that it is told is the view."""
    return bot.chooser(style)(SimpleNamespace(view=view))


def by_style(view):
    return {style: chosen(style, view) for style in STYLES}


def all_choose(move):
    return dict.fromkeys(STYLES, move)


def view_of(hand, coins=(0, 0, 0), mine=(), excluded=(), **boards):
    """Return what seat 0 reads of its view: on each star of the *boards* lies "owner:token", or - if free."""
    return {
        "seat": 0,
        "seats": len(coins),
        "coins": list(coins),
        "hand": hand.split(),
        "mine": dict(mine),
        "excluded": dict(excluded),
        "boards": [board_of(name, stars.split()) for name, stars in boards.items()],
    }


def board_of(name, stars):
    lying = [(None, None) if star == "-" else (int(star[0]), star[2:]) for star in stars]
    return {
        "board": name,
        "prizes": list(BOARDS[name].prizes),
        "large": list(BOARDS[name].large),
        "owners": [owner for owner, _ in lying],
        "tokens": [token for _, token in lying],
    }


@pytest.mark.parametrize("seats", SKY.seats)
@pytest.mark.parametrize("style", STYLES)
def test_every_choice_is_an_offered_move(style, seats):
    """Own moves and random ones by turns: good positions, and those that nobody would play into."""
    choose, rng = bot.chooser(style), Random(f"{style}/{seats}")

    def policy(state, seat, choice):
        move = choose(SimpleNamespace(view=SKY.view(state, seat)))
        assert move in choice.options
        return move if rng.random() < 0.7 else choice.sample(rng)

    for _ in range(2):
        for _ in playout(SKY, SKY.deal(seats, rng), seats, policy):
            pass


@pytest.mark.parametrize("seats", SKY.seats)
@pytest.mark.parametrize("style", STYLES)
def test_every_style_wins_a_third_more_than_random_seats(style, seats):
    choose, rng, own, others = bot.chooser(style), Random(seats), 0, 0
    deal = SKY.deal(seats, rng)

    def policy(state, seat, choice):
        return choose(SimpleNamespace(view=SKY.view(state, seat))) if seat == place else choice.sample(rng)

    for place in range(seats):
        *_, last = playout(SKY, deal, seats, policy)
        coins = SKY.outcome(last.state).scores
        own += coins[place]
        others += sum(coins) - coins[place]
    assert own > 4 / 3 * others / (seats - 1)


# What every style sees.


def test_a_hole_takes_the_last_star_where_it_swallows_all_rivals():
    assert all_choose("H@Lib.2") == by_style(view_of("1 5 6 10 H", Lib="1:10 1:7 - 0:3 2:6 0:1"))


def test_a_number_goes_beside_a_double_star():
    assert all_choose("5@Ari.3") == by_style(view_of("3 5", Ari="1:7 - 2:5 - 0:D"))


def test_a_number_keeps_away_from_a_hole():
    assert all_choose("10@Ari.0") == by_style(view_of("5 10", Ari="- 1:6 - 2:H -"))


def test_a_token_face_down_is_no_hole_if_that_of_its_owner_lies_elsewhere():
    view = view_of("7", mine={"Lib.1": "D"}, Lib="1:? 0:? - 2:6 - -", Ari="1:H - - - -")
    assert all_choose("7@Lib.2") == by_style(view)


def test_a_token_face_down_is_no_hole_if_that_is_excluded():
    view = view_of("7", mine={"Lib.1": "D"}, excluded={"Lib.0": ["H"]}, Lib="1:? 0:? - 2:6 - -")
    assert all_choose("7@Lib.2") == by_style(view)


# Where the styles part.


def test_only_bold_risks_a_number_beside_what_may_be_a_hole():
    view = view_of("7", mine={"Lib.1": "D"}, Lib="1:? 0:? - 2:6 - -", Ari="2:H - - - -")
    assert {**all_choose("7@Lib.4"), "bold": "7@Lib.2"} == by_style(view)


def test_only_bold_opens_face_down():
    empty = view_of("1 3 5 6 7 10 H D D", Ari="- - - - -")
    assert {**all_choose("10@Ari.0"), "bold": "10@Ari.1"} == by_style(empty)


def test_only_careful_secures_a_board_that_it_leads_before_it_reaches_for_another():
    leads = view_of("1 7", Ari="0:10 1:3 2:3 2:1 -", Lib="- - - - 1:7 -")
    assert {**all_choose("7@Lib.0"), "careful": "7@Ari.4"} == by_style(leads)


@pytest.mark.parametrize(("coins", "beside"), [((0, 9, 0), "Psc.1"), ((0, 0, 9), "Psc.5")])
def test_rival_lays_its_hole_beside_the_leader(coins, beside):
    view = view_of("1 H", coins, Psc="1:10 - 0:5 0:6 0:3 - 2:10")
    assert f"H@{beside}" == chosen("rival", view)
    assert "1@Psc.1" == chosen("greedy", view)


def test_of_equal_leaders_rival_plays_against_the_next_clockwise():
    view = view_of("1 H", (0, 9, 9), Psc="1:10 - 0:5 0:6 0:3 - 2:10")
    assert "H@Psc.1" == chosen("rival", view)
    assert "H@Psc.5" == chosen("rival", {**view, "coins": [0, 9, 10]})
