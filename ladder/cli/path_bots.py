"""Bots that a command names by their paths: they are kept as versions that no run picks up."""

from pathlib import Path

from ladder.cli.progress import Watching
from ladder.home.home import Home
from ladder.registry.version import Version


def take_path(home: Home, path: Path) -> Version:
    """Keep a bot that is named by its path; show how far that has come, if it is slow."""
    from ladder.admission.submit import keep_for_duel
    from ladder.worker.check_progress import CheckProgress

    progress = CheckProgress()
    with Watching(progress) as watching:
        return keep_for_duel(home, path, watching.note, progress)
