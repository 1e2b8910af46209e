"""The text of a view fits a terminal."""

from random import Random

import pytest

from engines import GAMES
from engines.contract.texts import wide_lines
from ladder.live.fitting import fit, fold


def test_what_fits_stays_as_it_is():
    assert ["Points  1", "", "Prose."] == fit("Points  1\n\nProse.", 80)


def test_prose_is_broken_between_words_and_hangs_behind_its_label():
    assert ["c08  a boy in a", "     kite"] == fit("c08  a boy in a kite", 15)
    assert ["  one two", "    three"] == fit("  one two three", 10)


CARDS = """\
x c75  In the upper bulb of an hourglass a family is still at dinner, though the chairs have begun
       to sink.
       (time, desert, family)
  c23  While a wolf in spectacles reads the lambs their bedtime story, his tail gently closes the
       door.
       (wolf, book)"""
RULES = """\
Fifteen pictures lie on the table and a word is read out.  Which of them will the others see in a
row?

A turn  a. "keep" or "wipe": asked only if the other seat has just taken a card with a moon.
           A wipe discards the row.
        b. "take 1" to "take 5": a card of the row.
Points  types       for each type: stars in the telescope x the longest run of numbers in its stack
        majorities  10 for each section.
Options vote: true (default), or false: no vote, the word at the top is used, without a choice.
        deck: your own deck."""


def test_a_sentence_that_was_broken_is_joined_before_it_is_broken_anew():
    expected = """\
x c75  In the upper bulb of an hourglass a family is still at dinner, though the
       chairs have begun to sink.
       (time, desert, family)
  c23  While a wolf in spectacles reads the lambs their bedtime story, his tail
       gently closes the door.
       (wolf, book)"""
    assert expected == "\n".join(fit(CARDS, 80))
    assert CARDS.split("\n") == fit(CARDS, 100)


def test_rules_keep_their_lists_and_hang_behind_their_labels():
    expected = """\
Fifteen pictures lie on the table and a word is read out.  Which of them will
the others see in a row?

A turn  a. "keep" or "wipe": asked only if the other seat has just taken a card
           with a moon. A wipe discards the row.
        b. "take 1" to "take 5": a card of the row.
Points  types       for each type: stars in the telescope x the longest run of
        numbers in its stack
        majorities  10 for each section.
Options vote: true (default), or false: no vote, the word at the top is used,
  without a choice.
        deck: your own deck."""
    assert expected == "\n".join(fold(RULES, 80))
    assert RULES.split("\n") == fold(RULES, 100)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("width", [60, 80, 100])
def test_the_rules_of_every_game_fit_and_lose_no_word(game, width):
    text = GAMES[game].summary
    shown = fold(text, width)
    assert text.split() == "\n".join(shown).split()
    assert [] == wide_lines(shown, width)


@pytest.mark.parametrize("game", GAMES)
def test_every_view_fits_80_columns(game):
    rules, rng = GAMES[game], Random(1)
    seats = rules.seats[-1]
    state = rules.start(rules.deal(seats, rng), seats).state
    for _ in range(12):
        choices = rules.choices(state)
        for seat in (*choices, None):
            text = rules.text(rules.view(state, seat))
            shown = fit(text, 80)
            assert [] == wide_lines(shown, 80)
            assert sorted("".join(text.split())) == sorted("".join("".join(shown).split())), "nothing is lost"
        state = rules.play(state, {seat: choice.sample(rng) for seat, choice in choices.items()}).state
