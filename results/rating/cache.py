"""The standings of a store: fold its matches, starting from the cached ratings if they are valid."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from results.rating.fold import Engine, Fold
from results.rating.update import update_skills
from results.record import Json, Run
from results.storage.contents import Contents
from results.storage.store import Store

if TYPE_CHECKING:
    from results.storage.schema import Table

__all__ = ["fold_afresh", "fold_at_tables_of", "fold_before", "fold_current", "guessable_runs", "save"]


def fold_current(store: Store) -> Fold:
    """Return the fold of all matches that can be rated now; in an unfinished run, up to the first gap.

    If the cache is up to date, no match is read.
    """
    cache = store.ratings()  # read first: a writer may be active, and the contents must not be older
    contents = store.contents()
    fold = _resume(cache, contents) or Fold()
    _add(fold, contents, contents.runs[fold.run - 1 :])
    return fold


def fold_afresh(contents: Contents, engine: Engine = update_skills) -> Fold:
    """Return the fold of all matches in *contents* that can be rated, by *engine*, without the cache."""
    fold = Fold(engine)
    _add(fold, contents, contents.runs)
    return fold


def fold_at_tables_of(store: Store, seats: int) -> Fold:
    """Return the fold of the matches of *seats* seats only, rated as if there were no others.

    Every match is read, because there is no cache for this.
    """
    contents = store.contents()
    fold = Fold()
    _add(fold, contents, contents.runs, seats)
    return fold


def fold_before(store: Store, run: Run) -> Fold:
    """Return the fold of all matches before *run*, the unfinished one, ready for its first block."""
    contents = store.contents()
    fold = _resume(store.ratings(), contents)
    if fold is None or fold.run > run.run:
        fold = Fold()
    if fold.run == run.run:
        fold = fold.before_run()
    _add(fold, contents, contents.runs[fold.run - 1 : run.run - 1])
    fold.begin(run)
    return fold


def save(store: Store, fold: Fold) -> None:
    """Store *fold* as the cached ratings of *store*.  The lock must be held."""
    store.save_ratings(fold.table(), fold.made_from(store.runs()))


def guessable_runs(contents: Contents, seats: int | None = None) -> dict[str, list[int]]:
    """Return, by game, the runs with matches whose secret can be guessed, so that bots could know the deals.

    With *seats*, only matches of that many seats count.
    """
    found: dict[str, list[int]] = {}
    for run in contents.runs:
        for game in _rated_games(contents, run, seats) if run.guessable else ():
            found.setdefault(game, []).append(run.run)
    return found


def _rated_games(contents: Contents, run: Run, seats: int | None) -> set[str]:
    """Return the games of the matches of *run*: those of its contests, once it is beyond its first epoch."""
    settings = run.settings
    epoch = sum(map(min, settings.blocks or settings.epochs, settings.epochs))
    if contents.first_missing(run.run) >= epoch and not (settings.shard or settings.without):
        return {contest.game for contest in settings.contests if seats in (None, contest.seats)}
    rows = contents.matches(["game", "seats.rank"], run.run).to_pylist()
    return {row["game"] for row in rows if seats in (None, len(row["seats"]))}


def _add(fold: Fold, contents: Contents, runs: Iterable[Run], seats: int | None = None) -> None:
    """Add the matches of *runs* that *fold* does not have yet; with *seats*, only matches of that size."""
    for run in runs:
        fold.begin(run)
        for finishes in contents.finishes(run.run, fold.block):
            fold.add_finished(finishes if seats is None else finishes.at_tables_of(seats))
        if run.finished is not None:
            fold.finish()


def _resume(cache: tuple[Table, Json] | None, contents: Contents) -> Fold | None:
    """Return the fold in *cache*, if it was made from these runs and no matches beyond *contents*."""
    fold = Fold.resume(*cache, contents.runs) if cache else None
    return fold if fold and _covers(fold, contents) else None


def _covers(fold: Fold, contents: Contents) -> bool:
    """Return whether *contents* holds at least the matches of *fold*."""
    if fold.run == len(contents.runs) + 1:
        return fold.block == 0
    return fold.run <= len(contents.runs) and fold.block <= contents.first_missing(fold.run)
