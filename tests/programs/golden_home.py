"""Play a small home by this version, and keep it as data in tests/data/homes.

    .venv/bin/python tests/programs/golden_home.py

Each release has one.  Later versions open, verify, continue, archive and show it, and the golden texts
(golden_texts.py) are those of the newest.  A home that is there stays as it is.

A home stores where the sources of its house bots lie, and faults quote it: play it from /opt/ladder.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
HOMES = TESTS / "data" / "homes"
FIELD = ("greedy", "bold", "careful", "random", "stumbler", "talker")
ODD = "</td><script>alert(1)</script>|`=1+1`"
"""What a bot may write wherever it may write."""
BOTS = {
    "stumbler": """\
from protocol.client import serve

def choose(act):
    if act.seed % 5 == 0 and act.step > 2:
        raise ValueError("lost <count> | at " + __file__)
    return act.rng.choice(act.choice.options) if act.choice.kind != "some" else \\
        act.rng.sample(act.choice.options, act.choice.low)

serve(choose)
""",
    "talker": f"""\
from protocol.client import serve

def choose(act):
    some = act.choice.kind == "some"
    move = act.choice.options[:act.choice.low] if some else act.choice.options[0]
    return move, {ODD!r}

serve(choose)
""",
}


def play(home: Path) -> None:
    """Play a home in a folder that is not there yet: runs, duels, tournaments, faults, odd notes."""
    env = {**os.environ, "LADDER_HOME": str(home)}
    program = [sys.executable, "-m", "ladder"]

    def ladder(*words: str, codes: tuple[int, ...] = (0,)) -> str:
        command = [*program, *words]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        if done.returncode not in codes:
            sys.exit(f"ladder {' '.join(words)}: {done.stdout}{done.stderr}")
        return done.stdout

    ladder("home", "init", str(home))
    with tempfile.TemporaryDirectory() as folder:
        for name, script in BOTS.items():
            bot = Path(folder, name)
            bot.mkdir()
            (bot / "main.py").write_text(script)
            told = {"name": name, "run": ["{python}", "main.py"], "author": f"Ann {ODD}", "description": ODD}
            lines = [f"{key} = {json.dumps(value)}" for key, value in told.items()]
            (bot / "bot.toml").write_text("\n".join(lines))
            ladder("submit", str(bot), "--check", "none", "-m", f"first {ODD}")
        changed = Path(folder, "talker", "main.py")
        changed.write_text(BOTS["talker"].replace("options[0]", "options[-1]"))
        ladder("submit", str(changed.parent), "--check", "none", "-m", "the last in place of the first")
    none = ("--sandbox", "none")
    ladder("run", *FIELD, "dreamer", "--games", "100", "--seed", "1", *none)
    ladder("home", "season", "new", "winter", codes=(0, 2))
    ladder("run", *FIELD, "--game", "stellar", "--games", "60", "--seed", "2", *none)
    duel = ("--game", "stellar", "--games", "128", "--seed", "3", *none)
    ladder("duel", "greedy", "random", *duel, codes=(0, 5, 6))
    ladder("duel", "bold", "greedy", "--margin", "2.5", *duel, codes=(0, 5, 6))
    if "tournament" in ladder("--help"):
        few = ("--blocks", "1", "--seed", "4")
        for name, *how in (
            ("spring", "--game", "stellar", "--stages", "swiss:2+knockout:4"),
            ("summer", "--game", "stella", "--seats", "3", "--stages", "groups:2,2+final:3,2"),
            ("autumn", "--game", "stellar", "--stages", "double-knockout:4"),
            ("league", "--game", "stella-quest", "--stages", "round-robin"),
            ("hidden", "--game", "stellar", "--stages", "knockout:4", "--hidden"),
        ):
            ladder("tournament", "new", name, *FIELD, *how, *few, *none)
            ladder("tournament", "run", name)
        ladder("tournament", "new", "planned", *FIELD, "--game", "stellar", *few, *none)
        ladder("review", "1/1", codes=(0, 2, 3))
        ladder("review", "--bot", "greedy", "--game", "stellar", "--matches", "4")
    stopped = [*program, "run", *FIELD[:2], "--game", "stellar", "--games", "400", "--seed", "5", *none]
    with subprocess.Popen(stopped, env=env, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        for line in process.stderr:
            if "can know every card" in line:
                time.sleep(0.4)
                process.send_signal(signal.SIGINT)
    if process.returncode != 130:
        sys.exit("the last run was over before it could be stopped: run this again")


def main() -> None:
    """Play it, and write what is kept of it."""
    version = sys.argv[1] if sys.argv[1:] else ""
    if not version:
        from ladder.machine.installation import __version__ as version
    file = HOMES / f"{version}.tar.xz"
    if file.exists():
        sys.exit(f"{file} is there already, and stays")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder, "home")
        play(home)
        HOMES.mkdir(parents=True, exist_ok=True)
        shutil.make_archive(str(HOMES / version), "xztar", home)
    print(f"{file}: {file.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
