"""The list of all runs, `results/runs.parquet`."""

from collections.abc import Sequence

from results.record import Run
from results.storage.cached import read_records, write_records
from results.storage.disk import Disk
from results.storage.layout import Folder


def read_runs(folder: Folder) -> tuple[Run, ...]:
    """Return all runs in order; none if there is no file.  Raises DamagedResults or NewerFormat."""
    try:
        return tuple(read_records(folder.runs, folder.cache("runs"), Run))
    except FileNotFoundError:
        return ()


def write_runs(disk: Disk, folder: Folder, runs: Sequence[Run]) -> None:
    """Replace the list of all runs by *runs*."""
    write_records(disk, folder.runs, folder.cache("runs"), runs, Run)


def find_unfinished(runs: Sequence[Run]) -> Run | None:
    """Return the unfinished one of all *runs*, if any."""
    return runs[-1] if runs and runs[-1].finished is None else None
