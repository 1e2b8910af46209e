"""The greedy policies of Starry Sky: what every style sees, and where the styles part."""

from random import Random

import pytest

from engines import GAMES
from engines.position import chosen_by
from engines.starry_sky.boards import CODES as BOARD_CODES
from engines.starry_sky.boards import IS_LARGE, PLACE_CODES
from engines.starry_sky.state import new_state
from engines.starry_sky.table import laid_by
from engines.starry_sky.tokens import CODES, hand_of

SKY = GAMES["starry-sky"]
STYLES = ["greedy", "bold", "careful", "rival"]
POLICIES = {style: SKY.policies()[f"{style}-1"] for style in STYLES}


def chosen(style, state):
    return state.move_of(chosen_by(POLICIES[style], state, Random(0)))


def by_style(state):
    return {style: chosen(style, state) for style in STYLES}


def all_choose(move):
    return dict.fromkeys(STYLES, move)


def state_of(hand, coins=(0, 0, 0), excluded=(), **boards):
    """Return a state in which seat 0 is asked: on each star of the *boards* lies "owner:token", or - if free.

    Of a token face down, on a large star, only its owner knows what the test says that it is.
    """
    state = new_state(len(coins), 0, [BOARD_CODES[name] for name in boards], [])
    state.hands[0] = tokens_of(hand)
    state.coins = [*coins]
    for name, stars in boards.items():
        for number, lies in enumerate(stars.split()):
            if lies != "-":
                star, owner = PLACE_CODES[f"{name}.{number}"], int(lies[0])
                state.put(star, laid_by(owner, CODES[lies[2:]]))
                if IS_LARGE[star]:
                    state.hidden[owner] = [*state.hidden[owner], star]
    state.excluded = {PLACE_CODES[place]: tokens_of(tokens) for place, tokens in dict(excluded).items()}
    return state


def tokens_of(names):
    """Return the set of the tokens with these *names*: "10 D D"."""
    return hand_of([CODES[name] for name in names.split()])


@pytest.mark.parametrize("seats", SKY.seats)
@pytest.mark.parametrize("style", STYLES)
def test_every_style_wins_a_third_more_than_random_seats(style, seats):
    rng, own, others = Random(seats), 0, 0
    deal = SKY.deal(seats, rng)
    for place in range(seats):
        position = SKY.begin(deal, seats)
        while not position.over:
            is_own = position.seat == place
            position.play(
                chosen_by(POLICIES[style], position, rng) if is_own else position.sample(rng.random)
            )
        coins = position.outcome().scores
        own += coins[place]
        others += sum(coins) - coins[place]
    assert own > 4 / 3 * others / (seats - 1)


# What every style sees.


ALL_CHOOSE = [
    ("a hole that swallows all rivals", "H@Cnc.1", state_of("5 6 H", Cnc="1:10 - 0:1 0:3 0:D 2:7")),
    ("a number goes beside a double star", "5@Ari.3", state_of("3 5", Ari="1:7 - 2:5 - 0:D")),
    ("a number keeps away from a hole", "10@Ari.0", state_of("5 10", Ari="- 1:6 - 2:H -")),
    ("its owner's hole is seen", "7@Lib.2", state_of("7", Lib="1:3 0:D - 2:6 - -", Ari="1:H - - - -")),
    ("a hole is excluded", "7@Lib.2", state_of("7", excluded={"Lib.0": "H"}, Lib="1:3 0:D - 2:6 - -")),
]


@pytest.mark.parametrize(("what", "move", "state"), ALL_CHOOSE)
def test_all_styles_choose_the_same(what, move, state):
    assert all_choose(move) == by_style(state), what


# Where the styles part.


@pytest.mark.parametrize("token", ["3", "H"])
def test_only_bold_risks_a_number_beside_what_may_be_a_hole(token):
    state = state_of("7", Lib=f"1:{token} 0:D - 2:6 - -", Ari="2:H - - - -")
    assert {**all_choose("7@Lib.4"), "bold": "7@Lib.2"} == by_style(state)


def test_only_bold_opens_face_down():
    empty = state_of("1 3 5 6 7 10 H D D", Ari="- - - - -")
    assert {**all_choose("10@Ari.0"), "bold": "10@Ari.1"} == by_style(empty)


def test_only_careful_secures_a_board_that_it_leads_before_it_reaches_for_another():
    leads = state_of("1 7", Ari="0:10 1:3 2:3 2:1 -", Lib="- - - - 1:7 -")
    assert {**all_choose("7@Lib.0"), "careful": "7@Ari.4"} == by_style(leads)


@pytest.mark.parametrize(("coins", "beside"), [((0, 9, 0), "Psc.1"), ((0, 0, 9), "Psc.5")])
def test_rival_lays_its_hole_beside_the_leader(coins, beside):
    state = state_of("1 H", coins, Psc="1:10 - 0:5 0:6 0:3 - 2:10")
    assert f"H@{beside}" == chosen("rival", state)
    assert "1@Psc.1" == chosen("greedy", state)


def test_of_equal_leaders_rival_plays_against_the_next_clockwise():
    stars = "1:10 - 0:5 0:6 0:3 - 2:10"
    assert "H@Psc.1" == chosen("rival", state_of("1 H", (0, 9, 9), Psc=stars))
    assert "H@Psc.5" == chosen("rival", state_of("1 H", (0, 9, 10), Psc=stars))
