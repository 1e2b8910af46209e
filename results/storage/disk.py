"""The store's interface to the disk: a dozen calls.  Tests replace it and fail, or cut the power, at each.

Errors are OSError and are never retried: after a failed fsync the state of the disk is unknown.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from results.errors import DiskFailed

Handle: TypeAlias = int

_FULL_FSYNC: int | None = getattr(fcntl, "F_FULLFSYNC", None)  # macOS: fsync alone stops at the drive's cache


class Disk:
    """The real disk."""

    mode: int = 0o644
    """The permissions of new files."""

    def make_dir(self, path: Path) -> None:
        """Create the folder *path*, closed to other users.  It may exist; its parent must."""
        path.mkdir(mode=0o700, exist_ok=True)

    def create(self, path: Path) -> Handle:
        """Open a new file for appending.  Raises FileExistsError."""
        return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL, self.mode)

    def open(self, path: Path) -> Handle:
        """Open an existing file for appending."""
        return os.open(path, os.O_WRONLY | os.O_APPEND)

    def append(self, handle: Handle, data: bytes | memoryview) -> None:
        """Append all of *data*."""
        written = os.write(handle, data)
        while written < len(data):
            written += os.write(handle, data[written:])

    def fsync(self, handle: Handle) -> None:
        """Return when everything appended is safe from a power cut."""
        if _FULL_FSYNC is not None:
            fcntl.fcntl(handle, _FULL_FSYNC)
        else:
            os.fsync(handle)

    def close(self, handle: Handle) -> None:
        """Close the file."""
        os.close(handle)

    def sync_file(self, path: Path) -> None:
        """Return when a file that was written elsewhere is safe from a power cut."""
        handle = os.open(path, os.O_RDONLY)
        try:
            self.fsync(handle)
        finally:
            os.close(handle)

    def sync_dir(self, path: Path) -> None:
        """Return when the names in the folder *path* are safe from a power cut."""
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def rename(self, old: Path, new: Path) -> None:
        """Rename a file, replacing any file of the new name."""
        old.rename(new)

    def link(self, old: Path, new: Path) -> None:
        """Give a file a second name.  Raises FileExistsError: of two processes, one succeeds."""
        new.hardlink_to(old)

    def unlink(self, path: Path) -> None:
        """Remove a name, if it exists."""
        path.unlink(missing_ok=True)

    def truncate(self, path: Path, size: int) -> None:
        """Cut a file off after *size* bytes."""
        os.truncate(path, size)

    def list(self, path: Path) -> dict[str, int]:
        """Return the names and sizes of the files in a folder; a missing folder has none."""
        try:
            with os.scandir(path) as entries:
                return {entry.name: entry.stat().st_size for entry in entries if entry.is_file()}
        except FileNotFoundError:
            return {}

    def read(self, path: Path) -> bytes:
        """Return all bytes of a file."""
        return path.read_bytes()


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Raise DiskFailed, which names *path*, in place of OSError."""
    try:
        yield
    except OSError as error:
        raise DiskFailed(path, error) from error


def temporary_path(path: Path) -> Path:
    """Return the path that a file has until it is complete.  Data tools ignore names with a leading dot."""
    return path.with_name(f".{path.name}.tmp")


def write_aside(disk: Disk, path: Path, data: bytes | memoryview) -> Path:
    """Write *data* safely under the temporary name of *path*, and return that path."""
    name = temporary_path(path)
    handle = disk.create(name)
    try:
        disk.append(handle, data)
        disk.fsync(handle)
    finally:
        disk.close(handle)
    return name


def replace_file(disk: Disk, path: Path, data: bytes, *, exclusive: bool = False) -> None:
    """Write *data*, atomically and safe from a power cut.  If *exclusive*, a file stays: FileExistsError."""
    name = write_aside(disk, path, data)
    if exclusive:
        disk.link(name, path)
        disk.unlink(name)
    else:
        disk.rename(name, path)
    disk.sync_dir(path.parent)


def put_page(path: Path, page: str | bytes, mode: int = 0o644) -> None:
    """Write *page* to *path*, with *mode*, as replace_file does, also where a kill has left half of one.

    Its folder is made if the one above is there.  Raises OSError.
    """
    path.parent.mkdir(exist_ok=True)
    temporary_path(path).unlink(missing_ok=True)
    disk = Disk()
    disk.mode = mode
    replace_file(disk, path, page.encode() if isinstance(page, str) else page)


def sync_tree(disk: Disk, path: Path) -> None:
    """Return when all files and names in the folder *path* are safe from a power cut."""
    for folder, _, files in os.walk(path):
        for file in (Path(folder, name) for name in files):
            if file.is_file() and not file.is_symlink():
                disk.sync_file(file)
        disk.sync_dir(Path(folder))
