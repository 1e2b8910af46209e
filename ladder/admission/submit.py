"""Taking in a bot: manifest, snapshot, build, and a quick match against itself before it counts."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec

from engines import GAMES
from ladder.errors import LadderError, UsageProblem
from ladder.home.home import Home, chosen_tier
from ladder.registry.archive import open_submission
from ladder.registry.manifest import BotManifest, read_manifest, source_of
from ladder.registry.version import Version
from ladder.worker.practice import cannot_start, play_itself
from ladder.worker.progress import Progress
from results.record import Fault

__all__ = ["keep_for_duel", "submit"]

LONGEST_NOTE = 200
"""How many characters a submitter's note may have."""


def submit(
    home: Home,
    path: Path,
    name: str | None = None,
    *,
    note: str = "",
    replace: bool = False,
    house: bool = False,
    say: Callable[[str], object] = lambda text: None,
    progress: Progress | None = None,
) -> Version:
    """Make what lies at *path*, or in that archive, the newest version of its bot; return the version.

    *name*, if given, is what the bot is to be called.  *note*, at most LONGEST_NOTE characters, is what the
    submitter says about this version.  *replace* lets it take over a name that was given by somebody else.
    *house* tells that it came with the ladder.  *say* is told what the submitter should know of a bot that
    is taken in, *progress* what is being done.

    Raises UsageProblem for what cannot be taken, LadderError for a build or a self-play check that fails.
    Nothing is changed then.
    """
    if len(note) > LONGEST_NOTE:
        raise UsageProblem(
            f"expected a note of at most {LONGEST_NOTE} characters, got: {len(note)}", "say it in fewer words"
        )
    origin = str(source_of(path).resolve())
    with _older_named(home, name, origin), open_submission(path) as place:
        manifest = read_manifest(place, GAMES, name)
    with _older_named(home, manifest.name, origin):
        if not (replace or house):
            _check_name(home, manifest, origin)
        home.check_allowed(manifest)
        return _take(home, path, manifest, origin, note, house, say, progress or Progress())


def keep_for_duel(
    home: Home,
    path: Path,
    say: Callable[[str], object] = lambda text: None,
    progress: Progress | None = None,
) -> Version:
    """Keep what lies at *path*, or in that archive, as a version that plays only where it is named.

    It takes no name from anybody: the active version of a bot of its name goes on playing, and its own path
    gives no right to that name.  For the rest see submit.
    """
    with open_submission(path) as place:
        manifest = read_manifest(place, GAMES)
    home.check_allowed(manifest)
    return _take(home, path, manifest, "", "", False, say, progress or Progress(), aside=True)


def _take(
    home: Home,
    path: Path,
    manifest: BotManifest,
    origin: str,
    note: str,
    house: bool,
    say: Callable[[str], object],
    progress: Progress,
    aside: bool = False,
) -> Version:
    progress.begin(f"{manifest.name}: copying and building")
    passed = home.passed(manifest.env)
    with open_submission(path) as place:
        staged = home.roster.stage(
            place,
            manifest,
            passed,
            chosen_tier(home),
            note,
            house=house,
            aside=aside,
            readable=home.readable_paths(),
            network=home.settings.allow.build_network,
        )
    if isinstance(staged, Version):
        return _try_again(home, staged, passed, say, progress) if staged.unfit and not aside else staged
    try:
        version = staged.version
        failed = play_itself(home, version, passed, manifest.games or tuple(GAMES), progress)
        if failed and (manifest.games or len(failed) == len(GAMES) or cannot_start(failed)):
            game, fault = next(iter(failed.items()))
            what = f"{version.bot} failed its match against itself at {game}: {_report(fault)}"
            again = "the same command" if aside else f"ladder submit {shlex.quote(str(path))}"
            raise LadderError(what, f"correct the bot, then: {again}")
        _say_unfit(version, failed, say)
        return staged.accept(failed, origin)
    finally:
        staged.reject()


def _try_again(
    home: Home,
    version: Version,
    passed: Mapping[str, str],
    say: Callable[[str], object],
    progress: Progress,
) -> Version:
    """Let a version that is here already try once more the games it failed in."""
    hopeful = msgspec.structs.replace(version, unfit=())
    failed = play_itself(home, hopeful, passed, version.unfit, progress)
    _say_unfit(version, failed, say)
    return home.roster.rewrite(msgspec.structs.replace(version, unfit=tuple(failed)))


def _say_unfit(version: Version, failed: Mapping[str, Fault], say: Callable[[str], object]) -> None:
    for game, fault in failed.items():
        say(f"{version.bot} does not play {game}, where it failed against itself: {_report(fault)}")


# -- whose name it is


def _check_name(home: Home, manifest: BotManifest, origin: str) -> None:
    """Refuse a name that belongs to another bot: one of another author, or from another place."""
    name, author = manifest.name, manifest.author
    newest = {version.bot: version for version in home.roster.versions()}.get(name)
    if newest is None:
        return
    hint = f"call it something else: --name NAME; or add --replace, to make it the next version of {name}"
    if newest.of_house:
        raise UsageProblem(f"{name!r} is a house bot, and this bot did not come with the ladder", hint)
    before = newest.manifest.author
    if before and before != author:
        by = f"by {author!r}" if author else "without an author"
        raise UsageProblem(f"{newest.id} is by {before!r}, and this bot is {by}", hint)
    origins = home.roster.origins()[name]
    if not before and origin not in origins:
        where = origins[-1] or "a place that is not known"
        raise UsageProblem(f"there is a bot {name!r} already, submitted from {where}", hint)


@contextmanager
def _older_named(home: Home, name: str | None, origin: str) -> Iterator[None]:
    """Have a refusal name the version that goes on playing, if there is one."""
    try:
        yield
    except LadderError as error:
        for version in home.roster.active():
            if version.bot == name or (name is None and home.roster.origins()[version.bot][-1] == origin):
                error.args = (f"{error}\n{version.id} goes on playing",)
        raise


def _report(fault: Fault) -> str:
    lines = [f"{fault.kind}: {fault.reason}"]
    for what, text in (("request", fault.request), ("answer", fault.answer), ("stderr", fault.stderr)):
        if text.strip():
            lines.append(f"  {what}: {text.strip()[-1500:] if what == 'stderr' else text.strip()[:500]}")
    return "\n".join(lines)
