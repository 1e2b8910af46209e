"""How well judges foretell results: what was expected in full reviews, beside what happened."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Final, NamedTuple

from results.storage.store import Store

_PARTS: Final = 10


class Tenth(NamedTuple):
    """All chances of a tenth, such as those from 30 to 40 %."""

    chances: int
    expected: float
    """Their mean."""
    happened: float
    """The mean of the results of their seats."""


class Foretold(NamedTuple):
    """What a judge expected at a table of one size, and what happened."""

    game: str
    seats: int
    judge: str
    matches: int
    brier: float
    """The mean square of the differences: 0.25 is what 50 % for all would have, with two seats."""
    tenths: tuple[Tenth, ...]
    """Those that any chance belongs to, the lowest first."""


def calibrate(store: Store) -> list[Foretold]:
    """Return how well the judges foretold the results of the matches with a full review, by game and size.

    Chances of one match belong together, so few matches say little, however many steps they have.
    """
    columns = ["run", "number", "step", "seat", "game", "seats", "judge", "chance_seen"]
    found: dict[tuple[str, int, str], list[tuple[float, float]]] = defaultdict(list)
    matches: dict[tuple[str, int, str], set[tuple[int, int]]] = defaultdict(set)
    lines: dict[tuple[int, int, int], list[float]] = defaultdict(list)
    tables: dict[tuple[int, int, int], tuple[str, int, str]] = {}
    for row in store.read_reviews(columns).to_pylist():  # by match, step and seat
        if row["chance_seen"] is not None:
            seat = row["run"], row["number"], row["seat"]
            lines[seat].append(row["chance_seen"])
            tables[seat] = row["game"], row["seats"], row["judge"]
    for seat, (*chances, result) in lines.items():
        found[tables[seat]] += [(chance, result) for chance in chances]
        matches[tables[seat]].add(seat[:2])
    return [
        Foretold(
            *table,
            len(matches[table]),
            sum([(chance - result) ** 2 for chance, result in pairs]) / len(pairs),
            tuple(_tenths(pairs)),
        )
        for table, pairs in sorted(found.items())
        if pairs
    ]


def _tenths(pairs: list[tuple[float, float]]) -> Iterator[Tenth]:
    for part in range(_PARTS):
        here = [pair for pair in pairs if min(_PARTS - 1, int(_PARTS * pair[0])) == part]
        if here:
            expected, happened = (sum(column) / len(here) for column in zip(*here, strict=True))
            yield Tenth(len(here), expected, happened)
