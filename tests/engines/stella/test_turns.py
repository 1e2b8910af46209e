"""Stella: the deal, the words, the crosses, the grid and the end.  One test a ruling, from written deals."""

import pytest
from support.told import by_name

from engines import IllegalMove, Some, replay
from engines.stella import Stella
from engines.stella.deck import DEFAULT
from engines.stella.luck import complete_deal

STELLA = by_name(Stella)()
IDS = [*DEFAULT.pictures]  # c01 to c84
WORDS = [["Captain", "Honey"], ["Betrayal", "Olympia"], ["Memory", "Frost"], ["Feast", "Key"]]
QUIET = {"word_vote": False}


def dealt(**more):
    """Return a deal: c01 to c15 lie on the grid, c16 to c20 come next; seat 0 begins, nobody votes."""
    return complete_deal({"options": QUIET, "words": WORDS} | more)


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
    number = state.number
    while state.number == number and (choices := STELLA.choices(state)):
        state = STELLA.play(state, {s: next(iter(choice)) for s, choice in choices.items()}).state
    return state


def grid(state):
    return [card["id"] for card in STELLA.view(state, None)["grid"]]


# Words.


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
        assert (None, None, 15) == (state.word, view["word"], len(view["grid"]))
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
        assert top == state.word == STELLA.view(state, 1)["word"]
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
    (["c01", "c16"], r"got: 'c16' \(not a card of the grid\)"),
    (["show c01"], r"got: 'show c01' \(not a card of the grid\)"),
    (["c01", 7], "expected a move as a list of strings"),
    ("c01", "expected a move as a list of strings"),
    (None, "expected a move as a list of strings"),
    ("keep", "expected a move as a list of strings"),
]


@pytest.mark.parametrize(("move", "why"), CROSSES_REFUSED)
def test_sd3_crosses_that_are_refused_and_why(move, why):
    state = STELLA.start(dealt(), 3).state
    with pytest.raises(IllegalMove, match=why):
        STELLA.play(state, crosses("1", "2", "3") | {1: move})
    with pytest.raises(IllegalMove, match=why):
        STELLA.begin(dealt(), 3).option_of(1, move)


def test_the_example_of_orange_who_sees_a_captain_in_seven_cards_and_crosses_them_all():
    seven = ["c02", "c03", "c05", "c08", "c11", "c12", "c14"]
    state = after(dealt(), 4, crosses("1", "2", "3", "4") | {0: seven}).state
    view = STELLA.view(state, 0)
    assert ("Captain", seven, 7) == (view["word"], view["crosses"], view["counts"][0])


def test_d3_any_order_of_crosses_is_the_same_answer_and_is_told_in_grid_order():
    one = after(dealt(), 3, crosses("9 1 15", "2", "3"))
    assert one == after(dealt(), 3, crosses("1 9 15", "2", "3"))
    assert ["c01", "c09", "c15"] == STELLA.view(one.state, 0)["crosses"]
    assert ["c01", "c09", "c15"] == one.events[0].seen_by(0)["crosses"]
    assert {0: ["show c01", "show c09", "show c15"]} == asked(one.state)


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
    ("SD5: the first seat", "1 2, 1, 1", 0),
    ("SD5: the second seat", "1, 1 2 3, 1 2", 1),
    ("SD5: by one of ten", "1 2 3 4 5 6 7 8 9 10, 1, 1 2 3 4 5 6 7 8 9", 0),
    ("SD5: the example of Orange with seven", "1 2 3 4 5 6 7, 1 2 3 4 5, 1 2, 1 2 3 4 5 6", 0),
    ("SD6: two seats", "1 2, 1 2, 1", None),
    ("SD6: all seats", "1, 1, 1", None),
    ("SD6: Orange and Pink with eight", "1 2 3 4 5 6 7 8, 8 9 10 11 12 13 14 15, 1 2, 1 2 3 4 5 6", None),
]


@pytest.mark.parametrize(("ruling", "marks", "dark"), COUNTS)
def test_sd5_and_sd6_only_who_is_alone_in_the_lead_is_in_the_dark(ruling, marks, dark):
    made = crosses(*marks.split(", "))
    assert dark == STELLA.view(after(dealt(), len(made), made).state, 0)["dark"], ruling


def test_sd5_a_fall_changes_nothing_about_who_is_in_the_dark():
    deal = dealt()
    state = after(deal, 3, crosses("1 2 3", "4 5", "6"), "show c01", "show c04").state
    assert ([0, 1], 0) == (STELLA.view(state, 1)["fallen"], STELLA.view(state, 1)["dark"])


# The grid.


@pytest.mark.parametrize("seats", range(3, 7))
def test_sd22_sd23_sd26_and_d6_the_bottom_then_the_middle_then_the_top_row_is_replaced_then_all_is_over(
    seats,
):
    state = STELLA.start(dealt(), seats).state
    grids = []
    for _ in range(4):
        grids.append(grid(state))
        state = to_the_end_of_round(state)
    assert IDS[:15] == grids[0]
    assert [*IDS[:10], *IDS[15:20]] == grids[1]
    assert [*IDS[:5], *IDS[20:25], *IDS[15:20]] == grids[2]
    assert [*IDS[25:30], *IDS[20:25], *IDS[15:20]] == grids[3] == grid(state)
    assert ("over", 4, {}) == (state.step, state.number, asked(state))


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


# The end.


def same_crosses_every_round(seats, one_alone=()):
    """Play a match in which all cross the first card of the grid; *one_alone* cross one that is theirs."""
    state = STELLA.start(dealt(), seats).state
    while choices := STELLA.choices(state):
        if state.step == "associate":
            cards = state.cards
            moves = {seat: [cards[seat + 1] if seat in one_alone else cards[0]] for seat in choices}
        else:
            moves = {seat: choice.options[0] for seat, choice in choices.items()}
        state = STELLA.play(state, moves).state
    return state


def test_sd25_equal_points_are_a_shared_victory():
    assert (1, 1, 1, 1) == STELLA.outcome(same_crosses_every_round(4)).ranks
    outcome = STELLA.outcome(same_crosses_every_round(4, one_alone=(1,)))
    assert ((1, 4, 1, 1), (8, 0, 8, 8)) == (outcome.ranks, outcome.scores)


def test_the_example_of_orange_who_scored_9_12_6_and_15_for_a_total_of_42():
    state = STELLA.start(dealt(), 3).state
    for cards in (3, 4, 2, 5):
        shared = state.cards[:cards]
        state = STELLA.play(state, {0: shared, 1: shared, 2: state.cards[10:11]}).state
        state = to_the_end_of_round(state)
    told = STELLA.view(state, 0)["rounds"]
    assert [9, 12, 6, 15] == [scored["scores"][0] for scored in told]
    assert (42, 1) == (STELLA.outcome(state).scores[0], STELLA.outcome(state).ranks[0])
