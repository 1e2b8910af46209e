"""What a review found, one row for each seat at each step of a match.

Plain typed values, as in results.record.  Chances and losses are shares of a result: 1 beats all others.
"""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

import msgspec

from results.record import Int32, Int64

SEVERAL = ", "
"""What stands between the options of a choice of several."""
_NEXT: Final = "; "
"""What stands between promises."""
_SPLIT: Final = re.compile(rf"{_NEXT}(?=-?[0-9])")
_PROMISE: Final = re.compile(r"(-?)([0-9]+)(=?)(?: (.*))?", re.DOTALL)


class Promise(NamedTuple):
    """An option of a decision, and the result that it promises."""

    option: str
    """Several of one choice have SEVERAL between them."""
    result: float


def write_promises(promises: Iterable[Promise], best: str, played: str) -> str:
    """Return *promises*, the highest first, as a short text in whole percent: "61; -3 keep; -21=".

    All but the first say how much less they are.  Stored elsewhere are the *best* option, which has no name
    here, and the one *played*, which has =.
    """

    def write(option: str) -> str:
        return "=" if option == played else "" if option == best else f" {option}"

    told = [(round(100 * result), write(option)) for option, result in promises]
    return _NEXT.join(
        f"-{told[0][0] - percent}{name}" if place else f"{percent}{name}"
        for place, (percent, name) in enumerate(told)
    )


def read_promises(text: str | None, best: str, played: str) -> list[Promise]:
    """Return the promises in a text of write_promises; none for None, which older reviews have.

    In those that are not as old, no number says how much less it is.
    """
    found = [each for each in map(_PROMISE.fullmatch, _SPLIT.split(text or "")) if each]
    return [
        Promise(
            played if same else option or best,
            (int(found[0][2]) - int(number) if less else int(number)) / 100,
        )
        for less, number, same, option in (each.groups() for each in found)
    ]


class ReviewKey(NamedTuple):
    """A review of a match: which match, and what it follows from."""

    run: int
    number: int
    judge: str
    match_digest: str
    quick: bool
    account: str | None = None


class ReviewedStep(msgspec.Struct, frozen=True, gc=False):
    """A seat before the moves of a step; the last step of a match, after its moves, has the result.

    A quick review, which estimates error rates only, has rows for decisions alone and no chances.
    """

    run: Int32
    number: Int64
    step: Int32
    seat: Int32
    bot: str
    version: str
    game: str
    seats: Int32
    judge: str
    """The name of the judge and its version."""
    match_digest: str
    """Of all that the review follows from: a match that is another one has no review."""
    quick: bool
    """Whether only error rates were wanted, from few worlds."""
    worlds: Int32 | None = None
    """In how many worlds the played option was tried; None, as what follows, where nothing was decided."""
    options: Int32 | None = None
    """How many options were tried."""
    best: str | None = None
    """The option that promises most; several of a choice have SEVERAL between them."""
    loss: float | None = None
    """What it promises more than the one that was played."""
    loss_se: float | None = None
    """The standard error of the loss."""
    promised: str | None = None
    """What the best options and the one that was played promise, as write_promises tells it.

    None in a quick review, and in one that an older ladder made.
    """
    points: float | None = None
    """The loss in points."""
    points_se: float | None = None
    chance_seen: float | None = None
    """The result that the seat may expect, by what it knows."""
    chance_open: float | None = None
    """The same with all cards open, when only luck to come is unknown."""
    luck: float | None = None
    """What draws gave to the seat in the match, with open cards.

    As all terms of an account it is in the last row of a seat, and None in its others.
    """
    given: float | None = None
    """None, as rest: reviews of older ladders have another account, which does not add up."""
    rest: float | None = None
    decision_kind: str | None = None
    """Of what kind the decision was, in a few words: "take a card"; None as worlds, or in an older file."""
    account: str | None = None
    """How the account was made, in all rows of a whole review; None in one that an older ladder made."""
    luck_se: float | None = None
    """The standard error of luck."""
    own: float | None = None
    """What the moves of the seat did, as far as it could know; with open cards where hidden is None."""
    own_se: float | None = None
    others: float | None = None
    """What the moves of the others did."""
    hidden: float | None = None
    """What the moves of the seat did by what it could not know."""
    why: str | None = None
    """What surely differs after a decision with a name: "afterwards: points 8 : 13", played : better.

    None where nothing does, and in an older file.
    """
