"""Submit bots by their paths, and open them, as most tests do."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ladder.admission import submit as admission
from ladder.admission.submission import Submission
from ladder.home.home import Home
from ladder.registry import bot_archive
from ladder.registry.bot_manifest import BOT_MB
from ladder.registry.version import Version
from ladder.worker.check_progress import CheckProgress


def submit(
    home: Home,
    path: Path,
    name: str = "",
    confirm: Callable[[str], bool] = lambda question: False,
    say: Callable[[str], object] = lambda text: None,
    progress: CheckProgress | None = None,
    **how: Any,
) -> Version:
    """Submit what is at *path*, *how* a Submission says."""
    return admission.submit(home, Submission(path, name=name, **how), confirm, say, progress)


@contextmanager
def open_submission(path: Path, told: list[str] | None = None, most_mb: int = BOT_MB) -> Iterator[Path]:
    """Yield the folder or script of the bot at *path*; *told* gets what its author is told."""
    with bot_archive.open_submission(path, most_mb) as unpacked:
        if told is not None:
            told += unpacked.told
        yield unpacked.folder
