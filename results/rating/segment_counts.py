"""What the matches of a store add up to: `counts.cache` knows the counts of each segment by its SHA-256.

A segment never changes, so its counts hold as long as there is a file with that hash, whatever happens to
the rest.  Matches that are in no segment yet are counted each time: there are few.
"""

from collections.abc import Mapping

import msgspec

from results.rating.standings import Counted
from results.rating.tally import MatchTotals
from results.record import Run
from results.storage.contents import Contents
from results.storage.manifest import Segment

COUNTS = "counts"
"""The name of the cache."""
FORM = 4
"""What the counts of a segment mean.  Those of another form are counted again."""

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[Counted]).decode


class CountsFile(msgspec.Struct):
    """The content of counts.cache."""

    form: int
    names: dict[str, str]
    """The names of today under which matches were counted, by older ones."""
    segments: dict[str, bytes]
    """The counts of segments, by the SHA-256 of their matches."""


class SegmentCounts:
    """The counts of segments: those that are known, and those that are counted when they are asked for."""

    def __init__(self, contents: Contents, known: Mapping[str, bytes] | None = None) -> None:
        """Count the segments of *contents*; *known* has the counts of some, as `CountsFile` stores them."""
        self._contents = contents
        self._known = dict(known or {})

    @classmethod
    def load(cls, contents: Contents) -> "SegmentCounts":
        """Return the counts that the cache has of the segments of *contents*."""
        found = contents.read_cached(COUNTS, CountsFile)
        is_good = found is not None and (found.form, found.names) == (FORM, dict(contents.names))
        return cls(contents, found.segments if found and is_good else None)

    def of(self, segment: Segment) -> list[Counted]:
        """Return the counts of *segment*, in one part or several."""
        known = self._known.get(segment.matches.sha256)
        if known is not None:
            return _decode(known)
        from results.rating.counting import count_matches

        finishes = self._contents.files.finishes(segment)
        counted = [part for each in finishes for part in count_matches(each, segment.run)]
        self._known[segment.matches.sha256] = _encode(counted)
        return counted

    def to_file(self) -> CountsFile:
        """Return what is to be stored: the counts of the segments that there are."""
        sheet = self._contents.manifest
        here = {segment.matches.sha256 for segment in sheet.segments} if sheet else set()
        known = {key: counted for key, counted in self._known.items() if key in here}
        return CountsFile(FORM, dict(self._contents.names), known)


def tally_runs(contents: Contents, counts: SegmentCounts, before: Run | None = None) -> MatchTotals:
    """Return the tally of a season or of its runs *before* one; an unfinished run counts to its first gap."""
    tally = MatchTotals()
    for run in contents.rated_runs:
        if before is not None and run.run >= before.run:
            break
        tally.begin(run)
        for segment in contents.segments(run.run):
            tally.add_counted(counts.of(segment))
        for finishes in contents.journal_finishes(run.run):
            tally.add_finished(finishes)
    return tally


def tally_of(contents: Contents) -> MatchTotals:
    """Return the tally of the season of *contents*; only segments that the cache does not have are read."""
    return tally_runs(contents, SegmentCounts.load(contents))


def tally_afresh(contents: Contents) -> MatchTotals:
    """Return the tally of the season of *contents*, for which each match is read."""
    return tally_runs(contents, SegmentCounts(contents))
