"""What a measurement found: the rating, the place among the bots of the set, and the line to quote."""

from collections import Counter
from math import isinf

import msgspec

from ladder.reference.reference_set import PREFIX, ReferenceContest
from results.rating.reference_score import DealResult, ReferenceScore, rate_against
from results.record import Json
from results.storage.contents import Contents
from results.storage.finishes import standing_matches
from results.words import count

OTHERWISE = "this bot answered otherwise when asked again"


class RatedRow(msgspec.Struct, frozen=True):
    """A line of the table."""

    bot: str
    rating: float
    beaten: float | None = None
    """The share of its seats that the measured bot ranked before, a tie half; None for itself."""
    met: int = 0
    """In how many seats they met."""


class ReferenceResult(msgspec.Struct, frozen=True):
    """The result at one game and table size."""

    set: str
    key: str
    bot: str
    run: str
    """What commands call the run."""
    score: ReferenceScore | None
    """None where not one match could be judged."""
    rows: tuple[RatedRow, ...]
    """The bots of the set that were met, best first."""
    matches: int
    deals_played: int
    faults: int
    """Matches in which the bot made a fault: it is last in them."""
    voids: int
    """Matches that were not judged, because the machine delayed the bots: they do not count."""
    full: bool
    sampled: tuple[int, ...] = ()
    """The numbers of matches in which the bot can be asked again."""
    digest: str = ""
    """The hash of the set."""
    deals: str | None = None
    """The mark of secret deals."""
    limits: tuple[str, ...] = ()
    """The limits of the bot that differ from those of a new home."""
    provisional: bool = False
    """Whether the ratings of the set are not settled yet, so that no number follows from them."""
    repeats: bool | None = None
    """Whether it answered the same when asked again; None if that was not asked."""

    @property
    def place(self) -> int:
        """The place of the bot among those of the set, 1 for the best."""
        assert self.score
        return 1 + sum(row.rating > self.score.rating for row in self.rows)

    @property
    def rating_text(self) -> str:
        """The rating with its 95 % interval."""
        score = self.score
        if score is None:
            return "not measured"
        if score.margin is not None:
            return f"{score.rating:.1f} +- {score.margin:.1f}"
        if score.low > float("-inf"):
            return f"above {score.low:.1f}"
        return f"below {score.high:.1f}" if score.high < float("inf") else "anything"

    @property
    def line(self) -> str:
        """What people quote: with marks for all that keeps it from being compared."""
        marks = ["full"] if self.full else []
        if self.deals:
            marks.append(f"deals {self.deals}")
        marks += self.limits
        if self.voids:
            marks.append(f"{count(self.voids, 'match', self.matches + self.voids)} not judged")
        if self.provisional:
            marks.append("provisional")
        marked = f" ({', '.join(marks)})" if marks else ""
        otherwise = f"; {OTHERWISE}" if self.repeats is False else ""
        return f"{self.set} {self.key}{marked}: {self.rating_text}{otherwise}"

    def to_json(self) -> dict[str, Json]:
        """Return all of it as JSON; where the interval has no end, there is none."""
        score = self.score
        ends = None if score is None else [None if isinf(end) else end for end in (score.low, score.high)]
        return {
            "set": self.set,
            "digest": self.digest,
            "game": self.key.partition("/")[0],
            "seats": int(self.key.partition("/")[2]),
            "bot": self.bot,
            "rating": None if score is None else score.rating,
            "interval": ends,
            "place": None if score is None else self.place,
            "line": self.line,
            "full": self.full,
            "deals": self.deals,
            "limits": list(self.limits),
            "provisional": self.provisional,
            "repeats": self.repeats,
            "matches": self.matches,
            "faults": self.faults,
            "not_judged": self.voids,
            "run": self.run,
            "bots": [msgspec.to_builtins(row) for row in self.rows],
        }


def result_of(
    of: ReferenceContest, contents: Contents, run: int, name: str, *, full: bool
) -> ReferenceResult:
    """Return what the stored *run*, which is called *name*, says of its first bot."""
    tested = contents.run(run).bot_keys[0]
    bots = of.bots(full=full)
    place = {f"{PREFIX}{bot}": i for i, bot in enumerate(bots)}
    deals: list[DealResult] = []
    beaten, met = Counter[int](), Counter[int]()
    faults = voids = matches = 0
    sampled: list[int] = []
    for block in contents.blocks(run):
        pairs: list[tuple[int, float]] = []
        voids += len(block.matches) - len(standing := standing_matches(block))
        for match in standing:
            matches += 1
            own = next(seat for seat in match.seats if (seat.bot, seat.version) == tested)
            faults += own.fault is not None
            if own.fault is None and all(seat.fault is None for seat in match.seats):
                sampled.append(match.number)
            for seat in match.seats:
                if seat is not own:
                    assert seat.rank is not None and own.rank is not None  # noqa: PT018 - both of a standing match
                    half_wins = 1 + (own.rank < seat.rank) - (own.rank > seat.rank)
                    other = place[seat.bot]
                    pairs.append((other, half_wins / 2))
                    beaten[other] += half_wins
                    met[other] += 1
        deals.append(tuple(pairs))
    ratings = [of.recorded.ratings[bot] for bot in bots]
    rows = [
        RatedRow(bot, ratings[i], beaten[i] / (2 * met[i]) if met[i] else None, met[i])
        for i, bot in enumerate(bots)
    ]
    return ReferenceResult(
        set=of.name,
        key=of.key,
        bot=tested[0],
        run=name,
        score=rate_against(deals, ratings, of.beta) if any(deals) else None,
        rows=tuple(sorted(rows, key=lambda row: -row.rating)),
        matches=matches,
        deals_played=len(deals),
        faults=faults,
        voids=voids,
        full=full,
        sampled=tuple(sampled),
    )
