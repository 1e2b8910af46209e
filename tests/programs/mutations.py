"""Change the project in one small place at a time, and see whether its tests notice.

    nice -n 10 .venv/bin/python tests/programs/mutations.py

The sample is fixed: 50 changes each to the rules, the referee, the ratings and the store.  It follows
from the seed and the text of each change, so most of it stays the same when other code is added.  Each
change is made in a copy of the tree, where the tests of its module run until one fails: first those that
are named after the module, then those that import it, then those of its package; the fastest first, as
`--times` knows them, else the shortest.  A test that fails without the change, too, does not count.
Tests marked `slow` run only with `--slow`, and only for what survives the others.

Changes that leave the program the same, as far as a person can see, stand in `same_program.toml` with a
reason.  They are listed and not tried.  `changes.py` says which ones are never made.

The score is the part of the changes tried that a test noticed.  The exit code is 1 if it is below 95 %.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import functools
import hashlib
import os
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
import tomllib
import venv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from threading import Lock
from typing import NamedTuple, TypeAlias

sys.path.insert(0, str(Path(__file__).parents[1]))
from programs.changes import Change, changes_of  # the script is run by its path

__all__ = ["PARTS", "Part", "Result", "known_same", "make_environment", "sample", "tests_of", "try_changes"]

ROOT = Path(__file__).parents[2]
SAME = Path(__file__).with_name("same_program.toml")
AIM = 0.95
CPU_S = 600
"""The most CPU time of the tests of a change, in seconds.  A loop that never ends is noticed by this."""
WALL_S = 3600.0
"""The most time, on a busy machine.  A process that sleeps for good is noticed by this."""
LEFT_OUT = {".git", ".venv", ".hypothesis", ".mypy_cache", ".pytest_cache", ".ruff_cache", "__pycache__"}
Key: TypeAlias = tuple[str, str, str, str]


class Part(NamedTuple):
    """A part of the project whose tests are tried."""

    name: str
    folder: str
    left_out: tuple[str, ...] = ()
    """The names of folders and files that are left out."""

    def sources(self, root: Path) -> list[Path]:
        """Return the Python files, from *root*."""
        found = sorted(path.relative_to(root) for path in (root / self.folder).rglob("*.py"))
        return [path for path in found if not {*path.parts} & {*self.left_out}]


_PICTURES = ("drawing", "drawing.py", "page.py", "seat_table.py", "sky.py", "chart.py")
_TESTS = ("contract", "template", "testing.py")
PARTS = (
    Part("rules", "engines", (*_PICTURES, *_TESTS)),
    Part("referee", "ladder/referee"),
    Part("ratings", "results/rating"),
    Part("store", "results/storage"),
)


class Result(NamedTuple):
    """What became of a change."""

    change: Change
    fate: str
    """`noticed`, `survived`, or `same program`."""
    why: str = ""
    """The test that failed, or the reason why the program is the same."""


def sample(root: Path, part: Part, count: int, seed: int) -> list[Change]:
    """Return *count* of the changes to *part*, chosen by *seed*."""

    def place(change: Change) -> bytes:
        return hashlib.sha256(repr((seed, change.key, change.number)).encode()).digest()

    changes: list[Change] = []
    for path in part.sources(root):
        changes += changes_of(path.as_posix(), (root / path).read_text("utf-8"))
    return sorted(sorted(changes, key=place)[:count], key=lambda change: (change.file, change.start))


def known_same(path: Path) -> dict[Key, str]:
    """Return why the changes that *path* lists leave the program the same, by key."""
    listed = tomllib.loads(path.read_text("utf-8")).get("same", [])
    return {(one["file"], one["function"], one["before"], one["after"]): one["why"] for one in listed}


# -- which tests


def tests_of(root: Path, file: str, seconds: Mapping[str, float]) -> list[str]:
    """Return the test files that may notice a change to *file*, in the order in which they run.

    They stand in the folder of its package or directly in that of the top package, or anywhere below that and
    import its module, be it through something of `tests/support`.
    """
    source = Path(file)
    module = ".".join(source.with_suffix("").parts).removesuffix(".__init__")
    top = Path("tests", source.parts[0])
    folders = {Path("tests", source.parent), top}
    found = []
    for path in (root / top).rglob("test_*.py"):
        test = path.relative_to(root)
        named = test.parent in folders and test.stem == f"test_{source.stem}"
        imports = module in _imports(root, test)
        if named or imports or test.parent in folders:
            name, size = test.as_posix(), path.stat().st_size
            found.append((not named, not imports, seconds.get(name, 0.0), size, name))
    return [name for *_, name in sorted(found)]


@functools.cache
def _imports(root: Path, file: Path) -> frozenset[str]:
    """Return the modules that *file* imports, itself or through what it imports of `support`."""
    names: set[str] = set()
    for node in ast.walk(ast.parse((root / file).read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    shared = [name.split(".") for name in names if name.startswith("support.")]
    for support in {Path("tests", *parts).with_suffix(".py") for parts in shared} - {file}:
        if (root / support).is_file():
            names |= _imports(root, support)
    return frozenset(names)


# -- a copy of the tree


class Copy:
    """A copy of the tree, in which one change is made at a time."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.folder = folder
        self._changes = 0
        shutil.copytree(root, folder, symlinks=True, ignore=lambda _, names: LEFT_OUT & {*names})
        self._python = make_environment(root, folder)

    def run(self, tests: Iterable[str], *options: str) -> list[str] | None:
        """Run *tests* in this order until one fails.

        Return the names of those that failed; None if pytest ended in another way, or was out of time.
        """
        pytest = [
            str(self._python),
            "-m",
            "pytest",
            "-n",
            "0",
            "-p",
            "no:cacheprovider",
            "-x",
            "--tb=no",
            "-rfE",
        ]
        command = f"ulimit -t {CPU_S}; exec {shlex.join([*pytest, *options, *tests])}"
        with (
            tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as out,
            subprocess.Popen(
                ["sh", "-c", command],
                cwd=self.folder,
                env=os.environ | {"PYTHONPATH": str(self.folder)},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
            ) as tested,
        ):
            try:
                code = tested.wait(WALL_S)
            except subprocess.TimeoutExpired:
                code = -signal.SIGKILL
            finally:
                _end_group(tested.pid)
            out.seek(0)
            lines = out.read().splitlines()
        if code in (0, 5):  # 5: no test was chosen
            return []
        failed = [
            line.partition(" ")[2].split(" - ")[0] for line in lines if line.startswith(("FAILED ", "ERROR "))
        ]
        return failed or None

    def try_change(self, change: Change, tests: Iterable[str], *options: str) -> list[str] | None:
        """Make *change*, run *tests*, and take the change back; return as `run` does."""
        path = self.folder / change.file
        before, times = path.read_text("utf-8"), path.stat()
        path.write_text(change.made_in(before), "utf-8")
        self._changes += 1
        os.utime(path, (0, self._changes))  # compiled files are told from others by the time of their source
        try:
            return self.run(tests, *options)
        finally:
            path.write_text(before, "utf-8")
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def make_environment(root: Path, folder: Path) -> Path:
    """Make an environment in *folder*, a copy of *root*, that has what this one has; return its Python.

    A confined bot does not see *root*, so it must find `engines` and `protocol` in the copy.
    """
    environment = folder / ".venv"
    venv.create(environment, symlinks=True)
    here = Path(sysconfig.get_path("purelib"))
    there = environment / here.relative_to(sys.prefix)
    for installed in here.iterdir():
        if installed.suffix == ".pth":
            (there / installed.name).write_text(
                installed.read_text("utf-8").replace(str(root), str(folder)), "utf-8"
            )
        else:
            (there / installed.name).symlink_to(installed)
    return environment / "bin" / "python"


def _end_group(group: int) -> None:
    """End all processes of *group*."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


class _Trials:
    """Tries changes, several at once."""

    def __init__(self, copies: SimpleQueue[Copy], slow: bool) -> None:
        self._copies = copies
        self._slow = slow
        self._lock = Lock()
        self._fails_anyway: dict[str, bool] = {}
        """By test, whether it fails without a change, too."""

    def try_change(self, change: Change, tests: Sequence[str]) -> Result:
        """Say what becomes of *change*."""
        copy = self._copies.get()
        try:
            result = self._try(copy, change, tests)
            if self._slow and result.fate == "survived":
                result = self._try(copy, change, tests, "-m", "slow")
            return result
        finally:
            self._copies.put(copy)

    def _try(self, copy: Copy, change: Change, tests: Sequence[str], *options: str) -> Result:
        while True:
            with self._lock:
                left_out = [f"--deselect={test}" for test, fails in self._fails_anyway.items() if fails]
            failed = copy.try_change(change, tests, *options, *left_out)
            if failed is None:
                return Result(change, "noticed", "pytest did not come to its end")
            if not failed:
                return Result(change, "survived")
            (test, *_) = failed
            if test not in self._fails_anyway:
                fails = copy.run([test], *options) != []
                with self._lock:
                    self._fails_anyway[test] = fails
            if not self._fails_anyway[test]:
                return Result(change, "noticed", test)


def try_changes(
    root: Path,
    changes: Sequence[Change],
    same: Mapping[Key, str],
    *,
    jobs: int = 1,
    seconds: Mapping[str, float] | None = None,
    most: int | None = None,
    slow: bool = False,
) -> Iterator[Result]:
    """Try *changes* in copies of *root*, *jobs* at once; yield in their order what became of each.

    *same* says why changes leave the program the same, *seconds* how long test files take.  Only the first
    *most* test files of each module run.
    """
    with tempfile.TemporaryDirectory(prefix="mutations-") as folder:
        copies: SimpleQueue[Copy] = SimpleQueue()
        for number in range(jobs):
            copies.put(Copy(root, Path(folder, str(number))))
        trials = _Trials(copies, slow)

        def result_of(change: Change) -> Result:
            if change.key in same:
                return Result(change, "same program", same[change.key])
            return trials.try_change(change, tests_of(root, change.file, seconds or {})[:most])

        with ThreadPoolExecutor(jobs) as pool:
            yield from pool.map(result_of, changes)


# -- the command


def main() -> int:
    """Try the sample, and list what survives.  Return the exit code."""
    options = _read_arguments()
    changes = [
        (part.name, change)
        for part in PARTS
        for change in sample(ROOT, part, options.sample // len(PARTS), options.seed)
        if not options.only or change.file.startswith(tuple(options.only))
    ]
    if options.list:
        print(*(change for _, change in changes), sep="\n")
        return 0
    seconds = tomllib.loads(options.times.read_text("utf-8")) if options.times else {}
    began, fates = time.monotonic(), Counter[tuple[str, str]]()
    results = try_changes(
        ROOT,
        [change for _, change in changes],
        known_same(SAME),
        jobs=options.jobs,
        seconds=seconds,
        most=options.most,
        slow=options.slow,
    )
    for done, ((part, change), result) in enumerate(zip(changes, results, strict=True), 1):
        fates[part, result.fate] += 1
        told = f"{done}/{len(changes)} {result.fate}: {change.file}:{change.line} {result.why}"
        print(told.rstrip(), file=sys.stderr, flush=True)
        if result.fate != "noticed":
            print(f"{result.fate}: {change}", *filter(None, [result.why]), sep="\n", flush=True)
    print(f"{time.monotonic() - began:.0f} s", file=sys.stderr)
    return _print_scores(fates)


def _read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("only", nargs="*", help="only the changes to files whose path begins like this")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="how many changes are tried at once")
    parser.add_argument("--sample", type=int, default=200, help="how many changes are tried")
    parser.add_argument("--seed", type=int, default=1, help="another seed takes another sample")
    parser.add_argument("--most", type=int, help="only the first test files: a lower bound, quickly")
    parser.add_argument("--slow", action="store_true", help="ask tests marked slow about what survives")
    parser.add_argument("--times", type=Path, help='a TOML file of lines such as "tests/a/test_b.py" = 1.5')
    parser.add_argument("--list", action="store_true", help="print the sample, and try nothing")
    return parser.parse_args()


def _print_scores(fates: Counter[tuple[str, str]]) -> int:
    """Print the score of each part and of all; return the exit code."""
    totals: Counter[str] = Counter()
    for part in dict.fromkeys(part for part, _ in fates):
        of_part = Counter({fate: count for (name, fate), count in fates.items() if name == part})
        print(f"{part}: {_told(of_part)}")
        totals += of_part
    print(f"all: {_told(totals)}")
    return int(totals["noticed"] < AIM * (totals["noticed"] + totals["survived"]))


def _told(fates: Counter[str]) -> str:
    noticed, tried = fates["noticed"], fates["noticed"] + fates["survived"]
    score = f", {100 * noticed / tried:.1f} %" if tried else ""
    return f"{noticed} of {tried} noticed{score}; {fates['same program']} leave the program the same"


if __name__ == "__main__":
    sys.exit(main())
