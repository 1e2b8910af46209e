"""What a parent and its workers say to each other."""

from __future__ import annotations

import msgspec

from ladder.blocks import Block, Contest
from ladder.referee.rules import Freeze
from ladder.registry.manifest import MOST_THREADS
from ladder.registry.version import Version
from protocol.messages import Limits

__all__ = ["DONE", "FAILED", "LAPSES", "OUTLAYS", "STOP", "UNPIN", "Chunk", "Setup"]

STOP = b"stop"
"""What the parent sends instead of a chunk when the block in hand should be the last."""
UNPIN = b"unpin"
"""What the parent sends when bots and referee should no longer share one core."""
LAPSES = b"lapses "
"""Begins what the parent sends when bots have lapsed: by version, how often in the whole run so far."""
OUTLAYS = b"~"
"""Begins the message that says what processes took to start and to leave, by version."""
DONE = b"."
"""Begins the message that a chunk is done; the number behind it is how many matches were in progress."""

FAILED = b"!"
"""Begins the message that the run cannot go on: what happened, and on the next line what to do."""


class Setup(msgspec.Struct, frozen=True):
    """All that a worker must know of a run before its first block."""

    run: int
    secret: bytes
    contests: tuple[Contest, ...]
    bots: tuple[Version, ...]
    passed: dict[str, dict[str, str]]
    """Per bot, the environment variables that its manifest names and the home allows."""
    limits: Limits
    sandbox: str
    processes: int
    """How many bot processes a worker keeps."""
    in_progress: int
    """How many matches may be in progress at a table, whatever its bots say."""
    cores: int = 0
    """How many cores a worker may count on: it asks so many bots at once; 0: all that there are."""
    retries: int = 0
    freeze: Freeze = "auto"
    network: tuple[str, ...] = ()
    """The bots that may use the network if their manifests ask for it."""
    readable: tuple[str, ...] = ()
    """What bots may read besides the system and the interpreters."""
    scratch_mb: int = 0
    threads: int = MOST_THREADS
    """How many threads a bot may have, whatever its manifest asks for."""
    build_network: bool = False
    """Whether builds may use the network, on machines that have to build."""


class Chunk(msgspec.Struct, frozen=True):
    """Blocks of one table, to be played in a row by the same processes."""

    blocks: tuple[Block, ...]
