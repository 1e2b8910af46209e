"""The request for a run: checked, compared with the stored run, or stored as a new run."""

from __future__ import annotations

import logging
import platform
import socket
import time
from collections import ChainMap, Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace as replace_fields
from importlib.metadata import version as installed
from typing import Any

import msgspec
from msgspec.structs import asdict, replace

from engines import GAMES
from ladder.contest.keys import draw_secret, secret_of_seed
from ladder.errors import LadderError, NotFound, UsageProblem, suggest
from ladder.games.rating_defaults import rating_defaults
from ladder.games.rule_options import TypedOptions, custom_values, parse_options, replace_custom
from ladder.home.home import Home
from ladder.machine.installation import __version__
from ladder.registry.version import Untried, Version, say_untried
from ladder.run.link_plan import plan_link
from ladder.run.run_options import RunRequest
from ladder.run.run_plan import judges_epochs, rests_on_ratings
from ladder.run.run_schedule import GAUNTLET
from ladder.run.schedule import (
    BY_THE_CLOCK,
    FAST_BY_THE_CLOCK,
    PLAN,
    PLANS,
    all_fast,
    epoch_sizes,
    equal_shares,
)
from ladder.run.setup import check_files
from ladder.run.shard import MAKE_SECRET
from ladder.run.until.by_name import read_rule
from results.rating.measured_draws import measured_draws
from results.rating.parameters import Draws, parameters
from results.record import Contest, Run, RunCommand, RunSettings, ShardBlocks, WithoutBot
from results.reports.labels import labels
from results.storage.schema import FORMAT
from results.storage.store import Store
from results.words import count

_FORMAT = "format"
_PLAN = "plan"
"""The keys in Run.versions of the results' format and the plan of blocks; without them, version 1."""
MATCHES = 1_000
"""The default number of matches of a run."""

_TYPED = {
    "bots": "BOT...",
    "secret-file": "--seed @FILE",
    **{f"max-{name}": f"--until {name}" for name in ("faults", "cost", "tokens")},
}
"""How fields of RunCommand are typed that are not typed as they are called."""

log = logging.getLogger(__name__)


def stored_command(request: RunRequest) -> RunCommand:
    """Return *request* as a run keeps it, to know the same command when it comes again.

    Of a secret it keeps only the first 8 digits of a hash.
    """
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


def changes(run: Run) -> list[str]:
    """Return how the games of *run*, the plan and the format of results have changed since, in words."""
    games = {contest.game for contest in run.settings.contests}
    now, then = _versions(games), {_FORMAT: "1", _PLAN: "1", **run.versions}
    if then[_PLAN] in map(str, PLANS):  # such a run can be finished
        now[_PLAN] = then[_PLAN]
    names = {f"game {game}": game for game in sorted(games)}
    names |= {_FORMAT: "the format of results", _PLAN: "the plan of blocks"}
    return [
        f"{name} was version {then[key]}, now {now.get(key, 'it is gone')}"
        for key, name in names.items()
        if key in then and then[key] != now.get(key)
    ]


def is_planned_anew(run: Run) -> bool:
    """Return whether what is left of *run* is planned in another way than it was when the run began."""
    return int(run.versions.get(_PLAN, "1")) < PLAN and rests_on_ratings(run.settings)


def _text_of(value: Any) -> str:
    if isinstance(value, tuple):
        return " ".join(map(str, value)) or "not given"
    if isinstance(value, bool):
        return "given" if value else "not given"
    return "not given" if value is None else str(value)


# -- a new run


def check_request(home: Home, request: RunRequest, coming: Sequence[Version] = ()) -> None:
    """Raise UsageProblem or NotFound if *request* cannot be played, LadderError if a bot was changed.

    Nothing is written.

    *coming* are bots that are not in the home: guests, and house bots that will be there by then.
    """
    _check_shard(home, request)
    _check_schedule(request)
    bots = _bots(home, request, coming)
    contests, _ = _contests(home, request, bots)
    for bot in bots:
        if bot not in coming:
            check_files(home, bot)
    _shard(request, _totals(request, contests))


def find_untried(home: Home, request: RunRequest, guests: Sequence[Version] = ()) -> list[Untried]:
    """Return the bots of *request* that it has play games that they were not tried at.

    Raises UsageProblem if it is a shard: all shards must have the same bots.
    """
    bots = _bots(home, request, guests)
    untried = untried_in(bots, _contests(home, request, bots)[0])
    if untried and request.shard is not None:
        games = sorted({game for each in untried for game in each.games})
        raise UsageProblem(
            f"--shard tries no bots, and these were not tried: {say_untried(untried)}",
            f"ladder bots trial{''.join(f' --game {game}' for game in games)}, then copy the home again",
        )
    return untried


def untried_in(bots: Sequence[Version], contests: Sequence[Contest]) -> list[Untried]:
    """Return which of *bots* are to play games in *contests* that they were not tried at, by name."""
    games: dict[str, list[str]] = {}
    for contest in contests:
        for i in contest.bots:
            if bots[i].needs_trial(contest.game):
                games.setdefault(bots[i].id, []).append(contest.game)
    return [Untried(bot, tuple(dict.fromkeys(games[bot.id]))) for bot in bots if bot.id in games]


def _check_shard(home: Home, request: RunRequest) -> None:
    """Raise UsageProblem for a shard that cannot be merged with the others."""
    if request.shard is None:
        return
    if request.seconds:
        raise UsageProblem("--shard needs a fixed number of matches, got: --for", "give --games instead")
    schedule = request.schedule or home.settings.run.schedule
    if schedule == "adaptive":
        raise UsageProblem(
            f"expected --schedule round-robin with --shard, got: {schedule}, which needs all results",
            "add: --schedule round-robin",
        )
    if rule := request.ends.first:
        raise UsageProblem(
            f"--shard cannot end by --until {rule}: it needs the results of all shards",
            "give --games instead",
        )
    if request.seed is None and request.secret_file is None:
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


def begin(home: Home, store: Store, request: RunRequest, guests: Sequence[Version] = ()) -> Run:
    """Store a new run: its secret, settings and bots.  Raises UsageProblem for what cannot be played.

    *guests* are bots that play although they were not submitted.
    """
    _check_shard(home, request)
    _check_schedule(request)
    bots = _bots(home, request, guests)
    contests, left_out = _contests(home, request, bots)
    home = home.with_limits(request.changed_limits)
    link = plan_link(store, bots, contests, request.forever) if request.forever else None
    totals = equal_shares(link.matches, contests) if link else _totals(request, contests)
    settings = replace(
        settings_for(home, contests),
        asked=stored_command(request),
        left_out=tuple(left_out),
        blocks=None if totals is None else tuple(totals),
        for_s=link.seconds if link else request.seconds,
        schedule=request.schedule or home.settings.run.schedule,
        until=request.ends.rule,
        max_faults=request.ends.faults,
        max_cost=request.ends.cost,
        max_tokens=request.ends.tokens,
        shard=_shard(request, totals),
        link=link.stored if link else None,
    )
    settings = replace(settings, epochs=_epochs(settings, totals, fast=all_fast(bots, settings)))
    return store_run(home, store, settings, bots, secret_of(request.secret, request.seed_number), guests)


def secret_of(given: bytes | None, seed: int | None) -> bytes:
    """Return the secret of a run: *given*, or that of a *seed*, or a new one."""
    return given or (draw_secret() if seed is None else secret_of_seed(seed))


def settings_for(home: Home, contests: Sequence[Contest]) -> RunSettings:
    """Return the settings of a run of *contests*: those, as they are stored, and the limits of *home*."""
    return replace(
        home.settings.held_to(home.most_threads()),
        contests=tuple(replace(contest, options=replace_custom(contest.options)) for contest in contests),
        tables=dict(ChainMap(*(custom_values(contest.options) for contest in contests))),
    )


def store_run(
    home: Home,
    store: Store,
    settings: RunSettings,
    bots: Sequence[Version],
    secret: bytes,
    guests: Sequence[Version] = (),
) -> Run:
    """Store a new run with *settings*, once its bots but the *guests* are safe on the disk."""
    games = {contest.game for contest in settings.contests}
    run = Run(
        run=len(store.runs()) + 1,
        secret=secret.hex(),
        settings=settings,
        bots=[_record_bot(bot, is_guest=bot in guests) for bot in bots],
        ratings=_rating_parameters(home, store, settings, games),
        versions=_versions(games),
        host=socket.gethostname(),
        started=time.time_ns() // 1000,
    )
    home.make_safe(bot for bot in bots if bot not in guests)
    store.begin(run)
    return run


def _record_bot(bot: Version, *, is_guest: bool) -> dict[str, str]:
    """Return how *bot* stands in the record of a run; no other file has the note and state of a guest."""
    named: dict[str, str] = {"name": bot.bot, "version": bot.version}
    more = {"note": bot.note, "state": bot.built} if is_guest else {}
    return named | {key: value for key, value in more.items() if value}


def _totals(request: RunRequest, contests: Sequence[Contest]) -> list[int] | None:
    """Return how many blocks each contest has at most; None if only the clock ends the run."""
    if request.seconds and not request.games:
        return None
    return equal_shares(request.games or MATCHES, contests)


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


def _rating_parameters(
    home: Home, store: Store, settings: RunSettings, games: Iterable[str]
) -> dict[str, Any]:
    """Return the rating parameters of a new run: the games' own, the measured draws, and the home's settings.

    The plan of the run rests on them to its end.  Its ratings rest on the draws measured over all matches,
    except where the home's settings have a number.  The shards of a run must have the same parameters, so
    that nothing is measured for them.
    """
    defaults = rating_defaults(sorted(games))
    if settings.shard is None:
        measured = measured_draws(store)
        defaults = {
            game: replace_fields(
                of, draw_probability=Draws({**of.draw_probability, **measured.get(game, {})})
            )
            for game, of in defaults.items()
        }
    overrides = {}
    for game, numbers in home.settings.ratings.items():
        given = {key: value for key, value in asdict(numbers).items() if value is not None}
        if (anchor := given.pop("anchor", None)) is not None:
            given["anchor"] = _anchor(home, game, anchor)
        overrides[game] = given
    return parameters(defaults, overrides)


def _anchor(home: Home, game: str, wanted: str) -> tuple[str, str]:
    """Return the name and version of the anchor *wanted*; warn if no bot here is called that."""
    try:
        version = home.roster.find(wanted)
    except LadderError:
        log.warning("%s, the anchor of %s, is not here: the ratings are not shifted", wanted, game)
        name, _, number = wanted.partition("@")
        return name, number
    return version.bot, version.version


def _bots(home: Home, request: RunRequest, coming: Sequence[Version] = ()) -> list[Version]:
    new = {bot.bot: bot for bot in coming} | {bot.id: bot for bot in coming}
    bots = [
        new.get(name) or new.get(name.partition("@")[0]) or home.roster.find_player(name)
        for name in request.bots
    ]
    if not request.field:
        named = {bot.id for bot in bots}
        bots += [bot for bot in (*home.roster.active(), *coming) if bot.id not in named]
    for id_, times in Counter(bot.id for bot in bots).items():
        if times > 1:
            raise UsageProblem(f"{id_} is named twice", "a version never plays itself: name each once")
    return bots


def _contests(home: Home, request: RunRequest, bots: Sequence[Version]) -> tuple[list[Contest], list[str]]:
    """Return the contests of *request*, and the reasons for games and sizes that are left out.

    Raises UsageProblem for a named game that cannot be played, and where nothing is left.
    """
    contests: list[Contest] = []
    left_out: list[str] = []
    problems: list[UsageProblem] = []
    named = tuple(dict.fromkeys(request.game_names or home.settings.run.games))
    for name, rules in _rules(home, named, parse_options(request.options, named)).items():
        try:
            playable, too_large = _contests_of(home, name, request, rules, bots)
            contests += playable
            left_out += too_large
        except UsageProblem as problem:
            if named:
                raise
            problems.append(problem)
    if not contests:
        raise problems[0]
    return contests, [*left_out, *map(str, problems)]


def _rules(home: Home, named: Sequence[str], options: TypedOptions) -> dict[str, dict[str, Any]]:
    """Return the rule options of every game of the run."""
    for name in named:
        if name not in GAMES:
            raise UsageProblem(f"there is no game {name!r}{suggest(name, GAMES)}", "ladder games")
    if strangers := [game for game in options if named and game not in named]:
        raise UsageProblem(
            f"--option names {strangers[0]}, which is not played", f"add: --game {strangers[0]}"
        )
    return {name: home.options(name, options.get(name, {})) for name in named or GAMES}


def _contests_of(
    home: Home, name: str, request: RunRequest, rules: dict[str, Any], bots: Sequence[Version]
) -> tuple[list[Contest], list[str]]:
    """Return a contest for each table size with enough bots, and the reasons against other sizes.

    Raises UsageProblem if there is no contest.
    """
    wanted = request.seats or home.settings.run.seats
    sizes = [seats for seats in GAMES[name].seats if not wanted or seats in wanted]
    if not sizes:
        asked, known = (", ".join(map(str, numbers)) for numbers in (wanted, GAMES[name].seats))
        where = "--seats asks" if request.seats else "`seats` in ladder.toml asks"
        raise UsageProblem(
            f"{name} is for {known} seats, but {where} for {asked}",
            "correct it, or name the games that it fits with --game",
        )
    playing = {size: tuple(i for i, bot in enumerate(bots) if bot.plays(name, size)) for size in sizes}
    lacking: list[str] = []
    if request.schedule == "gauntlet":
        first = bots[GAUNTLET]
        if not (fit := first.sizes(name, sizes)):
            raise UsageProblem(
                f"{name} is not played by {first.bot}, the bot of the gauntlet",
                "name another bot first, or leave the game out",
            )
        if unfit := ", ".join(str(size) for size in sizes if size not in fit):
            lacking.append(f"{name} at tables of {unfit}: the bot of the gauntlet does not play there")
        playing = {size: playing[size] for size in fit}
    label = labels(((bot.bot, bot.version) for bot in bots), {})
    large: dict[str, list[int]] = {}
    for size, able in playing.items():
        if size > len(able):
            large.setdefault(", ".join(label[bots[i].bot, bots[i].version] for i in able), []).append(size)
    for names, lack in large.items():
        where = f"{name} at tables of {', '.join(map(str, lack))}"
        lacking.append(f"{where}: too few bots play it ({names or 'none'})")
    contests = [Contest(name, size, rules, able) for size, able in playing.items() if size <= len(able)]
    if not contests:
        names = next(iter(large))
        who = f"those that play it are: {names}" if names else "no bot plays it"
        hint = "submit one: ladder submit PATH; or let the house bots play: ladder bots house add"
        if request.field:
            hint = "name more bots that play it, or none: then all play"
        raise UsageProblem(f"{name} needs {next(iter(playing))} bots, but {who}", hint)
    return contests, lacking


def _versions(games: Iterable[str]) -> dict[str, str]:
    """Return the versions of all that a run of *games* depends on; games that are gone are left out."""
    here = [name for name in sorted(games) if name in GAMES]
    libraries = ("msgspec", "pyarrow", "trueskill")
    return {
        "ladder": __version__,
        _FORMAT: str(FORMAT),
        _PLAN: str(PLAN),
        "python": platform.python_version(),
        **{name: installed(name) for name in libraries},
        **{f"game {name}": str(GAMES[name].version) for name in here},
        **{f"package of {name}": package for name in here if (package := GAMES.package(name))},
    }


# -- a run that is continued


def leave_out(home: Home, store: Store, run: Run, names: Sequence[str]) -> Run:
    """Store that the unfinished *run* continues without the bots called *names*; return the run.

    Where *store* is not locked, nothing is stored.
    The first block that is planned without them is fixed when the run continues (see Coordinator).
    Raises NotFound or UsageProblem for a name that does not mean one of its bots.
    """
    without = list(run.settings.without)
    for id_ in dict.fromkeys(_playing(home, run, name) for name in names):
        name, _, version = id_.partition("@")
        if not run.settings.goes_without(name, version):
            without.append(WithoutBot(name, version))
    settings = replace(run.settings, without=tuple(without))
    return store.amend(settings) if store.is_locked else replace(run, settings=settings)


def _playing(home: Home, run: Run, wanted: str) -> str:
    """Return the id of the bot of *run* that NAME, NAME@NUMBER or NAME@HASH means."""
    known = run.bot_ids
    if "@" not in wanted:
        found = [id_ for id_ in known if id_.startswith(f"{wanted}@")]
    elif wanted in known:  # also one that is gone from the home
        found = [wanted]
    else:
        found = [id_ for id_ in known if id_ == home.roster.find(wanted).id]
    if not found:
        raise NotFound(f"{wanted} does not play in run {run.run}", f"it has: {', '.join(known)}")
    if len(found) > 1:
        raise UsageProblem(f"{wanted} is more than one bot of run {run.run}", f"name one: {', '.join(found)}")
    return found[0]
