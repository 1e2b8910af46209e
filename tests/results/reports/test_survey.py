from collections import Counter
from itertools import combinations, permutations

import pytest
from support.random_blocks import random_blocks
from support.records import a_match, a_run

from results.record import encode_block
from results.reports.survey import MEETINGS_NEED, survey, survey_meetings
from results.storage.store import Store


@pytest.fixture
def store(tmp_path):
    """Return a store with a run that is over, and one under way, whose blocks are in the journal."""
    store = Store(tmp_path / "results")
    with store.lock():
        for run in (1, 2):
            store.begin(a_run(run))
            for block in random_blocks(40, run, seed=run):
                store.append(block.number, encode_block(block))
            if run == 1:
                store.finish(1, 40)
    return store


def test_meetings_add_up_to_the_results_of_every_two_seats(store):
    counted = Counter()
    for match in (
        match for run in (1, 2) for block in store.contents().blocks(run) for match in block.matches
    ):
        for seat, rival in permutations(match.seats, 2) if match.game == "stellar" else ():
            pair = (seat.bot, seat.version, rival.bot, rival.version)
            counted.update({(pair, "all"): 1, (pair, seat.rank < rival.rank): 1})
    found = survey(store.contents()).meetings("stellar")
    assert {pair for pair, _ in counted} == {each[:4] for each in found}
    assert all((counted[each[:4], "all"], counted[each[:4], True]) == each[4:6] for each in found)
    assert found == survey_meetings(store.contents().match_parts(MEETINGS_NEED)).meetings("stellar")


def test_places_times_and_tables_add_up(store):
    found = survey(store.contents())
    matches = [match for run in (1, 2) for block in store.contents().blocks(run) for match in block.matches]
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
    for run in (1, 2):
        for match in store.contents().matches(["number", "seats.bot", "seats.rank"], run).to_pylist():
            for a, b in combinations(match["seats"], 2):
                for winner, loser in ((a, b), (b, a)):
                    if winner["rank"] < loser["rank"]:
                        expected[winner["bot"], loser["bot"]] = (run, match["number"])
    wins = {(a, b): found.newest_win("stellar", (a, f"{a}-1"), (b, f"{b}-1")) for a, b in expected}
    assert len(wins) > 10
    assert expected == wins


def test_notable_matches_are_the_widest_and_the_closest(tmp_path):
    store = Store(tmp_path / "results")
    scores = [(30, 10), (90, 10), (50, 49), (5, 60)]
    with store.lock():
        store.begin(a_run(1))
        for number, points in enumerate(scores):
            ranks = (1, 2) if points[0] > points[1] else (2, 1)
            match = a_match(number, ranks=ranks, block=number)
            seats = [_scored(seat, score) for seat, score in zip(match.seats, points, strict=True)]
            block = next(iter(random_blocks(1)))
            store.append(number, encode_block(type(block)(number, [_with(match, seats)], [])))
    notable = survey(store.contents()).notable("stellar", ("alpha", "alpha-1"))
    assert {"best win": (1, 1), "worst loss": (1, 3), "closest": (1, 2)} == notable


def _scored(seat, score):
    return type(seat)(**{name: getattr(seat, name) for name in seat.__struct_fields__} | {"score": score})


def _with(match, seats):
    return type(match)(**{name: getattr(match, name) for name in match.__struct_fields__} | {"seats": seats})


def test_an_empty_store_has_nothing(tmp_path):
    found = survey(Store(tmp_path / "results").contents())
    assert 0 == found.matches
    assert ([], [], {}) == (found.meetings("stellar"), found.places("stellar", ("a", "1")), found.newest)
