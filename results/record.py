"""What is kept of a match: the values that workers send, the journal holds and Parquet stores.

Plain typed values, cheap to encode; this module loads neither pyarrow nor anything that knows a game.
Times are in microseconds, whole numbers; `started` counts from the Unix epoch, UTC.  `gc=False`: they hold no
cycles, so the garbage collector need not look at them, which makes reading many of them twice as fast.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta

__all__ = ["Block", "Fault", "Json", "Match", "Note", "Run", "Seat", "Usage", "decode_block", "encode_block"]

Json: TypeAlias = Any
Int32: TypeAlias = Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)]
Int64: TypeAlias = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
"""What the columns of Parquet hold (results.storage.schema); decode_block refuses a block beyond it."""


class Note(msgspec.Struct, frozen=True, gc=False):
    """What a bot said about one of its decisions."""

    step: Int32
    text: str


class Usage(msgspec.Struct, frozen=True, gc=False):
    """What a bot says its answers have cost it, summed over a match."""

    input_tokens: Int64 = 0
    output_tokens: Int64 = 0
    cost_usd: float = 0.0


class Seat(msgspec.Struct, frozen=True, gc=False):
    """One seat of a match: who sat there and how it went."""

    bot: str
    version: str
    name: str
    """The name of the match that this seat was told: 16 hex digits."""
    rank: Int32 | None
    """1 is best; None where the match is void."""
    score: Int64 | None
    """The game's points; None where the match did not end by the rules."""
    fault: str | None
    """The kind of the fault that ended the seat's part, if one did."""
    fault_step: Int32 | None
    """The step of that fault; the seat's moves from there on are the referee's.  -1: before the first."""
    think_us: list[Int64]
    """The time that each of the bot's own answered decisions took, in order."""
    busy_us: list[Int64]
    """CPU time of the bot's process in each decision; empty where several matches were in progress."""
    outside_us: Int64 | None
    """CPU time of the bot, with all that it has started, beside its decisions: that is other seats' time."""
    cpu_us: Int64 | None
    """CPU time of the bot's process during the match; None if it ended, or played another meanwhile."""
    notes: list[Note]
    usage: Usage | None

    @property
    def decisions(self) -> int:
        """The number of decisions that the bot itself answered."""
        return len(self.think_us)


class Match(msgspec.Struct, frozen=True, gc=False):
    """One match: which, among whom, on what deal, what was played and how it ended."""

    run: Int32
    number: Int64
    attempt: Int32
    """0, or how many void attempts at this number came before."""
    block: Int64
    rotation: Int32
    game: str
    game_version: Int32
    options: dict[str, Json]
    deal_seed: str
    """64 hex digits that seed the generator of the deal."""
    deal_digest: str
    """SHA-256 of the deal's canonical JSON."""
    deal: Json
    """The deal itself where it does not follow from the seed, else None."""
    moves: str
    """Canonical JSON: a list of steps, each a list of [seat, move] or [seat, move, "referee"]."""
    seats: list[Seat]
    void: bool
    """The runner's own failure: kept, not rated, played again."""
    paired: bool
    """All rotations of the block played this deal."""
    sandbox: str
    started: Int64
    duration_us: Int64


class Fault(msgspec.Struct, frozen=True, gc=False):
    """What a bot did wrong, with all that its author needs to see it again."""

    run: Int32
    number: Int64
    attempt: Int32
    seat: Int32
    bot: str
    version: str
    kind: str
    step: Int32
    charged: bool
    """False for an event that was stored against the bot but cost it no match."""
    reason: str
    request: str
    """The request line, its head."""
    choice: str
    """What was offered, as in the request; empty where nothing was asked."""
    answer: str
    """The raw answer, its head; bytes that are not UTF-8 are escaped."""
    elapsed_us: Int64
    limit_us: Int64
    exit_status: Int32 | None
    """The exit status, or minus the signal, of a process that ended."""
    stderr: str
    """The end of what the bot had written to stderr."""


class Block(msgspec.Struct, frozen=True, gc=False):
    """One deal, played once per rotation: the unit of scheduling and of commit."""

    number: Int64
    matches: list[Match]
    faults: list[Fault]


class Run(msgspec.Struct, frozen=True, gc=False):
    """One `ladder run`: everything that its matches follow from."""

    run: int
    secret: str
    """32 hex digits.  Never shown to a bot."""
    settings: dict[str, Json]
    """What the command asked for: contests, games, schedule, limits..."""
    bots: list[dict[str, Json]]
    """The versions that take part, in their order."""
    ratings: dict[str, Json]
    """The rating parameters per game."""
    versions: dict[str, str]
    """Of ladder, python and every library that matters."""
    host: str
    started: int
    finished: int | None = None
    blocks: int | None = None
    """How many blocks the run had in the end; None while it is unfinished."""

    @property
    def first_block(self) -> int:
        """The number of its first block: 0, but for a shard of a larger run."""
        shard = self.settings.get("shard")
        return int(shard["first"]) if shard else 0

    @property
    def guessable(self) -> bool | None:
        """Whether its secret follows from a number, which can be guessed; None if it is not known."""
        asked = self.settings.get("asked")
        return None if asked is None else isinstance(asked.get("seed"), int)


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Block).decode


def encode_block(block: Block) -> bytes:
    """Return *block* as one line of JSON, without its newline."""
    return _encode(block)


def decode_block(line: bytes) -> Block:
    """Return the block that encode_block made *line* of.  Raises msgspec.MsgspecError."""
    return _decode(line)
