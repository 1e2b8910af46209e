"""Stella: the deal, the words, the crosses, the grid and the end.  One test a ruling, from written deals."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import IllegalMove, OneOf, Some, playout, replay
from engines.stella import Stella
from engines.stella.deck import DEFAULT
from engines.stella.luck import completed

STELLA = Stella()
IDS = [*DEFAULT.pictures]  # c01 to c84
WORDS = [["Captain", "Honey"], ["Betrayal", "Olympia"], ["Memory", "Frost"], ["Feast", "Key"]]
QUIET = {"word_vote": False}


def dealt(**more):
    """Return a deal: c01 to c15 lie on the grid, c16 to c20 come next; seat 0 begins, nobody votes."""
    return completed({"options": QUIET, "words": WORDS} | more)


def after(deal, seats, *moves):
    """Return the last step of a match with *moves*."""
    *_, step = replay(STELLA, deal, seats, moves)
    return step


def crosses(*seats):
    """Return the crosses of all seats, written as "1 2 15" for c01, c02 and c15."""
    return {seat: [f"c{int(n):02}" for n in marks.split()] for seat, marks in enumerate(seats)}


def asked(state):
    return {seat: list(choice.options) for seat, choice in STELLA.choices(state).items()}


def to_the_end_of_round(state):
    """Return the first state of the next round, each scout showing its first cross."""
    number = state.round.number
    while state.round.number == number and (choices := STELLA.choices(state)):
        state = STELLA.play(state, {s: next(iter(choice)) for s, choice in choices.items()}).state
    return state


def grid(state):
    return [card["id"] for card in STELLA.view(state, None)["grid"]]


# Players, words.


@pytest.mark.parametrize("seats", [0, 1, 2, 7, True, "3", None])
def test_sd1_stella_is_for_3_to_6_seats(seats):
    with pytest.raises(ValueError, match="seats"):
        STELLA.start(dealt(), seats)
    with pytest.raises(ValueError, match="seats"):
        STELLA.deal(seats, Random(1))
    assert range(3, 7) == STELLA.seats


@pytest.mark.parametrize("votes", ["flip flip flip", "flip keep flip", "keep keep keep", "keep flip flip"])
def test_sd2_the_other_word_is_used_only_if_all_say_flip(votes):
    said = votes.split()
    state, events = after(dealt(options={}), 3, dict(enumerate(said)))
    flipped = set(said) == {"flip"}
    view = STELLA.view(state, 0)
    assert ("Honey" if flipped else "Captain", flipped) == (view["word"], view["flipped"])
    assert [{"event": "vote", "flipped": flipped, "word": view["word"]}] == [e.seen_by(1) for e in events]


def test_sd2_all_vote_at_once_in_every_round_when_the_new_grid_is_on_view():
    state = STELLA.start(dealt(options={}), 3).state
    for number in range(1, 5):
        assert {seat: ["keep", "flip"] for seat in range(3)} == asked(state)
        view = STELLA.view(state, 2)
        assert ("vote", number, WORDS[number - 1]) == (view["step"], view["round"], view["words"])
        assert (None, 15) == (view["word"], len(view["grid"]))
        state = to_the_end_of_round(state)
    assert {} == asked(state)


def test_sd2_without_the_vote_the_word_at_the_top_is_used_and_the_other_one_never_shown():
    state, events = STELLA.start(dealt(), 3)
    view = STELLA.view(state, 0)
    assert ("associate", "Captain", False) == (view["step"], view["word"], view["flipped"])
    assert "Honey" not in str([view, *(event.seen_by(0) for event in events)])


def test_d4_who_voted_what_is_told_to_nobody():
    one = after(dealt(options={}), 3, {0: "flip", 1: "keep", 2: "flip"})
    other = after(dealt(options={}), 3, {0: "keep", 1: "keep", 2: "keep"})
    assert one == other


def test_d5_after_the_vote_the_other_word_is_not_shown_and_coming_words_never():
    state, events = after(dealt(options={}), 3, dict.fromkeys(range(3), "keep"))
    told = str([STELLA.view(state, 0), *(event.seen_by(0) for event in events)])
    assert "Captain" in told
    assert not any(word in told for word in ("Honey", "Betrayal", "Memory", "Feast"))


def test_d5_round_r_uses_the_word_card_r():
    state = STELLA.start(dealt(), 4).state
    for top, _ in WORDS:
        assert top == STELLA.view(state, 1)["word"]
        state = to_the_end_of_round(state)


# Crosses.


@pytest.mark.parametrize("seats", range(3, 7))
def test_sd3_all_cross_1_to_10_different_cards_of_the_grid_at_once(seats):
    state = STELLA.start(dealt(), seats).state
    assert {seat: Some(tuple(IDS[:15]), 1, 10) for seat in range(seats)} == STELLA.choices(state)
    assert 30_826 == STELLA.choices(state)[0].count()


CROSSES_REFUSED = [
    ([], "expected 1 to 10 options, got 0"),
    (IDS[:11], "expected 1 to 10 options, got 11"),
    (["c01", "c01"], "got one twice"),
    (["c01", "c16"], r"c16 is not on the grid"),
    (["show c01"], "show c01 is not on the grid"),
    ("c01", "expected a move as a list of strings"),
    ("keep", "expected a move as a list of strings"),
]


@pytest.mark.parametrize(("move", "why"), CROSSES_REFUSED)
def test_sd3_crosses_that_are_refused_and_why(move, why):
    state = STELLA.start(dealt(), 3).state
    with pytest.raises(IllegalMove, match=why):
        STELLA.play(state, crosses("1", "2", "3") | {1: move})


def test_d3_any_order_of_crosses_is_the_same_answer():
    one = after(dealt(), 3, crosses("9 1 15", "2", "3"))
    assert one == after(dealt(), 3, crosses("1 9 15", "2", "3"))
    assert ["c01", "c09", "c15"] == STELLA.view(one.state, 0)["crosses"]


def test_sd4_crosses_are_secret_and_the_counts_are_told_together():
    state, (event,) = after(dealt(), 3, crosses("1 2 3", "4", "5 6"))
    expected = {"event": "announce", "counts": [3, 1, 2], "dark": 0, "scout": 0}
    assert expected == event.seen_by(None)
    assert expected | {"crosses": ["c05", "c06"]} == event.seen_by(2)
    views = [STELLA.view(state, seat) for seat in (0, 1, 2, None)]
    assert [["c01", "c02", "c03"], ["c04"], ["c05", "c06"]] == [view["crosses"] for view in views[:3]]
    assert all([3, 1, 2] == view["counts"] for view in views)
    assert "crosses" not in views[3]


def test_d13_the_counts_and_the_lantern_are_on_view_before_the_first_show():
    state = after(dealt(), 4, crosses("1", "2 3", "4 5 6", "7")).state
    view = STELLA.view(state, None)
    assert ("show", [1, 2, 3, 1], 2) == (view["step"], view["counts"], view["dark"])


COUNTS = [
    ("1 2", "1", "1", 0),
    ("1", "1 2 3", "1 2", 1),
    ("1 2", "1 2", "1", None),  # SD6
    ("1", "1", "1", None),
    ("1 2 3 4 5 6 7 8 9 10", "1", "1 2 3 4 5 6 7 8 9", 0),
]


@pytest.mark.parametrize(("one", "two", "three", "dark"), COUNTS)
def test_sd5_and_sd6_only_who_is_alone_in_the_lead_is_in_the_dark(one, two, three, dark):
    assert dark == STELLA.view(after(dealt(), 3, crosses(one, two, three)).state, 0)["dark"]


def test_sd5_the_example_of_orange_with_seven_crosses_who_turns_the_token_to_the_dark_side():
    counts = ["1 2 3 4 5 6 7", "1 2 3 4 5", "1 2", "1 2 3 4 5 6"]
    assert 0 == STELLA.view(after(dealt(), 4, crosses(*counts)).state, 0)["dark"]


def test_sd6_the_example_of_orange_and_pink_with_eight_crosses_each_who_leave_nobody_in_the_dark():
    counts = ["1 2 3 4 5 6 7 8", "8 9 10 11 12 13 14 15", "1 2", "1 2 3 4 5 6"]
    assert STELLA.view(after(dealt(), 4, crosses(*counts)).state, 0)["dark"] is None


def test_sd5_a_fall_changes_nothing_about_who_is_in_the_dark():
    deal = dealt()
    state = after(deal, 3, crosses("1 2 3", "4 5", "6"), "show c01", "show c04").state
    assert ([0, 1], 0) == (STELLA.view(state, 1)["fallen"], STELLA.view(state, 1)["dark"])


# The grid.


@pytest.mark.parametrize("seats", range(3, 7))
def test_sd22_and_d6_the_bottom_row_is_replaced_after_round_1_the_middle_after_2_the_top_after_3(seats):
    state = STELLA.start(dealt(), seats).state
    grids = []
    for _ in range(4):
        grids.append(grid(state))
        state = to_the_end_of_round(state)
    assert IDS[:15] == grids[0]
    assert [*IDS[:10], *IDS[15:20]] == grids[1]
    assert [*IDS[:5], *IDS[20:25], *IDS[15:20]] == grids[2]
    assert [*IDS[25:30], *IDS[20:25], *IDS[15:20]] == grids[3]


def test_sd22_the_new_cards_are_told_with_their_places():
    state = after(dealt(), 3, crosses("1", "1", "1")).state
    *_, event = STELLA.play(state, {0: "show c01"}).events
    assert ("round", 2, [10, 11, 12, 13, 14]) == (
        event.kind,
        event.public["round"],
        event.public["places"],
    )
    assert IDS[15:20] == [card["id"] for card in event.public["cards"]]
    assert {"id", "text", "tags"} == set(event.public["cards"][0])


def test_sd23_after_round_4_nothing_is_replaced_and_the_match_is_over():
    state = STELLA.start(dealt(), 3).state
    for _ in range(4):
        before = grid(state)
        state = to_the_end_of_round(state)
    assert before == grid(state)
    assert ("over", 4, {}) == (state.step, state.round.number, asked(state))


@pytest.mark.parametrize(
    ("seats", "first"), [(seats, first) for seats in range(3, 7) for first in range(seats)]
)
def test_sd24_the_first_scout_moves_clockwise_each_round(seats, first):
    state = STELLA.start(dealt(first=first), seats).state
    for number in range(4):
        state = STELLA.play(state, all_cross_one(state)).state
        assert [(first + number) % seats] == list(STELLA.choices(state)) == [STELLA.view(state, 0)["scout"]]
        state = to_the_end_of_round(state)


def all_cross_one(state):
    return {seat: [choice.options[0]] for seat, choice in STELLA.choices(state).items()}


def test_sd26_thirty_cards_of_the_deck_come_to_the_grid():
    for seats in STELLA.seats:
        rng = Random(seats)
        deal = STELLA.deal(seats, rng)
        *_, last = playout(STELLA, deal, seats, rng)
        view = STELLA.view(last.state, None)
        assert set(deal["cards"][:30]) == {card for told in view["rounds"] for card in told["cards"]}


# The end.


def same_crosses_every_round(seats, one_alone=()):
    """Play a match in which all cross the first card of the grid; *one_alone* cross one that is theirs."""
    state = STELLA.start(dealt(), seats).state
    while choices := STELLA.choices(state):
        if state.step == "associate":
            cards = state.round.grid.cards
            moves = {seat: [cards[seat + 1] if seat in one_alone else cards[0]] for seat in choices}
        else:
            moves = {seat: choice.options[0] for seat, choice in choices.items()}
        state = STELLA.play(state, moves).state
    return state


def test_sd25_equal_points_are_a_shared_victory():
    assert (1, 1, 1, 1) == STELLA.outcome(same_crosses_every_round(4)).ranks
    outcome = STELLA.outcome(same_crosses_every_round(4, one_alone=(1,)))
    assert ((1, 4, 1, 1), (8, 0, 8, 8)) == (outcome.ranks, outcome.scores)


def test_the_scores_of_the_match_are_the_sums_of_the_rounds():
    for seats in STELLA.seats:
        rng = Random(seats)
        *_, last = playout(STELLA, STELLA.deal(seats, rng), seats, rng)
        view = STELLA.view(last.state, None)
        sums = [sum(told["scores"][seat] for told in view["rounds"]) for seat in range(seats)]
        assert sums == view["scores"] == list(STELLA.outcome(last.state).scores)


def test_the_example_of_orange_who_scored_9_12_6_and_15_for_a_total_of_42():
    state = STELLA.start(dealt(), 3).state
    for cards in (3, 4, 2, 5):
        shared = state.round.grid.cards[:cards]
        state = STELLA.play(state, {0: shared, 1: shared, 2: state.round.grid.cards[10:11]}).state
        state = to_the_end_of_round(state)
    told = STELLA.view(state, 0)["rounds"]
    assert [9, 12, 6, 15] == [scored["scores"][0] for scored in told]
    assert (42, 1) == (STELLA.outcome(state).scores[0], STELLA.outcome(state).ranks[0])


# The deal.


def test_a_deal_has_the_format_of_the_rules():
    deal = STELLA.deal(5, Random(1))
    assert ["options", "first", "cards", "words"] == list(deal)
    assert sorted(IDS) == sorted(deal["cards"])
    assert all(pair in [list(card) for card in DEFAULT.words] for pair in deal["words"])
    assert 4 == len({tuple(pair) for pair in deal["words"]})


def test_random_deals_begin_with_every_seat_about_equally_often():
    firsts = Counter(STELLA.deal(4, Random(seed))["first"] for seed in range(2000))
    assert all(420 < firsts[seat] < 580 for seat in range(4))


def test_d1_the_options_of_a_deal_may_be_missing_or_empty():
    for deal in (dealt(options={}), {key: part for key, part in dealt().items() if key != "options"}):
        options = STELLA.view(STELLA.start(deal, 3).state, 0)["options"]
        assert {"word_vote": True, "first_game": False} == options


WRONG = [
    ("first", 3, "first"),
    ("first", -1, "first"),
    ("first", True, "first"),
    ("first", "0", "first"),
    ("cards", IDS[1:], "'c01'"),
    ("cards", [*IDS, "c05"], "'c05'"),
    ("cards", ["c02", *IDS[1:]], "'c01'"),
    ("cards", ["X9", *IDS[1:]], "'X9'"),
    ("cards", 5, "cards"),
    ("cards", None, "cards"),
    ("words", WORDS[:3], "words"),
    ("words", [*WORDS, ["Rust", "Velvet"]], "words"),
    ("words", [*WORDS[:3], ["Rust"]], r"words\[3\]"),
    ("words", [*WORDS[:3], ["Rust", ""]], r"words\[3\]"),
    ("words", [["Rust", 5], *WORDS[:3]], r"words\[0\]"),
    ("words", "Rust", "words"),
    ("options", {"word_votes": True}, "word_votes"),
    ("options", {"word_vote": 1}, "word_vote"),
    ("options", {"word_vote": "true"}, "word_vote"),
    ("options", {"first_game": True}, "first_game"),  # with words that are not the discovery cards
    ("options", [], "options"),
    ("colour", "blue", "colour"),
]


@pytest.mark.parametrize(("key", "value", "fault"), WRONG)
def test_d2_an_impossible_deal_is_refused_and_the_fault_named(key, value, fault):
    with pytest.raises(ValueError, match=fault):
        STELLA.start(dealt() | {key: value}, 3)


@pytest.mark.parametrize("key", ["first", "cards", "words"])
def test_d2_a_deal_without_one_of_its_parts_is_refused(key):
    with pytest.raises(ValueError, match=key):
        STELLA.start({name: part for name, part in dealt().items() if name != key}, 3)


def test_d2_words_may_be_equal_and_may_be_any_text():
    words = [["Same", "Same"], ["Same", "Same"], ["\n", "x" * 500], ["Ünïcode 星", "b"]]
    state = STELLA.start(dealt(words=words), 3).state
    for _ in range(5):
        for seat in (0, None):
            view = STELLA.view(state, seat)
            assert STELLA.view(STELLA.imagine(view, Random(1)), seat) == view
            assert all(line.isprintable() and len(line) <= 100 for line in STELLA.text(view).splitlines())
        state = to_the_end_of_round(state)


def test_d14_a_first_game_uses_the_four_discovery_cards_in_their_order():
    for seed in range(10):
        deal = STELLA.deal(3, Random(seed), {"first_game": True})
        assert [list(pair) for pair in DEFAULT.discovery] == deal["words"]
        assert (True, True) == (deal["options"]["first_game"], deal["options"]["word_vote"])
        state = STELLA.imagine(STELLA.view(STELLA.start(deal, 3).state, 0), Random(1))
        assert DEFAULT.discovery == state.luck.words


def test_relabelling_the_seats_relabels_the_result():
    for seats in STELLA.seats:
        for seed in range(5):
            rng = Random(seed)
            deal = STELLA.deal(seats, rng)
            match = list(playout(STELLA, deal, seats, rng))
            other = deal | {"first": (deal["first"] + 1) % seats}
            moves = [
                {(seat + 1) % seats: move for seat, move in played.moves.items()} for played in match[1:]
            ]
            *_, last = replay(STELLA, other, seats, moves)
            scores = STELLA.outcome(match[-1].state).scores
            assert (scores[-1], *scores[:-1]) == STELLA.outcome(last.state).scores


# Everywhere.


def census(state):
    """Return all cards, wherever they are: gone from the grid, on it, or still to come."""
    over = state.past[:-1] if state.step == "over" else state.past
    grids = [*(past.round.grid.cards for past in over), state.round.grid.cards]
    gone = [card for one, other in pairwise(grids) for card in one if card not in other]
    dealt = 15 + 5 * (state.round.number - 1)
    return Counter(gone) + Counter(grids[-1]) + Counter(state.luck.cards[dealt:])


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(3, 6), st.booleans())
def test_every_card_every_cross_and_every_star_is_somewhere_once(seed, seats, word_vote):
    rng = Random(seed)
    deal = STELLA.deal(seats, rng, {"word_vote": word_vote})
    crossed = {}
    for played in playout(STELLA, deal, seats, rng):
        state = played.state
        assert Counter(IDS) == census(state)
        if state.step == "show" and not state.shown:
            crossed = {seat: set(move) for seat, move in played.moves.items()}
        if state.step == "show":
            check_crosses(state, crossed)


def check_crosses(state, crossed):
    """Assert that every cross has been shown or is still hidden, that counts stay, and that stars add up."""
    view = STELLA.view(state, None)
    hidden = {seat: set(STELLA.view(state, seat)["crosses"]) - set(view["shown"]) for seat in crossed}
    for seat, cards in crossed.items():
        shown = {card for card, seats in view["shown"].items() if seat in seats}
        assert (cards, len(cards)) == (shown | hidden[seat], view["counts"][seat])
        assert 2 * view["sparks"][seat] <= view["stars"][seat] <= 3 * view["sparks"][seat]
        assert seat in view["fallen"] or view["sparks"][seat] == len(shown)


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(3, 6))
def test_a_round_has_at_most_15_shows_and_a_seat_at_most_10_of_them(seed, seats):
    rng = Random(seed)
    shows = Counter()
    for played in playout(STELLA, STELLA.deal(seats, rng), seats, rng):
        for seat, choice in STELLA.choices(played.state).items():
            if isinstance(choice, OneOf) and played.state.step == "show":
                shows[played.state.round.number, seat] += 1
    assert all(count <= 10 for count in shows.values())
    assert all(sum(shows[number, seat] for seat in range(seats)) <= 15 for number in range(1, 5))
