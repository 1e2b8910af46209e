"""The limits on a bot's resources: memory, processes, files, CPU time."""

from typing import Final

from ladder.process.procfs import Use
from ladder.referee.match import SeatFault
from ladder.referee.player import Player, Spent

LOOK_NS: Final = 50_000_000
"""How often the resources of bots are measured."""
SLOW_NS: Final = 10_000_000
"""From then on a decision is slow: its waits for a core are measured at every look."""
SPARE_US = 10_000_000
"""The CPU time that a bot may use in a match in addition to the length of its turns."""
WAITED_US: Final = 100_000
"""The least length of turns from which to judge whether bots compute or wait."""
MUCH: Final = 4 << 20
"""The pipes and sockets of honest bots hold less than this, in bytes."""
FILES: Final = 10_000
"""The most files in a scratch space: each takes memory of the kernel."""


def oversize(player: Player, use: Use) -> SeatFault | None:
    """Return the fault of *player* if *use* is more memory, processes or files than allowed."""
    assert player.process
    limits = player.limits
    left = max(0, (limits.memory_mb << 20) - use.buffer_bytes)
    if memory_bytes := player.weighing.excess(player.process.pids, use, left):
        used = f"{(memory_bytes + use.buffer_bytes) / 2**20:,.0f} MB of memory in use"
        if use.buffer_bytes > MUCH:
            used += f" (what pipes and sockets may hold: {use.buffer_bytes / 2**20:,.0f} MB)"
        return SeatFault("memory", f"{used}, of {limits.memory_mb:,} MB")
    if use.threads > limits.processes:
        return SeatFault("limit", f"{use.threads} processes and threads, of {limits.processes}")
    if use.files > FILES:
        return SeatFault("limit", f"{use.files:,} files in its scratch space, of {FILES:,}")
    return None


def breach(player: Player, use: Use, turn_ns: int) -> SeatFault | None:
    """Return the fault of *player* if *use* is too much; its turns have lasted *turn_ns* in all."""
    if fault := oversize(player, use):
        return fault
    if player.spent is None:  # the first look in this match
        player.spent = Spent(use.cpu_us, player.turn_ns)  # of a turn in progress only what it had will count
    cpu_us = use.cpu_us - player.spent.cpu_us
    own_us = (turn_ns - player.spent.turn_ns) // 1000 * player.bot.manifest.threads
    if cpu_us > own_us + SPARE_US:
        spent = f"{cpu_us / 1e6:.1f} s of CPU time in a match whose turns took {own_us / 1e6:.1f} s"
        return SeatFault("limit", spent)
    return None


def waits(before: Spent, now: Spent) -> bool:
    """Return whether bots mostly waited in their turns, for example for another machine."""
    asked_us = (now.turn_ns - before.turn_ns) // 1000
    return asked_us > WAITED_US and 10 * (now.cpu_us - before.cpu_us) < asked_us
