"""The manifest: which immutable segments and which journal are the results.

Manifests are numbered; the highest one counts, and putting it there is what moves rows from the journal into
segments: before it they are journalled, after it sealed, never both and never neither.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import msgspec

from results.errors import DamagedResults
from results.storage.disk import Disk, replace_file

__all__ = [
    "File",
    "Segment",
    "StoreManifest",
    "describe_file",
    "find_highest",
    "format_number",
    "list_numbers",
    "publish",
    "read",
    "read_newest",
]


class File(msgspec.Struct, frozen=True):
    """One Parquet file, as it was written."""

    rows: int
    size: int
    sha256: str


class Segment(msgspec.Struct, frozen=True):
    """The rows of some blocks of one run: `matches/NAME.parquet` and, if any, `faults/NAME.parquet`."""

    name: str
    run: int
    blocks: int
    """How many blocks it holds."""
    first_block: int
    last_block: int
    first_match: int
    last_match: int
    matches: File
    faults: File | None

    @property
    def unbroken(self) -> bool:
        """Whether it holds every block from the first to the last."""
        return self.blocks == self.last_block - self.first_block + 1

    def overlaps(self, other: Segment) -> bool:
        """Whether blocks of both may be the same."""
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
        """Return the first block of *run*, from *first* on, that is not sealed: before it all are."""
        end = first
        for segment in self.segments:
            if segment.run == run:
                if segment.first_block != end or not segment.unbroken:
                    break
                end = segment.last_block + 1
        return end


class _ManifestFile(msgspec.Struct, frozen=True):
    """What the file holds: the manifest and the SHA-256 of its bytes."""

    sha256: str
    manifest: msgspec.Raw


def format_number(number: int) -> str:
    """Return the name that everything with this number bears, before its suffix."""
    return f"{number:06}"


def describe_file(data: bytes | memoryview, rows: int) -> File:
    """Return what a manifest says of a file that holds *data*."""
    return File(rows, len(data), sha256(data).hexdigest())


def list_numbers(disk: Disk, folder: Path, suffix: str) -> list[int]:
    """Return the numbers of the files in *folder* whose names are a number and *suffix*, in their order."""
    names = [name.removesuffix(suffix) for name in disk.list(folder) if name.endswith(suffix)]
    return sorted(int(name) for name in names if name.isdecimal())


def find_highest(disk: Disk, folder: Path) -> int | None:
    """Return the number of the manifest that counts, or None where there is none."""
    return max(list_numbers(disk, folder, ".json"), default=None)


def read_newest(disk: Disk, folder: Path) -> StoreManifest | None:
    """Return the manifest that counts, or None where there is none.

    Raises DamagedResults, and FileNotFoundError where a writer has cleared it away meanwhile.
    """
    number = find_highest(disk, folder)
    return None if number is None else read(disk, folder, number)


def read(disk: Disk, folder: Path, number: int) -> StoreManifest:
    """Return the manifest of that *number*.  Raises DamagedResults, and FileNotFoundError."""
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
    """Make *manifest* the one that counts.  Raises FileExistsError if another process took its number."""
    body = msgspec.json.encode(manifest)
    sheet = _ManifestFile(sha256(body).hexdigest(), msgspec.Raw(body))
    replace_file(
        disk, folder / f"{format_number(manifest.number)}.json", msgspec.json.encode(sheet), exclusive=True
    )
