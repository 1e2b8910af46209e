"""The request for a duel: its bots, games and tables, checked and stored as a run."""

import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TypeAlias

from msgspec.structs import replace

from engines import GAMES
from ladder.contest.match_luck import most_luck
from ladder.errors import UsageProblem
from ladder.home.home import Home
from ladder.home.house_bots import expecting
from ladder.registry.version import Version
from ladder.run.duel_options import APART, DuelRequest, MarginRange
from ladder.run.setup import check_files
from ladder.run.stored_run import NewRun, secret_of, settings_for
from ladder.run.who_plays import WantedTables, offer_tables, who_plays
from results.rating.betting import LOOK_BLOCKS
from results.rating.duel_question import score_of_wins
from results.record import DuelTerms, RunCommand
from results.storage.store import Store

DEALS = 20_000
"""The most deals of a contest if the request does not say."""
CHOSEN = 2
"""The ladder chooses this many bots of the field for each seat that they take."""

TakePath: TypeAlias = Callable[[Home, Path], Version]
"""Keeps what lies at a path as a version that plays only where it is named.

It is handed in: admission.submit.keep_for_duel is the one there is.
"""
Ratings: TypeAlias = Callable[[], Mapping[tuple[str, str, str], float]]
"""Returns mu of all rated bots by game, name and version.  It is called only if a field must be chosen."""


# -- what is played


def plan_duel(home: Home, request: DuelRequest, take_path: TakePath) -> NewRun:
    """Return what *request* asks for; store only bots at paths, by *take_path*.  Raises LadderError."""
    sizes = offer_tables(home, request.game_names)
    if request.chosen.adjusted:
        _check_luck(request)
        sizes = {game: [2] for game in filter(most_luck, sizes)}
    new, old = (find_bot(home, wanted, take_path) for wanted in (request.new_bot, request.old_bot))

    @cache
    def ratings() -> Mapping[tuple[str, str, str], float]:
        from results.rating.cache import ratings_current
        from results.rating.rated import standings_of

        return {key: of.mu for key, of in standings_of(ratings_current(Store(home.results))).items()}

    def choose(game: str, seats: int, others: Sequence[Version]) -> Sequence[Version]:
        """Return the bots that fill the other seats; at tables of two there are none."""
        if seats > 2 and request.field is None:
            others = _nearest(others, game, (new, old), ratings)[: CHOSEN * (seats - 2)]
        return others if seats > 2 else ()

    entrants = who_plays(
        home,
        WantedTables(sizes, bool(request.game_names), request.seats, smallest=True, options=()),
        (new, old, *_pool(home, request, (new, old))),
        must=2,
        guests=(new, old),
        choose=choose,
    )
    contests = entrants.contests
    terms = replace(
        question_of(request),
        field=None if request.field is None else tuple(request.field),
        most_luck=max(most_luck(contest.game) for contest in contests) if request.chosen.adjusted else None,
    )
    totals = [math.ceil(request.games / c.seats) if request.games else DEALS for c in contests]
    settings = replace(
        settings_for(home, contests, entrants.bots),
        asked=_record_request(request, new, old),
        duel=terms,
        left_out=entrants.left_out,
        blocks=tuple(totals),
        epochs=tuple(min(LOOK_BLOCKS, total) for total in totals),
        schedule="round-robin",
    )
    secret = secret_of(request.secret, request.seed_number)
    return NewRun(entrants.bots, settings, secret, entrants.untried)


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
        return replace(terms, rule="not much worse", margin=request.no_worse / 50)
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


def taking_once(take_path: TakePath) -> TakePath:
    """Return *take_path*, which keeps each bot once: a command looks at its bots several times."""
    kept: dict[Path, str] = {}

    def take(home: Home, path: Path) -> Version:
        if home.coming is not None:
            return take_path(home, path)
        if path not in kept:
            kept[path] = take_path(home, path).id
        return home.roster.find(kept[path])

    return take


def take_paths(home: Home, coming: Sequence[str], bots: Iterable[str], take_path: TakePath) -> None:
    """Keep those of *bots* that are paths: what is refused is so before house bots that are *coming* join."""
    for wanted in bots if coming else ():
        if path := path_of(expecting(home, coming), wanted):
            take_path(home, path)


def path_of(home: Home, wanted: str) -> Path | None:
    """Return *wanted* if it is a path: it looks like one or names no bot.  Raises UsageProblem for none."""
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
