"""Bots that played under several sets of limits are named, and ratings can leave out the others."""

from itertools import combinations
from pathlib import Path

import msgspec
from support.records import a_block
from support.stores import keep_run

from protocol.messages import Limits
from results.rating.cache import ratings_of
from results.record import Contest, LimitsApart, RunSettings
from results.reports.leaderboard import GameBoard
from results.reports.limit_sets import limit_notes, rated_under
from results.storage.contents import Contents
from results.storage.store import Store

BOTS = ("alpha", "beta", "gamma")
GIVEN = msgspec.to_builtins(Limits())


def settings(apart: LimitsApart | None = None, retries: int = 0, **changes: int) -> RunSettings:
    contests = (Contest("stellar", 2, {}, (0, 1, 2)),)
    return RunSettings(contests=contests, limits=GIVEN | changes, apart=apart, retries=retries)


def played(path: Path, *runs: RunSettings) -> Contents:
    """Return a store with *runs* of three blocks each: one of each two bots."""
    bots = [{"name": name, "version": f"{name}-1"} for name in BOTS]
    with Store(path).lock() as store:
        for number, of in enumerate(runs, 1):
            blocks = [a_block(i, pair, run=number) for i, pair in enumerate(combinations(BOTS, 2))]
            keep_run(store, blocks, number, settings=of, bots=bots)
    return store.contents()


def said(contents: Contents) -> list[str]:
    board = GameBoard(ratings_of(contents)["stellar"])
    return [note.text for note in limit_notes(contents, board, {})]


def test_nothing_is_said_where_all_matches_had_the_same_limits(tmp_path: Path) -> None:
    apart = LimitsApart(bots={"beta": {"move_ms": 9}})
    assert [] == said(played(tmp_path, settings(apart), settings(apart)))


def test_bots_with_several_sets_of_limits_are_named_with_what_differs(tmp_path: Path) -> None:
    later = settings(LimitsApart(bots={"beta": {"move_ms": 9, "memory_mb": 7}}))
    what = "played under more than one set of limits (memory_mb, move_ms), and all matches count"
    assert [f"beta {what}"] == said(played(tmp_path, settings(), later))


def test_where_all_had_several_it_is_said_once(tmp_path: Path) -> None:
    found = said(played(tmp_path, settings(), settings(move_ms=5, retries=1)))
    assert [
        "all bots here played under more than one set of limits (move_ms, retries), and all matches count"
    ] == (found)


def test_unknown_limits_of_old_runs_are_no_set(tmp_path: Path) -> None:
    old = msgspec.structs.replace(settings(), limits={})
    assert [] == said(played(tmp_path, old, settings()))


def test_ratings_under_the_limits_of_now_leave_out_matches_of_bots_that_were_held_to_others(
    tmp_path: Path,
) -> None:
    then = settings(LimitsApart(bots={"beta": {"move_ms": 9}}))
    contents = played(tmp_path, then, settings())
    rated, left_out = rated_under(contents, settings())
    assert (4, {2: 8}) == (left_out, rated["stellar"].tables), "the two blocks of beta in the first run"
    assert {"alpha": 6, "beta": 4, "gamma": 6} == {
        bot: standing.matches for (bot, _), standing in rated["stellar"].standings.items()
    }
    rated, left_out = rated_under(contents, then)
    assert (4, {2: 8}) == (left_out, rated["stellar"].tables), "those of the second"


def test_they_are_the_ratings_of_all_matches_where_nothing_changed(tmp_path: Path) -> None:
    contents = played(tmp_path, settings(), settings())
    found = rated_under(contents, settings())
    assert (0, ratings_of(contents)) == (found.left_out, found.rated)


def test_nothing_is_left_where_all_limits_are_new(tmp_path: Path) -> None:
    assert ({}, 12) == rated_under(played(tmp_path, settings(), settings()), settings(move_ms=5))
