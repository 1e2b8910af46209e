"""Read the rows of segments from their files, while another process may join them to longer ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import chain, groupby
from operator import attrgetter
from pathlib import Path

from results.errors import DamagedResults
from results.record import Block, Fault, Match
from results.storage import manifest
from results.storage.arrow import Schema, Table, pa, pc
from results.storage.disk import Disk
from results.storage.finishes import COLUMNS, Finishes, finishes_from
from results.storage.layout import Folder
from results.storage.manifest import File, Segment
from results.storage.names import Names, rename_rows

_SLICE_ROWS = 500  # rows decoded at a time: quicker than a whole group, and the first come soon
TRIES = 100
"""How often a reader begins again: it needs milliseconds, and a writer seals a few times a second at most."""


@dataclass(frozen=True)
class SegmentFiles:
    """The files of segments, to be read under the names of today."""

    folder: Folder
    disk: Disk
    checked: set[Path] = field(default_factory=set)
    """The files whose checksum has been compared already."""
    names: Names = field(default_factory=dict)
    """The names of today by older ones."""

    def rows(
        self, segment: Segment, columns: Iterable[str] | None = None, numbers: Sequence[int] = ()
    ) -> Iterator[Table]:
        """Yield match rows, void ones too, thousands at a time; those far from *numbers* may be skipped."""
        from results.storage import schema

        return self._parts(segment, 0, schema.select_columns(columns), numbers)

    def fault_rows(self, segment: Segment, columns: Iterable[str] = ()) -> Iterator[Table]:
        """Yield the fault rows of *segment*, some thousands at a time, with *columns* or all of them."""
        from results.storage import schema

        reading = pa.schema(map(schema.FAULTS.field, columns or schema.FAULTS.names), schema.FAULTS.metadata)
        return self._parts(segment, 1, reading) if segment.faults else iter(())

    def _parts(
        self, segment: Segment, which: int, columns: Schema, numbers: Sequence[int] = ()
    ) -> Iterator[Table]:
        """Yield rows of a file of *segment*, or of the longer segment that contains it by now."""
        from results.storage import parquet

        path, file = self.folder.segment(segment)[which]
        try:
            self._check(path, file)
            parts = parquet.read_parts(path, columns, numbers)
            yield from (rename_rows(part, self.names) for part in parts) if self.names else parts
            return
        except FileNotFoundError:
            # This reader holds an old manifest; `compact` has joined the segment to others meanwhile and
            # removed it.
            longer = self._successor(segment)
        if longer is None:
            raise DamagedResults(path, "it is missing")
        for part in self._parts(longer, which, _add_number(columns), numbers):
            yield _select_segment(segment, part).select(columns.names)

    def _successor(self, segment: Segment) -> Segment | None:
        """Return the segment that contains the rows of *segment* by now."""
        for _ in range(TRIES):
            with suppress(FileNotFoundError):  # the writer has just removed that manifest
                newest = manifest.read_newest(self.disk, self.folder.manifests)
                segments = [] if newest is None else newest.segments
                longer = (each for each in segments if each.name != segment.name)
                return next((each for each in longer if _is_part(segment, each)), None)
        raise DamagedResults(self.folder.manifests, "it changes faster than it can be read")

    def _check(self, path: Path, file: File) -> None:
        """Compare a file with its checksum the first time that it is read.  Raises DamagedResults."""
        # A segment never changes, so its checksum is compared once in the life of a store, not at every
        # reading.
        if path in self.checked:
            return
        if sha256(self.disk.read(path)).hexdigest() != file.sha256:
            raise DamagedResults(path, "it does not match its checksum")
        self.checked.add(path)

    def attempts(self, segment: Segment, *numbers: int) -> list[Match]:
        """Return the attempts at the matches with these *numbers* in *segment*, which is read once."""
        from results.storage import schema

        wanted = pa.array(numbers, pa.int64())
        parts = self.rows(segment, numbers=numbers)
        found = (part.filter(pc.is_in(part.column("number"), value_set=wanted)) for part in parts)
        return [match for part in found for match in schema.records_from(part, Match)]

    def blocks(self, segment: Segment) -> Iterator[Block]:
        """Iterate over the blocks of *segment*, in number order."""
        from results.storage import schema

        slices, parts = _slice(self.rows(segment)), self.fault_rows(segment)
        matches = chain.from_iterable(schema.records_from(part, Match) for part in slices)
        faults = chain.from_iterable(schema.records_from(part, Fault) for part in parts)
        fault = next(faults, None)
        for number, group in groupby(matches, attrgetter("block")):
            block = Block(number, list(group), [])
            numbers = {match.number for match in block.matches}
            while fault is not None and fault.number in numbers:
                block.faults.append(fault)
                fault = next(faults, None)
            yield block

    def finishes(self, segment: Segment, more: Sequence[str] = ()) -> Iterator[Finishes]:
        """Iterate over the finishes of *segment*; only the columns that they need are read, and *more*."""
        yield from (finishes_from(rows) for rows in self.rows(segment, (*COLUMNS, *more)) if len(rows))
        pa.default_memory_pool().release_unused()  # it would keep some 30 MB


def _slice(tables: Iterable[Table]) -> Iterator[Table]:
    for table in tables:
        yield from (table.slice(start, _SLICE_ROWS) for start in range(0, len(table), _SLICE_ROWS))


def _is_part(segment: Segment, longer: Segment) -> bool:
    first, last = longer.first_block, longer.last_block
    return longer.run == segment.run and first <= segment.first_block and segment.last_block <= last


def _add_number(columns: Schema) -> Schema:
    """Return *columns* with the match number among them."""
    return columns if "number" in columns.names else columns.append(pa.field("number", pa.int64()))


def _select_segment(segment: Segment, rows: Table) -> Table:
    """Return those *rows* of a longer segment that belong to *segment*."""
    number = rows.column("number")
    wanted = pc.and_(pc.greater_equal(number, segment.first_match), pc.less_equal(number, segment.last_match))
    return rows.filter(wanted)
