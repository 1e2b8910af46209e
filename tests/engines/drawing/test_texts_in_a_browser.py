"""Texts of pictures in the fonts that people have: none covers another or a mark, leaves, or is cut."""

from __future__ import annotations

from random import Random

import pytest
from support.fonts import FAMILIES, files_of
from support.shown import faults_of, open_empty, show, states

from engines import GAMES, drawing, playout
from engines.drawing import WIDTH, Picture, draw_text, text_width
from engines.games import BUILT_IN
from engines.template import Toy

pytestmark = pytest.mark.tools

LENGTHS = """() => [...document.querySelectorAll("text")].map((text) => text.getComputedTextLength())"""
"""Returns how wide the texts are, in units of the picture."""


def check(page, picture):
    show(page, picture)
    faults = faults_of(page)
    assert not faults, "\n".join([picture.title, *faults])


@pytest.fixture(scope="module", params=[WIDTH, 343])
def page(request, browser_of_family, tmp_path_factory):
    """A page on which a picture has its own size, or that of a telephone."""
    with open_empty(browser_of_family, tmp_path_factory.mktemp("pictures"), request.param) as page:
        yield page


@pytest.mark.parametrize("name", BUILT_IN)
def test_no_text_covers_another_or_a_mark_or_leaves_the_picture(page, name):
    game = GAMES[name]
    for seats in {min(game.seats), max(game.seats)}:
        for state in states(name, seats, 4):
            for views in ([game.view(state, 1)], [game.view(state, seat) for seat in range(seats)]):
                check(page, game.draw(*views))


def test_a_game_that_does_not_draw_itself_is_shown_as_text_inside_its_picture(page):
    for game in (GAMES[name] for name in BUILT_IN):
        seats = max(game.seats)
        texts = [game.text(game.view(state, 1)) for state in states(game.name, seats, 2)]
        check(page, draw_text(game.name, texts))
    check(page, draw_text("wide", ["W" * 100, "m@W" * 40, "\u661f" * 60]))


def test_the_game_of_the_template_follows_the_rule(page):
    game = Toy()
    for seats in game.seats:
        rng = Random(seats)
        for played in playout(game, game.deal(seats, rng), seats, rng):
            check(page, game.draw(game.view(played.state, 1)))


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize(
    "note", ["7", "115 points", "12 + 34 = 46 points", "a note as long as it will be, and more"]
)
@pytest.mark.parametrize("width", [200, 298, 640])
def test_name_and_note_of_a_seat_do_not_meet(page, width, note, own):
    label = drawing.seat_label("seat", 0, 9, 0, width, note, own=own)
    check(page, Picture(640, 60, f"{width} {note}", "", (label,)))


def test_long_words_and_sentences_of_a_deck_stay_in_their_places(page):
    words = [["The unbearable lightness of being at sea", "Honey"], ["w" * 90, "Mmmmm Wwwww " * 8]] * 3
    cards = [{"id": f"photograph-of-the-harbour-{n}", "text": "Mmmm wwww " * 3} for n in range(30)]
    game = GAMES["stella"]
    for number in range(8):
        deal = game.deal(3, Random(number), {"deck": {"cards": cards, "words": words}, "word_vote": True})
        show(page, game.draw(game.view(game.start(deal, 3).state, 0)))
        assert [] == [fault for fault in faults_of(page) if "is cut" not in fault]


@pytest.mark.parametrize("kind", ["ink", "ink strong", "ink notation"])
def test_no_letter_is_wider_than_the_room_that_is_reckoned_for_it(page, family, kind):
    if kind == "ink notation" and len(files_of(family)) < 4:
        pytest.skip(f"{FAMILIES[family].mono} is not installed")
    letters = [*map(chr, range(33, 127)), *"\u00b1\u00b7\u00d7\u2013\u2026", "a b"]
    lines = [drawing.words(letter, 0, 30, 100, kind) for letter in letters]
    show(
        page,
        Picture(
            640, 60, "letters", "", (drawing.make_part("all", 0, 0, drawing.outline(9, 9), "".join(lines)),)
        ),
    )
    wide = dict(zip(letters, page.evaluate(LENGTHS), strict=True))
    assert {} == {
        letter: f"{wide[letter]:.1f}, reckoned {text_width(letter, 100, kind):.1f}"
        for letter in letters
        if wide[letter] > text_width(letter, 100, kind) + 0.1
    }
