"""A new tournament: its entrants, their seeds, its tables, and its run, which is stored but not played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from engines import GAMES
from ladder.contest.keys import Keys
from ladder.errors import UsageProblem, suggest
from ladder.games.rule_options import parse_options
from ladder.home.home import Home
from ladder.pairing.stages import FinalTable, check_stages, parse_stages, write_stages
from ladder.pairing.tournament import Tournament
from ladder.registry.version import Version
from ladder.run.request import secret_of, settings_for, store_run
from ladder.run.setup import check_files
from ladder.run.tournament.noise import Noise, blocks_needed, find_noise
from ladder.run.tournament.tournament_request import TournamentRequest
from ladder.run.tournament.tournament_schedule import make_event
from results.record import Contest, Run, RunCommand, RunSettings, TournamentTerms
from results.storage.contents import Contents
from results.storage.disk import Disk
from results.storage.revealed import Revealed, write_revealed
from results.storage.store import Store


class TournamentPlan(NamedTuple):
    """A tournament that can be played: its entrants, in the order of their seeds, and its settings."""

    entrants: list[Version]
    settings: RunSettings
    secret: bytes
    noise: Noise | None
    """What the number of blocks follows from; None if that was asked for."""

    def count_matches(self) -> int:
        """Return about how many matches there will be."""
        return count_event(rehearse(self.settings, self.secret))


def rehearse(settings: RunSettings, secret: bytes) -> Tournament:
    """Return the tournament of *settings*, played to its end with results that are chance."""
    event, luck = make_event(settings, secret), Random(0)
    while not event.over:
        for due in event.due():
            seats = len(due.entrants)
            for _ in range(due.blocks):
                event.hear(due.table, [luck.sample(range(1, seats + 1), seats) for _ in range(seats)])
    return event


def count_event(event: Tournament) -> int:
    """Return how many matches *event* has had."""
    rounds = [played for stage in event.report() for played in stage.rounds]
    return sum(table.blocks * len(table.entrants) for played in rounds for table in played.tables)


def plan_tournament(
    home: Home,
    request: TournamentRequest,
    contents: Contents,
    ratings: Mapping[tuple[str, str, str], float],
) -> TournamentPlan:
    """Return what *request* asks for in *home*, which has these *contents*.

    *ratings* are mu by game, name and version.  Raises UsageProblem, NotFound or LadderError if it cannot be
    played.
    """
    game = _game(home, request)
    rules = home.options(game, parse_options(request.options, [game]).get(game, {}))
    secret = secret_of(request.secret, request.seed_number)
    sizes = GAMES[game].seats
    seats = request.seats[0] if request.seats else sizes[0]
    stages = parse_stages(request.stages)
    needed = {2} if seats == 2 else {*sizes}  # as share_tables fills a round
    needed |= {stage.seats for stage in stages if isinstance(stage, FinalTable)} & {*sizes}
    found = _entrants(home, request, game)
    for bot in found if request.bots else ():
        bot.check_sizes(game, sorted(needed), sizes)
    fit = [bot for bot in found if len(bot.sizes(game, needed)) == len(needed)]
    left_out = [f"{bot.bot}: it does not play {game} at all table sizes" for bot in found if bot not in fit]
    entrants = _seed(_check_all(home, fit), game, ratings, Keys(secret))
    check_stages(stages, len(entrants), sizes, seats)
    noise = None if request.blocks else find_noise(contents, game, seats)
    blocks = blocks_needed(noise) if noise else request.blocks or 1
    contests = [Contest(game, size, rules, tuple(range(len(entrants)))) for size in sizes]
    settings = replace(
        settings_for(home, contests),
        asked=_record_request(request),
        left_out=tuple(left_out),
        schedule="round-robin",
        tournament=TournamentTerms(
            request.name,
            write_stages(stages),
            seats,
            blocks,
            blocks,
            tuple("" if bot.of_house else bot.manifest.author for bot in entrants),
            hidden=request.hidden,
            rated=sum((game, bot.bot, bot.version) in ratings for bot in entrants),
        ),
    )
    return TournamentPlan(entrants, settings, secret, noise)


def begin_tournament(home: Home, store: Store, plan: TournamentPlan) -> Run:
    """Store the tournament of *plan* as the run of *store*."""
    terms = plan.settings.tournament
    if terms and terms.hidden:  # first of all: a store without this file is shown
        write_revealed(Disk(), store.folder, Revealed(terms.name))
    return store_run(home, store, plan.settings, plan.entrants, plan.secret)


def _record_request(request: TournamentRequest) -> RunCommand:
    return RunCommand(
        bots=tuple(request.bots),
        game=request.game_names,
        seats=tuple(sorted(request.seats)),
        option=tuple(sorted(request.options)),
        seed=request.secret_mark or request.seed_number,
    )


def _game(home: Home, request: TournamentRequest) -> str:
    """Return the game of *request*, or the only one of the home."""
    named = request.game_names or tuple(home.settings.run.games)
    if len(named) != 1:
        raise UsageProblem("a tournament is of one game, and none is named", "name one: --game stellar")
    if named[0] not in GAMES:
        raise UsageProblem(f"there is no game {named[0]!r}{suggest(named[0], GAMES)}", "ladder games")
    return named[0]


def _entrants(home: Home, request: TournamentRequest, game: str) -> list[Version]:
    """Return the versions that are named, or all that are active, as they were at the freeze."""
    if request.bots:
        found = [home.roster.find_player(name) for name in request.bots]
        if lacking := [bot for bot in found if not bot.plays(game)]:
            raise UsageProblem(f"{lacking[0].id} does not play {game}", "leave it out, or name another game")
        if request.freeze is None:
            return found
        late = [bot.id for bot in found if not _is_before(bot, request.freeze)]
        if late:
            raise UsageProblem(
                f"{late[0]} was submitted after the freeze", "name an earlier version, such as NAME@1"
            )
        return found
    active = {bot.bot for bot in home.roster.active()}
    freeze = request.freeze
    newest = {
        version.bot: version  # the order is that of submission: a later one replaces an earlier one
        for version in home.roster.versions()
        if version.bot in active and not version.rests and (freeze is None or _is_before(version, freeze))
    }
    return [bot for bot in newest.values() if bot.plays(game)]


def _check_all(home: Home, bots: list[Version]) -> list[Version]:
    names = [bot.bot for bot in bots]
    if twice := [name for name in names if names.count(name) > 1]:
        raise UsageProblem(f"{twice[0]} is named twice", "a bot enters once: name each once")
    for bot in bots:
        check_files(home, bot)
    return bots


def _is_before(version: Version, freeze: datetime) -> bool:
    """Return whether *version* was submitted before *freeze*; one that does not say when was."""
    return not version.submitted or datetime.fromisoformat(version.submitted) < freeze


def _seed(
    bots: Sequence[Version], game: str, ratings: Mapping[tuple[str, str, str], float], keys: Keys
) -> list[Version]:
    """Return *bots* with the best rating first; those without one follow, as the secret draws them."""
    rated = [bot for bot in bots if (game, bot.bot, bot.version) in ratings]
    others = {bot.id: bot for bot in bots if bot not in rated}
    rated.sort(key=lambda bot: (-ratings[game, bot.bot, bot.version], bot.id))
    return [*rated, *(others[drawn] for drawn in draw_seeds(others, keys))]


def draw_seeds(bots: Iterable[str], keys: Keys) -> list[str]:
    """Return *bots*, NAME@VERSION, in the order that a secret draws."""
    drawn = sorted(bots)
    keys.schedule("tournament seeds", 0).shuffle(drawn)
    return drawn
