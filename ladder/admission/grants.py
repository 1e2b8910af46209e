"""What comes of a wish, and of a new version that has to prove itself: done at once, or aside, as a task."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple, TypeAlias, assert_never

from engines import GAMES
from ladder.admission.batch import UNKNOWN, Result, SubmissionAnswer
from ladder.admission.errands import ASKED_WRONG
from ladder.admission.inbox_answers import Taken, free_at
from ladder.admission.people import most_bots
from ladder.admission.wishes import Wish, read_wish
from ladder.errors import LadderError, NotFound, RefusedBot, Told, UsageProblem, tell
from ladder.home.bot_life import RunUnfinished, activate, rename, retire
from ladder.home.home import Home, open_home
from ladder.registry.version import Version
from results.reports.document import Row
from results.storage.locking import wait_for_locks
from results.words import count

TRIED_DAYS = 30
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


def home_of(task: Task) -> Home:
    """Return the home of *task*.  Raises LadderError, also for settings that the operator must mend."""
    try:
        return open_home(task.home)
    except UsageProblem as error:
        raise LadderError(str(error), error.hint) from None


def bots_of(home: Home, person: str) -> set[str]:
    """Return the names of the bots that *person* has handed in."""
    return {bot for bot, who in home.roster.persons().items() if who == person}


def find_playing(home: Home, bot: str) -> Version | None:
    """Return the version of *bot* that plays."""
    return next((version for version in home.roster.active() if version.bot == bot), None)


def beyond_quota(home: Home, person: str, bot: str) -> RefusedBot | None:
    """Return the refusal of *bot* if it would be one more than *person* may have."""
    most, playing = most_bots(home, person), {version.bot for version in home.roster.active()}
    names = sorted(bots_of(home, person) & playing)
    if not most or len(names) < most or bot in names:
        return None
    told = f"you have {count(len(names), 'bot')} here, and a person may have {most}: {', '.join(names)}"
    return RefusedBot(told, "hand it in under the name of one of them, as its next version")


def grant(home: Home, person: str, path: Path, own: Sequence[Taken], lines: Sequence[Taken]) -> Task | str:
    """Do what *person* wishes in the file at *path*; return what was done, or what is to be done aside.

    *own* are the lines of that person, *lines* are all.  Raises UsageProblem and NotFound, which the person
    may read, and other errors, which are the machine's.
    """
    wish = read_wish(path)
    name = wish.bot.partition("@")[0]
    bots = sorted(bots_of(home, person))
    if wish.wish == "rename" and wish.to in bots and home.roster.names.get(name) == wish.to:
        return f"{name} is called {wish.to} now"  # a kill kept back the answer
    if name not in bots:
        raise NotFound(f"you have no bot {name!r} here", f"yours: {', '.join(bots)}" if bots else "")
    version = home.roster.find(wish.bot)
    match wish.wish:
        case "retire":
            change = retire(home, wish.bot)
            told = f"{wish.bot} is retired"
            told += "\na run that goes on plays it to its end" if change.unfinished else ""
            return told + (f"\n{name}@{change.plays.number} keeps playing" if change.plays else "")
        case "activate":
            last = next((line for line in reversed(lines) if line.version == version.version), None)
            if last and last.result != "accepted" and home.settings.inbox.replace == "gate":
                raise UsageProblem(f"{wish.bot} is {last.result}", "hand in a version that is no worse")
            if beyond := beyond_quota(home, person, name):
                raise UsageProblem(str(beyond), "retire another one before")
            activate(home, wish.bot)
            return f"{name}@{version.number} plays from the next run on"
        case "rename":
            if name in [(each.anchor or "").partition("@")[0] for each in home.settings.ratings.values()]:
                raise UsageProblem(f"the ratings here rest on {name}", ASK)
            return Renaming(home.path, wish.bot, wish.to)
        case "challenge":
            return _challenge(home, version, wish, path, own)
        case _:
            assert_never(wish.wish)


def _challenge(home: Home, mine: Version, wish: Wish, path: Path, own: Sequence[Taken]) -> UnratedDuel:
    if not (most := home.settings.inbox.challenges_a_day):
        raise UsageProblem("no challenges are played here", ASK)
    if free := free_at([line for line in own if line.wish in ("challenge", "duel")], most):
        what = f"you have had your {count(most, 'challenge')} of a day"
        raise UsageProblem(what, f"hand it in again after {free:%Y-%m-%d %H:%M} UTC")
    rival = find_playing(home, wish.against.partition("@")[0])
    if not rival or wish.against not in (rival.bot, f"{rival.bot}@{rival.number}") or rival.id == mine.id:
        raise NotFound(f"no other bot {wish.against!r} plays here", "")
    if wish.game not in _games_of(home, mine, rival):
        raise UsageProblem(f"{wish.bot} and {wish.against} do not both play {wish.game!r} here", "")
    return UnratedDuel(home.path, mine.id, rival.id, path.lstat().st_ctime, wish.game, wish.deals)


def _games_of(home: Home, *bots: Version) -> list[str]:
    """Return the games of this home that all *bots* play."""
    games = home.settings.run.games or tuple(GAMES)
    return [game for game in games if common_sizes(game, bots)]


def common_sizes(game: str, bots: Sequence[Version]) -> list[int]:
    """Return the table sizes at which all *bots* play *game*."""
    return [size for size in GAMES[game].seats if all(bot.plays(game, size) for bot in bots)]


def rename_when_free(asked: Renaming) -> str:
    """Rename a bot once no run goes on; return what was done.  Raises what rename raises."""
    wait_for_locks(lambda locked: None)
    home = home_of(asked)
    try:
        rename(home, asked.old, asked.new)
    except RunUnfinished as error:
        raise LadderError(str(error)) from None  # it is tried again
    return f"{asked.old} is called {asked.new} now"


def answer_wish(path: Path, result: str | list[Row] | Exception) -> SubmissionAnswer:
    """Return the answer to the wish at *path*, by what was done, the rows of its duel, or an error."""
    if not isinstance(result, Exception):
        kind, told = ("wish", result) if isinstance(result, str) else ("challenge", _say_duel(result))
        return SubmissionAnswer(path, "done", why=told.replace("\n", "; "), told=told, wish=kind)
    told, hint = tell(result) or (UNKNOWN, "")
    if getattr(result, "exit_code", 1) not in ASKED_WRONG:
        return SubmissionAnswer(path, "not judged", why=told, hint=hint, told=UNKNOWN, wish="wish")
    # what another process tells has a hint for the operator
    advice = "" if isinstance(result, Told) else getattr(result, "advice", hint)
    return SubmissionAnswer(path, "refused", why=told, told=told, advice=advice, wish="wish")


def _say_duel(rows: Sequence[Row]) -> str:
    """Return what the *rows* of a duel say, a line for each game."""
    told = (
        "{game} for {seats}: {verdict} after {deals:,} deals, {wins_low:.1f} to {wins_high:.1f} wins of 100"
    )
    return "\n".join(told.format_map(row) for row in rows) or "no game is played by both"


def say_tried(lines: Sequence[Taken], bot: str) -> str:
    """Say how many versions of *bot* have had a gate lately."""
    since = datetime.now(UTC) - timedelta(days=TRIED_DAYS)
    number = sum(line.bot == bot and line.result == "proving" and line.when > since for line in lines)
    return f"{count(number, 'version')} tried in {TRIED_DAYS} days"


def go_on_with_gate(
    home: Home, bot: str, gate: Taken, lines: Sequence[Taken], found: Sequence[Row] | Exception | None
) -> UnratedDuel | SubmissionAnswer:
    """Return the duel that *gate* of *bot* needs, or its end: the new version plays unless surely worse."""
    versions = {version.version: version for version in home.roster.versions_of(bot)}
    new, old, plays = versions.get(gate.version), versions.get(gate.against), find_playing(home, bot)
    if not (new and old) or plays not in (new, old):
        why = f"{plays.bot}@{plays.number} plays by now" if plays else "no version of this bot plays any more"
        return end_gate(home, bot, gate, "kept back", why)
    if found is None and _games_of(home, new, old):
        return UnratedDuel(home.path, new.id, old.id, gate.when.timestamp())
    rows = () if isinstance(found, Exception) else found or ()
    told = f"{found if isinstance(found, Exception) else _say_duel(rows)}\n{say_tried(lines, gate.bot)}"
    if plays != new and any(row["verdict"] == "worse" for row in rows):
        return end_gate(home, bot, gate, "kept back", told)
    activate(home, new.id)
    return end_gate(home, bot, gate, "accepted", told)


def end_gate(home: Home, bot: str, gate: Taken, result: Result, told: str) -> SubmissionAnswer:
    """Return the answer that ends *gate*, of *bot*."""
    new = next(version for version in home.roster.versions_of(bot) if version.version == gate.version)
    why = told.replace("\n", "; ")
    return SubmissionAnswer(Path(gate.entry), result, bot, new, why=why, told=told, against=gate.against)
