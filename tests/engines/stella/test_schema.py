"""Cards and decks in the schema of Stella."""

import json
import re
from random import Random

import pytest

from engines import playout
from engines.contract.game_schema import fits
from engines.contract.subject import matches_of, subject_of
from engines.contract.test_schema import check
from engines.stella import Stella, checked_deck
from engines.stella.deck import LONGEST, MOST_TAGS

SUBJECT = subject_of(Stella())


@pytest.mark.parametrize("place", ["grid", "shown", "crosses", "past_crosses", "rounds"])
def test_a_card_of_another_deck_fits_only_into_a_view_with_that_deck(place):
    view = SUBJECT.game.view(matches_of(SUBJECT, 3)[0][1][-1].state, 0)
    card = next(iter(view["shown"])) if place == "shown" else re.search(r"c\d\d", json.dumps(view[place]))[0]
    view[place] = json.loads(json.dumps(view[place]).replace(card, "c85"))
    assert not fits(SUBJECT, "view", view)
    view["options"] |= {"deck": {"cards": view["grid"] * 2}}
    assert fits(SUBJECT, "view", view)


# -- decks of one's own

WORDS = [["Kapitän Ahab", "🌊"], ['"Quoted"', "back\\slash"], ["ليل", "夜"], ["non\u00a0breaking", "a" * 100]]


def odd_deck(**more):
    """Return a deck with cards of all kinds, as its author writes it."""
    kinds_of_cards = [
        {"text": 'A "quoted" back\\slash, a tab\'s worth of nothing; 100 % {odd}.', "tags": []},
        {"text": "夜の海に、ひとつの灯。", "tags": ["海", "non\u00a0breaking", "👩\u200d🚀"]},
        {"text": "ليل", "image": "https://example.org/a%20picture.png?size=large&x=1#top"},
        {"text": "x", "tags": ["the same"] * MOST_TAGS, "image": "../pictures/with blanks/ä.jpg"},
    ]
    cards = [{"id": f"№{n}/ü-{n}", **kinds_of_cards[n % 4]} for n in range(34)]
    return {"about": "A deck\nof oddities.", "cards": cards} | more


@pytest.mark.parametrize(
    "words", [{}, {"words": WORDS}, {"discovery": WORDS}], ids=["no words", "words", "discovery"]
)
def test_all_that_is_seen_in_a_match_with_an_odd_deck_fits(words):
    game, rng = SUBJECT.game, Random(1)
    options = {"deck": odd_deck(**words), "first_game": "discovery" in words}
    deal = game.deal(3, rng, options)
    assert fits(SUBJECT, "deal", deal)
    assert fits(SUBJECT, "deal", deal | {"options": options})
    for step in playout(game, deal, 3, rng):
        check(SUBJECT, 3, step)


@pytest.mark.parametrize(("kind", "most"), LONGEST.items())
def test_the_texts_of_a_deck_may_be_as_long_as_the_game_allows(kind, most):
    for length in (most, most + 1):
        text = "x" * length
        deck = odd_deck(words=[[text if kind == "word" else "a", "b"]] * 4)
        deck["cards"][0] |= {"tags": [text]} if kind == "tag" else {kind: text} if kind != "word" else {}
        assert (length == most) == fits(SUBJECT, "given_deck", deck)
        if length == most:
            checked_deck(deck)
        else:
            with pytest.raises(ValueError, match=f"at most {most} characters"):
                checked_deck(deck)
