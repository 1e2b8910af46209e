"""What a run is asked to play, the run that is begun for it, and what its workers are told."""

from __future__ import annotations

import logging
import platform
import socket
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version as installed
from pathlib import Path
from typing import Any

import msgspec

from engines import GAMES
from ladder import __version__
from ladder.errors import UsageProblem, suggest
from ladder.fixture import Contest
from ladder.home import Home
from ladder.keys import draw_secret, secret_of_seed
from ladder.roster import Version
from ladder.schedule import blocks_for, epoch_blocks
from ladder.worker import Setup
from results.ratings import parameters
from results.record import Run
from results.store import Store

__all__ = ["Request", "begin", "check", "differences", "setup_of"]

log = logging.getLogger("ladder.request")

MATCHES = 1_000
"""How many matches a run has if nobody says."""


@dataclass(frozen=True)
class Request:
    """What `ladder run` was asked to play.  None: whatever the home or the ladder says."""

    bots: tuple[str, ...] = ()
    games: tuple[str, ...] = ()
    matches: int | None = None
    seconds: float | None = None
    seed: int | None = None
    schedule: str | None = None

    def stored(self) -> dict[str, Any]:
        """Return the request as a run keeps it, to know the same command when it comes again."""
        return {
            "bots": sorted(self.bots),
            "game": sorted(self.games),
            "games": self.matches if self.seconds else self.matches or MATCHES,
            "for": self.seconds,
            "seed": self.seed,
            "schedule": self.schedule,
        }


def differences(request: Request, run: Run) -> list[str]:
    """Return how *request* differs from what *run* was asked for, in words; empty if it is the same."""
    then, now = run.settings["asked"], request.stored()
    return [
        f"{'BOT...' if key == 'bots' else f'--{key}'} was {_said(then.get(key))}, now {_said(now[key])}"
        for key in now
        if then.get(key) != now[key]
    ]


def _said(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(value) or "not given"
    return "not given" if value is None else str(value)


# -- a new run


def check(home: Home, request: Request) -> None:
    """Raise UsageProblem or NotFound if *request* cannot be played; nothing is changed."""
    _contests(home, request, _bots(home, request))


def begin(home: Home, store: Store, request: Request) -> Run:
    """Store a new run: its secret, settings and bots.  Raises UsageProblem for what cannot be played."""
    bots = _bots(home, request)
    contests, left_out = _contests(home, request, bots)
    for what in left_out:
        log.warning("left out: %s", what)
    totals = None
    if not request.seconds:
        share = -(-(request.matches or MATCHES) // len(contests))
        totals = [blocks_for(share, contest.seats) for contest in contests]
    secret = draw_secret() if request.seed is None else secret_of_seed(request.seed)
    overrides = {name: _given(numbers) for name, numbers in home.settings.ratings.items()}
    run = Run(
        run=len(store.runs()) + 1,
        secret=secret.hex(),
        settings={
            "asked": request.stored(),
            "contests": msgspec.to_builtins(contests),
            "blocks": totals,
            "for_s": request.seconds,
            "schedule": request.schedule or home.settings.run.schedule,
            "epoch": epoch_blocks(max(totals) if totals else None),
            "limits": msgspec.to_builtins(home.settings.limits.told()),
            "sandbox": home.settings.sandbox.tier,
        },
        bots=[{"name": bot.bot, "version": bot.version} for bot in bots],
        ratings=parameters(sorted({contest.game for contest in contests}), overrides),
        versions=_versions(),
        host=socket.gethostname(),
        started=time.time_ns() // 1000,
    )
    store.begin(run)
    return run


def _given(numbers: msgspec.Struct) -> dict[str, Any]:
    return {key: value for key, value in msgspec.structs.asdict(numbers).items() if value is not None}


def _bots(home: Home, request: Request) -> list[Version]:
    bots = [home.roster.find(name) for name in request.bots] if request.bots else home.roster.active()
    for id_, count in Counter(bot.id for bot in bots).items():
        if count > 1:
            raise UsageProblem(f"{id_} is named twice", "a version never plays itself: name each once")
    return bots


def _contests(home: Home, request: Request, bots: Sequence[Version]) -> tuple[list[Contest], list[str]]:
    """Return the contests that are asked for, and what is left out: games that nobody named and few can play.

    Raises UsageProblem for a named game that cannot be played, and where nothing is left.
    """
    contests: list[Contest] = []
    left_out: list[str] = []
    problems: list[UsageProblem] = []
    named = tuple(dict.fromkeys(request.games or home.settings.run.games))
    for name in named or GAMES:
        try:
            playable, too_large = _contests_of(home, name, bots)
            contests += playable
            left_out += too_large
        except UsageProblem as problem:
            if named:
                raise
            problems.append(problem)
    if not contests:
        raise problems[0]
    return contests, [*left_out, *map(str, problems)]


def _contests_of(home: Home, name: str, bots: Sequence[Version]) -> tuple[list[Contest], list[str]]:
    """Return a contest for each table size that has enough bots, and what the others lack.

    Raises UsageProblem if there is none.
    """
    if name not in GAMES:
        raise UsageProblem(f"there is no game {name!r}{suggest(name, GAMES)}", "ladder games")
    wanted = home.settings.run.seats
    sizes = [seats for seats in GAMES[name].seats if not wanted or seats in wanted]
    if not sizes:
        asked, known = (", ".join(map(str, numbers)) for numbers in (wanted, GAMES[name].seats))
        raise UsageProblem(
            f"{name} is for {known} seats, but `seats` in ladder.toml asks for {asked}",
            "correct `seats`, or name the games that it fits",
        )
    playing = tuple(i for i, bot in enumerate(bots) if not bot.manifest.games or name in bot.manifest.games)
    names = ", ".join(bots[i].bot for i in playing) or "none"
    lacking = [
        f"{name} needs {seats} bots, but those that play it are: {names}"
        for seats in sizes
        if seats > len(playing)
    ]
    if len(lacking) == len(sizes):
        raise UsageProblem(lacking[0], "submit one: ladder submit PATH")
    options = home.settings.options(name)
    return [Contest(name, seats, options, playing) for seats in sizes if seats <= len(playing)], lacking


def _versions() -> dict[str, str]:
    libraries = ("msgspec", "pyarrow", "trueskill")
    return {
        "ladder": __version__,
        "python": platform.python_version(),
        **{name: installed(name) for name in libraries},
        **{f"game {name}": str(game.version) for name, game in GAMES.items()},
    }


def setup_of(home: Home, run: Run, in_progress: int, pinned: bool) -> Setup:
    """Return what the workers of *run* must know.  Raises NotFound if one of its bots is gone."""
    bots = tuple(home.roster.find(f"{bot['name']}@{bot['version']}") for bot in run.bots)
    return Setup(
        run=run.run,
        secret=bytes.fromhex(run.secret),
        contests=tuple(msgspec.convert(run.settings["contests"], list[Contest])),
        bots=tuple(msgspec.structs.replace(bot, folder=str(Path(bot.folder).resolve())) for bot in bots),
        passed={bot.id: home.passed(bot.manifest.env) for bot in bots},
        limits=msgspec.convert(run.settings["limits"], type(home.settings.limits.told())),
        sandbox=run.settings["sandbox"],
        processes=home.settings.run.processes,
        in_progress=in_progress,
        at_once=not pinned,
    )
