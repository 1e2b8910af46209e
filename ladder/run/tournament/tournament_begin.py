"""A new tournament: its entrants, their seeds, its tables, and its run, which is stored but not played."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from msgspec.structs import replace

from engines import GAMES
from ladder.contest.keys import Keys
from ladder.errors import UsageProblem
from ladder.home.home import Home
from ladder.pairing.stages import FinalTable, check_stages, parse_stages, write_stages
from ladder.registry.version import Version
from ladder.run.stored_run import NewRun, secret_of, settings_for
from ladder.run.tournament.noise import Noise, blocks_needed, find_noise
from ladder.run.tournament.tournament_request import TournamentRequest, name_for
from ladder.run.tournament_schedule import count_event, rehearse
from ladder.run.who_plays import WantedTables, check_games, who_plays
from results.record import Contest, RunCommand, TournamentTerms
from results.storage.contents import Contents


class TournamentPlan(NamedTuple):
    """A tournament that can be played."""

    new: NewRun
    """Its run; the entrants are in the order of their seeds."""
    noise: Noise | None
    """What the number of blocks follows from; None if that was asked for."""

    def count_matches(self) -> int:
        """Return about how many matches there will be."""
        return count_event(rehearse(self.new.settings, self.new.secret))


def plan_tournament(
    home: Home, request: TournamentRequest, contents: Contents, ratings: Mapping[tuple[str, str, str], float]
) -> TournamentPlan:
    """Return what *request* asks for in *home*, which has these *contents*.

    *ratings* are mu by game, name and version.  Raises UsageProblem, NotFound or LadderError if it cannot be
    played.
    """
    game, name = _game(home, request), name_for(request.name)
    secret = secret_of(request.secret, request.seed_number)
    sizes = GAMES[game].seats
    seats = request.seats[0] if request.seats else sizes[0]
    stages = parse_stages(request.stages)
    needed = {2} if seats == 2 else {*sizes}  # as share_tables fills a round
    needed |= {stage.seats for stage in stages if isinstance(stage, FinalTable)} & {*sizes}
    bots = _named_bots(home, request) if request.bots else _current_bots(home, request.freeze)
    tables = WantedTables(sizes={game: sorted(needed)}, named=True, everywhere=True, options=request.options)
    found = who_plays(home, tables, bots, must=len(bots) if request.bots else 0, least=0)
    rules = found.contests[0].options
    entrants = _seed(found.bots, game, ratings, Keys(secret))
    check_stages(stages, len(entrants), sizes, seats)
    noise = None if request.blocks else find_noise(contents, game, seats)
    blocks = blocks_needed(noise) if noise else request.blocks or 1
    contests = [Contest(game, size, rules, tuple(range(len(entrants)))) for size in sizes]
    settings = replace(
        settings_for(home, contests, entrants),
        asked=_record_request(request),
        left_out=found.left_out,
        schedule="round-robin",
        tournament=TournamentTerms(
            name,
            write_stages(stages),
            seats,
            blocks,
            blocks,
            tuple("" if bot.of_house else bot.manifest.author for bot in entrants),
            hidden=request.hidden,
            rated=sum((game, bot.bot, bot.version) in ratings for bot in entrants),
            pairing="ahead",
            title=request.title or (request.name if request.name != name else None),
        ),
    )
    return TournamentPlan(NewRun(tuple(entrants), settings, secret, found.untried), noise)


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
    check_games(named)
    return named[0]


def _named_bots(home: Home, request: TournamentRequest) -> list[Version]:
    """Return the versions that are named.  Raises UsageProblem for one after the freeze."""
    found = [home.roster.find_player(name) for name in request.bots]
    if request.freeze and (late := [bot.id for bot in found if not _is_before(bot, request.freeze)]):
        what = f"{late[0]} was submitted after the freeze"
        raise UsageProblem(what, "name an earlier version, such as NAME@1")
    return found


def _current_bots(home: Home, freeze: datetime | None) -> list[Version]:
    """Return all versions that are active, as they were at the freeze."""
    active = {bot.bot for bot in home.roster.active()}
    newest = {
        version.bot: version  # the order is that of submission: a later one replaces an earlier one
        for version in home.roster.versions()
        if version.bot in active and not version.rests and (freeze is None or _is_before(version, freeze))
    }
    return [*newest.values()]


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
