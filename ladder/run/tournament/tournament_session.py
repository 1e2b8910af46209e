"""Begin a tournament, play what is left of it, or remove it before its first match."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

from ladder.errors import LadderError, NotFound, UsageProblem
from ladder.home.home import Home, confine_home
from ladder.home.house_bots import expecting, pending
from ladder.registry.bot_names import look_of
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

MANY = 2_000
"""The most matches of a tournament that names no bots and begins without a question."""


def new_tournament(
    opening: AbstractContextManager[Home],
    request: TournamentRequest,
    admission: Admission,
    tell: Tell,
    confirm: Callable[[str], bool] = lambda question: False,
) -> tuple[Home, Run, TournamentPlan]:
    """Store the tournament that *request* describes in the home that *opening* yields.

    *confirm* is asked about a long one that names no bots.  Raises LadderError for what cannot be played, and
    where a tournament has its name, or one that looks like it.
    """
    with ExitStack() as stack:
        stack.enter_context(leaving())
        home = stack.enter_context(opening).with_tier(request.sandbox)
        names = {look_of(name): name for name in find_tournaments(home.results)}
        if name := names.get(look_of(request.name)):
            hint = f"take another name; or: ladder tournament {name}"
            raise UsageProblem(f"there is a tournament {name} already", hint)

        def say(text: str) -> None:
            tell(OperatorNote(text))

        coming = pending(home, request.bots)
        plan = _plan(expecting(home, pending(home)), request)
        if not (request.bots or request.yes) and (matches := plan.count_matches()) > MANY:
            what = f"no bots are named, so all {len(plan.entrants)} play: about {matches:,} matches"
            if not confirm(f"{what}; begin it?"):
                raise UsageProblem(what, "name bots, or play fewer deals: --blocks 10; or begin it: --yes")
        if request.rated:
            Store(home.results).check_free()
        untried = untried_in(plan.entrants, plan.settings.contests)
        if (
            coming or untried or home.requires_sandbox or request.require_sandbox
        ):  # else no bot starts before the tournament is run
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


def remove_tournament(results: Path, name: str) -> None:
    """Remove the tournament *name*.  Raises NotFound, HomeLocked, or UsageProblem once a match was played."""
    found = find_tournament(results, name)
    with found.store.lock() as store:
        found = _read_again(found)
        if found.run.finished is not None or found.contents.committed_blocks(found.run.run):
            what = f"tournament {name} has begun, and what was played stays"
            raise UsageProblem(what, f"ladder tournament {name}")
        store.withdraw(found.run.run)
        if not found.is_rated:
            shutil.rmtree(store.folder.root)


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
        run = _check(_read_again(found))
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


def _read_again(found: StoredTournament) -> StoredTournament:
    """Return *found* as it is now: another process may have played it.  Raises NotFound if it was removed."""
    again = read_tournament(found.store, found.run.run)
    if again is None or again.terms.name != found.terms.name:
        raise NotFound(f"there is no tournament {found.terms.name!r} any more", "ladder tournament")
    return again


def _check(found: StoredTournament) -> Run:
    """Return the run of a tournament that goes on.  Raises UsageProblem if it cannot."""
    run, name = found.run, found.terms.name
    if run.finished is not None:
        raise UsageProblem(f"tournament {name} is over", f"ladder tournament {name}")
    if changed := changes(run):
        raise UsageProblem(
            f"tournament {name} cannot be continued: {'; '.join(changed)}",
            "continue it with the ladder that began it",
        )
    return run
