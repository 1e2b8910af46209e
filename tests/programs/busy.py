"""A very busy machine: submit the tutorial's last bot and have it duel with greedy, beside busy loops.

No fault may be charged, the submission may not be refused (it may be left unjudged, with exit code 8), and
the duel may never say `worse`.  It takes minutes, and slows down all else on the machine:

    .venv/bin/python tests/programs/busy.py [--loops 30] [--nice 15] [--games 24] [--seconds 240]
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NOT_BETTER, UNDECIDED, TOO_BUSY = 5, 6, 8
"""Exit codes of the ladder."""


@contextmanager
def busy(loops: int) -> Iterator[None]:
    """Keep *loops* processes computing meanwhile."""
    running = [subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) for _ in range(loops)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


def last_program() -> str:
    """Return the last program of the tutorial."""
    return re.findall(
        r"^```python\n(.*?)^```$", (ROOT / "bots/TUTORIAL.md").read_text(), re.MULTILINE | re.DOTALL
    )[-1]


def type_command(words: Sequence[str], place: Path, nice: int, seconds: float) -> tuple[int | None, str]:
    """Run `ladder *words*` in *place*; return its exit code, None if it took too long, and what it wrote."""
    command = ["nice", "-n", str(nice), sys.executable, "-m", "ladder", *words]
    began = time.monotonic()
    with subprocess.Popen(
        command, cwd=place, env={**os.environ, "PYTHONPATH": str(ROOT), "LADDER_HOME": str(place / "home")},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    ) as process:  # fmt: skip
        try:
            out, _ = process.communicate(timeout=seconds)
            code: int | None = process.returncode
        except subprocess.TimeoutExpired:
            process.terminate()
            out, code = process.communicate()[0], None
    print(f"$ ladder {' '.join(words)}  # exit {code}, {time.monotonic() - began:.0f} s\n{out}", flush=True)
    return code, out


def try_machine(place: Path, loops: int, nice: int, games: int, seconds: float) -> list[str]:
    """Return what went wrong in *place* beside so many busy *loops*."""
    wrong: list[str] = []
    type_command(["new", "python", "comet", "--game", "stellar"], place, 0, seconds)
    (place / "comet/bot.py").write_text(last_program())
    with busy(loops):
        code, _ = type_command(["submit", "comet"], place, nice, seconds)
        if code == TOO_BUSY:
            code, _ = type_command(["submit", "comet", "--check", "none"], place, nice, seconds)
        elif code not in (0, None):
            wrong.append(f"the submission was refused: exit code {code}")
        duel = ["duel", "comet", "greedy", "--game", "stellar", "--games", str(games), "--seed", "1"]
        code, _ = type_command(duel, place, nice, seconds)
        if code == NOT_BETTER:
            wrong.append("the duel said that it is worse")
    _, told = type_command(["faults", "--format", "json"], place, 0, 60)
    with_json = told[told.find("[") : told.rfind("]") + 1]
    charged = [row for row in json.loads(with_json or "[]") if row.get("charged")]
    wrong += [f"charged: {row['bot']} {row['kind']}: {row['reason']}" for row in charged]
    return wrong


def main() -> None:
    """Read the command line, and print what went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in (("loops", 30), ("nice", 15), ("games", 24), ("seconds", 240)):
        parser.add_argument(f"--{name}", type=int, default=default)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        wrong = try_machine(Path(place), wanted.loops, wanted.nice, wanted.games, wanted.seconds)
    print("\n".join(wrong) or "nothing went wrong")
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
