"""How bots get in where a command plays; those at a path are kept as versions that no run picks up."""

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

from ladder.admission.grants import UnratedDuel, common_sizes, home_of
from ladder.admission.house import add
from ladder.admission.submit import keep_for_duel
from ladder.admission.trials import try_games
from ladder.cli.progress import Watching
from ladder.home.home import Home
from ladder.registry.version import Version
from ladder.run.session import Admission, play
from ladder.worker.check_progress import CheckProgress
from results.reports.document import Row

GATE, GATE_WINS = 1000, 2.0
"""The most matches of a gate in each game, and by how many wins of 100 a new version may be worse."""
ADMISSION = Admission(add, try_games)


def take_path(home: Home, path: Path) -> Version:
    """Keep a bot that is named by its path; show how far that has come, if it is slow."""
    progress = CheckProgress()
    with Watching(progress) as watching:
        return keep_for_duel(home, path, watching.note, progress)


def play_duel(asked: UnratedDuel) -> list[Row]:
    """Play a duel that an inbox asks for, or go on with it, or read it if it has ended; return its rows.

    It is one of `ladder duel` with a worker, whatever else is played, and stored as that.
    """
    from ladder.run.duel import Duel
    from ladder.run.duel_options import DuelRequest
    from ladder.run.duel_request import plan_duel
    from ladder.run.duel_session import AskedDuel, find_duel
    from ladder.run.playing import Means
    from results.reports.duel_report import duel_rows
    from results.storage.locking import wait_for_locks
    from results.storage.unrated import unrated_stores

    home = home_of(asked)
    request = DuelRequest(new_bot=asked.new, old_bot=asked.old, jobs=1, games=GATE, no_worse=GATE_WINS)
    if game := asked.game:
        bots = [home.roster.find(name) for name in (asked.new, asked.old)]
        seats = common_sizes(game, bots)[0]
        request = replace(request, game=game, seats=[seats], games=seats * asked.deals, no_worse=None)
    # a process that a kill has left without its parent may still be playing it
    wait_for_locks(lambda locked: None)
    found = find_duel(unrated_stores(home.results), plan_duel(home, request, take_path))
    if found and found[1].finished and found[1].started / 1e6 >= asked.since:
        store = found[0]
    else:
        wanted = AskedDuel(request, take_path)
        store = play(nullcontext(home), wanted, Means(), ADMISSION, lambda event: None).store
    run = store.runs()[-1]
    duel = Duel.of(run, store.contents())
    assert duel
    return duel_rows(str(store.folder.name_run(run.run)), run, duel.results())
