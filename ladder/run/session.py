"""One command that plays a run: it takes a home and a request, and returns the run with the ratings after it.

`ladder run` and `ladder.play` call `play_session`.  What happens meanwhile is told as events.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from typing import NamedTuple, TypeAlias

from ladder.errors import FIRST_RUN, UsageProblem
from ladder.home.home import Home, confine_home
from ladder.home.house_bots import Say, check_here, expecting, pending
from ladder.registry.version import Untried
from ladder.run.playing import Means, Played, play_stored
from ladder.run.request import (
    begin,
    changes,
    check_request,
    differences,
    find_untried,
    is_planned_anew,
    leave_out,
)
from ladder.run.run_events import OperatorNote, Tell
from ladder.run.run_options import RunRequest
from ladder.run.setup import setup_of
from ladder.run.signals import leaving
from results.record import Run
from results.storage.layout import UNRATED
from results.storage.store import Store
from results.storage.unrated import make_unrated, unrated_stores

LetIn: TypeAlias = Callable[[Home, Sequence[str], Say], object]
"""Submits the house bots of these names; admission.house.add is the one there is."""
TryGames: TypeAlias = Callable[[Home, Sequence[Untried], int, Say], object]
"""Lets bots try games, several at once; admission.trials.try_games is the one there is."""


class Admission(NamedTuple):
    """How bots get in.

    A caller hands it in: that is a room of its own, and a run does without it.
    """

    let_in: LetIn
    try_games: TryGames


def play_session(
    opening: AbstractContextManager[Home],
    request: RunRequest,
    means: Means,
    admission: Admission,
    tell: Tell,
) -> Played:
    """Play the run that *request* describes, or continue it, in the home that *opening* yields.

    *opening* ends once the run is stored: a home made for a run that cannot begin can be removed then.
    SIGINT, SIGTERM and SIGHUP stop the run after the matches in hand, a second one at once; before the first
    match SIGTERM and SIGHUP raise SystemExit.  Raises LadderError (RunStopped among them) and ResultsError.
    """
    with ExitStack() as stack:
        stack.enter_context(leaving())
        with opening as home:
            home = home.with_tier(request.sandbox)
            store = _find_unrated(home, request) if request.unrated else Store(home.results)
            if store.unfinished_run():  # another process may be playing it: then nothing else matters
                store.check_free()
            if stored := _to_continue(store, request):
                setup_of(expecting(home), leave_out(home, store, stored, request.without), 1, means.guests)
            else:
                _check(home, store, request, means)
            home = confine_home(home, lambda text: tell(OperatorNote(text)), require=request.require_sandbox)
            if not stored:
                _let_in(home, request, means, admission, tell)
            if request.unrated and not store.unfinished_run():
                store = make_unrated(home.results)
            stack.enter_context(store.lock())
            run = _to_continue(store, request) or _begin(home, store, request, means, tell)
            if is_planned_anew(run):
                what = "pairs bots, and ends by their order, in another way"
                tell(OperatorNote(f"run {run.run} began with an earlier ladder: what is left of it {what}"))
            if request.without:
                run = leave_out(home, store, run, request.without)
        return play_stored(home, store, run, request, means, tell)


def _find_unrated(home: Home, request: RunRequest) -> Store:
    """Return the store of the unrated run that this command continues, or one where none was played."""
    stores = unrated_stores(home.results)
    for store in () if request.new else reversed(stores.values()):
        run = store.unfinished_run()
        if run is None or run.settings.duel or run.settings.tournament:
            continue
        if request.resume or not differences(request, run):
            return store
    return Store(home.results / UNRATED / "new")


def _to_continue(store: Store, request: RunRequest) -> Run | None:
    """Return the unfinished run if this is its command, None for a new one.  Raises UsageProblem."""
    unfinished = store.unfinished_run()
    if unfinished is None and request.resume:
        raise UsageProblem("there is no unfinished run to resume", FIRST_RUN)
    if unfinished is None or request.new:
        return None
    if changed := changes(unfinished):
        raise UsageProblem(
            f"run {unfinished.run} is not finished, and cannot be continued: {'; '.join(changed)}",
            "ladder run --new, which ends it as it is; or continue it with the ladder that began it",
        )
    if not request.resume and (differing := differences(request, unfinished)):
        raise UsageProblem(
            f"run {unfinished.run} is not finished, and this command differs: {'; '.join(differing)}",
            "ladder run --resume, which continues it; or add --new, to end it as it is and begin this one",
        )
    return unfinished


def _check(home: Home, store: Store, request: RunRequest, means: Means) -> None:
    """Refuse what cannot be played, by reading alone, as if the house bots were there that are expected."""
    guests = {guest.id for guest in means.guests}
    check_here(home, [name for name in request.bots if name not in guests])
    home = expecting(home, pending(home, request.field))
    check_request(home, request, means.guests)
    find_untried(home, request, means.guests)
    store.check_free()


def _let_in(home: Home, request: RunRequest, means: Means, admission: Admission, tell: Tell) -> None:
    """Let in the house bots that are expected, and let bots try games that they were not tried at."""
    if coming := pending(home, request.field):
        admission.let_in(home, coming, lambda text: tell(OperatorNote(text)))
    if untried := find_untried(home, request, means.guests):
        jobs = request.jobs or home.settings.run.jobs
        admission.try_games(home, untried, jobs, lambda text: tell(OperatorNote(text)))
        check_request(home, request, means.guests)


def _begin(home: Home, store: Store, request: RunRequest, means: Means, tell: Tell) -> Run:
    """Begin a new run, and end an unfinished one as it is."""
    if unfinished := store.unfinished_run():
        store.abandon(unfinished.run)
        tell(OperatorNote(f"run {unfinished.run} is ended as it is"))
    return begin(home, store, request, means.guests)
