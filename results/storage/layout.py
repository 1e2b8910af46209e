"""The paths below the results folder, and the version of that layout."""

from pathlib import Path

import msgspec

from results.errors import DamagedResults, NewerFormat
from results.storage import manifest
from results.storage.disk import Disk
from results.storage.manifest import File, Segment

FORMAT = 1
"""The version of the folder's layout.  schema.FORMAT is the version of the columns."""
UNRATED = "unrated"
"""The folder, below `results/`, of the stores whose matches do not count (storage/unrated.py)."""


class Folder:
    """The paths below `results/`."""

    def __init__(self, root: Path) -> None:
        """Build the paths below *root*."""
        self.root = root
        self.format = root / "format.json"
        self.lock = root / "lock"
        self.manifests = root / "manifest"
        self.journals = root / "journal"
        self.plans = root / "plan"
        self.matches = root / "matches"
        self.faults = root / "faults"
        self.runs = root / "runs.parquet"
        self.seasons = root / "seasons.parquet"
        self.names = (root.parent.parent if root.parent.name == UNRATED else root) / "names.json"
        """What renamed bots are called: one file for all results of a home."""
        self.revealed = root / "revealed.json"
        """What is shown of a secret tournament (storage/revealed.py)."""
        self.ratings = root / "ratings.parquet"
        self.pairs = root / "pairs.parquet"
        self.reviews = root / "reviews"
        self.damaged = root / "damaged"

    @property
    def unrated_name(self) -> str:
        """What these results are called if they do not count: d1, d2, and so on; else empty."""
        return self.root.name if self.root.parent.name == UNRATED else ""

    def name_run(self, run: int) -> int | str:
        """Return what *run* is called where people read: its number, or the name of its unrated store."""
        return self.unrated_name or run

    def name_file(self, path: Path) -> str:
        """Return what a file of these results is called where people read: its path below `results/`."""
        root = self.root.parent.parent if self.unrated_name else self.root
        return str(path.relative_to(root))

    def journal(self, name: str) -> Path:
        return self.journals / f"{name}.log"

    def plan(self, run: int) -> Path:
        return self.plans / f"{manifest.format_number(run)}.log"

    def cache(self, name: str) -> Path:
        """Return the path of a value that can be computed again."""
        return self.root / f"{name}.cache"

    def segment(self, segment: Segment) -> list[tuple[Path, File]]:
        """Return the path and description of each file of *segment*: matches, then faults, if any."""
        name = f"{segment.name}.parquet"
        files = [(self.matches / name, segment.matches)]
        return [*files, (self.faults / name, segment.faults)] if segment.faults else files


def check_format(disk: Disk, folder: Folder) -> bool:
    """Return whether any results were written.  Raises DamagedResults or NewerFormat."""
    try:
        written = msgspec.json.decode(disk.read(folder.format), type=dict[str, int])["format"]
    except FileNotFoundError:
        if manifest.find_highest(disk, folder.manifests) or folder.runs.name in disk.list(folder.root):
            raise DamagedResults(folder.format, "it is missing") from None
        return False
    except (msgspec.MsgspecError, KeyError, UnicodeDecodeError) as error:
        raise DamagedResults(folder.format, str(error)) from error
    if written > FORMAT:
        raise NewerFormat(folder.format, written, FORMAT)
    if written < 1:
        raise DamagedResults(folder.format, f"there is no format {written}")
    return True
