"""What is told of a bot, in every medium: `ladder bots BOT`, its feedback, its page.

A fact on a bot is added to `bot_identity.identity`, or to a part of `bot_document` here.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from engines import GAMES
from ladder.registry.version import Version
from ladder.replay.bot_identity import KnownFact
from ladder.replay.faults_document import faults_section
from ladder.replay.review.bot_review import BotReview
from ladder.replay.review.decisions_document import ShownDecision, decisions_section, worst_section
from results.reports import document as doc
from results.reports.anchors import columns_above
from results.reports.bot_facts import OPPONENTS, PLACES, STANDINGS, BotFacts, GameFacts, thin
from results.reports.costs import say_costs
from results.reports.headroom import HEADROOM, headroom_rows
from results.reports.labels import Key, Numbers
from results.reports.leaderboard import bot_of, legend
from results.reports.losses import LostMatch
from results.reports.standouts import standout_lines
from results.reports.survey import BINS_PER_DECADE
from results.words import count

RATINGS = 7
"""The most rows of a rating's history."""
LINES = 8
"""The chart of ratings has the newest versions, at most this many."""


class ShownLoss(NamedTuple):
    """A lost match as the seat of the bot saw it."""

    game: str
    lost: LostMatch
    replay: str
    problem: str = ""
    """Why there is no replay."""


class BotSubject(NamedTuple):
    """All that is told of a bot."""

    bot: str
    told: Sequence[BotFacts]
    """Of the versions that it is about, the newest first."""
    versions: Sequence[Version] = ()
    """All of its name, the oldest first; none for a bot that was never submitted here."""
    numbers: Numbers = MappingProxyType({})
    identity: Sequence[KnownFact] = ()
    season: str = ""
    """The season of all results, where there are several."""
    hidden: Collection[Key] = ()
    """Opponents that are left out."""
    review: BotReview | None = None
    decisions: Sequence[ShownDecision] = ()
    """The worst of the review."""
    losses: Sequence[ShownLoss] = ()
    cards: int = 0
    """How many faults are told in full."""
    matches: Mapping[str, doc.Table] = MappingProxyType({})
    """By game, those that are worth looking at."""
    with_notes: bool = False
    """Whether the public may read notes of submitters."""
    hide_paths: Callable[[str], str] = str
    """Returns a text without the paths of this machine, which a fault may name."""

    @property
    def one(self) -> Version | None:
        """The version that it is about, if it is one."""
        keys = {facts.bot for facts in self.told}
        found = [version for version in self.versions if (version.bot, version.version) in keys]
        return found[0] if len(self.told) == len(found) == 1 else None


def bot_document(subject: BotSubject, audience: doc.Audience) -> doc.Document:
    """Return what an *audience* may see of a bot.

    The author of one of its versions sees its notes and what it wrote to stderr; the public sees neither.
    Both see no seed, no path of the ladder and no limits of the machine.
    """
    one = subject.one if audience != "public" else None
    title = doc.BotRef(one.bot, one.version, numbered=True) if one else doc.BotRef(subject.bot)
    is_author = audience == "author"  # whose feedback begins with what it can learn most from
    parts: list[doc.Part | None] = [
        worst_section(subject.decisions, subject.numbers, audience) if is_author else None,
        _facts(subject, audience),
        *_state(subject, audience),
        _standings(subject),
        _versions(subject, audience),
        *(_game(subject, game) for game in _games(subject)),
        decisions_section(subject.review, () if is_author else subject.decisions, subject.numbers, audience)
        if subject.review
        else None,
        _faults(subject, audience),
        _losses(subject) if audience != "public" else None,
    ]
    return doc.Document(title, [part for part in parts if part])


def _games(subject: BotSubject) -> list[str]:
    return [*dict.fromkeys(each.game for facts in subject.told for each in facts.games)]


def _facts(subject: BotSubject, audience: doc.Audience) -> doc.Facts | None:
    told = [
        (each.name, each.told if each.told is not None else doc.Prose(each.value))
        for each in subject.identity
        if each.name and each.value not in (None, "", [], {}) and audience in each.readers
    ]
    return doc.Facts(told) if told else None


def _state(subject: BotSubject, audience: doc.Audience) -> Iterator[doc.Text]:
    """Yield what the reader of all that follows has to know first."""
    one, newest = subject.one, subject.versions[-1] if subject.versions else None
    in_season: doc.Words = [" in season ", doc.Prose(subject.season)] if subject.season else []
    standings = [row for facts in subject.told for row in facts.standings]
    if one and newest and one is not newest and not newest.aside and audience != "operator":
        played = any(row["version"] == newest.version for row in standings)
        ref = doc.BotRef(newest.bot, newest.version, numbered=True)
        state: doc.Words = [] if played else [", which has not played", *in_season, " yet"]
        yield doc.Text(["There is a newer version, ", ref, *state, "."])
    if not standings and audience != "operator":
        yield doc.Text(["It has not played", *in_season, " yet."])
    elif audience == "author":
        if subject.season:
            yield doc.Text(["All results are those of season ", doc.Prose(subject.season), "."])
        yield doc.Text(f"{legend(subject.told[0].standings)}.")


def _standings(subject: BotSubject) -> doc.Table | None:
    clocks = {each.game: each.clock_ms for facts in subject.told for each in facts.games}
    standings = subject.told[0].standings if subject.told else []
    rows = [{**row, "clock_ms": clocks.get(row["game"])} for row in standings]
    several = len({(row["bot"], row["version"]) for row in rows}) > 1
    bot = [doc.Column("bot", "bot", kind=bot_of)] if several else []
    return (
        doc.Table([STANDINGS[0], *bot, *STANDINGS[1:]], rows, f"Ratings of {subject.bot}") if rows else None
    )


_VERSIONS = (
    doc.Column("number", "version", kind=lambda row: doc.BotRef(row["bot"], row["version"], numbered=True)),
    doc.Column("version", "hash", on_pages=False),
    doc.Column("submitted", "submitted", kind=lambda row: row["submitted"][:16].replace("T", " ")),
    doc.Column(
        "games",
        "games",
        extra=True,
        kind=lambda row: doc.between([doc.GameRef(game) for game in row["games"]]),
    ),
    doc.Column("state", "state"),
    doc.Column(
        "note", "note", always=False, fold=True, kind=lambda row: row["note"] and doc.Prose(row["note"])
    ),
)


def _versions(subject: BotSubject, audience: doc.Audience) -> doc.Section | None:
    """Return the versions of the bot, the newest first."""
    if not subject.versions or audience == "author":
        return None
    notes = audience == "operator" or subject.with_notes
    plays = next((each for each in reversed(subject.versions) if not each.rests), None)
    rows = [
        {
            "bot": each.bot,
            "number": each.number,
            "version": each.version,
            "submitted": each.submitted,
            "games": [game for game in GAMES if each.plays(game)],
            "state": _state_of(each, is_active=each is plays),
            "note": each.note or None,
        }
        for each in reversed(subject.versions)
    ]
    columns = [column for column in _VERSIONS if notes or column.key != "note"]
    return doc.Section("Versions", [doc.Table(columns, rows, f"Versions of {subject.bot}")], "versions")


def _state_of(version: Version, *, is_active: bool) -> str:
    if version.ban:
        return "banned"
    return "plays" if is_active else "retired" if version.retired else ""


def _game(subject: BotSubject, game: str) -> doc.Section:
    """Return what the bot did in *game*."""
    versions = [(facts.bot, each) for facts in subject.told for each in facts.games if each.game == game]
    several = [doc.Column("bot", "version", kind=bot_of)] if len(versions) > 1 else []

    def table(columns: Sequence[doc.Column], rows: Sequence[doc.Row], what: str) -> list[doc.Part]:
        wider = [columns[0], *several, *columns[1:]]
        return [doc.Table(wider, rows, f"{subject.bot} in {game}: {what}", sortable=True)] if rows else []

    def rows(rows_of: Callable[[GameFacts], Sequence[doc.Row]]) -> list[doc.Row]:
        return [{**row, "bot": bot, "version": v} for (bot, v), each in versions for row in rows_of(each)]

    def lines(say: Callable[[GameFacts], Sequence[doc.Value]]) -> list[doc.Part]:
        told: list[doc.Words] = [
            [doc.BotRef(*key, numbered=True), ": ", line] if several else [line]
            for key, each in versions
            for line in say(each)
        ]
        return [doc.Lines(told)] if told else []

    def standouts(each: GameFacts) -> list[doc.Value]:
        return [*map(doc.Prose, standout_lines(each.standouts, each.opponents, subject.numbers))]

    opponents = rows(lambda each: each.opponents)
    met = [row for row in opponents if (row["rival"], row["rival_version"]) not in subject.hidden]
    places = rows(lambda each: each.pooled)
    limits = rows(lambda each: headroom_rows(each.headroom) if each.headroom else [])
    parts: dict[str, tuple[str, list[doc.Part]]] = {
        "opponents": (
            "Against each opponent, a draw as half a win",
            [*table(OPPONENTS, met, "against each opponent"), *lines(standouts)],
        ),
        "seats": ("By table size and seat", table(PLACES, places, "by table size and seat")),
        "cost": ("Cost", lines(lambda each: [*filter(None, [say_costs(each.costs)])])),
        "limits": ("Use of the limits", table(HEADROOM, limits, "use of the limits")),
        "matches": ("Worth looking at", [subject.matches[game]] if game in subject.matches else []),
    }
    sections = [doc.Section(title, of, f"{game}-{name}") for name, (title, of) in parts.items() if of]
    return doc.Section(doc.GameRef(game), [*_charts(subject, game, versions), *sections], game)


def _charts(subject: BotSubject, game: str, versions: Sequence[tuple[Key, GameFacts]]) -> Iterator[doc.Part]:
    """Yield how the rating of each version came about, and how long the newest one thought."""
    histories = [(key, each.history) for key, each in versions]
    if chart := rating_chart(subject.bot, game, histories):
        newest, what = histories[0][1][-1], chart.axis[0].upper() + chart.axis[1:]
        beside = "" if newest["anchor"] else f"{newest['beside']}, "
        title = f"{what} over its matches, {beside}+- 95 %"
        yield doc.Section(title, [chart, *_thinking(subject, game, versions)])


def rating_chart(bot: str, game: str, histories: Sequence[tuple[Key, Sequence[doc.Row]]]) -> doc.Chart | None:
    """Return how the rating of each version of *bot* came about, of rows of `history`, the newest first."""
    if not (rows := thin(histories[0][1], RATINGS)):
        return None
    # Versions that stand beside another anchor would not be in one scale.
    anchor = rows[-1]["anchor"]
    told = ("above", "above_low", "above_high") if anchor else ("mu", "mu_low", "mu_high")
    lines = [
        doc.RatingLine(
            doc.BotRef(*key, numbered=True),
            [
                doc.RatingPoint(row["matches"], *(row[key] for key in told))
                for row in history
                if row[told[0]] is not None
            ],
        )
        for key, history in histories[:LINES]
        if history and history[-1]["anchor"] == anchor
    ]
    caption = f"Rating of {bot} in {game} over its matches"
    return doc.Chart(
        f"{f'Above {anchor}' if anchor else 'Rating'}, in its 95 % interval",
        caption,
        [line for line in lines if len(line.points) > 1],  # one point is no line
        doc.Table([doc.Column("matches", "matches", right=True), *columns_above(rows)], rows, caption),
        f"above {anchor}" if anchor else "rating",
    )


def _thinking(
    subject: BotSubject, game: str, versions: Sequence[tuple[Key, GameFacts]]
) -> Iterator[doc.Part]:
    """Yield the histogram of the newest version that was asked anything."""
    for _, each in versions:
        if each.thinking and each.clock_ms:
            bars = [(_ms(at), _ms(at + 1), number) for at, number in sorted(each.thinking.items())]
            title = f"Thinking time of {subject.bot} per decision in {game}"
            yield doc.Chart(
                "Thinking time per decision", title, doc.Histogram(subject.bot, bars, each.clock_ms)
            )
            return


def _ms(number: int) -> float:
    """Return where a bin of the survey begins, in ms."""
    return float(10 ** (number / BINS_PER_DECADE) / 1000)


def _faults(subject: BotSubject, audience: doc.Audience) -> doc.Section | None:
    """Return the faults of all versions that are told of, if they have played."""
    if not _games(subject) and audience != "author":
        return None
    one = subject.one
    faults = [facts.faults for facts in subject.told]
    if audience != "operator":
        faults = [
            each._replace(newest=[_without_paths(subject, row) for row in each.newest]) for each in faults
        ]
    return faults_section(faults, audience, subject.cards, f"{one.bot}@{one.number}" if one else "")


def _without_paths(subject: BotSubject, fault: doc.Row) -> doc.Row:
    return {
        name: subject.hide_paths(value) if isinstance(value, str) else value for name, value in fault.items()
    }


def _losses(subject: BotSubject) -> doc.Section | None:
    """Return the worst losses as the seat of the bot saw them."""
    if not subject.losses:
        return None
    hidden = doc.Text("As the bot saw them: what was hidden from it is hidden here.")
    return doc.Section("Worst losses", [hidden, *map(_loss, subject.losses)])


def _loss(shown: ShownLoss) -> doc.Section:
    lost = shown.lost
    behind = f", {count(lost.behind, 'point')} behind the winner" if lost.behind > 0 else ""
    where = f": match {lost.match[0]}/{lost.match[1]}, seat {lost.seat}, place {lost.rank}{behind}"
    problem: list[doc.Part] = (
        [doc.Text(["It cannot be shown: ", doc.Prose(shown.problem)])] if shown.problem else []
    )
    return doc.Section([doc.GameRef(shown.game), where], problem or [doc.Code(shown.replay)])
