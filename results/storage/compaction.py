"""Join consecutive segments into a long one.

A run seals a segment every ten thousand matches or so: a million matches are a hundred segments.  Rows are
copied from Parquet to Parquet, a group at a time, and are never decoded into records.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from results.errors import DamagedResults
from results.record import Run
from results.storage.arrow import Table, pa
from results.storage.contents import Contents
from results.storage.manifest import Segment, describe_file

MOST_ROWS = 1_000_000
"""The largest number of matches in a long segment."""
MOST_BYTES = 128 * 2**20
"""The largest size of its files together: they are in memory while they are written or checked."""


class SegmentSource(NamedTuple):
    """A segment and the contents to read it from."""

    contents: Contents
    segment: Segment


def group_parts(parts: Iterable[SegmentSource]) -> list[list[SegmentSource]]:
    """Divide *parts*, of one run in number order, into groups that make one segment each."""
    groups: list[list[SegmentSource]] = []
    rows = size = 0
    for part in parts:
        part_size = sum(file.size for _, file in part.contents.folder.segment(part.segment))
        rows, size = rows + part.segment.matches.rows, size + part_size
        if not groups or rows > MOST_ROWS or size > MOST_BYTES:
            groups.append([])
            rows, size = part.segment.matches.rows, part_size
        groups[-1].append(part)
    return groups


def join_segments(name: str, run: Run, parts: Sequence[SegmentSource]) -> tuple[Segment, list[memoryview]]:
    """Return the rows of *parts* as segment *name* of *run*, and its files: matches, then faults, if any.

    Raises DamagedResults if the number of rows differs from the manifests.
    """
    from results.storage import parquet, schema

    segments = [part.segment for part in parts]
    matches = (table for contents, segment in parts for table in contents.files.rows(segment))
    faults = (table for contents, segment in parts for table in contents.files.fault_rows(segment))
    match_bytes, match_rows = parquet.encode_joined(_renumber(run, matches), schema.MATCHES)
    fault_bytes, fault_rows = parquet.encode_joined(_renumber(run, faults), schema.FAULTS)
    promised = [sum(segment.matches.rows for segment in segments)]
    promised.append(sum(segment.faults.rows for segment in segments if segment.faults))
    if [match_rows, fault_rows] != promised:
        manifests = parts[0].contents.folder.manifests
        raise DamagedResults(manifests, f"it lists {promised} rows, there are {[match_rows, fault_rows]}")
    segment = Segment(
        name=name,
        run=run.run,
        blocks=sum(segment.blocks for segment in segments),
        first_block=segments[0].first_block,
        last_block=segments[-1].last_block,
        first_match=segments[0].first_match,
        last_match=segments[-1].last_match,
        matches=describe_file(match_bytes, match_rows),
        faults=describe_file(fault_bytes, fault_rows) if fault_rows else None,
    )
    return segment, [match_bytes, fault_bytes] if fault_rows else [match_bytes]


def _renumber(run: Run, tables: "Iterable[Table]") -> "Iterator[Table]":
    """Yield *tables* with the number of *run* in each row, in place of the one in their source."""
    from results.storage import schema

    for table in tables:
        numbers = pa.repeat(pa.scalar(run.run, pa.int32()), len(table))
        yield schema.set_guessable(table.set_column(0, table.schema.field("run"), numbers), run.guessable)
