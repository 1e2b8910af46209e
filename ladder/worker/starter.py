"""Start the bots of a worker: confined processes, or what else sits in their seats."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec

from ladder.contest.bot_limits import limits_told
from ladder.machine.capacity import ALWAYS
from ladder.machine.cores import usable_cores
from ladder.machine.installation import __version__
from ladder.process.bot import BotProcess
from ladder.process.link import SYSTEM_CLOCK, TimeSource
from ladder.process.masks import Masks
from ladder.process.remote_bot import RemoteBot
from ladder.process.seat_kinds import SeatKind
from ladder.referee.player import Player, start_player
from ladder.registry.bot_build import command_of
from ladder.registry.dependencies import environment_of
from ladder.registry.version import Version
from ladder.sandbox import Bounds, confine
from ladder.sandbox.toolchains import linked_toolchain
from ladder.worker.worker_messages import Setup
from protocol import encode as message
from protocol.messages import Limits

if TYPE_CHECKING:
    from ladder.worker.transcript import Transcripts

NO_SEATS: Mapping[str, SeatKind] = MappingProxyType({})
"""Every seat is a confined process."""


class Starter:
    """Starts bots of a setup, and greets them."""

    def __init__(
        self,
        setup: Setup,
        processes: int,
        masks: Masks,
        seats: Mapping[str, SeatKind] = NO_SEATS,
        transcripts: "Transcripts | None" = None,
        clock: TimeSource = SYSTEM_CLOCK,
    ) -> None:
        """Start at most *processes*; *seats* are the kinds of other bots, by the ids of their versions.

        The values of *masks* are hidden in what is kept of the bots' words.  *clock* is that of their links.
        """
        self._setup = setup
        self._processes = processes
        self._masks = masks
        self._seats = seats
        self._transcripts = transcripts
        self._clock = clock
        self._once: dict[str, Player] = {}
        """The players whose seats are opened once."""

    def start(self, bot: Version, hello: bytes | None = None) -> Player:
        """Start *bot*, and send it *hello*, or its own; if it does not start, `failure` has the reason."""
        kind = self._seats.get(bot.id) or self._confine(bot)
        if kind.once and bot.id in self._once:
            return self._once[bot.id]
        limits, outage_s = self._limits(bot), self._setup.settings.outage_s if kind.reports else None
        if outage_s is not None:
            limits = msgspec.structs.replace(limits, outage_s=outage_s)
        hello = self._hello(bot, limits) if hello is None else hello

        def open_link() -> BotProcess:
            process = kind.open(limits.line_bytes)
            if bot.manifest.threads > 1:
                process.run_on(usable_cores())
            return process

        player = start_player(bot, open_link, hello, self._masks, self._clock)
        player.limits = limits
        player.has_clock = kind.has_clock
        player.outage_s = outage_s
        if kind.once:
            self._once[bot.id] = player
        return player

    def _games(self, bot: Version) -> tuple[str, ...]:
        return bot.games_among(contest.game for contest in self._setup.contests)

    def _limits(self, bot: Version) -> Limits:
        return limits_told(self._setup.settings, bot.bot, self._games(bot))

    def _hello(self, bot: Version, limits: Limits) -> bytes:
        return message.hello(__version__, bot.bot, self._games(bot), bot.manifest.config, limits)

    def _confine(self, bot: Version) -> SeatKind:
        """Return the seat of a process of *bot*, confined as the setup says, or elsewhere."""
        if bot.manifest.remote:
            return SeatKind(partial(RemoteBot.join, Path(bot.folder), bot.bot), reports=True)
        limits, allowed = self._limits(bot), self._setup.confinement
        network = allowed.gives_network(bot.bot, asked=bot.manifest.network)
        folder, command = Path(bot.folder), command_of(bot)
        confined = confine(
            allowed.tier,
            command,
            folder,
            environment_of(folder) | self._setup.passed.get(bot.id, {}),
            bounds=Bounds(
                memory_mb=limits.memory_mb,
                processes=limits.processes,
                scratch_mb=allowed.scratch_mb,
                beside=max(0, self._processes - ALWAYS),
            ),
            network=network,
            readable=[*map(Path, allowed.readable), *linked_toolchain(command[0], folder)],
        )
        start = self._transcripts.starter(bot.id) if self._transcripts else BotProcess.start
        return SeatKind(partial(start, confined), reports=network)


def within_threads(setup: Setup) -> Setup:
    """Return *setup* with bots that have no more threads than its settings allow."""
    if (most := setup.settings.threads) is None:
        return setup
    bots = []
    for bot in setup.bots:
        manifest = msgspec.structs.replace(bot.manifest, threads=min(bot.manifest.threads, most))
        bots.append(msgspec.structs.replace(bot, manifest=manifest))
    return msgspec.structs.replace(setup, bots=tuple(bots))
