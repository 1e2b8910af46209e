"""Matches of the bots of a reference set, in this process: how long they take, and what the bots decide."""

import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from importlib import import_module
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, TypeAlias

from engines import GAMES, canonical
from ladder.errors import whose
from ladder.machine.toml import read_toml
from ladder.reference.reference_set import ANCHOR, PREFIX, ReferenceContest
from protocol.client import Choice
from results.rating.linear import add_up
from results.rating.reference_score import BOUND, BOUND_99, DealResult, rate_against
from results.reports.intervals import interval_of_share

FEW_DEALS = 8
"""The number of deals that the variance of independent seats counts for, where it is the greater one."""


class ShareBeaten(NamedTuple):
    """The share of the other seats that a bot ranked before, a tie half, with its interval: 0 to 1."""

    share: float
    low: float
    high: float

    @property
    def text(self) -> str:
        """The share in whole percent, with its interval."""
        return f"{100 * self.share:.0f} of 100 ({100 * self.low:.0f} to {100 * self.high:.0f})"


def share_beaten(deals: Sequence[DealResult], bound: float = BOUND) -> ShareBeaten:
    """Return the mean of the shares beaten over the bots that were met in *deals*, of which none is empty.

    *bound* is the square of the normal quantile of the interval.  The variance is that between deals (the
    linearized ratio, Cochran, Sampling Techniques, 1977, chapter 6), drawn up to that of independent seats,
    since a few deals may be alike by chance.  As many seats as have that variance give the interval (Korn and
    Graubard, 1998).
    """
    met = Counter(other for deal in deals for other, _ in deal)
    met_in = Counter(other for deal in deals for other in {other for other, _ in deal})
    shares = {
        bot: sum(score for deal in deals for other, score in deal if other == bot) / number
        for bot, number in met.items()
    }
    share, number, between = add_up(shares.values()) / len(shares), len(deals), 0.0
    # a share is the mean of its own deals, from which they differ the less the fewer they are
    weights = {bot: sqrt(each / max(1, each - 1)) / met[bot] / len(met) for bot, each in met_in.items()}
    for deal in deals:
        between += add_up(weights[other] * (score - shares[other]) for other, score in deal) ** 2
    alone = add_up(of * (1 - of) / met[other] for other, of in shares.items()) / len(shares) ** 2
    variance = max(between, (number * between + FEW_DEALS * alone) / (number + FEW_DEALS))
    # one that always wins, or always loses, has no variance: its deals count as a seat each
    seats = share * (1 - share) / variance if variance > 0 else number
    return ShareBeaten(share, *interval_of_share(share, seats, sqrt(bound)))


def is_worse(
    of: ReferenceContest, bots: Sequence[str], new: Sequence[DealResult], public: Sequence[DealResult]
) -> bool:
    """Return whether the 99 % interval of *new* deals lies below that of the *public* ones.

    They are told in the unit of the quoted line; deals name *bots* by their place.
    """
    if not new or not public:
        return False
    if not of.has_scale:
        return share_beaten(new, BOUND_99).high < share_beaten(public, BOUND_99).low
    ratings = [of.recorded.ratings[bot] for bot in bots]
    below, above = (rate_against(deals, ratings, of.beta, BOUND_99) for deals in (new, public))
    return below.high < above.low


RECORDED_MATCHES = 2
"""How many matches are recorded of each bot."""
SEARCH_DECISIONS, MORE_DECISIONS = 6, 2
"""How many decisions are recorded of a match of those that search, and of those that do much work."""
PACE_MATCHES = 20
Player: TypeAlias = Callable[[Any, Choice, Random], Any]


@cache
def _player_of(folder: Path, game: str, bot: str) -> Player:
    """Return the function by which *bot* of the set in *folder* plays *game*: what its program serves."""
    config = read_toml(folder / f"{PREFIX}{bot}.toml").get("config", {})
    with _programs(folder):
        made: Player = import_module("players").player(game, config)
    return made


@contextmanager
def _programs(folder: Path) -> Iterator[None]:
    """Let modules be imported from *folder*; others of the same names are there again afterwards."""
    names = {file.stem for file in folder.glob("*.py")}
    before = {name: sys.modules.pop(name) for name in names & sys.modules.keys()}
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in names & sys.modules.keys():
            del sys.modules[name]
        sys.modules.update(before)


class _Played(NamedTuple):
    """A match: the ranks by seat, the moves, and the CPU time of each seat."""

    ranks: Sequence[int]
    moves: list[Any]
    seconds: list[float]


def play_match(
    folder: Path, game: str, deal: Any, bots: Sequence[str], seed: str, most: int | None = None
) -> _Played:
    """Let *bots* play *deal*, to the end or until *most* decisions are made."""
    rules = GAMES[game]
    position = rules.begin(deal, len(bots))
    players = [_player_of(folder, game, bot) for bot in bots]
    moves: list[Any] = []
    seconds = [0.0] * len(bots)
    while not position.over and (most is None or len(moves) < most):
        seat = position.seat
        view, choice = json.loads(position.write_view(seat)), Choice(json.loads(position.write_choice(seat)))
        since = time.process_time()
        move = players[seat](view, choice, Random(f"{seed}/{seat}/{len(moves)}"))
        seconds[seat] += time.process_time() - since
        made = tuple(move) if isinstance(move, list) else move
        moves.append(made)
        position.play(position.option_of(seat, made))
    return _Played(position.outcome().ranks if position.over else (), moves, seconds)


def measure_pace(folder: Path, game: str, seats: int) -> float:
    """Return the CPU time of a match of greedy bots, in seconds: how fast this machine is."""
    since = time.process_time()
    for number in range(PACE_MATCHES):
        deal = GAMES[game].deal(seats, Random(number))
        play_match(folder, game, deal, [ANCHOR] * seats, f"pace/{number}")
    return (time.process_time() - since) / PACE_MATCHES


def decisions_of(folder: Path, game: str, seats: int, bot: str, *, little: bool) -> list[str]:
    """Return the numbers of decisions of matches in which *bot* has all seats, each with a digest of them.

    Of one that searches only the first decisions are recorded, which is what the gate has time for.
    """
    lines = []
    most = (SEARCH_DECISIONS if "search" in bot else None) if little else MORE_DECISIONS
    for number in range(RECORDED_MATCHES if little else 1):
        seed = f"R1/decisions/{game}/{seats}/{number}"
        deal = GAMES[game].deal(seats, Random(seed))
        moves = play_match(folder, game, deal, [bot] * seats, seed, most).moves
        digest = sha256(canonical(moves).encode()).hexdigest()
        lines.append(f"{len(moves)} {digest[:12]}")
    return lines


class Otherwise(NamedTuple):
    """The bots of a set that decide otherwise here than where the set was made."""

    bots: tuple[str, ...] = ()
    mark: str = ""
    """What names their decisions: the first digits of a hash."""


def find_otherwise(of: ReferenceContest, folder: Path, *, full: bool) -> Otherwise:
    """Let the bots of the set in *folder* decide again what is recorded of them.

    The hash of the set covers their programs, but not the policies of the engines that they play by, nor the
    C library that rounds for them.
    """
    recorded, found = json.loads((folder / "decisions.json").read_bytes()), {}
    for bot in of.bots(full=full):
        try:
            again = decisions_of(folder, of.game, of.seats, bot, little=bot in of.little)
        except Exception as error:  # a policy may be changed in any way, and its matches will show the error
            if whose(error) == "machine":  # that is no decision: what it caused marks no bot
                raise
            again = [type(error).__name__]
        if again != recorded.get(f"{of.key} {bot}"):
            found[bot] = again
    return Otherwise(tuple(found), sha256(canonical(found).encode()).hexdigest()[:8] if found else "")
