from collections import Counter
from itertools import permutations

import pytest
from support.random_blocks import random_blocks
from support.records import a_lone_match, a_seat
from support.stores import keep_run, stored

from results.record import Match
from results.reports.survey import MEETINGS_NEED, survey, survey_meetings
from results.storage.schema import records_from
from results.storage.store import Store


@pytest.fixture
def store(store):
    """Return a store with a run that is over, and one under way, whose blocks are in the journal."""
    with store.lock():
        for run in (1, 2):
            keep_run(store, random_blocks(40, run, seed=run), run, ends=run == 1)
    return store


def test_meetings_add_up_to_the_results_of_every_two_seats(store):
    counted = Counter()
    for match in records_from(store.matches(), Match):
        for seat, rival in permutations(match.seats, 2) if match.game == "stellar" else ():
            pair = (seat.bot, seat.version, rival.bot, rival.version)
            counted.update({(pair, "all"): 1, (pair, seat.rank < rival.rank): 1})
    found = survey(store.contents()).meetings("stellar")
    assert {pair for pair, _ in counted} == {each[:4] for each in found}
    assert all((counted[each[:4], "all"], counted[each[:4], True]) == each[4:6] for each in found)
    assert found == survey_meetings(store.contents().match_parts(MEETINGS_NEED)).meetings("stellar")


def test_places_times_and_tables_add_up(store):
    found = survey(store.contents())
    matches = records_from(store.matches(), Match)
    assert len(matches) == found.matches
    assert Counter((match.run, match.game, len(match.seats)) for match in matches) == found.tables
    firsts, decisions = Counter(), Counter()
    for match in matches:
        for number, seat in enumerate(match.seats):
            firsts[seat.bot, len(match.seats), number] += seat.rank == 1
            decisions[seat.bot] += len(seat.think_us)
    for bot in ("ann", "eve"):
        key = (bot, f"{bot}-1")
        assert {(bot, p.seats, p.seat): p.firsts for p in found.places("stellar", key)} == {
            which: count for which, count in firsts.items() if which[0] == bot
        }
        assert decisions[bot] == found.thinking["stellar", key].total()


def test_times_are_counted_in_bins_of_a_quarter_decade(store):
    found = survey(store.contents())  # every seat thinks for 100, 250 and 70 us
    assert {7, 8, 9} == set(found.thinking["stellar", ("ann", "ann-1")])


def test_the_newest_win_is_the_newest(store):
    found = survey(store.contents())
    expected = {}
    for match in records_from(store.matches(), Match):
        for winner, loser in permutations(match.seats, 2):
            if winner.rank < loser.rank:
                expected[winner.bot, loser.bot] = (match.run, match.number)
    wins = {(a, b): found.newest_win("stellar", (a, f"{a}-1"), (b, f"{b}-1")) for a, b in expected}
    assert len(wins) > 10
    assert expected == wins


def test_notable_matches_are_the_widest_and_the_closest(tmp_path):
    def match(number, ours, theirs):
        seats = [
            a_seat("alpha", 1 + (ours < theirs), score=ours),
            a_seat("beta", 1 + (theirs < ours), score=theirs),
        ]
        return a_lone_match(number, seats=seats)

    scores = [(30, 10), (90, 10), (50, 49), (5, 60)]
    blocks = [match(number, *points) for number, points in enumerate(scores)]
    store = stored(tmp_path / "results", *blocks, ends=False)
    notable = survey(store.contents()).notable("stellar", ("alpha", "alpha-1"))
    assert {"best win": (1, 1), "worst loss": (1, 3), "closest": (1, 2)} == notable


def test_an_empty_store_has_nothing(root):
    found = survey(Store(root).contents())
    assert 0 == found.matches
    assert ([], [], {}) == (found.meetings("stellar"), found.places("stellar", ("a", "1")), found.newest)
