"""Stella: the deck of this project, and decks of one's own."""

from __future__ import annotations

import copy
import json
import tomllib
from collections import Counter
from pathlib import Path
from random import Random

import pytest

import engines.stella
from engines import onwards, playout
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
    ({}, "expected the deck to have the key 'cards'"),
    (own_deck(card=[]), "unknown key 'card' in the deck; did you mean 'cards'?"),
    (own_deck(colour="blue"), "unknown key 'colour' in the deck; known: cards, words, discovery, about"),
    (own_deck(29), "expected at least 30 cards in the deck, got: 29"),
    ({"cards": "many"}, "expected at least 30 cards in the deck, got: 'many'"),
    ({"cards": ["c01"] * 30}, "expected card 1 of the deck as a table, got: 'c01'"),
    (changed(4, txt="?"), "unknown key 'txt' in card 5 of the deck; did you mean 'text'?"),
    (without(2, "id"), "expected card 3 of the deck to have the key 'id'"),
    (without(2, "text"), "expected card 3 of the deck to have the key 'text'"),
    (
        changed(7, id="my card"),
        "expected card 8 of the deck to have an id, a text without blanks, got: 'my card'",
    ),
    (changed(7, id=""), "expected card 8 of the deck to have an id, a text without blanks, got: ''"),
    (changed(7, id=8), "expected card 8 of the deck to have an id, a text without blanks, got: 8"),
    (changed(7, id="p2"), "expected different ids in the deck, got 'p2' in cards 3 and 8"),
    (changed(7, text=" "), "expected text of card 8 of the deck (p7) as a text that is not empty, got: ' '"),
    (changed(7, text="\x1b[2J"), "in one line without control characters, got: '\\x1b[2J'"),
    (changed(7, tags="sea"), "expected tags of card 8 of the deck (p7) as a list, got: 'sea'"),
    (
        changed(7, tags=["sea", 5]),
        "expected every tag of card 8 of the deck (p7) as a text that is not empty, got: 5",
    ),
    (changed(7, image=5), "expected image of card 8 of the deck (p7), a path or a URL, as a text"),
    (own_deck(words=FOUR[:3]), "expected at least 4 cards in words of the deck, got: 3"),
    (own_deck(words="Sea"), "expected words of the deck as a list of pairs of words, got: 'Sea'"),
    (own_deck(words=[*FOUR, ["i"]]), "expected card 5 in words of the deck as two words, got: ['i']"),
    (
        own_deck(words=[*FOUR, ["i", ""]]),
        "expected each word of card 5 in words of the deck as a text that is not",
    ),
    (own_deck(discovery=[*FOUR, ["i", "j"]]), "expected exactly 4 cards in discovery of the deck, got: 5"),
    (own_deck(about=5), "expected about of the deck as a text"),
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
    with pytest.raises(ValueError, match="expected text") as refusal:
        checked_deck(changed(3, text=["x" * 10_000]))
    assert len(str(refusal.value)) < 200


def test_a_deal_of_another_deck_is_refused():
    deal = STELLA.deal(3, Random(1), {"deck": own_deck()})
    with pytest.raises(ValueError, match="expected cards of the deck only, got: 'p0'"):
        STELLA.start(deal | {"options": {}}, 3)
