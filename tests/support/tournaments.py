"""Play a tournament with made-up results."""

import math
from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from ladder.pairing.score_rows import EventSetup
from ladder.pairing.stages import parse_stages
from ladder.pairing.tournament import Tournament
from ladder.run.tournament.certainty import EventForm, SkillBelief
from support.skill_worlds import BETA


def begin(
    stages: str, entrants: int, sizes: Sequence[int] = (2,), seats: int = 2, **more: object
) -> Tournament:
    """Return a tournament of unknown authors, with few blocks."""
    settings = {"round_blocks": 2, "series_blocks": 3, "luck": Random, "authors": [""] * entrants} | more
    settings = {"extra_blocks": settings["series_blocks"]} | settings
    return Tournament(parse_stages(stages), EventSetup(all_sizes=sizes, seats=seats, **settings))


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


def a_form(stages: str, seats: int, blocks: int) -> EventForm:
    """Return a tournament of matches that are independent, so that a block has the noise of pure chance."""
    sizes = (2,) if seats == 2 else (2, 3, 4, 5, 6)
    pure = math.sqrt((seats + 1) / (12 * (seats - 1)) / seats)
    return EventForm(parse_stages(stages), sizes, seats, blocks, blocks, BETA, pure)


class Held(NamedTuple):
    """A tournament that was played by bots with known skills."""

    event: Tournament
    winner: int
    best: int
    skills: list[float]


def hold(kind: tuple[str, int, int, int], field: Sequence[SkillBelief], luck: Random) -> Held:
    """Play a tournament with skills that are drawn from *field*; *kind*: stages, entrants, seats, blocks."""
    stages, entrants, seats, blocks = kind
    skills = [luck.gauss(*belief) for belief in field]
    event = begin(
        stages,
        entrants,
        a_form(stages, seats, blocks).sizes,
        seats,
        round_blocks=blocks,
        series_blocks=blocks,
        luck=lambda name: Random(f"{name} {luck.random()}"),
    )
    while not event.over:
        for due in event.due():
            for _ in range(due.blocks):
                played = [[luck.gauss(skills[bot], BETA) for bot in due.entrants] for _ in due.entrants]
                event.hear(due.table, [*map(places_of, played)])
    winner = next(each.entrant for each in event.standing() if each.place == 1)
    return Held(event, winner, max(range(entrants), key=skills.__getitem__), skills)
