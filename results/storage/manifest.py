"""The manifest: a list of the immutable segments and the journal that make up the results.

Manifests are numbered, and the highest one is in force.  Publishing it moves rows from the journal into
segments in one step, so that a row is always in exactly one of them.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import msgspec

from results.errors import DamagedResults
from results.storage.disk import Disk, replace_file


class File(msgspec.Struct, frozen=True):
    """The size and checksum of one Parquet file."""

    rows: int
    size: int
    sha256: str


class Segment(msgspec.Struct, frozen=True):
    """The rows of some blocks of one run: `matches/NAME.parquet` and, if any, `faults/NAME.parquet`."""

    name: str
    run: int
    blocks: int
    """The number of blocks in it."""
    first_block: int
    last_block: int
    first_match: int
    last_match: int
    matches: File
    faults: File | None

    @property
    def unbroken(self) -> bool:
        """Whether every block from the first to the last is in it."""
        return self.blocks == self.last_block - self.first_block + 1

    def overlaps(self, other: Segment) -> bool:
        """Return whether both may hold the same block."""
        return (
            self.run == other.run
            and self.first_block <= other.last_block
            and other.first_block <= self.last_block
        )


class StoreManifest(msgspec.Struct, frozen=True):
    """The results at one moment."""

    number: int
    journal: str
    segments: list[Segment]

    def first_unsealed(self, run: int, first: int = 0) -> int:
        """Return the number of the first block of *run*, counted from *first*, that is in no segment."""
        end = first
        for segment in self.segments:
            if segment.run == run:
                if segment.first_block != end or not segment.unbroken:
                    break
                end = segment.last_block + 1
        return end


class _ManifestFile(msgspec.Struct, frozen=True):
    """The content of a manifest file: the manifest and the SHA-256 of its bytes."""

    sha256: str
    manifest: msgspec.Raw


def format_number(number: int) -> str:
    """Return *number* as it stands in file names, before the suffix."""
    return f"{number:06}"


def describe_file(data: bytes | memoryview, rows: int) -> File:
    """Return the description, for a manifest, of a file that holds *data*."""
    return File(rows, len(data), sha256(data).hexdigest())


def list_numbers(disk: Disk, folder: Path, suffix: str) -> list[int]:
    """Return the numbers of the files in *folder* named by a number and *suffix*, in order."""
    names = [name.removesuffix(suffix) for name in disk.list(folder) if name.endswith(suffix)]
    return sorted(int(name) for name in names if name.isdecimal())


def find_highest(disk: Disk, folder: Path) -> int | None:
    """Return the number of the manifest in force, or None if there is no manifest."""
    return max(list_numbers(disk, folder, ".json"), default=None)


def read_newest(disk: Disk, folder: Path) -> StoreManifest | None:
    """Return the manifest in force, if any.  Raises DamagedResults; FileNotFoundError if just removed."""
    number = find_highest(disk, folder)
    return None if number is None else read(disk, folder, number)


def read(disk: Disk, folder: Path, number: int) -> StoreManifest:
    """Return manifest *number*.  Raises DamagedResults or FileNotFoundError."""
    path = folder / f"{format_number(number)}.json"
    data = disk.read(path)
    try:
        sheet = msgspec.json.decode(data, type=_ManifestFile)
        manifest = msgspec.json.decode(sheet.manifest, type=StoreManifest)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise DamagedResults(path, str(error)) from error
    if sha256(sheet.manifest).hexdigest() != sheet.sha256:
        raise DamagedResults(path, "it does not match its checksum")
    if manifest.number != number:
        raise DamagedResults(path, f"it is manifest {manifest.number}")
    return manifest


def publish(disk: Disk, folder: Path, manifest: StoreManifest) -> None:
    """Put *manifest* in force.  Raises FileExistsError if another process took its number."""
    body = msgspec.json.encode(manifest)
    sheet = _ManifestFile(sha256(body).hexdigest(), msgspec.Raw(body))
    replace_file(
        disk, folder / f"{format_number(manifest.number)}.json", msgspec.json.encode(sheet), exclusive=True
    )
