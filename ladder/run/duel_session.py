"""A duel as it is played: begun, continued, or played on where it is undecided."""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from msgspec.structs import replace

from ladder.errors import LadderError, UsageProblem
from ladder.home.home import Home
from ladder.run.duel import Duel
from ladder.run.duel_options import DuelRequest
from ladder.run.duel_request import TakePath, plan_duel, take_paths, taking_once
from ladder.run.run_events import OperatorNote, Tell
from ladder.run.run_options import RunOptions
from ladder.run.session import Found, Playable
from ladder.run.setup import WITHOUT
from ladder.run.stored_run import NewRun, changes, leave_out
from results.errors import HomeLocked
from results.record import DuelPart, DuelTerms, Run, RunCommand, RunSettings
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

    def look(self, home: Home) -> Found:
        request, note = self._request, None
        plan = self._plan = plan_duel(home, request, self._take_path)
        stores = unrated_stores(home.results) if not request.rated else {"": Store(home.results)}
        if not request.new and (found := find_duel(stores, plan)):
            store, run = found
            if run.finished is None or _extend_duel(store, run, plan):
                return Found(store, run, plan)
            note = _note_undecided(store, run)
        if request.rated and (unfinished := stores[""].unfinished_run()):
            what = f"run {unfinished.run} is not finished, and a rated duel has to come after it"
            hint = "ladder run --resume, and then the duel; or the duel without --rated, which can be played"
            raise UsageProblem(what, f"{hint} now")
        return Found(stores[""] if request.rated else None, None, plan, note)

    def begin(self, home: Home, store: Store, new: NewRun, tell: Tell) -> Run:
        _end_old_ones(home, tell)
        return super().begin(home, store, new, tell)

    def leave_out(self, home: Home, store: Store, run: Run) -> Run:
        return _leave_out_of_field(home, store, run, self._request.without)

    def extend(self, store: Store) -> RunSettings | None:
        assert self._plan
        return _extend_duel(store, store.runs()[-1], self._plan)

    def hint(self, error: LadderError, run: Run) -> str:
        ids = run.bot_ids
        if WITHOUT in error.hint and (len(ids) == 2 or any(id_ in error.hint for id_ in ids[:2])):
            return "correct or replace that bot, then begin another duel"
        return error.hint.replace(WITHOUT, "the same command with --without")


def _end_old_ones(home: Home, tell: Tell) -> None:
    """End the unfinished duels of rules by which no command plays any more; their matches stay."""
    for name, store in unrated_stores(home.results).items():
        run = store.unfinished_run()
        if run and run.settings.duel and run.settings.duel.rule in ("before", "no worse"):
            with suppress(HomeLocked), store.lock():
                store.abandon(run.run)
                tell(
                    OperatorNote(f"duel {name} began by the rules of an earlier ladder: it is ended as it is")
                )


def _note_undecided(store: Store, run: Run) -> OperatorNote | None:
    """Return what to tell of a duel that the same command could play on, if it is undecided."""
    duel = Duel.of(run, store.contents())
    if duel is None or all(each.verdict != "undecided" for each in duel.results()):
        return None
    name = store.folder.name_run(run.run)
    return OperatorNote(
        f"{name}, the same duel, ended undecided; this is another one, with other deals",
        f"the same command with --games {2 * duel.most_matches}, which continues {name}",
    )


# -- the stored duel that a command continues


def find_duel(stores: Mapping[str, Store], plan: NewRun) -> tuple[Store, Run] | None:
    """Return the newest unfinished run in *stores* that is this duel, else the newest finished one, if any.

    It may have been asked for with fewer matches than now, not with more if it is unfinished.  Raises
    UsageProblem if the only one that is unfinished differs in whether luck counts.
    """
    newest = [(store, runs[-1]) for store in reversed([*stores.values()]) if (runs := store.runs())]
    same = [
        (store, run)
        for store, run in newest
        if _identity(run.settings) == _identity(plan.settings)
        and not changes(run)
        and run.run >= store.seasons()[-1].first_run
    ]
    unfinished = [(store, run) for store, run in same if run.finished is None and not _has_more(run, plan)]
    finished = [(store, run) for store, run in same if run.finished is not None]
    if (found := next(iter([*unfinished, *finished]), None)) is None:
        _refuse_other_luck(newest, plan)
    return found


def _refuse_other_luck(newest: Sequence[tuple[Store, Run]], plan: NewRun) -> None:
    """Raise UsageProblem if an unfinished duel is that of *plan*, but counts luck where it does not, or not.

    Looking in both ways, and believing the one that ends first, would be wrong more often than alpha.
    """
    terms = plan.settings.duel
    for store, run in newest:
        if run.settings.duel is None or terms is None or run.finished is not None or changes(run):
            continue
        adjusted = replace(run.settings, duel=replace(run.settings.duel, most_luck=terms.most_luck))
        if _identity(adjusted) == _identity(plan.settings):
            then, now = ("with", "without") if terms.most_luck is None else ("without", "with")
            name, term = store.folder.name_run(run.run), "--terms adjusted"
            raise UsageProblem(
                f"duel {name} is this duel {then} {term}, and is not finished",
                f"the same command {then} {term} continues it; --new begins another {now} it",
            )


def _identity(settings: RunSettings) -> tuple[RunCommand | None, DuelTerms | None]:
    """Return what makes two duels the same: what was asked for, except for the number of matches.

    What faults do, and how much of the luck counts, is not asked for: a duel goes on by the rules with which
    it began.
    """
    asked, terms = settings.asked, settings.duel
    same = terms and replace(terms, parts=(), faults="agree", luck="whole")
    return asked and replace(asked, games=None), same


def _has_more(run: Run, plan: NewRun) -> bool:
    """Return whether *run* may have more blocks of a contest than *plan*."""
    pairs = zip(run.settings.blocks or (), _totals(run, plan), strict=True)
    return any(before > total for before, total in pairs)


def _totals(run: Run, plan: NewRun) -> list[int]:
    """Return the most blocks of each contest of *run* by *plan*; as before if the plan lacks it."""
    planned = zip(plan.settings.contests, plan.settings.blocks or (), strict=True)
    totals = {contest.name: total for contest, total in planned}
    contests = zip(run.settings.contests, run.settings.blocks or (), strict=True)
    return [totals.get(contest.name, before) for contest, before in contests]


def _extend_duel(store: Store, run: Run, plan: NewRun) -> RunSettings | None:
    """Return the settings with which *run* goes on as far as *plan*; None if it has that or is decided."""
    contents, settings = store.contents(), run.settings
    if settings.duel is None or settings.blocks is None or run.blocks is None:
        return None
    if contents.first_missing(run.run) != run.blocks or not (duel := Duel.of(run, contents)):
        return None
    if (totals := duel.raise_totals(_totals(run, plan))) is None:
        return None
    part = DuelPart(run.blocks, settings.blocks)
    return replace(
        settings,
        asked=plan.settings.asked,
        blocks=totals,
        duel=replace(settings.duel, parts=(*settings.duel.parts, part)),
    )


def _leave_out_of_field(home: Home, store: Store, run: Run, names: Sequence[str]) -> Run:
    """Store that the unfinished duel *run* goes on without those bots of its field; return the run.

    Bots that are not in it are left out already.  Raises UsageProblem if the field would be too small.
    """
    ids = {home.roster.find(name).id for name in names}
    left = [id_ for id_ in run.bot_ids[2:] if id_ in ids]
    gone = {index for index, id_ in enumerate(run.bot_ids) if id_ in left}
    gone |= {index for index, bot in enumerate(run.bot_keys) if run.settings.goes_without(*bot)}
    for contest in run.settings.contests:
        if len(set(contest.bots) - gone) < contest.seats:
            raise UsageProblem(
                f"{contest.game} for {contest.seats}: the field is too small without {', '.join(left)}",
                "begin another duel with --new and other bots with --field",
            )
    return leave_out(home, store, run, left) if left else run
