"""The sentence on bounds: which bots never came before which, and nothing that is not so."""

from itertools import combinations

import pytest
from support.boards import rate_results, record_draws, record_wins

from results.reports.board_notes import board_notes
from results.reports.doubts import find_bounds
from results.reports.leaderboard import GameBoard


def even(bots):
    return [each for a, b in combinations(bots, 2) for each in record_wins(a, b, 9) + record_wins(b, a, 8)]


def beat(better, worse, count=6):
    return [each for a in better for b in worse for each in record_wins(a, b, count)]


def said(results, most=4, hidden=()):
    board = GameBoard(rate_results(results), frozenset((bot, f"{bot}-1") for bot in hidden))
    say = find_bounds(board, [bot for bot, _ in board.fit.bots])
    return say and say(most, 20)


@pytest.mark.parametrize(
    ("results", "sentence"),
    [
        (
            even("abc") + even("yz") + beat("abc", "yz"),
            "y and z never came before a, b or c: how much better these are is not known",
        ),
        (
            even("ab") + even("wxyz") + beat("ab", "wxyz"),
            "w, x, y and z never came before a or b: how much better these are is not known",
        ),
        (beat("a", "b", 30), "b never came before a: the lead of a is not known"),
        (
            even("abc") + beat("w", "abc"),
            "a, b and c never came before w: the lead of w is not known",
        ),
        (
            even("abcd") + beat("w", "abcd") + beat("abcd", "z"),
            "z never came before a, b, c or d, nor these before w: how far apart they are is not known",
        ),
        (
            even("ab") + beat("ab", "y") + beat("y", "z"),
            "z never came before y, nor these before a or b: how far apart they are is not known",
        ),
        (even("abc"), None),
        (even("abc") + record_draws("a", "z", 3), None),
        (even("abc") + even("xy"), None),
    ],
    ids=[
        "behind",
        "the larger side behind",
        "two bots",
        "before",
        "both",
        "steps",
        "none",
        "a draw",
        "groups",
    ],
)
def test_the_sentence_names_who_never_came_before_whom(results, sentence):
    assert sentence == said(results)
    notes = [note.text for note in board_notes(GameBoard(rate_results(results)), {})]
    assert (sentence is None) == (sentence not in notes)


def test_of_many_bots_it_names_some_and_says_how_many_more():
    results = even("abcdef") + even("uvwxyz") + beat("abcdef", "uvwxyz", 1)
    one, other = said(results, most=2).split(":")[0].split(" never came before ")
    assert (", ", "and 4 more") == (one[1:3], one[-10:])
    assert (", ", "or 4 more") == (other[1:3], other[-9:])


def test_bots_that_are_not_on_the_board_are_not_named():
    results = even("abc") + even("yz") + beat("abc", "yz")
    assert "y and z never came before versions not shown: how much better these are is not known" == said(
        results, hidden="abc"
    )
    assert " b" not in said(results, hidden="b").split(":")[0].replace(" before", "")
    assert None is said(results, hidden="yz")


def test_where_all_ended_by_a_draw_nothing_is_said_of_bounds():
    assert None is said([each for a, b in combinations("abc", 2) for each in record_draws(a, b, 9)])
