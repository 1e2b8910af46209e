"""Begin a season: bots and matches stay, and ratings start anew."""

import re

from ladder.errors import UsageProblem
from ladder.home.home import Home
from results.rating.cache import save
from results.record import Run, Season
from results.storage.contents import Contents
from results.storage.store import Store

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}")
"""The pattern of a season's name, which is that of a bot's."""


def _check(contents: Contents, name: str) -> None:
    """Raise UsageProblem unless a season called *name* may begin now."""
    if not NAME.fullmatch(name):
        raise UsageProblem(
            f"{name!r} cannot be the name of a season: expected at most 32 letters, digits, '.', '_' and '-',"
            " a letter or digit first",
            "ladder home season NAME",
        )
    seasons = contents.seasons
    goes_on = not contents.rated_runs and len(seasons) > 1 and name == seasons[-2].name
    if name in (each.name for each in seasons) and not goes_on:
        raise UsageProblem(
            f"there is a season {name} already", "choose another name; ladder home season lists all"
        )
    if unfinished := contents.unfinished_run:
        raise UsageProblem(
            f"run {unfinished.run} is not finished, and counts in season {seasons[-1].name}",
            f"ladder run --resume, which finishes it; ladder home season {name}, again",
        )


def begin_season(home: Home, name: str) -> tuple[Season, Season]:
    """Begin a season called *name* with the next run of *home*; return it, and the one that was current.

    If that one has no runs, it is replaced; with the name of the season before it, that season goes on.
    Raises UsageProblem or HomeLocked; then nothing has changed.
    """
    store = Store(home.results)
    _check(store.contents(), name)
    with store.lock():
        before = store.contents()
        _check(before, name)
        season = store.begin_season(name)
        save(store)
    return season, before.seasons[-1]


def runs_by_season(contents: Contents) -> list[tuple[Season, tuple[Run, ...]]]:
    """Return all seasons in order, each with its runs."""
    return [(season, contents.of_season(season.name).rated_runs) for season in contents.seasons]
