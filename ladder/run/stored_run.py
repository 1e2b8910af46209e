"""A run as it is stored: begun, compared with the ladder of now, and continued without a bot."""

import platform
import socket
import time
from collections import ChainMap
from collections.abc import Iterable, Sequence
from dataclasses import replace as dataclass_replace
from importlib.metadata import version as installed
from typing import Any, NamedTuple

from msgspec.structs import asdict, replace

from engines import GAMES
from ladder.contest.custom_options import custom_values, replace_custom
from ladder.contest.keys import draw_secret, secret_of_seed
from ladder.errors import NotFound, UsageProblem
from ladder.games.rating_defaults import rating_defaults
from ladder.home.anchor_settings import find_anchor_key
from ladder.home.home import Home
from ladder.machine.installation import __version__
from ladder.registry.version import Untried, Version
from ladder.run.run_plan import rests_on_ratings
from ladder.run.schedule import PERSONS_PLAN, PLAN, PLANS
from results.rating.cache import measured_draws
from results.rating.parameters import Draws, parameters
from results.record import Contest, Json, Run, RunSettings, WithoutBot
from results.storage.schema import FORMAT
from results.storage.store import Store

_FORMAT = "format"
_PLAN = "plan"
"""The keys in Run.versions of the results' format and the plan of blocks; without them, version 1."""


class NewRun(NamedTuple):
    """A run that can begin."""

    bots: tuple[Version, ...]
    settings: RunSettings
    secret: bytes
    untried: tuple[Untried, ...] = ()
    """Those of its bots that must try games first."""


def secret_of(given: bytes | None, seed: int | None) -> bytes:
    """Return the secret of a run: *given*, or that of a *seed*, or a new one."""
    return given or (draw_secret() if seed is None else secret_of_seed(seed))


def settings_for(home: Home, contests: Sequence[Contest], bots: Iterable[Version]) -> RunSettings:
    """Return the settings of *contests* between *bots*: as they are stored, and with the limits of *home*."""
    return replace(
        home.held_to(bots),
        contests=tuple(replace(contest, options=replace_custom(contest.options)) for contest in contests),
        tables=dict(ChainMap(*(custom_values(contest.options) for contest in contests))),
    )


def store_run(home: Home, store: Store, new: NewRun, guests: Sequence[Version] = ()) -> Run:
    """Store the run *new*, once its bots but the *guests*, which were not submitted, are safe on the disk."""
    games = {contest.game for contest in new.settings.contests}
    run = Run(
        run=len(store.runs()) + 1,
        secret=new.secret.hex(),
        settings=new.settings,
        bots=[_record_bot(bot, is_guest=bot in guests) for bot in new.bots],
        ratings=_rating_parameters(home, store, new.settings, games),
        versions=_versions(games) | ({_PLAN: str(PERSONS_PLAN)} if new.settings.persons else {}),
        host=socket.gethostname(),
        started=time.time_ns() // 1000,
    )
    home.make_safe(bot for bot in new.bots if bot not in guests)
    store.begin(run)
    return run


def _record_bot(bot: Version, *, is_guest: bool) -> dict[str, Json]:
    """Return how *bot* stands in the record of a run; no other file has the note and state of a guest."""
    named: dict[str, Json] = {"name": bot.bot, "version": bot.version}
    named |= {"remote": True} if bot.manifest.remote else {}
    more = {"note": bot.note, "state": bot.built} if is_guest else {}
    return named | {key: value for key, value in more.items() if value}


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
            game: dataclass_replace(
                of, draw_probability=Draws({**of.draw_probability, **measured.get(game, {})})
            )
            for game, of in defaults.items()
        }
    overrides = {}
    for game, numbers in home.settings.ratings.items():
        given = {key: value for key, value in asdict(numbers).items() if value is not None}
        if (anchor := given.pop("anchor", None)) is not None:
            given["anchor"] = find_anchor_key(home, anchor)
        overrides[game] = given
    return parameters(defaults, overrides)


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


def changes(run: Run) -> list[str]:
    """Return how the games of *run*, the plan and the format of results have changed since, in words."""
    games = {contest.game for contest in run.settings.contests}
    now, then = _versions(games), {_FORMAT: "1", _PLAN: "1", **run.versions}
    if then[_PLAN] in map(str, PLANS):  # such a run can be finished
        now[_PLAN] = then[_PLAN]
    names = {f"game {game}": game for game in sorted(games)}
    names |= {_FORMAT: "the format of results", _PLAN: "the plan of blocks"}
    told = [
        f"{name} was version {then[key]}, now {now.get(key, 'it is gone')}"
        for key, name in names.items()
        if key in then and then[key] != now.get(key)
    ]
    if run.settings.duel and run.settings.duel.rule == "before":
        told.append("duels have had other rules since")
    return told


def is_planned_anew(run: Run) -> bool:
    """Return whether what is left of *run* is planned in another way than it was when the run began."""
    return int(run.versions.get(_PLAN, "1")) < PLAN and rests_on_ratings(run.settings)


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
