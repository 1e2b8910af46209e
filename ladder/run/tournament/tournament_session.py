"""Tournaments as they are played: a new one, one that is stored, or one removed before its first match."""

import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

from ladder.errors import LadderError, NotFound, UsageProblem
from ladder.home.home import Home
from ladder.registry.bot_names import look_of
from ladder.run.run_events import Event, OperatorNote, Tell
from ladder.run.run_options import RunOptions
from ladder.run.session import Admission, Found, Playable, admit, begin_or_continue
from ladder.run.setup import WITHOUT
from ladder.run.signals import leaving
from ladder.run.stored_run import NewRun, changes
from ladder.run.tournament.stored_tournaments import (
    StoredTournament,
    find_tournament,
    find_tournaments,
    read_tournament,
)
from ladder.run.tournament.tournament_begin import TournamentPlan, plan_tournament
from ladder.run.tournament.tournament_request import TournamentRequest, name_for
from results.rating.cache import ratings_current
from results.rating.rated import standings_of
from results.record import Run
from results.storage.disk import Disk
from results.storage.revealed import Revealed, write_revealed
from results.storage.store import Store

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
    asked = _NewTournament(request, confirm)
    with ExitStack() as stack:
        stack.enter_context(leaving())
        home, found = admit(stack.enter_context(opening), asked, admission, tell)
        _, run = begin_or_continue(home, asked, found, tell, stack)
        assert asked.plan
        return home, run, asked.plan


class _NewTournament(Playable):
    """A tournament that is asked for, and is only stored."""

    starts_bots = False

    def __init__(self, request: TournamentRequest, confirm: Callable[[str], bool]) -> None:
        self.how = RunOptions(
            jobs=request.jobs, sandbox=request.sandbox, require_sandbox=request.require_sandbox
        )
        self.plan: TournamentPlan | None = None
        self._request = request
        self._confirm = confirm

    def look(self, home: Home) -> Found:
        request, store = self._request, Store(home.results)
        names = {look_of(name): name for name in find_tournaments(home.results)}
        if name := names.get(look_of(name_for(request.name))):
            hint = f"take another name; or: ladder tournament {name}"
            raise UsageProblem(f"there is a tournament {name} already", hint)
        if request.rated and (unfinished := store.unfinished_run()):
            raise UsageProblem(
                f"run {unfinished.run} is not finished, and rated runs are played one after another",
                "ladder run --resume, which continues it; or leave out --rated",
            )
        ratings = {key: each.mu for key, each in standings_of(ratings_current(store)).items()}
        plan = self.plan = plan_tournament(home, request, store.contents(), ratings)
        if home.coming is not None and not (request.bots or request.yes):
            self._ask(plan)
        return Found(store if request.rated else None, None, plan.new)

    def _ask(self, plan: TournamentPlan) -> None:
        """Ask about a long tournament.  Raises UsageProblem unless the answer is yes."""
        if (matches := plan.count_matches()) > MANY:
            what = f"no bots are named, so all {len(plan.new.bots)} play: about {matches:,} matches"
            if not self._confirm(f"{what}; begin it?"):
                raise UsageProblem(what, "name bots, or play fewer deals: --blocks 10; or begin it: --yes")

    def begin(self, home: Home, store: Store, new: NewRun, tell: Tell) -> Run:
        terms = new.settings.tournament
        if terms and terms.hidden:  # first of all: a store without this file is shown
            write_revealed(Disk(), store.folder, Revealed(terms.name))
        return super().begin(home, store, new, tell)


class AskedTournament(Playable):
    """A stored tournament that is to be played, or what is left of it."""

    def __init__(self, name: str, how: RunOptions) -> None:
        self.how = how
        self._name = name
        self._is_hidden = False

    def look(self, home: Home) -> Found:
        found = _read_again(find_tournament(home.results, self._name))
        self._is_hidden = found.terms.hidden
        if home.coming is not None:
            found.store.check_free()
        return Found(found.store, _check(found))

    def hear(self, tell: Tell, store: Store) -> Tell:
        def tell_less(event: Event) -> None:
            # hints to list faults: those of a secret tournament are hidden, but that a bot fails is told
            if isinstance(event, OperatorNote) and event.hint.startswith("ladder faults"):
                event = event._replace(hint="")
            tell(event)

        return tell_less if self._is_hidden else tell

    def hint(self, error: LadderError, run: Run) -> str:
        return error.hint.replace(WITHOUT, f"ladder tournament run {self._name} --without")


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
