"""What a measurement found: the rating, the place among the bots of the set, and the line to quote."""

from math import isinf

import msgspec

from ladder.reference.counted_matches import CountedMatches, ShareBeaten
from ladder.reference.set_match import Otherwise
from results.rating.reference_score import ReferenceScore
from results.record import Json
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


class NewDeals(msgspec.Struct, frozen=True):
    """What the bot did on deals that nobody knew before."""

    run: str
    matches: int
    score: ReferenceScore | None
    beaten: ShareBeaten | None
    worse: bool
    """Whether the 99 % intervals of this and of what it did on the public deals do not meet."""


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
    faults: int
    """Matches in which the bot made a fault: it is last in them."""
    voids: int
    """Matches that were not judged, because the machine delayed the bots: they do not count."""
    full: bool
    beaten: ShareBeaten | None = None
    """The mean of the shares of the rows."""
    scale: bool = True
    """Whether the bots of the set are on one scale here: if not, the line has no rating."""
    margins: dict[str, float] = {}
    """Half of the 95 % intervals of the ratings in the rows, all but that of the anchor."""
    digest: str = ""
    """The hash of the set."""
    deals: str | None = None
    """The mark of secret deals."""
    limits: tuple[str, ...] = ()
    """The limits of the bot that differ from those of a new home."""
    provisional: bool = False
    """Whether the ratings of the set are not settled yet, so that no number follows from them."""
    otherwise: Otherwise = Otherwise()
    """The bots of the set that decide otherwise than they did when it was made."""
    new: NewDeals | None = None
    """None where the deals are secret."""
    repeats: bool | None = None
    """Whether it answered the same when asked again; None if that was not asked."""

    @property
    def place(self) -> int:
        """The place of the bot among those of the set, 1 for the best."""
        assert self.score
        return 1 + sum(row.rating > self.score.rating for row in self.rows)

    @property
    def beats(self) -> int:
        """The number of bots of the set of whose seats it ranked before more than half."""
        return sum(row.beaten is not None and row.beaten > 0.5 for row in self.rows)

    @property
    def rating_text(self) -> str:
        """The rating with its 95 % interval."""
        return _tell_rating(self.score)

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
        marked = [", ".join(marks)] if marks else []
        if bots := self.otherwise.bots:  # its names have commas between them
            play = "plays" if len(bots) == 1 else "play"
            marked.append(f"{', '.join(bots)} {play} otherwise: {self.otherwise.mark}")
        told = self.rating_text
        if self.beaten and not self.scale:
            told = f"no one scale; beats {self.beats} of {len(self.rows)}, {self.beaten.text} of all seats"
        if self.new and self.new.worse:
            beaten = None if self.scale else self.new.beaten
            told += f"; does worse on new deals: {beaten.text if beaten else _tell_rating(self.new.score)}"
        brackets = f" ({'; '.join(marked)})" if marked else ""
        if self.repeats is False:
            told += f"; {OTHERWISE}"
        return f"{self.set} {self.key}{brackets}: {told}"

    def to_json(self) -> dict[str, Json]:
        """Return all of it as JSON; where the interval has no end, there is none."""
        return {
            "set": self.set,
            "digest": self.digest,
            "game": self.key.partition("/")[0],
            "seats": int(self.key.partition("/")[2]),
            "bot": self.bot,
            **_numbers(self.score, self.beaten),
            "scale": self.scale,
            "place": None if self.score is None else self.place,
            "beats": self.beats,
            "line": self.line,
            "full": self.full,
            "deals": self.deals,
            "limits": list(self.limits),
            "provisional": self.provisional,
            "otherwise": msgspec.to_builtins(self.otherwise._asdict()),
            "new_deals": self.new
            and {
                "run": self.new.run,
                "matches": self.new.matches,
                **_numbers(self.new.score, self.new.beaten),
                "worse": self.new.worse,
            },
            "repeats": self.repeats,
            "matches": self.matches,
            "faults": self.faults,
            "not_judged": self.voids,
            "run": self.run,
            "margins": self.margins,
            "bots": [msgspec.to_builtins(row) for row in self.rows],
        }


def _tell_rating(score: ReferenceScore | None) -> str:
    """Return a rating with its 95 % interval in words."""
    if score is None:
        return "not measured"
    if score.margin is not None:
        return f"{score.rating:.1f} +- {score.margin:.1f}"
    if score.low > float("-inf"):
        return f"above {score.low:.1f}"
    return f"below {score.high:.1f}" if score.high < float("inf") else "anything"


def _numbers(score: ReferenceScore | None, beaten: ShareBeaten | None) -> dict[str, Json]:
    """Return the rating and the share beaten as JSON, each with its interval."""
    return {
        "rating": None if score is None else score.rating,
        "interval": None if score is None else [None if isinf(end) else end for end in score[1:]],
        "beaten": None if beaten is None else beaten.share,
        "beaten_interval": None if beaten is None else [beaten.low, beaten.high],
    }


def result_of(counted: CountedMatches, name: str, *, full: bool) -> ReferenceResult:
    """Return what the *counted* matches of the measurement that is called *name* say."""
    of, ratings = counted.of, counted.of.recorded.ratings
    rows = [
        RatedRow(bot, ratings[bot], beaten, met)
        for bot, beaten, met in zip(counted.bots, counted.shares, counted.met, strict=True)
    ]
    return ReferenceResult(
        set=of.name,
        key=of.key,
        bot=counted.bot,
        run=name,
        score=counted.rate(),
        rows=tuple(sorted(rows, key=lambda row: -row.rating)),
        matches=counted.matches,
        faults=counted.faults,
        voids=counted.voids,
        full=full,
        beaten=counted.share_beaten(),
        scale=of.has_scale,
        margins={bot: margin for bot, margin in of.margins.items() if bot in counted.bots},
        provisional=of.is_provisional,
    )


def new_deals_of(public: CountedMatches, new: CountedMatches, name: str) -> NewDeals:
    """Return what the *new* deals, played as *name*, say beside the *public* ones."""
    return NewDeals(name, new.matches, new.rate(), new.share_beaten(), public.is_better_than(new))
