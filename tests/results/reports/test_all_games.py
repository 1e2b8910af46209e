"""Bots that play all games, compared over them."""

from dataclasses import replace
from itertools import combinations

import pytest
from support.boards import rate_results, record_wins

from results.reports.all_games import all_games, all_games_section, say_too_few
from results.reports.leaderboard import GameBoard


def board(game, *results, hidden=()):
    """Return the leaderboard of *game* after pairs of bots and how often each of both won."""
    played = [r for a, b, won, lost in results for r in record_wins(a, b, won) + record_wins(b, a, lost)]
    rated = rate_results(played)
    return GameBoard(replace(rated, game=game), frozenset(hidden))


def even(bots, won=10):
    """Return pairs of *bots* in which both won as often."""
    return [(a, b, won, won) for a, b in combinations(bots, 2)]


def by_bot(*boards):
    return {row["bot"]: row for row in all_games(boards)}


def test_equal_bots_beat_half_of_the_others():
    rows = by_bot(board("stella", *even("abc")), board("stellar", *even("abc")))
    assert pytest.approx([0.5] * 3) == [row["beats"] for row in rows.values()]
    assert {(1, 3)} == {(row["rank_low"], row["rank_high"]) for row in rows.values()}
    assert all(row["beats_low"] < 0.5 < row["beats_high"] for row in rows.values())


def test_each_game_counts_the_same_however_far_it_spreads_its_bots():
    wide = board("stellar", ("a", "b", 38, 2), ("b", "c", 38, 2), ("a", "c", 39, 1))
    narrow = board("stella", ("c", "b", 12, 8), ("b", "a", 12, 8), ("c", "a", 13, 7))
    rows = by_bot(narrow, wide)
    for bot, row in rows.items():
        by_game = row["by_game"]
        assert ["stella", "stellar"] == list(by_game), bot
        assert pytest.approx(sum(by_game.values()) / 2) == row["beats"]
    assert pytest.approx(0.5) == sum(row["beats"] for row in rows.values()) / 3, "the field's mean"
    assert ["a", "b", "c"] == list(rows), "the best first"


def test_matches_against_the_weakest_bot_do_not_lift_a_bot():
    pairs = [("a", "b", 60, 40), ("b", "c", 80, 20), ("a", "c", 86, 14)]
    other = board("stella", *pairs)
    before = by_bot(other, board("stellar", *pairs))["a"]
    after = by_bot(other, board("stellar", *pairs, ("a", "c", 258, 42)))["a"]
    assert abs(after["beats"] - before["beats"]) < (before["beats_high"] - before["beats_low"]) / 4


def test_a_difference_without_an_end_may_be_any():
    never = [("a", "b", 30, 0), ("a", "c", 30, 0), ("b", "c", 20, 20)]
    rows = by_bot(board("stella", *even("abc")), board("stellar", *never))
    bounded = by_bot(board("stella", *even("abc")), board("stellar", ("a", "b", 30, 1), *never[1:]))
    assert 1 == pytest.approx(rows["a"]["by_game"]["stellar"], abs=0.05)
    assert rows["a"]["beats_high"] > 0.75, "one half of stella, all of stellar, and no more doubt above"
    for bot in "bc":
        assert rows[bot]["beats_low"] < bounded[bot]["beats_low"] + 0.05
    apart = [("a", "b", 30, 10), ("c", "d", 30, 10)]
    rows = by_bot(board("stella", *even("abcd", 50)), board("stellar", *apart))
    # of three rivals, two were never compared with it: their part of that game may be anything
    assert all(row["beats_high"] - row["beats_low"] > 2 / 3 * 0.5 for row in rows.values())


def test_only_bots_that_play_all_games_are_in_it_and_the_others_are_counted():
    boards = [board("stella", *even("abcd")), board("stellar", *even("abce"))]
    rows = all_games(boards)
    assert ["a", "b", "c"] == sorted(row["bot"] for row in rows)
    section = all_games_section(boards, rows)
    assert (
        "all games  3 bots that play all 2 games: how often one ranks before another of them" == section.title
    )
    assert ["2 bots not in it: they do not play all games"] == [note.text for note in section.parts[1:]]


def test_hidden_versions_are_not_in_it():
    boards = [board(game, *even("abcd"), hidden=[("d", "d-1")]) for game in ("stella", "stellar")]
    assert ["a", "b", "c"] == sorted(row["bot"] for row in all_games(boards))


@pytest.mark.parametrize(
    ("boards", "said"),
    [
        ([("stellar", "abc")], "only stellar is rated: there is nothing to compare over games"),
        (
            [("stella", "abc"), ("stellar", "cde")],
            "1 bot on the leaderboards of stella, stellar: to compare over games needs 3 that play all",
        ),
        (
            [("stella", "ab"), ("stellar", "cd")],
            "0 bots on the leaderboards of stella, stellar: to compare over games needs 3 that play all",
        ),
    ],
)
def test_where_there_is_nothing_to_compare_it_is_said_why(boards, said):
    made = [board(game, *even(bots)) for game, bots in boards]
    assert [] == all_games(made)
    assert said == say_too_few(made)
