"""The standings of a store: the fold of its matches, continued from the cache where that is still true."""

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
    """Return the fold of everything that can be rated now: of an unfinished run, its unbroken prefix.

    Where the cache is current no match is read.
    """
    cache = store.ratings()  # first: a writer may go on meanwhile, and the contents must not be the older one
    contents = store.contents()
    fold = _resume(cache, contents) or Fold()
    _add(fold, contents, contents.runs[fold.run - 1 :])
    return fold


def fold_afresh(contents: Contents, engine: Engine = update_skills) -> Fold:
    """Return the fold of everything in *contents* that can be rated, by *engine*, whatever the cache says."""
    fold = Fold(engine)
    _add(fold, contents, contents.runs)
    return fold


def fold_at_tables_of(store: Store, seats: int) -> Fold:
    """Return the fold of the matches at tables of *seats* only, rated as if there had been no others.

    Every match is read: there is no cache of it.
    """
    contents = store.contents()
    fold = Fold()
    _add(fold, contents, contents.runs, seats)
    return fold


def fold_before(store: Store, run: Run) -> Fold:
    """Return the fold of everything before *run*, the unfinished one, ready for its first block."""
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
    """Keep *fold* as the cache of *store*, whose lock is held."""
    store.save_ratings(fold.table(), fold.made_from(store.runs()))


def guessable_runs(contents: Contents, seats: int | None = None) -> dict[str, list[int]]:
    """Return by game the runs whose cards bots could know: those with matches that count, and such a secret.

    With *seats*, only matches at tables of that size count.
    """
    found: dict[str, list[int]] = {}
    for run in contents.runs:
        for game in _rated_games(contents, run, seats) if run.guessable else ():
            found.setdefault(game, []).append(run.run)
    return found


def _rated_games(contents: Contents, run: Run, seats: int | None) -> set[str]:
    """Return the games of the matches of *run*: those of its contests, once it is beyond its first epoch."""
    settings = run.settings
    epoch = sum(map(min, settings["blocks"] or settings["epochs"], settings["epochs"]))
    if contents.first_missing(run.run) >= epoch and not (settings.get("shard") or settings.get("without")):
        return {each["game"] for each in settings["contests"] if seats in (None, each["seats"])}
    rows = contents.matches(["game", "seats.rank"], run.run).to_pylist()
    return {row["game"] for row in rows if seats in (None, len(row["seats"]))}


def _add(fold: Fold, contents: Contents, runs: Iterable[Run], seats: int | None = None) -> None:
    """Add what is still to be added of *runs*; with *seats*, only matches at tables of that size."""
    for run in runs:
        fold.begin(run)
        for finishes in contents.finishes(run.run, fold.block):
            fold.add_finished(finishes if seats is None else finishes.at_tables_of(seats))
        if run.finished is not None:
            fold.finish()


def _resume(cache: tuple[Table, Json] | None, contents: Contents) -> Fold | None:
    """Return the fold in *cache*, if it was made from these runs and from no more than *contents* shows."""
    fold = Fold.resume(*cache, contents.runs) if cache else None
    return fold if fold and _covers(fold, contents) else None


def _covers(fold: Fold, contents: Contents) -> bool:
    """Return whether *contents* is as far as *fold* at least."""
    if fold.run == len(contents.runs) + 1:
        return fold.block == 0
    return fold.run <= len(contents.runs) and fold.block <= contents.first_missing(fold.run)
