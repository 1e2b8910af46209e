"""Change the project in one small place at a time, and see whether its tests notice.

    nice -n 10 .venv/bin/python tests/programs/mutations.py
    nice -n 10 .venv/bin/python tests/programs/mutations.py --hard

The sample is fixed: 50 changes each to the rules, the referee, the ratings and the store.  It follows
from the seed and the text of each change, so most of it stays the same when other code is added.  Each
change is made in a copy of the tree, where the tests of its module run until one fails: first those that
are named after the module, then those that import it, then those of its package; the fastest first, as
`--times` knows them, else the shortest.  A test that fails without the change, too, does not count.

`--marks` says which tests are asked: 'fast', those without a mark; 'fast process', which is the default; or
any of fast, process, tools and slow.  A test is asked if all of its marks are.  The marks have their turns in
that order: what survives the fast tests is asked those marked `process`, and no test runs twice for a change.
So most changes start pytest once, and one run tells two scores: by the fast tests alone, and by all.

Changes that leave the program the same, as far as a person can see, stand in `same_program.toml` with a
reason.  They are listed and not tried.  `changes.py` says which ones are never made.

With `--hard`, the changes are those of `hard_changes.toml`, which were made by hand and are hard to notice.

A score is the part of the changes tried that a test noticed.  The exit code is 1 if it is less than 85 % for
the fast tests, or less than 95 % for all that were asked; with `--hard`, if it is less than 90 % for all.
"""

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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from threading import Lock
from typing import NamedTuple, TypeAlias

sys.path.insert(0, str(Path(__file__).parents[1]))
from programs.changes import Change, changes_of  # the script is run by its path

ROOT = Path(__file__).parents[2]
SAME = Path(__file__).with_name("same_program.toml")
HARD = Path(__file__).with_name("hard_changes.toml")
MARKS = ("fast", "process", "tools", "slow")
"""The marks of tests, from the cheapest; those without one are fast."""
AIM = 0.95
AIM_OF_FAST = 0.85
AIM_OF_HARD = 0.9
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
    mark: str = ""
    """The mark of the tests that noticed it."""


class HardChange(NamedTuple):
    """A change made by hand."""

    change: Change
    breaks: str
    """The fact that is true no longer."""


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


def read_hard(root: Path, path: Path) -> list[HardChange]:
    """Return the changes that *path* lists.  Raises ValueError for one that cannot be made in *root*."""
    found = []
    for one in tomllib.loads(path.read_text("utf-8"))["change"]:
        file, before, after = one["file"], one["before"], one["after"]
        source = (root / file).read_text("utf-8")
        if source.count(before) != 1:
            raise ValueError(f"{file}: expected one place with {before!r}, got: {source.count(before)}")
        start = len(source[: source.index(before)].encode())
        line = source.count("\n", 0, source.index(before)) + 1
        end = start + len(before.encode())
        change = Change(file, line, "", before.strip(), after.strip(), 0, start, end, after)
        found.append(HardChange(change, one["breaks"]))
    return found


# -- which tests


def turns_of(marks: Iterable[str]) -> list[tuple[str, str]]:
    """Return *marks* in their order, each with what `pytest -m` takes for its turn.

    In its turn run the tests that have this mark, and besides it only marks that had their turn before.
    """
    asked = [mark for mark in MARKS if mark in {*marks}]
    turns = []
    for place, mark in enumerate(asked):
        others = [f"not {other}" for other in MARKS[1:] if other not in asked[: place + 1]]
        turns.append((mark, " and ".join(others if mark == "fast" else [mark, *others])))
    return turns


def tests_of(root: Path, file: str, seconds: Mapping[str, float]) -> list[str]:
    """Return the test files that may notice a change to *file*, in the order in which they run.

    They stand in the folder of its package or directly in that of the top package, or anywhere below that and
    import its module, be it through something of `tests/support`.  `tests/cli` is the folder of `ladder/cli`.
    """
    source = Path(file)
    module = ".".join(source.with_suffix("").parts).removesuffix(".__init__")
    top = Path("tests", source.parts[0])
    own = Path("tests", source.parent)
    if not (root / own).is_dir():
        own = Path("tests", *source.parts[1:-1])
    folders = {own, top}
    found = []
    for path in {*(root / top).rglob("test_*.py"), *(root / own).glob("test_*.py")}:
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
        pytest = f"{shlex.quote(str(self._python))} -m pytest -n 0 -p no:cacheprovider -x --tb=no -rfE"
        command = f"ulimit -t {CPU_S}; exec {pytest} {shlex.join([*options, *tests])}"
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

    def __init__(self, copies: SimpleQueue[Copy], marks: Iterable[str]) -> None:
        self._copies = copies
        self._turns = turns_of(marks)
        self._lock = Lock()
        self._fails_anyway: dict[str, bool] = {}
        """By test, whether it fails without a change, too."""

    def try_change(self, change: Change, tests: Sequence[str]) -> Result:
        """Say what becomes of *change*."""
        copy = self._copies.get()
        try:
            for mark, expression in self._turns:
                result = self._try(copy, change, tests, "-m", expression)
                if result.fate == "noticed":
                    return result._replace(mark=mark)
            return Result(change, "survived")
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
    marks: Iterable[str] = MARKS[:2],
) -> Iterator[Result]:
    """Try *changes* in copies of *root*, *jobs* at once; yield in their order what became of each.

    *same* says why changes leave the program the same, *seconds* how long test files take.  Only the first
    *most* test files of each module run, and of these the tests that have no other *marks*.
    """
    with tempfile.TemporaryDirectory(prefix="mutations-") as folder:
        copies: SimpleQueue[Copy] = SimpleQueue()
        for number in range(jobs):
            copies.put(Copy(root, Path(folder, str(number))))
        trials = _Trials(copies, marks)

        def result_of(change: Change) -> Result:
            if change.key in same:
                return Result(change, "same program", same[change.key])
            return trials.try_change(change, tests_of(root, change.file, seconds or {})[:most])

        with ThreadPoolExecutor(jobs) as pool:
            yield from pool.map(result_of, changes)


# -- the command


def main() -> int:
    """Try the sample, or the hard changes, and list what survives.  Return the exit code."""
    options = _read_arguments()
    marks = options.marks.split()
    if not marks or not {*marks} <= {*MARKS}:
        known = f"expected some of {', '.join(MARKS)}, got: {options.marks!r}"
        print(f"--marks: {known}; type --marks 'fast process'", file=sys.stderr)
        return 2
    hard = read_hard(ROOT, HARD) if options.hard else []
    breaks = {change: f"it breaks: {fact}" for change, fact in hard}
    sampled = [("hard", change) for change in breaks] if options.hard else _sample_all(options)
    changes = [each for each in sampled if not options.only or each[1].file.startswith(tuple(options.only))]
    if not changes:
        print("no change of the sample is to these files: take a larger --sample", file=sys.stderr)
        return 2
    if options.list:
        for _, change in changes:
            print(change, *filter(None, [breaks.get(change)]), sep="\n")
        return 0
    seconds = tomllib.loads(options.times.read_text("utf-8")) if options.times else {}
    began, found = time.monotonic(), list[tuple[str, Result]]()
    results = try_changes(
        ROOT,
        [change for _, change in changes],
        known_same(SAME),
        jobs=options.jobs,
        seconds=seconds,
        most=options.most,
        marks=marks,
    )
    for (part, change), result in zip(changes, results, strict=True):
        found.append((part, result))
        told = f"{len(found)}/{len(changes)} {result.fate}: {change.file}:{change.line} {result.why}"
        print(told.rstrip(), file=sys.stderr, flush=True)
        if result.fate != "noticed":
            why = [result.why, breaks.get(change)]
            print(f"{result.fate}: {change}", *filter(None, why), sep="\n", flush=True)
    print(f"{time.monotonic() - began:.0f} s", file=sys.stderr)
    return _print_scores(found, [mark for mark, _ in turns_of(marks)], is_hard=options.hard)


def _read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("only", nargs="*", help="only the changes to files whose path begins like this")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="how many changes are tried at once")
    parser.add_argument("--sample", type=int, default=200, help="how many changes are tried")
    parser.add_argument("--seed", type=int, default=1, help="another seed takes another sample")
    parser.add_argument("--hard", action="store_true", help="try the changes of hard_changes.toml instead")
    parser.add_argument("--most", type=int, help="only the first test files: a lower bound, quickly")
    parser.add_argument(
        "--marks",
        default=" ".join(MARKS[:2]),
        help=f"which tests are asked, any of '{' '.join(MARKS)}' (default: '%(default)s')",
    )
    parser.add_argument("--times", type=Path, help='a TOML file of lines such as "tests/a/test_b.py" = 1.5')
    parser.add_argument("--list", action="store_true", help="print the changes, and try nothing")
    return parser.parse_args()


def _sample_all(options: argparse.Namespace) -> list[tuple[str, Change]]:
    """Return the sample, each change with the name of its part."""
    count = options.sample // len(PARTS)
    return [(part.name, change) for part in PARTS for change in sample(ROOT, part, count, options.seed)]


def _print_scores(found: Sequence[tuple[str, Result]], marks: Sequence[str], *, is_hard: bool) -> int:
    """Print the scores of each part and of all, by the *marks* that were asked; return the exit code."""
    for name in dict.fromkeys(part for part, _ in found):
        print(f"{name}: {_told([result for part, result in found if part == name], marks)}")
    results = [result for _, result in found]
    if not is_hard:
        print(f"all: {_told(results, marks)}")
    is_enough = _share(results, marks) >= (AIM_OF_HARD if is_hard else AIM) or marks == ["fast"]
    is_fast_enough = is_hard or "fast" not in marks or _share(results, ["fast"]) >= AIM_OF_FAST
    return int(not (is_enough and is_fast_enough))


def _told(results: Sequence[Result], marks: Sequence[str]) -> str:
    same = sum(result.fate == "same program" for result in results)
    told = []
    for asked in (marks[:end] for end in range(1, len(marks) + 1)):
        noticed, share = sum(result.mark in asked for result in results), _share(results, asked)
        told.append(f"{' '.join(asked)} {noticed} of {len(results) - same} noticed, {100 * share:.1f} %")
    return "; ".join([*told, f"{same} leave the program the same"])


def _share(results: Sequence[Result], marks: Sequence[str]) -> float:
    """Return the part of the changes tried that tests with these *marks* noticed."""
    tried = [result for result in results if result.fate != "same program"]
    return sum(result.mark in marks for result in tried) / len(tried) if tried else 1.0


if __name__ == "__main__":
    sys.exit(main())
