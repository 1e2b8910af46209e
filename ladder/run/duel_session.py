"""A duel as it is played: begun, continued, or played on where it is undecided."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from ladder.errors import LadderError, UsageProblem
from ladder.home.home import Home
from ladder.registry.version import Version
from ladder.run.duel import Duel
from ladder.run.duel_options import DuelRequest
from ladder.run.duel_request import TakePath, plan_duel, take_paths, taking_once
from ladder.run.duel_stored import extend_duel, find_duel, leave_out_of_field
from ladder.run.run_events import OperatorNote, Tell
from ladder.run.run_options import RunOptions
from ladder.run.session import Found, Playable
from ladder.run.setup import WITHOUT
from ladder.run.stored_run import NewRun
from results.errors import HomeLocked
from results.record import Run, RunSettings
from results.storage.store import Store
from results.storage.unrated import unrated_stores


class AskedDuel(Playable):
    """A duel that is asked for.

    One that ended undecided with fewer matches goes on to as many as are asked for now.  A duel has a store
    of its own unless the request says that it is rated.
    """

    has_paths = True

    def __init__(self, request: DuelRequest, take_path: TakePath) -> None:
        self.how = RunOptions(
            jobs=request.jobs, sandbox=request.sandbox, require_sandbox=request.require_sandbox
        )
        self._request = request
        self._take_path = taking_once(take_path)
        self._plan: NewRun | None = None

    def keep_paths(self, home: Home, coming: Sequence[str]) -> None:
        take_paths(home, coming, (self._request.new_bot, self._request.old_bot), self._take_path)

    def look(self, home: Home, guests: Sequence[Version]) -> Found:
        request, note = self._request, None
        plan = self._plan = plan_duel(home, request, self._take_path)
        stores = unrated_stores(home.results) if not request.rated else {"": Store(home.results)}
        if not request.new and (found := find_duel(stores, plan)):
            store, run = found
            if run.finished is None or extend_duel(store, run, plan):
                return Found(store, run, plan)
            note = _note_undecided(store, run)
        if request.rated and (unfinished := stores[""].unfinished_run()):
            what = f"run {unfinished.run} is not finished, and a rated duel has to come after it"
            hint = "ladder run --resume, and then the duel; or the duel without --rated, which can be played"
            raise UsageProblem(what, f"{hint} now")
        return Found(stores[""] if request.rated else None, None, plan, note)

    def begin(self, home: Home, store: Store, new: NewRun, guests: Sequence[Version], tell: Tell) -> Run:
        _end_old_ones(home, tell)
        return super().begin(home, store, new, guests, tell)

    def leave_out(self, home: Home, store: Store, run: Run) -> Run:
        return leave_out_of_field(home, store, run, self._request.without)

    def extend(self, store: Store) -> RunSettings | None:
        assert self._plan
        return extend_duel(store, store.runs()[-1], self._plan)

    def hint(self, error: LadderError, run: Run) -> str:
        ids = run.bot_ids
        if WITHOUT in error.hint and (len(ids) == 2 or any(id_ in error.hint for id_ in ids[:2])):
            return "correct or replace that bot, then begin another duel"
        return error.hint.replace(WITHOUT, "the same command with --without")


def _end_old_ones(home: Home, tell: Tell) -> None:
    """End the unfinished duels of rules by which no command plays any more; their matches stay."""
    for name, store in unrated_stores(home.results).items():
        run = store.unfinished_run()
        if run and run.settings.duel and run.settings.duel.rule == "before":
            with suppress(HomeLocked), store.lock():
                store.abandon(run.run)
                tell(
                    OperatorNote(f"duel {name} began by the rules of an earlier ladder: it is ended as it is")
                )


def _note_undecided(store: Store, run: Run) -> OperatorNote | None:
    """Return what to tell of a duel that the same command could play on, if it is undecided."""
    duel = Duel.of(run)
    if duel is None:
        return None
    duel.hear_all(store.contents(), run.run)
    if all(each.verdict != "undecided" for each in duel.results()):
        return None
    name = store.folder.name_run(run.run)
    return OperatorNote(
        f"{name}, the same duel, ended undecided; this is another one, with other deals",
        f"the same command with --games {2 * duel.most_matches}, which continues {name}",
    )
