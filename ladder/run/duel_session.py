"""One command that plays a duel: it begins one, continues it, or plays an undecided one on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager

from ladder.errors import LadderError, UsageProblem
from ladder.home.home import Home, confine_home
from ladder.home.house_bots import expecting, pending
from ladder.run.duel import Duel
from ladder.run.duel_options import DuelRequest
from ladder.run.duel_request import DuelPlan, TakePath, expected_bots, plan_duel, take_paths
from ladder.run.duel_stored import begin_duel, extend_duel, find_duel, leave_out_of_field
from ladder.run.playing import Means, Played, play_stored
from ladder.run.request import untried_in
from ladder.run.run_events import OperatorNote, Tell
from ladder.run.run_options import RunOptions
from ladder.run.session import Admission
from ladder.run.setup import WITHOUT, setup_of
from ladder.run.signals import leaving
from results.record import Run
from results.storage.store import Store
from results.storage.unrated import make_unrated, unrated_stores


def play_duel(
    opening: AbstractContextManager[Home],
    request: DuelRequest,
    means: Means,
    admission: Admission,
    take_path: TakePath,
    tell: Tell,
) -> Played:
    """Play the duel that *request* describes in the home that *opening* yields, or continue it.

    One that ended undecided with fewer matches goes on to as many as are asked for now.  A duel has a store
    of its own unless *request* says that it is rated; for the rest see play_session.
    """
    with ExitStack() as stack:
        stack.enter_context(leaving())
        with opening as home:
            home = home.with_tier(request.sandbox)
            _check(home, request, take_path)
            home = confine_home(home, lambda text: tell(OperatorNote(text)), require=request.require_sandbox)
            if coming := expected_bots(home, request):
                take_paths(home, coming, (request.new_bot, request.old_bot), take_path)
                admission.let_in(home, coming, lambda text: tell(OperatorNote(text)))
            plan = plan_duel(home, request, take_path)
            if untried := untried_in(plan.bots, plan.settings.contests):
                jobs = request.jobs or home.settings.run.jobs
                admission.try_games(home, untried, jobs, lambda text: tell(OperatorNote(text)))
                plan = plan_duel(home, request, take_path)
            found, run = _find(home, plan, request, tell)
            store = found or make_unrated(home.results)
            stack.enter_context(store.lock())
            run = run or begin_duel(home, store, plan, request)
        with _duel_hints(run):
            played = None
            if run.finished is None:
                run = leave_out_of_field(home, store, run, request.without)
                played = play_stored(home, store, run, RunOptions(jobs=request.jobs), means, tell)
            if settings := extend_duel(store, store.runs()[-1], plan):
                run = leave_out_of_field(home, store, store.reopen(settings), request.without)
                played = play_stored(home, store, run, RunOptions(jobs=request.jobs), means, tell)
        assert played  # a finished duel that cannot be extended is not opened
        return played


def _check(home: Home, request: DuelRequest, take_path: TakePath) -> None:
    """Refuse what cannot be played, by reading alone, as if all house bots were there that are expected."""
    plan = plan_duel(expecting(home, pending(home)), request, take_path)
    store, run = _find(home, plan, request, lambda event: None)
    if store:
        store.check_free()
        if run:
            with _duel_hints(run):
                setup_of(expecting(home), leave_out_of_field(home, store, run, request.without), 1)


@contextmanager
def _duel_hints(run: Run) -> Iterator[None]:
    """Let an error whose hint is to leave a bot out of a run say what to type for *run*, a duel."""
    try:
        yield
    except LadderError as error:
        if WITHOUT in error.hint:
            ids = run.bot_ids
            if len(ids) == 2 or any(id_ in error.hint for id_ in ids[:2]):
                error.hint = "correct or replace that bot, then begin another duel"
            else:
                error.hint = error.hint.replace(WITHOUT, "the same command with --without")
        raise


def _find(home: Home, plan: DuelPlan, request: DuelRequest, tell: Tell) -> tuple[Store | None, Run | None]:
    """Return the store of a duel, None for one that is to be made, and its run if it is to be continued."""
    stores = unrated_stores(home.results) if not request.rated else {"": Store(home.results)}
    if not request.new and (found := find_duel(stores, plan)):
        store, run = found
        if run.finished is None or extend_duel(store, run, plan):
            _tell_rule_of_before(store, run, tell)
            return store, run
        _tell_undecided(store, run, tell)
    if not request.rated:
        return None, None
    store = stores[""]
    if unfinished := store.unfinished_run():
        raise UsageProblem(
            f"run {unfinished.run} is not finished, and a rated duel has to come after it",
            "ladder run --resume, and then the duel; or the duel without --rated, which can be played now",
        )
    return store, None


def _tell_rule_of_before(store: Store, run: Run, tell: Tell) -> None:
    """Note that a duel continues by its old rule, which the same command no longer means."""
    terms = run.settings.duel
    if terms is None or terms.rule != "before":
        return
    name, ends = store.folder.name_run(run.run), "better or worse"
    if terms.margin is not None:
        ends += f", or no more than {round(50 * terms.margin, 9):g} wins of 100 better"
    tell(
        OperatorNote(
            f"duel {name} goes on by the rule with which it began: it ends when NEW is {ends}",
            "the same command with --new, which begins another by the rule of now",
        )
    )


def _tell_undecided(store: Store, run: Run, tell: Tell) -> None:
    """Tell of a duel that the same command could play on, if it is undecided."""
    duel = Duel.of(run)
    if duel is None:
        return
    duel.hear_all(store.contents(), run.run)
    if any(each.verdict == "undecided" for each in duel.results()):
        name = store.folder.name_run(run.run)
        tell(
            OperatorNote(
                f"{name}, the same duel, ended undecided; this is another one, with other deals",
                f"the same command with --games {2 * duel.most_matches}, which continues {name}",
            )
        )
