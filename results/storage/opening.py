"""Open results: read what is in force at one moment, consistently and without a lock."""

from contextlib import suppress
from pathlib import Path

import msgspec

from results.errors import DamagedResults
from results.record import Block, Run, decode_block
from results.storage import journal, manifest
from results.storage.contents import Contents
from results.storage.disk import Disk
from results.storage.journal import Extent
from results.storage.layout import Folder, check_format
from results.storage.manifest import StoreManifest
from results.storage.runs import read_runs
from results.storage.seasons import read_seasons
from results.storage.segment_files import TRIES


def read_contents(disk: Disk, folder: Folder, checked: set[Path] | None = None) -> Contents:
    """Read the results in *folder*.  Raises DamagedResults or NewerFormat.

    If a writer published another manifest meanwhile, rows may have moved, so everything is read again.
    """
    checked = set() if checked is None else checked
    if not check_format(disk, folder):
        return Contents(folder, disk, None, (), (), checked)
    for _ in range(TRIES):
        with suppress(FileNotFoundError):  # the writer has just removed that manifest
            sheet = manifest.read_newest(disk, folder.manifests)
            if sheet is None:
                raise DamagedResults(folder.manifests, "it is empty")
            data = _bytes(disk, folder.journal(sheet.journal))
            runs, seasons = read_runs(folder), read_seasons(folder)
            # Manifest, journal and runs are three files.  They fit together if no manifest was published
            # while they were read, because a writer publishes one with every change of where blocks lie.
            if manifest.find_highest(disk, folder.manifests) == sheet.number:
                blocks, extent = _decode_blocks(folder, sheet, data, runs)
                return Contents(folder, disk, sheet, runs, blocks, checked, extent, seasons)
    raise DamagedResults(folder.manifests, "it changes faster than it can be read")


def _bytes(disk: Disk, path: Path) -> bytes | None:
    try:
        return disk.read(path)
    except FileNotFoundError:
        return None


def _decode_blocks(
    folder: Folder, sheet: StoreManifest, data: bytes | None, runs: tuple[Run, ...]
) -> tuple[tuple[Block, ...], Extent]:
    """Return the blocks of the journal that are in no segment, in number order, and the journal's size.

    Raises DamagedResults unless all belong to the unfinished run and every segment to a known one.
    """
    path = folder.journal(sheet.journal)
    if data is None:
        raise DamagedResults(path, "it is missing")
    lines, whole = journal.read(data, path)
    try:
        blocks = [decode_block(line) for line in lines]
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise DamagedResults(path, str(error)) from error
    if strangers := {segment.run for segment in sheet.segments} - {run.run for run in runs}:
        raise DamagedResults(folder.runs, f"it does not list run {min(strangers)}")
    under_way = [run.run for run in runs if run.finished is None]
    if any(match.run not in under_way for block in blocks for match in block.matches):
        raise DamagedResults(folder.runs, f"{path.name} belongs to another run than the unfinished one")
    start = sheet.first_unsealed(under_way[0]) if under_way else 0
    # the first line of a number counts: where file locks do not work, a second process may have written one
    found = {block.number: block for block in reversed(blocks) if block.number >= start}
    return tuple(found[number] for number in sorted(found)), Extent(whole, len(data))
