"""How much a bot errs: the reviews of its newest matches, by game and table size."""

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import groupby, islice
from operator import itemgetter
from statistics import mean
from typing import Final, NamedTuple

import msgspec

from engines import GAMES
from engines.judge import beaten_by
from ladder.replay.replay import deal_of
from ladder.replay.review.loss_names import THRESHOLDS, verdict_of
from ladder.replay.review.loss_words import unit_of
from ladder.replay.review.summary import KindRate, Rate, costliest, error_rate, rates_by_kind
from ladder.replay.review.walk import walk
from results.record import Json, Match
from results.reports.row_sets import Selection, select_newest
from results.reviewed import ReviewedStep
from results.storage.contents import Contents
from results.storage.reviews import Reviews
from results.storage.schema import records_from

FEW: Final = 20
"""With fewer matches, an interval by blocks says little."""
_ONE_SIDED: Final = 0.1
"""Where a bot beats this share of the others or less, most of its matches are lost before they end."""


class BotReview(NamedTuple):
    """What the reviews of some matches say of one bot."""

    bot: str
    matches: int
    """How many of them have a review."""
    quick: int
    """How many of these reviews are quick."""
    rates: Mapping[tuple[str, int], Rate]
    """By game and number of seats."""
    kinds: Mapping[tuple[str, int], Sequence[KindRate]]
    """By game and number of seats, what each kind of decision cost, the costliest first."""
    played: Mapping[tuple[str, int], int]
    """By game and number of seats, how many of the matches they are."""
    beaten: Mapping[tuple[str, int], float]
    """By game and number of seats, which share of the others it beat there, a tie as half."""
    named: Mapping[str, int]
    """How many decisions have each name."""
    worst: Sequence[ReviewedStep]

    def to_json(self) -> dict[str, Json]:
        """Return it as JSON: rates by game and size, names, and the rows of the worst decisions."""
        return {
            "bot": self.bot,
            "matches": self.matches,
            "quick": self.quick,
            "rates": [
                {
                    "game": game,
                    "seats": seats,
                    "matches": self.played[game, seats],
                    **rate._asdict(),
                    "beaten": self.beaten[game, seats],
                }
                for (game, seats), rate in self.rates.items()
            ],
            "kinds": [
                {"game": game, "seats": seats, "kind": kind, **rate._asdict(), "total": total, "share": share}
                for (game, seats), each in self.kinds.items()
                for kind, rate, total, share in each
            ],
            "named": dict(self.named),
            "worst": msgspec.to_builtins(self.worst),
        }


class SeenDecision(NamedTuple):
    """A decision of a stored match."""

    match: Match
    view: Mapping[str, Json]
    """What its seat saw."""
    played: Sequence[str]
    """The options that it chose."""


def newest_matches(
    contents: Contents, bot: str, version: str | None, most: int, game: str | None = None
) -> list[Match]:
    """Return the newest matches of *bot*, or of one *version* of it, at any *game* or one; at most *most*."""
    rows, _ = select_newest(contents, Selection(bot=bot, version=version, game=game), most)
    keys = zip(rows.column("run").to_pylist(), rows.column("number").to_pylist(), strict=True)
    return [
        match
        for run, group in groupby(keys, itemgetter(0))  # the newest first, so each run stands together
        for match in contents.some_matches(run, [number for _, number in group])
    ]


def review_of_bot(
    contents: Contents,
    bot: str,
    version: str | None,
    worst: int,
    among: Collection[tuple[int, int]] | None = None,
) -> BotReview:
    """Return what the stored reviews say of *bot*, or of one *version* of it; *worst* decisions are kept.

    Those of all its matches, or *among* these, by run and number.
    """
    import pyarrow.compute as pc

    reviews = Reviews(contents.folder)
    reviewed = {(key.run, key.number) for key in reviews.matches()}
    wanted = reviewed if among is None else reviewed & {*among}
    rows: list[ReviewedStep] = []
    block_of: dict[tuple[int, int], int] = {}
    ranks_of: dict[tuple[int, int], list[int]] = {}
    for run in sorted({run for run, _ in wanted}):
        those = pc.field("number").isin(sorted(number for of, number in wanted if of == run))
        for match in contents.matches(["number", "block", "seats.rank"], run).filter(those).to_pylist():
            block_of[run, match["number"]] = match["block"]
            ranks_of[run, match["number"]] = [seat["rank"] for seat in match["seats"]]
        rows += [
            row
            # to make records of all other bots takes longer than all the rest
            for row in records_from(reviews.read(run).filter(pc.field("bot") == bot), ReviewedStep)
            if (row.run, row.number) in block_of and version in (None, row.version) and row.loss is not None
        ]
    grouped: dict[tuple[str, int], dict[tuple[int, int], list[ReviewedStep]]] = defaultdict(dict)
    for row in rows:
        block = row.run, block_of[row.run, row.number]
        grouped[row.game, row.seats].setdefault(block, []).append(row)
    blocks = {key: [*each.values()] for key, each in sorted(grouped.items())}
    shares: dict[tuple[str, int], list[float]] = defaultdict(list)
    for game, seats, run, number, seat in {
        (row.game, row.seats, row.run, row.number, row.seat): None for row in rows
    }:
        shares[game, seats].append(beaten_by(ranks_of[run, number])[seat])
    matches = {(row.run, row.number): row for row in rows}
    named = Counter(verdict_of(row.loss or 0.0, row.loss_se or 0.0) for row in rows)
    return BotReview(
        bot,
        len(matches),
        sum(row.quick for row in matches.values()),
        {key: error_rate(each) for key, each in blocks.items()},
        {key: rates_by_kind(each, unit_of(*key)) for key, each in blocks.items()},
        Counter((row.game, row.seats) for row in matches.values()),
        {key: mean(each) for key, each in shares.items()},
        {name: named[name] for _, name in reversed(THRESHOLDS)},
        costliest(rows, worst),
    )


def look_at(contents: Contents, row: ReviewedStep) -> SeenDecision:
    """Return what the seat of *row* saw.  Raises LadderError, or an error of its game, without a replay."""
    match = contents.match(row.run, row.number)
    moves = json.loads(match.moves)
    deal = deal_of(match, contents.run(row.run).settings.tables)
    steps = walk(GAMES[match.game], deal, len(match.seats), moves)
    move = next(move for seat, move, *_ in moves[row.step] if seat == row.seat)
    view = next(islice(steps, row.step, None)).view_of(row.seat)  # nothing that another seat knew
    return SeenDecision(match, view, [move] if isinstance(move, str) else move)


def tell_one_sided(beaten: float) -> str:
    """Return a sentence on a bot that has *beaten* nearly none of the others, or nearly all; else ""."""
    if _ONE_SIDED < beaten < 1 - _ONE_SIDED:
        return ""
    state = "lost" if beaten < 0.5 else "won"
    return (
        f"it beat {100 * beaten:.0f} % of the others: where a match is as good as {state}, no decision costs"
        " much, so do not compare this rate with those of others"
    )
