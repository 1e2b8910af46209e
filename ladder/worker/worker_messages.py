"""The messages between a parent and its workers: tagged structs, in MessagePack."""

from collections.abc import Callable
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from ladder.contest.blocks import PlannedBlock
from ladder.errors import LadderError, Told, Whose
from ladder.referee.lapses import Count
from ladder.registry.seat_caps import SeatCap
from ladder.registry.version import Version
from ladder.sandbox.confinement import Confinement
from ladder.worker.spending import Outlay
from results.record import Contest, RunSettings


class TranscriptPlace(msgspec.Struct, frozen=True):
    """Where transcripts are written."""

    path: str
    """A folder with a file for each match, NUMBER.txt; or one file, in which matches follow each other."""
    one_file: bool = False

    def file_of(self, number: int) -> Path:
        """Return the file of match *number*."""
        return Path(self.path) if self.one_file else Path(self.path, f"{number}.txt")


class Setup(msgspec.Struct, frozen=True):
    """What a worker needs to know about a run before its first block."""

    run: int
    secret: bytes
    contests: tuple[Contest, ...]
    bots: tuple[Version, ...]
    passed: dict[str, dict[str, str]]
    """Per bot, the environment variables that its manifest names and the home allows."""
    settings: RunSettings
    confinement: Confinement
    processes: int
    """The number of bot processes that a worker keeps warm; 0: as many as memory allows."""
    in_progress: int
    """The most matches in progress at a table, even if its bots can play more."""
    cores: int = 0
    """The cores of a worker, which asks at most that many bots at once; 0: all cores."""
    transcript: TranscriptPlace | None = None
    """Where the lines to and from the bots are written down; None: nowhere."""
    caps: tuple[SeatCap, ...] = ()
    """What the parent heeds as it hands out blocks, and a worker as it plays one."""


Bound: TypeAlias = Literal["", "workers", "processes", "memory"]
"""What keeps a worker from more tables; empty: these would need more of its core than there is."""


class Message(msgspec.Struct, frozen=True, tag=True):
    """A message: on the wire it names its class."""


# -- from the parent


class Chunk(Message, frozen=True):
    """Blocks of one table, to be played in a row by the same processes."""

    blocks: tuple[PlannedBlock, ...]
    alone: bool = False
    """The run has no other table in progress meanwhile.  Every match gets new processes."""
    charge: str = ""
    """The id of a bot's version to which a fault is charged where its delays would make a match void."""


class LapsesSoFar(Message, frozen=True):
    """The lapses of each bot's version in the whole run so far."""

    counts: dict[str, Count]


class Unpin(Message, frozen=True):
    """Bots and referee may use different cores from now on."""


class OneTable(Message, frozen=True):
    """Hold one table in progress from now on."""


class Hurry(Message, frozen=True):
    """Let no table stand any more: wait no longer for a delayed decision than where matches are not kept."""


class StopAfterBlock(Message, frozen=True):
    """Stop after the current block."""


# -- from a worker


class BlockDone(Message, frozen=True):
    """A block is played."""

    number: int
    payload: bytes
    """Its record, as encode_block made it."""


class Unplayed(Message, frozen=True):
    """A block could not be played: the machine, or an *absent* bot, has made a match void in every attempt.

    Nothing of it is stored, and no process that has seen a part of it plays it again.
    """

    block: int
    """Its number."""
    reason: str
    """What was late, and how, in words."""
    late: tuple[str, ...] = ()
    """The ids of the versions whose starts or answers the machine delayed too much in every attempt."""
    in_time: bool = False
    """Whether the starts and answers of all other bots at that table came in time."""
    cut_short: bool = False
    """Whether the table stood when it was to stand no more, or waited for *absent*."""
    absent: tuple[str, ...] = ()
    """The ids of the versions for which nobody was there to play, or whose service failed, if that is why."""


class ChunkDone(Message, frozen=True):
    """All blocks of a chunk are played, or given back as Unplayed."""

    first: int
    """The number of its first block."""
    parallel: int
    """How many matches its table had in progress."""


class TableReady(Message, frozen=True):
    """The bots of a chunk are ready to play several matches at once."""

    first: int
    """The number of its first block."""
    parallel: int
    """How many matches its table may have in progress."""


class LaneDone(Message, frozen=True):
    """One of several tables has played a lane of a chunk, and is free for another."""

    first: int
    """The number of its first block."""


class Load(Message, frozen=True):
    """How busy a worker is."""

    tables: int
    """How many tables it can hold in progress."""
    waits: float
    """The part of the time, from 0 to 1, in which its tables need no core."""
    starved: float = 0.0
    """The part of the time in which they were ready to run and had no core."""
    bound: Bound = ""
    """What keeps it from more tables."""


class Outlays(Message, frozen=True):
    """The costs of starting and ending processes since the last such message."""

    of: dict[str, Outlay]
    """By the id of the bot's version."""


class WorkerFailed(Message, frozen=True):
    """The run cannot continue: what happened, what to type next, whose it is, and the exit code."""

    what: str
    hint: str
    whose: Whose = "machine"
    exit_code: int = 1

    @classmethod
    def of(cls, error: LadderError) -> "WorkerFailed":
        """Return *error* as a message."""
        return cls(str(error), error.hint, error.whose, error.exit_code)

    def error(self) -> Told:
        """Return the error of the worker, for the parent to raise."""
        return Told(self.what, self.hint, self.whose, self.exit_code)


Order: TypeAlias = Chunk | LapsesSoFar | Unpin | OneTable | Hurry | StopAfterBlock
Report: TypeAlias = BlockDone | Unplayed | LaneDone | ChunkDone | TableReady | Load | Outlays | WorkerFailed

encode: Callable[[Message], bytes] = msgspec.msgpack.Encoder().encode
"""Returns a message as it is sent."""
decode_order: Callable[[bytes], Order] = msgspec.msgpack.Decoder(Order).decode
"""Returns the message of a parent.  Raises msgspec.MsgspecError."""
decode_report: Callable[[bytes], Report] = msgspec.msgpack.Decoder(Report).decode
"""Returns the message of a worker.  Raises msgspec.MsgspecError."""
