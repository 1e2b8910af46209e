"""What results hold at one moment: runs, seasons, blocks, matches and faults.

results.storage.opening reads the manifest in force, the good lines of its journal, and the runs;
results.storage.segment_files reads rows.  Segments never change, so contents stay valid for as long as they
are held.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from results.errors import NoSuchMatch
from results.record import Block, Fault, Lapse, Match, Run, Season
from results.storage.arrow import Table, pa
from results.storage.cached import read_cached
from results.storage.disk import Disk
from results.storage.finishes import Finishes, finishes_of
from results.storage.journal import Extent
from results.storage.layout import Folder
from results.storage.manifest import Segment, StoreManifest
from results.storage.names import Names, rename_block, rename_run
from results.storage.runs import find_unfinished
from results.storage.seasons import FIRST, find_season
from results.storage.segment_files import SegmentFiles

T = TypeVar("T")


@dataclass(frozen=True)
class Contents:
    """The results at one moment."""

    folder: Folder
    disk: Disk
    manifest: StoreManifest | None
    runs: tuple[Run, ...]
    journal_blocks: tuple[Block, ...]
    """The committed blocks of the unfinished run that are in no segment yet, in number order."""
    checked_files: set[Path] = field(default_factory=set)
    """The files whose checksum has been compared already, here or through the same store."""
    extent: Extent | None = None
    """The size of the journal on the disk."""
    seasons: tuple[Season, ...] = (FIRST,)
    """All seasons in order; the last is the current one."""
    season: Season | None = None
    """The only season whose matches and faults are read; None: those of all seasons are."""
    names: Names = field(default_factory=dict)
    """The names of today by older ones, under which matches are stored; all bots here have those of today."""
    original: Contents | None = None
    """The results under the names that are stored; None: these."""

    def with_names(self, names: Names) -> Contents:
        """Return these results, which are as they are stored, under the *names* of today."""
        # Stored rows never change, so a renamed bot is renamed whenever it is read.  Copies, archives and
        # digests are of what is stored: they ask for `as_stored`.
        if not names:
            return self
        return replace(
            self,
            runs=tuple(rename_run(run, names) for run in self.runs),
            journal_blocks=tuple(rename_block(block, names) for block in self.journal_blocks),
            names=names,
            original=self,
        )

    def as_stored(self) -> Contents:
        """Return these results under the names that are stored."""
        return replace(self.original, season=self.season) if self.original else self

    def of_season(self, name: str | None = None) -> Contents:
        """Return these results without the matches and faults of other seasons than *name*.

        None is the current season.  The runs stay, as they are known by number.  Raises NoSuchSeason.
        """
        return replace(self, season=find_season(self.seasons, name))

    @property
    def files(self) -> SegmentFiles:
        return SegmentFiles(self.folder, self.disk, self.checked_files, self.names)

    @property
    def season_name(self) -> str:
        """The name of `season`; empty if that is None, or if there is only one season."""
        return self.season.name if self.season and len(self.seasons) > 1 else ""

    @property
    def season_is_over(self) -> bool:
        return self.season is not None and self.season != self.seasons[-1]

    @property
    def rated_runs(self) -> tuple[Run, ...]:
        """The runs that are rated together: those of `season`, or of the current one."""
        season = self.season or self.seasons[-1]
        place = self.seasons.index(season) + 1
        end = self.seasons[place].first_run if place < len(self.seasons) else None
        return self.runs[season.first_run - 1 : end and end - 1]

    @property
    def first_rated(self) -> int:
        """The number of the first of `rated_runs`, which may not have begun yet."""
        return (self.season or self.seasons[-1]).first_run

    def _is_read(self, run: int, wanted: int | None) -> bool:
        """Return whether the matches of *run* are read where those of *wanted*, or of all runs, are."""
        if wanted is not None:
            return run == wanted
        return self.season is None or any(each.run == run for each in self.rated_runs)

    @property
    def unfinished_run(self) -> Run | None:
        """The run that is in progress or was interrupted, if any."""
        return find_unfinished(self.runs)

    def run(self, number: int) -> Run:
        """Return the run with this number.  Raises KeyError."""
        if not 1 <= number <= len(self.runs):
            raise KeyError(f"expected a run from 1 to {len(self.runs)}, got: {number}")
        return self.runs[number - 1]

    def read_cached(self, name: str, kind: type[T]) -> T | None:
        """Return the value that Store.save_cached stored; None if there is no good one."""
        return read_cached(self.disk, self.folder.cache(name), kind)

    def committed_blocks(self, run: int) -> set[int]:
        """Return the numbers of all committed blocks of *run*, in segments and in the journal."""
        # most segments have all blocks of a range, so that their files need not be read
        numbers = {block.number for block in self._open_blocks(run)}
        for segment in self.segments(run):
            if segment.unbroken:
                numbers.update(range(segment.first_block, segment.last_block + 1))
            else:
                numbers.update(row["block"] for row in _to_rows(self.files.rows(segment, ["block"])))
        return numbers

    def first_missing(self, run: int) -> int:
        """Return the number of the first block of *run* that is not committed."""
        first = self.runs[run - 1].first_block if run <= len(self.runs) else 0
        expected = first if self.manifest is None else self.manifest.first_unsealed(run, first)
        for block in self._open_blocks(run):
            if block.number != expected:
                break
            expected += 1
        return expected

    def blocks(self, run: int, start: int = 0, *, gaps: bool = False) -> Iterator[Block]:
        """Iterate over the committed blocks of *run* from number *start* on, in number order.

        In the unfinished run, stop at the first missing block unless *gaps* is set: blocks behind a gap
        cannot be rated before those in it.
        """
        is_open = self.unfinished_run is not None and self.unfinished_run.run == run
        end = self.first_missing(run) if is_open and not gaps else None
        for segment in self.segments(run):
            if segment.last_block >= start and (end is None or segment.last_block < end):
                yield from (block for block in self.files.blocks(segment) if block.number >= start)
        for block in self._open_blocks(run):
            if block.number >= start and (end is None or block.number < end):
                yield block

    def finishes(self, run: int) -> Iterator[Finishes]:
        """Iterate over the finishes of blocks(), thousands of matches at a time, from their columns alone."""
        for segment in self.segments(run):
            yield from self.files.finishes(segment)
        yield from self.journal_finishes(run)

    def journal_finishes(self, run: int) -> Iterator[Finishes]:
        """Yield the part of finishes() that is in the journal, if any."""
        end = self.first_missing(run)
        if blocks := [block for block in self._open_blocks(run) if block.number < end]:
            yield finishes_of(blocks)

    def matches(self, columns: Iterable[str] | None = None, run: int | None = None) -> Table:
        """Return the standing matches, in segments and in the journal, in the order of run and number.

        *columns* are those of schema.MATCHES, or fields of the seats: `["game", "seats.bot"]`.
        """
        return pa.concat_tables(self.match_parts(columns, run))

    def match_parts(
        self, columns: Iterable[str] | None = None, run: int | None = None, after: int = -1
    ) -> Iterator[Table]:
        """Yield the rows of matches() in parts, at least one; each is of one run.

        At most a group of rows is in memory at a time, and the matches in the journal.  Files without a match
        whose number is greater than *after* are not read.
        """
        from results.storage import schema

        columns = schema.MATCHES.names if columns is None else list(columns)
        reading = schema.select_columns([*columns, "void"])
        names = schema.select_columns(columns).names
        guessable = {each.run: each.guessable for each in self.runs}

        # void matches are rare, and a filter copies the whole part
        def standing(part: Table) -> Table:
            if any(chunk.true_count for chunk in part.column("void").chunks):
                import pyarrow.compute as pc  # it takes longer to load than all else that is read here

                part = part.filter(pc.invert(part.column("void")))
            return part.select(names)

        for segment in (each for each in self.segments(run) if each.last_match > after):
            for part in self.files.rows(segment, [*columns, "void"]):
                yield standing(schema.set_guessable(part, guessable.get(segment.run)))
        matches = [match for block in self._open_blocks(run) for match in block.matches]
        of_open = self.unfinished_run.guessable if self.unfinished_run else None
        yield standing(schema.matches_table(matches, reading, guessable=of_open))

    def faults(self, run: int | None = None) -> Table:
        """Return all faults, including those in void attempts, in the order of run, block and match."""
        return pa.concat_tables(self.fault_parts((), run))

    def fault_parts(self, columns: Iterable[str] = (), run: int | None = None) -> Iterator[Table]:
        """Yield the rows of faults() in parts, at least one, with *columns* or all of them."""
        from results.storage import schema

        columns = list(columns) or schema.FAULTS.names
        for segment in self.segments(run):
            yield from self.files.fault_rows(segment, columns)
        faults = [fault for block in self._open_blocks(run) for fault in block.faults]
        yield schema.to_table(faults, Fault).select(columns)

    def count_charged(self, run: int) -> Counter[str]:
        """Count the faults in segments that cost a bot of *run* its match, by kind."""
        kinds: Counter[str] = Counter()
        for segment in self.segments(run):
            for rows in self.files.fault_rows(segment, ["kind", "charged"]):
                kinds.update(rows.filter(rows.column("charged")).column("kind").to_pylist())
        return kinds

    def lapses(self, run: int) -> Iterator[tuple[str, str, Lapse]]:
        """Iterate over the lapses in segments of *run*: bot, version, kind."""
        for segment in self.segments(run):
            for rows in self.files.fault_rows(segment, ["bot", "version", "lapse"]):
                for row in rows.filter(rows.column("lapse").is_valid()).to_pylist():
                    yield row["bot"], row["version"], row["lapse"]

    def seconds_played(self, run: int) -> float:
        """Return the time in which a match of *run*, or a void attempt, was in progress, in seconds."""
        from results.storage.schema import read_values

        matches = [match for block in self._open_blocks(run) for match in block.matches]
        times = [(match.started, match.duration_us) for match in matches]
        for segment in self.segments(run):
            for rows in self.files.rows(segment, ["started", "duration_us"]):
                times += zip(*map(read_values, rows.columns), strict=True)
        return seconds_covered((started, started + duration_us) for started, duration_us in times)

    def match(self, run: int, number: int) -> Match:
        """Return this standing match, from the segments alone that may hold it.  Raises NoSuchMatch."""
        return next(self.some_matches(run, [number]))

    def some_matches(self, run: int, numbers: Sequence[int]) -> Iterator[Match]:
        """Yield standing matches in the order of *numbers*, each segment read once.  Raises NoSuchMatch."""
        standing = {match.number: match for match in self.find_matches(run, numbers)}
        for number in numbers:
            if number not in standing:
                raise NoSuchMatch(f"{run}/{number}")
            yield standing[number]

    def find_matches(self, run: int, numbers: Sequence[int]) -> list[Match]:
        """Return the standing matches that have one of these *numbers*, reading each segment once."""
        matches = [match for block in self._open_blocks(run) for match in block.matches]
        for segment in self.segments(run):
            here = [each for each in numbers if segment.first_match <= each <= segment.last_match]
            if here:
                matches += self.files.attempts(segment, *here)
        return [match for match in matches if match.number in {*numbers} and not match.void]

    def find_named(self, name: str) -> Match:
        """Return the match that has this name for a seat, standing or void.  Raises NoSuchMatch."""
        matches = [match for block in self.journal_blocks for match in block.matches]
        for match in reversed(matches):
            if any(seat.name == name for seat in match.seats):
                return match
        for segment in reversed(self.segments()):
            for row in _to_rows(self.files.rows(segment, ["number", "attempt", "seats.name"])):
                if any(seat["name"] == name for seat in row["seats"]):
                    found = self.files.attempts(segment, row["number"])
                    return next(match for match in found if match.attempt == row["attempt"])
        raise NoSuchMatch(name)

    def last_match(self) -> Match:
        """Return the standing match with the highest number of the latest run that has one."""
        for run in reversed(self.runs):
            if len(numbers := self.matches(["number"], run.run)):
                return self.match(run.run, numbers.column("number")[-1].as_py())
        raise NoSuchMatch("last")

    def segments(self, run: int | None = None) -> list[Segment]:
        """Return the segments of *run*, or of all, in the order of their rows."""
        segments = [] if self.manifest is None else self.manifest.segments
        return [segment for segment in segments if self._is_read(segment.run, run)]

    def _open_blocks(self, run: int | None) -> tuple[Block, ...]:
        """Return the blocks in the journal if they belong to *run*; None stands for every run."""
        unfinished = self.unfinished_run
        return self.journal_blocks if unfinished and self._is_read(unfinished.run, run) else ()


def _to_rows(tables: Iterable[Table]) -> Iterator[dict[str, Any]]:
    return chain.from_iterable(table.to_pylist() for table in tables)


def seconds_covered(spans: Iterable[tuple[int, int]]) -> float:
    """Return the length of the union of *spans* (from, to, in microseconds), in seconds."""
    covered = end = 0
    for start, stop in sorted(spans):
        covered += max(0, stop - max(start, end))
        end = max(end, stop)
    return covered / 1e6
