"""Stella: scouts, sparks, super-sparks, falls and what a round is worth.  One test a ruling."""

import pytest

from engines import IllegalMove, replay
from engines.stella import Stella, scoring
from engines.stella.grid import seat_set
from engines.stella.luck import complete_deal

STELLA = Stella()


def round_scores(stars, sparks, dark, fallen):
    """Return the points of a round, as engines.stella.scoring counts them; *dark* is a seat or None."""
    leader = scoring.NO_SEAT if dark is None else dark
    return tuple(scoring.score_round([*stars], [*sparks], leader, seat_set([*fallen])))


def after(seats, marks, *shown, first=0):
    """Return the last step of a first round: the crosses of all seats, then the cards shown, by number."""
    crosses = {seat: [card(n) for n in numbers.split()] for seat, numbers in enumerate(marks)}
    assert seats == len(marks)
    deal = complete_deal({"options": {"word_vote": False}, "first": first})
    *_, step = replay(STELLA, deal, seats, [crosses, *(f"show {card(n)}" for n in shown)])
    return step


def card(number):
    return f"c{int(number):02}"


def asked(state):
    return {seat: list(choice.options) for seat, choice in STELLA.choices(state).items()}


def public(step):
    return STELLA.view(step.state, None)


# What a show is.

SHOWS = [  # the crosses of all seats, the cards shown; then who has fallen, all stars, and the next scout
    ("SD7: with one other a super-spark", "1 2, 3 4, 1 3", "1", [], [3, 0, 3], 1),
    ("SD8: who has fallen saves a scout, and fills nothing", "1 2, 2 3, 4 5", "1 2", [0], [0, 3, 0], 2),
    ("SD8: who has fallen counts for a spark", "1 2, 2 3, 2 5", "1 2", [0], [0, 2, 2], 2),
    ("SD8: for several cards", "1 2 3 4, 2 3 9, 4 8 9", "1 2 4 3", [0], [0, 6, 3], 2),
    ("SD9: one who fell, one who stands: a spark", "1 2, 2 3, 2 5, 6 7", "1 2", [0], [0, 2, 2, 0], 2),
    ("SD11: a cross that another seat shows is used up", "1 2, 1, 2 3", "1", [], [3, 3, 0], 2),
    ("SD12: the order decides what is filled before a fall", "1 2, 1 5, 4 5", "1", [], [3, 3, 0], 1),
    ("SD12: if the fall comes first, nothing", "1 2, 1 5, 4 5", "2", [0], [0, 0, 0], 1),
    ("SD13: without crosses left a seat is skipped", "1 2, 1, 2 3, 3 4", "1", [], [3, 3, 0, 0], 2),
    ("SD13: for the rest of the round", "1 2, 1, 2 3, 3 4", "1 2", [], [6, 3, 3, 0], 3),
    ("SD16: the scout is next clockwise", "1 2 3, 4 2 3, 5 2 3, 6 2 3", "2", [], [2, 2, 2, 2], 1),
    ("SD16: also after a fall", "1 2 3, 4 2 3, 5 2 3, 6 2 3", "2 4", [1], [2, 2, 2, 2], 2),
    ("SD16: and after a spark", "1 2 3, 4 2 3, 5 2 3, 6 2 3", "2 4 3", [1], [4, 2, 4, 4], 3),
    ("SD16: after the last the first", "1 2 3, 4 2 3, 5 2 3, 6 2 3", "2 4 3 6", [1, 3], [4, 2, 4, 4], 0),
    ("SD16: one that stands", "1 2 3, 4 2 3, 5 2 3, 6 2 3", "2 4 3 6 1", [0, 1, 3], [4, 2, 4, 4], 2),
    ("D11: it may be the same seat again", "1 2 3, 1, 1", "1", [], [2, 2, 2], 0),
    ("SD21: stars before a fall", "1 2 3, 1 2 4, 5", "1 2 5", [2], [6, 6, 0], 0),
    ("SD21: a fall takes no stars away", "1 2 3, 1 2 4, 5", "1 2 5 3", [0, 2], [6, 6, 0], 1),
]


@pytest.mark.parametrize(("ruling", "marks", "shown", "fallen", "stars", "scout"), SHOWS)
def test_cards_that_are_shown_make_falls_stars_and_scouts(ruling, marks, shown, fallen, stars, scout):
    view = public(after(len(stars), marks.split(", "), *shown.split()))
    assert (fallen, stars, scout) == (view["fallen"], view["stars"], view["scout"]), ruling


def test_sd7_and_sd9_sparks_and_super_sparks_are_counted_for_each_seat():
    assert [1, 0, 1] == public(after(3, ["1 2", "3 4", "1 3"], 1))["sparks"]
    assert [0, 1, 1, 0] == public(after(4, ["1 2", "2 3", "2 5", "6 7"], 1, 2))["sparks"]


@pytest.mark.parametrize("seats", range(4, 7))
def test_sd7_the_scout_and_at_least_two_others_make_a_spark_of_two_stars_each(seats):
    for others in range(2, seats):
        marks = ["1 2", *["1 3"] * others, *["4 5"] * (seats - 1 - others)]
        view = public(after(seats, marks, 1))
        assert [2] * (1 + others) + [0] * (seats - 1 - others) == view["stars"]
        assert {"c01": [*range(1 + others)]} == view["shown"]


def test_sd7_the_scout_alone_falls_and_fills_nothing():
    step = after(3, ["1 2", "3 4", "3 4"], 1)
    assert ([0, 0, 0], [0], {"c01": [0]}) == (
        public(step)["stars"],
        public(step)["fallen"],
        public(step)["shown"],
    )
    assert [
        {"event": "show", "seat": 0, "card": "c01", "crossed": [0], "stars": [0, 0, 0], "scout": 1},
        {"event": "fall", "seat": 0},
    ] == [event.seen_by(2) for event in step.events]


def test_sd10_a_card_that_has_been_shown_may_not_be_shown_again():
    state = after(3, ["1 2", "1 3", "1 3"], 1).state
    assert {1: ["show c03"]} == asked(state)
    with pytest.raises(IllegalMove) as refusal:
        STELLA.play(state, {1: "show c01"})
    assert "expected one of the move 'show c03', got: 'show c01' (c01 has been shown already)" == str(
        refusal.value
    )


def test_sd12_and_d12_a_seat_with_unmatched_crosses_only_is_asked_and_falls():
    state = after(3, ["1", "1 2 3", "1"], 1).state
    assert {1: ["show c02", "show c03"]} == asked(state)
    for move in ("show c02", "show c03"):
        *_, score, _ = STELLA.play(state, {1: move}).events
        assert [2, 2, 2] == score.public["stars"]
        past = STELLA.view(STELLA.play(state, {1: move}).state, None)["rounds"][0]
        assert [1] == past["fallen"]


@pytest.mark.parametrize("first", range(3))
def test_sd14_the_first_scout_always_has_a_cross(first):
    assert [first] == list(asked(after(3, ["1", "1", "1"], first=first).state))


def test_sd15_a_scout_must_show_one_of_its_crosses():
    state = after(3, ["2 9 15", "1", "1"]).state
    assert {0: ["show c02", "show c09", "show c15"]} == asked(state)
    for move, why in [
        ("pass", "not a move of stella"),
        ("", "not a move of stella"),
        ("keep", "not what is asked now"),
        ("c02", "not a move of stella"),
        ("show c01", "no cross of yours is on c01"),
        ("show c16", r"got: 'show c16' \(not a card of the grid\)"),
    ]:
        with pytest.raises(IllegalMove, match=why):
            STELLA.play(state, {0: move})


def test_a_show_before_its_time_is_refused():
    state = STELLA.start(complete_deal({}), 3).state
    with pytest.raises(IllegalMove, match="not what is asked now"):
        STELLA.play(state, {0: "keep", 1: "keep", 2: "show c01"})


def test_d11_a_round_in_which_all_fall_is_scored():
    step = after(3, ["1 4", "2 5", "3 6"], 1, 2, 3)
    told = [event.seen_by(None) for event in step.events]
    assert ["show", "fall", "score", "round"] == [event["event"] for event in told]
    assert (None, {"event": "score", "round": 1, "stars": [0] * 3, "scores": [0] * 3}) == (
        told[0]["scout"],
        told[2],
    )
    assert [0, 1, 2] == public(step)["rounds"][0]["fallen"]


def test_d11_a_round_in_which_no_standing_seat_has_crosses_left_is_scored_and_the_rest_stays_secret():
    step = after(3, ["1 2 9", "2 3", "3 4"], 1, 2, 3, 4)  # 0 falls, 1 and 2 share c03, 2 falls; 0 keeps c09
    told = public(step)["rounds"][0]
    assert {"c01": [0], "c02": [0, 1], "c03": [1, 2], "c04": [2]} == told["shown"]
    assert "c09" not in str([told["shown"], [event.seen_by(1) for event in step.events]])
    assert ["c01", "c02", "c09"] == STELLA.view(step.state, 0)["past_crosses"][0]


def test_sd17_all_hear_who_had_crossed_a_shown_card_and_nothing_of_the_others():
    step = after(4, ["1 2", "1 3", "4 5", "1 6"], 1)
    (event,) = step.events
    for seat in (0, 1, 2, 3, None):
        assert [0, 1, 3] == event.seen_by(seat)["crossed"] == STELLA.view(step.state, seat)["shown"]["c01"]
    assert {"c01": [0, 1, 3]} == public(step)["shown"]
    assert ["c04", "c05"] == STELLA.view(step.state, 2)["crosses"]


# What a round is worth.

SIX = "1 2 3 4 5 6"
WORTH = [  # the crosses of all seats, the cards shown; then who is in the dark, who fell, stars and points
    ("SD18: standing in the dark", "1 2 3, 1 2, 3", "1 2 3", 0, [], [9, 6, 3], [9, 6, 3]),
    ("SD19: fallen in the dark", "1 2 3 4, 1 2, 2 3", "1 2 3 4", 0, [0], [8, 5, 5], [5, 5, 5]),
    ("SD20: fallen in the light", "1 2 3, 1 2 4, 5", "1 2 5 3 4", None, [0, 1, 2], [6, 6, 0], [6, 6, 0]),
    (
        "the example of Orange in the dark with six sparks and a super-spark, who scores 15",
        f"{SIX} 7, {SIX}, {SIX}, 7",
        "1 2 3 7 4 5 6",
        0,
        [],
        [15, 12, 12, 3],
        [15, 12, 12, 3],
    ),
    (
        "the example of Orange in the dark, who fell with six sparks and a super-spark, and scores 8",
        f"{SIX} 7 8, {SIX}, {SIX}, 7",
        "1 2 3 7 4 5 6 8",
        0,
        [0],
        [15, 12, 12, 3],
        [8, 12, 12, 3],
    ),
]


@pytest.mark.parametrize(("ruling", "marks", "shown", "dark", "fallen", "stars", "scores"), WORTH)
def test_a_fall_in_the_dark_costs_a_point_for_each_spark(ruling, marks, shown, dark, fallen, stars, scores):
    told = public(after(len(stars), marks.split(", "), *shown.split()))["rounds"][0]
    assert (dark, fallen, stars) == (told["dark"], told["fallen"], told["stars"]), ruling
    assert scores == told["scores"], ruling


def test_sd19_the_penalty_also_covers_stars_of_cards_that_others_have_shown():
    """Seat 0 shows nothing but the card of its fall."""
    told = public(after(3, ["1 2 3 4", "1 3", "3"], 1, 3, 2, first=1))["rounds"][0]
    assert ([5, 5, 2], [3, 5, 2]) == (told["stars"], told["scores"])


def test_d7_stars_on_view_are_as_filled_and_the_dark_penalty_comes_with_the_score():
    marks = ["1 2 3 4", "1 2", "2 3"]
    assert 0 == public(after(3, marks, 1))["dark"]
    step = after(3, marks, 1, 2, 3)
    assert [8, 5, 5] == public(step)["stars"]
    (_, _, score, _) = after(3, marks, 1, 2, 3, 4).events
    assert ([8, 5, 5], [5, 5, 5]) == (score.public["stars"], score.public["scores"])


@pytest.mark.parametrize("sparks", range(11))
def test_d7_the_penalty_never_makes_a_score_negative(sparks):
    assert (sparks, 5) == round_scores((2 * sparks, 5), (sparks, 2), 0, (0, 1))


# The examples of the rule book.

ORANGE, PINK, PURPLE, GREEN, BLUE = range(5)
CAPTAIN = ["1 2 3 4 5", "1 4 10", "2 5 7", "1 2 9", "4 10 11"]
"""Pink shows 1, Purple 2, Green 9, Blue 10; then the example begins: A is 3, B is 4, C is 5."""


def captain(*shown):
    return public(after(5, CAPTAIN, 1, 2, 9, 10, *shown, first=PINK))


def test_the_example_captain_orange_with_four_stars_shows_a_card_that_nobody_else_has_and_falls():
    assert (ORANGE, 4, [GREEN]) == (captain()["scout"], captain()["stars"][ORANGE], captain()["fallen"])
    view = captain(3)
    assert (PINK, 4, [ORANGE, GREEN]) == (view["scout"], view["stars"][ORANGE], view["fallen"])


def test_the_example_captain_pink_shows_a_card_of_fallen_orange_and_of_blue_which_is_a_spark():
    before, view = captain(3), captain(3, 4)
    assert [ORANGE, PINK, BLUE] == view["shown"]["c04"]
    assert [0, 2, 0, 0, 2] == [now - then for now, then in zip(view["stars"], before["stars"], strict=True)]


def test_the_example_captain_purple_shows_a_card_of_fallen_orange_only_which_is_a_super_spark():
    before, view = captain(3, 4), captain(3, 4, 5)
    assert (PURPLE, [ORANGE, PURPLE]) == (before["scout"], view["shown"]["c05"])
    assert [0, 0, 3, 0, 0] == [now - then for now, then in zip(view["stars"], before["stars"], strict=True)]


def test_the_example_captain_green_has_fallen_so_after_purple_blue_is_the_scout():
    assert BLUE == captain(3, 4, 5)["scout"]


def test_the_example_of_orange_in_the_light_with_nine_stars_who_scores_9():
    assert 9 == round_scores((9, 0, 0), (4, 0, 0), None, (0,))[0]
