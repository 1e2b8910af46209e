"""Bots that played under several sets of limits are named, and ratings can leave out the others."""

import re
from itertools import combinations

import msgspec
import pytest
from support.records import a_block
from support.stores import keep_run

from protocol.messages import Limits
from results.rating.cache import ratings_of
from results.record import Contest, LimitsApart, RunSettings
from results.reports.leaderboard import GameBoard
from results.reports.limit_sets import limit_notes, rated_under
from results.storage.store import Store

BOTS = ("alpha", "beta", "gamma")
GIVEN = msgspec.to_builtins(Limits())


def settings(apart=None, retries=0, **changes):
    contests = (Contest("stellar", 2, {}, (0, 1, 2)),)
    return RunSettings(contests=contests, limits=GIVEN | changes, apart=apart, retries=retries)


def played(path, *runs, remote=()):
    """Return a store with *runs* of three blocks each: one of each two bots."""
    bots = [
        {"name": name, "version": f"{name}-1"} | ({"remote": True} if name in remote else {}) for name in BOTS
    ]
    with Store(path).lock() as store:
        for number, of in enumerate(runs, 1):
            blocks = [a_block(i, pair, run=number) for i, pair in enumerate(combinations(BOTS, 2))]
            keep_run(store, blocks, number, settings=of, bots=bots)
    return store.contents()


APART = LimitsApart(bots={"beta": {"move_ms": 9, "memory_mb": 7}})


@pytest.mark.parametrize(
    ("runs", "who", "what"),
    [
        pytest.param([settings(APART), settings(APART)], None, None, id="the same in all matches"),
        pytest.param([settings(), settings(APART)], "beta", "memory_mb, move_ms", id="one bot"),
        pytest.param(
            [settings(), settings(move_ms=5, retries=1)], "all bots here", "move_ms, retries", id="all bots"
        ),
        pytest.param([msgspec.structs.replace(settings(), limits={}), settings()], None, None, id="unknown"),
    ],
)
def test_bots_with_several_sets_of_limits_are_named_with_what_differs(tmp_path, runs, who, what):
    contents = played(tmp_path, *runs)
    said = [note.text for note in limit_notes(contents, GameBoard(ratings_of(contents)["stellar"]), {})]
    note = f"{who} played under more than one set of limits ({what}), and all matches count"
    assert ([note] if who else []) == said


def test_remote_bots_are_named(tmp_path):
    contents = played(tmp_path, settings(), remote=("gamma", "beta"))
    (note,) = limit_notes(contents, GameBoard(ratings_of(contents)["stellar"]), {})
    assert re.fullmatch("remote, on the machines of their authors: (beta, gamma|gamma, beta)", note.text)


def test_ratings_under_the_limits_of_now_leave_out_matches_of_bots_that_were_held_to_others(tmp_path):
    then = settings(LimitsApart(bots={"beta": {"move_ms": 9}}))
    contents = played(tmp_path, then, settings())
    rated, left_out = rated_under(contents, settings())
    assert (4, {2: 8}) == (left_out, rated["stellar"].tables), "the two blocks of beta in the first run"
    assert {"alpha": 6, "beta": 4, "gamma": 6} == {
        bot: standing.matches for (bot, _), standing in rated["stellar"].standings.items()
    }
    rated, left_out = rated_under(contents, then)
    assert (4, {2: 8}) == (left_out, rated["stellar"].tables), "those of the second"


def test_they_are_the_ratings_of_all_matches_where_nothing_changed(tmp_path):
    contents = played(tmp_path, settings(), settings())
    found = rated_under(contents, settings())
    assert (0, ratings_of(contents)) == (found.left_out, found.rated)


def test_nothing_is_left_where_all_limits_are_new(tmp_path):
    assert ({}, 12) == rated_under(played(tmp_path, settings(), settings()), settings(move_ms=5))
