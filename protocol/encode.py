"""Encode the referee's messages as lines of bytes, newline included."""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import UNSET

from protocol import VERSION
from protocol.faults import FaultKind
from protocol.messages import Again, Bye, End, Hello, Json, Limits, Retry, Start

_encode = msgspec.json.Encoder().encode

BYE = _encode(Bye()) + b"\n"
"""The last message to a process."""


def hello(ladder: str, bot: str, games: Sequence[str], config: Mapping[str, Json], limits: Limits) -> bytes:
    """Return the hello to *bot*; *ladder* is the ladder's version."""
    return _encode(Hello(VERSION, ladder, bot, tuple(games), dict(config), limits)) + b"\n"


def start(
    match: str,
    game: str,
    version: int,
    seat: int,
    seats: int,
    options: Mapping[str, Json],
    rules: str | None = None,
) -> bytes:
    """Return the start of *match* for *seat*, a game of this *version*; *rules* of None are left out."""
    told = UNSET if rules is None else rules
    message = Start(
        match=match, game=game, version=version, seat=seat, seats=seats, options=dict(options), rules=told
    )
    return _encode(message) + b"\n"


class Acts:
    """Writes the requests of one seat in a match by hand: they are half of all traffic.

    What all of them say is written once, and the seats share their encoded parts.
    """

    def __init__(self, match: str, seed: int, move_ms: int) -> None:
        self._match = b'","match":"%b","step":' % match.encode()
        self._seed = b',"seed":%d,"choice":' % seed
        self._move_ms = b',"clock":{"move_ms":%d,"bank_ms":' % move_ms

    def write(
        self,
        id: str,  # noqa: A002  # the word of the wire
        step: int,
        choice: bytes,
        bank_ms: int,
        events: Sequence[bytes],
        view: bytes | None,
        retry: Retry | Again | None = None,
        match_ms: int | None = None,
    ) -> bytes:
        """Return the request for a decision.

        *id* is hex digits; *choice*, *view* and each of *events* are JSON, already encoded.  A *view* of None
        is left out, for bots that asked for none; so is a *match_ms* of None, without a limit.
        """
        parts = [
            b'{"type":"act","id":"',
            id.encode(),
            self._match,
            b"%d" % step,
            self._seed,
            choice,
            self._move_ms,
            b"%d" % bank_ms,
            b'},"events":[' if match_ms is None else b',"match_ms":%d},"events":[' % match_ms,
            b",".join(events),
        ]
        if view is not None:
            parts += (b'],"view":', view)
        else:
            parts.append(b"]")
        if retry is not None:
            parts += (b',"retry":' if isinstance(retry, Retry) else b',"again":', _encode(retry))
        parts.append(b"}\n")
        return b"".join(parts)


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
