"""Audit the stored results: compare every file with its checksums and collect all that is sound.

Reading stops at the first damage; an audit continues.  It replaces a damaged manifest by an older one and by
the segments themselves, a damaged journal by its good lines, and lost runs by what their matches tell.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

import msgspec

from results.errors import DamagedResults
from results.record import Block, Json, Run, RunSettings, Season, decode_block
from results.storage import journal, manifest, parquet, schema
from results.storage.arrow import pa, pc
from results.storage.contents import Contents
from results.storage.disk import Disk
from results.storage.journal import BadLine
from results.storage.layout import Folder, check_format
from results.storage.manifest import File, Segment, StoreManifest, describe_file, format_number
from results.storage.names import Names, read_names
from results.storage.revealed import read_revealed
from results.storage.review_rows import check_file
from results.storage.reviews import Reviews
from results.storage.runs import read_runs
from results.storage.seasons import FIRST, read_seasons
from results.words import count

T = TypeVar("T")

_TRIES = 100  # as in results.storage.contents
_HEAD = re.compile(rb'\{"number":(\d+),"matches":')  # of a block in the journal
_UNKNOWN_RUN = -1  # the run of blocks that a lost manifest named
_PER_MATCH = b'"deal_seed":'  # stands once in every match


@dataclass(frozen=True)
class Damage:
    """A file that is damaged or missing."""

    path: Path
    what: str
    lost: str = ""
    """A description of the rows that are lost with it; empty if none are."""
    also: Path | None = None
    """A file that is useless without it."""


@dataclass
class Audit:
    """The result of an audit: the sound contents and the damage."""

    contents: Contents
    """All sound results, as if there were no others; lost runs are reconstructed from their matches."""
    damage: list[Damage] = field(default_factory=list)
    files: int = 0
    """The number of files that were compared with their checksums."""
    manifest_is_good: bool = True
    """Whether the manifest and the journal on the disk are those of the contents."""
    runs_are_good: bool = True
    """Whether the runs on the disk are those of the contents."""
    complete: bool = True
    """Whether all committed blocks are there, and everything else that ratings are computed from."""
    ratings: tuple[schema.Table, Json] | None = None
    """The cached ratings, if they are good, and their origin, which may be older than the contents."""
    names: Names = field(default_factory=dict)
    """What renamed bots are called; the contents have the names that are stored."""


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
    """One pass over the files, from the manifest to the ratings."""

    def __init__(self, disk: Disk, folder: Folder, ratings: Mapping[str, Json] | None) -> None:
        self._disk = disk
        self._folder = folder
        self._ratings = ratings
        self._damage: list[Damage] = []
        self._files = 0
        self._checked: set[Path] = set()
        self._lost_blocks: Counter[int] = Counter()
        """The number of lost blocks in the segments of each run."""
        self._stored_runs: tuple[Run, ...] | None = None
        """The runs on the disk, if they can be read."""

    def audit(self) -> Audit:
        folder, disk = self._folder, self._disk
        if self._try(lambda: check_format(disk, folder)) is False:
            return Audit(Contents(folder, disk, None, (), ()))
        sheet, good = self._find_manifest()
        segments = [sound for segment in sheet.segments if (sound := self._check_segment(segment))]
        blocks, whole = self._read_journal(sheet)
        good = good and whole and segments == sheet.segments
        sheet = StoreManifest(sheet.number, sheet.journal, segments)
        runs = self._collect_runs(sheet, blocks)
        ratings = self._try(lambda: parquet.read_with_tag(folder.ratings, schema.RATINGS), FileNotFoundError)
        seasons = self._find_seasons(runs)
        contents = Contents(folder, disk, sheet, runs, (), self._checked, seasons=seasons or (FIRST,))
        if (open_run := contents.unfinished_run) is not None:
            sealed = contents.committed_blocks(open_run.run)
            found = {block.number: block for block in reversed(blocks) if block.number not in sealed}
            journalled = tuple(found[number] for number in sorted(found))
            contents = replace(contents, journal_blocks=journalled)
        known = self._stored_runs == runs
        complete = known and whole and not self._lost_blocks and seasons is not None
        names = self._find_names()
        lost = "which rounds were revealed: the tournament is secret again"
        self._try(lambda: read_revealed(self._folder, runs), lost=lost)
        self._files -= not self._folder.revealed.exists()
        self._check_reviews()
        return Audit(contents, self._damage, self._files, good, known, complete, ratings, names)

    def _try(self, look: Callable[[], T], *fine: type[Exception], lost: str = "") -> T | None:
        """Return the result of *look*; if it finds damage, record that, and what is *lost*, and return None.

        Return None, too, where it raises one of the exceptions that are *fine*.
        """
        self._files += 1
        try:
            return look()
        except fine:
            self._files -= 1
        except DamagedResults as error:
            self._damage.append(Damage(error.path, error.what, lost))
        return None

    # -- manifest and segments

    def _find_manifest(self) -> tuple[StoreManifest, bool]:
        """Return the manifest in force and True; or one reconstructed from other files, and False."""
        disk, folder = self._disk, self._folder
        names = manifest.list_numbers(disk, folder.manifests, ".json")
        journals = manifest.list_numbers(disk, folder.journals, ".log")
        read = [self._try(lambda n=n: manifest.read(disk, folder.manifests, n)) for n in names]  # type: ignore[misc]
        newest = next((sheet for sheet in reversed(read) if sheet), None)
        if newest and newest.number == names[-1] and (newest.number in journals or not journals):
            return newest, True
        # The last manifest published had a journal of its own; older journals are removed.
        number = names[-1] if names and names[-1] in journals else max([*journals, *names], default=0)
        if number not in names:
            path = folder.manifests / f"{format_number(number)}.json"
            self._damage.append(Damage(path, "it is missing"))
        present = manifest.list_numbers(disk, folder.matches, ".parquet")
        listed = newest.segments if newest else []
        segments = [segment for segment in listed if int(segment.name) in present]
        for found in present:
            if (newest.number if newest else -1) < found <= number or not journals:
                segments += self._recover_segment(format_number(found), segments)
                number = max(number, found)
        gone = [segment for segment in listed if int(segment.name) not in present]
        segments += [old for old in gone if not any(old.overlaps(segment) for segment in segments)]
        segments.sort(key=lambda segment: (segment.run, segment.first_block))
        return StoreManifest(number, format_number(number), segments), False

    def _recover_segment(self, name: str, known: Sequence[Segment]) -> Iterator[Segment]:
        """Yield the segment *name*, which no manifest lists, unless its blocks are in a *known* segment."""
        path = self._folder.matches / f"{name}.parquet"
        faults = self._folder.faults / path.name
        if any(segment.name == name for segment in known):
            return
        try:
            segment = self._describe(name, path, faults)
        except DamagedResults as error:
            lost = "blocks whose numbers stood in a damaged manifest"
            self._damage.append(Damage(path, error.what, lost, faults))
            self._lost_blocks[_UNKNOWN_RUN] += 1
            return
        if not any(segment.overlaps(other) for other in known):
            yield segment

    def _describe(self, name: str, path: Path, faults: Path) -> Segment:
        """Return the description of segment *name* for a manifest.  Raises DamagedResults."""
        runs: set[int] = set()
        numbers: set[int] = set()
        blocks: set[int] = set()
        for part in parquet.read_parts(path, schema.select_columns(["run", "number", "block"])):
            for found, column in zip((runs, numbers, blocks), part.columns, strict=True):
                found.update(column.to_pylist())
        if len(runs) != 1:
            raise DamagedResults(path, f"expected matches of one run, got: {len(runs)}")
        rows = _count_rows(path, schema.MATCHES)
        fault_rows = self._try(lambda: _count_rows(faults, schema.FAULTS), FileNotFoundError)
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

    def _check_segment(self, segment: Segment) -> Segment | None:
        """Return the sound part of *segment*: all of it, all except its faults, or None."""
        (path, file), *rest = self._folder.segment(segment)
        if what := self._find_problem(path, file, schema.MATCHES):
            self._lost_blocks[segment.run] += segment.blocks
            self._damage.append(Damage(path, what, _describe_segment(segment), rest[0][0] if rest else None))
            return None
        for faults, file in rest:
            if what := self._find_problem(faults, file, schema.FAULTS):
                lost = f"the details of {count(file.rows, 'fault')} in {_describe_segment(segment)}"
                self._damage.append(Damage(faults, what, lost))
                return msgspec.structs.replace(segment, faults=None)
        return segment

    def _find_problem(self, path: Path, file: File, columns: schema.Schema) -> str:
        """Return what is wrong with a file of a segment, or "".  All its bytes and pages are read."""
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
        return "" if rows == file.rows else f"it has {count(rows, 'row')}, not {file.rows:,}"

    # -- the journal

    def _read_journal(self, sheet: StoreManifest) -> tuple[list[Block], bool]:
        """Return the blocks from the good lines of the journal, and whether all lines are good."""
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

    def _collect_runs(self, sheet: StoreManifest, blocks: Sequence[Block]) -> tuple[Run, ...]:
        """Return all runs; those that are lost are reconstructed from their matches."""
        path = self._folder.runs
        stored = self._try(lambda: read_runs(self._folder))
        self._stored_runs = stored
        runs = {run.run: run for run in stored or ()}
        playing = {block.matches[0].run for block in blocks if block.matches}
        present = {segment.run for segment in sheet.segments} | playing
        missing = sorted(set(range(1, max([*present, *runs], default=0) + 1)) - runs.keys())
        if missing:
            which = ", ".join(map(str, missing))
            lost = f"secret, settings and rating parameters of run {which}; its matches are kept"
            if stored is None:
                self._damage[-1] = Damage(path, self._damage[-1].what, lost)
            else:
                what = f"it does not list run {which}" if stored else "it is missing"
                self._damage.append(Damage(path, what, lost))
        for number in missing:
            runs[number] = self._reconstruct_run(number, sheet, blocks)
        for number in playing & {max(runs, default=0)}:
            if number not in missing and runs[number].finished is not None:
                self._damage.append(Damage(path, f"run {number} is finished there, but not in the journal"))
                runs[number] = msgspec.structs.replace(runs[number], finished=None, blocks=None)
        return tuple(self._count_blocks(runs[number], sheet, number in missing) for number in sorted(runs))

    def _find_names(self) -> Names:
        """Return what bots are called today; nothing if that cannot be read."""
        path = self._folder.names
        if path.parent != self._folder.root or not path.exists():  # that of another folder is audited there
            return read_names(self._folder)
        lost = "what renamed bots are called: they have their old names again"
        return self._try(lambda: read_names(self._folder), lost=lost) or {}

    def _check_reviews(self) -> None:
        """Check the files of the reviews; nothing else rests on them."""
        for path in Reviews(self._folder, self._disk).files():
            known = len(self._damage)
            self._try(lambda path=path: check_file(path), FileNotFoundError)  # type: ignore[misc]
            for damage in self._damage[known:]:
                what = f"{damage.what}; its reviews can be made again: ladder review"
                self._damage[-1] = replace(damage, what=what)

    def _find_seasons(self, runs: Sequence[Run]) -> tuple[Season, ...] | None:
        """Return all seasons; None if they cannot be read, or if they begin beyond the end of *runs*."""
        path = self._folder.seasons
        if path.name not in self._disk.list(self._folder.root):
            return (FIRST,)
        lost = "where seasons begin: all runs are rated together"
        found = self._try(lambda: read_seasons(self._folder), lost=lost)
        if found and found[-1].first_run > len(runs) + 1:
            what = f"it begins a season with run {found[-1].first_run}, but the last run is {len(runs)}"
            self._damage.append(Damage(path, what, lost))
            return None
        return found

    def _count_blocks(self, run: Run, sheet: StoreManifest, made_up: bool) -> Run:
        """Return *run* with the number of blocks that were found, if it is finished."""
        found = sum(segment.blocks for segment in sheet.segments if segment.run == run.run)
        if run.finished is None or run.blocks == found:
            return run
        explained = found + self._lost_blocks[run.run] == run.blocks or self._lost_blocks[_UNKNOWN_RUN]
        if not explained and not made_up:
            what = f"run {run.run} has {count(found, 'block')}, not {run.blocks:,}"
            self._damage.append(Damage(self._folder.matches, what))
        return msgspec.structs.replace(run, blocks=found)

    def _reconstruct_run(self, number: int, sheet: StoreManifest, blocks: Sequence[Block]) -> Run:
        """Return a lost run as its matches describe it.  It has no secret, so it cannot be continued."""
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
            settings=RunSettings(),
            bots=bots.group_by(["name", "version"]).aggregate([]).sort_by("name").to_pylist(),
            ratings=dict(self._ratings or {}),
            versions={},
            host="",
            started=pc.min(started).as_py() or 0,
            finished=None if matches else pc.max(ended).as_py() or 0,
            blocks=None if matches else 0,
        )


def _count_rows(path: Path, columns: schema.Schema) -> int:
    """Return the number of rows in a file, after reading all *columns*.  Raises DamagedResults."""
    return sum(map(len, parquet.read_parts(path, columns)))


def _describe_segment(segment: Segment) -> str:
    """Return the run, blocks and matches of a segment, in words."""
    first, last = segment.first_block, segment.last_block
    some = "" if segment.unbroken else f"{segment.blocks:,} of the "
    blocks = f"{some}blocks {first} to {last}" if last > first else f"block {first}"
    return f"run {segment.run}: {blocks}, matches {segment.first_match} to {segment.last_match}"


def _describe_lost_blocks(line: bytes, known: set[int]) -> str:
    """Return in words which blocks a bad line of the journal held, as far as it is readable."""
    numbers = [int(number) for number in _HEAD.findall(line)]
    matches = line.count(_PER_MATCH)
    if not matches or known.issuperset(numbers or [_UNKNOWN_RUN]):
        return ""
    which = f"block {', '.join(map(str, numbers))}" if numbers else "a block whose number cannot be read"
    return f"{which} of the unfinished run, {count(matches, 'match')}"
