"""The answers of a bot to a question: one after another, in words and as JSON."""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import json as text
from msgspec import to_builtins

from ladder.live.asked_bot import LAST_WORDS, AskedBot, Reply
from ladder.live.question import HELLO, Question
from ladder.replay.conversation import Request
from protocol.messages import Ready
from results.record import Json

LISTED = 12
"""At most this many options are listed in a line."""


class LineReply(NamedTuple):
    """What a bot did with one line: its hello, a request, or the end of the match."""

    request: Request | None
    reply: Reply | None
    """None where it said `ready`."""
    ready: Ready | None
    """How it began; None if it failed before."""
    step: int
    """The step of the request; HELLO for the start, the number of steps for the end."""
    wanted: bool
    """Whether the question is about this step or an earlier one."""

    @property
    def failed(self) -> bool:
        """Whether the process can be asked no more."""
        return self.reply is not None and self.reply.fault is not None and self.reply.fault.kind != "illegal"


def answers(question: Question, bot: AskedBot) -> Iterator[LineReply]:
    """Yield what *bot* answers, from its hello on to the end of the match or until it fails."""
    ready = bot.greet()
    if isinstance(ready, Reply):
        yield LineReply(None, ready, None, HELLO, question.step == HELLO)
        return
    yield LineReply(None, None, ready, HELLO, question.step == HELLO)
    conversation = question.conversation
    for i, (request, reply) in enumerate(bot.converse(conversation)):
        yield LineReply(request, reply, ready, request.step, i >= question.last)
    if conversation.end and not bot.lost:
        yield LineReply(None, bot.end(conversation, LAST_WORDS), ready, conversation.steps, True)


def is_same(request: Request, reply: Reply) -> bool:
    """Return whether *reply* is what the bot of the match did: the same move, or the same kind of fault."""
    if request.fault:
        return reply.fault is not None and reply.fault.kind == request.fault["kind"]
    return request.move is not None and reply.options == request.move


def kind_of(request: Request) -> str:
    """Return the kind of decision: the `step` that the view names, else the form of the choice."""
    named = request.view.get("step")
    return named if isinstance(named, str) else str(request.choice.to_json()["kind"])


# -- in words


def tell(answer: LineReply) -> Iterator[tuple[str, str]]:
    """Yield *answer* as pairs of a label and a text, which may come from a bot."""
    request, reply = answer.request, answer.reply
    same = ""
    if request:
        yield "offered", _tell_choice(request)
        yield "played", _tell_played(request)
        if request.note:
            yield "note", request.note
        same = "the same: " if reply and is_same(request, reply) else ""
    if reply is None:
        yield "now", text.encode(answer.ready).decode()
        return
    if reply.fault:
        yield "now", f"{same}it fails: {reply.fault.kind}: {reply.fault.reason}"
        if reply.fault.answer:
            yield "answer", _text(reply.fault.answer).strip()
    elif reply.options is None:
        yield "now", "nothing, as expected"
    else:
        yield "now", f"{same}{spell(reply.options)}  ({reply.elapsed_us / 1000:,.1f} ms)"
    if reply.note:
        yield "note", reply.note
    if reply.stderr:
        yield "stderr", reply.stderr


def spell(options: tuple[str, ...]) -> str:
    """Return the *options* of a move in one line."""
    return " ".join(options) or "none of them"


def _tell_choice(request: Request) -> str:
    choice = request.choice.to_json()
    options = choice["options"]
    how = "one" if choice["kind"] == "one" else f"{choice['low']} to {choice['high']}"
    more = ", ..." if len(options) > LISTED else ""
    return f"{how} of {len(options)}: {', '.join(options[:LISTED])}{more}"


def _tell_played(request: Request) -> str:
    if request.move is not None:
        took = "" if request.think_us is None else f"  ({request.think_us / 1000:,.1f} ms)"
        return f"{spell(request.move)}{took}"
    if request.fault:
        return f"it failed: {request.fault['kind']}: {request.fault['reason']}"
    return "unknown, because the match ended in this step"


def _text(data: bytes) -> str:
    return data.decode("utf-8", "backslashreplace")


# -- as JSON


def row_of(answer: LineReply) -> dict[str, Json]:
    """Return *answer* as JSON: the request as the bot read it, what was played, and what it did now."""
    request, reply = answer.request, answer.reply
    row: dict[str, Json] = {"step": "hello" if answer.step == HELLO else answer.step}
    if request and answer.ready:
        fault = request.fault
        row |= {
            "kind": kind_of(request),
            "request": text.decode(request.line(answer.ready)),
            "played": {
                "move": _move(request, request.move),
                "fault": fault and {key: fault[key] for key in ("kind", "reason", "answer")},
                "note": request.note,
                "elapsed_us": request.think_us,
            },
            "same": reply is not None and is_same(request, reply),
        }
    if reply is None:
        return row | {"now": {"ready": to_builtins(answer.ready)}}
    failed = reply.fault
    return row | {
        "now": {
            "move": _move(request, reply.options),
            "fault": failed
            and {"kind": failed.kind, "reason": failed.reason, "answer": _text(failed.answer)},
            "note": reply.note,
            "elapsed_us": reply.elapsed_us,
            "stderr": reply.stderr,
        }
    }


def _move(request: Request | None, move: tuple[str, ...] | None) -> Json:
    if request is None or move is None:
        return None
    return move[0] if request.choice.to_json()["kind"] == "one" else list(move)
