"""Stella: deals made, deals refused, and answers that are no moves."""

import copy
from random import Random

import pytest
from support.broken_deals import break_deal, check_refused_or_playable
from support.draws import draws

from engines import playout
from engines.contract.texts import wide_lines
from engines.stella import Stella
from engines.stella.deck import DEFAULT
from engines.stella.luck import complete_deal

STELLA = Stella()
IDS = [f"c{number:02}" for number in range(1, 85)]
WORDS = [["Captain", "Honey"], ["Betrayal", "Olympia"], ["Memory", "Frost"], ["Feast", "Key"]]
OWN = {
    "cards": [{"id": f"p{n}", "text": f"Picture {n}.", "tags": ["odd"], "image": "p.png"} for n in range(30)],
    "words": WORDS,
    "discovery": WORDS[::-1],
}


def dealt(**more):
    return {"options": {}, "first": 0, "cards": IDS, "words": WORDS} | more


# Deals made.


def test_every_word_card_and_every_picture_comes_up_in_random_deals():
    deals = [STELLA.deal(3, Random(seed)) for seed in range(400)]
    assert {*DEFAULT.words} == {(top, upside_down) for deal in deals for top, upside_down in deal["words"]}
    assert all(4 == len({top for top, _ in deal["words"]}) for deal in deals)
    assert set(IDS) == {deal["cards"][0] for deal in deals} == {deal["cards"][29] for deal in deals}


def test_d14_a_first_game_uses_the_four_discovery_cards_in_their_order():
    for seed in range(10):
        deal = STELLA.deal(3, Random(seed), {"first_game": True})
        assert [list(pair) for pair in DEFAULT.discovery] == deal["words"]
        assert (True, True) == (deal["options"]["first_game"], deal["options"]["word_vote"])
        state = STELLA.imagine(STELLA.view(STELLA.start(deal, 3).state, 0), Random(1))
        assert DEFAULT.discovery == state.luck.words


def test_d14_otherwise_no_discovery_card_is_drawn():
    for seed in range(100):
        words = STELLA.deal(3, Random(seed))["words"]
        assert not {tuple(pair) for pair in words} & set(DEFAULT.discovery)


def test_a_deal_written_by_hand_is_completed_in_the_order_of_the_deck():
    deal = complete_deal({"cards": ["c84", "c02"]})
    assert ["c84", "c02", "c01", "c03"] == deal["cards"][:4]
    assert IDS == sorted(deal["cards"])
    assert (0, {}, 4) == (deal["first"], deal["options"], len(deal["words"]))


# Deals refused.


WRONG = [
    ("first", 3, "first .* got: 3"),
    ("cards", IDS[1:], "cards .*'c01'.* 0"),
    ("cards", [*IDS, "c05"], "cards .*'c05'.* 2"),
    ("cards", ["c02", *IDS[1:]], "cards .*'c0[12]'"),
    ("cards", "c01", "cards as a list .* got: 'c01'"),
    ("words", WORDS[:3], "words as a list of 4 pairs"),
    ("words", [*WORDS, ["Rust", "Velvet"]], "words as a list of 4 pairs"),
    ("words", [*WORDS[:3], ["Rust"]], r"words\[3\] as a pair of texts, got: \['Rust'\]"),
    ("words", [*WORDS[:3], "Ru"], r"words\[3\] as a pair of texts, got: 'Ru'"),
    ("words", [*WORDS[:3], ["Rust", ""]], r"words\[3\] to hold texts that are not empty"),
    ("words", [["Rust", 5], *WORDS[:3]], r"words\[0\] to hold texts that are not empty"),
    ("words", "Rust", "words as a list of 4 pairs, got: 'Rust'"),
    ("words", None, "words as a list of 4 pairs, got: None"),
    ("options", {"word_votes": True}, "option .* got: 'word_votes'"),
    ("options", {"word_vote": 1}, "word_vote .* got: 1"),
    ("options", {"word_vote": "true"}, "word_vote .* got: 'true'"),
    ("options", {"word_vote": None}, "word_vote .* got: None"),
    ("options", {"first_game": True}, "words to be the discovery word cards"),
    ("options", {"deck": None}, "the deck as a table, got: None"),
]


@pytest.mark.parametrize(("key", "value", "fault"), WRONG)
def test_d2_an_impossible_deal_is_refused_and_the_fault_named(key, value, fault):
    deal = dealt() | {key: value}
    before = copy.deepcopy(deal)
    with pytest.raises(ValueError, match=fault):
        STELLA.start(deal, 3)
    assert before == deal


def test_d2_words_may_be_equal_and_may_be_any_text():
    words = [["Same", "Same"], ["Same", "Same"], ["\n", "x" * 500], ["Ünïcode 星", "b"]]
    for played in playout(STELLA, dealt(words=words), 3, Random(1)):
        for seat in (0, None):
            view = STELLA.view(played.state, seat)
            assert STELLA.view(STELLA.imagine(view, Random(1)), seat) == view
            assert [] == wide_lines(STELLA.text(view).splitlines(), 100)
            assert [] == [line for line in STELLA.text(view).splitlines() if not line.isprintable()]


@draws(30, 150, break_deal(STELLA.deal(3, Random(1), {"first_game": True})))
def test_a_broken_deal_is_refused_by_name_or_can_be_played(deal):
    check_refused_or_playable(STELLA, deal, 3)


@draws(30, 250, break_deal(STELLA.deal(6, Random(1), {"deck": OWN})))
def test_a_broken_deal_of_ones_own_deck_is_refused_by_name_or_can_be_played(deal):
    check_refused_or_playable(STELLA, deal, 6)
