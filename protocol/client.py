"""The client for bots in Python: write a function that chooses a move, and call serve.

    import protocol.client

    def choose(act):
        return act.rng.choice(act.choice.options)

    protocol.client.serve(choose)

A program that is started with the variable LADDER_CONNECT, as `ladder play --connect` prints it, talks over a
socket instead of stdin and stdout: in a debugger, for example.

It loads only a small part of the standard library, so that bots start quickly.
"""

from __future__ import annotations

import os
import sys
import time

TYPE_CHECKING = False  # typing's own would cost milliseconds
if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random
    from typing import Any, TypeAlias

    Json: TypeAlias = Any
    Bot: TypeAlias = Any
    """A function of an Act, a class of objects with a method act or act_many, or such an object."""

__all__ = [
    "CONNECT",
    "Act",
    "Again",
    "Choice",
    "Clock",
    "Failure",
    "Message",
    "Move",
    "Retry",
    "Start",
    "serve",
    "serve_pipes",
]

CONNECT = "LADDER_CONNECT"
"""The variable that holds an address to connect to: HOST:PORT/TOKEN."""
_READ = 65_536  # with more than twice this, the allocator would map and unmap pages at every read
_HURRY = 0.002  # seconds after which an answer no longer waits to share a write with the next
_WARM = 1_000  # decisions after which a faster JSON library, if there is one, is worth its loading time
_NOTE = 1_000  # characters: a longer note would be a fault
_WHY = 200  # characters: so would a longer reason


class Message:
    """A message of the referee with its fields as attributes, including fields unknown to this module."""

    def __init__(self, fields: dict[str, Json]) -> None:
        self.__dict__ = fields

    def __getattr__(self, name: str) -> Json:
        raise AttributeError(f"this {self.__dict__.get('type', 'part of a message')} has no {name!r}")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.__dict__})"


class Start(Message):
    """A match begins."""

    match: str
    game: str
    version: int
    seat: int
    seats: int
    options: dict[str, Json]
    """The game's rule options."""
    rules: str | None = None
    """The game in short; None for a bot that did not ask for it."""


class Choice(Message):
    """The choice: *low* to *high* of *options*; exactly one if the kind is `one`."""

    kind: str
    options: list[str]
    low: int = 1
    high: int = 1


class Clock(Message):
    """The time for a decision: *move_ms*, then the rest of the match's *bank_ms*.

    *match_ms* is the time left for all decisions of the match, None if that has no limit.
    """

    move_ms: int
    bank_ms: int
    match_ms: int | None = None


class Retry(Message):
    """The *reason* why the previous answer was refused, and the number of tries *left* after this one."""

    reason: str
    left: int


class Again(Message):
    """*why* the service failed, how many *tries* did, and for how long it may go on: *left_ms*."""

    why: str
    tries: int
    left_ms: int


class Act(Message):
    """A decision, with the `start` message of its match."""

    id: str
    match: str
    step: int
    seed: int
    choice: Choice
    clock: Clock
    events: list[dict[str, Json]]
    view: dict[str, Json] | None = None
    """None for a bot that asked for `view="none"`."""
    retry: Retry | None = None
    again: Again | None = None
    """Set after a failure of transport."""
    start: Start
    _rng: Random | None = None

    @property
    def game(self) -> str:
        """The game's name."""
        return self.start.game

    @property
    def seat(self) -> int:
        """The seat whose decision this is."""
        return self.start.seat

    @property
    def seats(self) -> int:
        """The number of seats."""
        return self.start.seats

    @property
    def options(self) -> dict[str, Json]:
        """The rule options of the match."""
        return self.start.options

    @property
    def rng(self) -> Random:
        """A random generator seeded with seed and step.

        A bot with no other source of randomness plays the same match the same way again.
        """
        if self._rng is None:
            from random import Random

            self._rng = Random(f"{self.seed}/{self.step}")
        return self._rng

    def fail(
        self, kind: str, why: str = "", after: float = 0.0, usage: dict[str, float] | None = None
    ) -> Failure:
        """Return what to answer where there is no move, for bots that may use the network.

        *kind* is "transport" if a service did not answer: the same decision is asked again, not before
        *after* seconds.  It is "unreadable" if there was no move in the answer, "truncated" if that was cut.
        """
        return Failure(kind, why, after, usage)


class Failure:
    """What Act.fail returns."""

    __slots__ = ("after", "kind", "usage", "why")

    def __init__(self, kind: str, why: str, after: float, usage: dict[str, float] | None) -> None:
        self.kind = kind
        self.why = why
        self.after = after
        self.usage = usage


class Move:
    """A move with a *note* for the replay, or *usage*: input_tokens, output_tokens, cost_usd, requests.

    With *fallback* it is not the move of the model, and counts as one of `fallbacks` in usage.
    """

    __slots__ = ("move", "note", "usage")

    def __init__(
        self,
        move: Json,
        note: str | None = None,
        usage: dict[str, float] | None = None,
        *,
        fallback: bool = False,
    ) -> None:
        self.move = move
        self.note = note
        self.usage = (usage or {}) | {"fallbacks": 1} if fallback else usage


def serve(
    bot: Bot,
    *,
    parallel: int = 1,
    view: str = "full",
    text: bool = False,
    rules: bool = False,
    name: str | None = None,
) -> None:
    """Play *bot* until the referee says bye or is gone; the program should then exit with status 0.

    *bot* is a function that takes an Act and returns a move, or a class or object with such a method `act`
    and, optionally, methods `hello`, `start` and `end` that take these messages.  It may also return a pair
    of move and note, a Move, or what Act.fail returns.  A method `act_many` in place of `act` takes a list of
    all Acts that have arrived and returns a list of their moves, so that a network is asked once for all.

    At most *parallel* matches are in progress at once.  With *view* "none", acts have no view; with *text*,
    views have a `text` for people and language models; with *rules*, `start` has the `rules` of the game.
    *name* is for display.

    While serving, everything that the bot prints goes to stderr, its log.  Exceptions of the bot are not
    caught: the traceback goes to the log and the process ends with status 1.

    If the variable LADDER_CONNECT holds an address, the referee is there; stdin and stdout stay as they are.
    Exits with a message if nothing listens there.
    """
    ready: dict[str, Json] = {"type": "ready", "protocol": 1}
    if name is not None:
        ready["name"] = name
    if parallel != 1:
        ready["parallel"] = parallel
    if view != "full":
        ready["view"] = view
    if text:
        ready["text"] = True
    if rules:
        ready["rules"] = True
    address = os.environ.pop(CONNECT, "")  # programs that the bot starts must not connect, too
    stdin, stdout = _connect(address) if address else _take_pipes()
    _Server(bot() if isinstance(bot, type) else bot, ready, stdout).run(stdin)


def serve_pipes(bot: Bot, stdin: int, stdout: int) -> None:
    """Play *bot* as `serve` does, over other descriptors than the program's own: for tests, and in threads.

    What the bot prints or raises is left alone.
    """
    ready = {"type": "ready", "protocol": 1}
    _Server(bot() if isinstance(bot, type) else bot, ready, stdout).run(stdin)


def _take_pipes() -> tuple[int, int]:
    """Return duplicates of stdin and stdout, and redirect all other output to stderr.

    That includes programs that the bot starts, and libraries that do not use sys.stdout.
    """
    stdin, stdout = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    sys.stdout.flush()
    sys.stdout = sys.stderr
    return stdin, stdout


def _connect(address: str) -> tuple[int, int]:
    """Connect to the referee at *address*, HOST:PORT/TOKEN; return the socket twice."""
    import socket

    place, _, token = address.partition("/")
    host, _, port = place.rpartition(":")
    if not (host and token and port.isdecimal()):
        sys.exit(f"{CONNECT} is not HOST:PORT/TOKEN, got: {address!r}")
    try:
        connection = socket.create_connection((host, int(port)))
        connection.sendall(token.encode() + b"\n")
    except (OSError, OverflowError) as error:
        sys.exit(f"no match waits at {place}: {error}; begin one: ladder play GAME BOT --connect SEAT")
    descriptor = connection.detach()
    return descriptor, descriptor


class _Server:
    """The loop that reads messages, calls the bot and writes its answers."""

    def __init__(self, bot: Bot, ready: dict[str, Json], stdout: int) -> None:
        method = getattr(bot, "act", None)
        self._choose: Callable[[Act], Json] = bot if method is None else method
        self._choose_all: Callable[[list[Act]], list[Json]] | None = getattr(bot, "act_many", None)
        self._acts: list[Act] = []
        self._hooks = {kind: getattr(bot, kind, None) for kind in ("hello", "start", "end")}
        self._ready = ready
        self._stdout = stdout
        self._decode, self._encode = _plain_json()
        self._fast = False
        self._starts: dict[str, Start] = {}
        self._answers: list[bytes] = []
        self._decisions = 0

    def run(self, stdin: int) -> None:
        """Answer messages until bye or the end of *stdin*."""
        rest = b""
        try:
            while data := os.read(stdin, _READ):
                *lines, rest = (rest + data).split(b"\n")
                if not self._serve(lines):
                    return
        except (BrokenPipeError, ConnectionResetError):  # the referee is gone
            return

    def _serve(self, lines: list[bytes]) -> bool:
        """Answer *lines*, if possible in one write; return False after bye."""
        written = time.monotonic()
        try:
            for line in lines:
                message = self._decode(line)
                kind = message["type"]
                if kind == "act" and self._choose_all:
                    self._acts.append(self._read_act(message))
                elif kind == "act":
                    act = self._read_act(message)
                    self._answers.append(self._encode(_fields(act, self._choose(act))))
                    if time.monotonic() - written > _HURRY:
                        self._flush()
                        written = time.monotonic()
                elif kind == "bye":
                    self._answer_all()
                    return False
                else:
                    self._note(kind, message)
            self._answer_all()
        finally:  # also after an exception: the answers of other matches are good
            self._flush()
        return True

    def _answer_all(self) -> None:
        if self._acts and self._choose_all:
            acts, self._acts = self._acts, []
            moves = self._choose_all(acts)
            if len(moves) != len(acts):
                raise ValueError(f"act_many returned {len(moves)} moves for {len(acts)} decisions")
            self._answers += [self._encode(_fields(act, move)) for act, move in zip(acts, moves, strict=True)]

    def _read_act(self, fields: dict[str, Json]) -> Act:
        self._decisions += 1
        fields["start"] = self._starts.get(fields["match"])
        fields["choice"] = Choice(fields["choice"])
        fields["clock"] = Clock(fields["clock"])
        if "retry" in fields:
            fields["retry"] = Retry(fields["retry"])
        if "again" in fields:
            fields["again"] = Again(fields["again"])
        return Act(fields)

    def _note(self, kind: str, fields: dict[str, Json]) -> None:
        """Handle a message that asks for no move; ignore unknown kinds."""
        message = Message(fields)
        if kind == "start":
            message = self._starts[message.match] = Start(fields)
        elif kind == "end":
            if any(act.match == message.match for act in self._acts):  # ended by another seat
                self._answer_all()
            self._starts.pop(message.match, None)
        if (hook := self._hooks.get(kind)) is not None:
            hook(message)
        if kind == "hello":
            self._answers.append(self._encode(self._ready))
        elif kind == "end":
            self._speed_up()

    def _speed_up(self) -> None:
        """Load a faster JSON library once it is worth the time: between matches, when no clock runs."""
        if self._decisions >= _WARM and not self._fast:
            self._decode, self._encode = _fast_json()
            self._fast = True

    def _flush(self) -> None:
        if self._answers:
            data = b"\n".join(self._answers) + b"\n"
            self._answers.clear()
            while data:
                data = data[os.write(self._stdout, data) :]


def _fields(act: Act, chosen: Json) -> dict[str, Json]:
    """Return the answer to *act*; *chosen* is a move, a pair of move and note, or a Move."""
    if isinstance(chosen, tuple) and len(chosen) == 2:
        of_two = act.choice.kind == "some" and isinstance(chosen[0], str)  # a move, not a pair
        chosen = chosen if of_two else Move(*chosen)
    if isinstance(chosen, Failure):
        why = "".join(mark if mark.isprintable() else " " for mark in chosen.why[:_WHY])
        failed = {"id": act.id, "fail": chosen.kind, "why": why, "after_ms": round(1000 * chosen.after)}
        return failed if chosen.usage is None else failed | {"usage": chosen.usage}
    if not isinstance(chosen, Move):
        return {"id": act.id, "move": chosen}
    answer = {"id": act.id, "move": chosen.move}
    if chosen.note is not None:
        answer["note"] = chosen.note[:_NOTE]
    if chosen.usage is not None:
        answer["usage"] = chosen.usage
    return answer


def _plain_json() -> tuple[Callable[[bytes], Json], Callable[[Json], bytes]]:
    """Return the decoder and encoder of the standard library."""
    import json

    decode, encode = json.JSONDecoder().decode, json.JSONEncoder(separators=(",", ":")).encode
    return lambda line: decode(line.decode()), lambda value: encode(value).encode()


def _fast_json() -> tuple[Callable[[bytes], Json], Callable[[Json], bytes]]:
    """Return the decoder and encoder of msgspec if it is installed, else those of the standard library."""
    try:
        import msgspec
    except ImportError:
        return _plain_json()
    return msgspec.json.Decoder().decode, msgspec.json.Encoder().encode
