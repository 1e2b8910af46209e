"""Stella: the deck of this project, and decks of one's own."""

import copy
import json
import re
import tomllib
from collections import Counter
from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from support.broken_deals import break_deal, check_told_well
from support.draws import draws

import engines.stella
from engines import onwards, playout
from engines.contract.texts import wide_lines
from engines.stella import Stella, checked_deck
from engines.stella.deck import DEFAULT, deck_json

STELLA = Stella()
DATA = json.loads((Path(engines.stella.__file__).parent / "deck.json").read_text("utf-8"))


def own_deck(cards=30, **more):
    """Return a deck as it comes out of a TOML file."""
    pictures = [
        {"id": f"p{n}", "text": f"Picture {n}.", "tags": ["odd" if n % 2 else "even"]} for n in range(cards)
    ]
    return {"cards": pictures} | more


TOML = "".join(
    f"""
[[cards]]
id = "photo-{number}"
text = "A photograph of the harbour on day {number}."
tags = ["sea", "day {number}"]
image = "photos/{number}.jpg"
"""
    for number in range(1, 41)
)


# The deck of this project.


def test_there_are_84_pictures_96_word_cards_and_4_discovery_cards():
    assert [84, 96, 4] == [len(DATA[key]) for key in ("cards", "words", "discovery")]
    assert [f"c{number:02}" for number in range(1, 85)] == [card["id"] for card in DATA["cards"]]


def test_every_picture_has_a_sentence_of_its_own_and_4_to_8_different_tags():
    texts = [card["text"] for card in DATA["cards"]]
    assert 84 == len(set(texts)) == sum(text.endswith(".") and 8 <= len(text.split()) <= 26 for text in texts)
    for card in DATA["cards"]:
        assert 4 <= len(set(card["tags"])) == len(card["tags"]) <= 8


def test_no_two_pictures_are_nearly_alike():
    for one, other in combinations(DATA["cards"], 2):
        assert len(set(one["tags"]) & set(other["tags"])) <= 3
        assert len(telling(one["text"]) & telling(other["text"])) <= 3


def telling(sentence):
    """Return the words of *sentence* that have more than three letters."""
    return {word for word in re.findall(r"[a-z']+", sentence.lower()) if len(word) > 3}


def test_the_sentences_are_not_all_built_alike():
    texts = [card["text"] for card in DATA["cards"]]
    assert sum(text.startswith(("A ", "An ")) for text in texts) < 84 / 2
    assert sum(", and " in text for text in texts) < 84 / 5


def test_all_words_are_different():
    words = [word for card in DATA["words"] + DATA["discovery"] for word in card]
    assert 200 == len(set(words)) == len({word.lower() for word in words})


def test_most_tags_are_on_several_pictures_and_none_is_on_most_of_them():
    on = Counter(tag for card in DATA["cards"] for tag in card["tags"])
    assert max(on.values()) <= 84 // 5
    assert sum(count > 1 for count in on.values()) > 0.75 * len(on)
    assert all(any(on[tag] > 2 for tag in card["tags"]) for card in DATA["cards"])


def test_most_words_are_a_tag_of_some_pictures_and_the_others_leave_room_for_dispute():
    tags = {tag for card in DATA["cards"] for tag in card["tags"]}
    words = [word.lower() for card in DATA["words"] + DATA["discovery"] for word in card]
    assert 0.5 < sum(word in tags for word in words) / len(words) < 0.8


def test_the_file_says_that_it_is_a_reconstruction():
    assert "RECONSTRUCTION" in DATA["about"]


def test_the_default_deck_passes_the_check_of_decks():
    assert DEFAULT == checked_deck(DATA)


# Decks of one's own.


@pytest.mark.parametrize("seats", range(3, 7))
def test_a_deck_from_a_toml_file_can_be_played_with_and_its_images_are_on_view(seats):
    deck = tomllib.loads(TOML)
    rng = Random(seats)
    deal = STELLA.deal(seats, rng, {"deck": deck})
    assert deck == deal["options"]["deck"]
    assert sorted(card["id"] for card in deck["cards"]) == sorted(deal["cards"])
    for played in playout(STELLA, json.loads(json.dumps(deal)), seats, rng):
        for seat in (*range(seats), None):
            view = json.loads(json.dumps(STELLA.view(played.state, seat)))
            assert all(card["image"].startswith("photos/") for card in view["grid"])
            assert "photos/" in STELLA.text(view)
            assert deck == view["options"]["deck"]
            world = STELLA.imagine(view, rng)
            assert STELLA.view(world, seat) == view
    for last in onwards(STELLA, world, rng):
        world = last.state
    assert seats == len(STELLA.outcome(world).scores)


def test_a_deck_of_thirty_cards_is_enough_and_its_own_words_are_used():
    words = [[f"top {n}", f"turned {n}"] for n in range(4)]
    deal = STELLA.deal(3, Random(1), {"deck": own_deck(words=words), "word_vote": False})
    assert sorted(words) == sorted(deal["words"])
    *_, last = playout(STELLA, deal, 3, Random(2))
    assert {"top 0", "top 1", "top 2", "top 3"} == {
        told["word"] for told in STELLA.view(last.state, 0)["rounds"]
    }


def test_a_deck_without_words_is_played_with_those_of_the_project():
    deal = STELLA.deal(3, Random(1), {"deck": own_deck()})
    assert all(tuple(pair) in DEFAULT.words for pair in deal["words"])


def test_a_first_game_takes_the_discovery_cards_of_the_deck():
    words = [["a", "b"], ["c", "d"], ["e", "f"], ["g", "h"]]
    for deck, expected in (
        (own_deck(), [list(pair) for pair in DEFAULT.discovery]),
        (own_deck(discovery=words), words),
        (own_deck(words=words[::-1], discovery=words), words),
    ):
        deal = STELLA.deal(3, Random(1), {"deck": deck, "first_game": True})
        assert expected == deal["words"]
        STELLA.start(deal, 3)
    with pytest.raises(ValueError, match="discovery"):
        STELLA.deal(3, Random(1), {"deck": own_deck(words=words), "first_game": True})


def test_a_deck_may_be_in_any_script_with_joined_signs_and_blanks_that_do_not_break():
    tags = ["été", "夜\u3000空"]
    card = {"id": "星-1", "text": "Où\u00a0? \U0001f469\u200d\U0001f680 星の海", "tags": tags}
    deck = own_deck()
    deck["cards"][0] = card
    deal = STELLA.deal(3, Random(1), {"deck": deck})
    deal["cards"] = ["星-1", *(name for name in deal["cards"] if name != "星-1")]
    view = STELLA.view(STELLA.start(deal, 3).state, 0)
    assert card == view["grid"][0]
    told = STELLA.text(STELLA.view(STELLA.start(deal, 3).state, None))
    assert all(word in told for word in ("星-1", "Où ?", "星の海", "été", "夜 空"))
    assert [] == wide_lines(told.splitlines(), 100)
    assert [] == [line for line in told.splitlines() if not line.isprintable()]


def test_the_longest_deck_can_be_told_in_lines_of_100_columns():
    longest = {"text": "y" * 1000, "tags": ["z" * 40] * 20, "image": "i" * 2000}
    deck = own_deck(words=[["w" * 100, "v" * 100]] * 4)
    deck["cards"] = [{"id": f"{n:040}"} | longest for n in range(30)]
    for played in playout(STELLA, STELLA.deal(3, Random(1), {"deck": deck}), 3, Random(1)):
        told = STELLA.text(STELLA.view(played.state, 0))
        assert [] == wide_lines(told.splitlines(), 100)


def test_the_default_deck_given_as_ones_own_is_no_option():
    assert {"word_vote": True, "first_game": False} == STELLA.deal(3, Random(1), {"deck": DATA})["options"]


def test_whoever_changes_a_deck_on_view_changes_nothing_in_the_game():
    state = STELLA.start(STELLA.deal(3, Random(1), {"deck": own_deck()}), 3).state
    before = json.dumps(STELLA.view(state, 0))
    STELLA.view(state, 0)["options"]["deck"]["cards"][0]["tags"].clear()
    STELLA.view(state, 0)["grid"][0]["tags"].clear()
    assert before == json.dumps(STELLA.view(state, 0))


def test_a_deck_survives_the_trip_to_json_and_back():
    words = [["a", "b"], ["c", "d"], ["e", "f"], ["g", "h"]]
    for deck in (own_deck(), own_deck(words=words), own_deck(discovery=words), tomllib.loads(TOML)):
        assert checked_deck(deck) == checked_deck(json.loads(json.dumps(deck_json(checked_deck(deck)))))


def changed(number, **more):
    deck = own_deck()
    deck["cards"][number] |= more
    return deck


def without(number, key):
    deck = own_deck()
    del deck["cards"][number][key]
    return deck


FOUR = [["a", "b"], ["c", "d"], ["e", "f"], ["g", "h"]]
BAD_DECKS = [
    (None, "expected the deck as a table, got: None"),
    ("my-deck.toml", "expected the deck as a table, got: 'my-deck.toml'"),
    ({}, "expected the deck to have the key 'cards'"),
    (own_deck(card=[]), "unknown key 'card' in the deck; did you mean 'cards'?"),
    (own_deck(colour="blue"), "unknown key 'colour' in the deck; known: cards, words, discovery, about"),
    (own_deck(29), "expected at least 30 cards in the deck, got: 29"),
    ({"cards": []}, "expected at least 30 cards in the deck, got: 0"),
    ({"cards": "many"}, "expected 'cards' of the deck as a list, in TOML [[cards]], got: 'many'"),
    ({"cards": {"id": "p1"}}, "expected 'cards' of the deck as a list, in TOML [[cards]], got: {'id': 'p1'}"),
    ({"cards": ["c01"] * 30}, "expected card 1 of the deck as a table, got: 'c01'"),
    (changed(4, txt="?"), "unknown key 'txt' in card 5 of the deck; did you mean 'text'?"),
    (changed(29, words=FOUR), "unknown key 'words' in card 30 of the deck; it belongs above the first card"),
    (without(2, "id"), "expected card 3 of the deck to have the key 'id'"),
    (without(2, "text"), "expected card 3 of the deck to have the key 'text'"),
    (changed(7, id="my card"), "expected the id of card 8 of the deck without blanks, got: 'my card'"),
    (changed(7, id=" p7"), "expected the id of card 8 of the deck without blanks, got: ' p7'"),
    (changed(7, id=""), "expected the id of card 8 of the deck as a text that is not empty, got: ''"),
    (changed(7, id=8), "expected the id of card 8 of the deck as a text that is not empty, got: 8"),
    (changed(7, id="x" * 41), "expected the id of card 8 of the deck in at most 40 characters, got 41: 'xxx"),
    (changed(7, id="p2"), "expected different ids in the deck, got 'p2' in cards 3 and 8"),
    (changed(7, text=" "), "expected the text of card 8 of the deck (p7) as a text that is not empty, got: "),
    (changed(7, text="a\nb"), "(p7) in one line without control characters, got: 'a\\nb'"),
    (changed(7, text="\x1b[2J"), "(p7) in one line without control characters, got: '\\x1b[2J'"),
    (changed(7, text="\ud800"), "(p7) in one line without control characters, got: '\\ud800'"),
    (changed(7, text="x" * 1001), "(p7) in at most 1000 characters, got 1001: 'xxx"),
    (changed(7, tags="sea"), "expected the tags of card 8 of the deck (p7) as a list, got: 'sea'"),
    (changed(7, tags=["sea"] * 21), "expected at most 20 tags of card 8 of the deck (p7), got: 21"),
    (changed(7, tags=["sea", 5]), "every tag of card 8 of the deck (p7) as a text that is not empty, got: 5"),
    (changed(7, tags=["x" * 41]), "every tag of card 8 of the deck (p7) in at most 40 characters, got 41: "),
    (changed(7, image=5), "expected the image of card 8 of the deck (p7), a path or a URL, as a text"),
    (changed(7, image="x" * 2001), "a path or a URL, in at most 2000 characters, got 2001: 'xxx"),
    (changed(7, image="a\x00b"), "a path or a URL, in one line without control characters, got: 'a\\x00b'"),
    (own_deck(words=FOUR[:3]), "expected at least 4 pairs in words of the deck, got: 3"),
    (own_deck(words="Sea"), "expected words of the deck as a list of pairs of words, got: 'Sea'"),
    (own_deck(words=["Sea", "Sky", "Sun", "Sand"]), "expected pair 1 in words of the deck as two words, got"),
    (own_deck(words=[*FOUR, ["i"]]), "expected pair 5 in words of the deck as two words, got: ['i']"),
    (own_deck(words=[*FOUR, ["i", ""]]), "expected each word of pair 5 in words of the deck as a text that"),
    (own_deck(words=[*FOUR, ["i", "x" * 101]]), "of pair 5 in words of the deck in at most 100 characters"),
    (own_deck(discovery=[*FOUR, FOUR[0]]), "expected exactly 4 pairs in discovery of the deck, got: 5"),
    (own_deck(about=5), "expected 'about' of the deck as a text, got: 5"),
]


@pytest.mark.parametrize(("deck", "fault"), BAD_DECKS, ids=range(len(BAD_DECKS)))
def test_a_bad_deck_is_refused_and_the_fault_named(deck, fault):
    before = copy.deepcopy(deck)
    for refuse in (
        lambda: checked_deck(deck),
        lambda: STELLA.deal(3, Random(1), {"deck": deck}),
        lambda: STELLA.start(STELLA.deal(3, Random(1)) | {"options": {"deck": deck}}, 3),
    ):
        with pytest.raises(ValueError, match="deck") as refusal:
            refuse()
        assert fault in str(refusal.value)
    assert before == deck


def test_a_fault_in_a_deck_is_quoted_in_short():
    with pytest.raises(ValueError, match="expected the text of card 4") as refusal:
        checked_deck(changed(3, text=["x" * 10_000]))
    assert len(str(refusal.value)) < 200


@draws(40, 200, break_deal(tomllib.loads(TOML) | {"words": FOUR, "discovery": FOUR, "about": "A test."}))
def test_a_broken_deck_is_refused_in_one_short_line_or_can_be_dealt_from(deck):
    before, refusal = copy.deepcopy(deck), None
    try:
        checked_deck(deck)
    except ValueError as error:
        refusal = error
    assert before == deck
    if refusal:
        check_told_well(refusal)
    else:
        assert STELLA.start(STELLA.deal(4, Random(1), {"deck": deck}), 4)


def test_a_deal_of_another_deck_is_refused():
    deal = STELLA.deal(3, Random(1), {"deck": own_deck()})
    with pytest.raises(ValueError, match="expected cards to hold 0 of 'p0', got 1"):
        STELLA.start(deal | {"options": {}}, 3)
