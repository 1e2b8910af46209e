"""Check a bot for its author: find what could go wrong on the ladder before it counts.

Each check ends in a finding: what happened, the lines exchanged, and what to do.  Nothing is stored, neither
the snapshot nor the matches.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path

import msgspec

from ladder.admission.borrow import read_submission, stage_alone
from ladder.admission.finding import MARK, Finding
from ladder.admission.tryout import Trial
from ladder.contest.keys import draw_secret
from ladder.errors import NotFound, RefusedBot, of_the_bot, suggest
from ladder.home.home import Home, house_bots
from ladder.machine.removal import remove_folder
from ladder.process.procfs import find_marked
from ladder.registry.bot_archive import open_submission
from ladder.registry.bot_manifest import BotManifest
from ladder.registry.bundled import copy_bundled
from ladder.registry.roster import Roster
from ladder.registry.version import Version
from ladder.worker.check_progress import CheckProgress
from ladder.worker.worker_messages import TranscriptPlace

MENDED = "nothing: the ladder does so at each submission, and your own file stays as it is"
"""What to do about what was mended."""


def check(
    home: Home,
    wanted: str,
    progress: CheckProgress | None = None,
    transcript: TranscriptPlace | None = None,
    games: Sequence[str] = (),
) -> Generator[Finding]:
    """Check the bot at the path *wanted*, or the submitted bot of that name; yield each finding.

    It is tried at its own games, if its manifest names them; else at *games*, or at those played here.
    *progress* is told what is being done.  *transcript* is where every line to and from the bots is written.

    Raises NotFound if there is neither such a path nor such a bot, UsageProblem for a bot that is banned.
    """
    path, progress = Path(wanted), progress or CheckProgress()
    if not path.exists():
        version = _find(home, wanted)
        home.check_allowed(version.manifest)
        yield _describe(version.manifest)
        yield from _try(home, version, progress, transcript, games)
        return
    try:
        changes: list[str] = []
        manifest = read_submission(home, path, None, changes)
        home.check_allowed(manifest)
    except RefusedBot as error:
        yield Finding("manifest", "failure", str(error), error.hint)
        return
    yield _describe(manifest)
    # beside the bots of the home: snapshots of a folder leave out the home in it, and so this as well
    roster = Roster(home.path / f".check-{os.getpid()}", most_mb=home.bot_mb)
    try:
        progress.begin("copying and building")
        findings, built = _build(home, roster, path, manifest, changes)
        yield from findings
        if built:
            yield from _try(home, built, progress, transcript, games)
    finally:
        remove_folder(roster.path)


def _build(
    home: Home, roster: Roster, path: Path, manifest: BotManifest, changes: Sequence[str]
) -> tuple[list[Finding], Version | None]:
    """Copy and build the bot at *path*; return the findings, and the version unless the build failed.

    *changes* are those that were made while it was opened.
    """
    began = time.monotonic()
    try:
        with of_the_bot(path), open_submission(path, most_mb=home.bot_mb) as place:
            staged = stage_alone(home, roster, place, manifest)
    except RefusedBot as error:
        why, *output = str(error).split("\n")
        return [Finding("build", "failure", why, error.hint, tuple(output))], None
    took = time.monotonic() - began
    built = Path(staged.version.folder).with_name("source").is_dir()
    what = f"copied and built in {took:.1f} s" if built else "copied; there is nothing to build"
    mended = [Finding("files", "warning", change, MENDED) for change in (*changes, *staged.changes)]
    return [*mended, Finding("build", "ok", what)], staged.version


def _find(home: Home, wanted: str) -> Version:
    try:
        return home.roster.find_player(wanted)
    except NotFound:
        names = {version.bot for version in home.roster.versions()}
        raise NotFound(
            f"there is no file and no bot {wanted!r}{suggest(wanted, names)}",
            "ladder check PATH, or ladder bots, which lists the bots here",
        ) from None


def _describe(manifest: BotManifest) -> Finding:
    games = ", ".join(manifest.games) or "every game"
    return Finding("manifest", "ok", f"{manifest.name}: {' '.join(manifest.run)}; {games}")


def _try(
    home: Home,
    version: Version,
    progress: CheckProgress,
    transcript: TranscriptPlace | None,
    games: Sequence[str],
) -> Iterator[Finding]:
    """Check a bot that is built; end every process that it leaves behind."""
    version = msgspec.structs.replace(version, folder=str(Path(version.folder).resolve()), unfit=())
    mark, opponent = draw_secret().hex(), house_bots()["random"]
    try:
        with copy_bundled(opponent.parent) as folder:
            trial = Trial(home, version, folder / opponent.name, mark, progress, transcript, games)
            yield from trial.findings()
    finally:
        for pid in find_marked(f"{MARK}={mark}"):  # also when the check fails
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
