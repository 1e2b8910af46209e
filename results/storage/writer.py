"""Write results under the store's lock: begin, append to, seal and end runs, safely in case of a crash.

The order of the steps makes it safe: a file gets its name only when it is complete and synced, a manifest is
written after all files that it names, and files that are no longer in force are removed last.
"""

from __future__ import annotations

import dataclasses
import logging
import re
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from results.batches import in_batches
from results.errors import DamagedResults
from results.record import Block, Fault, Match, Run, RunSettings, Season, decode_block, encode_block
from results.storage import journal, manifest
from results.storage.compaction import SegmentSource, group_parts, join_segments
from results.storage.contents import Contents
from results.storage.disk import Disk, replace_file, write_aside
from results.storage.journal import Journal
from results.storage.layout import FORMAT, Folder
from results.storage.manifest import Segment, StoreManifest, describe_file, format_number
from results.storage.opening import read_contents
from results.storage.runs import write_runs
from results.storage.seasons import read_seasons, write_seasons

logger = logging.getLogger(__name__)

_KEPT_MANIFESTS = 10  # the ladder reads the newest; old ones help a person who investigates
SEGMENT_MATCHES = 20_000
"""A segment ends with the block that brings it to this number of matches."""
_TEMPORARY = re.compile(r"\..*\.tmp")
_OURS = re.compile(r"\d{6,}\.(json|log|parquet)")


class Writer:
    """The results, open for writing."""

    @classmethod
    def open(cls, disk: Disk, folder: Folder, checked: set[Path]) -> Writer:
        """Create or recover the results in *folder*, and open them for writing."""
        _make_layout(disk, folder)
        contents = read_contents(disk, folder, checked)
        assert contents.manifest is not None
        _check_sizes(disk, folder, contents.manifest)
        run = contents.unfinished_run
        committed = contents.committed_blocks(run.run) if run else set()
        _sweep(disk, folder, contents.manifest)
        _remove_others(disk, folder.plans, {folder.plan(run.run).name} if run else set())
        opened = Journal.open(disk, folder.journal(contents.manifest.journal), contents.extent)
        writer = cls(disk, folder, contents, contents.manifest, committed, opened)
        try:
            if run is not None and run.blocks is not None:
                writer._settle(run)
            else:
                writer._unseal(contents)
        except BaseException:
            writer.close()
            raise
        return writer

    def __init__(
        self,
        disk: Disk,
        folder: Folder,
        contents: Contents,
        sheet: StoreManifest,
        committed: set[int],
        opened: Journal,
    ) -> None:
        """Continue *contents* (of *sheet*, with *opened*); *committed*: blocks of the unfinished run."""
        self.failed = ""
        self.contents: Contents | None = contents
        """The results as they were read, while nothing was written since that changes more than the runs."""
        self.journal = opened
        self._disk = disk
        self._folder = folder
        self._manifest = sheet
        self._runs = contents.runs
        self._run = contents.unfinished_run
        self._committed = committed
        self._plan: Journal | None = None

    def close(self) -> None:
        with suppress(OSError):  # nothing that was committed depends on it
            self.journal.close()
            self._close_plan()

    def begin(self, run: Run) -> None:
        self._check_next(run)
        self._disk.unlink(self._folder.plan(run.run))
        self._write_runs((*self._runs, run))
        self._run, self._committed = run, set()
        self.contents = None

    def _check_next(self, run: Run) -> None:
        if self._run is not None:
            raise ValueError(
                f"expected run {self._run.run} to be finished or abandoned before run {run.run} begins"
            )
        if run.run != len(self._runs) + 1 or run.finished is not None or run.blocks is not None:
            raise ValueError(f"expected an unfinished run {len(self._runs) + 1}, got: run {run.run}")

    def begin_season(self, name: str) -> Season:
        started = time.time_ns() // 1000
        season = Season(name, len(self._runs) + 1, started)
        seasons = [each for each in read_seasons(self._folder) if each.first_run < season.first_run]
        if seasons and seasons[-1].name == name:
            season = seasons.pop()
        if self._run is not None or any(each.name == name for each in seasons):
            raise ValueError(f"expected a new name and no unfinished run, got: {name} and {self._run}")
        self.contents = None
        write_seasons(self._disk, self._folder, [*seasons, season])
        return season

    def amend(self, settings: RunSettings) -> Run:
        run = msgspec.structs.replace(self._current(), settings=settings)
        self._write_runs((*self._runs[:-1], run))
        self._run = run
        return run

    def reopen(self, settings: RunSettings) -> Run:
        if self._run is not None or not self._runs or self._runs[-1].blocks is None:
            raise ValueError("expected the last run to be finished, got one that is not, or no run")
        if self._runs[-1].run < read_seasons(self._folder)[-1].first_run:
            raise ValueError("expected a run of the current season, got one of an earlier season")
        run = msgspec.structs.replace(self._runs[-1], settings=settings, finished=None, blocks=None)
        committed = read_contents(self._disk, self._folder).committed_blocks(run.run)
        self._disk.unlink(self._folder.ratings)
        self._write_runs((*self._runs[:-1], run))
        self._run, self._committed = run, committed
        return run

    def append(self, number: int, payload: bytes) -> Block | None:
        run = self._current()
        try:
            block = decode_block(payload)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise ValueError(f"expected block {number}, got a record that cannot be kept: {error}") from error
        _check_block(block, number, run)
        if number in self._committed:
            logger.warning("a second result for block %d of run %d was dropped", number, run.run)
            return None
        self.contents = None
        self.journal.append(payload)
        self._committed.add(number)
        return block

    def replace(self, payloads: Mapping[int, bytes]) -> None:
        run = self._current()
        for number, payload in payloads.items():
            _check_block(decode_block(payload), number, run)
        lines = {block.number: line for block, line in self._read_journal()}
        # Sealed blocks cannot be replaced: segments never change, so that readers need no lock.
        if strangers := payloads.keys() - lines.keys():
            raise ValueError(f"expected blocks in the journal, got: {_list_some(strangers)}")
        self._publish(self._manifest.segments, {**lines, **payloads}.values(), self._manifest.number + 1)

    def append_plan(self, payload: bytes) -> None:
        run = self._current()
        if self._plan is None:
            path = self._folder.plan(run.run)
            if read_plan(self._disk, self._folder, run.run) is None:
                journal.create(self._disk, path)
            self._plan = Journal.open(self._disk, path)
        self._plan.append(payload)
        self._plan.commit()

    def _close_plan(self) -> None:
        plan, self._plan = self._plan, None
        if plan is not None:
            plan.close()

    def seal(self) -> int:
        run = self._current()
        end = self._manifest.first_unsealed(run.run, run.first_block)
        while end in self._committed:
            end += 1
        return self._seal(run, end)

    def finish(self, number: int, end: int, *, drop_rest: bool = False) -> Run:
        run = self._current(number)
        first = run.first_block
        sealed = self._manifest.first_unsealed(run.run, first)
        # sets of all numbers are large: only those that are wrong are collected
        has_all = self._committed.issuperset(range(first, end))
        if drop_rest and end >= sealed and has_all and len(self._committed) > end - first:
            self._drop_rest(run, end)
        if not has_all or len(self._committed) != end - first:
            wrong = self._committed.symmetric_difference(range(first, end))
            expected = f"expected blocks {first} to {end - 1} of run {number}"
            raise ValueError(f"{expected}, missing or beyond: {_list_some(wrong)}")
        return self._end(run)

    def _drop_rest(self, run: Run, end: int) -> None:
        """Remove the blocks of *run* from number *end* on, which are all in the journal."""
        lines = [line for block, line in self._read_journal() if block.number < end]
        self._publish(self._manifest.segments, lines, self._manifest.number + 1)
        self._committed = {block for block in self._committed if block < end}

    def withdraw(self, number: int) -> None:
        if self._current(number) and self._committed:
            raise ValueError(f"expected run {number} without a block, got: {len(self._committed)}")
        self._write_runs(self._runs[:-1])
        self._run = None

    def abandon(self, number: int) -> Run:
        return self._end(self._current(number))

    def compact(self) -> None:
        """Join short segments into long ones, one at a time."""
        contents = read_contents(self._disk, self._folder)
        for run in contents.runs:
            for parts in group_parts(
                SegmentSource(contents, segment) for segment in contents.segments(run.run)
            ):
                if len(parts) > 1:
                    self._put_in_place(*self._write_long(run, [parts]), {part.segment.name for part in parts})

    def join(self, run: Run, parts: Sequence[SegmentSource]) -> Run:
        """Store the next run with the rows of *parts*.

        The run is listed first, unfinished but with its number of blocks; then all rows appear at once, and
        the run is marked as finished.  After a crash an unfinished run has all of its rows or none.
        """
        self._check_next(run)
        _check_row(run, [part.segment for part in parts])
        segments, names = self._write_long(run, group_parts(parts))
        blocks = sum(segment.blocks for segment in segments)
        self._write_runs((*self._runs, msgspec.structs.replace(run, blocks=blocks)))
        self._put_in_place(segments, names)
        self._run, self._committed = self._runs[-1], set(range(blocks))
        return self._end(self._run)

    def _write_long(
        self, run: Run, groups: Sequence[Sequence[SegmentSource]]
    ) -> tuple[list[Segment], list[tuple[Path, Path]]]:
        """Write a segment of *run* for each of *groups*; return them, and pairs of temporary and final paths.

        Data tools read every file with a proper name, so names stay temporary until all is written.
        """
        segments, names = [], []
        for number, parts in enumerate(groups, self._manifest.number + 1):
            segment, files = join_segments(format_number(number), run, parts)
            for (path, _), data in zip(self._folder.segment(segment), files, strict=True):
                names.append((write_aside(self._disk, path, data), path))
            segments.append(segment)
        return segments, names

    def _put_in_place(
        self, segments: Sequence[Segment], names: Sequence[tuple[Path, Path]], replaced: Collection[str] = ()
    ) -> None:
        """Rename files as *names* says, and publish *segments* in place of those *replaced*."""
        # Until the manifest is published, readers know of none of these files.  A crash between two renames
        # leaves files that no manifest names, and the next writer sweeps them.
        for aside, path in names:
            self._disk.rename(aside, path)
        for folder in (self._folder.matches, self._folder.faults):
            self._disk.sync_dir(folder)
        kept = [segment for segment in self._manifest.segments if segment.name not in replaced]
        ordered = sorted([*kept, *segments], key=lambda segment: (segment.run, segment.first_block))
        lines = [line for _, line in self._read_journal()]
        self._publish(ordered, lines, int(segments[-1].name))

    def _settle(self, run: Run) -> None:
        """End a *run* whose join was interrupted: keep it with all of its rows, or remove it."""
        if self._committed:
            self._end(run)
        else:
            self.withdraw(run.run)

    def _end(self, run: Run) -> Run:
        self._seal(run, None)
        finished = max(run.started, time.time_ns() // 1000)  # the clock may have been set back
        ended = msgspec.structs.replace(run, finished=finished, blocks=len(self._committed))
        self._write_runs((*self._runs[:-1], ended))
        self._run = None
        self._close_plan()
        self._disk.unlink(self._folder.plan(run.run))
        return ended

    def _current(self, number: int | None = None) -> Run:
        if self._run is None:
            raise ValueError("expected an unfinished run, got none: begin() one")
        if number not in (None, self._run.run):
            raise ValueError(f"expected run {self._run.run}, which is unfinished, got: run {number}")
        return self._run

    def _write_runs(self, runs: tuple[Run, ...]) -> None:
        contents, self.contents = self.contents, None  # until the new ones are written
        write_runs(self._disk, self._folder, runs)
        self._runs = runs
        self.contents = contents and dataclasses.replace(contents, runs=runs)

    def _seal(self, run: Run, end: int | None) -> int:
        """Move the journal's blocks before number *end*, or all, into segments; return the number of matches.

        The segment and a new journal are written first; the manifest then puts both in force at once.  Many
        blocks become several segments, because a segment is read as a whole.
        """
        start = self._manifest.first_unsealed(run.run, run.first_block)
        blocks: list[Block] = []
        rest: list[bytes] = []
        for block, line in self._read_journal():
            if end is not None and block.number >= end:
                rest.append(line)
            elif block.number >= start:
                blocks.append(block)
        if not blocks:
            return 0
        first = self._manifest.number + 1
        parts = in_batches(blocks, lambda block: len(block.matches), SEGMENT_MATCHES)
        segments = [
            self._write_segment(format_number(number), run, part) for number, part in enumerate(parts, first)
        ]
        self._publish([*self._manifest.segments, *segments], rest, first + len(segments) - 1)
        return sum(segment.matches.rows for segment in segments)

    def _unseal(self, contents: Contents) -> None:
        """Move blocks behind a gap in the segments of the unfinished run back into the journal.

        There is such a gap after a repair has removed a segment, or if abandoning a run was interrupted.
        """
        if self._run is None:
            return
        run = self._run.run
        end = self._manifest.first_unsealed(run, self._run.first_block)
        kept = [s for s in self._manifest.segments if s.run != run or s.last_block < end]
        if len(kept) < len(self._manifest.segments):
            lines = map(encode_block, contents.blocks(run, end, gaps=True))
            self._publish(kept, lines, self._manifest.number + 1)

    def _publish(self, segments: list[Segment], lines: Iterable[bytes], number: int) -> None:
        """Put *segments*, all written already, and a new journal of *lines* in force."""
        name = format_number(number)
        path = self._folder.journal(name)
        self.contents = None
        # A new journal instead of a shorter old one: until the manifest with its name is published, which is
        # one atomic step, the old pair of manifest and journal is in force as it was.
        extent = journal.create(self._disk, path, lines)
        sheet = StoreManifest(number, name, segments)
        manifest.publish(self._disk, self._folder.manifests, sheet)
        self._manifest = sheet
        old, self.journal = self.journal, Journal.open(self._disk, path, extent)
        old.close()
        _sweep(self._disk, self._folder, sheet)

    def _read_journal(self) -> list[tuple[Block, bytes]]:
        """Return the blocks of the journal on the disk and their lines, in number order.

        The first block of a number counts.  There are others if file locks do not work here and a second
        process has written.
        """
        path = self._folder.journal(self._manifest.journal)
        lines, _ = journal.read(self._disk.read(path), path)
        pairs = [(decode_block(line), line) for line in reversed(lines)]
        found = {block.number: (block, line) for block, line in pairs}
        return [found[number] for number in sorted(found)]

    def _write_segment(self, name: str, run: Run, blocks: Sequence[Block]) -> Segment:
        from results.storage import parquet, schema

        matches = [match for block in blocks for match in block.matches]
        faults = [fault for block in blocks for fault in block.faults]
        match_bytes = parquet.encode(schema.matches_table(matches, guessable=run.guessable))
        fault_bytes = parquet.encode(schema.to_table(faults, Fault))
        file = f"{name}.parquet"
        replace_file(self._disk, self._folder.matches / file, match_bytes, exclusive=True)
        if faults:
            replace_file(self._disk, self._folder.faults / file, fault_bytes, exclusive=True)
        return Segment(
            name=name,
            run=run.run,
            blocks=len(blocks),
            first_block=blocks[0].number,
            last_block=blocks[-1].number,
            first_match=min(match.number for match in matches),
            last_match=max(match.number for match in matches),
            matches=describe_file(match_bytes, len(matches)),
            faults=describe_file(fault_bytes, len(faults)) if faults else None,
        )


def read_plan(disk: Disk, folder: Folder, run: int) -> list[bytes] | None:
    """Return the lines of the plan of *run*; None if there is no good one, with a line in the log."""
    path = folder.plan(run)
    try:
        return journal.read(disk.read(path), path)[0]
    except FileNotFoundError:
        return None
    except DamagedResults as error:
        logger.warning("%s; the run is planned again from its matches", error)
        return None


def _sweep(disk: Disk, folder: Folder, sheet: StoreManifest) -> None:
    """Remove the files that *sheet* does not name, left behind by a seal or a killed process."""
    oldest = max(0, sheet.number - _KEPT_MANIFESTS + 1)
    manifests = {f"{format_number(kept)}.json" for kept in range(oldest, sheet.number + 1)}
    faults = {f"{segment.name}.parquet" for segment in sheet.segments if segment.faults}
    _remove_others(disk, folder.journals, {f"{sheet.journal}.log"})
    _remove_others(disk, folder.matches, {f"{segment.name}.parquet" for segment in sheet.segments})
    _remove_others(disk, folder.faults, faults)
    _remove_others(disk, folder.manifests, manifests)


def _remove_others(disk: Disk, path: Path, names: set[str]) -> None:
    """Remove the store's own files in *path* except *names*."""
    for name in disk.list(path):
        if name not in names and _OURS.fullmatch(name):
            disk.unlink(path / name)


def _check_block(block: Block, number: int, run: Run) -> None:
    """Raise ValueError unless *block* may be journalled as block *number* of *run*."""
    if block.number != number or not block.matches:
        raise ValueError(
            f"expected the matches of block {number}, got {len(block.matches)} of block {block.number}"
        )
    runs = {match.run for match in block.matches} | {fault.run for fault in block.faults}
    if runs != {run.run}:
        raise ValueError(f"expected matches of run {run.run}, got: runs {_list_some(runs)}")
    standing = [match for match in block.matches if not match.void]
    attempts = {(match.number, match.attempt) for match in block.matches}
    if len({match.number for match in standing}) < len(standing) or len(attempts) < len(block.matches):
        raise ValueError(f"expected each match of block {number} to stand once, got one twice")
    if any(match.block != number for match in block.matches) or not _numbers(block.faults) <= _numbers(
        block.matches
    ):
        raise ValueError(f"expected matches and faults of block {number} only, got others")
    if any(len({(seat.bot, seat.version) for seat in match.seats}) < len(match.seats) for match in standing):
        raise ValueError(f"expected different versions at the table of block {number}, got one twice")
    if any(seat.rank is None for match in standing for seat in match.seats):
        raise ValueError(f"expected a rank for every seat of block {number}, got none for one")


def _check_row(run: Run, segments: Sequence[Segment]) -> None:
    """Raise ValueError unless *segments* hold every block from the first of *run*, in order."""
    expected = run.first_block
    for segment in segments:
        if segment.first_block != expected or segment.last_block - expected + 1 != segment.blocks:
            raise ValueError(f"expected a segment that begins with block {expected}, got: {segment}")
        expected = segment.last_block + 1


def _numbers(rows: Sequence[Match] | Sequence[Fault]) -> set[int]:
    return {row.number for row in rows}


def _list_some(numbers: Collection[int]) -> str:
    """Return the first few of *numbers*, for a message."""
    first = ", ".join(map(str, sorted(numbers)[:5]))
    return f"{first} and {len(numbers) - 5} more" if len(numbers) > 5 else first


# --- the folder


def clear(disk: Disk, folder: Folder) -> None:
    """Create the missing folders, and remove unfinished files from all of them."""
    parts = (folder.manifests, folder.journals, folder.plans, folder.matches, folder.faults)
    for path in parts:
        disk.make_dir(path)
    for path in (folder.root, *parts):
        for name in disk.list(path):
            if _TEMPORARY.fullmatch(name):
                disk.unlink(path / name)
    for path in (folder.root, folder.manifests):  # for a process that was killed before it could do this
        disk.sync_dir(path)


def _make_layout(disk: Disk, folder: Folder) -> None:
    """Create the missing files of empty results; format.json comes last and marks them as complete."""
    clear(disk, folder)
    names = disk.list(folder.root)
    if folder.format.name in names:
        return
    number = manifest.find_highest(disk, folder.manifests)
    if number or folder.runs.name in names or disk.list(folder.matches):
        raise DamagedResults(folder.format, "it is missing")
    if number is None:
        first = StoreManifest(0, format_number(0), [])
        journal.create(disk, folder.journal(first.journal))
        manifest.publish(disk, folder.manifests, first)
    write_format(disk, folder)


def write_format(disk: Disk, folder: Folder) -> None:
    """Write format.json, the format of the results in *folder*."""
    replace_file(disk, folder.format, msgspec.json.encode({"format": FORMAT}))


def _check_sizes(disk: Disk, folder: Folder, sheet: StoreManifest) -> None:
    """Raise DamagedResults unless all segments exist in full size.  Reading compares their checksums."""
    sizes = {path: disk.list(path) for path in (folder.matches, folder.faults)}
    for segment in sheet.segments:
        for path, file in folder.segment(segment):
            size = sizes[path.parent].get(path.name)
            if size != file.size:
                wrong = "it is missing" if size is None else f"it has {size} bytes, not {file.size}"
                raise DamagedResults(path, wrong)
