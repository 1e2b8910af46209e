"""The sentences below a leaderboard that say that one rating a bot is the wrong picture."""

from dataclasses import replace

from support.boards import rate_results, record_wins

from results.rating.misfit import SizeGap, SizeGaps
from results.reports.leaderboard import GameBoard, leaderboard, notes

CIRCLE = [
    result
    for one, other in (("a", "b"), ("b", "c"), ("c", "a"))
    for result in record_wins(one, other, 80) + record_wins(other, one, 20)
]


def texts(rated, **options):
    return [note.text for note in notes(GameBoard(rated), {}, **options)]


def test_a_circle_of_three_is_named_with_the_misfit_and_the_command_that_shows_it():
    rated = rate_results(CIRCLE)
    (note,) = (text for text in texts(rated) if "misfit" in text)
    assert note.startswith("misfit 29.")
    assert " points: see ladder matrix --game stellar: one rating a bot is the wrong picture here: " in note
    assert note.endswith("a beats b (80 %), b beats c (80 %), c beats a (80 %)")
    assert 0.28 < leaderboard(GameBoard(rated))[0]["misfit"] < 0.31
    (note,) = (text for text in texts(rated, past_season="spring") if "misfit" in text)
    assert "ladder matrix --game stellar --season spring:" in note


def test_a_field_that_fits_has_no_such_note():
    rated = rate_results(record_wins("a", "b", 60) + record_wins("b", "c", 60) + record_wins("b", "a", 30))
    assert not [text for text in texts(rated) if "picture" in text or "differ" in text]
    assert (None, None) == tuple(leaderboard(GameBoard(rated))[0][key] for key in ("misfit", "turned_pairs"))


def test_an_order_that_depends_on_the_table_size_is_said():
    gap = SizeGap(("a", "a-1"), ("b", "b-1"), 2, 4, 3.04, 1.5, 6.0)
    rated = replace(rate_results(record_wins("a", "b", 60)), size_gaps=SizeGaps(1, gap))
    note = (
        "ratings differ by table size: ladder leaderboard --game stellar --seats N: a is above b by 3.0 at 2"
        " seats, and below by 1.5 at 4"
    )
    assert note in texts(rated)
    assert f"{note}, and 2 more pairs" in texts(replace(rated, size_gaps=SizeGaps(3, gap)))
    assert 3 == leaderboard(GameBoard(replace(rated, size_gaps=SizeGaps(3, gap))))[0]["turned_pairs"]


def test_visitors_read_the_same_without_commands():
    gap = SizeGap(("a", "a-1"), ("b", "b-1"), 2, 4, 3.04, 1.5, 6.0)
    rated = replace(rate_results(CIRCLE), size_gaps=SizeGaps(1, gap))
    board = GameBoard(rated)
    found = notes(board, {}, commands=False)
    assert len(notes(board, {})) == len(found)
    assert not [note for note in found if note.hint or "ladder" in note.text]
    said = [note.text for note in found]
    assert "ratings differ by table size: a is above b by 3.0 at 2 seats, and below by 1.5 at 4" in said
    (wrong,) = (text for text in said if "picture" in text)
    assert wrong.startswith("results of pairs lie 29.")
    assert " points of 100 off their ratings: one rating a bot is the wrong picture here: a beats b" in wrong
