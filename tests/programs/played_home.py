"""Play the home that tests of reading commands share, and keep it as data in tests/data/played.

    .venv/bin/python tests/programs/played_home.py

A test plays it again and compares.  Run this again after a change to what is stored, printed or played.
"""

import shutil
import sys
import tempfile
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.command_line import HOME, PLAYED, Said, run_apart
from support.places import ROOT
from support.taken_in import take_in

from ladder.home.home import create_home

STUMBLER = """\
from protocol.client import serve

def choose(act):
    return "take 9" if act.seed % 9 == 0 and act.step > 2 else act.rng.choice(act.choice.options)

serve(choose)
"""


def play(home: Path) -> Said:
    """Make a home with three bots, one of which faults now and then, and play a run of 202 matches."""
    roster = create_home(home).roster
    stumbler = home.parent / "stumbler.py"
    stumbler.write_text(STUMBLER)
    for path in (ROOT / "bots/greedy", ROOT / "bots/random", stumbler):  # no check: the last would fail it
        take_in(roster, path)
    command = ["run", "--game", "stellar", "--games", "201", "--seed", "1", "--sandbox", "none"]
    said = run_apart(*command, "--home", home, cwd=home.parent)
    return said._replace(out=said.out.replace(str(home), HOME), err=said.err.replace(str(home), HOME))


def main() -> None:
    """Play it, and write what is kept of it."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder, "home")
        said = play(home)
        if said.code:
            sys.exit(said.err)
        PLAYED.mkdir(parents=True, exist_ok=True)
        shutil.make_archive(str(PLAYED / "home"), "zip", home)
    (PLAYED / "stdout.txt").write_text(said.out, "utf-8")
    (PLAYED / "stderr.txt").write_text(said.err, "utf-8")


if __name__ == "__main__":
    main()
