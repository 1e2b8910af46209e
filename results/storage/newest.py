"""List the newest matches, for a shell that completes what is typed: no Parquet file is read.

The manifest says which matches the segments hold; the others are in the last lines of the journal.
"""

import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import msgspec

from results.errors import ResultsError
from results.storage import journal, manifest
from results.storage.disk import Disk
from results.storage.layout import Folder
from results.storage.manifest import Segment

_TAIL = 1 << 20
"""How many bytes of the journal are read: some hundred matches, in a few milliseconds."""


class _Match(msgspec.Struct, frozen=True):
    run: int
    number: int
    void: bool


class _Block(msgspec.Struct, frozen=True):
    """What is needed of a Block."""

    matches: list[_Match]


def list_newest(results: Path, beginning: str, most: int) -> list[str]:
    """Return at most *most* matches, RUN/NUMBER, that begin with *beginning*, newest first.

    The list is empty if the results cannot be read.  A void match in a segment may be among them.
    """
    try:
        spans = _list_spans(Folder(results))
    except (OSError, ResultsError):
        return []
    run, slash, digits = beginning.partition("/")
    names = (
        f"{span_run}/{number}"
        for span_run, last, first in sorted(spans, reverse=True)
        if (str(span_run) == run if slash else str(span_run).startswith(run))
        for number in _descend(last, first, digits)
    )
    return list(islice(names, most))


def _list_spans(folder: Folder) -> set[tuple[int, int, int]]:
    """Return the run, the last and the first number of each row of matches that has no gap."""
    sheet = manifest.read_newest(Disk(), folder.manifests)
    if sheet is None:
        return set()
    spans = {span for segment in sheet.segments for span in _spans_of(segment)}
    for payload in journal.sift_tail(_read_tail(folder.journal(sheet.journal))):
        block = msgspec.json.decode(payload, type=_Block)
        spans |= {(match.run, match.number, match.number) for match in block.matches if not match.void}
    return spans


def _spans_of(segment: Segment) -> Iterator[tuple[int, int, int]]:
    """Yield the span of *segment*; of one with gaps, only its ends are known."""
    first, last = segment.first_match, segment.last_match
    if segment.unbroken:
        yield segment.run, last, first
    else:
        yield segment.run, last, last
        yield segment.run, first, first


def _read_tail(path: Path) -> bytes:
    with path.open("rb") as file:
        file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL))
        return file.read()


def _descend(last: int, first: int, digits: str) -> Iterator[int]:
    """Yield the numbers from *last* down to *first* that begin with *digits*."""
    if not digits:
        yield from range(last, first - 1, -1)
    if not re.fullmatch("0|[1-9][0-9]{0,18}", digits):
        return
    for zeros in range(len(str(last)) - len(digits) if digits != "0" else 0, -1, -1):
        low = int(digits) * 10**zeros
        yield from range(min(last, low + 10**zeros - 1), max(first, low) - 1, -1)
