"""A term with a class of bots: two nights with submissions, some of them broken, and a ban.

`python tests/programs/term.py` goes through it with 60 students, in a temporary folder, and prints how long
each step took.  `--size 12 --broken 3 --games 60` is a small one; `--keep FOLDER` keeps all files.  Every
step types the commands that a teacher types and checks their answers; a step that fails ends the program.
"""

import argparse
import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2])]

from support.class_of_bots import Class, hand_in, languages_here, write_bot

SETTINGS = '[run]\ngames = ["stellar"]\n[limits]\nmove_ms = 1000\nbank_ms = 2000\n'
BANNED = "it reads the files of other bots"
IMPROVED = 4
"""The students who hand in a better bot each night."""


@dataclass
class Term:
    """A term: a class, a home, and what was done so far."""

    group: Class
    folder: Path
    """The folder of the whole term."""
    games: int
    """The most matches of a night."""
    seconds: int
    """The longest that a night may take."""
    took: dict[str, float] = field(default_factory=dict)
    """Seconds, by step."""

    def ladder(self, *arguments: str | Path, code: int | Sequence[int] = 0) -> str:
        """Type a command of the ladder in the folder of the term; return what it prints on stdout.

        Raises AssertionError if it does not end with *code*.
        """
        program = Path(sys.executable).with_name("ladder")
        done = subprocess.run(
            [str(program), *map(str, arguments)],
            cwd=self.folder,
            env=os.environ | {"LADDER_HOME": str(self.folder / "home")},
            capture_output=True,
            text=True,
            check=False,
        )
        codes = [code] if isinstance(code, int) else code
        assert done.returncode in codes, f"{arguments}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def step(self, name: str, what: Callable[[], object]) -> None:
        """Do *what*, and note how long it took."""
        began = time.monotonic()
        shown = what()
        self.took[name] = time.monotonic() - began
        print(f"{self.took[name]:7.1f} s  {name}{f': {shown}' if shown else ''}", flush=True)


def begin(folder: Path, size: int, broken: int, games: int, seconds: int) -> Term:
    """Return a term of a class of *size* in *folder*, before its first night."""
    term = Term(hand_in(folder / "submissions", size, broken), folder, games, seconds)
    term.ladder("home", "init", "home")
    (folder / "home" / "ladder.toml").write_text(SETTINGS)
    term.ladder("bots", "house", "remove")
    return term


def go_through(term: Term) -> None:
    """Go through *term*."""
    students = len(term.group.students)
    print(f"{students} submissions in {', '.join(languages_here())}", flush=True)
    term.step("first submissions", lambda: check_submissions(term, 1, first_results(term)))
    term.step("first night", lambda: play(term, 1))
    term.step("what the malicious bot got through with", lambda: check_malice(term))
    term.step("ban", lambda: ban(term))
    expected = second_results(term)
    term.step("second submissions", lambda: check_submissions(term, 2, expected))
    term.step("second night", lambda: play(term, 2))
    print(f"{sum(term.took.values()):7.1f} s  in all")


# -- submissions


def check_submissions(term: Term, night: int, expected: dict[str, str]) -> str:
    """Submit the whole folder; compare the answers with those *expected*, by entry: a result or a reason."""
    pages = term.folder / f"answers-{night}"
    refused = [said for said in expected.values() if said not in RESULTS]
    told = term.ladder("submit", "--all", "submissions", "--pages", pages, "--format", "csv")
    rows = {Path(row["submission"]).name: row for row in csv.DictReader(io.StringIO(told))}
    assert expected.keys() == rows.keys()
    for entry, said in expected.items():
        row = rows[entry]
        if said in RESULTS:
            assert said == row["result"], row
        else:
            assert "refused" == row["result"], row
            assert said in f"{row['why']}; {row['hint']}", row
            assert row["hint"], row
        page = (pages / f"{entry}.md").read_text()
        assert ("Refused." in page) == (said not in RESULTS), page
        assert str(term.folder) not in page, page
    return f"{len(rows) - len(refused)} of {len(rows)} accepted"


RESULTS = ("new bot", "new version", "unchanged")


def first_results(term: Term) -> dict[str, str]:
    """Return what the first submission of each student must become, by entry."""
    return {student.entry: student.said or "new bot" for student in term.group.students}


def second_results(term: Term) -> dict[str, str]:
    """Correct all broken bots but one, let some students hand in better ones; return what must come of it.

    The student who used another's name takes a name of their own, the malicious one hands in once more.
    """
    results = dict.fromkeys((student.entry for student in term.group.students), "unchanged")
    broken = [student for student in term.group.students if student.said]
    for student in broken[1:]:
        results.pop(student.entry)
        own = student.entry.partition(".")[0]
        replace_bot(term, student.entry, own)
        results[own] = "new bot"
    results[broken[0].entry] = broken[0].said
    for student in term.group.accepted[:IMPROVED]:
        results.pop(student.entry)
        replace_bot(term, student.entry, student.bot, student.language, skill=10)
        results[student.bot] = "new version"
    malicious = term.group.students[-1].entry
    (term.folder / "submissions" / malicious / "more.txt").write_text("Please let me in again.")
    results[malicious] = BANNED
    return results


def replace_bot(term: Term, entry: str, name: str, language: str = "Python", skill: int = 5) -> None:
    """Replace the submission *entry* by a folder with a bot that plays, called *name*."""
    old = term.folder / "submissions" / entry
    if old.is_file():
        old.unlink()
    write_bot(old.with_name(name), name, language, skill)


# -- nights


def play(term: Term, night: int) -> str:
    """Play a nightly run with both limits; check that it kept to them."""
    told = json.loads(
        term.ladder("run", "--games", str(term.games), "--for", f"{term.seconds}s", "--json", "-j", "2")
    )
    assert night == told["run"]
    matches = rows_of(term, "matches", "--in", str(night), "-n", str(2 * term.games))
    assert 0 < len(matches) <= term.games + 1
    return f"{len(matches)} matches"


def rows_of(term: Term, *arguments: str) -> list[dict[str, Any]]:
    """Return the rows that a command prints as JSON."""
    rows: list[dict[str, Any]] = json.loads(term.ladder(*arguments, "--format", "json"))
    return rows


def check_malice(term: Term) -> str:
    """Look into the notes of the malicious bot for what it got through with: nothing if it is confined."""
    name = term.group.students[-1].bot
    match = rows_of(term, "matches", "--bot", name, "-n", "1")[0]
    told = term.ladder("replay", match["match"], "--json")
    (done,) = set(re.findall(r'"done: ([a-z ]*)"', told))
    tier = json.loads(told)["sandbox"]
    assert tier == "none" or done == "", done
    return f"{done or 'nothing'} (tier {tier})"


def ban(term: Term) -> None:
    """Ban the malicious bot; check that it plays nowhere."""
    name = term.group.students[-1].bot
    term.ladder("bots", "ban", name, "--why", BANNED)
    assert name not in [row["bot"] for row in rows_of(term, "bots")]
    other = term.group.students[0].bot
    told = term.ladder("run", name, other, "--games", "2", code=[1, 2, 3])
    assert "" == told


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--size", type=int, default=60, help="students (60)")
    parser.add_argument("--broken", type=int, default=10, help="broken submissions among them (10)")
    parser.add_argument("--games", type=int, default=2000, help="the most matches of a night (2000)")
    parser.add_argument("--seconds", type=int, default=600, help="the longest time of a night (600)")
    parser.add_argument("--keep", type=Path, help="a new folder for all files, which is not removed")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ladder-term-") as temporary:
        folder = (asked.keep or Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        go_through(begin(folder, asked.size, asked.broken, asked.games, asked.seconds))


if __name__ == "__main__":
    main()
