"""A small bot for tests, as a program and as a script, and an executor that plays by such scripts."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from ladder.contest.blocks import PlannedBlock
from ladder.live import asked_bot
from ladder.process.masks import Masks
from ladder.process.seat_kinds import SeatKind
from ladder.run import playing, ratings
from ladder.run.executors.base import Executor, FinishedBlock, Result
from ladder.worker.starter import Starter
from ladder.worker.worker import Worker
from ladder.worker.worker_messages import Setup
from results.record import encode_block
from support.scripted import Deed, Exit, Say, Script, ScriptedBot, Timeline

PLAYER = """\
import json, os, signal, sys, time

config = {}
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        config = message["config"]
        if config.get("sin") == "start":
            sys.exit(3)
        ready = {"parallel": config.get("parallel", 1), "view": config.get("view", "none")}
        print(json.dumps({"type": "ready", "protocol": 1, **ready}), flush=True)
    elif message["type"] == "act":
        seed, step, choice = message["seed"], message["step"], message["choice"]
        any_turn = (seed // 7 + 31 * step) % len(choice["options"])
        turn = {"first": 0, "last": -1}.get(config.get("style"), any_turn)
        turned = choice["options"][turn:] + choice["options"][:turn]
        move = turned[0] if choice["kind"] == "one" else turned[: choice["low"]]
        if "sin" in config and step >= 3 and seed % config.get("one_in", 1) == 0:
            if config["sin"] == "exit":
                sys.exit(3)
            if config["sin"] == "kill":
                os.kill(os.getppid(), signal.SIGKILL)
            if config["sin"] == "cheat":
                move = "cheat"
        time.sleep(config.get("sleep", 0))
        answer = {"id": message["id"], "move": move}
        if "note" in config:
            answer["note"] = config["note"]
        print(json.dumps(answer), flush=True)
    elif message["type"] == "end" and config.get("sin") == "greet":
        print("good game", flush=True)
if config.get("stays"):
    time.sleep(600)
"""
"""A bot of one page; its `config` says how it plays, and what it does wrong.

Its argument, if it has one, is a mark by which a test finds its processes.
"""
ANSWER_MS = 0.2
"""How long a PLAYER thinks, in the time of scripts."""


class Here(Executor):
    """An executor that plays in this process, in the order of the plan or in one that *shuffle* gives.

    Each bot must be a PLAYER: it is played by a script, without a process, and only waiting moves its clock.
    A shuffled run has chunks of two blocks: their length must not follow how fast this machine is, or a run
    would have another order each time.
    """

    def __init__(self, setup: Setup, shuffle: Random | None = None) -> None:
        super().__init__()
        self.chunk_s = 0.0 if shuffle else 0.25
        timeline = Timeline()
        self.worker = Worker(setup, clock=timeline.clock, seats=_seats(setup, timeline))
        self.queue: deque[Sequence[PlannedBlock]] = deque()
        self.shuffle = shuffle
        self.submitted: list[list[int]] = []
        self.unpinned = False

    def room(self) -> int:
        return max(0, 8 - len(self.queue))

    def choose(self, blocks: Iterable[PlannedBlock]) -> int:
        return self.shuffle.randrange(len([*blocks])) if self.shuffle else 0

    def submit(self, blocks: Sequence[PlannedBlock], *, alone: bool = False, charge: str = "") -> None:
        self.queue.append(blocks)
        self.submitted.append([block.number for block in blocks])

    def results(self, timeout: float) -> list[Result]:
        if self.shuffle:
            self.shuffle.shuffle(self.queue)
        if not self.queue:
            return []
        played = self.worker.play(self.queue.popleft())
        return [FinishedBlock(block.number, encode_block(block)) for block in played]

    def parallel(self, block: PlannedBlock) -> int:
        return 2 if self.shuffle else 1

    def unpin(self) -> None:
        self.unpinned = True

    def outlays(self) -> list[dict[str, Any]]:
        return [self.worker.outlays()]

    def close(self) -> None:
        self.worker.close()


def _seats(setup: Setup, timeline: Timeline) -> dict[str, SeatKind]:
    """Return the seat of each bot by the id of its version."""
    there = [bot for bot in setup.bots if Path(bot.folder).is_dir()]
    for bot in there:
        programs = [file.read_text() for file in Path(bot.folder).glob("*.py")]
        assert any(text.startswith(PLAYER) for text in programs), f"{bot.id} has no script"
    scripts = {bot.id: _script(bot.manifest.config) for bot in there}
    reports = {bot.id: bot.manifest.network for bot in there}
    return {
        bot: SeatKind(partial(ScriptedBot, timeline, script), reports=reports[bot])
        for bot, script in scripts.items()
    }


def _script(config: dict[str, Any]) -> Script:
    """Return the script of a bot that does what PLAYER does.

    A script with `only` in its `config` ends at tables of other sizes.
    """
    more = {"parallel": config.get("parallel", 1), "view": config.get("view", "none")}

    def say(message: dict[str, Any], after_ms: float = 0.0) -> Say:
        return Say(msgspec.json.encode(message) + b"\n", after_ms)

    def play(lines: list[bytes]) -> Iterator[Deed]:
        late_ms = 0.0
        for line in lines:
            message = msgspec.json.decode(line)
            match message["type"], config.get("sin"):
                case "hello", "start":
                    yield Exit(3)
                case "hello", _:
                    yield say({"type": "ready", "protocol": 1} | more)
                case "start", _ if message["seats"] not in config.get("only", [message["seats"]]):
                    yield Exit(3)
                case "act", sin:
                    late_ms += config.get("sleep", 0) * 1000 + ANSWER_MS
                    sins = sin and message["step"] >= 3 and message["seed"] % config.get("one_in", 1) == 0
                    if sins and sin == "exit":
                        yield Exit(3, late_ms)
                    move = "cheat" if sins and sin == "cheat" else chosen(message, config.get("style"))
                    note = {"note": config["note"]} if "note" in config else {}
                    yield say({"id": message["id"], "move": move} | note, late_ms)
                case "end", "greet":
                    yield Say(b"good game\n")

    return play


def chosen(act: dict[str, Any], style: str | None) -> Any:
    """Return the move of a bot with *style* as PLAYER chooses it."""
    choice = act["choice"]
    any_turn = (act["seed"] // 7 + 31 * act["step"]) % len(choice["options"])
    turn = {"first": 0, "last": -1}.get(style or "", any_turn)
    turned = choice["options"][turn:] + choice["options"][:turn]
    return turned[0] if choice["kind"] == "one" else turned[: choice["low"]]


HERE = playing.Means(open_executor=lambda setup: closing(Here(setup)))
"""Means of sessions that need no workers."""


def play_commands_here(patch: pytest.MonkeyPatch) -> None:
    """Let `ladder run` and its like, where they run in this process, play in it, too, as Here does."""
    patch.setattr(playing, "_local", lambda *_: HERE.open_executor)


def ask_here(patch: pytest.MonkeyPatch) -> None:
    """Let bots that are asked again be scripts, as those of Here are."""
    timeline = Timeline()

    def start(setup: Setup, processes: int, masks: Masks) -> Starter:
        return Starter(setup, processes, masks, _seats(setup, timeline), clock=timeline.clock)

    patch.setattr(asked_bot, "Starter", start)
    patch.setattr(asked_bot, "AskedBot", partial(asked_bot.AskedBot, clock=timeline.clock))


def rate_here(patch: pytest.MonkeyPatch) -> None:
    """Let runs be rated in this process while they go on, too: ladder.machine.pool.Aside answers at once."""

    def rate(work: Callable[[Any], Any], task: Any) -> SimpleNamespace:
        return SimpleNamespace(answer=partial(work, task), end=lambda: None)

    patch.setattr(ratings, "Aside", rate)
