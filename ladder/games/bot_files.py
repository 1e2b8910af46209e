"""The files of a game for authors of bots: its page, schema, cards and positions."""

import shutil
import sys
from pathlib import Path

from engines import GAMES
from ladder.errors import UsageProblem

PATTERNS = ("README.md", "summary.txt", "*.json", "LICENSE*")


def list_bot_files(game: str) -> list[Path]:
    """Return the files in the folder of *game* that authors of bots in any language read, by name."""
    module = sys.modules[type(GAMES[game]).__module__]
    folder = Path(str(module.__file__)).parent
    return sorted({file for pattern in PATTERNS for file in folder.glob(pattern)})


def copy_bot_files(game: str, folder: Path) -> list[Path]:
    """Copy the files of *game* to *folder*/GAME, made on demand; return the copies.

    Raises UsageProblem if that place is there already, or if it cannot be written.
    """
    target = folder / game
    if target.exists():
        raise UsageProblem(f"{target} is there already", "choose another folder, or remove it first")
    try:
        target.mkdir(parents=True)
        return [Path(shutil.copy(file, target)) for file in list_bot_files(game)]
    except OSError as error:
        raise UsageProblem(f"{target} cannot be written: {error}", "choose another folder") from None
