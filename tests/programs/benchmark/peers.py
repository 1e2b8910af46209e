"""Compare the ladder with other libraries and runners on similar work, if they are installed.

Libraries: random playouts in this process, pinned, without dealing.  OpenSpiel is a C++ core driven from
Python; RLCard is Python and numpy; PettingZoo is an interface, and its Hanabi is OpenSpiel's.  Their games
differ from ours, so the unit is one decision with hidden cards, with the rules alone or with views.

Runners: one command each from start to end, with two workers and no confinement.  psyleague starts a process
for every match, and here that process plays no game; the ladder keeps its bots running and plays Stellar.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module, metadata
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from support.staging import enlist

from engines import GAMES
from ladder.dev.benchmark.figure import Figure, at_least
from ladder.dev.benchmark.playout_speed import WAYS, match_us, random_matches
from ladder.dev.benchmark.rig import pin_to_core
from ladder.dev.doctor import is_compiled
from ladder.errors import LadderError
from ladder.home.home import create_home, house_bots
from ladder.process.command import build
from ladder.registry.bot_manifest import read_manifest
from ladder.sandbox import confine

DECISIONS = 2_000
"""The approximate number of decisions in one round of a peer's playouts."""
PATIENCE = 600.0
"""How long a runner may take for a round, in seconds; on a quiet machine it takes three or four."""
RUNS = 3
"""The most rounds of the runners."""
OUR_MATCHES = 600
THEIR_MATCHES = 80
RULES, TOLD = "rules", "rules, observation"
STEPPED = "playout, move by move"
OURS: Final = {"random playout": RULES, STEPPED: RULES, "playout with choice and view as JSON": TOLD}
"""What of the ladder is compared with which kind of work."""
MEDIAN: Final = "ladder, median of its games"
AIMS: Final = {RULES: 2.0, TOLD: 1.5}
"""How many times as fast as OpenSpiel's hearts the compiled build is meant to be."""


class Work(NamedTuple):
    """Random playouts of a peer's game."""

    what: str
    kind: str
    deal: Callable[[], Any]
    play: Callable[[Any, Random], int]
    """Play a deal to its end; return the number of decisions."""

    def us(self, decisions: int = DECISIONS) -> float:
        """Return the CPU time per decision, in microseconds, over at least *decisions*."""
        rng = Random(7)
        done = spent = 0
        while done < decisions:
            dealt = self.deal()
            began = time.process_time_ns()
            done += self.play(dealt, rng)
            spent += time.process_time_ns() - began
        return spent / 1000 / done


def peer_figures(rounds: int, tell: Callable[[str], None]) -> Iterator[Figure]:
    """Time the installed peers and the ladder; call *tell* for each peer that is left out."""
    versions = dict(_installed_peers(tell))
    with pin_to_core():
        works = [work for peer in LIBRARIES if peer in versions for work in _load(peer, versions[peer], tell)]
        if works:
            yield from _playout_figures(works, rounds)
    if "psyleague" in versions:
        try:
            yield from _runner_figures(versions["psyleague"], min(rounds, RUNS))
        except (LadderError, OSError, ValueError) as error:  # such as settings that have moved
            tell(f"skipping psyleague {versions['psyleague']}: {error}")


def _installed_peers(tell: Callable[[str], None]) -> Iterator[tuple[str, str]]:
    for peer in (*LIBRARIES, "psyleague"):
        try:
            yield peer, metadata.version(peer)
        except metadata.PackageNotFoundError:
            tell(f"{peer} is not installed; to time it, too: pip install '.[bench]'")


# -- playouts


def _open_spiel(peer: str) -> Iterator[Work]:
    spiel = import_module("pyspiel")
    for name in ("hearts", "gin_rummy"):
        game = spiel.load_game(name)
        kind = "observation" if game.get_type().provides_observation_string else "information_state"
        look = getattr(spiel.State, f"{kind}_string")
        deal = partial(_deal_random, game, Random(7))
        yield Work(f"{peer}, {name}", RULES, deal, _play_spiel)
        yield Work(f"{peer}, {name}", TOLD, deal, partial(_play_spiel, look=look))


def _deal_random(game: Any, rng: Random) -> Any:
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def _play_spiel(state: Any, rng: Random, look: Callable[[Any, int], str] | None = None) -> int:
    decisions = 0
    while not state.is_terminal():
        if not state.is_chance_node():
            decisions += 1
            if look:
                look(state, state.current_player())
        state.apply_action(rng.choice(state.legal_actions()))
    return decisions


def _rlcard(peer: str) -> Iterator[Work]:
    env = import_module("rlcard").make("gin-rummy", config={"seed": 7})

    def play(dealt: Any, rng: Random) -> int:
        shown, _ = dealt
        decisions = 0
        while not env.is_over():
            shown, _ = env.step(rng.choice(list(shown["legal_actions"])))
            decisions += 1
        return decisions

    yield Work(f"{peer}, gin-rummy", TOLD, env.reset, play)


def _pettingzoo(peer: str) -> Iterator[Work]:
    env = import_module("pettingzoo").make("aec", "classic/hanabi-v5")
    env.reset(seed=7)

    def play(_: None, rng: Random) -> int:
        decisions = 0
        while True:
            shown, _, over, stopped, _ = env.last()
            if over or stopped:
                return decisions
            env.step(rng.choice(shown["action_mask"].nonzero()[0]))
            decisions += 1

    yield Work(f"{peer}, hanabi", TOLD, env.reset, play)


LIBRARIES: Mapping[str, Callable[[str], Iterator[Work]]] = {
    "open_spiel": _open_spiel,
    "rlcard": _rlcard,
    "pettingzoo": _pettingzoo,
}


def _load(peer: str, version: str, tell: Callable[[str], None]) -> Sequence[Work]:
    try:
        works = tuple(LIBRARIES[peer](f"{peer} {version}"))
        for work in works:
            work.us(1)
    except Exception as error:  # an unknown version or a broken installation
        tell(f"skipping {peer} {version}, which does not work here: {error!r}: pip install '.[bench]'")
        return ()
    return works


def _playout_figures(works: Sequence[Work], rounds: int) -> Iterator[Figure]:
    """Compare playouts with the median of the ladder's games and with Stellar, at their smallest tables.

    The ladder's rules play a match in one call, as its bots search; peers are driven from Python, so the same
    is compared move by move, too.
    """
    wanted = {way for way, kind in OURS.items() if any(work.kind == kind for work in works)}
    tables = {name: random_matches(game, game.seats[0]) for name, game in GAMES.items()}
    ours: dict[tuple[str, str], list[float]] = {}
    theirs: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        for way in filter(wanted.__contains__, OURS):
            of_games = {name: match_us(WAYS[way], matches) for name, matches in tables.items()}
            ours.setdefault((MEDIAN, way), []).append(statistics.median(of_games.values()))
            ours.setdefault(("stellar", way), []).append(of_games["stellar"])
        for work, seen in zip(works, theirs, strict=True):
            seen.append(work.us())
    for (whose, way), seen in ours.items():
        yield Figure(f"{whose}: {way}", 1e6 / statistics.median(seen), "decisions/s")
    for work, seen in zip(works, theirs, strict=True):
        name = f"{work.what}: {work.kind}"
        yield Figure(name, 1e6 / statistics.median(seen), "decisions/s")
        for (whose, way), own in ours.items():
            if OURS[way] == work.kind:
                aim = _aim(work) if whose == MEDIAN and way != STEPPED else 0.0
                yield _over(f"{_short(whose, way)} / {name}", _ratio(seen, own), aim)


def _short(whose: str, way: str) -> str:
    by = "ladder" if whose == MEDIAN else whose
    return f"{by}, move by move" if way == STEPPED else by


def _aim(work: Work) -> float:
    """Return how many times as fast as *work* the compiled build is meant to be; 0 for no aim."""
    return AIMS[work.kind] if is_compiled() and ", hearts" in work.what else 0.0


def _over(what: str, ratio: float, aim: float) -> Figure:
    return at_least(what, ratio, "", aim) if aim else Figure(what, ratio, "")


def _ratio(above: Sequence[float], below: Sequence[float]) -> float:
    """Return the median of the ratios of all rounds."""
    return statistics.median(a / b for a, b in zip(above, below, strict=True))


# -- runners of programs


def _runner_figures(version: str, rounds: int) -> Iterator[Figure]:
    """Compare matches per second.  Raises LadderError if one of the commands fails."""
    with tempfile.TemporaryDirectory(prefix="ladder-bench-") as folder:
        ours, theirs = Path(folder, "ladder"), Path(folder, "psyleague")
        _prepare_psyleague(theirs)
        _prepare_ladder(ours)
        command = f"ladder run one other --game stellar --games {OUR_MATCHES} -j 2 --sandbox none --home ."
        seen: list[tuple[float, float]] = []
        for _ in range(rounds):
            our_s = _seconds(ours, *command.split())
            their_s = _seconds(theirs, PSYLEAGUE, *f"run -g {THEIR_MATCHES} -w 2 -s".split())
            seen.append((OUR_MATCHES / our_s, THEIR_MATCHES / their_s))
    own_rates, peer_rates = zip(*seen, strict=True)
    peer = f"psyleague {version}, 2 workers"
    yield Figure("ladder, 2 workers: Stellar, bots kept", statistics.median(own_rates), "matches/s")
    yield Figure(f"{peer}: a process each, no game", statistics.median(peer_rates), "matches/s")
    yield Figure(f"ladder / {peer}", _ratio(own_rates, peer_rates), "")


PSYLEAGUE = "psyleague.psyleague"
RESULT = '{"ranks": [1, 2], "errors": [0, 0], "test_data": {}, "player_data": [{}, {}]}'
"""The output that psyleague expects of its play command."""


def _prepare_ladder(folder: Path) -> None:
    """Make a home with two random bots; they are house bots, so they need no check."""
    home, random = create_home(folder), house_bots()["random"]
    for name in ("one", "other"):
        enlist(home, random, read_manifest(random, GAMES, name))


def _prepare_psyleague(folder: Path) -> None:
    """Make a league of two bots that need no set-up, whose matches are over at once."""
    folder.mkdir()
    _seconds(folder, PSYLEAGUE, "config")
    file = folder / "psyleague.cfg"
    settings = tomllib.loads(file.read_text("utf-8"))
    settings |= {"n_workers": 2, "cmd_bot_setup": "true", "cmd_play_game": f"echo '{RESULT}'"}
    file.write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in settings.items()), "utf-8")
    for name in ("one", "other"):
        _seconds(folder, PSYLEAGUE, "bot", "add", name)


def _seconds(folder: Path, *module: str) -> float:
    """Return how long a command, the arguments of `python -m`, takes in *folder*.

    Nothing that it started is left afterwards.  Raises LadderError if it fails.
    """
    passed = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}  # the packages installed here
    confined = confine("none", [sys.executable, "-m", *module], folder, passed)
    began = time.perf_counter()
    status, output = build(confined, PATIENCE)
    took = time.perf_counter() - began
    if status != 0:
        how = f"has not ended within {PATIENCE:.0f} s" if status is None else f"ended with {status}"
        raise LadderError(f"`python -m {' '.join(module)}` {how}: {output.strip()[-500:]}")
    return took
