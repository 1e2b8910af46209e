"""Store a match that was played for people: it never counts, and can be replayed as any other."""

from ladder.home.home import Home
from ladder.live.live_messages import Over
from ladder.live.live_request import CONNECTED, PERSON, PlayPlan
from ladder.run.stored_run import NewRun, store_run
from results.record import Block, decode_block
from results.storage.unrated import store_whole


def keep_match(home: Home, plan: PlayPlan, over: Over) -> tuple[str, Block]:
    """Store the match that is over, in a store of its own; return the name of that, and the record.

    Nothing is stored before, so that a match which is left leaves nothing behind.  Raises OSError or
    ResultsError.
    """
    payload = over.block.encode()
    with store_whole(home.results) as store, store.lock():
        run = store_run(home, store, NewRun(plan.bots, plan.settings, plan.secret), [PERSON, CONNECTED])
        store.append(0, payload)
        store.commit()
        store.finish(run.run, 1)
    return store.folder.unrated_name, decode_block(payload)
