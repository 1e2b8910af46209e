"""An audit of what is stored: every file held against its checksums, and all that is sound among them.

Where reading ends at the first thing that is damaged, an audit goes on: a damaged manifest is made good by an
older one and by the segments themselves, a damaged journal by its good lines, runs that are lost by their
matches.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

import msgspec

from results.errors import DamagedResults
from results.record import Block, Json, Run, decode_block
from results.storage import journal, manifest, parquet, schema
from results.storage.contents import Contents, read_runs
from results.storage.disk import Disk
from results.storage.journal import BadLine
from results.storage.layout import Folder, check_format
from results.storage.manifest import File, Segment, StoreManifest, describe_file, format_number

__all__ = ["Audit", "Damage", "audit"]

T = TypeVar("T")

_TRIES = 100  # as for a contents
_HEAD = re.compile(rb'\{"number":(\d+),"matches":')  # of a block in the journal
_UNKNOWN_RUN = -1  # the run of blocks that a lost manifest named
_PER_MATCH = b'"deal_seed":'  # stands once in every match


@dataclass(frozen=True)
class Damage:
    """A file that is not what was written, or is missing."""

    path: Path
    what: str
    lost: str = ""
    """What is lost with it, in words; empty: nothing."""
    also: Path | None = None
    """A file that means nothing without it."""


@dataclass
class Audit:
    """What is sound, and what is not."""

    contents: Contents
    """All that is sound, as if there were nothing else; runs that are lost are made up from their matches."""
    damage: list[Damage] = field(default_factory=list)
    files: int = 0
    """How many files were held against their checksums."""
    manifest_is_good: bool = True
    """Whether the manifest and the journal of the contents lie on the disk."""
    runs_are_good: bool = True
    """Whether the runs of the contents do."""
    complete: bool = True
    """Whether all that was committed is there, and all that ratings follow from."""
    ratings: tuple[schema.Table, Json] | None = None
    """The cached ratings, if they are good, and what they were made from: a writer may have gone on since."""


def audit(disk: Disk, folder: Folder, ratings: Mapping[str, Json] | None = None) -> Audit:
    """Return the audit of the results in *folder*; every file is read.  Raises NewerFormat.

    *ratings* are the rating parameters, by game, of runs that are made up from their matches.
    A writer may go on meanwhile: then the manifest has another number in the end, and all is read again.
    """
    for _ in range(_TRIES):
        before = manifest.find_highest(disk, folder.manifests)
        found = _Auditor(disk, folder, ratings).audit()
        if manifest.find_highest(disk, folder.manifests) == before:
            return found
    raise DamagedResults(folder.manifests, "it changes faster than it can be read")


class _Auditor:
    """Goes through the files once, from the manifest to the ratings."""

    def __init__(self, disk: Disk, folder: Folder, ratings: Mapping[str, Json] | None) -> None:
        self._disk = disk
        self._folder = folder
        self._ratings = ratings
        self._damage: list[Damage] = []
        self._files = 0
        self._checked: set[Path] = set()
        self._lost_blocks: Counter[int] = Counter()
        """How many sealed blocks of each run are lost."""
        self._told: tuple[Run, ...] | None = None
        """The runs as they are stored, if they can be read."""

    def audit(self) -> Audit:
        folder, disk = self._folder, self._disk
        if self._noting(lambda: check_format(disk, folder)) is False:
            return Audit(Contents(folder, disk, None, (), ()))
        sheet, good = self._manifest()
        segments = [sound for segment in sheet.segments if (sound := self._sound(segment))]
        blocks, whole = self._journalled(sheet)
        good = good and whole and segments == sheet.segments
        sheet = StoreManifest(sheet.number, sheet.journal, segments)
        runs = self._runs(sheet, blocks)
        ratings = self._noting(
            lambda: parquet.read_with_tag(folder.ratings, schema.RATINGS), FileNotFoundError
        )
        contents = Contents(folder, disk, sheet, runs, (), self._checked)
        if (open_run := contents.unfinished_run) is not None:
            sealed = contents.committed_blocks(open_run.run)
            found = {block.number: block for block in reversed(blocks) if block.number not in sealed}
            journalled = tuple(found[number] for number in sorted(found))
            contents = Contents(folder, disk, sheet, runs, journalled, self._checked)
        known = self._told == runs
        complete = known and whole and not self._lost_blocks
        return Audit(contents, self._damage, self._files, good, known, complete, ratings)

    def _noting(self, look: Callable[[], T], *fine: type[Exception]) -> T | None:
        """Return what *look* returns; where it finds damage, note it, and return None."""
        self._files += 1
        try:
            return look()
        except fine:
            self._files -= 1
        except DamagedResults as error:
            self._damage.append(Damage(error.path, error.what))
        return None

    # -- manifest and segments

    def _manifest(self) -> tuple[StoreManifest, bool]:
        """Return the manifest that counts, and whether it lies there; else one made of what can be found."""
        disk, folder = self._disk, self._folder
        names = manifest.list_numbers(disk, folder.manifests, ".json")
        journals = manifest.list_numbers(disk, folder.journals, ".log")
        read = [self._noting(lambda n=n: manifest.read(disk, folder.manifests, n)) for n in names]  # type: ignore[misc]
        newest = next((sheet for sheet in reversed(read) if sheet), None)
        if newest and newest.number == names[-1] and (newest.number in journals or not journals):
            return newest, True
        # What was published last had a journal of its own, and those before it are cleared away.
        number = names[-1] if names and names[-1] in journals else max([*journals, *names], default=0)
        if number not in names:
            path = folder.manifests / f"{format_number(number)}.json"
            self._damage.append(Damage(path, "it is missing"))
        present = manifest.list_numbers(disk, folder.matches, ".parquet")
        listed = newest.segments if newest else []
        segments = [segment for segment in listed if int(segment.name) in present]
        for found in present:
            if (newest.number if newest else -1) < found <= number or not journals:
                segments += self._found_again(format_number(found), segments)
                number = max(number, found)
        gone = [segment for segment in listed if int(segment.name) not in present]
        segments += [old for old in gone if not any(old.overlaps(segment) for segment in segments)]
        segments.sort(key=lambda segment: (segment.run, segment.first_block))
        return StoreManifest(number, format_number(number), segments), False

    def _found_again(self, name: str, known: Sequence[Segment]) -> Iterator[Segment]:
        """Yield the segment of that *name*, unless its blocks are in a *known* one."""
        path = self._folder.matches / f"{name}.parquet"
        faults = self._folder.faults / path.name
        if any(segment.name == name for segment in known):
            return
        try:
            segment = self._described(name, path, faults)
        except DamagedResults as error:
            lost = "blocks whose numbers stood in a damaged manifest"
            self._damage.append(Damage(path, error.what, lost, faults))
            self._lost_blocks[_UNKNOWN_RUN] += 1
            return
        if not any(segment.overlaps(other) for other in known):
            yield segment

    def _described(self, name: str, path: Path, faults: Path) -> Segment:
        """Return what a manifest would say of the segment *name*.  Raises DamagedResults."""
        runs: set[int] = set()
        numbers: set[int] = set()
        blocks: set[int] = set()
        for part in parquet.read_parts(path, schema.select_columns(["run", "number", "block"])):
            for found, column in zip((runs, numbers, blocks), part.columns, strict=True):
                found.update(column.to_pylist())
        if len(runs) != 1:
            raise DamagedResults(path, f"expected matches of one run, got: {len(runs)}")
        rows = _count_rows(path, schema.MATCHES)
        fault_rows = self._noting(lambda: _count_rows(faults, schema.FAULTS), FileNotFoundError)
        return Segment(
            name=name,
            run=runs.pop(),
            blocks=len(blocks),
            first_block=min(blocks),
            last_block=max(blocks),
            first_match=min(numbers),
            last_match=max(numbers),
            matches=describe_file(self._disk.read(path), rows),
            faults=describe_file(self._disk.read(faults), fault_rows) if fault_rows else None,
        )

    def _sound(self, segment: Segment) -> Segment | None:
        """Return what is sound of *segment*: all, all but its faults, or nothing."""
        (path, file), *rest = self._folder.segment(segment)
        if what := self._wrong(path, file, schema.MATCHES):
            self._lost_blocks[segment.run] += segment.blocks
            self._damage.append(Damage(path, what, _describe_segment(segment), rest[0][0] if rest else None))
            return None
        for faults, file in rest:
            if what := self._wrong(faults, file, schema.FAULTS):
                lost = f"what was kept of {file.rows:,} faults in {_describe_segment(segment)}"
                self._damage.append(Damage(faults, what, lost))
                return msgspec.structs.replace(segment, faults=None)
        return segment

    def _wrong(self, path: Path, file: File, columns: schema.Schema) -> str:
        """Return what is wrong with a file of a segment; all its bytes and pages are looked at."""
        self._files += 1
        try:
            data = self._disk.read(path)
            if sha256(data).hexdigest() != file.sha256:
                return "it does not match its checksum"
            rows = _count_rows(path, columns)
        except FileNotFoundError:
            return "it is missing"
        except DamagedResults as error:
            return error.what
        except OSError as error:
            return str(error)
        self._checked.add(path)
        return "" if rows == file.rows else f"it has {rows:,} rows, not {file.rows:,}"

    # -- the journal

    def _journalled(self, sheet: StoreManifest) -> tuple[list[Block], bool]:
        """Return the blocks in the good lines of the journal, and whether all its lines are good."""
        path = self._folder.journal(sheet.journal)
        self._files += 1
        try:
            lines, bad, _ = journal.sift(self._disk.read(path), path)
        except FileNotFoundError:
            lost = "the newest blocks of the unfinished run, if there was one"
            self._damage.append(Damage(path, "it is missing", lost))
            return [], False
        blocks = []
        for line in lines:
            try:
                blocks.append(decode_block(line))
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                bad.append(BadLine(line, str(error)))
        if bad:
            known = {block.number for block in blocks}
            lost = "; ".join(words for line in bad if (words := _describe_lost_blocks(line.data, known)))
            more = f" and {len(bad) - 1:,} more bad lines" if len(bad) > 1 else ""
            self._damage.append(Damage(path, bad[0].what + more, lost))
        return blocks, not bad

    # -- runs

    def _runs(self, sheet: StoreManifest, blocks: Sequence[Block]) -> tuple[Run, ...]:
        """Return all runs, as far as they are there; those that are lost as far as their matches tell."""
        path = self._folder.runs
        told = self._noting(lambda: read_runs(self._folder))
        self._told = told
        runs = {run.run: run for run in told or ()}
        playing = {block.matches[0].run for block in blocks if block.matches}
        present = {segment.run for segment in sheet.segments} | playing
        missing = sorted(set(range(1, max([*present, *runs], default=0) + 1)) - runs.keys())
        if missing:
            which = ", ".join(map(str, missing))
            lost = f"secret, settings and rating parameters of run {which}; its matches are kept"
            if told is None:
                self._damage[-1] = Damage(path, self._damage[-1].what, lost)
            else:
                what = f"it does not list run {which}" if told else "it is missing"
                self._damage.append(Damage(path, what, lost))
        for number in missing:
            runs[number] = self._made_up(number, sheet, blocks)
        for number in playing & {max(runs, default=0)}:
            if number not in missing and runs[number].finished is not None:
                self._damage.append(Damage(path, f"run {number} is finished there, but not in the journal"))
                runs[number] = msgspec.structs.replace(runs[number], finished=None, blocks=None)
        return tuple(self._counted(runs[number], sheet, number in missing) for number in sorted(runs))

    def _counted(self, run: Run, sheet: StoreManifest, made_up: bool) -> Run:
        """Return *run*, if it is finished, with the number of blocks that are there."""
        found = sum(segment.blocks for segment in sheet.segments if segment.run == run.run)
        if run.finished is None or run.blocks == found:
            return run
        explained = found + self._lost_blocks[run.run] == run.blocks or self._lost_blocks[_UNKNOWN_RUN]
        if not explained and not made_up:
            what = f"run {run.run} has {found:,} blocks there, not {run.blocks:,}"
            self._damage.append(Damage(self._folder.matches, what))
        return msgspec.structs.replace(run, blocks=found)

    def _made_up(self, number: int, sheet: StoreManifest, blocks: Sequence[Block]) -> Run:
        """Return what the matches of a run tell of it.  It has no secret, so it cannot be continued."""
        import pyarrow as pa
        import pyarrow.compute as pc

        matches = [match for block in blocks for match in block.matches if match.run == number]
        contents = Contents(self._folder, self._disk, sheet, (), (), self._checked)
        columns = ["started", "duration_us", "seats.bot", "seats.version"]
        journalled = schema.matches_table(matches, schema.select_columns(columns))
        table = pa.concat_tables([contents.matches(columns, number), journalled])
        started = table.column("started").cast(pa.int64())
        ended = pc.add(started, table.column("duration_us"))
        seats = table.column("seats").combine_chunks().flatten()
        bots = pa.table([seats.field("bot"), seats.field("version")], ["name", "version"])
        return Run(
            run=number,
            secret="",
            settings={"tables": {}},
            bots=bots.group_by(["name", "version"]).aggregate([]).sort_by("name").to_pylist(),
            ratings=dict(self._ratings or {}),
            versions={},
            host="",
            started=pc.min(started).as_py() or 0,
            finished=None if matches else pc.max(ended).as_py() or 0,
            blocks=None if matches else 0,
        )


def _count_rows(path: Path, columns: schema.Schema) -> int:
    """Return how many rows a file has; all of *columns* are read.  Raises DamagedResults."""
    return sum(map(len, parquet.read_parts(path, columns)))


def _describe_segment(segment: Segment) -> str:
    """Return which blocks and matches a segment holds, in words."""
    first, last = segment.first_block, segment.last_block
    some = "" if segment.unbroken else f"{segment.blocks:,} of the "
    blocks = f"{some}blocks {first} to {last}" if last > first else f"block {first}"
    return f"run {segment.run}: {blocks}, matches {segment.first_match} to {segment.last_match}"


def _describe_lost_blocks(line: bytes, known: set[int]) -> str:
    """Return which blocks a bad line of the journal held, as far as it can be read, in words."""
    numbers = [int(number) for number in _HEAD.findall(line)]
    matches = line.count(_PER_MATCH)
    if not matches or known.issuperset(numbers or [_UNKNOWN_RUN]):
        return ""
    which = f"block {', '.join(map(str, numbers))}" if numbers else "a block whose number cannot be read"
    return f"{which} of the unfinished run, {matches} matches"
