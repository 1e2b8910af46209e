"""Starry Sky: the boards, and what they pay."""

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from support.told import told

import engines.starry_sky
from engines import deal_digest, playout
from engines.starry_sky import StarrySky
from engines.starry_sky.boards import BOARDS, STARS
from engines.starry_sky.luck import complete_deal
from engines.starry_sky.scoring import payment, remaining, standings

SKY = StarrySky()
HERE = Path(engines.starry_sky.__file__).parent
DATA = json.loads((HERE / "boards.json").read_text("utf-8"))
PAGE = (HERE / "README.md").read_text("utf-8")


def laid(layout):
    """Return owners and tokens of "0:10 1:H": by star the token 10 of seat 0, the black hole of seat 1."""
    pairs = [item.split(":") for item in layout.split()]
    return [int(owner) for owner, _ in pairs], [token for _, token in pairs]


def spare(options, name, hand, wanted):
    """Return an option away from board *name*, with a token that is not *wanted* there."""
    left = Counter(hand) - Counter(move.split("@")[0] for move in wanted)
    return next(
        move for move in options if left[move.split("@")[0]] and not move.split("@")[1].startswith(name)
    )


def coins(name, layout, seats=3):
    """Return what board *name* pays in a match in which it is filled like *layout*.

    The seats take turns as ever; whoever has nothing to do on the board plays elsewhere.
    """
    owners, tokens = laid(layout)
    wanted = {seat: [] for seat in range(seats)}
    for star, (owner, token) in enumerate(zip(owners, tokens, strict=True)):
        wanted[owner].append(f"{token}@{name}.{star}")
    others = [other for other in ("Leo", "Gem", "Sco", "Sgr", "Vir") if other != name]
    state = SKY.start(complete_deal({"boards": [name, *others]}), seats).state
    while name not in told(state).scored:
        ((seat, choice),) = SKY.choices(state).items()
        hand = SKY.view(state, seat)["hand"]
        move = wanted[seat].pop(0) if wanted[seat] else spare(choice.options, name, hand, wanted[seat])
        before, (state, _) = state, SKY.play(state, {seat: move})
    paid = tuple(state.paid[told(state).scored.index(name)])
    assert paid == payment(name, owners, tokens, seats)
    assert paid == tuple(now - was for now, was in zip(state.coins, before.coins, strict=True))
    return paid


def left(name, layout):
    """Return the stars on which something remains."""
    return set(remaining(BOARDS[name], laid(layout)[1]))


def values(name, layout):
    return {seat: value for value, _, seat in standings(BOARDS[name], *laid(layout))}


def numbers(name, layout):
    return {seat: number for _, number, seat in standings(BOARDS[name], *laid(layout))}


# The boards.


def test_the_twelve_boards_are_the_signs_of_the_zodiac_and_the_file_says_what_is_made_up():
    names = ["Aqr", "Ari", "Cap", "Cnc", "Gem", "Leo", "Lib", "Psc", "Sco", "Sgr", "Tau", "Vir"]
    assert names == sorted(BOARDS)
    assert "RECONSTRUCTION" in DATA["about"]


@pytest.mark.parametrize("source", ["western_rey", "western_SnT", "CC BY-SA", "d3-celestial", "BSD"])
def test_the_file_and_the_page_for_authors_credit_lines_and_stars(source):
    assert source in DATA["about"]
    assert source in PAGE.partition("\n## Credits\n")[2]


def test_b2_84_stars_33_of_them_large_83_edges_and_144_coins_of_prizes():
    boards = BOARDS.values()
    assert 84 == STARS == sum(len(board.stars) for board in boards)
    assert 33 == sum(len(board.large) for board in boards)
    assert 83 == sum(len(board.edges) for board in boards)
    assert 144 == sum(sum(board.prizes) for board in boards)


SIZES = {
    "Ari": (5, 2, 4),
    "Cnc": (6, 2, 6),
    "Lib": (6, 2, 6),
    "Aqr": (6, 2, 5),
    "Tau": (7, 3, 7),
    "Vir": (7, 3, 7),
    "Cap": (7, 3, 7),
    "Psc": (7, 3, 6),
    "Gem": (8, 3, 7),
    "Sco": (8, 3, 7),
    "Sgr": (8, 3, 11),
    "Leo": (9, 4, 10),
}


@pytest.mark.parametrize("name", SIZES)
def test_b2_stars_large_stars_edges_and_prizes_of_every_board(name):
    board = BOARDS[name]
    stars, large, edges = SIZES[name]
    assert (stars, large, edges) == (len(board.stars), len(board.large), len(board.edges))
    assert (stars, stars - 2) == board.prizes


def test_b2_boards_that_change_are_another_version_of_the_game():
    drawn = [(board.id, board.prizes, board.large, board.edges) for board in BOARDS.values()]
    assert (2, {1}, "7a2877e5c4e36d23") == (SKY.version, SKY.replays, deal_digest(drawn)[:16])


@pytest.mark.parametrize("name", SIZES)
def test_every_board_hangs_together_and_has_each_line_once(name):
    board = BOARDS[name]
    assert len(board.edges) == len({frozenset(edge) for edge in board.edges})
    reached = {0}
    while more := {end for edge in board.edges if reached & set(edge) for end in edge} - reached:
        reached |= more
    assert set(range(len(board.stars))) == reached


@pytest.mark.parametrize("name", SIZES)
def test_the_large_stars_are_the_brightest(name):
    stars = next(board["stars"] for board in DATA["boards"] if board["id"] == name)
    by_light = sorted(stars, key=lambda star: star["magnitude"])
    assert [star for star in by_light if star["large"]] == by_light[: len(BOARDS[name].large)]


def test_every_star_has_a_number_a_name_and_a_place_of_its_own_in_the_sky():
    stars = [star for board in DATA["boards"] for star in board["stars"]]
    for key in ("hip", "name"):
        assert 84 == len({star[key] for star in stars})
    assert 84 == len({(star["ra"], star["dec"]) for star in stars})
    assert all(0 <= star["ra"] < 360 and -45 < star["dec"] < 35 for star in stars)


WELL_KNOWN = [
    ("Leo", 0, "Regulus", 152.1, 12.0),
    ("Tau", 0, "Aldebaran", 69.0, 16.5),
    ("Sco", 0, "Antares", 247.4, -26.4),
    ("Vir", 0, "Spica", 201.3, -11.2),
    ("Gem", 1, "Castor", 113.6, 31.9),
    ("Sgr", 3, "Kaus Media", 275.2, -29.8),
    ("Psc", 4, "ω Piscium", 359.8, 6.9),
]


@pytest.mark.parametrize(("name", "star", "called", "ra", "dec"), WELL_KNOWN)
def test_well_known_stars_are_where_they_belong(name, star, called, ra, dec):
    found = BOARDS[name].stars[star]
    assert called == found.name
    assert (ra, dec) == pytest.approx((found.ra, found.dec), abs=0.1)


def test_the_boards_of_3_4_and_5_seats_never_hold_all_tokens():
    sizes = sorted((len(board.stars) for board in BOARDS.values()), reverse=True)
    for seats in (3, 4, 5):
        assert sum(sizes[:seats]) - seats < 9 * seats


# Black holes.  Ari is the chain 0-1-2-3-4.


def test_abb_2_a_black_hole_swallows_everything_joined_to_it():
    assert {1, 3, 5} == left("Aqr", "0:10 1:H 2:5 0:6 1:7 2:3")


def test_ss3_black_holes_side_by_side_remove_each_other():
    assert {0, 3, 4} == left("Ari", "0:10 0:H 1:H 1:5 2:6")


def test_ss3_in_a_chain_of_three_all_three_go_at_once():
    assert {3, 4} == left("Ari", "0:H 1:H 2:H 3:5 4:6")
    assert (0, 0, 0, 3, 5) == coins("Ari", "0:H 1:H 2:H 3:5 4:6", 5)


def test_ss4_black_holes_that_are_removed_swallow_nothing():
    assert {0: 10, 1: 5, 2: 6} == values("Ari", "0:10 0:H 1:H 1:5 2:6")


def test_ss5_a_black_hole_swallows_tokens_of_its_owner_too():
    assert {1, 3, 4} == left("Ari", "0:10 0:H 0:7 1:5 2:6")
    assert {0: 0, 1: 5, 2: 6} == values("Ari", "0:10 0:H 0:7 1:5 2:6")


def test_a_black_hole_swallows_a_double_star_before_it_doubles():
    assert {0: 10, 1: 0, 2: 5} == values("Ari", "0:10 0:D 1:H 2:3 2:5")


# Double stars.


def test_abb_3_ten_beside_a_double_star_counts_twenty_and_wins():
    assert 20 == values("Ari", "0:10 0:D 1:1 2:6 1:7")[0]
    assert 5 - 1 == coins("Ari", "0:10 0:D 1:1 2:6 1:7")[0]


def test_abb_4_six_beside_two_double_stars_counts_24():
    assert 24 == values("Ari", "0:D 0:6 0:D 1:7 2:5")[0]


def test_ss8_three_double_stars_make_eight_times_the_value():
    assert 48 == values("Cnc", "0:D 0:6 0:D 1:1 2:3 1:D")[0]


def test_ss6_double_stars_side_by_side_do_nothing_to_each_other():
    assert {0: 0, 1: 14, 2: 4} == values("Ari", "0:D 0:D 1:7 2:1 2:3")


def test_ss7_a_double_star_doubles_tokens_of_any_owner():
    assert {0: 10, 1: 28, 2: 12} == values("Ari", "0:5 1:D 1:7 2:D 2:6")


def test_a_double_star_does_not_double_what_is_two_lines_away():
    assert 7 == values("Ari", "0:D 1:6 2:7 1:5 0:1")[2]


# Who is ranked, and where.


def test_ss9_whoever_has_a_token_left_is_on_the_board():
    assert {0: 1, 1: 1, 2: 1} == numbers("Ari", "0:10 0:H 0:7 1:5 2:6")
    assert {0: 1, 2: 2} == numbers("Ari", "1:10 0:H 1:7 2:5 2:6")


def test_ss21_whoever_has_nothing_left_is_paid_nothing():
    assert (3, 0, 5) == coins("Ari", "1:10 0:H 1:7 2:5 2:6")


def test_ss10_and_b12_if_nobody_is_left_nobody_is_paid():
    assert (0, 0, 0, 0, 0) == coins("Ari", "0:H 1:H 2:H 3:H 4:H", 5)


def test_ss11_whoever_is_left_alone_takes_both_prizes():
    assert (8, 0, 0) == coins("Ari", "1:10 0:H 2:7 0:5 0:6")


def test_ss11_whoever_holds_all_stars_takes_both_prizes():
    assert (0, 8, 0) == coins("Ari", "1:10 1:1 1:7 1:5 1:6")
    assert (0, 10, 0) == coins("Cnc", "1:10 1:1 1:7 1:5 1:6 1:3")


def test_abb_6_and_ss12_a_value_of_0_takes_the_second_prize():
    layout = "2:7 0:H 2:6 0:10 1:H 2:5"
    assert {0: 10, 1: 0} == values("Cnc", layout)
    assert (6, 4, 0) == coins("Cnc", layout)


def test_ss12_a_value_of_0_can_win():
    assert {0: 0, 1: 0} == values("Ari", "2:10 0:H 2:7 1:D 0:D")
    assert (5, 3, 0) == coins("Ari", "2:10 0:H 2:7 1:D 0:D")


def test_abb_5_third_and_fourth_are_paid_by_the_first_so_the_second_does_best():
    layout = "0:10 0:7 0:6 0:1 1:D 2:10 2:1 3:6 1:10"
    assert {0: 24, 1: 20, 2: 11, 3: 6} == values("Leo", layout)
    assert (9 - 3, 7, 2, 1) == coins("Leo", layout, 4)


def test_abb_7_ss13_and_ss31_more_tokens_break_a_tie_and_the_second_gets_4():
    layout = "0:5 1:6 2:3 2:1 3:1 0:1"
    assert {0: 6, 1: 6, 2: 4, 3: 1} == values("Lib", layout)
    assert (6 - 3, 4, 2, 1) == coins("Lib", layout, 4)


def test_ss13_double_stars_count_as_tokens():
    layout = "1:10 2:1 0:5 2:D 0:D"
    assert {0: 10, 1: 10, 2: 1} == values("Ari", layout)
    assert {0: 2, 1: 1, 2: 2} == numbers("Ari", layout)
    assert (5 - 2, 3, 2) == coins("Ari", layout)


def test_ss13_black_holes_count_as_tokens():
    layout = "1:10 0:H 2:7 0:5 2:5"
    assert {0: 5, 2: 5} == values("Ari", layout)
    assert (5, 0, 3) == coins("Ari", layout)


def test_ss14_a_tie_for_first_takes_both_prizes_away_and_pays_one_a_token():
    assert {0: 10, 1: 10, 2: 1} == values("Ari", "0:7 0:3 1:7 1:3 2:1")
    assert (2, 2, 1) == coins("Ari", "0:7 0:3 1:7 1:3 2:1")


def test_b8_after_a_tie_for_first_a_clear_next_player_gets_no_second_prize():
    layout = "0:10 1:10 2:1 2:3 0:1 1:1"
    assert {0: 11, 1: 11, 2: 4} == values("Lib", layout)
    assert (2, 2, 2) == coins("Lib", layout)


def test_b6_more_seats_with_the_best_value_are_a_tie_also_if_a_third_has_fewer_tokens():
    assert (2, 2, 1) == coins("Ari", "0:7 0:3 1:7 1:3 2:10")


def test_b6_the_same_for_second():
    layout = "0:10 0:7 0:6 1:7 1:3 2:7 2:3 3:10 4:1"
    assert {0: 23, 1: 10, 2: 10, 3: 10, 4: 1} == values("Leo", layout)
    assert (9, 2, 2, 1, 1) == coins("Leo", layout, 5)


def test_ss15_of_three_with_the_same_value_the_one_with_more_tokens_is_first():
    assert (6, 1, 1, 2) == coins("Lib", "0:7 0:3 1:10 2:10 3:5 3:1", 4)


def test_ss15_the_other_two_compete_for_second_under_the_same_key():
    layout = "0:6 0:3 0:1 1:7 1:3 2:10"
    assert {0: 10, 1: 10, 2: 10} == values("Lib", layout)
    assert (6 - 1, 4, 1) == coins("Lib", layout)


def test_ss16_and_b9_with_a_tie_for_second_the_first_keeps_his_whole_prize():
    layout = "0:10 0:1 1:7 2:7 3:5 3:1"
    assert {0: 11, 1: 7, 2: 7, 3: 6} == values("Lib", layout)
    assert (6, 1, 1, 2) == coins("Lib", layout, 4)


def test_ss17_a_tie_for_third_changes_nothing():
    layout = "0:10 0:1 1:7 2:5 3:5 1:1"
    assert {0: 11, 1: 8, 2: 5, 3: 5} == values("Lib", layout)
    assert (6 - 2, 4, 1, 1) == coins("Lib", layout, 4)


def test_ss18_the_first_pays_all_from_third_down():
    assert (8 - 4, 6, 2, 1, 1) == coins("Gem", "0:10 0:7 1:10 1:5 2:6 2:3 3:5 4:1", 5)


def test_ss20_with_two_players_nobody_is_third_and_nothing_changes_hands():
    assert (5, 3, 0) == coins("Ari", "0:10 0:7 0:6 1:5 1:3")


def test_b7_swallowed_tokens_break_no_tie():
    layout = "1:10 0:H 2:7 0:5 1:5"
    assert {0: 2, 1: 1} == numbers("Ari", layout)
    assert (5, 3, 0) == coins("Ari", layout)


def test_b7_the_third_is_paid_for_tokens_left_not_for_tokens_placed():
    layout = "2:7 0:H 2:6 1:10 2:3 0:5"
    assert {0: 0, 1: 10, 2: 3} == values("Cnc", layout)
    assert (1, 6 - 1, 4) == coins("Cnc", layout)


def test_b7_holes_that_vanished_are_paid_nothing_after_a_tie():
    layout = "0:7 0:H 1:H 1:7 2:1"
    assert {0: 1, 1: 1, 2: 1} == numbers("Ari", layout)
    assert (1, 1, 1) == coins("Ari", layout)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_ss19_and_b10_the_first_never_pays_more_than_his_prize_and_keeps_at_least_2(seats):
    for seed in range(100):
        rng = Random(seed)
        *_, last = playout(SKY, SKY.deal(seats, rng), seats, rng)
        for done in SKY.view(last.state, None)["scored"]:
            places = sorted(standings(BOARDS[done["board"]], done["owners"], done["tokens"]), reverse=True)
            if len(places) > 1 and places[0][:2] != places[1][:2]:
                assert done["coins"][places[0][2]] >= 2


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_reserve_pays_at_most_2n_minus_1_for_a_board_and_never_takes(seats):
    for seed in range(100):
        rng = Random(seed)
        *_, last = playout(SKY, SKY.deal(seats, rng), seats, rng)
        for done in SKY.view(last.state, None)["scored"]:
            assert 0 <= sum(done["coins"]) <= 2 * len(done["owners"]) - 1
            assert min(done["coins"]) >= 0


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_b17_the_reserve_is_no_part_of_the_view(seats):
    assert not [key for key in SKY.view(SKY.start(complete_deal({}), seats).state, 0) if "reserve" in key]


def test_stars_without_a_token_can_be_counted_too():
    assert (0, 0, 0) == payment("Leo", [None] * 9, [None] * 9, 3)
    owners, tokens = [None, 1, None, 2, 2], [None, "10", None, "3", "D"]
    assert (0, 5, 3) == payment("Ari", owners, tokens, 3)
