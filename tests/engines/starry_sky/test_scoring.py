"""Starry Sky: the boards, and what they pay."""

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from support.starry_scores import remaining, standings
from support.told import told

import engines.starry_sky
from engines import deal_digest, playout
from engines.starry_sky import StarrySky
from engines.starry_sky.boards import BOARDS, STARS
from engines.starry_sky.luck import complete_deal
from engines.starry_sky.scoring import explain, payment

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


# What a board pays.

PAYS = [  # by seat the value of its tokens, None where nothing is left of them, and its coins; Ari is a chain
    ("ABB 2: a black hole swallows all beside it", "Aqr", "0:10 1:H 2:5 0:6 1:7 2:3", (6, 0, 3), (5, 1, 4)),
    ("SS3, SS4: holes side by side only vanish", "Ari", "0:10 0:H 1:H 1:5 2:6", (10, 5, 6), (4, 1, 3)),
    ("SS3: of a chain all three go", "Ari", "0:H 1:H 2:H 3:5 4:6", (None, None, None, 5, 6), (0, 0, 0, 3, 5)),
    ("SS5: a black hole swallows its owner's, too", "Ari", "0:10 0:H 0:7 1:5 2:6", (0, 5, 6), (1, 3, 4)),
    ("what is swallowed does not double", "Ari", "0:10 0:D 1:H 2:3 2:5", (10, 0, 5), (4, 1, 3)),
    ("ABB 3: 10 beside a double star is 20", "Ari", "0:10 0:D 1:1 2:6 1:7", (20, 9, 6), (5 - 1, 3, 1)),
    ("ABB 4: 6 beside two double stars is 24", "Ari", "0:D 0:6 0:D 1:7 2:5", (24, 14, 5), (5 - 1, 3, 1)),
    ("SS8: 6 beside three is 48", "Cnc", "0:D 0:6 0:D 1:1 2:3 1:D", (48, 2, 12), (6 - 2, 2, 4)),
    ("SS6: double stars do not double each other", "Ari", "0:D 0:D 1:7 2:1 2:3", (0, 14, 4), (2, 3, 5 - 2)),
    ("SS7: a double star doubles any owner's", "Ari", "0:5 1:D 1:7 2:D 2:6", (10, 28, 12), (1, 5 - 1, 3)),
    ("none doubles what is two lines away", "Ari", "0:D 1:6 2:7 1:5 0:1", (1, 17, 7), (2, 5 - 2, 3)),
    ("SS21: nothing left is paid nothing", "Ari", "1:10 0:H 1:7 2:5 2:6", (0, None, 11), (3, 0, 5)),
    (
        "SS10, B12: no token is left, no seat is paid",
        "Ari",
        "0:H 1:H 2:H 3:H 4:H",
        [None] * 5,
        (0, 0, 0, 0, 0),
    ),
    ("SS11: one left takes both prizes", "Ari", "1:10 0:H 2:7 0:5 0:6", (11, None, None), (8, 0, 0)),
    ("SS11: one with all stars takes both", "Ari", "1:10 1:1 1:7 1:5 1:6", (None, 29, None), (0, 8, 0)),
    ("SS11: of any board", "Cnc", "1:10 1:1 1:7 1:5 1:6 1:3", (None, 32, None), (0, 10, 0)),
    ("ABB 6, SS12: a value of 0 is second", "Cnc", "2:7 0:H 2:6 0:10 1:H 2:5", (10, 0, None), (6, 4, 0)),
    ("SS12: a value of 0 can win", "Ari", "2:10 0:H 2:7 1:D 0:D", (0, 0, None), (5, 3, 0)),
    ("ABB 7, SS31: tied, more tokens win", "Lib", "0:5 1:6 2:3 2:1 3:1 0:1", (6, 6, 4, 1), (6 - 3, 4, 2, 1)),
    ("SS13: double stars count as tokens", "Ari", "1:10 2:1 0:5 2:D 0:D", (10, 10, 1), (5 - 2, 3, 2)),
    ("SS13: black holes count as tokens", "Ari", "1:10 0:H 2:7 0:5 2:5", (5, None, 5), (5, 0, 3)),
    ("SS14: a tie for first is paid by the token", "Ari", "0:7 0:3 1:7 1:3 2:1", (10, 10, 1), (2, 2, 1)),
    ("B8: then no next is second", "Lib", "0:10 1:10 2:1 2:3 0:1 1:1", (11, 11, 4), (2, 2, 2)),
    ("B6: a tie, also with a third of fewer", "Ari", "0:7 0:3 1:7 1:3 2:10", (10, 10, 10), (2, 2, 1)),
    (
        "SS15: of three tied, most tokens win",
        "Lib",
        "0:7 0:3 1:10 2:10 3:5 3:1",
        (10, 10, 10, 6),
        (6, 1, 1, 2),
    ),
    ("SS15: and so for second", "Lib", "0:6 0:3 0:1 1:7 1:3 2:10", (10, 10, 10), (6 - 1, 4, 1)),
    ("SS16, B9: tied seconds win no prize", "Lib", "0:10 0:1 1:7 2:7 3:5 3:1", (11, 7, 7, 6), (6, 1, 1, 2)),
    ("SS17: a tie for third is nothing", "Lib", "0:10 0:1 1:7 2:5 3:5 1:1", (11, 8, 5, 5), (6 - 2, 4, 1, 1)),
    (
        "ABB 5: the first pays third and fourth, so the second does best",
        "Leo",
        "0:10 0:7 0:6 0:1 1:D 2:10 2:1 3:6 1:10",
        (24, 20, 11, 6),
        (9 - 3, 7, 2, 1),
    ),
    (
        "SS18: the first pays all from third down",
        "Gem",
        "0:10 0:7 1:10 1:5 2:6 2:3 3:5 4:1",
        (17, 15, 9, 5, 1),
        (8 - 4, 6, 2, 1, 1),
    ),
    (
        "B6: a tie for second, also with a third of fewer tokens",
        "Leo",
        "0:10 0:7 0:6 1:7 1:3 2:7 2:3 3:10 4:1",
        (23, 10, 10, 10, 1),
        (9, 2, 2, 1, 1),
    ),
    ("SS20: of two seats none is third", "Ari", "0:10 0:7 0:6 1:5 1:3", (23, 8, None), (5, 3, 0)),
    ("B7: swallowed tokens break no tie", "Ari", "1:10 0:H 2:7 0:5 1:5", (5, 5, None), (5, 3, 0)),
    ("B7: the third is paid for what is left", "Cnc", "2:7 0:H 2:6 1:10 2:3 0:5", (0, 10, 3), (1, 6 - 1, 4)),
    ("B7: holes that vanished are paid nothing", "Ari", "0:7 0:H 1:H 1:7 2:1", (7, 7, 1), (1, 1, 1)),
]


@pytest.mark.parametrize(("ruling", "name", "layout", "values", "paid"), PAYS)
def test_a_full_board_has_these_values_and_pays_these_coins(ruling, name, layout, values, paid):
    seen = {seat: value for value, _, seat in standings(BOARDS[name], *laid(layout))}
    assert [*values] == [seen.get(seat) for seat in range(len(values))], ruling
    assert paid == coins(name, layout, len(values)), ruling


@pytest.mark.parametrize(
    ("layout", "left", "numbers"),
    [
        ("0:10 0:H 0:7 1:5 2:6", {1, 3, 4}, {0: 1, 1: 1, 2: 1}),
        ("1:10 0:H 1:7 2:5 2:6", {1, 3, 4}, {0: 1, 2: 2}),
        ("1:10 2:1 0:5 2:D 0:D", {0, 1, 2, 3, 4}, {0: 2, 1: 1, 2: 2}),
        ("0:7 0:H 1:H 1:7 2:1", {0, 3, 4}, {0: 1, 1: 1, 2: 1}),
    ],
    ids=["a hole stays", "a seat is gone", "double stars", "two holes are gone"],
)
def test_ss9_a_seat_with_a_token_left_is_on_the_board(layout, left, numbers):
    assert left == {*remaining(BOARDS["Ari"], laid(layout)[1])}
    assert numbers == {seat: number for _, number, seat in standings(BOARDS["Ari"], *laid(layout))}


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_ss19_and_b10_the_first_keeps_at_least_2_and_the_reserve_pays_at_most_2n_minus_1_and_never_takes(
    seats,
):
    for seed in range(100):
        rng = Random(seed)
        *_, last = playout(SKY, SKY.deal(seats, rng), seats, rng)
        for done in SKY.view(last.state, None)["scored"]:
            assert 0 <= sum(done["coins"]) <= 2 * len(done["owners"]) - 1
            assert min(done["coins"]) >= 0
            places = sorted(standings(BOARDS[done["board"]], done["owners"], done["tokens"]), reverse=True)
            if len(places) > 1 and places[0][:2] != places[1][:2]:
                assert done["coins"][places[0][2]] >= 2


def test_stars_without_a_token_can_be_counted_too():
    assert (0, 0, 0) == payment("Leo", [None] * 9, [None] * 9, 3)
    owners, tokens = [None, 1, None, 2, 2], [None, "10", None, "3", "D"]
    assert (0, 5, 3) == payment("Ari", owners, tokens, 3)


@pytest.mark.parametrize("seats", SKY.seats)
def test_a_scored_board_tells_its_sums_and_what_the_first_pays(seats):
    rng, paying = Random(seats), 0
    for step in playout(SKY, SKY.deal(seats, rng), seats, rng):
        for event in step.events:
            done = explain(event.seen_by(None))
            if done["event"] != "score":
                continue
            gained = payment(done["board"], done["owners"], done["tokens"], seats)
            places = sorted(standings(BOARDS[done["board"]], done["owners"], done["tokens"]), reverse=True)
            assert {seat: value for value, _, seat in places}.items() <= dict(enumerate(done["sums"])).items()
            words = SKY.tell(done, ["Ann", "Bo", "Cy", "Di", "Ed"])
            assert f"sums: Ann: {done['sums'][0]}, Bo: {done['sums'][1]}" in words
            if done["paid"]:
                paying += 1
                assert BOARDS[done["board"]].prizes[0] - done["paid"] == gained[places[0][2]]
                assert f"; the first pays {done['paid']};" in words
    assert paying
