"""What is told of the decisions of a bot, in every medium: error rates, kinds, and the worst."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ladder.games.shown_game import ShownGame
from ladder.replay.review.bot_review import BotReview, SeenDecision, tell_one_sided
from ladder.replay.review.loss_words import (
    ask_command,
    name_loss,
    say_options,
    sign_of,
    tell_loss,
    tell_why,
    unit_of,
    whole_percents,
)
from ladder.replay.review.summary import KindRate, Rate
from results.reports import document as doc
from results.reports.labels import Numbers, labels, tell_apart
from results.reports.values_as_text import escape
from results.reviewed import SEVERAL, ReviewedStep
from results.words import count


class ShownDecision(NamedTuple):
    """A decision that cost much."""

    row: ReviewedStep
    seen: SeenDecision | None
    """None where its match cannot be shown."""


_LOSS = doc.Column("loss", "lost a decision", right=True, kind=lambda row: _interval(row))
_UNIT = doc.Column("unit", "in")
_RATES = (
    doc.Column("game", "table", kind=lambda row: [doc.GameRef(row["game"]), f", {row['seats']} seats"]),
    doc.Column("matches", "matches", right=True),
    doc.Column("decisions", "decisions", right=True),
    _LOSS,
    _UNIT,
)
_KINDS = (
    doc.Column("kind", "kind of decision", kind=lambda row: doc.Prose(row["kind"])),
    doc.Column("decisions", "number", right=True),
    _LOSS,
    _UNIT,
    doc.Column(
        "share",
        "share, %",
        right=True,
        always=False,
        kind=lambda row: None if row["share"] is None else doc.Share(row["share"], digits=0),
    ),
)


def _interval(row: doc.Row) -> doc.Interval:
    middle, half = row["told"]
    if half is None:
        return doc.Interval(middle, None, None, 2)
    return doc.Interval(middle, middle - half, middle + half, 2)


def decisions_section(
    found: BotReview,
    worst: Sequence[ShownDecision],
    numbers: Numbers,
    audience: doc.Audience,
    *,
    boards: bool = True,
) -> doc.Section | None:
    """Return what a bot's reviewed decisions cost, the worst with *boards*; None if none were reviewed."""
    if not found.rates:
        return None
    named = ", ".join(count(number, name) for name, number in found.named.items())
    rates = [
        {
            "game": game,
            "seats": seats,
            "matches": found.played[game, seats],
            **_told_rate(rate, unit_of(game, seats)),
        }
        for (game, seats), rate in found.rates.items()
    ]
    # One kind alone costs what the table above says.
    kinds = {key: each for key, each in found.kinds.items() if len(each) > 1}
    parts: list[doc.Part] = [
        doc.Text(
            f"In {count(found.matches, 'reviewed match')}: {named}. A loss is how much more the best option"
            " promised than what was played, by what the seat could know, in points or in % of the result"
            " (100: all are beaten). A review explains; it does not rate."
        ),
        doc.Table(_RATES, rates, f"Error rates of {found.bot}"),
    ]
    for (game, seats), beaten in found.beaten.items():
        if one_sided := tell_one_sided(beaten):
            parts.append(doc.Text(["At ", doc.GameRef(game), f", {seats} seats, {one_sided}."], quiet=True))
    if any(row["told"][1] is None for row in rates):
        parts.append(doc.Text("Where all matches are of one deal, there is no interval.", quiet=True))
    if kinds:
        parts.append(doc.Section("By kind of decision", [*_kinds(found.bot, kinds)], "kinds"))
    if section := worst_section(worst, numbers, audience, boards=boards):
        parts.append(section)
    return doc.Section("What its decisions cost", parts, "decisions")


def worst_section(
    worst: Sequence[ShownDecision], numbers: Numbers, audience: doc.Audience, *, boards: bool = True
) -> doc.Section | None:
    """Return the *worst* decisions, with their *boards* if so wanted; None if there are none."""
    told = [_decision(row, seen, numbers, audience, boards=boards) for row, seen in worst]
    return doc.Section("What cost most", told, "worst-decisions") if told else None


def _told_rate(rate: Rate, unit: str) -> doc.Row:
    """Return what a row tells of *rate*, in *unit*."""
    return {"decisions": rate.decisions, "told": rate.told_in(unit), "unit": sign_of(unit)}


def _kinds(bot: str, kinds: Mapping[tuple[str, int], Sequence[KindRate]]) -> Iterator[doc.Part]:
    """Yield what each kind of decision cost, table by table."""
    for (game, seats), each in kinds.items():
        if len(kinds) > 1:
            yield doc.Text([doc.GameRef(game), f", {seats} seats:"])
        lost = any(kind.share is not None for kind in each)
        percents = whole_percents([kind.share or 0.0 for kind in each]) if lost else [None] * len(each)
        rows = [
            {
                "kind": kind.kind,
                **_told_rate(kind.rate, unit_of(game, seats)),
                "share": None if percent is None else percent / 100,
            }
            for kind, percent in zip(each, percents, strict=True)
        ]
        yield doc.Table(_KINDS, rows, f"Losses of {bot} by kind of decision in {game}, {seats} seats")


def _decision(
    row: ReviewedStep, seen: SeenDecision | None, numbers: Numbers, audience: doc.Audience, *, boards: bool
) -> doc.Section:
    """Return a decision that cost much, with what its seat saw, of which it knew nothing more."""
    where = f"match {row.run}/{row.number}, step {row.step}"
    where += "" if audience == "public" else f", seat {row.seat}"
    title: doc.Words = [
        doc.GameRef(row.game),
        ": ",
        doc.MatchRef(row.run, row.number, row.step, row.seat, where),
    ]
    better = (row.best or "").split(SEVERAL)
    unit = unit_of(row.game, row.seats)
    parts: list[doc.Part] = [
        doc.Text([f"{name_loss(row).capitalize()}: {tell_loss(row, unit)}", *tell_why(row), "."])
    ]
    if seen is None:
        return doc.Section(
            title,
            [*parts, doc.Facts([("better", doc.Prose(" ".join(better)))]), doc.Text("It cannot be shown.")],
        )
    shown, view = ShownGame(row.game), seen.view
    keys = [(seat.bot, seat.version) for seat in seen.match.seats]
    label = labels(keys, numbers)
    names = tell_apart([escape(label[key]) for key in keys])
    facts: list[tuple[str, doc.Value | doc.Words]] = [
        ("played", doc.Prose(say_options(shown, view, seen.played, audience))),
        ("better", doc.Prose(say_options(shown, view, better, audience))),
    ]
    if audience != "public" and (command := ask_command(row, numbers)):
        facts.append(("ask again", doc.Command(command)))
    picture = doc.Picture(lambda: shown.text(view), lambda: shown.draw(view, names=names).svg())
    return doc.Section(title, [*parts, doc.Facts(facts), *([picture] if boards else [])])
