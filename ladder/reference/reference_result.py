"""What a measurement found: the rating, the place among the bots of the set, and the line to quote."""

from collections import Counter
from math import isinf

import msgspec

from ladder.reference.reference_set import PREFIX, ReferenceContest
from ladder.reference.set_match import Otherwise, ShareBeaten, share_beaten
from results.rating.reference_score import DealResult, ReferenceScore, rate_against
from results.record import Json
from results.reports.document import Audience, Code, Column, Document, Note, Part, Prose, Row, Share, Table
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
    faults: int
    """Matches in which the bot made a fault: it is last in them."""
    voids: int
    """Matches that were not judged, because the machine delayed the bots: they do not count."""
    full: bool
    sampled: tuple[int, ...] = ()
    """The numbers of matches in which the bot can be asked again."""
    outcomes: tuple[DealResult, ...] = ()
    """What each deal said."""
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
    new: "ReferenceResult | None" = None
    """What it did on deals that were drawn for it; None where the deals are secret."""
    worse: bool = False
    """Whether the 99 % intervals of that and of what it did on the public deals do not meet."""
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
        score = self.score
        if score is None:
            return "not measured"
        if score.margin is not None:
            return f"{score.rating:.1f} +- {score.margin:.1f}"
        if score.low > float("-inf"):
            return f"above {score.low:.1f}"
        return f"below {score.high:.1f}" if score.high < float("inf") else "anything"

    @property
    def _measured_text(self) -> str:
        """What the line says: the rating, or without a scale the share beaten."""
        return self.beaten.text if self.beaten and not self.scale else self.rating_text

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
        told = self._measured_text
        if self.beaten and not self.scale:
            told = f"no one scale; beats {self.beats} of {len(self.rows)}, {told} of all seats"
        if self.new and self.worse:
            told += f"; does worse on new deals: {self.new._measured_text}"
        brackets = f" ({'; '.join(marked)})" if marked else ""
        if self.repeats is False:
            told += f"; {OTHERWISE}"
        return f"{self.set} {self.key}{brackets}: {told}"

    def to_json(self) -> dict[str, Json]:
        """Return all of it as JSON; where the interval has no end, there is none."""
        score, beaten, new = self.score, self.beaten, self.new.to_json() if self.new else {}
        kept = ("run", "matches", "faults", "rating", "interval", "beaten", "beaten_interval")
        return {
            "set": self.set,
            "digest": self.digest,
            "game": self.key.partition("/")[0],
            "seats": int(self.key.partition("/")[2]),
            "bot": self.bot,
            "rating": score and score.rating,
            "interval": score and [None if isinf(end) else end for end in score[1:]],
            "scale": self.scale,
            "place": score and self.place,
            "beats": self.beats,
            "beaten": beaten and beaten.share,
            "beaten_interval": beaten and [*beaten[1:]],
            "line": self.line,
            "full": self.full,
            "deals": self.deals,
            "limits": list(self.limits),
            "provisional": self.provisional,
            "otherwise": {"bots": list(self.otherwise.bots), "mark": self.otherwise.mark},
            "new_deals": {key: new[key] for key in kept} | {"worse": self.worse} if new else None,
            "repeats": self.repeats,
            "matches": self.matches,
            "faults": self.faults,
            "not_judged": self.voids,
            "run": self.run,
            "margins": self.margins,
            "bots": [msgspec.to_builtins(row) for row in self.rows],
        }


def result_of(of: ReferenceContest, contents: Contents, name: str, *, full: bool) -> ReferenceResult:
    """Return what the newest run of *contents*, which is called *name*, says of its first bot."""
    run, bots = contents.runs[-1], of.bots(full=full)
    tested, place = run.bot_keys[0], {f"{PREFIX}{bot}": i for i, bot in enumerate(bots)}
    outcomes: list[DealResult] = []
    beaten, met = Counter[int](), Counter[int]()
    faults = voids = matches = 0
    sampled: list[int] = []
    for block in contents.blocks(run.run):
        pairs: list[tuple[int, float]] = []
        voids += len(block.matches) - len(standing := standing_matches(block))
        for match in standing:
            matches += 1
            own = next(seat for seat in match.seats if (seat.bot, seat.version) == tested)
            faults += own.fault is not None
            if all(seat.fault is None for seat in match.seats):
                sampled.append(match.number)
            for seat in match.seats:
                if seat is not own:
                    assert seat.rank is not None and own.rank is not None  # noqa: PT018 - both of a standing match
                    half_wins = 1 + (own.rank < seat.rank) - (own.rank > seat.rank)
                    other = place[seat.bot]
                    pairs.append((other, half_wins / 2))
                    beaten[other] += half_wins
                    met[other] += 1
        if pairs:
            outcomes.append(tuple(pairs))
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
        score=rate_against(outcomes, ratings, of.beta) if outcomes else None,
        rows=tuple(sorted(rows, key=lambda row: -row.rating)),
        matches=matches,
        faults=faults,
        voids=voids,
        full=full,
        outcomes=tuple(outcomes),
        beaten=share_beaten(outcomes) if outcomes else None,
        scale=of.has_scale,
        margins={bot: margin for bot, margin in of.margins.items() if bot in bots},
        sampled=tuple(sampled),
        provisional=of.is_provisional,
    )


def reference_document(result: ReferenceResult, audience: Audience) -> Document:
    """Return the place of a bot in the set, and the line to quote; the operator reads what to type next."""
    rows: list[Row] = [
        {"bot": [Prose(row.bot)], "rating": f"{row.rating:.1f}", "beaten": row.beaten, "met": row.met}
        for row in result.rows
    ]
    told = "beaten: in how many of 100 meetings it ranked before that bot, a tie half"
    columns = [
        Column("bot", "bot", kind=lambda row: row["bot"]),
        Column("beaten", "beaten %", right=True, kind=_beaten),
        Column("met", "met", "{:,}".format, right=True),
    ]
    if result.scale:
        columns.insert(0, Column("place", "#", right=True))
        columns.insert(2, Column("rating", result.key))
    if result.score and result.scale:
        own = {"bot": ["> ", Prose(result.bot)], "rating": result.rating_text, "beaten": None, "met": None}
        rows.insert(result.place - 1, own)
        told = f"number {result.place} of {len(rows)}; {told}"
    parts: list[Part] = [Note([Prose(result.bot), f": {told}"]), Note(_tell_scale(result))]
    if bots := result.otherwise.bots:
        otherwise = f"{', '.join(bots)} of {result.set}: not the decisions that were recorded"
        why = "an engine was changed, or another C library rounds in another way"
        parts.append(Note(f"{otherwise}; {why}"))
    if result.worse:
        worse = "it does worse on deals drawn now: it may know answers to the public ones"
        hint = "ladder reference --draw-deals FILE, for secret deals"
        parts.append(Note(worse, hint if audience == "operator" else ""))
    if result.faults:
        faults = f"it made a fault in {count(result.faults, 'match', result.matches)}, and is last in them"
        parts.append(Note(faults, f"ladder faults --in {result.run}" if audience == "operator" else ""))
    if audience == "operator":
        names = f"{result.run}, and on new deals {result.new.run}" if result.new else result.run
        matches = f"ladder matches --in {result.run}"
        parts.append(Note(f"these matches do not count; they are {names}", matches))
    ranked = [{"place": place, **row} for place, row in enumerate(rows, 1)]
    table = Table(columns, ranked, f"{result.bot} among the bots of {result.set}")
    return Document([Prose(result.bot), f" at {result.key}"], [table, *parts, Code(result.line)])


def _tell_scale(result: ReferenceResult) -> str:
    """Return what a line compares with, and how sure the scale is on which it stands."""
    within = f"lines compare within {result.key} only"
    if not result.scale:
        return f"{within}, by what the bot beats: {result.set} has no one scale here"
    known = sorted(result.margins.items(), key=lambda item: item[1])
    ends = " to ".join(f"+-{margin:.1f} ({bot})" for bot, margin in (*known[:1], *known[1:][-1:]))
    return f"{within}; the ratings of {result.set} itself are known to {ends}" if ends else within


def _beaten(row: Row) -> Share | None:
    return None if row["beaten"] is None else Share(row["beaten"], digits=0)
