"""Nemesis and prey: the rivals that a bot does worse and better against than its rating says."""

import random
from collections import Counter
from itertools import combinations

from support.boards import rate_results
from support.skill_worlds import BETA

from results.reports.leaderboard import GameBoard
from results.reports.standouts import standout_lines, standouts
from results.reports.survey import Meetings

NAMES = "abcdefghi"


def play(odd=None, matches=120, seed=1):
    """Return results of nine bots; *odd* are the chances of some first bots against some others."""
    rng = random.Random(seed)
    skill = {name: 25 + i for i, name in enumerate(NAMES)}
    results = []
    for one, other in combinations(NAMES, 2):
        for _ in range(matches):
            wins = rng.gauss(skill[one], BETA) > rng.gauss(skill[other], BETA)
            if (one, other) in (odd or {}):
                wins = rng.random() < odd[one, other]
            results.append(((one, other), (1, 2) if wins else (2, 1)))
    return results


def standouts_in(results, *bots):
    """Return the rows of each of *bots*."""
    board, won = GameBoard(rate_results(results)), Counter()
    for table, ranks in results:
        won[table if ranks[0] == 1 else table[::-1]] += 1
    found = []
    for bot in bots:
        meetings = []
        for name in sorted({*NAMES} - {bot}):
            wins, losses = won[bot, name], won[name, bot]
            meetings.append(
                Meetings(bot, f"{bot}-1", name, f"{name}-1", wins + losses, wins, 0, losses, None)
            )
        found.append(standouts(meetings, board, (bot, f"{bot}-1")))
    return found


def test_a_rival_that_beats_a_bot_beyond_its_rating_is_its_nemesis_and_the_bot_is_its_prey():
    (nemesis,), (prey,) = standouts_in(play({("d", "e"): 0.1}), "d", "e")
    assert ("nemesis", "e") == (nemesis["role"], nemesis["rival"])
    assert ("prey", "d") == (prey["role"], prey["rival"])
    assert nemesis["excess_low"] < nemesis["excess"] < nemesis["excess_high"] < 0
    assert -0.6 < nemesis["excess"] < -0.2
    (line,) = standout_lines([nemesis], [], {})
    assert line.startswith("nemesis: e, wins ")
    assert " of 100 in 120 meetings, where ratings say " in line
    fewer = [round(-100 * nemesis[key]) for key in ("excess", "excess_high", "excess_low")]
    assert line.endswith("beside its neighbours {} fewer ({} to {})".format(*fewer))
    assert "more" in standout_lines([prey], [], {})[0]


def test_a_bot_that_is_weak_against_all_strong_ones_has_no_nemesis_among_them():
    """Against each its score is far below what its rating says, and so it is against their neighbours."""
    odd = {("a", other): 0.05 for other in "efgh"} | {("a", other): 0.75 for other in "bcd"}
    (rows,) = standouts_in(play(odd), "a")
    assert not [row for row in rows if row["role"] == "nemesis" and row["rival"] in "fgh"]


def test_bots_that_play_by_their_ratings_have_neither():
    found = [row for seed in range(2) for rows in standouts_in(play(seed=seed), *NAMES) for row in rows]
    assert len(found) <= 2  # 18 bots, 5 % of each


def test_among_fewer_than_eight_rivals_the_size_has_no_interval():
    results = [each for each in play({("d", "e"): 0.1}) if "i" not in each[0]]
    board, won = (
        GameBoard(rate_results(results)),
        Counter(table if ranks[0] == 1 else table[::-1] for table, ranks in results),
    )
    meetings = [
        Meetings("d", "d-1", name, f"{name}-1", 120, won["d", name], 0, won[name, "d"], None)
        for name in "abcefgh"
    ]
    (nemesis,) = standouts(meetings, board, ("d", "d-1"))
    assert ("e", None, None) == (nemesis["rival"], nemesis["excess_low"], nemesis["excess_high"])
    assert standout_lines([nemesis], [], {})[0].endswith(" fewer")


def test_with_few_rivals_or_few_matches_nothing_is_said():
    assert [[]] == standouts_in(play({("d", "e"): 0.0}, matches=6), "d")
    two = [(("a", "b"), (1, 2))] * 60 + [(("b", "a"), (1, 2))] * 50
    meeting = Meetings("a", "a-1", "b", "b-1", 110, 60, 0, 50, None)
    assert [] == standouts([meeting], GameBoard(rate_results(two)), ("a", "a-1"))
