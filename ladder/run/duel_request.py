"""The request for a duel: its bots, games and tables, checked and stored as a run."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeAlias

from msgspec.structs import replace

from engines import GAMES
from ladder.contest.match_luck import most_luck
from ladder.errors import UsageProblem, suggest
from ladder.home.home import Home
from ladder.home.house_bots import expecting, pending
from ladder.registry.version import Version
from ladder.run.duel_options import APART, DuelRequest, MarginRange
from ladder.run.request import settings_for
from ladder.run.setup import check_files
from results.rating.betting import LOOK_BLOCKS
from results.rating.wins import score_of_wins
from results.record import Contest, DuelTerms, RunCommand, RunSettings
from results.storage.store import Store

DEALS = 20_000
"""The most deals of a contest if the request does not say."""
CHOSEN = 2
"""The ladder chooses this many bots of the field for each seat that they take."""

TakePath: TypeAlias = Callable[[Home, Path], Version]
"""Keeps what lies at a path as a version that plays only where it is named.

It is handed in: admission.submit.keep_for_duel is the one there is.
"""


@dataclass(frozen=True)
class DuelPlan:
    """A duel that can be played: its bots and the settings of its run."""

    bots: tuple[Version, ...]
    """The new one, the old one, then all of the field."""
    settings: RunSettings


Ratings: TypeAlias = Callable[[], Mapping[tuple[str, str, str], float]]
"""Returns mu of all rated bots by game, name and version.  It is called only if a field must be chosen."""


# -- what is played


def expected_bots(home: Home, request: DuelRequest) -> list[str]:
    """Return the names of the house bots that the home still lacks and the duel may need.

    These are all of them if a field must be chosen.  A path whose folder has the name of one is no reason
    to leave that one out: it comes in first, and keeps its name.
    """
    names = [Path(wanted).name.partition(".")[0] for wanted in (request.new_bot, request.old_bot)]
    names += [
        wanted.partition("@")[0] for wanted in (request.new_bot, request.old_bot, *(request.field or ()))
    ]
    every = set(pending(home))
    smallest = [GAMES[game].seats[0] for game in request.game_names or GAMES if game in GAMES]
    chooses = request.field is None and max(request.seats or smallest, default=2) > 2
    return sorted(every if chooses else every.intersection(names))


def plan_duel(home: Home, request: DuelRequest, take_path: TakePath) -> DuelPlan:
    """Return what *request* asks for.  Raises UsageProblem, NotFound or LadderError if it cannot be played.

    Nothing is stored but bots that are named by a path, which *take_path* keeps.
    """
    for game in request.game_names:
        if game not in GAMES:
            raise UsageProblem(f"there is no game {game!r}{suggest(game, GAMES)}", "ladder games")
    if request.chosen.adjusted:
        _check_luck(request)
    new, old = (find_bot(home, wanted, take_path) for wanted in (request.new_bot, request.old_bot))
    if new.id == old.id:
        raise UsageProblem(
            f"{request.new_bot} and {request.old_bot} are the same version, {new.id}: a duel needs two",
            "name another bot or another version, such as NAME@1; ladder bots NAME lists them",
        )
    sizes = _sizes(home, request, new, old)
    chosen, left_out = _fields(home, request, (new, old), sizes, _pool(home, request, (new, old)))
    field_bots = {bot.id: bot for others in chosen.values() for bot in others}
    for bot in field_bots.values():
        check_files(home, bot)
    bots = list({new.id: new, old.id: old, **field_bots}.values())
    index = {bot.id: i for i, bot in enumerate(bots)}
    contests = [
        Contest(game, seats, home.options(game), (0, 1, *(index[bot.id] for bot in others)))
        for (game, seats), others in chosen.items()
    ]
    most = max(most_luck(contest.game) for contest in contests) if request.chosen.adjusted else None
    terms = replace(
        question_of(request),
        field=None if request.field is None else tuple(request.field),
        most_luck=most,
    )
    totals = [math.ceil(request.games / c.seats) if request.games else DEALS for c in contests]
    settings = replace(
        settings_for(home, contests),
        asked=_record_request(request, new, old),
        duel=terms,
        left_out=tuple(left_out),
        blocks=tuple(totals),
        epochs=tuple(min(LOOK_BLOCKS, total) for total in totals),
        schedule="round-robin",
    )
    return DuelPlan(tuple(bots), settings)


def question_of(request: DuelRequest) -> DuelTerms:
    """Return what *request* asks, with its means as scores, by the rules of duels that begin now."""
    expect = None if request.chosen.expect is None else score_of_wins(request.chosen.expect)
    terms = DuelTerms(alpha=request.chosen.alpha / 100, faults="agree", luck="learnt", expect=expect)
    if isinstance(request.margin, MarginRange):
        least, most = request.margin
        return replace(terms, rule="margin", margin=most / 50, least=least / 50)
    if request.margin is not None:
        return replace(terms, rule="margin", margin=request.margin / 50)
    if request.no_worse is not None:
        return replace(terms, rule="no worse", margin=request.no_worse / 50)
    return replace(terms, rule="apart", margin=(request.chosen.apart or APART) / 50)


def _check_luck(request: DuelRequest) -> None:
    """Raise UsageProblem if a game that is named, or a table size, has no estimate of its luck."""
    able = [game for game in GAMES if most_luck(game)]
    if unable := [game for game in request.game_names if game not in able]:
        what = f"--terms adjusted is for games that can tell the luck of their draws, and {unable[0]} cannot"
        raise UsageProblem(what, f"use it with --game {' or --game '.join(able)}, or leave it out")
    if larger := [size for size in request.seats if size != 2]:
        what = f"--terms adjusted is for tables of two, and --seats {larger[0]} was given"
        raise UsageProblem(what, "leave out --seats or --terms adjusted")


def _record_request(request: DuelRequest, new: Version, old: Version) -> RunCommand:
    """Return the request as a run keeps it, to know the same command when it comes again."""
    return RunCommand(
        bots=(new.id, old.id),
        game=tuple(sorted(request.game_names)),
        seats=tuple(sorted(request.seats)),
        games=request.games,
        seed=request.secret_mark or request.seed_number,
    )


def find_bot(home: Home, wanted: str, take_path: TakePath) -> Version:
    """Return the bot that *wanted* names, with the files that were submitted, or what lies at that path."""
    if path := path_of(home, wanted):
        return take_path(home, path)
    bot = home.roster.find_player(wanted)
    check_files(home, bot)
    return bot


def take_paths(home: Home, coming: Sequence[str], bots: Iterable[str], take_path: TakePath) -> None:
    """Keep those of *bots* that are paths: what is refused is so before house bots that are *coming* join."""
    for wanted in bots if coming else ():
        if path := path_of(expecting(home, coming), wanted):
            take_path(home, path)


def path_of(home: Home, wanted: str) -> Path | None:
    """Return *wanted* if it is a path: it looks like one, or is one and no bot has that name.

    Raises UsageProblem if nothing lies there.
    """
    name, path = wanted.partition("@")[0], Path(wanted)
    if os.sep in wanted or wanted.startswith("."):
        if not path.exists():
            raise UsageProblem(
                f"there is no file or folder {wanted!r}",
                "name a bot or the path of one; ladder bots lists the bots",
            )
        return path
    if path.exists() and all(version.bot != name for version in home.roster.versions()):
        return path
    return None


def _sizes(home: Home, request: DuelRequest, new: Version, old: Version) -> list[tuple[str, int]]:
    """Return the games and table sizes of the duel: by default each game's smallest at which both play.

    Raises UsageProblem for a named game or size that one of the two does not play, and where nothing is left.
    """
    named = tuple(dict.fromkeys(request.game_names))
    found: list[tuple[str, int]] = []
    offered = named or home.settings.run.games or GAMES
    for game in filter(most_luck, offered) if request.chosen.adjusted else offered:
        lacking = [bot.id for bot in (new, old) if not bot.plays(game)]
        if lacking and named:
            raise UsageProblem(
                f"{' and '.join(lacking)} does not play {game}", "name another game with --game"
            )
        known = [2] if request.chosen.adjusted else [*GAMES[game].seats]
        sizes = [n for n in known if n in request.seats] if request.seats else known
        if not sizes and named:
            listed, asked = (", ".join(map(str, numbers)) for numbers in (GAMES[game].seats, request.seats))
            raise UsageProblem(f"{game} is for {listed} seats, but --seats asks for {asked}", "correct it")
        both = [n for n in new.sizes(game, sizes) if old.plays(game, n)]
        for bot in (new, old) if named and (request.seats or not both) else ():
            bot.check_sizes(game, sizes if request.seats else new.sizes(game, sizes), GAMES[game].seats)
        found += [(game, seats) for seats in (both if request.seats else both[:1])]
    if found:
        return found
    played = [f"{bot.id} plays {', '.join(g for g in GAMES if bot.plays(g)) or 'none'}" for bot in (new, old)]
    asked = f" at tables of {', '.join(map(str, request.seats))}" if request.seats else ""
    raise UsageProblem(
        f"there is no game that both play{asked}: {'; '.join(played)}", "name two that share a game"
    )


def _fields(
    home: Home,
    request: DuelRequest,
    duelists: tuple[Version, Version],
    sizes: Sequence[tuple[str, int]],
    pool: Sequence[Version],
) -> tuple[dict[tuple[str, int], list[Version]], list[str]]:
    """Return the other bots of each game and table size, and the reasons for those that are left out.

    Raises UsageProblem for a game or a size that was asked for and has too small a field, and where nothing
    is left.
    """
    ratings = cache(lambda: _ratings(home))
    chosen: dict[tuple[str, int], list[Version]] = {}
    left_out: list[str] = []
    problem: UsageProblem | None = None
    for game, seats in sizes:
        others = seats - 2
        field = [bot for bot in pool if others and bot.plays(game, seats)]
        if others and request.field is None:
            field = _nearest(field, game, duelists, ratings)[: CHOSEN * others]
        if len(field) >= others:
            chosen[game, seats] = field
            continue
        names = ", ".join(bot.bot for bot in field) or "none"
        what = f"{game} for {seats}: the duel needs {others} other bots that play it, and there are: {names}"
        more = "submit more bots: ladder submit PATH; or add the house bots: ladder bots house add"
        problem = UsageProblem(what, more if request.field is None else "name more bots with --field")
        if request.game_names or request.seats:
            raise problem
        left_out.append(what)
    if not chosen and problem:
        raise problem
    return chosen, left_out


def _pool(home: Home, request: DuelRequest, duelists: tuple[Version, Version]) -> list[Version]:
    """Return the bots that may be in the field: those that are named, or all that are active.

    Other versions of the two are not chosen: copies that think alike would turn the result round.
    """
    ids = [bot.id for bot in duelists]
    without = [home.roster.find(name) for name in request.without]
    if own := [bot.id for bot in without if bot.id in ids]:
        raise UsageProblem(f"{own[0]} plays the duel, so it cannot be left out", "name bots of its field")
    left_out = {bot.id for bot in without}
    if request.field is None:
        names = {bot.bot for bot in duelists}
        return [bot for bot in home.roster.active() if bot.bot not in names and bot.id not in left_out]
    named = {bot.id: bot for bot in map(home.roster.find_player, request.field)}
    if own := [id_ for id_ in named if id_ in ids]:
        what = f"{own[0]} plays the duel, so it cannot be in its field"
        raise UsageProblem(what, "name other bots with --field")
    return [bot for bot in named.values() if bot.id not in left_out]


def _nearest(
    bots: Sequence[Version], game: str, duelists: tuple[Version, Version], ratings: Ratings
) -> list[Version]:
    """Return *bots*, the nearest to the two by mu first; those without a rating last, by name."""
    mu = ratings()
    near = [mu[key] for bot in duelists if (key := (game, bot.bot, bot.version)) in mu]

    def distance(bot: Version) -> float:
        skill = mu.get((game, bot.bot, bot.version))
        return math.inf if skill is None else math.fsum(abs(skill - each) for each in near)

    return sorted(bots, key=lambda bot: (distance(bot), bot.bot))


def _ratings(home: Home) -> Mapping[tuple[str, str, str], float]:
    from results.rating.cache import ratings_current
    from results.rating.rated import standings_of

    standings = standings_of(ratings_current(Store(home.results)))
    return {key: standing.mu for key, standing in standings.items()}
