"""The rating of a bot after more and more of its matches."""

from itertools import chain, islice

import pytest
from support.counted import add_block
from support.records import a_match, outcome_of
from support.stores import keep_run

from results.rating.cache import ratings_current
from results.rating.fit import fit
from results.rating.outcomes import Counts
from results.record import Block
from results.reports.document import GAME
from results.reports.history import HISTORY, history, history_columns, milestones
from results.reports.render import render

TABLES = (("alpha", "beta"), ("new", "alpha"), ("beta", "new"))
ALPHA, NEW = ("alpha", "alpha-1"), ("new", "new-1")


@pytest.fixture
def store(store):
    """Return a store of two runs: alpha and beta alone, 24 matches; then new, too, 36 matches."""

    def block(run, number):
        bots, ranks = TABLES[number % 3 if run == 2 else 0], (1, 2) if number % 5 else (2, 1)
        played = [a_match(2 * number + i, bots, ranks, block=number, run=run) for i in range(2)]
        return Block(number, played, [])

    with store.lock():
        for run, blocks in ((1, 12), (2, 18)):
            keep_run(store, (block(run, number) for number in range(blocks)), run)
    return store


def rows_of(store, bot):
    return history(store.contents(), rated_of(store), bot)


def rated_of(store):
    return ratings_current(store)["stellar"]


def fit_of(store, blocks):
    """Return the fit of the first *blocks*, of which 12 are of run 1."""
    counts = Counts()
    for block in islice(chain(store.contents().blocks(1), store.contents().blocks(2)), blocks):
        add_block(counts, [outcome_of(match.seats) for match in block.matches])
    return fit(counts, rated_of(store).parameters)


def test_the_numbers_of_matches_grow_by_about_half():
    assert [10, 15, 20, 30, 50, 70, 100, 150, 200, 234] == milestones(234)
    assert [[1], [10], [10, 11], [10, 15, 20, 30, 50, 70, 100]] == [milestones(n) for n in (1, 10, 11, 100)]
    assert 4 > sum(milestones(1_000_000)) / 1_000_000


def test_a_rating_is_that_of_all_matches_so_far(store):
    rows = rows_of(store, ALPHA)
    assert [10, 16, 20, 30, 48] == [row["matches"] for row in rows]  # blocks are whole
    assert [(1, 9), (1, 15), (1, 19), (2, 7), (2, 33)] == [(row["run"], row["number"]) for row in rows]
    then = fit_of(store, 12 + 4)
    i = then.bots.index(ALPHA)
    (row,) = [row for row in rows if (row["run"], row["number"]) == (2, 7)]
    assert (then.mu[i], then.sigma(i)) == (row["mu"], row["sigma"])


def test_the_last_rating_is_the_present_one(store):
    rated = rated_of(store)
    for bot in (ALPHA, NEW):
        standing, last = rated.standings[bot], rows_of(store, bot)[-1]
        assert (standing.matches, standing.mu, standing.sigma) == (last["matches"], last["mu"], last["sigma"])


def test_what_was_played_before_a_newcomer_counts(store):
    rows = rows_of(store, NEW)
    assert [10, 16, 20, 24] == [row["matches"] for row in rows]
    exact = fit_of(store, 12 + 8)
    i = exact.bots.index(NEW)
    assert pytest.approx(exact.mu[i], abs=0.05) == rows[0]["mu"]
    # the block factor is pooled from both parts, so sigma is not exact
    assert pytest.approx(exact.sigma(i), rel=0.05) == rows[0]["sigma"]


def test_rows_have_exactly_the_columns_for_programs_and_a_table_has_bars(store):
    rows = rows_of(store, ALPHA)
    assert {column.key for column in (GAME, *HISTORY)} == rows[0].keys() - {"beside"}
    lines = render(rows, history_columns(rows), "table").splitlines()
    assert all("●" in line for line in lines[2:])


def test_of_a_bot_that_won_all_matches_so_far_the_lower_end_is_told(store):
    row, *_ = rows_of(store, ALPHA)
    assert None not in (row["mu_low"], row["mu_high"])
    won_all, sure = (
        row | {"mu": 30.0, "margin": None, "mu_low": 28.0, "mu_high": None},
        row | {"mu_low": 24.0, "mu_high": 32.0},
    )
    seen = render([won_all, sure], history_columns([sure]), "table").splitlines()[2]
    assert ["10", ">=", "28.0"] == seen.split()[1:4]
    assert seen.rstrip().endswith("●──────────")
