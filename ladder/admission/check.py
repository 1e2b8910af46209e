"""Check a bot for its author: find what could go wrong on the ladder before it counts.

Each check ends in a finding: what happened, the lines exchanged, and what to do.  Nothing is stored, neither
the snapshot nor the matches.
"""

import contextlib
import os
import shlex
import signal
import time
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path

import msgspec

from engines import GAMES
from ladder.admission.borrow import stage_alone
from ladder.admission.finding import MARK, Finding
from ladder.admission.submission import Submission
from ladder.admission.tryout import Trial
from ladder.contest.keys import draw_secret
from ladder.errors import LadderError, NotFound, RefusedBot, of_the_bot, suggest
from ladder.home.home import Home, house_bots
from ladder.machine.removal import remove_folder
from ladder.process.procfs import find_marked
from ladder.registry.bot_manifest import BotManifest
from ladder.registry.bundled import copy_bundled
from ladder.registry.roster import Roster
from ladder.registry.version import Version
from ladder.worker.check_progress import CheckProgress
from ladder.worker.worker_messages import TranscriptPlace

MENDED = "nothing: the ladder does so at each submission, and your own file stays as it is"
"""What to do about what was mended."""


class FailedChecks(LadderError):
    """The *failures* among the *findings* of a bot, which may be none."""

    def __init__(self, bot: str, findings: Sequence[Finding]) -> None:
        self.findings = findings
        self.failures = [finding for finding in findings if finding.verdict == "failure"]
        first = "ladder doctor" if all(each.not_the_bot for each in self.failures) else "correct the bot"
        super().__init__(
            f"{len(self.failures)} of {len(findings)} checks failed",
            f"{first}, then: ladder check {shlex.quote(bot)}",
        )


def check(
    home: Home,
    wanted: str | Submission,
    progress: CheckProgress | None = None,
    transcript: TranscriptPlace | None = None,
    games: Sequence[str] = (),
) -> Generator[Finding]:
    """Check what is *wanted*: the bot at that path or of that name, or a submission; yield each finding.

    It is tried at its own games, if its manifest names them; else at *games*, or at those played here.
    *progress* is told what is being done.  *transcript* is where every line to and from the bots is written.

    Raises NotFound if there is neither such a path nor such a bot, UsageProblem for a bot that is banned.
    """
    progress = progress or CheckProgress()
    if isinstance(wanted, str) and not Path(wanted).exists():
        version = _find(home, wanted)
        home.check_allowed(version.manifest)
        yield _describe(version.manifest)
        yield from _try(home, version, progress, transcript, games)
        return
    submission = Submission(Path(wanted)) if isinstance(wanted, str) else wanted
    # beside the bots of the home: snapshots of a folder leave out the home in it, and so this as well
    roster = Roster(home.path / f".check-{os.getpid()}", most_mb=home.bot_mb)
    try:
        if built := (yield from _build(home, roster, submission, progress)):
            yield from _try(home, built, progress, transcript, games)
    finally:
        remove_folder(roster.path)


def _build(
    home: Home, roster: Roster, submission: Submission, progress: CheckProgress
) -> Generator[Finding, None, Version | None]:
    """Read, copy and build a bot; yield the findings, and return the version unless one is a failure."""
    step = "manifest"
    try:
        with submission.open(home) as opened:
            home.check_allowed(opened.manifest)
            yield _describe(opened.manifest)
            step, began = "build", time.monotonic()
            progress.begin("copying and building")
            with of_the_bot(opened.path):
                staged = stage_alone(home, roster, opened)
    except RefusedBot as error:
        why, *output = str(error).split("\n") if step == "build" else [str(error)]
        yield Finding(step, "failure", why, error.hint, tuple(output))
        return None
    took = time.monotonic() - began
    for change in (*opened.changes, *staged.changes):
        yield Finding("files", "warning", change, MENDED)
    built = Path(staged.version.folder).with_name("source").is_dir()
    what = f"copied and built in {took:.1f} s" if built else "copied; there is nothing to build"
    yield Finding("build", "ok", what)
    return staged.version


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
    games = [
        f"{game} ({', '.join(map(str, of))} seats)" if (of := manifest.sizes_of(game)) else game
        for game in manifest.games or (GAMES if manifest.seats else ["every game"])
    ]
    return Finding("manifest", "ok", f"{manifest.name}: {' '.join(manifest.run)}; {', '.join(games)}")


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
