"""The request for a run: checked, compared with the unfinished run, and begun."""

import time
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from ladder.errors import FIRST_RUN, UsageProblem
from ladder.home.home import Home
from ladder.home.house_bots import check_here
from ladder.machine.seat_socket import list_present
from ladder.registry.version import Version, say_untried
from ladder.run.adaptive import Persons, find_persons
from ladder.run.link_plan import plan_link
from ladder.run.run_events import Tell
from ladder.run.run_options import RunRequest
from ladder.run.run_plan import judges_epochs, rests_on_ratings
from ladder.run.schedule import BY_THE_CLOCK, FAST_BY_THE_CLOCK, all_fast, epoch_sizes, equal_shares
from ladder.run.session import Found, Playable
from ladder.run.shard import MAKE_SECRET
from ladder.run.stored_run import NewRun, changes, secret_of, settings_for, store_run
from ladder.run.until.by_name import read_rule
from ladder.run.who_plays import Entrants, WantedTables, offer_tables, who_plays
from results.record import Run, RunCommand, RunSettings, ShardBlocks
from results.storage.store import Store
from results.storage.unrated import unrated_stores
from results.words import count

_TYPED = {
    "bots": "BOT...",
    "secret-file": "--seed @FILE",
    **{f"max-{name}": f"--until {name}" for name in ("faults", "cost", "tokens")},
}
"""How fields of RunCommand are typed that are not typed as they are called."""
MATCHES = 1_000
"""The default number of matches of a run."""


def stored_command(request: RunRequest) -> RunCommand:
    """Return *request* as a run keeps it, to know it again; of a secret, the first 8 digits of a hash."""
    mark = request.secret_mark
    first = 1 if request.schedule == "gauntlet" else 0
    return RunCommand(
        bots=(*request.bots[:first], *sorted(request.bots[first:])),
        game=tuple(sorted(request.game_names)),
        seats=tuple(sorted(request.seats)),
        option=tuple(sorted(request.options)),
        games=request.games if request.seconds or request.forever else request.games or MATCHES,
        seconds=request.seconds,
        seed=request.seed_number if request.file_of_secret else mark or request.seed_number,
        schedule=request.schedule,
        until=request.ends.rule,
        max_faults=request.ends.faults,
        secret_file=mark if request.file_of_secret else None,
        shard=None if request.shard is None else str(request.shard),
        max_cost=request.ends.cost,
        max_tokens=request.ends.tokens,
        limit=tuple(sorted(request.limits)) or None,
        forever=bool(request.forever) or None,
    )


def differences(request: RunRequest, run: Run) -> list[str]:
    """Return how *request* differs from what *run* was asked for, in words; empty if it is the same."""
    then, now = (
        msgspec.to_builtins(asked) for asked in (run.settings.asked or RunCommand(), stored_command(request))
    )
    return [
        f"{_TYPED.get(key, f'--{key}')} was {_text_of(then.get(key))}, now {_text_of(now[key])}"
        for key in now
        if then.get(key) != now[key]
    ]


def _text_of(value: Any) -> str:
    if isinstance(value, tuple):
        return " ".join(map(str, value)) or "not given"
    if isinstance(value, bool):
        return "given" if value else "not given"
    return "not given" if value is None else str(value)


class AskedRun(Playable):
    """A run that is asked for, as `ladder run` and ladder.play do."""

    def __init__(self, request: RunRequest, guests: Sequence[Version] = ()) -> None:
        self.guests = guests
        self.how = self._request = request
        self._store: Store | None = None
        self.was_over = False
        """Whether the time of the run that goes on was over before: the same command then asks for more."""

    def look(self, home: Home) -> Found:
        request = self._request
        if self._store is None:  # later looks find it open, and locked
            self._store = _find_unrated(home, request) if request.unrated else Store(home.results)
        store = self._store
        unfinished = store.unfinished_run() if store else None
        if store and unfinished and home.coming is not None:
            store.check_free()  # another process may be playing it: then nothing else matters
        if (run := _to_continue(unfinished, request)) and store:
            self.was_over = not request.resume and _was_over(store, run)
            return Found(store, run)
        return Found(store, None, new_run(home, request, self.guests))

    def begin(self, home: Home, store: Store, new: NewRun, tell: Tell) -> Run:
        return super().begin(home, store, _with_link(store, self._request, new), tell)


def _was_over(store: Store, run: Run) -> bool:
    """Return whether the time of *run* has passed, and was played rather than interrupted."""
    limit = run.settings.for_s
    if limit is None or time.time() < run.started / 1e6 + limit:
        return False
    return store.contents().seconds_played(run.run) > limit / 2


def _find_unrated(home: Home, request: RunRequest) -> Store | None:
    """Return the store of the unrated run that this command continues, if there is one."""
    for store in () if request.new else reversed(unrated_stores(home.results).values()):
        run = store.unfinished_run()
        if run is None or run.settings.duel or run.settings.tournament:
            continue
        if request.resume or not differences(request, run):
            return store
    return None


def _to_continue(unfinished: Run | None, request: RunRequest) -> Run | None:
    """Return the *unfinished* run if this is its command, None for a new one.  Raises UsageProblem."""
    if unfinished is None and request.resume:
        raise UsageProblem("there is no unfinished run to resume", FIRST_RUN)
    if unfinished is None or request.new:
        return None
    if changed := changes(unfinished):
        raise UsageProblem(
            f"run {unfinished.run} is not finished, and cannot be continued: {'; '.join(changed)}",
            "ladder run --new, which ends it as it is; or continue it with the ladder that began it",
        )
    if not request.resume and (differing := differences(request, unfinished)):
        raise UsageProblem(
            f"run {unfinished.run} is not finished, and this command differs: {'; '.join(differing)}",
            "ladder run --resume, which continues it; or add --new, to end it as it is and begin this one",
        )
    return unfinished


def new_run(home: Home, request: RunRequest, guests: Sequence[Version] = ()) -> NewRun:
    """Return the run that *request* describes.  Nothing is written.

    *guests* are bots that play although they were not submitted.  Raises UsageProblem or NotFound if it
    cannot be played, also for a shard with bots that were not tried: all shards must have the same bots.
    Raises LadderError if a bot was changed.
    """
    _check_shard(home, request)
    _check_schedule(request)
    entrants = _entrants(home, request, guests)
    if entrants.untried and request.shard is not None:
        games = sorted({game for each in entrants.untried for game in each.games})
        raise UsageProblem(
            f"--shard tries no bots, and these were not tried: {say_untried(entrants.untried)}",
            f"ladder bots trial{''.join(f' --game {game}' for game in games)}, then copy the home again",
        )
    persons: tuple[tuple[int, ...], ...] = ()
    if home.settings.run.one_bot_a_person and not request.unrated:
        persons = find_persons(home.roster, entrants.bots)
        entrants = _with_enough_persons(entrants, Persons(persons))
    totals = None
    if request.games or not request.seconds:
        totals = equal_shares(request.games or MATCHES, entrants.contests)
    settings = replace(
        settings_for(home.with_limits(request.changed_limits), entrants.contests, entrants.bots),
        asked=stored_command(request),
        left_out=entrants.left_out,
        for_s=request.seconds,
        schedule=request.schedule or home.settings.run.schedule,
        until=request.ends.rule,
        max_faults=request.ends.faults,
        max_cost=request.ends.cost,
        max_tokens=request.ends.tokens,
        shard=_shard(request, totals),
        persons=persons or UNSET,
    )
    settings = _with_blocks(settings, entrants.bots, totals)
    secret = secret_of(request.secret, request.seed_number)
    return NewRun(entrants.bots, settings, secret, entrants.untried)


def begin(home: Home, store: Store, request: RunRequest) -> Run:
    """Store the run that *request* describes in *store*, which is locked.  Raises as new_run does."""
    return store_run(home, store, _with_link(store, request, new_run(home, request)))


def _with_link(store: Store, request: RunRequest, new: NewRun) -> NewRun:
    """Return *new* as long as the next link of a chain, if it is one; *store* is locked."""
    if not request.forever:
        return new
    link = plan_link(store, new.bots, new.settings.contests, request.forever)
    totals = equal_shares(link.matches, new.settings.contests)
    settings = replace(new.settings, for_s=link.seconds, link=link.stored)
    return new._replace(settings=_with_blocks(settings, new.bots, totals))


def _entrants(home: Home, request: RunRequest, guests: Sequence[Version]) -> Entrants:
    """Return who plays: the bots that are named, or all; the first one of a gauntlet at every table."""
    new = {guest.bot: guest for guest in guests} | {guest.id: guest for guest in guests}
    check_here(home, [name for name in request.bots if name not in new])
    bots = [new.get(name) or home.roster.find_player(name) for name in request.bots]
    if not request.field:
        named = {bot.id for bot in bots}
        bots += [bot for bot in (*home.roster.active(), *guests) if bot.id not in named]
    games = request.game_names or home.settings.run.games
    seats = request.seats or home.settings.run.seats
    tables = WantedTables(offer_tables(home, games), bool(games), seats, options=request.options)
    must = 1 if request.schedule == "gauntlet" else 0
    abroad = [bot for bot in bots if bot.manifest.remote]
    may_play = request.unrated or home.settings.run.remote
    there = list_present(home.path) if abroad and may_play else []
    away = [bot for bot in abroad if bot.bot not in there]
    why = "its client is not connected" if may_play else "it is remote, and [run] remote is not true"
    if typed := [bot for bot in away if bot in bots[: len(request.bots)]]:
        hint = (
            "let its client connect, or leave it out" if may_play else "ladder duel plays such bots, unrated"
        )
        raise UsageProblem(f"{typed[0].bot} cannot play: {why}", hint)
    found = who_plays(home, tables, [bot for bot in bots if bot not in away], must=must, guests=guests)
    return found._replace(left_out=(*found.left_out, *(f"{bot.bot}: {why}" for bot in away)))


def _with_enough_persons(entrants: Entrants, persons: Persons) -> Entrants:
    """Return *entrants* without the contests with fewer *persons* than seats.  Raises UsageProblem."""
    contests, told = [], []
    for of in entrants.contests:
        if (found := persons.count(of.bots)) >= of.seats:
            contests.append(of)
        else:
            who = f"no two bots of one person meet, and they are of {count(found, 'person')}"
            told.append(f"{of.game} at tables of {of.seats}: {who}")
    if not contests:
        what = "let bots of more persons play; or write one_bot_a_person = false below [run] in ladder.toml"
        raise UsageProblem(told[0], what)
    return entrants._replace(contests=tuple(contests), left_out=(*entrants.left_out, *told))


def _with_blocks(settings: RunSettings, bots: Sequence[Version], totals: Sequence[int] | None) -> RunSettings:
    """Return *settings* with the most blocks of each contest; None if only the clock ends the run."""
    blocks = None if totals is None else tuple(totals)
    epochs = _epochs(settings, totals, fast=all_fast(bots, settings))
    return replace(settings, blocks=blocks, epochs=epochs)


def _check_shard(home: Home, request: RunRequest) -> None:
    """Raise UsageProblem for a shard that cannot be merged with the others."""
    if request.shard is None:
        return
    schedule = request.schedule or home.settings.run.schedule
    if schedule == "adaptive":
        raise UsageProblem(
            f"expected --schedule round-robin with --shard, got: {schedule}, which needs all results",
            "add: --schedule round-robin",
        )
    for end, given in (("--for", request.seconds), (f"--until {request.ends.first}", request.ends.first)):
        if given:
            what = f"--shard cannot end by {end}: it needs the results of all shards"
            raise UsageProblem(what, "give --games instead")
    if request.seed is None and request.file_of_secret is None:
        raise UsageProblem(
            "--shard needs the secret of the whole run, and no --seed is given",
            f"add: --seed @FILE; one is made by: {MAKE_SECRET.format(file='FILE')}",
        )


def _check_schedule(request: RunRequest) -> None:
    """Raise UsageProblem for a rule that there is not, and for a gauntlet without its bot or with a rule."""
    if request.schedule == "gauntlet" and not request.bots:
        raise UsageProblem(
            "--schedule gauntlet needs the bot that plays at every table, and none is named",
            "name it first: ladder run --schedule gauntlet BOT; names after it are its opponents",
        )
    rule = read_rule(request.ends.rule) if request.ends.rule else None
    if request.schedule == "gauntlet" and rule and rule.judges_epochs:
        raise UsageProblem(
            f"--until {request.ends.rule} does not fit --schedule gauntlet: opponents hardly meet each other",
            "leave one of them out",
        )


def _epochs(settings: RunSettings, totals: Sequence[int] | None, *, fast: bool) -> tuple[int, ...]:
    """Return how many blocks of each contest an epoch has; *fast*: whether all bots are.

    If a clock may end the run, epochs are short, however many matches it may have: it adapts within its time.
    The same goes for a run that ends once its order is known, and for one that need not wait for slow bots.
    """
    adapts = rests_on_ratings(settings)
    short = adapts and (fast or judges_epochs(settings))
    ends = epoch_sizes(totals, adapts=adapts, short=short, fast=fast) if totals else ()
    if settings.for_s is None:
        return ends
    games = {contest.game for contest in settings.contests}
    matches = FAST_BY_THE_CLOCK if adapts and fast else BY_THE_CLOCK
    by_the_clock = equal_shares(matches * len(games), settings.contests)
    return tuple(map(min, ends, by_the_clock)) if totals else tuple(by_the_clock)


def _shard(request: RunRequest, totals: Sequence[int] | None) -> ShardBlocks | None:
    """Return the shard that is asked for, with its blocks."""
    if request.shard is None or totals is None:
        return None
    if request.shard.of > (blocks := sum(totals)):
        raise UsageProblem(
            f"there are {request.shard.of} shards, but the run has {count(blocks, 'block')}",
            "ask for fewer shards",
        )
    own = request.shard.blocks(blocks)
    return ShardBlocks(request.shard.number, request.shard.of, own.start, own.stop)
