"""The reviews of matches: Parquet files in `results/reviews/`, under a lock of their own.

A file never changes, and the one with the highest number counts: it may hold other reviews of the same
matches.  Many small files are joined into a larger one, and then removed.  Everything here can be made again
from the matches, so nothing else rests on it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from results.errors import DamagedResults
from results.reviewed import ReviewedStep, ReviewKey
from results.storage.arrow import Schema, Table
from results.storage.disk import Disk, disk_errors, replace_file, temporary_path
from results.storage.layout import Folder
from results.storage.locking import await_briefly
from results.storage.manifest import format_number
from results.storage.names import read_names
from results.storage.segment_files import TRIES

if TYPE_CHECKING:  # pyarrow is loaded by the first reading or writing of a Parquet file, not before
    from results.storage.contents import Contents

MOST_SMALL = 16
"""How many files of one class there may be before they are joined."""
CLASSES = (2**18, 2**22)
"""The sizes below which files are of the first class and of the second; a larger one stays as it is."""
_FILE = re.compile(r"(\d{6,})\.parquet")
_TEMPORARY = re.compile(r"\.\d{6,}\.parquet\.tmp")

Keys: TypeAlias = Mapping[tuple[int, int], ReviewKey]
"""The reviews in a file, by run and number of their matches."""


class Reviews:
    """The reviews beside the results in one folder.  Reading needs no lock; writing takes it for a moment."""

    def __init__(self, folder: Folder, disk: Disk | None = None) -> None:
        """Refer to the reviews of the results in *folder*; nothing is read or created."""
        self.path = folder.reviews
        self._folder = folder
        self._disk = disk or Disk()
        self._keys: dict[tuple[int, ...], Keys] = {}
        """What was read, by the file's own number on the disk, its size and its time."""

    # -- reading

    def read(
        self,
        run: int | None = None,
        number: int | None = None,
        columns: Iterable[str] | None = None,
        without: Collection[tuple[int, int]] = (),
    ) -> Table:
        """Return the reviews in force as a pyarrow table, by run, number, step and seat.

        Those of one *run*, or of the match with this *number* in it, if named; all *columns* of the schema
        REVIEWS, or those that are named.  Matches that are in *without*, by run and number, are left out.
        Bots have their names of today.  Raises KeyError for an unknown column, DamagedResults or NewerFormat.
        """
        from results.storage import review_rows

        wanted = review_rows.choose_columns(columns)
        names = read_names(self._folder)
        reading = review_rows.choose_columns(dict.fromkeys([*wanted.names, *review_rows.ORDER]))

        def look() -> Table:
            found = self._standing_rows(reading, run, number)
            parts = [review_rows.rows_without(part, without) for part in found]
            return review_rows.join_rows(parts, reading, wanted.names, names)

        return self._again(look)

    def matches(self) -> set[ReviewKey]:
        """Return the reviews in force, one for each match.  Raises DamagedResults or NewerFormat."""
        return {*self._again(self._standing).values()}

    def strays(self, contents: Contents) -> set[tuple[int, int]]:
        """Return the run and number of each review whose match does not stand in *contents*."""
        reviewed: dict[int, set[int]] = {}
        for key in self.matches():
            reviewed.setdefault(key.run, set()).add(key.number)
        return {
            (run, number)
            for run, numbers in reviewed.items()
            for number in numbers.difference(contents.matches(["number"], run).column("number").to_pylist())
        }

    def files(self) -> list[Path]:
        """Return the files of the reviews, the oldest first."""
        return [*map(self._path, self._files())]

    # -- writing

    def add(
        self, rows: Sequence[ReviewedStep], stale: Callable[[ReviewKey], bool] | None = None
    ) -> set[tuple[int, int]]:
        """Store the reviews of some matches, all rows of each together, and return which were stored.

        They replace earlier ones of the same matches; but a quick one is not stored where a full one by the
        same judge is.  Earlier reviews that are *stale* go first.  When this returns, they are safe from a
        power cut.  Raises ValueError for two reviews of one match; HomeLocked, DamagedResults or DiskFailed.
        """
        from results.storage import review_rows

        return self.add_table(review_rows.review_table(rows), stale) if rows else set()

    def add_table(
        self, table: Table, stale: Callable[[ReviewKey], bool] | None = None
    ) -> set[tuple[int, int]]:
        """Store the rows of *table*, with all columns that read() returns, as add does."""
        from results.storage import review_rows

        table = review_rows.sort_rows(table)
        new = review_rows.keys_of(table)
        with self.hold():
            if stale:
                self._drop(stale)
            if any(key.quick for key in new.values()):
                there = self._standing()
                worse = {
                    match
                    for match, key in new.items()
                    if key.quick and (old := there.get(match)) and not old.quick and old.judge == key.judge
                }
                table = review_rows.rows_without(table, worse)
                new = {match: key for match, key in new.items() if match not in worse}
            if new:
                self._write([table])
                self._join_small()
        return {*new}

    def drop(self, stale: Callable[[ReviewKey], bool]) -> int:
        """Remove *stale* reviews; return how many.  Raises HomeLocked, DamagedResults or DiskFailed."""
        if not self._files():
            return 0
        with self.hold():
            return self._drop(stale)

    def take(self, other: Reviews, run: int, to_run: int, without: Collection[tuple[int, int]] = ()) -> None:
        """Store the reviews of *run* in *other*, but those of matches in *without*, as reviews of *to_run*.

        The matches must have the same numbers in both.  Raises what add and read raise.
        """
        from results.storage import review_rows, schema

        if not any(key.run == run and (run, key.number) not in without for key in other.matches()):
            return
        names = read_names(other._folder)

        def take_rows() -> Iterator[Table]:
            for part in other._standing_rows(schema.REVIEWS, run):
                part = review_rows.with_run(review_rows.rows_without(part, without), to_run)
                yield review_rows.with_names(part, names)

        with self.hold():
            self._write(take_rows())
            self._join_small()

    def compact(self) -> None:
        """Join all files that are not large.  Raises HomeLocked, DamagedResults or DiskFailed."""
        if self._files():
            with self.hold():
                self._join_small(most=1)

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Hold the lock of the reviews, and remove what a killed process has left.

        Wait for another process that writes reviews: it does not take long.  Raises HomeLocked or DiskFailed.
        """
        with disk_errors(self.path):
            self._disk.make_dir(self.path)
            self._disk.sync_dir(self.path.parent)
            handle = await_briefly(self.path / "lock")
        try:
            with disk_errors(self.path):
                for name in self._disk.list(self.path):
                    if _TEMPORARY.fullmatch(name):
                        self._disk.unlink(self.path / name)
                yield
        finally:
            os.close(handle)

    # -- files

    def _files(self) -> list[int]:
        """Return the numbers of the files, the oldest first."""
        found = (_FILE.fullmatch(name) for name in self._disk.list(self.path))
        return sorted(int(match[1]) for match in found if match)

    def _path(self, number: int) -> Path:
        return self.path / f"{format_number(number)}.parquet"

    def _again(self, look: Callable[[], Table]) -> Table:
        """Return what *look* finds, and look again while files are removed by another process."""
        for _ in range(TRIES):
            with suppress(FileNotFoundError):
                return look()
        raise DamagedResults(self.path, "its files are missing, or change faster than they can be read")

    def _keys_in(self, path: Path) -> Keys:
        from results.storage import review_rows

        facts = path.stat()
        place = (facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns)
        if place not in self._keys:
            self._keys[place] = review_rows.keys_in(path)
        return self._keys[place]

    def _standing(self) -> dict[tuple[int, int], ReviewKey]:
        """Return the reviews in force, by match."""
        found: dict[tuple[int, int], ReviewKey] = {}
        for number in self._files():
            found.update(self._keys_in(self._path(number)))
        return found

    def _standing_rows(
        self,
        wanted: Schema,
        run: int | None = None,
        number: int | None = None,
        files: Sequence[int] | None = None,
    ) -> Iterator[Table]:
        """Yield the rows in force: those of *files* for which no later file has another review."""
        from results.storage import review_rows

        every = self._files()
        replaced: dict[int, set[tuple[int, int]]] = {}
        later: set[tuple[int, int]] = set()
        for file in reversed(every):
            keys = self._keys_in(self._path(file)).keys()
            replaced[file] = keys & later
            later |= keys
        for file in every if files is None else files:
            for part in review_rows.read_rows(self._path(file), wanted, run, number):
                yield review_rows.rows_without(part, replaced[file])

    # -- writing files

    def _write(self, tables: Iterable[Table], number: int | None = None) -> None:
        """Write *tables* to a new file, or in place of the file with this *number*."""
        from results.storage import review_rows

        number = max(self._files(), default=0) + 1 if number is None else number
        path = self._path(number)
        try:
            replace_file(self._disk, path, review_rows.encode_rows(tables))
        except OSError:
            with suppress(OSError):  # a full disk has room again
                self._disk.unlink(temporary_path(path))
            raise

    def _join_small(self, most: int | None = None) -> None:
        """Join the small files if they are more than *most*, MOST_SMALL for None.

        The new one is there before the old ones go.  Rows that were replaced are left out.
        """
        from results.storage import schema

        most = MOST_SMALL if most is None else most
        sizes = self._disk.list(self.path)
        files = self._files()
        for limit in reversed(CLASSES):
            below = max((less for less in CLASSES if less < limit), default=0)
            small = [number for number in files if sizes[self._path(number).name] < limit]
            if sum(sizes[self._path(number).name] >= below for number in small) > most:
                break
        else:
            return
        self._write(self._standing_rows(schema.REVIEWS, files=small))
        for number in small:  # the oldest first: what it replaces is never in force again
            self._disk.unlink(self._path(number))
        self._disk.sync_dir(self.path)

    def _drop(self, stale: Callable[[ReviewKey], bool]) -> int:
        """Remove the reviews that are *stale*, with those that they replaced; return how many they are."""
        from results.storage import review_rows, schema

        gone = {match for match, key in self._standing().items() if stale(key)}
        for number in self._files():  # the oldest first: what was replaced is never in force again
            path = self._path(number)
            here = self._keys_in(path).keys()
            if here <= gone:
                self._disk.unlink(path)
                self._disk.sync_dir(self.path)
            elif here & gone:
                parts = review_rows.read_rows(path, schema.REVIEWS)
                self._write((review_rows.rows_without(part, here & gone) for part in parts), number)
        return len(gone)
