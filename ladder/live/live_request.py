"""The request for one match that is played for people: checked, and made ready to be played."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from engines import GAMES
from engines.game import Json
from ladder.contest.seed import Seed
from ladder.errors import NotFound, UsageProblem, suggest
from ladder.home.home import Home, confinement_of
from ladder.live.live_messages import LiveOrder
from ladder.live.play_request import PlayRequest
from ladder.registry.bot_manifest import BotManifest
from ladder.registry.version import Version
from ladder.run.duel_request import TakePath, find_bot
from ladder.run.shard import read_secret
from ladder.run.stored_run import secret_of, settings_for
from ladder.run.who_plays import WantedTables, who_plays
from ladder.worker.practice import practice_setup, twin
from results.record import Contest, PlayTerms, RunCommand, RunSettings
from results.reports.labels import Numbers, labels
from results.words import count

PERSON = Version("person", "human", ".", BotManifest(name="person", run=("a person decides",)))
"""How a person stands in the record of a match."""
CONNECTED = Version("connected", "author", ".", BotManifest(name="connected", run=("its author starts it",)))
"""How a bot that its author has started stands in the record of a match."""
DAY_MS = 86_400_000
"""The longest time that a home can give a bot."""
NO_CLOCK = {"start_ms": DAY_MS, "move_ms": DAY_MS, "bank_ms": DAY_MS, "match_s": 0}


@dataclass(frozen=True)
class PlayPlan:
    """A match that can be played."""

    game: str
    bots: tuple[Version, ...]
    """The version in each seat; PERSON is that of the person."""
    person: int | None
    connected: int | None
    """The seat of a bot that its author starts."""
    settings: RunSettings
    secret: bytes
    order: LiveOrder

    def names(self, numbers: Numbers) -> list[str]:
        """Return the names in the seats, for people; *numbers*, of the home, tell versions of a bot apart."""
        keys = [(bot.bot, bot.version) for bot in self.bots]
        label = labels(keys, numbers)
        guests = {self.person: "you", self.connected: "your bot"}
        return [guests.get(seat) or label[key] for seat, key in enumerate(keys)]


def plan_match(home: Home, request: PlayRequest, take_path: TakePath) -> PlayPlan:
    """Return what *request* asks for; store only bots at paths, by *take_path*.  Raises LadderError."""
    game = request.game
    if game not in GAMES:
        raise NotFound(f"there is no game {game!r}{suggest(game, GAMES)}", "ladder games")
    sizes = _sizes(request)
    found = [find_bot(home, wanted, take_path) for wanted in request.bots]
    once = list({bot.id: bot for bot in found}.values())
    wanted = [request.seats] if request.seats else []
    table = WantedTables(sizes={game: sizes}, named=True, seats=wanted, smallest=True)
    seats = who_plays(home, table, once, must=len(once), least=0, guests=once).contests[0].seats
    bots = _seat(found, _guests(request), seats)
    if request.deal is not None:
        _check_deal(game, request.deal, seats)
    options = home.options(game) if request.deal is None else _options(request.deal, home.options(game))
    contest = Contest(game, seats, options, tuple(range(seats)))
    seed = request.seed or Seed(None, None)
    secret = secret_of(read_secret(seed.file) if seed.file else seed.secret, seed.number)
    settings = _settings(home, request, contest, bots)
    setup = practice_setup(
        (contest,),
        bots,
        settings,
        confinement_of(home),
        secret=secret,
        passed={bot.id: home.variables_for(bot.manifest.env) for bot in bots},
    )
    order = LiveOrder(replace(setup, run=1), request.human, request.connect, request.deal)
    return PlayPlan(game, bots, request.human, request.connect, settings, secret, order)


def _settings(home: Home, request: PlayRequest, contest: Contest, bots: Sequence[Version]) -> RunSettings:
    """Return the settings of the match, as a run of one block has them."""
    settings = settings_for(home.with_limits(NO_CLOCK) if request.no_clock else home, [contest], bots)
    names = tuple(bot.id for bot in bots)
    return replace(
        settings,
        asked=RunCommand(
            bots=names,
            game=(request.game,),
            seats=(contest.seats,),
            games=1,
            seed=request.seed and request.seed.number,
        ),
        play=PlayTerms(request.human),
        blocks=(1,),
        epochs=(1,),
        schedule="round-robin",
    )


def _guests(request: PlayRequest) -> dict[int, Version]:
    """Return the versions in seats that no bot of the home takes.  Raises UsageProblem for two in one."""
    found: dict[int, Version] = {}
    for seat, guest in ((request.human, PERSON), (request.connect, CONNECTED)):
        if seat in found:
            raise UsageProblem(
                f"seat {seat} is for you and for a bot that connects", "name another for one of them"
            )
        if seat is not None:
            found[seat] = guest
    return found


def _sizes(request: PlayRequest) -> Sequence[int]:
    """Return the table sizes with room for all.  Raises UsageProblem if there is none, or no bot is named."""
    sizes = GAMES[request.game].seats
    guests = _guests(request)
    needed = len(request.bots) + len(guests)
    fitting = [size for size in sizes if size >= max(needed, max(guests, default=0) + 1)]
    seats = request.seats or next(iter(fitting), sizes[-1])
    for seat in guests:
        if not 0 <= seat < seats:
            raise UsageProblem(
                f"expected a seat from 0 to {seats - 1} at a table of {seats}, got: seat {seat}",
                "name one of these seats",
            )
    if needed > seats:
        also = ["a bot that connects" if guest is CONNECTED else "a person" for guest in guests.values()]
        also.insert(0, count(len(request.bots), "bot"))
        known = f"{sizes[0]} to {sizes[-1]}" if len(sizes) > 1 else str(sizes[0])
        raise UsageProblem(
            f"{' and '.join(also)} need {needed} seats, and this table of {request.game} has {seats}",
            f"name fewer bots, or a larger table; {request.game} is for {known} seats",
        )
    if not request.bots and len(guests) < seats:
        raise UsageProblem(
            "no bot is named", f"ladder play {request.game} BOT...; ladder bots lists the bots"
        )
    return fitting or sizes


def _seat(found: Sequence[Version], guests: Mapping[int, Version], seats: int) -> tuple[Version, ...]:
    """Return the version in each seat.  One that sits there twice has another id the second time."""
    table: list[Version] = []
    seen: Counter[str] = Counter()
    bots = 0
    for seat in range(seats):
        if seat in guests:
            table.append(guests[seat])
            continue
        bot = found[bots % len(found)]
        bots += 1
        table.append(twin(bot, seen[bot.id]) if seen[bot.id] else bot)
        seen[bot.id] += 1
    return tuple(table)


def _check_deal(game: str, deal: Json, seats: int) -> None:
    """Raise UsageProblem for a deal that the game cannot start from."""
    try:
        GAMES[game].start(deal, seats)
    except Exception as error:  # engines fail in many ways on data that is not a deal
        why = str(error) if isinstance(error, ValueError) else repr(error)
        raise UsageProblem(
            f"this is not a deal of {game} for {seats}: {why}",
            "take one from a stored match: ladder replay MATCH --format json",
        ) from None


def _options(deal: Json, usual: dict[str, Json]) -> dict[str, Json]:
    """Return the rule options that *deal* holds, in the order of the *usual* ones; without any, these."""
    options = deal.get("options") if isinstance(deal, dict) else None
    if not isinstance(options, dict) or not options:
        return usual
    return {option: options[option] for option in usual if option in options} | options
