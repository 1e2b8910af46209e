"""Scripted bots that misbehave, and the stage on which they play: no process, no waiting."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from ladder.process.seat_kinds import SeatKind
from ladder.process.spawn import CannotStart
from ladder.registry.version import Version
from ladder.worker.worker_messages import Setup
from results.record import Block, Match
from support.scripted import CloseStdout, Deed, Exit, Log, Say, ScriptedBot, Spend, Timeline
from support.seating import Hall, setup_for

Message: TypeAlias = dict[str, Any]
READY: Message = {"type": "ready", "protocol": 1}


def say(message: Message, **more: Any) -> Say:
    """Write a message as a line; *more* is what Say takes."""
    return Say(json.dumps(message).encode() + b"\n", **more)


class Manners:
    """The script of a bot without a fault: it does what tests/bad_bots/manners.py does."""

    parallel = 1

    def __init__(self, now: Callable[[], int]) -> None:
        self.now = now
        self.config: Message = {}
        self.lines: list[bytes] = []
        """All that it has read."""
        self.number = 0
        """Stands for its process id."""
        self.decisions = 0
        self.of_match: Counter[str] = Counter()
        """How many decisions it was asked for, in all and by match."""

    def __call__(self, lines: Sequence[bytes]) -> Iterable[Deed]:
        for line in lines:
            self.lines.append(line)
            message = json.loads(line)
            kind = message["type"]
            if kind == "act":
                self.decisions += 1
                self.of_match[message["match"]] += 1
            if kind != "bye":
                yield from getattr(self, kind)(message)

    def hello(self, message: Message) -> Iterable[Deed]:
        self.config = message["config"]
        more = {"parallel": self.parallel} if self.parallel > 1 else {}
        yield say({**READY, **more, **self.config.get("ready", {})})

    def start(self, message: Message) -> Iterable[Deed]:
        return ()

    def act(self, act: Message) -> Iterable[Deed]:
        yield say(self.answer(act))

    def end(self, message: Message) -> Iterable[Deed]:
        return ()

    def answer(self, act: Message, **more: Any) -> Message:
        """Return a decent answer, which follows from seed and step."""
        return decent(act) | {"note": str(self.number)} | self.config.get("answer", {}) | more


Cast: TypeAlias = Callable[[Callable[[], int]], Manners]
"""Returns the script of a new process, which is told how to tell the time."""


def at_first(sinner: Cast) -> Cast:
    """Let the first process of a bot follow the script of *sinner*; those after it have no fault."""
    cast = iter([sinner])
    return lambda now: next(cast, Manners)(now)


def decent(act: Message) -> Message:
    """Return an answer that is as good as any."""
    choice = act["choice"]
    turn = (act["seed"] + act["step"]) % len(choice["options"])
    turned = choice["options"][turn:] + choice["options"][:turn]
    return {"id": act["id"], "move": turned[0] if choice["kind"] == "one" else turned[: choice["high"]]}


Sin: TypeAlias = Callable[[Message], Iterable[Deed]]


def at_decision(number: int, sin: Sin) -> type[Manners]:
    """Return the script of a bot that sins at a decision, and does nothing from then on."""

    class Sinner(Manners):
        def act(self, act: Message) -> Iterable[Deed]:
            if self.decisions < number:
                yield from super().act(act)
            elif self.decisions == number:
                yield from sin(act)

    return Sinner


def in_some(sin: Sin) -> type[Manners]:
    """Return the script of a bot that sins in every third match or so, at the decision of its config."""

    class Sinner(Manners):
        parallel = 8

        def act(self, act: Message) -> Iterable[Deed]:
            sins = act["seed"] % 3 == 0 and self.of_match[act["match"]] == self.config.get("decision", 2)
            return sin(act) if sins else super().act(act)

    return Sinner


def hearing(**deeds: Sequence[Deed]) -> type[Manners]:
    """Return the script of a bot that always does the same when it hears a message of one of these kinds."""
    methods = {kind: lambda self, message, done=done: done for kind, done in deeds.items()}
    return type("Hearing", (Manners,), methods)


def answers(**changes: Any) -> Sin:
    """Answer with *changes* to a decent answer."""
    return lambda act: [say(decent(act) | changes)]


def line_of(act: Message) -> bytes:
    return json.dumps(decent(act)).encode() + b"\n"


class Thinks(Manners):
    def act(self, act: Message) -> Iterable[Deed]:
        long = act["step"] in self.config.get("steps", [act["step"]])
        yield say(self.answer(act), after_ms=self.config["ms"] if long else 0)


class StartsSlowly(Manners):
    def hello(self, message: Message) -> Iterable[Deed]:
        return [deed._replace(after_ms=500) for deed in super().hello(message)]


class AnswersWithAnEarlierId(Manners):
    first = ""

    def act(self, act: Message) -> Iterable[Deed]:
        self.first = self.first or act["id"]
        return [say(decent(act) | {"id": self.first})] if self.decisions <= 2 else ()


class LogsEachStep(Manners):
    matches = steps = 0

    def hello(self, message: Message) -> Iterable[Deed]:
        return [Log(b"loaded\n"), *super().hello(message)]

    def start(self, message: Message) -> Iterable[Deed]:
        self.matches, self.steps = self.matches + 1, 0
        return ()

    def act(self, act: Message) -> Iterable[Deed]:
        self.steps += 1
        yield Log(f"match {self.matches}, step {act['step']}\n".encode())
        ends = self.matches == self.config.get("matches", 2) and self.steps == 3
        yield Exit(4) if ends else say(self.answer(act))

    def end(self, message: Message) -> Iterable[Deed]:
        return [Log(b"that was a match\n")]


class TriesAgain(Manners):
    wrong = 0

    def act(self, act: Message) -> Iterable[Deed]:
        self.wrong = self.wrong + 1 if "retry" in act else 0
        wrong = self.wrong < self.config["wrong"]
        after_ms = self.config.get("ms", 0)
        yield say({"id": act["id"], "move": "nonsense"} if wrong else self.answer(act), after_ms=after_ms)


class ThinksByACoin(Manners):
    def act(self, act: Message) -> Iterable[Deed]:
        coin = Random(act["id"]).random() < 0.5
        ms = self.config["ms"] if coin and act["choice"]["options"][0] == "bid 1" else 0
        yield Spend(cpu_us=1000 * ms)
        yield say(self.answer(act, note=str(int(ms > 0))), after_ms=ms)


class TimesItsRequests(Manners):
    said_ns = 0

    def act(self, act: Message) -> Iterable[Deed]:
        gap_ns, self.said_ns = self.now() - self.said_ns, self.now()
        yield say(self.answer(act, note=str(gap_ns // 1_000_000)))


class TellsTheOrder(Manners):
    """Notes when it was asked: the how-manieth of all requests at its table."""

    asked = 0

    def act(self, act: Message) -> Iterable[Deed]:
        TellsTheOrder.asked += 1
        yield say(self.answer(act, note=str(TellsTheOrder.asked)))


class AnswersBackwards(Manners):
    def __call__(self, lines: Sequence[bytes]) -> Iterable[Deed]:
        self.lines += lines
        messages = [json.loads(line) for line in lines]
        acts = [message for message in messages if message["type"] == "act"]
        for act in reversed(acts):
            yield say(self.answer(act, note=str(len(acts))))
        for message in messages:
            if message["type"] == "hello":
                yield from self.hello(message)


class ExitsAmongSeveral(Manners):
    parallel = 8
    playing = 0

    def start(self, message: Message) -> Iterable[Deed]:
        self.playing += 1
        return [Exit(8)] if self.playing == 3 else ()

    def end(self, message: Message) -> Iterable[Deed]:
        self.playing -= 1
        return ()


def _drip(act: Message) -> Iterable[Deed]:
    return [Say(bytes([byte]), after_ms=20 * n) for n, byte in enumerate(line_of(act)[:-1])]


def _twice(act: Message) -> Iterable[Deed]:
    return [Say(2 * line_of(act))]


def _key_twice(act: Message) -> Iterable[Deed]:
    answer = decent(act)
    line = f'{{"id":"{answer["id"]}","move":"{answer["move"]}","move":"{answer["move"]}"}}\n'
    return [Say(line.encode())]


AT_THE_SECOND: dict[str, Sin] = {
    "silent": lambda act: (),
    "closes_stdout": lambda act: [CloseStdout()],
    "exits_0": lambda act: [Exit(0)],
    "answers_then_exits": lambda act: [Say(line_of(act)), Exit(7)],
    "plays_what_is_not_offered": answers(move="take 99"),
    "talks_on_stdout": lambda act: [Say(b"thinking about it\n"), Say(line_of(act))],
    "answers_with_a_number": answers(move=0),
    "answers_with_a_list": lambda act: [say(decent(act) | {"move": act["choice"]["options"][:1]})],
    "answers_with_a_wrong_id": answers(id="0123456789abcdef"),
    "answers_twice": _twice,
    "answers_at_great_length": answers(padding="x" * 70_000),
    "answers_in_latin_1": lambda act: [Say(b'{"id":"%b","move":"caf\xe9"}\n' % act["id"].encode())],
    "begins_with_a_bom": lambda act: [Say(b"\xef\xbb\xbf" + line_of(act))],
    "says_a_key_twice": _key_twice,
    "writes_too_long_a_note": answers(note="x" * 1001),
    "drips": _drip,
    "forgets_the_newline": lambda act: [Say(line_of(act)[:-1])],
    "floods_stderr": lambda act: [Log(b"x" * (1 << 20))],
    "floods_stdout": lambda act: [Say(b"x" * 70_000)],
    "closes_stdout_then_exits": lambda act: [CloseStdout(), Exit(5, after_ms=50)],
    "raises": lambda act: [Log(b"ZeroDivisionError: 2\n"), Exit(1)],
    "kills_itself": lambda act: [Exit(-9)],
}
SCRIPTS: dict[str, type[Manners]] = {
    "manners": Manners,
    "thinks": Thinks,
    "starts_slowly": StartsSlowly,
    "never_ready": hearing(hello=[]),
    "exits_at_start": hearing(hello=[Log(b"no licence found\n"), Exit(3)]),
    "speaks_protocol_2": hearing(hello=[say(READY | {"protocol": 2})]),
    "ready_then_exits": hearing(hello=[say(READY), Exit(0)]),
    "speaks_unasked": hearing(start=[Say(b'{"id":"","move":"good luck"}\n')], act=[]),
    "answers_with_an_earlier_id": AnswersWithAnEarlierId,
    "answers_the_first_twice": at_decision(1, _twice),
    "deaf": at_decision(1, lambda act: ()),
    "speaks_after_the_end": hearing(end=[Say(b"good game\n")]),
    "exits_after_the_end": hearing(end=[Log(b"that was enough\n"), Exit(4)]),
    "logs_each_step": LogsEachStep,
    "tries_again": TriesAgain,
    "tells_the_time": TellsTheOrder,
    "thinks_by_a_coin": ThinksByACoin,
    "times_its_requests": TimesItsRequests,
    "answers_backwards": AnswersBackwards,
    "plays_illegally_in_some": in_some(lambda act: [say({"id": act["id"], "move": "take 99"})]),
    "exits_in_some": in_some(lambda act: [Exit(6, after_ms=100)]),
    "falls_silent_in_some": in_some(lambda act: []),
    "exits_among_several": ExitsAmongSeveral,
} | {name: at_decision(2, sin) for name, sin in AT_THE_SECOND.items()}
"""By name; some are twins of programs in tests/bad_bots, which do the same as processes."""


class Stage(Hall):
    """A worker whose bots are scripted."""

    def __init__(
        self,
        setup: Setup,
        timeline: Timeline,
        scripts: Mapping[str, Cast],
        people: Set[str],
        reporters: Set[str] = frozenset(),
    ) -> None:
        self.timeline = timeline
        self.scripts: list[Manners] = []
        """Those of all bots that were started."""
        self._scripts: Mapping[str, Cast] = {**SCRIPTS, **scripts}
        programs = {bot.id: Path(bot.manifest.run[-1]).stem for bot in setup.bots}
        seats = {
            bot.id: SeatKind(
                partial(self._open, programs[bot.id]),
                has_clock=bot.bot not in people,
                reports=bot.bot in reporters,
            )
            for bot in setup.bots
        }
        super().__init__(setup, timeline.clock, seats)

    def _open(self, program: str, line_bytes: int) -> ScriptedBot:
        if program not in self._scripts:
            raise CannotStart(f"No such file: {program}")
        script = self._scripts[program](self.timeline.now)
        link = ScriptedBot(self.timeline, script, line_bytes)
        script.number = link.pid
        self.scripts.append(script)
        return link


@contextmanager
def stage(
    *bots: Version,
    timeline: Timeline | None = None,
    scripts: Mapping[str, Cast] | None = None,
    people: Set[str] = frozenset(),
    reporters: Set[str] = frozenset(),
    **changes: Any,
) -> Iterator[Stage]:
    """Yield a worker for one table of scripted *bots*, as `hall` does for real ones.

    *scripts*, and those above, are found by the names of programs.  The bots named *people* have no clock;
    *reporters* may report failures.  What bots with a folder `record` in their config have read is written
    there at the end.
    """
    stage = Stage(setup_for(*bots, **changes), timeline or Timeline(), scripts or {}, people, reporters)
    try:
        yield stage
    finally:
        stage.close()
        for script in stage.scripts:
            if "record" in script.config:
                text = b"".join(line + b"\n" for line in script.lines)
                Path(script.config["record"], f"{script.number}.jsonl").write_bytes(text)
    assert all(player.process.exit_status() is not None for player in stage.players if player.process)


def play_blocks(*bots: Version, numbers: Sequence[int] = (0,), **changes: Any) -> list[Block]:
    """Return the blocks of these *numbers*, played as one chunk on a stage of their own."""
    with stage(*bots, **changes) as play:
        return play.record(*numbers)


def play_matches(*bots: Version, numbers: Sequence[int] = (0,), **changes: Any) -> list[Match]:
    """Return the matches of the blocks of these *numbers*."""
    return [match for block in play_blocks(*bots, numbers=numbers, **changes) for match in block.matches]
