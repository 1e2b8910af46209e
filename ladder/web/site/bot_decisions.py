"""What the decisions of a bot cost, on its page: how often it errs, and the worst, each with its board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from markupsafe import Markup

from ladder.games.shown_game import ShownGame
from ladder.machine.plugged_in import go_on_without
from ladder.replay.review.bot_review import BotReview, look_at, review_of_bot, tell_one_sided
from ladder.replay.review.narration import ask_command
from ladder.replay.review.summary import KindRate
from ladder.web.pages.environment import visible
from ladder.web.pages.reviewed_decisions import LostHere, lost_here
from ladder.web.site.figures import Axis, dot_in_interval
from ladder.web.site.format import Shown, name_of
from results.reports.bars import IntervalEnds
from results.reports.labels import tell_apart
from results.reviewed import ReviewedStep
from results.words import count

DECISION_ASSETS: Final = ("board.css", "review.css")
"""What a page with decisions needs besides what every page needs."""
WORST: Final = 5


class WorstDecision(NamedTuple):
    """A decision that cost much."""

    title: str
    told: LostHere
    ask: str
    """The command that asks the bot again; empty if it cannot be asked."""
    page: str
    """Where its match is shown at this step; empty where that is not."""
    picture: Markup
    """The board as the seat of the bot saw it."""


class BotDecisions(NamedTuple):
    """What the decisions of a bot cost in the matches that were reviewed."""

    matches: str
    named: str
    rates: Sequence[Mapping[str, Any]]
    """By game and size of the table."""
    kinds: Sequence[Mapping[str, Any]]
    """By game, size of the table and kind of decision, the costliest kinds first."""
    worst: Sequence[WorstDecision]


def decisions_of(shown: Shown, bot: str) -> BotDecisions | None:
    """Return what the stored reviews say of *bot*; None if they say nothing."""
    facts = shown.facts
    if not facts.reviewed:
        return None
    found = review_of_bot(facts.contents, bot, None, WORST, among=facts.reviewed)
    if not found.rates:
        return None
    return BotDecisions(
        count(found.matches, "reviewed match"),
        ", ".join(count(number, name) for name, number in found.named.items()),
        [*_rates(shown, bot, found)],
        [*_kinds(found.kinds)],
        [each for row in found.worst if (each := _worst(shown, row))],
    )


def _rates(shown: Shown, bot: str, found: BotReview) -> Iterator[dict[str, Any]]:
    """Yield the rows of the table of error rates."""
    rates = found.rates
    highs = [rate.loss + (rate.margin or 0.0) for rate in rates.values()]
    lows = [rate.loss - (rate.margin or 0.0) for rate in rates.values()]
    axis = Axis(min(0.0, *lows), max(0.01, *highs))
    for (game, seats), rate in rates.items():
        margin = rate.margin
        span = None if margin is None else IntervalEnds(rate.loss - margin, rate.loss, rate.loss + margin)
        told = f"{100 * rate.loss:.1f}"
        interval = (
            "" if margin is None else f"{100 * (rate.loss - margin):.1f} to {100 * (rate.loss + margin):.1f}"
        )
        text = f"{told} %" + (f" ({interval})" if interval else "")
        yield {
            "table": f"{name_of(game)}, {seats} seats",
            "decisions": rate.decisions,
            "loss": told,
            "interval": interval,
            "points": f"{rate.points:.2f}",
            "one_sided": tell_one_sided(found.beaten[game, seats]),
            "figure": dot_in_interval(rate.loss, span, axis, shown.facts.marks[bot], text),
        }


def _kinds(kinds: Mapping[tuple[str, int], Sequence[KindRate]]) -> Iterator[dict[str, Any]]:
    """Yield the rows of the table of kinds of decisions; a game with one kind has none."""
    for (game, seats), rates in kinds.items():
        for each in rates if len(rates) > 1 else ():
            yield {
                "table": f"{name_of(game)}, {seats} seats",
                "kind": visible(each.kind),
                "decisions": each.rate.decisions,
                "loss": f"{100 * each.rate.loss:.1f}",
                "share": None if each.share is None else f"{100 * each.share:.0f}",
            }


def _worst(shown: Shown, row: ReviewedStep) -> WorstDecision | None:
    """Return what is shown of *row*; None if its match cannot be shown."""
    what = f"match {row.run}/{row.number} step {row.step} cannot be shown"
    return go_on_without(what, lambda: _show(shown, row), None, row.game)


def _show(shown: Shown, row: ReviewedStep) -> WorstDecision:
    match, view, played = look_at(shown.facts.contents, row)
    called = tell_apart([visible(shown.bot((seat.bot, seat.version)).label) for seat in match.seats])
    page = shown.page_of((row.run, row.number))
    return WorstDecision(
        f"{name_of(match.game)}, match {row.run}/{row.number}, step {row.step}",
        lost_here(row, view, played),
        ask_command(row, shown.facts.numbers),
        f"{page}#{row.step},seat{row.seat}" if page else "",
        Markup(ShownGame(match.game).draw(view, names=called).svg()),  # noqa: S704 - drawings escape what they show
    )
