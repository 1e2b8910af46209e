"""Starry Sky: the deal, the turns and the end.  One test a ruling, from deals written by hand."""

from random import Random

import pytest
from hypothesis import strategies as st
from support.broken_deals import break_deal, check_started_or_refused
from support.draws import draws
from support.told import told

from engines import IllegalMove, playout, replay
from engines.starry_sky import StarrySky
from engines.starry_sky.boards import BOARDS, NAMES
from engines.starry_sky.luck import complete_deal

SKY = StarrySky()
SET = ["1", "3", "5", "6", "7", "10", "H", "D", "D"]
TABLES = [3, 4, 5]
each_table = pytest.mark.parametrize("seats", TABLES)


def dealt(*boards, **more):
    return complete_deal({"boards": list(boards)} | more)


def after(deal, *moves, seats=3):
    """Return the last step of a match that begins with *moves*."""
    *_, step = replay(SKY, deal, seats, moves)
    return step


def asked(state):
    return {seat: list(choice.options) for seat, choice in SKY.choices(state).items()}


def in_play(state):
    return [*told(state).boards]


def match(seats, seed=1):
    rng = Random(seed)
    return list(playout(SKY, SKY.deal(seats, rng), seats, rng))


def first_on(*boards):
    """Return a rule that takes the first option on the first of *boards* that has one."""

    def rule(options):
        return next(move for name in boards for move in options if move.split("@")[1].startswith(name))

    return rule


def played(deal, rules, turns, seats=3):
    """Return the last step after *turns* moves; *rules* tell for every seat which option it takes."""
    step = SKY.start(deal, seats)
    for _ in range(turns):
        ((seat, options),) = asked(step.state).items()
        step = SKY.play(step.state, {seat: rules[seat](options)})
    return step


# The deal.


@each_table
def test_ss23_as_many_boards_lie_open_as_there_are_seats(seats):
    state, (event,) = SKY.start(dealt("Leo", "Ari", "Gem"), seats)
    names = ["Leo", "Ari", "Gem", "Cnc", "Lib"][:seats]
    assert names == in_play(state)
    assert 12 - seats == SKY.view(state, 0)["pile"]
    assert {"event": "start", "options": {}, "first": 0, "boards": names} == event.seen_by(0)


@each_table
def test_every_seat_begins_with_nine_tokens_two_of_them_double_stars(seats):
    state = SKY.start(dealt(), seats).state
    assert [9] * seats == SKY.view(state, None)["hands"]
    for seat in range(seats):
        assert SET == SKY.view(state, seat)["hand"]


@pytest.mark.parametrize("first", [0, 1, 2, 3])
def test_ss25_and_b11_the_deal_says_who_begins_and_the_seats_follow_clockwise(first):
    state = SKY.start(dealt("Leo", "Gem", "Sco", "Sgr", first=first), 4).state
    for turn in range(8):
        ((seat, options),) = asked(state).items()
        assert (first + turn) % 4 == seat
        state = SKY.play(state, {seat: first_on("Leo", "Gem", "Sco", "Sgr")(options)}).state


WRONG = [
    ("boards", list(NAMES[1:]), "Ari"),
    ("boards", [*NAMES, "Leo"], "Leo"),
    ("boards", [*NAMES[:11], "Ari"], "Ari"),
    ("boards", [*NAMES[:11], "Ser"], "Ser"),
    ("options", {"serpent": True}, "serpent"),
]


@pytest.mark.parametrize(("key", "value", "fault"), WRONG)
def test_b13_an_impossible_deal_is_refused_and_the_fault_named(key, value, fault):
    with pytest.raises(ValueError, match=fault):
        SKY.start(dealt() | {key: value}, 3)


def test_b13_the_first_seat_is_one_of_the_table():
    SKY.start(dealt(first=3), 4)
    with pytest.raises(ValueError, match="first"):
        SKY.start(dealt(first=3), 3)


def possible(deal, seats):
    """Return whether a deal can happen."""
    if not isinstance(deal, dict) or deal.keys() | {"options"} != {"options", "first", "boards"}:
        return False
    first, boards = deal["first"], deal["boards"]
    fits = deal.get("options", {}) == {} and type(first) is int and 0 <= first < seats
    return fits and isinstance(boards, list) and sorted(map(repr, boards)) == sorted(map(repr, NAMES))


@each_table
@draws(40, 150, data=st.data())
def test_b13_a_deal_starts_just_if_it_can_happen_and_stays_as_it_is(seats, data):
    deal = data.draw(break_deal(SKY.deal(seats, Random(1))))
    check_started_or_refused(SKY, deal, seats, starts=possible(deal, seats))


def test_ss32_there_are_twelve_boards_and_the_serpent_is_not_among_them():
    assert 12 == len(BOARDS)
    assert "Ser" not in BOARDS


# A turn.


def test_b1_stars_are_counted_from_0_and_the_options_go_by_board_star_and_token():
    state = SKY.start(dealt("Leo", "Ari", "Gem"), 3).state
    tokens = ["1", "3", "5", "6", "7", "10", "H", "D"]
    expected = [
        f"{token}@{name}.{star}"
        for name, size in [("Leo", 9), ("Ari", 5), ("Gem", 8)]
        for star in range(size)
        for token in tokens
    ]
    assert {0: expected} == asked(state)


def test_equal_tokens_make_one_option_also_when_one_of_them_is_gone():
    moves = ["D@Leo.4", "1@Leo.5", "1@Leo.6"]
    ((seat, options),) = asked(after(dealt("Leo", "Ari", "Gem"), *moves).state).items()
    assert 1 == options.count("D@Leo.0")
    assert len(options) == len(set(options)) == 8 * (6 + 5 + 8)
    moves += ["D@Gem.4", "3@Leo.7", "3@Leo.8"]
    ((_, options),) = asked(after(dealt("Leo", "Ari", "Gem"), *moves).state).items()
    assert 0 == sum(move.startswith("D") for move in options)
    assert seat == 0


def test_ss2_a_seat_with_tokens_cannot_pass():
    with pytest.raises(IllegalMove, match="pass"):
        SKY.play(SKY.start(dealt(), 3).state, {0: "pass"})


def test_only_one_token_lies_on_a_star():
    state = after(dealt("Leo", "Ari", "Gem"), "1@Leo.3").state
    assert not [move for move in asked(state)[1] if move.endswith("@Leo.3")]
    with pytest.raises(IllegalMove, match=r"Leo\.3 is not free"):
        SKY.play(state, {1: "1@Leo.3"})


@pytest.mark.parametrize("name", NAMES)
def test_b19_large_stars_take_the_token_face_down_and_small_ones_face_up(name):
    for star in range(len(BOARDS[name].stars)):
        state, (event,) = after(dealt(name), f"10@{name}.{star}")
        shown = "?" if star in BOARDS[name].large else "10"
        assert shown == SKY.view(state, None)["boards"][0]["tokens"][star]
        assert {"event": "place", "seat": 0, "star": f"{name}.{star}", "token": shown} == event.seen_by(1)
        assert "10" == event.seen_by(0)["token"]


REFUSED = [
    ("1@Leo.0", "1 is not in hand"),
    ("3@Leo.4", "Leo.4 is not free"),
    ("3@Vir.0", "Vir is not in play"),
    ("3@Leo.9", "not a move of starry-sky"),
    ("3@Ser.0", "not a move of starry-sky"),
    ("2@Leo.0", "not a move of starry-sky"),
    ("3@Leo.0 down", "not a move of starry-sky"),
]


@pytest.mark.parametrize(("move", "why"), REFUSED)
def test_a_refusal_says_why(move, why):
    state = after(dealt("Leo", "Ari", "Gem"), "1@Leo.4", "5@Leo.5", "5@Leo.6").state
    with pytest.raises(IllegalMove) as refusal:
        SKY.play(state, {0: move})
    assert f"expected one of 133 moves, got: {move!r} ({why})" == str(refusal.value)


# Seats without tokens.


def places(*groups):
    """Return a rule by which a seat fills these stars of these boards, one after the other."""
    names = iter([f"@{name}.{star}" for name, stars in groups for star in stars])

    def rule(options):
        place = next(names)
        return next(move for move in options if move.endswith(place))

    return rule


def lonely(on_leo):
    """Return rules by which seat 0 puts *on_leo* tokens on Leo and the rest on Gem, the others fill up."""
    fill = first_on("Ari", "Cnc", "Lib", "Aqr")
    return [places(("Leo", range(on_leo)), ("Gem", range(9 - on_leo))), fill, fill]


def test_ss1_and_b4_a_seat_without_tokens_is_skipped_which_is_no_decision_and_takes_no_turn_number():
    state, events = played(dealt("Leo", "Gem", "Ari"), lonely(4), 27)
    view = SKY.view(state, None)
    assert (0, 27) == (view["hands"][0], view["turn"])
    assert {"event": "skip", "seat": 0} == events[-1].seen_by(0)
    ((seat, options),) = asked(state).items()
    assert (1, 28) == (seat, SKY.view(SKY.play(state, {seat: options[0]}).state, None)["turn"])


def test_b4_several_seats_can_be_skipped_in_a_row_and_the_mover_can_be_next():
    rules = [
        places(("Leo", range(5)), ("Gem", range(3)), ("Sco", [0])),
        places(("Leo", range(5, 8)), ("Gem", range(3, 7)), ("Sco", [1, 2])),
        places(("Ari", range(5)), ("Sco", range(3, 7))),
    ]
    state, events = played(dealt("Leo", "Gem", "Ari", "Sco"), rules, 27)
    assert [0, 0, 5] == SKY.view(state, None)["hands"]
    assert [("place", 2), ("skip", 0), ("skip", 1)] == [(e.kind, e.public["seat"]) for e in events]
    assert [2] == list(asked(state))


def test_b3_a_player_whose_last_tokens_lay_on_the_full_board_is_not_skipped():
    rules = lonely(5)
    state = played(dealt("Leo", "Gem", "Ari"), rules, 27).state
    assert (0, [1]) == (SKY.view(state, None)["hands"][0], list(asked(state)))
    rule = first_on("Leo")
    for seat in (1, 2, 1, 2):
        state, events = SKY.play(state, {seat: rule(asked(state)[seat])})
    assert ["place", "score", "open"] == [event.kind for event in events]
    assert 5 == SKY.view(state, None)["hands"][0]
    assert [0] == list(asked(state))


# A full board.

FILL_ARI = ["10@Ari.1", "6@Ari.0", "H@Leo.4", "D@Ari.2", "5@Cnc.0", "5@Ari.3", "7@Ari.4"]


def test_b3_score_pay_send_home_open_the_next_board_then_find_the_next_seat():
    deal = dealt("Leo", "Ari", "Cnc", "Gem")
    state, events = after(deal, *FILL_ARI)
    assert [
        {"event": "place", "seat": 0, "star": "Ari.4", "token": "7"},
        {
            "event": "score",
            "board": "Ari",
            "owners": [1, 0, 0, 2, 0],
            "tokens": ["6", "10", "D", "5", "7"],
            "coins": [4, 1, 3],
        },
        {"event": "open", "board": "Gem", "at": 1},
    ] == [event.seen_by(1) for event in events]
    view = SKY.view(state, 0)
    assert ([4, 1, 3], SET) == (view["coins"], view["hand"])
    assert [9, 8, 8] == view["hands"]
    assert [1] == list(asked(state))


def test_ss23_and_b5_a_new_board_stands_at_the_index_of_the_full_one():
    state = after(dealt("Leo", "Ari", "Cnc", "Gem"), *FILL_ARI).state
    assert ["Leo", "Gem", "Cnc"] == in_play(state)
    assert [None] * 8 == SKY.view(state, None)["boards"][1]["owners"]
    places = {move.split("@")[1].split(".")[0]: None for move in asked(state)[1]}
    assert ["Leo", "Gem", "Cnc"] == list(places)


@each_table
def test_b5_with_an_empty_pile_the_others_close_up(seats):
    before = None
    for step in match(seats):
        names = in_play(step.state)
        scored = [event.public["board"] for event in step.events if event.kind == "score"]
        if scored and not any(event.kind == "open" for event in step.events):
            assert [name for name in before if name != scored[0]] == names
        before = names
    assert [] == before


def test_ss22_a_turn_completes_at_most_one_board():
    for seats in TABLES:
        for step in match(seats, 2):
            assert sum(event.kind == "score" for event in step.events) <= 1


def test_ss24_the_seat_after_the_one_that_completed_the_board_is_next():
    for seats in TABLES:
        for step in match(seats, 3)[:-1]:
            if any(e.kind == "score" for e in step.events) and not any(e.kind == "skip" for e in step.events):
                ((seat, _),) = step.moves.items()
                assert [(seat + 1) % seats] == list(asked(step.state))


def test_all_tokens_go_home_also_those_that_were_swallowed():
    moves = ["H@Ari.1", "6@Ari.0", "H@Leo.4", "D@Ari.2", "5@Cnc.0", "5@Ari.3", "7@Ari.4"]
    view = SKY.view(after(dealt("Leo", "Ari", "Cnc", "Gem"), *moves).state, 1)
    assert [9, 8, 8] == view["hands"]
    assert ["1", "3", "6", "7", "10", "H", "D", "D"] == view["hand"]


def test_ss30_and_b15_coins_and_the_record_of_a_full_board_are_public():
    state = after(dealt("Leo", "Ari", "Cnc", "Gem"), *FILL_ARI).state
    for seat in (0, 1, 2, None):
        view = SKY.view(state, seat)
        assert [4, 1, 3] == view["coins"]
        assert [
            {
                "board": "Ari",
                "owners": [1, 0, 0, 2, 0],
                "tokens": ["6", "10", "D", "5", "7"],
                "coins": [4, 1, 3],
            }
        ] == view["scored"]


# The end.


@each_table
def test_ss28_a_match_ends_after_12_boards_and_exactly_84_tokens(seats):
    for seed in range(10):
        steps = match(seats, seed)
        assert 84 == len(steps) - 1 == SKY.view(steps[-1].state, None)["turn"]
        assert [SET] * seats == [SKY.view(steps[-1].state, seat)["hand"] for seat in range(seats)]
        assert (12, []) == (len(steps[-1].state.scored), in_play(steps[-1].state))
        assert all(asked(step.state) for step in steps[:-1])


@pytest.mark.parametrize(
    ("coins", "ranks"),
    [((46, 48, 46), (2, 1, 2)), ((46, 46, 46), (1, 1, 1)), ((46, 47, 47), (3, 1, 1)), ((1, 2, 3), (3, 2, 1))],
)
def test_ss29_and_b18_equal_coins_share_a_rank(coins, ranks):
    state = match(3)[-1].state.copy()
    state.coins = [*coins]
    assert (ranks, coins) == (SKY.outcome(state).ranks, SKY.outcome(state).scores)
