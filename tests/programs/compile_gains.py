"""Measure what each package of compiled modules costs to compile, and what it brings to commands.

    nice -n 10 .venv/bin/python tests/programs/compile_gains.py --rounds 5
    nice -n 10 .venv/bin/python tests/programs/compile_gains.py --only --more 'drawing.py' 'text.py'

The ladder is compiled without each group of modules in turn.  The table has, for each, the seconds of CPU
time that compiling takes less without it, and how much more each command takes; --more adds a row of modules
that the project leaves interpreted, and --only measures no other.  Commands take turns, and their medians are
compared.  It takes a compilation for each row, and a minute for each row and round.
"""

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from pathspec import GitIgnoreSpec

from ladder.dev.benchmark.starts import PROGRAM, spend
from ladder.machine.build import PACKAGES, RECORD, Build

ROOT = Path(__file__).resolve().parents[2]
MATCHES = {"starry-sky": 4, "stella": 4, "stella-quest": 2, "stellar": 2}
"""The games, and the seats of the match that is looked at of each."""


GROUPS = {
    "engines": ("engines",),
    "referee": ("ladder/contest", "ladder/process", "ladder/referee", "protocol"),
    "fits": ("results",),
    "pages": ("ladder/web",),
}
"""The folders of each row: modules that call each other all the time."""


def project_modules(more: Sequence[str] = ()) -> list[str]:
    """Return the modules that pyproject.toml names to compile, and those that match *more*."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    hook = project["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]
    wanted, left = (GitIgnoreSpec.from_lines(hook[name]) for name in ("include", "exclude"))
    never = GitIgnoreSpec.from_lines(["__init__.py", "/engines/contract", "/engines/template"])
    added = GitIgnoreSpec.from_lines(more)
    files = [str(path.relative_to(ROOT)) for name in PACKAGES for path in (ROOT / name).rglob("*.py")]
    return sorted(
        file
        for file in files
        if (wanted.match_file(file) and not left.match_file(file))
        or (added.match_file(file) and not never.match_file(file))
    )


def build(modules: Sequence[str], folder: Path) -> float:
    """Make in *folder* an installation with *modules* compiled; return the seconds of CPU of compiling."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as made:
        command = [sys.executable, "-B", "-m", "ladder.dev.compiler.compile_modules", made, "-O1", *modules]
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        for name in (*PACKAGES, "bots"):
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
        shutil.copytree(Path(made, "wheel"), folder, dirs_exist_ok=True)
    (folder / RECORD).write_text(Build(True, "for a measurement").to_text())
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def ladder(installation: Path, *words: str) -> float:
    """Return the seconds of CPU that a command takes, with all that it starts."""
    os.environ["PYTHONPATH"] = str(installation)
    return spend((*PROGRAM, *words)).cpu


def measure(installation: Path, home: Path, matches: Sequence[str], games: int) -> dict[str, float]:
    """Return the seconds of CPU of each command; *matches* of *home* are looked at."""
    there = ("--home", str(home))
    with tempfile.TemporaryDirectory() as folder:
        new = ("--seed", "1", "--games", str(games), "--home", str(Path(folder, "home")))
        return {
            f"`run --games {games}`": ladder(installation, "run", *new),
            "`leaderboard`": ladder(installation, "leaderboard", *there),
            "`replay --html`": sum(
                ladder(installation, "replay", match, "--html", f"{folder}/", *there) for match in matches
            ),
            "`review`": sum(
                ladder(installation, "review", match, "--worlds", "8", *there)
                for match in matches
                if match != matches[1]  # Stella has no judge for such a table
            ),
        }


def find_matches(installation: Path, home: Path) -> list[str]:
    """Return the newest match of each game in *home* between house bots that think."""
    command = [sys.executable, *PROGRAM, "matches", "--format", "csv", "--top", "1000", "--home", str(home)]
    environment = os.environ | {"PYTHONPATH": str(installation)}
    listed = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    lines = [line for line in listed.splitlines() if "greedy" in line and "random" not in line]
    of_game = {game: [line for line in lines if f",{game}," in line] for game in MATCHES}
    return [
        next(line.split(",")[0] for line in found if line.count("@") == MATCHES[game])
        for game, found in of_game.items()
    ]


def print_table(costs: Mapping[str, float], spent: Mapping[str, list[dict[str, float]]]) -> None:
    """Print what each row costs, and how much more each command takes without it."""
    commands = list(spent["all"][0])
    print("| compiled | seconds |", " | ".join(commands), "|")
    print("|---|---|" + "---|" * len(commands))
    for row, cost in costs.items():
        cells = [f"{costs['all'] - cost if row != 'all' else cost:.0f}"]
        for command in commands:
            both = zip(spent[row], spent["all"], strict=True)
            more = statistics.median(without[command] / full[command] - 1 for without, full in both)
            took = statistics.median(full[command] for full in spent["all"])
            cells.append(f"{took:.1f} s" if row == "all" else f"{100 * more:.0f} %")
        print("|", row, "|", " | ".join(cells), "|", flush=True)


def main(words: Sequence[str] | None = None) -> None:
    """Build, measure, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="of the commands")
    parser.add_argument("--games", type=int, default=1000, metavar="N", help="of each run")
    parser.add_argument("--more", nargs="+", default=(), metavar="PATTERN", help="modules to compile as well")
    parser.add_argument("--only", action="store_true", help="measure those alone")
    asked = parser.parse_args(words)
    usual, modules = project_modules(), project_modules(asked.more)
    rows = {name: [module for module in usual if module.startswith(of)] for name, of in GROUPS.items()}
    if asked.only:
        rows = {}
    if added := sorted(set(modules) - set(usual)):
        rows["more"] = added
    with tempfile.TemporaryDirectory(prefix="compile-gains-") as folder:
        os.chdir(folder)
        places = {row: Path(folder, row) for row in ("all", *rows)}
        costs = {
            row: build([module for module in modules if module not in rows.get(row, ())], place)
            for row, place in places.items()
        }
        home = Path(folder, "home")
        ladder(places["all"], "run", "--seed", "1", "--games", "1000", "--home", str(home))
        matches = find_matches(places["all"], home)
        spent: dict[str, list[dict[str, float]]] = defaultdict(list)
        for number in range(asked.rounds):
            for row, place in places.items():
                print(f"round {number + 1}: {row}", file=sys.stderr)
                spent[row].append(measure(place, home, matches, asked.games))
        print_table(costs, spent)


if __name__ == "__main__":
    main()
