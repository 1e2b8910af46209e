"""Encode the referee's messages as lines of bytes, newline included."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from protocol import VERSION
from protocol.faults import FaultKind
from protocol.messages import Bye, End, Hello, Json, Limits, Retry, Start

__all__ = ["BYE", "act", "end", "hello", "start"]

_encode = msgspec.json.Encoder().encode

# Acts are formatted by hand: they are half of all traffic, and seats share their encoded parts.
_ACT = (
    b'{"type":"act","id":"%b","match":"%b","step":%d,"seed":%d,"choice":%b,'
    b'"clock":{"move_ms":%d,"bank_ms":%d},"events":[%b]'
)
_ACT_WITH_VIEW = _ACT + b',"view":%b}\n'
_ACT_WITH_MORE = _ACT + b"%b}\n"
_ACT_LIMITED = _ACT_WITH_MORE.replace(b'"bank_ms":%d', b'"bank_ms":%d,"match_ms":%d')

BYE = _encode(Bye()) + b"\n"
"""The last message to a process."""


def hello(ladder: str, bot: str, games: Sequence[str], config: Mapping[str, Json], limits: Limits) -> bytes:
    """Return the hello to *bot*; *ladder* is the ladder's version."""
    return _encode(Hello(VERSION, ladder, bot, tuple(games), dict(config), limits)) + b"\n"


def start(match: str, game: str, version: int, seat: int, seats: int, options: Mapping[str, Json]) -> bytes:
    """Return the start of *match* for *seat*; *version* is that of the game."""
    return _encode(Start(match, game, version, seat, seats, dict(options))) + b"\n"


def act(
    id: str,  # noqa: A002  # the word of the wire
    match: str,
    step: int,
    seed: int,
    choice: bytes,
    move_ms: int,
    bank_ms: int,
    events: Sequence[bytes],
    view: bytes | None,
    retry: Retry | None = None,
    match_ms: int | None = None,
) -> bytes:
    """Return the request for a decision.

    *id* and *match* are hex digits; *choice*, *view* and each of *events* are JSON, already encoded.
    A *view* of None is left out, for bots that asked for none; so is a *match_ms* of None, without a limit.
    """
    news = b",".join(events)
    if view is not None and retry is None and match_ms is None:
        return _ACT_WITH_VIEW % (
            id.encode(), match.encode(), step, seed, choice, move_ms, bank_ms, news, view
        )  # fmt: skip
    more = b"" if view is None else b',"view":' + view
    if retry is not None:
        more += b',"retry":' + _encode(retry)
    if match_ms is not None:
        return _ACT_LIMITED % (
            id.encode(), match.encode(), step, seed, choice, move_ms, bank_ms, match_ms, news, more
        )  # fmt: skip
    return _ACT_WITH_MORE % (id.encode(), match.encode(), step, seed, choice, move_ms, bank_ms, news, more)


def end(
    match: str,
    ranks: Sequence[int],
    scores: Sequence[int] | None,
    faults: Sequence[FaultKind | None],
    events: Sequence[bytes],
) -> bytes:
    """Return the end of *match*, its *events* already encoded."""
    points = None if scores is None else tuple(scores)
    news = tuple(map(msgspec.Raw, events))
    return _encode(End(match, tuple(ranks), points, tuple(faults), news)) + b"\n"
