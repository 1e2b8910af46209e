"""Check which bots play which games, at which table sizes: every command that plays asks here."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from msgspec.structs import replace

from engines import GAMES
from ladder.errors import UsageProblem, first_of, suggest
from ladder.games.rule_options import parse_options
from ladder.home.home import Home
from ladder.registry.version import NAMED, Untried, Version
from ladder.run.setup import check_files
from results.record import Contest
from results.reports.labels import labels

Choose: TypeAlias = Callable[[str, int, Sequence[Version]], Sequence[Version]]
"""Takes a game, a table size and the bots that can fill the table; returns those that do."""


@dataclass(frozen=True)
class WantedTables:
    """The games and table sizes that a command asks for."""

    sizes: Mapping[str, Sequence[int]]
    """The games that may be played, each with its table sizes: see offer_tables."""
    named: bool
    """Whether these games were named.  Then each must be playable; others are left out where they are not."""
    seats: Sequence[int] = ()
    """The table sizes that are wanted; empty: all, or the smallest."""
    smallest: bool = False
    """Whether no more than the smallest table is wanted where no size is; then a wanted size must fit."""
    everywhere: bool = False
    """Whether each bot must play at all of the tables, and enters once, in one version."""
    options: Sequence[str] | None = None
    """Rule options as they are typed; None: the contests need none."""


class Entrants(NamedTuple):
    """The bots that play, and the contests between them."""

    bots: tuple[Version, ...]
    contests: tuple[Contest, ...]
    left_out: tuple[str, ...]
    """The games, sizes and bots that are left out, and why."""
    untried: tuple[Untried, ...]
    """The bots that play games at which they were not tried."""


class _TooFew(UsageProblem):
    """A game that too few bots play."""


def check_games(names: Iterable[str]) -> None:
    """Raise UsageProblem if there is no game of one of these *names*."""
    for name in names:
        if name not in GAMES:
            raise UsageProblem(f"there is no game {name!r}{suggest(name, GAMES)}", "ladder games")


def offer_tables(home: Home, named: Sequence[str]) -> dict[str, Sequence[int]]:
    """Return all sizes of games *named*, of the settings, or of all.  Raises UsageProblem for no game."""
    check_games(named)
    return {game: GAMES[game].seats for game in named or home.settings.run.games or GAMES}


def who_plays(
    home: Home,
    asked: WantedTables,
    bots: Sequence[Version],
    *,
    must: int = 0,
    least: int | None = None,
    guests: Collection[Version] = (),
    choose: Choose | None = None,
) -> Entrants:
    """Return which of *bots* play what of *asked*.  Nothing is written.

    The first *must* of them sit at every table.  *least* is the number of bots that a table needs, if not one
    for each seat.  *choose* chooses who fills the other seats; bots that sit nowhere are then left out.
    *guests* are bots whose files are not compared with what was submitted.

    Raises UsageProblem for a bot that is named twice, for a named game or size that cannot be played, and if
    nothing is left to play; LadderError if the files of a bot were changed.
    """
    names = [bot.bot if asked.everywhere else bot.id for bot in bots]
    if twice := [name for name in names if names.count(name) > 1]:
        what = "name each bot once; another version is NAME@1: ladder bots lists them"
        raise UsageProblem(f"{twice[0]} is named twice", what)
    left_out: list[str] = []
    if asked.everywhere and not must:
        bots, left_out = _play_everywhere(bots, asked.sizes)
    rules = _rules(home, asked)
    place = {bot.id: index for index, bot in enumerate(bots)}
    contests: list[Contest] = []
    problems: list[UsageProblem] = []
    for game in asked.sizes:
        try:
            tables, lacking = _find_tables(game, asked, bots, must, least)
        except UsageProblem as problem:
            if asked.named:  # what was typed is never left out without being told
                raise
            problems.append(problem)
            continue
        left_out += lacking
        for size, able in tables.items():
            seated = [*able[:must], *(choose(game, size, able[must:]) if choose else able[must:])]
            contests.append(Contest(game, size, rules.get(game, {}), tuple(place[bot.id] for bot in seated)))
    if not contests:
        raise _first_of(problems, asked, bots[:must])
    if choose:
        bots, contests = _leave_out_idle(bots, contests)
    for bot in bots:
        if bot not in guests:  # a guest is a function, or a path that is not stored
            check_files(home, bot)
    # at the smallest size alone, others were never asked for, so that they do not fit is nothing to tell
    told = [str(each) for each in problems if not asked.smallest or isinstance(each, _TooFew)]
    return Entrants(tuple(bots), tuple(contests), (*left_out, *told), _find_untried(bots, contests))


def _play_everywhere(
    bots: Sequence[Version], sizes: Mapping[str, Sequence[int]]
) -> tuple[list[Version], list[str]]:
    """Return the bots that play at all *sizes*, and why others that play one of the games do not."""
    playing = [bot for bot in bots if any(map(bot.plays, sizes))]
    fit = [bot for bot in playing if all(bot.plays(game, size) for game in sizes for size in sizes[game])]
    needed = ", ".join(str(size) for of in sizes.values() for size in of)
    return fit, [
        f"{bot.bot}: it plays {_played_by(bot, sizes)}, and tables of {needed} may be needed"
        for bot in playing
        if bot not in fit
    ]


def _rules(home: Home, asked: WantedTables) -> dict[str, dict[str, Any]]:
    """Return the rule options of each game, if they are asked for."""
    if asked.options is None:
        return {}
    named = tuple(asked.sizes) if asked.named else ()
    typed = parse_options(asked.options, named)
    if strangers := [game for game in typed if game not in asked.sizes]:
        raise UsageProblem(
            f"--option names {strangers[0]}, which is not played", f"add: --game {strangers[0]}"
        )
    return {game: home.options(game, typed.get(game, {})) for game in asked.sizes}


def _find_tables(
    game: str, asked: WantedTables, bots: Sequence[Version], must: int, least: int | None
) -> tuple[dict[int, list[Version]], list[str]]:
    """Return the sizes of *game* with their bots, and why not at others.  Raises UsageProblem for none."""
    known = asked.sizes[game]
    sizes = [size for size in known if not asked.seats or size in asked.seats]
    if not sizes:
        offered, wanted = (", ".join(map(str, numbers)) for numbers in (known, asked.seats))
        raise UsageProblem(
            f"{game} is for {offered} seats, not for {wanted}",
            "correct --seats, or `seats` in ladder.toml; or name the games that they fit: --game",
        )
    lacking: list[str] = []
    if must:
        fit = _common_sizes(game, asked, bots[:must], sizes)
        if unfit := ", ".join(str(size) for size in sizes if size not in fit and not asked.smallest):
            whom = f"the bot of the gauntlet, {_with_sizes(bots[:must], game, bots)},"
            lacking.append(f"{game} at tables of {unfit}: {whom} does not play there")
        sizes = fit if asked.seats or not asked.smallest else fit[:1]
    able = {size: [bot for bot in bots if bot.plays(game, size)] for size in sizes}
    idle = [bot for bot in bots[must:] if bot.plays(game) and not bot.sizes(game, sizes)]
    if idle and not asked.smallest:
        lacking.append(f"{game}: no table for {_with_sizes(idle, game, bots)}")
    small = {size: there for size, there in able.items() if len(there) < (size if least is None else least)}
    tables = {size: there for size, there in able.items() if size not in small}
    if not tables:
        size, there = next(iter(small.items()))
        who = f"those that play it are: {_names(there, bots)}" if there else "no bot plays it"
        if others := [bot for bot in bots if bot.plays(game) and bot not in there]:
            who += f"; at other tables: {_with_sizes(others, game, bots)}"
        raise _TooFew(
            f"{game} needs {size} bots, but {who}",
            "submit one: ladder submit PATH; or let the house bots play: ladder bots house add; "
            "or name more bots that play it",
        )
    by_names: dict[str, list[str]] = {}
    for size, there in small.items():
        by_names.setdefault(_names(there, bots), []).append(str(size))
    for names, few in by_names.items():
        lacking.append(f"{game} at tables of {', '.join(few)}: too few bots play it ({names or 'none'})")
    return tables, lacking


def _names(some: Sequence[Version], bots: Sequence[Version]) -> str:
    label = labels(((bot.bot, bot.version) for bot in bots), {})
    return ", ".join(label[bot.bot, bot.version] for bot in some)


def _with_sizes(some: Sequence[Version], game: str, bots: Sequence[Version]) -> str:
    """Return the names of *some* of *bots*, each with the table sizes at which it plays *game*."""
    sizes = [", ".join(map(str, bot.sizes(game, GAMES[game].seats))) for bot in some]
    return first_of(
        [f"{_names([bot], bots)} ({of} seats)" for bot, of in zip(some, sizes, strict=True)], NAMED
    )


def _common_sizes(game: str, asked: WantedTables, bots: Sequence[Version], sizes: Sequence[int]) -> list[int]:
    """Return those of *sizes* at which all *bots* play *game*.  Raises UsageProblem if there is none."""
    for bot in bots:
        if not bot.plays(game):
            hint = "name another game, or another bot"
            raise UsageProblem(f"{bot.id} does not play {game}: it plays {_played_by(bot, GAMES)}", hint)
    common = [size for size in sizes if all(bot.plays(game, size) for bot in bots)]
    wanted = sizes if asked.seats or asked.everywhere else bots[0].sizes(game, sizes) or sizes
    if not common or asked.everywhere or (asked.seats and asked.smallest and asked.named):
        for bot in bots:
            bot.check_sizes(game, wanted, GAMES[game].seats)
    return common


def _played_by(bot: Version, games: Iterable[str]) -> str:
    return ", ".join(bot.say_sizes(game, GAMES[game].seats) for game in games if bot.plays(game)) or "none"


def _first_of(problems: Sequence[UsageProblem], asked: WantedTables, must: Sequence[Version]) -> UsageProblem:
    """Return why nothing of *asked* is left."""
    few = [problem for problem in problems if isinstance(problem, _TooFew)]
    if few or not must:
        return [*few, *problems][0]
    played = "; ".join(f"{bot.id} plays {_played_by(bot, GAMES)}" for bot in must)
    at = f" at tables of {', '.join(map(str, asked.seats))}" if asked.seats else ""
    whom = "both play" if len(must) > 1 else f"{must[0].bot} plays"
    return UsageProblem(f"there is no game that {whom}{at}: {played}", "name bots that share a game")


def _leave_out_idle(
    bots: Sequence[Version], contests: Sequence[Contest]
) -> tuple[list[Version], list[Contest]]:
    """Return the *bots* that sit in one of *contests*, and the contests with their new numbers."""
    seated = {bot: number for number, bot in enumerate(dict.fromkeys(i for of in contests for i in of.bots))}
    renumbered = [replace(of, bots=tuple(seated[bot] for bot in of.bots)) for of in contests]
    return [bots[bot] for bot in seated], renumbered


def _find_untried(bots: Sequence[Version], contests: Sequence[Contest]) -> tuple[Untried, ...]:
    """Return which of *bots* are to play games in *contests* that they were not tried at."""
    games: dict[int, list[str]] = {}
    for contest in contests:
        for bot in contest.bots:
            if bots[bot].needs_trial(contest.game):
                games.setdefault(bot, []).append(contest.game)
    return tuple(Untried(bots[bot], tuple(dict.fromkeys(games[bot]))) for bot in sorted(games))
