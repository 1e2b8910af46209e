"""A life of the ladder as it is installed: every command of the table of commands, as its page types it.

`PYTHON tests/programs/life.py FOLDER` types them in FOLDER, one after another, in the build of that PYTHON.
It ends with status 1 if one of them has another exit code than expected, or does not show that it did its
work, or if a command is missing in STEPS: one that is registered, or an example of the table in
ladder/cli/README.md.  `.ci/life` installs the ladder and calls this.
"""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import NamedTuple

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.documents import PAGES, blocks, rows

DIGEST = r"[0-9a-f]{64}"
PATIENCE = 900.0
"""How long a command may take before it is killed, in seconds: it hangs."""


class Typed(NamedTuple):
    """The output of a command."""

    out: str
    err: str


Check = Callable[[Path, Typed], object]
"""Looks in the folder for what a command did; returns whether that is right."""


class Step(NamedTuple):
    """A command that is typed once."""

    line: str
    """As a page shows it."""
    out: str = ""
    """What its stdout must show: a regular expression."""
    err: str = ""
    """What its stderr must show."""
    typed: str = ""
    """What is typed in place of `line`: smaller numbers, an address that is here."""
    code: int = 0
    before: Callable[[Path], object] | None = None
    """What is done in the folder before."""
    check: Check | None = None
    meanwhile: Callable[[Path, subprocess.Popen[str]], bool] | None = None
    """What is done while the command goes on; then Ctrl-C stops it."""

    @property
    def name(self) -> str:
        """The name of the command, as ladder.cli.commands has it."""
        from ladder.cli.commands import ALIASES, COMMANDS

        first, *rest = self.line.split()[1:]
        both = " ".join([first, *rest[:1]])
        return ALIASES.get(first, both if both in COMMANDS else first)


# -- what is done before a command, and looked at after it


def fill_inbox(folder: Path) -> None:
    """Let a person put the bot of the README into an inbox, by renaming it there."""
    person = folder / "inbox" / "ann"
    person.mkdir(parents=True)
    hidden = person / ".reed.py"
    hidden.write_text(f"{blocks('python')[0]}# of ann\n")
    time.sleep(0.1)
    hidden.rename(person / "reed.py")


def await_link(folder: Path, process: subprocess.Popen[str]) -> bool:
    """Wait until a ladder that never ends has written its site, after its first run."""
    deadline = time.monotonic() + PATIENCE
    while not (folder / "forever" / "index.html").exists():
        if process.poll() is not None or time.monotonic() > deadline:
            return False
        time.sleep(0.2)
    return (folder / "night.md").exists()


def write_submissions(folder: Path) -> None:
    """Write the bot of the README, and a class of four like it, one of them a folder."""
    bot = blocks("python")[0]
    (folder / "my_bot.py").write_text(bot)
    entries = folder / "submissions"
    (entries / "s02").mkdir(parents=True)
    for name in ("s01.py", "s02/bot.py", "s03.py", "stumbler.py"):
        (entries / name).write_text(f"{bot}# {name}\n")
    (entries / "s02" / "bot.toml").write_text('name = "s02"\nrun = ["{python}", "bot.py"]\n')


def make_shards(folder: Path) -> None:
    (folder / "secret.txt").write_text("0123456789abcdef" * 2)
    for shard in ("shard-1", "shard-2"):
        shutil.copytree(folder / "my-ladder", folder / shard)


def install(folder: Path) -> None:
    """Install the game of river-race, as its page says."""
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", folder / "river-race"], check=True)


def has(path: str, text: str = "") -> Check:
    return lambda at, _: text in (at / path).read_text("utf-8")


def games_of(*names: str) -> Check:
    return lambda at, typed: {*names} <= {row["game"] for row in json.loads(typed.out)}


# -- commands that go on until they are stopped


def look_at_server(folder: Path, server: subprocess.Popen[str]) -> bool:
    """Ask a server that has said where it listens for its first page and for one of a game."""
    assert server.stdout
    address = next(found[0] for line in server.stdout if (found := re.search(r"http://[\w.:]+", line)))
    read = urllib.request.build_opener(urllib.request.ProxyHandler({})).open
    first = read(f"{address}/", timeout=60).read().decode()
    game = read(f"{address}/bots.html", timeout=60).read().decode()
    return "<html" in first and "greedy" in game


@contextmanager
def scheduler(folder: Path) -> Iterator[str]:
    """Run a scheduler of Dask; yield its address."""
    file = folder / "scheduler.json"
    options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
    program = [sys.executable, "-m", "distributed.cli.dask_scheduler", *options]
    with subprocess.Popen(program, cwd=folder, env=environment(folder), stderr=subprocess.DEVNULL) as process:
        try:
            wait_until(lambda: file.exists() and file.read_text().endswith("}"))
            yield json.loads(file.read_text())["address"]
        finally:
            process.terminate()


def play_on_worker(folder: Path, worker: subprocess.Popen[str]) -> bool:
    """Play a run on the worker that waits for one."""
    address = json.loads((folder / "scheduler.json").read_text())["address"]
    line = f"ladder run random random-js --game stellar --games 4 --on {address}"
    return "4 of 4 matches" in type_line(folder, line).err


def wait_until(what: Callable[[], bool], seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.05)


# -- the life

BUILT_IN = ("stella-quest", "starry-sky", "stellar", "stella")
SPRING = Step(
    "ladder tournament new spring --game stellar --stages swiss:2+knockout:4 --blocks 2",
    typed="ladder tournament new spring greedy random s02 --game stellar --stages swiss:1+final:2,1"
    " --blocks 1",
    out=r"swiss:1\+final:2,1, about \d+ matches",
    err="SHA-256 of its secret: [0-9a-f]{64}",
)
STEPS = (
    # a home of 1,200 matches: from 500 on, `verify` shares its work among processes
    Step("ladder doctor", out=r"compiled +ok"),
    Step(
        "ladder run --games 10000",
        out="".join(rf"(?=[\s\S]*^{game}  )" for game in BUILT_IN),
        err=r"run 1: (\d+) of \1 matches",
        typed="ladder run --games 100",
    ),
    Step(
        "ladder run random greedy --game stellar --games 1000",
        err="run 2: 1,100 of 1,100 matches",
        typed="ladder run random random-c --game stellar --games 1100",
    ),
    Step("ladder home", out=r"matches +1,2\d\d\n"),
    Step("ladder people add ann --bots 2", out=r"^ldr_[\w-]{43}\n", err="shown once"),
    Step("ladder people renew ann", out=r"^ldr_[\w-]{43}\n"),
    Step("ladder people", out=r"ann +valid"),
    Step("ladder people remove ann", out="removed: ann"),
    # its results
    Step("ladder home verify --repair", out=r"matches +1,[23]\d\d +0\n"),
    Step("ladder home digest --in 1", out=f"^{DIGEST}$", err="matches of run 1"),
    Step("ladder home rate --engine package", out=r"1-?\d? +\w+ +\d"),
    Step("ladder leaderboard --game stella --seats 4", out="stella  4 seats"),
    Step("ladder bots greedy --history --game stellar", out="greedy: (rating|how far above) "),
    Step("ladder matches --bot greedy --lost", out=r"\w+ (won|beat greedy), \d+ : \d+"),
    Step(
        "ladder replay last --html", err=r"wrote match-2-1099.html", check=has("match-2-1099.html", "<html")
    ),
    Step("ladder review last", out=r"lost \d+\.\d+ \+- \d"),
    Step("ladder faults greedy", err="no faults"),
    Step("ladder matrix --top 10", out=r"greedy( +\d+ \d+-\d+)* +-"),
    Step("ladder export seats.parquet --per seat", err="rows in seats.parquet"),
    Step("ladder duel greedy random --game stellar", out="greedy is better"),
    Step("ladder duel", out=r"d1 +duel +greedy"),
    Step("ladder reference --draw-deals final-deals", out=r"deals [0-9a-f]{8} are drawn"),
    Step("ladder play stellar greedy random", out=r"^\w+ beat \w+, \d+ : \d+", err="kept as d2/0"),
    Step("ladder site public", typed="ladder site public --matches 4", check=has("public/index.html")),
    Step(
        "ladder serve --port 8080",
        typed="ladder serve --port 0",
        meanwhile=look_at_server,
    ),
    # bots
    Step("ladder bots --all-versions", out="random-c +1 "),
    Step("ladder bots greedy --game stellar", out="description  Looks one turn ahead"),
    Step("ladder bots ask greedy last 3", out=r"offered +one of"),
    Step("ladder bots diff greedy random --matches 4", err=r"differ: \d+ of \d+ decisions"),
    Step("ladder new python river-rat --game stellar", out="^river-rat$", check=has("river-rat/bot.py")),
    Step("ladder check my_bot.py", out="stella-quest", before=write_submissions),
    Step(
        "ladder try my_bot.py",
        typed='ladder try my_bot.py --game stellar --games 40 -m "the first one"',
        code=5,
        out="my_bot is worse than greedy",
    ),
    Step(
        "ladder push my_bot.py --to https://example.org/ladder/",
        typed="ladder push my_bot.py --to http://127.0.0.1:9/",
        err="there is no token for http://127.0.0.1:9/",
        code=2,
    ),
    Step("ladder submit my_bot.py", out=r"^my_bot@\w{12}$", err="new bot my_bot@1"),
    Step(
        "ladder submit --all submissions",
        out=r"(?s)s01@1.*s02@1.*s03@1.*stumbler@1",
    ),
    Step(
        "ladder inbox inbox",
        typed="ladder inbox inbox --once",
        err=r"ann: reed\.py: new bot reed@1",
        before=fill_inbox,
        check=has("outbox/ann/reed.py.md"),
    ),
    Step(
        "ladder connect https://example.org/ladder mine -- python bot.py",
        code=2,
        err="there is no token for https://example.org/ladder",
    ),
    Step("ladder bots trial --game stella", err="nothing is left to try"),
    Step("ladder bots --similar", err="no two bots have the same program"),
    Step("ladder bots rename s01 alice-bot", err="alice-bot"),
    Step("ladder bots retire stumbler", err="stumbler"),
    Step("ladder bots retire my_bot", err="my_bot"),
    Step("ladder bots activate my_bot@1", err="it plays from the next run on"),
    Step('ladder bots ban my_bot --why "it floods the log"', err="my_bot"),
    Step("ladder bots house remove random-c", err="no longer play: random-c"),
    Step("ladder bots house add random-c", err="house bots that play: 1 of 1"),
    Step("ladder bots feedback greedy", out=r"# `greedy@1`"),
    # games
    Step("ladder games --format json", check=games_of(*BUILT_IN)),
    Step("ladder games stellar", out="^STELLAR"),
    Step("ladder games stellar --to my-bot", check=has("my-bot/stellar/schema.json", '"$defs"')),
    Step("ladder games new river-race", check=has("river-race/README.md")),
    Step("ladder games --format json", before=install, check=games_of("river-race", *BUILT_IN)),
    Step(
        "ladder run --game river-race",
        out="river-race  ",
        err=r"(\d+) of \1 matches, no faults",
        typed="ladder run random alice-bot stumbler s02 --game river-race --games 4",
    ),
    # tournaments
    SPRING,
    Step("ladder tournament remove spring", err="tournament spring is removed"),
    SPRING,
    Step("ladder tournament run spring", out=r"1 +greedy +Final"),
    Step(
        "ladder tournament spring --rounds --format csv",
        out=r"stage,round,table,bot,score,place,blocks,goes_on,display\n(.*\n)*final,final/table,final/table,greedy,",
    ),
    Step("ladder tournament", out=r"spring +stellar +.* over +greedy"),
    Step("ladder tournament", out=r"spring +stellar"),
    Step(
        "ladder tournament new prize --game stellar --stages knockout:4 --hidden",
        typed="ladder tournament new prize greedy random --game stellar --stages final:2,1 --hidden",
        err="SHA-256 of its secret: [0-9a-f]{64}",
    ),
    Step("ladder tournament run prize", err="prize is over, and secret"),
    Step("ladder tournament reveal prize", err="tournament prize: all is revealed"),
    # the home
    Step("ladder home compact", out=r"segments before: \d+, now: \d"),
    Step("ladder home archive term.tar.gz", out=DIGEST, check=lambda at, _: (at / "term.tar.gz").exists()),
    Step("ladder home restore term.tar.gz last-term", out=r"home +last-term"),
    Step("ladder home season spring", err="spring"),
    Step("ladder home init my-ladder", err="made a new ladder in my-ladder"),
    Step("ladder bots house add random random-js --home my-ladder", err="random"),
    *(
        Step(
            f"ladder run --shard {i}/2 --schedule round-robin --seed @secret.txt --games 10000"
            f" --home shard-{i}",
            typed=f"ladder run --shard {i}/2 --schedule round-robin --seed @secret.txt --games 8"
            f" --game stellar --home shard-{i}",
            err="4 of 4 matches",
            before=make_shards if i == 1 else None,
        )
        for i in (1, 2)
    ),
    Step(
        "ladder home merge shard-1 shard-2 --home joined", err="run 1 of joined: 4 blocks, played in 2 shards"
    ),
    # the machine
    Step("ladder selftest L13 B02c", out=r"L13 .* ok\n(?s:.*)B02c .* ok"),
    Step(
        "ladder run --forever --site public --report night.md",
        typed="ladder run --forever 2s --game stellar --site forever --report night.md",
        meanwhile=await_link,
    ),
    Step("ladder tls tls", err="only you can read them", check=has("tls/key.pem", "PRIVATE KEY")),
    Step(
        "ladder worker tcp://192.168.0.1:8786",
        typed="ladder worker {scheduler}",
        meanwhile=play_on_worker,
    ),
    Step(
        "ladder bench --matches 2000",
        out="two workers / one worker",
        typed="ladder bench --matches 100",
    ),
)
"""The commands, in the order of a life."""


def examples() -> dict[str, str]:
    """Return the examples of the table of commands, by the words before its arguments."""
    told = rows(PAGES["ladder/cli/README.md"])
    lines = [re.findall("`([^`]+)`", row[2])[0] for row in told if row[0].startswith("`ladder")]
    return {Step(line).name: line for line in lines}


def problems(steps: tuple[Step, ...] = STEPS) -> list[str]:
    """Return what *steps* lack: commands that are registered or in the table, and examples of the table."""
    from ladder.cli.commands import COMMANDS

    table, typed = examples(), {step.name for step in steps}
    lines = {step.line for step in steps}
    return [
        *(f"ladder {name} is never typed" for name in COMMANDS if name not in typed),
        *(f"the table has no ladder {name}" for name in COMMANDS if name not in table),
        *(f"`{line}`, as the table has it, is never typed" for line in table.values() if line not in lines),
    ]


def environment(folder: Path) -> dict[str, str]:
    """Return the variables of a shell in which the environment of this Python is active."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    kept = {name: value for name, value in os.environ.items() if name[:6] not in ("LADDER", "PYTHON")}
    return kept | {"PATH": path, "TMPDIR": str(folder / "tmp"), "NO_COLOR": "1", "PYTHONUNBUFFERED": "1"}


def type_line(folder: Path, line: str, code: int = 0) -> Typed:
    """Type *line* in *folder*.  Raises AssertionError if its exit code is not *code*."""
    done = subprocess.run(
        shlex.split(line),
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert code == done.returncode, f"{line}: exit code {done.returncode}\n{done.stdout}\n{done.stderr}"
    return Typed(done.stdout, done.stderr)


def take(step: Step, folder: Path, address: str) -> None:
    """Type the command of *step*.  Raises AssertionError if it does not do what it should."""
    if step.before:
        step.before(folder)
    line = (step.typed or step.line).format(scheduler=address)
    if step.meanwhile:
        with subprocess.Popen(
            shlex.split(line), cwd=folder, env=environment(folder), stdout=subprocess.PIPE, text=True
        ) as process:
            hung = Timer(PATIENCE, process.kill)
            hung.start()
            try:
                assert step.meanwhile(folder, process), line
                process.send_signal(signal.SIGINT)
                process.communicate(timeout=60)
            finally:
                hung.cancel()
                process.kill()
        assert process.returncode in (0, 130), f"{line}: exit code {process.returncode}"
        return
    typed = type_line(folder, line, step.code)
    for wanted, found in zip((step.out, step.err), typed, strict=True):
        assert re.search(wanted, found, re.MULTILINE), f"{line}: expected {wanted}, got:\n{found}"
    assert not step.check or step.check(folder, typed), f"{line}\n{typed.out}\n{typed.err}"


def type_all(folder: Path) -> list[str]:
    """Type all commands in *folder*; print how long each took.  Returns what went wrong."""
    wrong = []
    (folder / "tmp").mkdir()
    with scheduler(folder) as address:
        for step in STEPS:
            began = time.monotonic()
            try:
                take(step, folder, address)
            except AssertionError as error:
                wrong.append(str(error))
            print(f"{time.monotonic() - began:7.1f} s  {step.typed or step.line}", flush=True)
    return wrong


def main() -> None:
    if missing := problems():
        raise SystemExit("\n".join(missing))
    # a shell starts what goes on in the background with interrupts ignored, which its children inherit
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if wrong := type_all(Path(sys.argv[1]).resolve()):
        raise SystemExit("\n\n".join(wrong))


if __name__ == "__main__":
    main()
