"""Matches that nobody keeps: of a bot against itself, and of twins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from engines import GAMES
from ladder.blocks import Block, Contest
from ladder.home import Home, chosen_tier
from ladder.keys import draw_secret
from ladder.referee.player import Player
from ladder.registry.version import Version
from ladder.worker.messages import Setup
from ladder.worker.progress import Progress
from ladder.worker.worker import Worker
from results.record import Fault

__all__ = ["Watched", "cannot_start", "play_itself", "practice_setup", "twin"]


def cannot_start(failed: Mapping[str, Fault]) -> bool:
    return any(fault.kind == "start" for fault in failed.values())


# -- a match against itself


class Watched(Worker):
    """A worker that knows all processes it has started."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self.players: list[Player] = []

    def _start(self, bot: Version) -> Player:
        player = super()._start(bot)
        self.players.append(player)
        return player


def play_itself(
    home: Home, version: Version, passed: Mapping[str, str], games: Sequence[str], progress: Progress
) -> dict[str, Fault]:
    """Let *version* play one block of each of *games* against itself; return its first fault in each.

    The first is the last for a bot that names its games or cannot be started.
    *passed* are the environment variables that it may have.
    """
    failed: dict[str, Fault] = {}
    for game in games:
        seats = GAMES[game].seats[0]
        twins = tuple(twin(version, i) for i in range(seats))
        contest = Contest(game, seats, home.options(game), tuple(range(seats)))
        worker = Watched(
            practice_setup(home, draw_secret(), (contest,), twins, {bot.id: dict(passed) for bot in twins})
        )
        progress.play(f"{version.bot} against itself: {game}", seats, seats, worker.players)
        try:
            (block,) = worker.play([Block(0, 0, 0, contest.bots)])
        finally:
            worker.close()
        if block.faults:
            failed[game] = block.faults[0]
            if version.manifest.games or cannot_start(failed):
                break
    return failed


def practice_setup(
    home: Home,
    secret: bytes,
    contests: tuple[Contest, ...],
    bots: tuple[Version, ...],
    passed: dict[str, dict[str, str]],
) -> Setup:
    """Return what a worker in this process must know to play matches that nobody keeps."""
    return Setup(
        run=0,
        secret=secret,
        contests=contests,
        bots=bots,
        passed=passed,
        settings=msgspec.structs.replace(home.settings.held_to(home.most_threads()), freeze="off", retries=0),
        sandbox=chosen_tier(home),
        processes=len(bots) ** 2,
        in_progress=1,
        network=home.settings.allow.network,
        readable=home.readable_paths(),
        scratch_mb=home.settings.sandbox.scratch_mb,
    )


def twin(version: Version, index: int) -> Version:
    """Return *version* under another id, so that it can sit at a table more than once."""
    return msgspec.structs.replace(
        version, version=f"{version.version}-{index}", folder=str(Path(version.folder).resolve())
    )
