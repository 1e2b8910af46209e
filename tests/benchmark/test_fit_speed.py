"""The ladders of `bench.py --ratings` are those that are asked for, and are fitted."""

import pytest
from programs.benchmark.fit_speed import Ladder, count_matches, rating_figures

SMALL = Ladder(6, 240, (2, 4), 60, 900)


def test_half_of_the_matches_are_at_each_table_size():
    counts = count_matches(SMALL)
    assert 120 == counts.at_tables_of(2).matches == counts.at_tables_of(4).matches
    assert 6 == len(counts.bots)
    assert counts == count_matches(SMALL)


def test_tied_bots_are_in_the_order_of_their_names():
    for outcome in count_matches(SMALL).outcomes:
        for upper, lower, tie in zip(outcome.bots, outcome.bots[1:], outcome.ties, strict=False):
            assert upper < lower or not tie


@pytest.mark.process
def test_each_ladder_gives_its_size_its_time_and_its_memory():
    outcomes, seconds, *memory = rating_figures([SMALL])
    assert len(count_matches(SMALL).outcomes) == outcomes.value
    assert 0 < seconds.value
    assert "at most 60" == seconds.aim
    assert all(figure.unit == "MB" and figure.value > 10 for figure in memory)
