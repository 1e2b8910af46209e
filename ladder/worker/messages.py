"""What a parent and its workers say to each other: tagged structs, in MessagePack."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from ladder.contest.blocks import Block, Contest
from ladder.referee.lapses import Count
from ladder.registry.version import Version
from ladder.sandbox.confinement import Confinement
from ladder.worker.spending import Outlay
from results.record import RunSettings

__all__ = [
    "BlockDone",
    "Chunk",
    "ChunkDone",
    "Failed",
    "LapsesSoFar",
    "Message",
    "Outlays",
    "Report",
    "Setup",
    "Stop",
    "Unpin",
    "decode_order",
    "decode_report",
    "encode",
]


class Setup(msgspec.Struct, frozen=True):
    """All that a worker must know of a run before its first block."""

    run: int
    secret: bytes
    contests: tuple[Contest, ...]
    bots: tuple[Version, ...]
    passed: dict[str, dict[str, str]]
    """Per bot, the environment variables that its manifest names and the home allows."""
    settings: RunSettings
    confinement: Confinement
    processes: int
    """How many bot processes a worker keeps."""
    in_progress: int
    """How many matches may be in progress at a table, whatever its bots say."""
    cores: int = 0
    """Cores per worker, which asks at most as many bots at once; 0: all cores."""


class Message(msgspec.Struct, frozen=True, tag=True):
    """A message: on the wire it names its class."""


# -- from the parent


class Chunk(Message, frozen=True):
    """Blocks of one table, to be played in a row by the same processes."""

    blocks: tuple[Block, ...]


class LapsesSoFar(Message, frozen=True):
    """How often each bot's version has lapsed in the whole run so far."""

    counts: dict[str, Count]


class Unpin(Message, frozen=True):
    """Bots and referee should no longer share one core."""


class Stop(Message, frozen=True):
    """The block in hand should be the last."""


# -- from a worker


class BlockDone(Message, frozen=True):
    """A block is played."""

    number: int
    payload: bytes
    """Its record, as encode_block made it."""


class ChunkDone(Message, frozen=True):
    """All blocks of the chunk in hand are played."""

    parallel: int
    """How many matches its table had in progress."""


class Outlays(Message, frozen=True):
    """What processes took to start and to leave since the last such message."""

    of: dict[str, Outlay]
    """By the id of the bot's version."""


class Failed(Message, frozen=True):
    """The run cannot go on."""

    what: str
    hint: str


Order: TypeAlias = Chunk | LapsesSoFar | Unpin | Stop
Report: TypeAlias = BlockDone | ChunkDone | Outlays | Failed

_encoder = msgspec.msgpack.Encoder()
_orders: msgspec.msgpack.Decoder[Order] = msgspec.msgpack.Decoder(Order)
_reports: msgspec.msgpack.Decoder[Report] = msgspec.msgpack.Decoder(Report)


def encode(message: Message) -> bytes:
    """Return *message* as it is sent."""
    return _encoder.encode(message)


def decode_order(data: bytes) -> Order:
    """Return the message of a parent.  Raises msgspec.MsgspecError."""
    return _orders.decode(data)


def decode_report(data: bytes) -> Report:
    """Return the message of a worker.  Raises msgspec.MsgspecError."""
    return _reports.decode(data)
