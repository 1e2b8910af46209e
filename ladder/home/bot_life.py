"""The life of a bot after its submission: whether it plays, and what follows from that for the home."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import NamedTuple

from engines import GAMES
from ladder.errors import LadderError, TooBusy, UsageProblem
from ladder.home.home import Home, tier_of
from ladder.home.house_bots import bundled_bots, pending
from ladder.home.new_names import check_new_name
from ladder.registry.bot_manifest import check_name
from ladder.registry.roster import changed_files, check_ban
from ladder.registry.version import Ban, Version, now_in_utc
from results.rating.cache import save
from results.record import Run
from results.storage.store import Store
from results.storage.unrated import unrated_store, unrated_stores

LONGEST_WHY = 200
"""The most characters of the reason of a ban."""


class RunUnfinished(UsageProblem):
    """A bot cannot be renamed before a run with it has ended."""


class UnfinishedRun(NamedTuple):
    """A run that is not over: rated or not, a duel or a tournament."""

    store: str
    """The name of its unrated store, such as d1; empty if it is rated."""
    run: Run

    @property
    def called(self) -> str:
        """What people call it: run 3, d1, tournament spring."""
        if terms := self.run.settings.tournament:
            return f"tournament {terms.name}"
        return self.store or f"run {self.run.run}"

    def without(self, bot: str) -> str:
        """Return what to type to go on without *bot*, a name with a hash."""
        settings = self.run.settings
        if settings.tournament:
            return f"ladder tournament run {settings.tournament.name} --without {bot}"
        if settings.duel:
            return "begin another duel"
        return f"ladder run {'--unrated ' if self.store else ''}--resume --without {bot}"


def _find_unfinished(home: Home) -> list[UnfinishedRun]:
    """Return the unfinished runs of *home*, secret tournaments among them, the rated one first."""
    stores = {"": Store(home.results)} | unrated_stores(home.results, hidden=True)
    found = ((name, store.unfinished_run()) for name, store in stores.items())
    return [UnfinishedRun(name, run) for name, run in found if run]


class Change(NamedTuple):
    """What a command has changed."""

    versions: list[Version]
    """The versions that it changed; none if nothing had to change."""
    plays: Version | None
    """The version of that bot that plays now."""
    stopped: list[str]
    """For each game that has too few bots now and had enough before, or lost its last one, what is left."""
    unfinished: list[tuple[UnfinishedRun, Version]]
    """Each unfinished run, and the changed version that plays in it."""


def retire(home: Home, wanted: str) -> Change:
    """Keep what *wanted* names, a version or a bot, out of runs that do not name it.  Raises NotFound."""
    version, before = home.roster.find(wanted), home.roster.active()
    chosen = [version] if "@" in wanted else home.roster.versions_of(version.bot)
    return _change(home, version.bot, home.roster.retire(chosen), before)


def activate(home: Home, wanted: str) -> Change:
    """Let the version that *wanted* names, or the last that played, be the one of its bot that plays.

    Raises NotFound, UsageProblem for a bot that is banned, and LadderError for a version whose files were
    changed.
    """
    version, before = home.roster.find(wanted), home.roster.active()
    check_ban(version)
    if changed := [what for found in changed_files(version) for what in found]:
        raise LadderError(
            f"{version.bot}@{version.number} is not what was submitted: {changed[0]}", "submit it again"
        )
    is_same = version.id in [other.id for other in before]
    return _change(home, version.bot, [] if is_same else [home.roster.activate(version)], before)


def ban(home: Home, bot: str, why: str) -> Change:
    """Let no version of *bot* play anywhere, and refuse all submissions under its name.

    Raises NotFound, and UsageProblem for a version in place of a name and for a reason that is empty as well
    long or not of one line.
    """
    name, before = _whole_bot(home, bot), home.roster.active()
    if not why.strip() or len(why) > LONGEST_WHY or not why.isprintable():
        raise UsageProblem(
            f"expected a reason of one line and 1 to {LONGEST_WHY} characters, got: {why[:80]!r}",
            f'ladder bots ban {name} --why "it reads the deal from the disk"',
        )
    home.roster.ban(name, Ban(why.strip(), now_in_utc()))
    return _change(home, name, home.roster.versions_of(name), before)


def lift_ban(home: Home, bot: str) -> Change:
    """Let *bot* play and be submitted again.  Raises NotFound, and UsageProblem as ban() does."""
    name, before = _whole_bot(home, bot), home.roster.active()
    banned = [version for version in home.roster.versions_of(name) if version.ban]
    if banned:
        home.roster.ban(name, None)
    return _change(home, name, banned, before)


def rename(home: Home, old: str, new: str) -> None:
    """Let the bot *old* be called *new*, in all that was played and will be; rate again.

    Stored matches keep the names of their time: see results.storage.names.  Raises NotFound, and UsageProblem
    for a name that is not free, for a house bot, and while a run with the bot is unfinished; HomeLocked while
    another process is playing.
    """
    if "@" in old:
        raise UsageProblem(
            f"all versions of a bot share its name, and {old} is one version",
            f"ladder bots rename {old.partition('@')[0]} {new}",
        )
    version = home.roster.find(old)
    if version.of_house:
        raise UsageProblem(
            f"{old} is a house bot: the ladder knows it by its name",
            f"ladder submit PATH --name {new}, with a copy of it",
        )
    check_name(new)
    store = Store(home.results)
    with ExitStack() as stack:
        stack.enter_context(store.lock())
        _check_taken(home, store, old, new)
        for going_on in _find_unfinished(home):
            if going_on.store:  # a duel that is playing must not store ratings under the old name
                stack.enter_context(unrated_store(home.results, going_on.store, hidden=True).lock())
            elif any(bot["name"] == old for bot in going_on.run.bots):
                raise RunUnfinished(
                    f"{going_on.called} is not finished, and {old} plays in it",
                    "ladder run --resume, then this command; or ladder run --new, which ends it as it is",
                )
        store.rename(old, new)
        if store.runs():
            save(store)


def _check_taken(home: Home, store: Store, old: str, new: str) -> None:
    """Raise UsageProblem if *new* is, or was, the name of another bot than *old*."""
    hint = f"choose another name: ladder bots rename {old} NAME"
    names = home.roster.names
    if new in bundled_bots():
        raise UsageProblem(f"{new!r} is the name of a house bot", hint)
    if new in names and names[new] != old:
        raise UsageProblem(f"{new!r} was the name of {names[new]!r} before", hint)
    played = {bot["name"] for run in store.runs() for bot in run.bots}
    if new in {version.bot for version in home.roster.versions()} | played:
        same = "it already has that name" if new == old else f"there is a bot {new!r} already"
        raise UsageProblem(same, hint)
    check_new_name(home, new, hint, but=old)


def _whole_bot(home: Home, wanted: str) -> str:
    name = home.roster.find(wanted).bot
    if "@" in wanted:
        raise UsageProblem(
            f"a ban applies to all versions of a bot, and {wanted} is one version",
            f"ladder bots ban {name}; or ladder bots retire {wanted}, for this version alone",
        )
    return name


def _change(home: Home, bot: str, versions: list[Version], before: Sequence[Version]) -> Change:
    now = home.roster.active()
    plays = next((version for version in now if version.bot == bot), None)
    # In a new home the house bots come with the first run, and fill the tables.
    stopped = [] if pending(home) else _name_stopped(home.settings.run.games or tuple(GAMES), before, now)
    changed = {version.id: version for version in versions}
    unfinished = [
        (going_on, changed[id_])
        for going_on in _find_unfinished(home)
        for id_ in going_on.run.bot_ids
        if id_ in changed and not going_on.run.settings.goes_without(*id_.split("@"))
    ]
    return Change(versions, plays, stopped, unfinished)


def _name_stopped(games: Sequence[str], before: Sequence[Version], now: Sequence[Version]) -> list[str]:
    """Say which of *games* had enough bots *before* for one of their tables, or any, and have not *now*."""
    found = []
    for name in games:
        had, left = (
            {size: [bot.bot for bot in bots if bot.plays(name, size)] for size in GAMES[name].seats}
            for bots in (before, now)
        )
        if any(had.values()) and not any(left.values()):
            found.append(f"no bot plays {name} any more")
        elif _fills_table(had) and not _fills_table(left):
            needed, there = next((size, bots) for size, bots in left.items() if bots)
            who = f"only {there[0]} plays it" if len(there) == 1 else f"{len(there)} bots play it"
            found.append(f"{name} needs {needed} bots, and {who}")
    return found


def _fills_table(bots: Mapping[int, Sequence[str]]) -> bool:
    """Return whether there are enough *bots*, by the table size that they play, for one table."""
    return any(len(there) >= size for size, there in bots.items())


def changed_bots(home: Home) -> list[str]:
    """Return the versions whose files are not what was submitted, in words: no run begins with them."""
    found = []
    for version in home.roster.versions():
        changed, new = changed_files(version)
        # Where nothing confines bots, a file that is new may be one that the bot itself has left, such as a
        # cache.
        if new and not changed and not may_write(home):
            changed = new
        if changed:
            more = f" and {len(changed) - 1:,} more" if changed[1:] else ""
            found.append(f"{version.bot}@{version.number} is not what was submitted: {changed[0]}{more}")
    return found


def may_write(home: Home) -> bool:
    """Return whether bots may write into their folders, because nothing confines them here."""
    try:
        return tier_of(home) == "none"
    except TooBusy:  # then nothing is said of their files
        raise
    except LadderError:
        return False
