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

__all__ = ["play_itself", "submit"]


def submit(home: Home, path: Path, name: str | None = None) -> Version:
    """Make what lies at *path* the newest version of its bot; return the version.

    Raises UsageProblem for what cannot be taken, LadderError for a build or a self-play check that fails.
    Nothing is changed then.
    """
    manifest = read_manifest(path, GAMES, name)
    passed = home.passed(manifest.env)
    staged = home.roster.stage(path, manifest, passed, home.settings.sandbox.tier)
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
        twins = tuple(_twin(version, i) for i in range(seats))
        setup = Setup(
            run=0,
            secret=draw_secret(),
            contests=(Contest(game, seats, home.options(game), tuple(range(seats))),),
            bots=twins,
            passed={twin.id: dict(passed) for twin in twins},
            limits=home.settings.limits.told(),
            sandbox=home.settings.sandbox.tier,
            processes=seats * seats,
            in_progress=1,
            at_once=True,
        )
        worker = Worker(setup)
        try:
            (block,) = worker.play([Block(0, 0, 0, tuple(range(seats)))])
        finally:
            worker.close()
        if block.faults:
            return block.faults[0]
    return None


def _twin(version: Version, index: int) -> Version:
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
