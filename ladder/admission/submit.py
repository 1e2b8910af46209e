"""Submit a bot: read the manifest, copy, build, and play a quick match against itself."""

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import msgspec

from engines import GAMES
from engines.games import BUILT_IN
from ladder.admission.advice import Symptoms, advise
from ladder.admission.second_look import examine
from ladder.admission.self_play import is_refused, name_others, play_itself
from ladder.admission.submission import Checks, OpenSubmission, Submission
from ladder.errors import LadderError, RefusedBot, Whose, of_the_bot
from ladder.home.home import Home, confine_home, confinement_of
from ladder.home.house_bots import is_kept_name, was_tried
from ladder.home.new_names import check_author, check_display, check_new_name, free_word
from ladder.registry.bot_manifest import BotManifest
from ladder.registry.place import BotPlace, has_right
from ladder.registry.roster import check_ban
from ladder.registry.version import Version, check_note, game_of, say_place
from ladder.worker.check_progress import CheckProgress
from results.record import Fault


class FailedMatch(LadderError):
    """A bot failed its match against itself at *place*, a game or GAME/SEATS; *again* is to be typed then."""

    whose: Whose = "bot"

    def __init__(self, bot: str, place: str, fault: Fault, advice: str, again: str) -> None:
        self.game = say_place(place)
        self.fault = fault
        self.advice = advice
        what = f"{bot} failed its match against itself at {self.game}: {_report(fault)}"
        super().__init__(what, f"{advice}; then: {again}")


class TakenName(RefusedBot):
    """The name of a submission belongs to a bot that came from another place, or has another author."""


def submit(
    home: Home,
    submission: Submission,
    confirm: Callable[[str], bool] = lambda question: False,
    say: Callable[[str], object] = lambda text: None,
    progress: CheckProgress | None = None,
) -> Version:
    """Make what is submitted the newest version of its name; return the version.

    *confirm* is asked about a name that belongs to another author or place.  *say* is told what the submitter
    should know about an accepted bot, *progress* what is being done.

    Raises RefusedBot for a bot that cannot be accepted, FailedMatch for one that fails against itself,
    TooBusy where the machine delays it too much to judge it, and other errors, which are not the bot's
    (errors.whose).  Then nothing changes.
    """
    check_note(submission.note)
    with ExitStack() as files:
        with _naming_older(home, submission, submission.name):
            opened = files.enter_context(submission.open(home))
        if not (opened.name or opened.house):
            opened = replace(opened, manifest=free_word(home, opened.manifest, opened.changes))
        manifest, place = opened.manifest, opened.place
        with _naming_older(home, opened, manifest.name):
            _check_free(home, manifest.name, place)
            if opened.aside:
                check_new_name(home, manifest.name, "write another name in its bot.toml")
            elif not opened.house:
                check_new_name(home, manifest.name)
                check_author(home, manifest, place)
                check_display(home, manifest)
                if not opened.replace:
                    _check_name(home, opened, confirm)
            home.check_allowed(manifest)
            return _accept(home, opened, files, say, progress or CheckProgress())


def tried_here(home: Home, manifest: BotManifest, games: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the games at which a bot is tried in *home*: its own, else *games*, else those played here."""
    return manifest.games or tuple(games) or home.settings.run.games or tuple(GAMES)


def keep_for_duel(
    home: Home,
    path: Path,
    say: Callable[[str], object] = lambda text: None,
    progress: CheckProgress | None = None,
) -> Version:
    """Keep the bot at *path*, a file, folder or archive, as a version that plays only if it is named.

    The active version of a bot with its name continues to play, and the path gives no right to that name.
    Where *home* only serves to check, nothing is built, tried or kept.  For the rest see submit.
    """
    return submit(home, Submission(path, aside=True), say=say, progress=progress)


def _accept(
    home: Home,
    opened: OpenSubmission,
    files: ExitStack,
    say: Callable[[str], object],
    progress: CheckProgress,
) -> Version:
    """Copy, build and try what is submitted; close *files* once they are copied: unpacked, they take room."""
    manifest, checks, aside = opened.manifest, opened.checks, opened.aside
    # once, and not before its own program, or its build, starts: a home may hold what cannot be confined
    confined = cache(partial(confine_home, home, say))
    progress.begin(f"{manifest.name}: copying and building")
    with of_the_bot(opened.path):
        staged = home.roster.stage(
            opened.unpacked.folder,
            manifest,
            home.variables_for(manifest.env),
            (lambda: confinement_of(confined())) if home.coming is None else None,
            opened.note,
            house=opened.house,
            aside=aside or opened.gated,
        )
    files.close()
    if isinstance(staged, Version):
        if not (aside or opened.house):
            home.roster.remember(staged, opened.place)
        if not aside and checks != "none":
            return _try_again(confined(), staged, opened.games, say, progress)
        return staged
    try:
        version = staged.version
        if home.coming is not None:
            return version
        wanted = tried_here(home, manifest, opened.games)
        if checks != "none":
            home = confined()
        failed, tried = _practise(home, version, checks, wanted, progress)
        # A bot must play all that its manifest names.  Elsewhere it may fail in a game, or at a table size,
        # that it was not written for: it does not play there.
        if is_refused(manifest, failed) or all(game in failed for game in wanted):
            game, fault = next(iter(failed.items()))
            again = "the same command" if aside else f"ladder submit {shlex.quote(str(opened.path))}"
            raise FailedMatch(version.bot, game, fault, _advise(home, version, game, failed), again)
        for change in (*opened.changes, *staged.changes):
            say(f"{version.bot}: {change}")
        _say_unfit(home, version, failed, say)
        return staged.accept(tried, None if aside else opened.place)
    finally:
        # After accept there is nothing left to remove: the stage was renamed to be the version.
        staged.reject()


def _practise(
    home: Home, version: Version, checks: Checks, games: Sequence[str], progress: CheckProgress
) -> tuple[dict[str, Fault], Version]:
    """Let *version* play *games* against itself; return its faults, as play_itself, and it as it is then."""
    if checks == "full" and was_tried(home, version):
        failed = _practise_rest(home, version, games, progress)
        as_tested = version.manifest.games or BUILT_IN
        return failed, version.note_tried(sorted({*as_tested, *games}), failed)
    if checks == "full":
        failed = play_itself(home, version, games, progress)
        return failed, version.note_tried(sorted({*games}), failed)
    failed = {}
    for game in games if checks == "quick" else ():
        failed |= play_itself(home, version, (game,), progress, one_match=True)
        if game not in failed or is_refused(version.manifest, failed):
            break
    # so few matches were asked for that no game counts as tried
    return failed, msgspec.structs.replace(version, unfit=tuple(failed))


def _practise_rest(
    home: Home, version: Version, games: Sequence[str], progress: CheckProgress
) -> dict[str, Fault]:
    """Let a house bot that was tested play what depends on this home or machine; return its faults by game.

    That is the games of other packages, those with options of their own here, and, for a bot that is
    not run by the ladder's Python, one match, which shows that it starts.
    """
    rest = [game for game in games if game not in BUILT_IN or game in home.settings.games]
    failed = play_itself(home, version, rest, progress)
    if rest or version.manifest.run[0] == "{python}":
        return failed
    return play_itself(home, version, games[:1], progress, one_match=True)


def _try_again(
    home: Home, version: Version, games: Sequence[str], say: Callable[[str], object], progress: CheckProgress
) -> Version:
    """Let a version that was submitted before try the games in which it failed, and new ones of *games*."""
    new = [game for game in tried_here(home, version.manifest, games) if version.needs_trial(game)]
    if not (new or version.unfit):
        return version
    again = tuple(dict.fromkeys([*map(game_of, version.unfit), *new]))
    failed = play_itself(home, version, again, progress)
    _say_unfit(home, version, failed, say)
    if version.tried is None:
        return home.roster.rewrite(msgspec.structs.replace(version, unfit=tuple(failed)))
    return home.roster.rewrite(version.note_tried(again, failed))


def _say_unfit(
    home: Home, version: Version, failed: Mapping[str, Fault], say: Callable[[str], object]
) -> None:
    """Say where *version* does not play, why, and what to do."""
    for place, fault in failed.items():
        where = f"{say_place(place)}, where it failed against itself"
        why = f"{_report(fault)}\n  to do: {_advise(home, version, place, failed)}"
        say(f"{version.bot} does not play {where}: {why}")


def _advise(home: Home, version: Version, place: str, failed: Mapping[str, Fault]) -> str:
    """Return what the author can do where it *failed* at *place*, a game or GAME/SEATS."""
    game, _, size = place.partition("/")
    seats = int(size or (version.manifest.sizes_of(game) or GAMES[game].seats)[0])
    advice = advise(examine(home, version, game, seats, Symptoms.of(failed[place])))
    return advice + name_others(version.manifest, place, failed)


def name_taken(name: str, message: str, hint: str) -> RefusedBot:
    """Return the refusal of a *name* that another bot has; its author reads nothing about that bot."""
    return RefusedBot(message, hint, why=f"the name {name!r} is taken", advice="use another name")


def _check_free(home: Home, name: str, place: BotPlace) -> None:
    """Raise RefusedBot for the name of a bot that is banned, and for one that a renamed bot had."""
    if today := home.roster.names.get(name):
        message = f"the bot {name!r} is called {today!r} now, and keeps its old name, too"
        hint = f'submit it with --name {today}, or write name = "{today}" in its bot.toml'
        if has_right(place, home.roster.places().get(today, ())):  # its author may know
            raise RefusedBot(message, hint, why=message, advice=f'write name = "{today}" in bot.toml')
        raise name_taken(name, message, hint)
    for version in home.roster.versions_of(name)[-1:]:
        check_ban(version)


def _check_name(home: Home, opened: OpenSubmission, confirm: Callable[[str], bool]) -> None:
    """Raise RefusedBot for a name of another author or place; an author is a line that anybody can copy."""
    name, author, place = opened.manifest.name, opened.manifest.author, opened.place
    owned = [version for version in home.roster.versions_of(name) if not version.aside]
    newest = owned[-1] if owned else None
    if newest.of_house if newest else is_kept_name(name, place.path):
        hint = f"use another name: --name NAME; or add --replace, to make it the next version of {name}"
        message = f"{name!r} is a house bot, and this bot did not come with the ladder"
        raise RefusedBot(message, hint, why=message, advice="use another name")
    if newest is None:
        return
    before, origins = newest.manifest.author, home.roster.places()[name]
    by = f"by {author!r}" if author else "without an author"
    if before and before != author:
        what = f"{newest.id} is by {before!r}, and this bot is {by}"
    elif not has_right(place, origins):
        what = f"there is a bot {name!r} already, submitted from {origins[-1]}"
    else:
        return
    if confirm(f"{what}; make this bot from {place} its next version?"):
        return
    line = f"ladder submit {shlex.quote(str(opened.path))} --replace"
    if place.entry:
        line = f"the same command with --replace {name}"
    hint = f"{line}, if it is its next version; else give it another name"
    raise TakenName(what, hint, why=f"the name {name!r} is taken", advice="use another name")


@contextmanager
def _naming_older(home: Home, submission: Submission, name: str) -> Iterator[None]:
    """Add to an error which version of *name*, or from the same place, continues to play, if there is one."""
    try:
        yield
    except LadderError as error:
        places, place = home.roster.places(), submission.place
        for version in home.roster.active() if not submission.aside else ():
            is_its = not name and place.is_of_one and has_right(place, places.get(version.bot, [])[-1:])
            if version.bot == name or is_its:
                error.args = (f"{error}\n{version.id} continues to play",)
        raise


def _report(fault: Fault) -> str:
    lines = [f"{fault.kind}: {fault.reason}"]
    for what, text in (("request", fault.request), ("answer", fault.answer), ("stderr", fault.stderr)):
        if text.strip():
            lines.append(f"  {what}: {text.strip()[-1500:] if what == 'stderr' else text.strip()[:500]}")
    return "\n".join(lines)
