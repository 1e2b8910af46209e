"""Copy programs that come with the ladder, so that they can play from any installation."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def copy_bundled(folder: Path) -> Iterator[Path]:
    """Yield a copy of *folder*, with programs that come with the ladder; afterwards remove it.

    In an installation they lie inside the environment of the ladder's own Python.  The sandbox shows no bot
    what holds the bot's folder (ladder.sandbox.runtimes), so that their interpreter could not be found.
    Every user may read the copy, because a bot may be a user of its own.
    """
    with tempfile.TemporaryDirectory(prefix="ladder-bundled-") as place:
        copy = Path(place, folder.name)
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("__pycache__"))
        for path in (Path(place), copy, *copy.rglob("*")):
            path.chmod(path.stat().st_mode | (0o555 if path.is_dir() else 0o444))
        yield copy
