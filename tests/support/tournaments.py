"""Play a tournament with made-up results."""

from collections.abc import Callable, Sequence
from random import Random

from ladder.pairing.stages import parse_stages
from ladder.pairing.tournament import Tournament


def begin(
    stages: str, entrants: int, sizes: Sequence[int] = (2,), seats: int = 2, **more: object
) -> Tournament:
    """Return a tournament of unknown authors, with few blocks."""
    settings = {"round_blocks": 2, "series_blocks": 3, "luck": Random, "authors": [""] * entrants} | more
    authors = settings.pop("authors")
    return Tournament(parse_stages(stages), authors, sizes=sizes, seats=seats, **settings)


def places_of(skills: Sequence[float]) -> list[int]:
    """Return the places of those with *skills* on the day."""
    return [1 + sum(other > skill for other in skills) for skill in skills]


def by_seed(entrants: Sequence[int], _: Random) -> list[list[int]]:
    """Let the better seed always win."""
    return [places_of([-entrant for entrant in entrants])] * len(entrants)


def by_chance(entrants: Sequence[int], luck: Random) -> list[list[int]]:
    """Let dice decide, with ties."""
    return [places_of([luck.randrange(3) for _ in entrants]) for _ in entrants]


def noisily(entrants: Sequence[int], luck: Random) -> list[list[int]]:
    """Let the better seed win somewhat more often."""
    return [places_of([luck.gauss(-entrant / 8, 1) for entrant in entrants]) for _ in entrants]


def play(
    event: Tournament, block: Callable[[Sequence[int], Random], list[list[int]]] = by_seed, seed: object = 0
) -> int:
    """Play *event* to its end; return how many blocks that took."""
    luck, blocks = Random(str(seed)), 0
    while not event.over:
        due = event.due()
        assert due
        for table in due:
            for _ in range(table.blocks):
                assert event.hear(table.table, block(table.entrants, luck))
                blocks += 1
    assert [] == event.due()
    return blocks
