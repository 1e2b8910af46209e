"""The store of results: many readers, one writer, and no row lost or counted twice.

    results/
        format.json          the format of this folder
        lock                 held by the process that writes
        runs.parquet         one row per run
        seasons.parquet      one row per season (seasons.py)
        names.json           what renamed bots are called (names.py)
        journal/000012.log   blocks as they arrive; writing them here commits them (journal.py)
        plan/000003.log      what the unfinished run 3 plans; if it is lost, it is planned again
        matches/000012.parquet, faults/000012.parquet   immutable segments
        manifest/000012.json the segments and the journal in force (manifest.py)
        ratings.parquet, pairs.parquet, *.cache   computed from the rest, and can be computed again
        reviews/000004.parquet   what decisions cost, made on demand (reviews.py)
        damaged/             files that a repair has moved aside

After a crash at any step, the results can be read and continued: a file is written under a temporary name,
synced and renamed, and the manifest with the highest number is in force.  After an error of the disk its
state is unknown, so writing stops for good; the next start recovers.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from results.errors import DiskFailed
from results.record import Block, Json, Run, RunSettings, Season
from results.storage.arrow import Table
from results.storage.cached import replace_with_copy, write_cached
from results.storage.compaction import SegmentSource
from results.storage.contents import Contents
from results.storage.disk import Disk, disk_errors, replace_file
from results.storage.layout import Folder, check_format
from results.storage.locking import await_lock
from results.storage.names import add_name, read_names, rename_run, write_names
from results.storage.opening import read_contents
from results.storage.reviews import Reviews
from results.storage.runs import find_unfinished, read_runs
from results.storage.seasons import read_seasons
from results.storage.stored_ratings import read_ratings
from results.storage.writer import Writer, read_plan

if TYPE_CHECKING:  # pyarrow is loaded by the first reading or writing of a Parquet file, not before
    from results.storage.audit import Audit


class Store:
    """The results in one folder.  Reading needs no lock; writing does."""

    def __init__(self, path: Path, disk: Disk | None = None) -> None:
        """Refer to the results in the folder *path*, which need not exist.  Nothing is read or created."""
        self.folder = Folder(path)
        self._disk = disk or Disk()
        self._checked: set[Path] = set()
        self._writer: Writer | None = None

    # --- reading

    def contents(self) -> Contents:
        """Return the results now, read once while the lock is held.  Raises DamagedResults or NewerFormat."""
        held = self._writer.contents if self._writer else None
        found = held or read_contents(self._disk, self.folder, self._checked)
        return found.with_names(read_names(self.folder))

    def runs(self) -> tuple[Run, ...]:
        """Return all runs, in order; nothing else of the results is read."""
        if not check_format(self._disk, self.folder):
            return ()
        names = read_names(self.folder)
        return tuple(rename_run(run, names) if names else run for run in read_runs(self.folder))

    def seasons(self) -> tuple[Season, ...]:
        """Return all seasons, in order, at least one; nothing else of the results is read."""
        return read_seasons(self.folder)

    def unfinished_run(self) -> Run | None:
        """Return the unfinished run, if any."""
        return find_unfinished(self.runs())

    def matches(self, columns: Iterable[str] | None = None, run: int | None = None) -> Table:
        """Return the standing matches: see Contents.matches."""
        return self.contents().matches(columns, run)

    def ratings(self) -> tuple[Table, Json] | None:
        """Return the stored ratings and their origin, or None if there are no good ones."""
        return read_ratings(self.folder)

    @property
    def reviews(self) -> Reviews:
        """The reviews of matches, which have a lock of their own."""
        return Reviews(self.folder, self._disk)

    def read_reviews(self, columns: Iterable[str] | None = None, run: int | None = None) -> Table:
        """Return the reviews of the standing matches, with *columns* or all, by match, step and seat."""
        reviews = self.reviews
        return reviews.read(run, columns=columns, without=reviews.strays(self.contents()))

    # --- writing

    @contextmanager
    def lock(self) -> Iterator[Store]:
        """Hold the lock; create the results if there are none, and recover them after a crash.

        The lock ends with the process, however it ends.  A forked child would keep holding it, so start
        workers by forkserver or spawn.  Raises HomeLocked, DamagedResults, NewerFormat or DiskFailed.
        """
        with self._hold():
            try:
                with disk_errors(self.folder.root):
                    self._writer = Writer.open(self._disk, self.folder, self._checked)
                yield self
            finally:
                writer, self._writer = self._writer, None
                if writer is not None:
                    writer.close()

    @contextmanager
    def _hold(self) -> Iterator[None]:
        with disk_errors(self.folder.root):
            self._disk.make_dir(self.folder.root)
            self._disk.sync_dir(self.folder.root.parent)
            handle = await_lock(self.folder.lock)
        try:
            yield
        finally:
            os.close(handle)

    def check_free(self) -> None:
        """Raise what lock raises; wait for another process if that is wanted.  Nothing is written."""
        with disk_errors(self.folder.root), suppress(FileNotFoundError):
            os.close(await_lock(self.folder.lock, os.O_RDWR))
        self.contents()

    @property
    def is_locked(self) -> bool:
        """Whether this store holds the lock, and so may write."""
        return self._writer is not None

    def begin(self, run: Run) -> None:
        """Store a new run, before any match of it is played.  Raises ValueError if it cannot be the next."""
        with self._writing() as writer:
            writer.begin(run)

    def begin_season(self, name: str) -> Season:
        """Begin a season with the next run, and return it.  A season without runs is replaced.

        If it is called as the season before, that one goes on.
        Raises ValueError if a run is unfinished, or if a season with runs has this *name*.
        """
        with self._writing() as writer:
            return writer.begin_season(name)

    def amend(self, settings: RunSettings) -> Run:
        """Give the unfinished run other *settings*, and return it.  Raises ValueError if there is none."""
        with self._writing() as writer:
            return rename_run(writer.amend(settings), read_names(self.folder))

    def reopen(self, settings: RunSettings) -> Run:
        """Make the last run, which is finished, unfinished again with other *settings*; return it.

        The ratings that are stored go: the run was whole in them.  Raises ValueError if no run is the last,
        if it is not finished, or if another season has begun since.
        """
        with self._writing() as writer:
            return rename_run(writer.reopen(settings), read_names(self.folder))

    def append(self, number: int, payload: bytes) -> Block | None:
        """Journal block *number* of the unfinished run, as encode_block made it, and return the block.

        Return None, with a line in the log, if that number is journalled already: the first result stands.
        It is safe after the next commit(). Raises ValueError if *payload* is not that block.
        """
        with self._writing() as writer:
            return writer.append(number, payload)

    def replace(self, payloads: Mapping[int, bytes]) -> None:
        """Store other results of journalled blocks, by number, as encode_block made them: all or none.

        They are safe from a power cut then, and so is the rest of the journal.  Raises ValueError for a block
        that is not in the journal.
        """
        with self._writing() as writer:
            writer.replace(payloads)

    def plan(self, run: int) -> list[bytes]:
        """Return what append_plan has stored of *run*, in order; nothing if it is lost or damaged."""
        return read_plan(self._disk, self.folder, run) or []

    def append_plan(self, payload: bytes) -> None:
        """Store one line of JSON with the unfinished run, until it ends.  It is safe from a power cut."""
        with self._writing() as writer:
            writer.append_plan(payload)

    def commit(self) -> None:
        """Return when all appended blocks are safe from a power cut.  Call it about once a second."""
        with self._writing() as writer:
            writer.journal.commit()

    def seal(self) -> int:
        """Move the journal's blocks before the first missing one into a segment; return its match count."""
        with self._writing() as writer:
            return writer.seal()

    def finish(self, run: int, end: int, *, drop_rest: bool = False) -> Run:
        """Seal the rest and mark the unfinished *run* as finished.

        With *drop_rest*, the journal's blocks from number *end* on are removed first.  Raises ValueError
        unless the blocks are then exactly those from the first up to *end* (exclusive).
        """
        with self._writing() as writer:
            return rename_run(writer.finish(run, end, drop_rest=drop_rest), read_names(self.folder))

    def abandon(self, run: int) -> Run:
        """Seal the journal of the unfinished *run*, gaps or not, and mark the run as finished."""
        with self._writing() as writer:
            return rename_run(writer.abandon(run), read_names(self.folder))

    def withdraw(self, run: int) -> None:
        """Remove the unfinished *run*, of which no block was played.  Raises ValueError for any other."""
        with self._writing() as writer:
            writer.withdraw(run)

    def rename(self, old: str, new: str) -> None:
        """Let the bot *old* be called *new* wherever results are read: see results.storage.names."""
        with self._writing():
            write_names(self._disk, self.folder, add_name(read_names(self.folder), old, new))

    def compact(self) -> None:
        """Join segments into a few long ones.  Readers see every row exactly once at all times.

        Data tools, which read the files directly, may see rows twice for a moment, or until the next command
        that writes if this one is killed at that moment.
        """
        with self._writing() as writer:
            writer.compact()

    def join(self, run: Run, parts: Sequence[SegmentSource]) -> Run:
        """Store the next *run* from segments of other stores: all of it or, on any error, nothing.

        Raises ValueError unless *parts* hold every block from the run's first, in number order.
        """
        with self._writing() as writer:
            return writer.join(run, parts)

    def save_ratings(self, table: Table, made_from: Json) -> None:
        """Store *table*, of the schema RATINGS, and its origin as the ratings."""
        from results.storage import parquet

        with self._writing():
            data = parquet.encode_with_tag(table, made_from)
            replace_with_copy(self._disk, self.folder.ratings, data, self.folder.cache("origin"), made_from)

    def save_pairs(self, table: Table) -> None:
        """Store *table*, of the schema PAIRS."""
        from results.storage import parquet

        with self._writing():
            replace_file(self._disk, self.folder.pairs, parquet.encode(table))

    def save_cached(self, name: str, value: Json) -> None:
        """Store a *value* that can be computed again, anything that msgspec encodes, for `cached`."""
        with self._writing():
            write_cached(self._disk, self.folder.cache(name), value)

    # --- mending

    def audit(self, ratings: Mapping[str, Json] | None = None) -> Audit:
        """Audit the results; no lock is needed.  Raises NewerFormat.

        *ratings* are the rating parameters, by game, of runs that are made up from their matches.
        """
        from results.storage.audit import audit

        return audit(self._disk, self.folder, ratings)

    def repair(
        self, wrong_ratings: str = "", ratings: Mapping[str, Json] | None = None
    ) -> tuple[Audit, list[Path]]:
        """Move damaged files aside and make the rest consistent; return the audit and the moved paths.

        A run whose secret is lost cannot be continued, so it is marked as finished.  The cached ratings are
        removed if they rest on lost matches, or if the caller says in *wrong_ratings* why they are wrong;
        *ratings* as for audit.  Raises HomeLocked, NewerFormat or DiskFailed.
        """
        from results.storage.audit import Damage
        from results.storage.repair import repair

        reviews = self.reviews
        with (
            self._hold(),
            reviews.hold() if reviews.files() else nullcontext(),
            disk_errors(self.folder.root),
        ):
            found = self.audit(ratings)
            if wrong_ratings:
                found.damage.append(Damage(self.folder.ratings, wrong_ratings))
            moved = repair(self._disk, self.folder, found)
        if (run := self.unfinished_run()) and not run.has_secret:
            with self.lock():
                self.abandon(run.run)
        if reviews.files():
            strays = reviews.strays(self.contents())
            reviews.drop(lambda key: (key.run, key.number) in strays)
        return found, moved

    @contextmanager
    def _writing(self) -> Iterator[Writer]:
        if self._writer is None:
            raise RuntimeError("expected the lock of the results to be held: with store.lock()")
        if self._writer.failed:
            raise DiskFailed(self.folder.root, self._writer.failed)
        try:
            with disk_errors(self.folder.root):
                yield self._writer
        except ValueError:  # raised before anything was written
            raise
        except BaseException as error:  # an interrupt may leave half a line behind, as a full disk does
            self._writer.failed = f"writing ended before, by {error!r}"
            raise
