"""Tournaments in a home with made-up results, for tests of pages: no match is played."""

from collections.abc import Sequence
from random import Random

from engines import GAMES
from ladder.home.home import Home
from ladder.run.tournament_schedule import TournamentSchedule
from results.record import Block, Contest, RunSettings, TournamentTerms, encode_block
from results.storage.finishes import finishes_of
from results.storage.store import Store
from results.storage.unrated import make_unrated
from support.records import a_match, a_run, a_seat


def store_event(
    home: Home,
    name: str,
    stages: str,
    bots: Sequence[str],
    *,
    game: str = "stellar",
    seats: int = 2,
    deals: int = 2,
    most: int | None = None,
    rated: bool = False,
) -> str:
    """Add the tournament *name* to *home*, with results of *most* blocks or all; return its store's name.

    Better seeds win somewhat more often.
    """
    luck, count = Random(name), len(bots)
    contests = tuple(Contest(game, size, {}, tuple(range(count))) for size in GAMES[game].seats)
    store = Store(home.results) if rated else make_unrated(home.results)
    number = 1 + len(store.runs())
    run = a_run(
        number,
        bots=[{"name": bot, "version": f"{bot}-1"} for bot in bots],
        settings=RunSettings(
            contests=contests, tournament=TournamentTerms(name, stages, seats, deals, deals, ("",) * count)
        ),
    )
    schedule = TournamentSchedule.of(run)
    assert schedule is not None
    blocks = 0
    with store.lock():
        store.begin(run)
        while not schedule.over and blocks != most:
            for planned in schedule.next_epoch()[: None if most is None else most - blocks]:
                sat = [bots[index] for index in planned.bots]
                skills = {bot: luck.gauss(-bots.index(bot) * 2 / count, 1) for bot in sat}
                matches = []
                for rotation in range(len(sat)):
                    shaken = {bot: skill + luck.gauss(0, 1) for bot, skill in skills.items()}
                    seated = [sat[(seat + rotation) % len(sat)] for seat in range(len(sat))]
                    ranks = [1 + sum(other > shaken[bot] for other in shaken.values()) for bot in seated]
                    takes = [a_seat(bot, rank) for bot, rank in zip(seated, ranks, strict=True)]
                    told = {"run": number, "block": planned.number, "rotation": rotation, "game": game}
                    matches.append(a_match(planned.first_match + rotation, seats=takes, **told))
                block = Block(planned.number, matches, [])
                store.append(planned.number, encode_block(block))
                schedule.hear(finishes_of([block]).rows(), planned.number + 1)
                blocks += 1
        if schedule.over:
            store.finish(number, blocks)
    return store.folder.unrated_name
