"""Writing results: one process at a time, nothing lost, nothing counted twice.

    results/
        format.json          the format of this folder
        lock                 held by the process that writes
        runs.parquet         one row a run
        journal/000012.log   blocks as they arrive: the commit (journal.py)
        matches/000012.parquet, faults/000012.parquet   segments: immutable
        manifest/000012.json which segments and which journal count (manifest.py)
        ratings.parquet      a cache: recomputable from the rest
        damaged/             what a repair has moved aside

Every step leaves results that can be read and continued, wherever the process or the power ends: files are
written under a temporary name, made safe, renamed; and a numbered manifest decides. An error of the disk
ends the writing for good, for nobody knows what a disk holds after one: the next start finds out.
"""

from __future__ import annotations

import fcntl
import logging
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from results.errors import DamagedResults, DiskFailed, HomeLocked
from results.record import Block, Json, Run
from results.storage.compaction import Part
from results.storage.contents import Contents, find_unfinished, read_contents, read_runs
from results.storage.disk import Disk, replace_file
from results.storage.layout import Folder, check_format
from results.storage.writer import Writer

if TYPE_CHECKING:  # pyarrow is loaded by the first reading or writing of a Parquet file, not before
    from results.storage.audit import Audit
    from results.storage.schema import Table

__all__ = ["Store"]

logger = logging.getLogger(__name__)


class Store:
    """The results in one folder.  Reading needs no lock; everything that writes does."""

    def __init__(self, path: Path, disk: Disk | None = None) -> None:
        """Look at the results in the folder *path*, which need not exist yet; nothing is read or made."""
        self.folder = Folder(path)
        self._disk = disk or Disk()
        self._checked: set[Path] = set()
        self._writer: Writer | None = None

    # --- reading

    def contents(self) -> Contents:
        """Return the results as they are now.  Raises DamagedResults or NewerFormat.

        A store that holds the lock does not read again what it has read when it took it.
        """
        if self._writer and self._writer.contents:
            return self._writer.contents
        return read_contents(self._disk, self.folder, self._checked)

    def runs(self) -> tuple[Run, ...]:
        """Return all runs, in order; nothing else of the results is read."""
        return read_runs(self.folder) if check_format(self._disk, self.folder) else ()

    def unfinished_run(self) -> Run | None:
        """Return the run that is not finished, if there is one."""
        return find_unfinished(self.runs())

    def committed_blocks(self, run: int) -> set[int]:
        """Return the numbers of all committed blocks of *run*, sealed ones among them."""
        return self.contents().committed_blocks(run)

    def matches(self, columns: Iterable[str] | None = None, run: int | None = None) -> Table:
        """Return the standing matches: see Contents.matches."""
        return self.contents().matches(columns, run)

    def faults(self, run: int | None = None) -> Table:
        """Return all faults: see Contents.faults."""
        return self.contents().faults(run)

    def ratings(self) -> tuple[Table, Json] | None:
        """Return the cached ratings and what they were made from, or None if there are no good ones."""
        from results.storage import parquet, schema

        try:
            found: tuple[Table, Json] = parquet.read_with_tag(self.folder.ratings, schema.RATINGS)
        except FileNotFoundError:
            return None
        except DamagedResults as error:
            logger.warning("%s; the ratings are computed again from the matches", error)
            return None
        return found

    # --- writing

    @contextmanager
    def lock(self) -> Iterator[Store]:
        """Hold the lock, with the results made if there are none and recovered if a process left them so.

        The lock ends with the process, however it ends; but a child made by fork would hold it on, so start
        workers by forkserver or spawn. Raises HomeLocked, DamagedResults, NewerFormat or DiskFailed.
        """
        with self._held():
            try:
                with _disk_errors(self.folder.root):
                    self._writer = Writer.open(self._disk, self.folder, self._checked)
                yield self
            finally:
                writer, self._writer = self._writer, None
                if writer is not None:
                    writer.close()

    @contextmanager
    def _held(self) -> Iterator[None]:
        with _disk_errors(self.folder.root):
            self._disk.make_dir(self.folder.root)
            self._disk.sync_dir(self.folder.root.parent)
            handle = _lock(self.folder.lock)
        try:
            yield
        finally:
            os.close(handle)

    @property
    def is_locked(self) -> bool:
        """Whether this store may write."""
        return self._writer is not None

    def begin(self, run: Run) -> None:
        """Store a new run, before anything of it is played.  Raises ValueError if it cannot be the next."""
        with self._writing() as writer:
            writer.begin(run)

    def amend(self, settings: dict[str, Json]) -> Run:
        """Give the unfinished run other *settings*, and return it.  Raises ValueError if there is none."""
        with self._writing() as writer:
            return writer.amend(settings)

    def append(self, number: int, payload: bytes) -> Block | None:
        """Journal block *number* of the unfinished run, as encode_block made it, and return the block.

        Return None, with a line in the log, if that number is journalled already: the first result stands.
        It is safe after the next commit(). Raises ValueError if *payload* is not that block.
        """
        with self._writing() as writer:
            return writer.append(number, payload)

    def commit(self) -> None:
        """Return when everything appended is safe; the caller sees to it that this is once a second or so."""
        with self._writing() as writer:
            writer.journal.commit()

    def seal(self) -> int:
        """Turn the unbroken prefix of the journal into a segment; return the number of matches in it."""
        with self._writing() as writer:
            return writer.seal()

    def finish(self, run: int, end: int) -> Run:
        """Seal the rest and mark the unfinished *run* as finished.

        Raises ValueError unless exactly its blocks from the first up to *end* (exclusive) are there.
        """
        with self._writing() as writer:
            return writer.finish(run, end)

    def abandon(self, run: int) -> Run:
        """Seal what is journalled of the unfinished *run*, gaps or not, and mark it as finished."""
        with self._writing() as writer:
            return writer.abandon(run)

    def compact(self) -> None:
        """Join sealed segments to as few as is sensible.  Readers see every row once all the while.

        Data tools, which read files as they lie, may see rows twice for a moment, or until the next command
        that writes if this one is killed at that moment.
        """
        with self._writing() as writer:
            writer.compact()

    def join(self, run: Run, parts: Sequence[Part]) -> Run:
        """Store the next *run* whole, made of segments of other stores; all of it or, on any error, nothing.

        Raises ValueError unless *parts* hold every block from its first on, in number order.
        """
        with self._writing() as writer:
            return writer.join(run, parts)

    def save_ratings(self, table: Table, made_from: Json) -> None:
        """Keep *table*, a fold of the matches, with what it was made from."""
        from results.storage import parquet

        with self._writing():
            replace_file(self._disk, self.folder.ratings, parquet.encode_with_tag(table, made_from))

    # --- mending

    def audit(self, ratings: Mapping[str, Json] | None = None) -> Audit:
        """Return what of the results is sound and what is not; no lock is needed.  Raises NewerFormat.

        *ratings* are the rating parameters, by game, of runs that are made up from their matches.
        """
        from results.storage.audit import audit

        return audit(self._disk, self.folder, ratings)

    def repair(
        self, wrong_ratings: str = "", ratings: Mapping[str, Json] | None = None
    ) -> tuple[Audit, list[Path]]:
        """Move what is damaged aside and go on without it; return what was found, and where it lies now.

        A run whose secret is lost cannot be continued: it is ended as it is.  The ratings are gone if they
        rest on what is lost, or if the caller says why they are wrong; *ratings* as for audit.  Raises
        HomeLocked, NewerFormat or DiskFailed.
        """
        from results.storage.audit import Damage
        from results.storage.repair import repair

        with self._held(), _disk_errors(self.folder.root):
            found = self.audit(ratings)
            if wrong_ratings:
                found.damage.append(Damage(self.folder.ratings, wrong_ratings))
            moved = repair(self._disk, self.folder, found)
        if (run := self.unfinished_run()) and not run.secret:
            with self.lock():
                self.abandon(run.run)
        return found, moved

    @contextmanager
    def _writing(self) -> Iterator[Writer]:
        if self._writer is None:
            raise RuntimeError("expected the lock of the results to be held: with store.lock()")
        if self._writer.failed:
            raise DiskFailed(self.folder.root, self._writer.failed)
        try:
            with _disk_errors(self.folder.root):
                yield self._writer
        except ValueError:  # refused before anything was written
            raise
        except BaseException as error:  # an interrupt may leave half a line behind, as a full disk does
            self._writer.failed = f"writing ended before, by {error!r}"
            raise


def _lock(path: Path) -> int:
    """Return the handle that holds the lock file at *path*, for as long as it is open.  Raises HomeLocked."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.ftruncate(handle, 0)
        os.write(handle, b"%d\n" % os.getpid())
    except BlockingIOError:
        owner = os.read(handle, 20).strip()
        os.close(handle)
        raise HomeLocked(path, int(owner) if owner.isdigit() else None) from None
    except BaseException:
        os.close(handle)
        raise
    return handle


@contextmanager
def _disk_errors(path: Path) -> Iterator[None]:
    """Say DiskFailed for what the disk could not do."""
    try:
        yield
    except OSError as error:
        raise DiskFailed(path, error) from error
