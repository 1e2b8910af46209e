"""Seasons: parts of the results, each some runs in a row, which are rated by themselves.

`results/seasons.parquet` has a row for each season that was begun.  Without the file, all runs are
one season; runs before the first row are one, too, and both are called FIRST.
"""

from collections.abc import Sequence
from itertools import pairwise

from results.errors import DamagedResults, NoSuchSeason
from results.record import Season
from results.storage.cached import read_records, write_records
from results.storage.disk import Disk
from results.storage.layout import Folder

FIRST = Season("first", 1, 0)
"""The season of all runs that were begun before the first `ladder home season NAME`."""


def read_seasons(folder: Folder) -> tuple[Season, ...]:
    """Return all seasons in order, at least one; the last is the current one.  Raises DamagedResults."""
    try:
        stored = read_records(folder.seasons, folder.cache("seasons"), Season)
    except FileNotFoundError:
        return (FIRST,)
    found = stored if stored and stored[0].first_run == 1 else [FIRST, *stored]
    if any(one.first_run >= next_.first_run for one, next_ in pairwise(found)):
        raise DamagedResults(folder.seasons, "its seasons are not in the order of their runs")
    if len({season.name for season in found}) < len(found):
        raise DamagedResults(folder.seasons, "two seasons have one name")
    return tuple(found)


def write_seasons(disk: Disk, folder: Folder, seasons: Sequence[Season]) -> None:
    """Replace the list of all seasons by *seasons*; FIRST is not stored."""
    stored = [season for season in seasons if season != FIRST]
    write_records(disk, folder.seasons, folder.cache("seasons"), stored, Season)


def find_season(seasons: Sequence[Season], name: str | None) -> Season:
    """Return the season called *name*; the current one for None.  Raises NoSuchSeason."""
    found = seasons[-1] if name is None else next((each for each in seasons if each.name == name), None)
    if found is None:
        raise NoSuchSeason(name or "", [each.name for each in seasons])
    return found
