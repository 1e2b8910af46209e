"""Print the test files that may notice a change, on one line, ready for pytest.

    .venv/bin/pytest $(.venv/bin/python tests/programs/tests_of.py ladder/run/planner.py)

Without a path: those for all that git says has changed.  They are those that `mutations.py` asks: named after
the module, importing it, in the folder of its package; and changed test files themselves.
"""

import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from programs import mutations  # the script is run by its path

EXAMPLE = "tests_of.py ladder/run/planner.py"


class Unknown(Exception):
    """There are no tests to print; the message says what to type."""


def tests_of(root: Path, files: Iterable[str]) -> list[str]:
    """Return the test files for *files*, paths from *root*, each once; first those among *files*."""
    own: list[str] = []
    others: list[str] = []
    for file in files:
        path = Path(file)
        if path.parts[0] == "tests":
            own += [file] if path.match("test_*.py") and (root / path).is_file() else []
        elif path.suffix == ".py":
            others += mutations.tests_of(root, file, {})
    return list(dict.fromkeys(own + others))


def changed(root: Path) -> list[str]:
    """Return the files that are not as in the last commit, as git says.  Raises Unknown."""
    command = ["git", "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all"]
    try:
        done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    except FileNotFoundError:
        raise Unknown(f"git is not installed: name a file, such as {EXAMPLE}") from None
    if done.returncode:
        raise Unknown(f"git does not know this folder: name a file, such as {EXAMPLE}")
    if not done.stdout:
        raise Unknown(f"git says that nothing has changed: name a file, such as {EXAMPLE}")
    return [line[3:] for line in done.stdout.split("\0") if line]


def named(root: Path, words: Iterable[str]) -> list[str]:
    """Return the files that *words* name, from *root*.  Raises Unknown."""
    files = [os.path.relpath(word, root) for word in words]
    for file in files:
        if file.startswith("..") or not (root / file).is_file():
            raise Unknown(f"there is no file {file}: name one of this checkout, such as {EXAMPLE}")
        if not tests_of(root, [file]):
            raise Unknown(f"no test file is known for {file}: .venv/bin/pytest runs the tests of everything")
    return files


def main(words: Sequence[str], root: Path = mutations.ROOT) -> int:
    """Print the test files for the files *words*.  Return the exit code."""
    try:
        tests = tests_of(root, named(root, words) if words else changed(root))
        if not tests:
            raise Unknown("no test file is known for what has changed: .venv/bin/pytest runs all")
    except Unknown as unknown:
        print(f"tests_of.py: {unknown}", file=sys.stderr)
        return 2
    print(*tests)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
