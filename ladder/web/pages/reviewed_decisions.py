"""What a review says of decisions, in words for pages: what each option promised, and what a move cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ladder.replay.review.loss_names import Z, verdict_of
from ladder.replay.review.loss_words import tell_loss
from results.reviewed import SEVERAL, ReviewedStep, read_promises


class ShownPromise(NamedTuple):
    """An option of a decision, as a page shows it."""

    options: Sequence[str]
    """Its notation; several of one choice are several."""
    share: int | None
    """The result that it promised, in percent; None where the review does not say."""
    played: bool


def tell_cost(row: ReviewedStep, played: Sequence[str]) -> str:
    """Return what the move of *row*, the options *played*, cost: "Mistake: it cost 9 % ± 2"."""
    told = tell_loss(row).replace("+-", "±")
    loss, se = row.loss or 0.0, row.loss_se or 0.0
    if name := verdict_of(loss, se):
        return f"{name.capitalize()}: it cost {told}"
    if loss > Z * se:
        return f"A small loss: {told}"
    if row.best == SEVERAL.join(played):
        most = round(100 * (loss + Z * se))
        return "Nothing better was found" + (f"; it cost at most {most} %" if most > 0 else "")
    return f"Not surely a loss: {told}"


def promises_of(row: ReviewedStep, played: Sequence[str]) -> list[ShownPromise]:
    """Return what the options of *row* promised, the best first; one of them was *played*.

    A review of an older ladder has the best and the one that was played, and not what they promised.
    """
    made = SEVERAL.join(played)
    found = [
        (each.option, round(100 * each.result))
        for each in read_promises(row.promised, row.best or made, made)
    ]
    told: list[tuple[str, int | None]] = [*found] or [(name, None) for name in _best_and(row, made)]
    return [ShownPromise(option.split(SEVERAL), share, option == made) for option, share in told]


def _best_and(row: ReviewedStep, made: str) -> Iterable[str]:
    return dict.fromkeys([row.best or made, made])
