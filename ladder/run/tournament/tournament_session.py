"""The commands of tournaments that play: one begins a tournament, another one plays what is left of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager

from ladder.errors import LadderError, UsageProblem
from ladder.home.home import Home, confine_home
from ladder.home.house_bots import expecting, pending
from ladder.run.playing import Means, Played, play_stored
from ladder.run.request import changes, leave_out, untried_in
from ladder.run.run_events import Event, OperatorNote, Tell
from ladder.run.run_options import RunOptions
from ladder.run.session import Admission
from ladder.run.setup import WITHOUT, setup_of
from ladder.run.signals import leaving
from ladder.run.tournament.stored_tournaments import (
    StoredTournament,
    find_tournament,
    find_tournaments,
    read_tournament,
)
from ladder.run.tournament.tournament_begin import TournamentPlan, begin_tournament, plan_tournament
from ladder.run.tournament.tournament_request import TournamentRequest
from results.rating.cache import ratings_current
from results.rating.rated import standings_of
from results.record import Run
from results.storage.store import Store
from results.storage.unrated import make_unrated

__all__ = ["new_tournament", "play_tournament"]


def new_tournament(
    opening: AbstractContextManager[Home], request: TournamentRequest, admission: Admission, tell: Tell
) -> tuple[Home, Run, TournamentPlan]:
    """Store the tournament that *request* describes in the home that *opening* yields.

    Raises LadderError for what cannot be played, and where a tournament has its name.
    """
    with ExitStack() as stack:
        stack.enter_context(leaving())
        home = stack.enter_context(opening)
        home = home.with_tier(request.sandbox)
        if request.name in find_tournaments(home.results):
            raise UsageProblem(
                f"there is a tournament {request.name} already",
                f"take another name; or: ladder tournament show {request.name}",
            )

        def say(text: str) -> None:
            tell(OperatorNote(text))

        coming = pending(home, request.bots)
        plan = _plan(expecting(home, pending(home)), request)
        if request.rated:
            Store(home.results).check_free()
        untried = untried_in(plan.entrants, plan.settings.contests)
        if coming or untried or request.require_sandbox:  # else no bot starts before the tournament is run
            home = confine_home(home, say, require=request.require_sandbox)
        if coming:
            admission.let_in(home, coming, say)
            plan = _plan(home, request)
        if untried := untried_in(plan.entrants, plan.settings.contests):
            admission.try_games(home, untried, request.jobs or home.settings.run.jobs, say)
            plan = _plan(home, request)
        store = Store(home.results) if request.rated else make_unrated(home.results)
        with store.lock():
            if store.unfinished_run():  # it has begun since
                _plan(home, request)
            return home, begin_tournament(home, store, plan), plan


def _plan(home: Home, request: TournamentRequest) -> TournamentPlan:
    store = Store(home.results)
    if request.rated and (unfinished := store.unfinished_run()):
        raise UsageProblem(
            f"run {unfinished.run} is not finished, and rated runs are played one after another",
            "ladder run --resume, which continues it; or leave out --rated",
        )
    standings = standings_of(ratings_current(store))
    ratings = {key: standing.mu for key, standing in standings.items()}
    return plan_tournament(home, request, store.contents(), ratings)


def play_tournament(home: Home, name: str, how: RunOptions, means: Means, tell: Tell) -> Played:
    """Play the tournament called *name* to its end, from where it stands.

    Raises LadderError (RunStopped among them), also for a tournament that is over.
    """
    with ExitStack() as stack:
        stack.enter_context(leaving())
        home = home.with_tier(how.sandbox)
        found = find_tournament(home.results, name)
        found.store.check_free()
        with _tournament_hints(name):
            setup_of(expecting(home), leave_out(home, found.store, _check(found), how.without), 1)
        home = confine_home(home, lambda text: tell(OperatorNote(text)), require=how.require_sandbox)
        stack.enter_context(found.store.lock())
        again = read_tournament(found.store, found.run.run)  # another process may have played it meanwhile
        run = _check(again or found)
        if how.without:
            run = leave_out(home, found.store, run, how.without)
        if found.terms.hidden:
            tell = _leave_out_hints(tell)
        with _tournament_hints(name):
            return play_stored(home, found.store, run, how, means, tell)


@contextmanager
def _tournament_hints(name: str) -> Iterator[None]:
    """Let an error whose hint is to leave a bot out of a run say what to type for the tournament *name*."""
    try:
        yield
    except LadderError as error:
        error.hint = error.hint.replace(WITHOUT, f"ladder tournament run {name} --without")
        raise


def _leave_out_hints(tell: Tell) -> Tell:
    """Return *tell* without hints to list faults, for those of a secret tournament are hidden.

    That a bot fails is told all the same: it may have to be left out.
    """

    def tell_less(event: Event) -> None:
        if isinstance(event, OperatorNote) and event.hint.startswith("ladder faults"):
            event = event._replace(hint="")
        tell(event)

    return tell_less


def _check(found: StoredTournament) -> Run:
    """Return the run of a tournament that goes on.  Raises UsageProblem if it cannot."""
    run, name = found.run, found.terms.name
    if run.finished is not None:
        raise UsageProblem(f"tournament {name} is over", f"ladder tournament show {name}")
    if changed := changes(run):
        raise UsageProblem(
            f"tournament {name} cannot be continued: {'; '.join(changed)}",
            "continue it with the ladder that began it",
        )
    return run
