"""Taking in a bot: manifest, snapshot, build, and a quick match against itself before it counts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from engines import GAMES
from ladder.errors import LadderError
from ladder.fixture import Block, Contest
from ladder.home import Home
from ladder.keys import draw_secret
from ladder.roster import Version, read_manifest
from ladder.worker import Setup, Worker
from results.record import Fault

__all__ = ["play_itself", "setup_of", "submit", "twin"]


def submit(home: Home, path: Path, name: str | None = None) -> Version:
    """Make what lies at *path* the newest version of its bot; return the version.

    Raises UsageProblem for what cannot be taken, LadderError for a build or a self-play check that fails.
    Nothing is changed then.
    """
    manifest = read_manifest(path, GAMES, name)
    passed = home.passed(manifest.env)
    staged = home.roster.stage(path, manifest, passed, home.tier)
    if isinstance(staged, Version):
        return staged
    try:
        if fault := play_itself(home, staged.version, passed):
            raise LadderError(_report(staged.version, fault), f"correct the bot, then: ladder submit {path}")
        return staged.accept()
    finally:
        staged.reject()


def play_itself(home: Home, version: Version, passed: Mapping[str, str]) -> Fault | None:
    """Let *version* play one block of each of its games against itself; return its first fault, if any.

    *passed* are the environment variables that it may have.
    """
    for game in version.manifest.games or tuple(GAMES):
        seats = GAMES[game].seats[0]
        twins = tuple(twin(version, i) for i in range(seats))
        contest = Contest(game, seats, home.options(game), tuple(range(seats)))
        worker = Worker(
            setup_of(home, draw_secret(), (contest,), twins, {bot.id: dict(passed) for bot in twins})
        )
        try:
            (block,) = worker.play([Block(0, 0, 0, contest.bots)])
        finally:
            worker.close()
        if block.faults:
            return block.faults[0]
    return None


def setup_of(
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
        limits=home.settings.limits.told(),
        sandbox=home.tier,
        processes=len(bots) ** 2,
        in_progress=1,
        at_once=True,
        freeze="off",
        network=home.settings.allow.network,
        readable=home.readable,
        scratch_mb=home.settings.sandbox.scratch_mb,
    )


def twin(version: Version, index: int) -> Version:
    """Return *version* under another id, so that it can sit at a table more than once."""
    return msgspec.structs.replace(
        version, version=f"{version.version}-{index}", folder=str(Path(version.folder).resolve())
    )


def _report(version: Version, fault: Fault) -> str:
    lines = [f"{version.bot} failed its match against itself: {fault.kind}: {fault.reason}"]
    for what, text in (("request", fault.request), ("answer", fault.answer), ("stderr", fault.stderr)):
        if text.strip():
            lines.append(f"  {what}: {text.strip()[-1500:] if what == 'stderr' else text.strip()[:500]}")
    return "\n".join(lines)
