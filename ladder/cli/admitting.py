"""How bots get in where a command plays; those at a path are kept as versions that no run picks up."""

from pathlib import Path

from ladder.admission.house import add
from ladder.admission.submit import keep_for_duel
from ladder.admission.trials import try_games
from ladder.cli.progress import Watching
from ladder.home.home import Home
from ladder.registry.version import Version
from ladder.run.session import Admission
from ladder.worker.check_progress import CheckProgress

ADMISSION = Admission(add, try_games)


def take_path(home: Home, path: Path) -> Version:
    """Keep a bot that is named by its path; show how far that has come, if it is slow."""
    progress = CheckProgress()
    with Watching(progress) as watching:
        return keep_for_duel(home, path, watching.note, progress)
