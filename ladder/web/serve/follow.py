"""Notice that results have changed by names, sizes and times of files, which disturbs no run."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path

from results.storage.layout import UNRATED, Folder

LOOK_SECONDS = 1.0
"""How often files are looked at while a page is open that shows them."""


def signature(results: Path, events: Iterable[str] = ()) -> tuple[tuple[str, int, int], ...]:
    """Return what changes with the results in the folder: journal, runs, seasons, reviews, unrated stores.

    *events* are the names of unrated stores whose matches count as well.
    """
    folder = Folder(results)
    found = []
    files_of_all = (folder.runs, folder.seasons, folder.ratings)
    of_events = [Folder(results / UNRATED / name) for name in events]
    folders = [folder.journals, folder.manifests, folder.reviews, results / UNRATED]
    folders += [path for each in of_events for path in (each.journals, each.manifests)]
    for path in (*files_of_all, *folders):
        files = sorted(path.iterdir()) if path.is_dir() else [path]
        for file in files:
            try:
                state = file.stat()
            except OSError:  # not there, or not any more
                continue
            found.append((str(file.relative_to(results)), state.st_size, state.st_mtime_ns))
    return tuple(found)


class Follower:
    """Tells when results have changed; it looks only when it is asked."""

    def __init__(self, results: Path) -> None:
        """Follow the folder *results*."""
        self._results = results
        self._signature = signature(results)
        self.events: tuple[str, ...] = ()
        """The names of the unrated stores in which tournaments go on."""
        self.version = 0
        """How often they have changed."""

    async def next_change(self, version: int, seconds: float) -> None:
        """Return when the results are no longer those of *version*, or after that many seconds."""
        for _ in range(max(1, round(seconds / LOOK_SECONDS))):
            self.look()
            if self.version != version:
                return
            await asyncio.sleep(LOOK_SECONDS)

    def look(self) -> None:
        """Look at the files."""
        now = signature(self._results, self.events)
        if now != self._signature:
            self._signature = now
            self.version += 1
