"""Practice matches, which are not stored: a bot plays against itself under several ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import msgspec

from engines import GAMES
from ladder.contest.blocks import Contest, PlannedBlock, matches_of
from ladder.contest.keys import draw_secret
from ladder.errors import TooBusy
from ladder.home.home import Home, confinement_of
from ladder.referee.table_events import OnEvent
from ladder.registry.version import Version
from ladder.sandbox.confinement import Confinement
from ladder.worker.check_progress import CheckProgress
from ladder.worker.worker import VOIDS, Worker
from ladder.worker.worker_messages import Setup, TranscriptPlace
from results.record import Fault, RunSettings

__all__ = ["cannot_start", "play_itself", "practice_settings", "practice_setup", "twin"]


def cannot_start(failed: Mapping[str, Fault]) -> bool:
    """Return whether one of the faults *failed*, by game, is that the bot did not start."""
    return any(fault.kind == "start" for fault in failed.values())


# -- a match against itself


def play_itself(
    home: Home,
    version: Version,
    games: Sequence[str],
    progress: CheckProgress,
    transcript: TranscriptPlace | None = None,
    *,
    passed: Mapping[str, str] | None = None,
    one_match: bool = False,
) -> dict[str, Fault]:
    """Let *version* play one block of each of *games* against itself; return its first fault in each.

    With *one_match*, play only the first match of each block.  Stop at the first fault of a bot that names
    its games or cannot be started.  *passed* are the environment variables that it may have, if they are
    others than in a run.  *transcript* is where all lines are written down.

    Raises TooBusy where the machine delays the bot too much, three times.
    """
    failed: dict[str, Fault] = {}
    passed = home.variables_for(version.manifest.env) if passed is None else passed
    for game in games:
        seats = GAMES[game].seats[0]
        twins = tuple(twin(version, i) for i in range(seats))
        contest = Contest(game, seats, home.options(game), tuple(range(seats)))
        setup = practice_setup(
            (contest,),
            twins,
            practice_settings(home),
            confinement_of(home),
            secret=draw_secret(),
            passed={bot.id: dict(passed) for bot in twins},
            transcript=transcript,
        )
        matches = 1 if one_match else seats
        progress.play(f"{version.bot} against itself: {game}", matches, seats)
        try:
            faults = _faults_in(
                PlannedBlock(0, 0, 0, contest.bots), setup, progress.hear, one_match=one_match
            )
        except TooBusy as error:
            raise TooBusy(error.reason, judged=version.bot) from None
        if faults:
            failed[game] = faults[0]
            if version.manifest.games or cannot_start(failed):
                break
    return failed


def _faults_in(block: PlannedBlock, setup: Setup, on_event: OnEvent, *, one_match: bool) -> list[Fault]:
    """Play *block*, or only its first match; return the faults.  Raises TooBusy."""
    with Worker(setup, on_event=on_event, practice=True) as worker:
        if one_match:
            first = matches_of(block, setup.contests[block.contest])[0]
            return worker.play_match(first, VOIDS).faults
        return [fault for played in worker.play([block]) for fault in played.faults]


def practice_settings(home: Home) -> RunSettings:
    """Return the settings of practice matches in *home*: an illegal move is a fault at once."""
    held_to = home.settings.held_to(home.most_threads())
    return msgspec.structs.replace(held_to, freeze="off", retries=0)


def practice_setup(
    contests: tuple[Contest, ...],
    bots: tuple[Version, ...],
    settings: RunSettings,
    confinement: Confinement,
    *,
    secret: bytes,
    passed: Mapping[str, dict[str, str]] = MappingProxyType({}),
    in_progress: int = 1,
    cores: int = 0,
    transcript: TranscriptPlace | None = None,
) -> Setup:
    """Return the setup of a worker for matches that are not stored; all its processes stay warm."""
    return Setup(
        run=0,
        secret=secret,
        contests=contests,
        bots=bots,
        passed=dict(passed),
        settings=settings,
        confinement=confinement,
        processes=max(64, len(bots) ** 2),
        in_progress=in_progress,
        cores=cores,
        transcript=transcript,
    )


def twin(version: Version, index: int) -> Version:
    """Return *version* under another id, so that it can sit at a table more than once."""
    return msgspec.structs.replace(
        version, version=f"{version.version}-{index}", folder=str(Path(version.folder).resolve())
    )
