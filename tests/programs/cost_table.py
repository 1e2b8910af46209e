"""Say what the steps of the gate cost, and their tests by mark.

    python3 tests/programs/cost_table.py run FOLDER STEP COMMAND...
    python3 tests/programs/cost_table.py show FOLDER

`run` runs a command as a step of this name, and stores its cost in the folder, with that of the tests which
sessions of pytest have stored meanwhile (tests/support/costs.py).  Its exit code is that of the command.
`show` prints the table.  It needs nothing but Python, since `.ci/run` prints it before anything is installed.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypedDict

FOLDER = "LADDER_COSTS"
"""The variable that names the folder in which sessions of pytest store their costs."""
DEAREST = 20
HEAD = f"{'tests':>7} {'skipped':>8} {'user s':>8} {'system s':>9} {'wall s':>8}  step, and its tests by mark"


class TestCost(TypedDict):
    """One test, all of its phases; times in seconds."""

    test: str
    marks: list[str]
    outcome: str
    why: str
    user: float
    system: float
    wall: float


class Session(TypedDict):
    """One session of pytest, or one step of the gate; times in seconds.

    Its CPU time is more than that of its tests: collection, workers, bots whose spawner ended last.
    """

    step: str
    user: float
    system: float
    wall: float
    tests: list[TestCost]


def write(session: Session, folder: str | Path) -> None:
    """Store *session* as a file in *folder*, which is made if it is not there."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    Path(folder, f"{time.time_ns()}.json").write_text(json.dumps(session), "utf-8")


def read(folder: str | Path) -> list[Session]:
    """Return the sessions that are stored in *folder*, oldest first."""
    return [json.loads(path.read_text("utf-8")) for path in sorted(Path(folder).glob("*.json"))]


def run_step(step: str, command: Sequence[str], folder: str | Path) -> int:
    """Run *command* and store what it cost in *folder*; return its exit code."""
    began, code = time.monotonic(), 1
    with tempfile.TemporaryDirectory() as stored:
        try:
            code = subprocess.run(command, env=os.environ | {FOLDER: stored}).returncode
        finally:
            wall, took = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
            name = f"{step}: exit code {code}" if code else step
            tests = [test for session in read(stored) for test in session["tests"]]
            cost = Session(step=name, user=took.ru_utime, system=took.ru_stime, wall=wall, tests=tests)
            write(cost, folder)
    return code if code >= 0 else 128 - code


def narrate(sessions: Iterable[Session]) -> Iterator[str]:
    """Yield the lines of a table: each step, and the marks of its tests; the dearest; what was skipped."""
    sessions = list(sessions)
    yield HEAD
    for session in sessions:
        yield _row(session, session["step"])
        groups: dict[str, list[TestCost]] = defaultdict(list)
        for test in session["tests"]:
            groups[" ".join(test["marks"]) or "fast"].append(test)
        for name, of_mark in sorted(groups.items()):
            yield _row(_sum(of_mark, of_mark), f"    {name}")
    tests = [test for session in sessions for test in session["tests"]]
    if len(sessions) > 1:
        yield _row(_sum(sessions, tests), "all")
    if dearest := sorted(tests, key=lambda test: -test["user"] - test["system"])[:DEAREST]:
        yield f"{'CPU s':>7}  the dearest tests; bots are counted where their spawner ends"
    for test in dearest:
        yield f"{test['user'] + test['system']:7.2f}  {test['test']}"
    reasons = Counter(" ".join(test["why"].split()) for test in tests if test["outcome"] == "skipped")
    if reasons:
        yield f"{'tests':>7}  skipped because"
    for why, count in reasons.most_common():
        yield f"{count:>7}  {why}"


def _sum(costs: Sequence[Session] | Sequence[TestCost], tests: list[TestCost]) -> Session:
    user, system, wall = (sum(cost[key] for cost in costs) for key in ("user", "system", "wall"))
    return Session(step="", user=user, system=system, wall=wall, tests=tests)


def _row(took: Session, name: str) -> str:
    skipped = sum(test["outcome"] == "skipped" for test in took["tests"])
    times = f"{took['user']:8.1f} {took['system']:9.1f} {took['wall']:8.1f}"
    return f"{len(took['tests']) or '':>7} {skipped or '':>8} {times}  {name}"


def main(words: Sequence[str] | None = None) -> int:
    """Run a step, or show the table of a folder.  Return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("what", choices=("run", "show"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("step", nargs="?", help="the name of the step")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="what is run")
    options = parser.parse_args(words)
    if not options.folder.is_dir():
        parser.error(f"there is no folder {options.folder}: mkdir {options.folder}")
    if options.what == "show":
        print(*narrate(read(options.folder)), sep="\n")
        return 0
    if not options.command:
        parser.error("no command: cost_table.py run FOLDER STEP COMMAND...")
    return run_step(options.step, options.command, options.folder)


if __name__ == "__main__":
    sys.exit(main())
