"""Tell in one line who won a match: `greedy beat rival, 52 : 39`."""

from collections.abc import Mapping, Sequence
from typing import Final

from results.record import Json
from results.reports.document import Value, Words

SHOWN: Final = 4
"""The most names of a line; it says how many more there are."""
DEEDS: Final = {
    "start": "did not start",
    "timeout": "timed out",
    "crash": "crashed",
    "illegal": "made an illegal move",
    "protocol": "broke the protocol",
    "memory": "used too much memory",
    "limit": "went over a limit",
    "unreadable": "gave no move",
    "truncated": "gave half an answer",
    "transport": "could not be reached",
}
"""What a bot did, by the kind of its fault."""


def tell_result(
    seats: Sequence[Mapping[str, Json]], names: Sequence[Value], *, you: int | None = None, state: str = ""
) -> Words:
    """Return who won a match, by how much, or whose fault decided it, in parts of one line.

    *seats* have a rank, a score and a fault each, as in a record; *names* are what they are called; that of
    seat *you* is "You".  Of a match without a result the names are told, with their points so far, and its
    *state*, such as round 3.
    """
    named: list[Words] = [[name] for name in names]
    order = sorted(range(len(seats)), key=lambda seat: seats[seat]["rank"] or 0)
    best = [seat for seat in order if seats[seat]["rank"] == 1]
    if not best:
        so_far = ["" if seat["score"] is None else f" {seat['score']}" for seat in seats]
        told = _list([[*name, points] for name, points in zip(named, so_far, strict=True)])
        return [*told, f", {state}" if state else ""]
    failed = [(seat, seats[seat]["fault"]) for seat in order if seats[seat]["fault"]]
    deeds = _list([[*named[seat], f" {DEEDS.get(kind, f'failed: {kind}')}"] for seat, kind in failed])
    winners = _list([named[seat] for seat in best], " and ")
    points = [seats[seat]["score"] for seat in order[:SHOWN]]
    if None in points:
        wins = " win" if len(best) > 1 or best == [you] else " wins"
        return [*winners, wins, ": " if failed else "", *deeds]
    score = f", {points[0]} each" if len(best) == len(order) > 1 else ", " + " : ".join(map(str, points))
    others = _list([named[seat] for seat in order[len(best) :]], most=SHOWN - len(best))
    if len(order) == 2 and others:
        told = [*winners, " beat ", *others, score]
    else:
        told = ["a tie of ", *winners, score] if len(best) > 1 else [*winners, " won", score]
        told += [" (", *others, ")"] if others else []
    return [*told, "; " if failed else "", *deeds]


def _list(told: Sequence[Words], last: str = ", ", most: int = SHOWN) -> Words:
    """Return the *told* parts one after the other, *last* before the last one; beyond *most*, how many."""
    most = max(1, most)
    more = len(told) - most
    parts: Words = []
    for index, each in enumerate(told[:most]):
        parts += [last if index == len(told) - 1 else ", "] * bool(index)
        parts += each
    return [*parts, f" and {more} more"] if more > 0 else parts
