"""What all pages know of a bot: standing, history, opponents, seats, headroom, losses and faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from results.record import Json
from results.reports.costs import Costs, costs_of
from results.reports.document import BotRef, Column, GameRef, Number, Row, digits
from results.reports.headroom import Headroom, headroom
from results.reports.history import histories, history
from results.reports.intervals import interval_of_share, with_ends
from results.reports.labels import Key
from results.reports.leaderboard import SHOWN, GameBoard, leaderboard, record_of, resting, share_of
from results.reports.losses import LostMatch, worst_losses
from results.reports.matrix import matrix
from results.reports.standouts import standouts
from results.reports.survey import SeatResults, Survey, survey
from results.storage.arrow import pa, pc
from results.words import ordinal

if TYPE_CHECKING:
    from results.rating.rated import Rated
    from results.storage.contents import Contents

LOSSES = 3
"""The worst losses of a bot that are found in each game."""
POOLED_BELOW = 20
"""Where a seat has fewer matches, all seats of its table size are one row: their shares would say nothing."""
FAULTS = 50
"""The newest faults of a bot that are kept."""


class GameFacts(NamedTuple):
    """What one version of a bot did in one game."""

    game: str
    standing: Row
    """Its row of `leaderboard`."""
    history: list[Row]
    """Its ratings after more and more of its matches: rows of `history`, or of `histories`."""
    opponents: list[Row]
    """Rows of `matrix`, the opponent that it did best against first."""
    standouts: list[Row]
    """Its nemesis and its prey, where they are sure: rows of `standouts`."""
    places: list[Row]
    """Rows of PLACES."""
    pooled: list[Row]
    """The same of `pool_seats`, as people see them."""
    headroom: Headroom | None
    """None if no run has stored anything of the kind."""
    costs: Costs
    """What it said that its matches cost."""
    losses: list[LostMatch]
    """The worst first."""
    thinking: Mapping[int, int]
    """The number of its decisions by the bin of their time: see survey.BINS_PER_DECADE."""
    clock_ms: int | None
    """The free time of a decision in the newest run; None if its limits are lost."""


class BotFaults(NamedTuple):
    """The faults of one version of a bot in all games."""

    charged: dict[str, int]
    """The number of faults that cost it a match, by kind."""
    forgiven: dict[str, int]
    """The number of the others, by kind."""
    newest: list[dict[str, Json]]
    """Rows of results.storage.schema.FAULTS, at most FAULTS of them, newest first."""


class BotFacts(NamedTuple):
    """What is known of one version of a bot."""

    bot: Key
    standings: list[Row]
    """Rows of `leaderboard`, of all versions of the bot in all games, the newest version first."""
    games: list[GameFacts]
    """Those that this version has played."""
    faults: BotFaults


@dataclass(frozen=True)
class BotReader:
    """Reads the facts about some bots: each match once for all of them."""

    contents: Contents
    rated: Mapping[str, Rated]
    """The ratings by game."""
    bots: Collection[Key]
    """The versions that facts are wanted of."""
    hidden: Collection[Key] = frozenset()
    """Versions that leaderboards leave out: they have no place there."""
    at_once: bool = False
    """Whether ratings over time come from `histories`, in one reading for all bots; else from `history`."""

    def facts(self, bot: Key, versions: Sequence[Key] = ()) -> BotFacts:
        """Return the facts about *bot*, one of those that this reads; *versions* are all of its name.

        They come in the order of submission.
        """
        known = [*(versions or [bot])]
        rows = [
            row
            for key in reversed(known)
            for board_rows in self.leaders.values()
            for row in board_rows
            if (row["bot"], row["version"]) == key
        ]
        # A version can be in no game at all: it was submitted and has not played.
        played = [game for game, rated in self.rated.items() if bot in rated.fit.bots]
        return BotFacts(
            bot, rows, [self._game(game, bot) for game in played], self.faults.get(bot, BotFaults({}, {}, []))
        )

    def _game(self, game: str, bot: Key) -> GameFacts:
        standing = next(row for row in self.leaders[game] if (row["bot"], row["version"]) == bot)
        board, runs = self.boards[game], self.contents.rated_runs
        at_once = self.histories.get((game, bot), []) if self.at_once else None
        return GameFacts(
            game=game,
            standing=standing,
            history=history(self.contents, self.rated[game], bot) if at_once is None else at_once,
            opponents=_opponents_of(self.survey, board, bot),
            standouts=standouts(self.survey.meetings(game, bot), board, bot),
            places=_places_of(self.survey.places(game, bot), board.fit.deviation),
            pooled=_places_of(pool_seats(self.survey.places(game, bot)), board.fit.deviation),
            headroom=self.headroom.get((game, bot)),
            costs=self.costs.get((game, bot), Costs()),
            losses=self.losses.get((game, bot), []),
            thinking=self.survey.thinking.get((game, bot), {}),
            clock_ms=runs[-1].settings.limits_at(bot[0], game).get("move_ms") if runs else None,
        )

    @cached_property
    def histories(self) -> dict[tuple[str, Key], list[Row]]:
        """The ratings over time by game and bot."""
        return histories(self.contents, self.rated)

    @cached_property
    def boards(self) -> dict[str, GameBoard]:
        """The leaderboards by game."""
        return {game: GameBoard(rated, self.hidden) for game, rated in self.rated.items()}

    @cached_property
    def leaders(self) -> dict[str, list[Row]]:
        """The rows of the leaderboards by game, and those of hidden versions, which have no place."""
        return {game: [*leaderboard(board), *resting(board)] for game, board in self.boards.items()}

    @cached_property
    def survey(self) -> Survey:
        """What all matches add up to."""
        return survey(self.contents)

    @cached_property
    def headroom(self) -> dict[tuple[str, Key], Headroom]:
        """What each bot used of its limits, by game."""
        return headroom(self.contents, self.bots)

    @cached_property
    def costs(self) -> dict[tuple[str, Key], Costs]:
        """What each bot said that its matches cost, by game."""
        return costs_of(self.contents)

    @cached_property
    def losses(self) -> dict[tuple[str, Key], list[LostMatch]]:
        """The worst losses by game and bot."""
        return worst_losses(self.contents, self.bots, LOSSES)

    @cached_property
    def faults(self) -> dict[Key, BotFaults]:
        """The faults of each bot that has any."""
        return _read_faults(self.contents, self.bots)


def _read_faults(contents: Contents, bots: Collection[Key]) -> dict[Key, BotFaults]:
    """Return the faults of *bots*, of those that have any."""
    # By name first, in columns: of a large home, few rows are left to look at one by one.
    names = pa.array(sorted({name for name, _ in bots}), pa.string())
    kinds: dict[Key, Counter[tuple[bool, str]]] = {}
    newest: dict[Key, list[dict[str, Json]]] = {}
    for part in contents.fault_parts():
        for row in part.filter(pc.is_in(part.column("bot"), value_set=names)).to_pylist():
            bot = (row["bot"], row["version"])
            kinds.setdefault(bot, Counter())[row["charged"], row["kind"]] += 1
            listed = newest.setdefault(bot, [])
            listed.insert(0, row)
            del listed[FAULTS:]

    def of(bot: Key, is_charged: bool) -> dict[str, int]:
        return {kind: n for (charged, kind), n in sorted(kinds[bot].items()) if charged is is_charged}

    return {bot: BotFaults(of(bot, True), of(bot, False), newest[bot]) for bot in kinds if bot in bots}


def _opponents_of(seen: Survey, board: GameBoard, bot: Key) -> list[Row]:
    """Return the results of *bot* against each other bot of the *board*, the best first: rows of `matrix`."""
    rows = matrix(seen.meetings(board.game, bot), board.game, board.fit.bots, board.fit.deviation)
    return sorted(rows, key=lambda row: -row["win_rate"])


OPPONENTS = (
    Column("rival", "against", kind=lambda row: BotRef(row["rival"], row["rival_version"])),
    Column("matches", "matches", right=True),
    Column("record", "won-drawn-lost", right=True, kind=record_of),
    Column("win_rate", "beaten % (95 %)", right=True, kind=share_of("win_rate", "rival", half=True)),
    Column("score_difference", "points ahead", digits(1), right=True, always=False),
)
"""The columns of tables of opponents, for rows of `_opponents_of`."""
STANDINGS = (
    Column("game", "game", kind=lambda row: GameRef(row["game"])),
    *(column for column in SHOWN if column.key not in ("bot", "version", "span")),
)
"""The columns of the ratings of one bot, for rows of `leaderboard`."""
PLACES = (
    Column("seats", "table, seat", kind=lambda row: f"{row['seats']} seats, {_say_seat(row['seat'])}"),
    Column("matches", "matches", right=True),
    Column("firsts", "firsts", right=True),
    Column("first_rate", "first % (95 %)", right=True, kind=share_of("first_rate", "bot")),
    Column(
        "mean_rank", "mean place", right=True, kind=lambda row: Number(row["mean_rank"], 2, low_is_best=True)
    ),
    Column("mean_score", "points", digits(1), right=True, always=False),
)
"""The columns of results by table size and seat; a first place may be shared."""


def _say_seat(seat: int | None) -> str:
    return "all seats" if seat is None else ordinal(1 + seat)


def pool_seats(places: Iterable[SeatResults]) -> Iterator[SeatResults]:
    """Yield *places* of a bot; those of a table size as one, without a seat, if one has few matches."""
    for size, group in groupby(places, attrgetter("seats")):
        seats = [*group]
        if min(each.matches for each in seats) < POOLED_BELOW:
            sums = map(sum, zip(*(each[2:] for each in seats), strict=True))
            seats = [SeatResults(size, None, *sums)]
        yield from seats


def _places_of(places: Iterable[SeatResults], deviation: float) -> list[Row]:
    """Return *places* as rows of PLACES."""
    rows: list[Row] = []
    for each in places:
        share = each.firsts / each.matches
        # Matches of a block share a deal, so they are worth fewer independent ones, or more.
        ends = interval_of_share(share, each.matches / deviation)
        rows.append(
            {
                "seats": each.seats,
                "seat": each.seat,
                "matches": each.matches,
                "firsts": each.firsts,
                **with_ends("first_rate", share, ends),
                "mean_rank": each.rank_sum / each.matches,
                "mean_score": each.score_sum / each.scored if each.scored else None,
            }
        )
    return rows


def thin(rows: Sequence[Row], most: int) -> list[Row]:
    """Return at most *most* of *rows*, at least two, evenly spread: the first and the last are among them."""
    if len(rows) <= most:
        return [*rows]
    return [rows[round(i * (len(rows) - 1) / (most - 1))] for i in range(most)]
