"""What the workers of a run must know: built from the home and the stored run."""

import logging
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from ladder.contest.custom_options import restore_custom
from ladder.errors import LadderError, NotFound, UsageProblem, first_of
from ladder.games.rule_options import in_order
from ladder.home.home import Home, confinement_of, tier_of
from ladder.home.settings import LimitSettings
from ladder.registry.bot_manifest import BotManifest
from ladder.registry.roster import changed_files
from ladder.registry.version import Version
from ladder.worker.worker_messages import Setup
from results.record import LimitsApart, Run

WITHOUT = "ladder run --resume --without"
"""The command in the hint of an error that one bot of a run has caused; duels and tournaments have others."""

log = logging.getLogger(__name__)
SHOWN = 3
"""How many changed files are named."""


def check_files(home: Home, bot: Version, instead: str = "") -> list[str]:
    """Raise LadderError if the files of *bot* differ from what was submitted.

    Without a sandbox a bot may write into its folder, so new files are returned, in words, and are no error.
    *instead* is added to the hint: another way out.
    """
    if bot in (home.coming or ()):
        return []
    found = changed_files(bot)
    if wrong := found.changed or [each for each in found.new if tier_of(home) != "none"]:
        folder = Path(bot.folder).parent
        raise LadderError(
            f"{bot.id} is not what was submitted: {first_of(wrong, SHOWN)}, in {folder}",
            f"submit {bot.bot} again, or restore that folder from a backup{instead}",
        )
    return found.new if home.coming is None else []


def _version(home: Home, run: Run, name: str, version: str) -> Version:
    """Return a bot of *run*.  Raises NotFound for one that is gone, unless the run goes on without it."""
    id_ = f"{name}@{version}"
    try:
        return home.roster.find(id_)
    except NotFound:
        if run.settings.goes_without(name, version):
            folder = home.roster.path / name / version / "files"
            return Version(name, version, str(folder), BotManifest(name=name, run=("gone",)))
        what = f"{id_} plays in run {run.run} and is not in this home any more"
        raise NotFound(what, f"submit it again; or: {WITHOUT} {id_}") from None


def _check_ban(run: Run, bot: Version) -> None:
    if bot.ban:
        lift = f"ladder bots ban {bot.bot} --lift, if the ban is over"
        raise UsageProblem(
            f"{bot.id} plays in run {run.run} and is banned: {bot.ban.why}", f"{WITHOUT} {bot.id}; or {lift}"
        )


def _check_limits(run: Run) -> None:
    settings = run.settings
    apart = settings.apart or LimitsApart()
    try:
        for held in (settings.limits, *apart.bots.values(), *apart.games.values()):
            msgspec.convert(held, LimitSettings)
    except msgspec.ValidationError as error:
        raise LadderError(
            f"run {run.run} was begun under limits that no home may have now: {error}",
            "ladder run --new, which ends it as it is and begins another",
        ) from None


def setup_of(home: Home, run: Run, in_progress: int, guests: Sequence[Version] = ()) -> Setup:
    """Return what the workers of *run* must know; *guests* play although they were not submitted.

    Raises NotFound if one of its bots is gone, and LadderError if the files of one were changed, or if the
    limits are outside what a home may have now.  Raises UsageProblem if one of its bots is banned.
    """
    _check_limits(run)
    settings = run.settings
    if settings.threads is None:  # begun before runs kept it
        settings = replace(settings, threads=home.most_threads())
    known = {guest.id: guest for guest in guests}
    bots = tuple(
        known.get(f"{name}@{version}") or _version(home, run, name, version) for name, version in run.bot_keys
    )
    for bot in bots:
        if bot.id in known or run.settings.goes_without(bot.bot, bot.version):
            continue
        _check_ban(run, bot)
        without = f"; or: {WITHOUT} {bot.id}"
        if new := check_files(home, bot, without):
            log.warning("%s has written into its folder: %s", bot.id, first_of(new, SHOWN))
    return Setup(
        run=run.run,
        secret=bytes.fromhex(run.secret),
        contests=tuple(
            replace(contest, options=in_order(contest.game, restore_custom(contest.options, settings.tables)))
            for contest in settings.contests
        ),
        bots=tuple(replace(bot, folder=str(Path(bot.folder).resolve())) for bot in bots),
        passed={bot.id: home.variables_for(bot.manifest.env) for bot in bots},
        settings=settings,
        confinement=confinement_of(home),
        processes=home.settings.run.processes or 0,
        in_progress=in_progress,
        caps=home.settings.caps_of(bots),
    )
