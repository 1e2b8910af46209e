"""The list of all runs, `results/runs.parquet`."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from results.errors import DamagedResults
from results.record import Run
from results.storage.disk import Disk
from results.storage.layout import Folder
from results.storage.quick_copy import read_copy, replace_with_copy

__all__ = ["find_unfinished", "read_runs", "write_runs"]


def read_runs(folder: Folder) -> tuple[Run, ...]:
    """Return all runs in order; none if there is no file.  Raises DamagedResults or NewerFormat."""
    try:
        if (copied := read_copy(folder.runs, folder.cache("runs"), tuple[Run, ...])) is not None:
            return copied
        from results.storage import parquet, schema

        table, _ = parquet.read_with_tag(folder.runs, schema.RUNS)
        return tuple(schema.runs_from(table))
    except FileNotFoundError:
        return ()
    except msgspec.MsgspecError as error:
        raise DamagedResults(folder.runs, str(error)) from None


def write_runs(disk: Disk, folder: Folder, runs: Sequence[Run]) -> None:
    """Replace the list of all runs by *runs*."""
    from results.storage import parquet, schema

    data = parquet.encode_with_tag(schema.runs_table(runs))
    replace_with_copy(disk, folder.runs, data, folder.cache("runs"), runs)


def find_unfinished(runs: Sequence[Run]) -> Run | None:
    """Return the unfinished one of all *runs*, if any."""
    return runs[-1] if runs and runs[-1].finished is None else None
