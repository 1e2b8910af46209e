"""How much a submission may hold, and which part of it holds the most."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from ladder.errors import UsageProblem

MAX_FILES = 10_000
"""The most files of a submission, in an archive or in a folder."""
ALONE = "submit the bot alone, without what it does not need"


class SubmissionSize:
    """What is known so far of the files of a submission."""

    def __init__(self, path: Path, most_mb: int) -> None:
        self._path = path
        self._most_mb = most_mb
        self._sizes: Counter[str] = Counter()
        self._bytes = 0
        self.most_bytes = most_mb << 20

    def add(self, name: str, size: int = 0) -> None:
        """Add *size* bytes of the file *name*.  Raises UsageProblem if that is too much."""
        self._sizes[name] += size
        self._bytes += size
        if len(self._sizes) > MAX_FILES:
            most = _heaviest(Counter(self._sizes.keys()))
            what = f"more than {MAX_FILES:,} files" + (f", most of them in {most}" if most else "")
            raise UsageProblem(f"{self._path} holds {what}", ALONE)
        if self._bytes > self.most_bytes:
            raise self.too_large()

    def too_large(self, name: str = "") -> UsageProblem:
        """Return the error for a submission of too many bytes, by the file *name* alone if it has one."""
        most = name or _heaviest(self._sizes)
        what = f"more than {self._most_mb} MB" + (f", most of it in {most}" if most else "")
        return UsageProblem(
            f"{self._path} holds {what}",
            f"{ALONE}; who runs the ladder can let bots read large files, below [sandbox] in ladder.toml:"
            f' readable = ["/opt/models"]; or allow more, below [limits]: bot_mb = {2 * self._most_mb}',
        )


def _heaviest(weights: Mapping[str, int]) -> str:
    """Return the deepest folder, or the file, with more than half of all *weights*; "" if there is none."""
    sums: Counter[str] = Counter()
    for name, weight in weights.items():
        path = PurePosixPath(name)
        for part in (path, *path.parents[:-1]):
            sums[str(part)] += weight
    half = sum(weights.values()) / 2
    return max((part for part, weight in sums.items() if weight > half), key=len, default="")
