"""Files that only their owner may read."""

import os
from pathlib import Path

from results.storage.disk import Disk


def write_private(path: Path, data: bytes) -> None:
    """Write *data* to the file at *path*, atomically and safe from a power cut.  Raises OSError."""
    new = path.with_name(f".{path.name}-{os.getpid()}")
    new.unlink(missing_ok=True)
    # Created for its owner alone: made readable first and closed later, another user could open it between.
    with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:  # noqa: PTH123
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    disk = Disk()
    disk.rename(new, path)
    disk.sync_dir(path.parent)
