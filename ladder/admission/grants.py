"""What comes of a wish, and of a new version that has to prove itself: done at once, or aside, as a task."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple, TypeAlias, assert_never

from engines import GAMES
from ladder.admission.batch import UNKNOWN, Result, SubmissionAnswer
from ladder.admission.inbox_answers import Taken, free_at
from ladder.admission.wishes import Wish, read_wish
from ladder.errors import NotFound, RefusedBot, UsageProblem, tell
from ladder.home.bot_life import RunUnfinished, activate, rename, retire
from ladder.home.home import Home, open_home
from ladder.registry.version import Version
from results.reports.document import Row
from results.storage.locking import wait_for_locks
from results.words import count

TRIED = timedelta(days=30)
"""For how long versions are counted that have proved themselves."""
ASK = "ask the person who runs the ladder"


class UnratedDuel(NamedTuple):
    """A duel that is played for a person: a gate, or a challenge with a game and a number of deals."""

    home: Path
    new: str
    old: str
    since: float
    """When it was asked for (s since 1970): no duel from before is this one."""
    game: str = ""
    deals: int = 0


class Renaming(NamedTuple):
    """A change of name, which needs a home in which no run goes on."""

    home: Path
    old: str
    new: str


Task: TypeAlias = UnratedDuel | Renaming


def bots_of(home: Home, person: str) -> set[str]:
    """Return the names of the bots that *person* has handed in."""
    places = home.roster.places().items()
    return {bot for bot, origins in places if any(each.entry == f"{person}/" for each in origins)}


def beyond_quota(home: Home, person: str, bot: str) -> RefusedBot | None:
    """Return the refusal of *bot* if it would be one more than *person* may have."""
    most, playing = home.settings.inbox.bots_a_person, {version.bot for version in home.roster.active()}
    names = bots_of(home, person) & playing
    if not most or len(names) < most or bot in names:
        return None
    told = f"you have {count(len(names), 'bot')} here, and a person may have {most}: "
    return RefusedBot(
        told + ", ".join(sorted(names)), "hand it in under the name of one of them, as its next version"
    )


# -- wishes


def grant(home: Home, person: str, path: Path, lines: Sequence[Taken]) -> SubmissionAnswer | Task:
    """Do what *person*, of whom *lines* are, wishes in the file at *path*; or return what is done aside.

    Raises UsageProblem and NotFound, which the person may read, and other errors, which are the machine's.
    """
    wish = read_wish(path)
    name = wish.bot.partition("@")[0]
    if wish.wish == "rename" and home.roster.names.get(name) == wish.to:  # a kill kept back the answer
        return _done(path, wish.wish, f"{name} is called {wish.to} now")
    own = sorted(bots_of(home, person))
    if name not in own:
        raise NotFound(f"you have no bot {name!r} here", f"yours: {', '.join(own)}" if own else "")
    version = home.roster.find(wish.bot)
    match wish.wish:
        case "retire":
            change = retire(home, wish.bot)
            told = [f"{wish.bot} is retired"]
            told += ["a run that goes on plays it to its end"] if change.unfinished else []
            told += [f"{change.plays.bot}@{change.plays.number} keeps playing"] if change.plays else []
            return _done(path, wish.wish, "\n".join(told))
        case "activate":
            last = next((each for each in reversed(lines) if each.version == version.version), None)
            if last and last.result != "accepted" and home.settings.inbox.replace == "gate":
                raise UsageProblem(f"{wish.bot} is {last.result}", "hand in a version that is no worse")
            if refused := beyond_quota(home, person, name):
                raise UsageProblem(str(refused), "retire another one before")
            activate(home, wish.bot)
            return _done(path, wish.wish, f"{name}@{version.number} plays from the next run on")
        case "rename":
            if name in [(each.anchor or "").partition("@")[0] for each in home.settings.ratings.values()]:
                raise UsageProblem(f"the ratings here rest on {name}", ASK)
            return Renaming(home.path, wish.bot, wish.to)
        case "challenge":
            return _challenge(home, version, wish, path, lines)
        case _:
            assert_never(wish.wish)


def _challenge(home: Home, mine: Version, wish: Wish, path: Path, lines: Sequence[Taken]) -> UnratedDuel:
    most = home.settings.inbox.challenges_a_day
    before = [line for line in lines if line.wish == "challenge" and line.result == "done"]
    if not most:
        raise UsageProblem("no challenges are played here", ASK)
    if free := free_at(before, most):
        what = f"you have had your {count(most, 'challenge')} of a day"
        raise UsageProblem(what, f"hand it in again after {free:%Y-%m-%d %H:%M} UTC")
    active = [bot for bot in home.roster.active() if wish.against in (bot.bot, f"{bot.bot}@{bot.number}")]
    if not active or active[0].id == mine.id:
        raise NotFound(f"no other bot {wish.against!r} plays here", "")
    if wish.game not in _games_of(home, mine, active[0]):
        raise UsageProblem(f"{wish.bot} and {wish.against} do not both play {wish.game!r} here", "")
    return UnratedDuel(home.path, mine.id, active[0].id, path.lstat().st_ctime, wish.game, wish.deals)


def _games_of(home: Home, *bots: Version) -> list[str]:
    """Return the games of this home that all *bots* play."""
    games = home.settings.run.games or tuple(GAMES)
    return [game for game in games if all(bot.plays(game) for bot in bots)]


def rename_when_free(asked: Renaming) -> str:
    """Rename a bot once no run goes on; return why that cannot be yet: a run was interrupted.  Else empty."""
    wait_for_locks(lambda locked: None)
    try:
        rename(open_home(asked.home), asked.old, asked.new)
    except RunUnfinished as error:
        return str(error)
    return ""


def answer_wish(path: Path, task: Task | None, result: object) -> SubmissionAnswer:
    """Return the answer to the wish at *path* after *task*, by its *result* or its error; None: not begun."""
    match result:
        case SubmissionAnswer():
            return result
        case Exception():
            # the codes of what is wrong with the wish: UsageProblem, NotFound and errors like them
            is_own = getattr(result, "exit_code", 1) in (2, 3)
            told, hint = tell(result) or (UNKNOWN, "")
            advice = getattr(result, "advice", "" if task else hint) if is_own else ""
            why, told = told, told if is_own else UNKNOWN
            kind: Result = "refused" if is_own else "not judged"
            return SubmissionAnswer(path, kind, why=why, hint=hint, told=told, advice=advice, wish="wish")
        case list():
            return _done(path, "challenge", shown_duel(result))
        case "" if isinstance(task, Renaming):
            return _done(path, "rename", f"{task.old} is called {task.new} now")
    waits = "one duel is played at a time" if isinstance(task, UnratedDuel) else "it is done between two runs"
    return SubmissionAnswer(path, "waits", told=str(result or waits), wish="wish")


def _done(path: Path, kind: str, told: str) -> SubmissionAnswer:
    return SubmissionAnswer(path, "done", why=told.replace("\n", "; "), told=told, wish=kind)


# -- gates


def shown_duel(rows: Sequence[Row]) -> str:
    """Return what the *rows* of a duel say, a line for each game."""
    told = (
        "{game} for {seats}: {verdict} after {deals:,} deals, {wins_low:.1f} to {wins_high:.1f} wins of 100"
    )
    return "\n".join(told.format_map(row) for row in rows) or "no game is played by both"


def tried(lines: Sequence[Taken], bot: str) -> str:
    """Say how many versions of *bot* have had a gate lately."""
    since = datetime.now(UTC) - TRIED
    number = sum(line.bot == bot and line.result == "proving" and line.when > since for line in lines)
    return f"{count(number, 'version')} tried in {TRIED.days} days"


def go_on_with_gate(
    home: Home, bot: str, gate: Taken, lines: Sequence[Taken], rows: Sequence[Row] | None = None
) -> UnratedDuel | SubmissionAnswer:
    """Return the duel that *gate*, of *bot*, needs; or its end, with the *rows* of the duel.

    The new version becomes active unless it is surely worse in a game.
    """
    versions = {version.version: version for version in home.roster.versions_of(bot)}
    new, old = versions.get(gate.version), versions.get(gate.against)
    plays = next((version for version in home.roster.active() if version.bot == bot), None)
    result: Result = "kept back"
    told = "no version of this bot plays any more"
    if new and old and plays:
        if rows is None and _games_of(home, new, old):
            return UnratedDuel(home.path, new.id, old.id, gate.when.timestamp())
        told = f"{shown_duel(rows or ())}\n{tried(lines, gate.bot)}"
        if plays == new or all(row["verdict"] != "worse" for row in rows or ()):
            result = "accepted"
            activate(home, new.id)
    return SubmissionAnswer(Path(gate.entry), result, bot, new, why=told.replace("\n", "; "), told=told)
