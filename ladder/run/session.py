"""One command that plays: what is asked for is begun in a home, or continued, and played to its end.

A run, a duel, a tournament and a measurement each say what differs, as a Playable.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import NamedTuple, Protocol, TypeAlias

from ladder.errors import LadderError
from ladder.home.home import Home, confine_home
from ladder.home.house_bots import Say, expecting, pending
from ladder.registry.version import Untried, Version
from ladder.run.playing import Means, Played, play_stored
from ladder.run.run_events import OperatorNote, Tell
from ladder.run.run_options import RunOptions
from ladder.run.setup import setup_of
from ladder.run.signals import leaving
from ladder.run.stored_run import NewRun, is_planned_anew, leave_out, store_run
from results.record import Run, RunSettings
from results.storage.store import Store
from results.storage.unrated import make_unrated

LetIn: TypeAlias = Callable[[Home, Sequence[str], Say], object]
"""Submits the house bots of these names; admission.house.add is the one there is."""
TryGames: TypeAlias = Callable[[Home, Sequence[Untried], int, Say], object]
"""Lets bots try games, several at once; admission.trials.try_games is the one there is."""


class Admission(NamedTuple):
    """How bots get in: a room of its own, which a caller hands in, and a run does without."""

    let_in: LetIn
    try_games: TryGames


class Found(NamedTuple):
    """What a home has for a request."""

    store: Store | None
    """Where it is kept; None: in a store of its own, which is to be made."""
    run: Run | None
    """The stored run that goes on; None if another one begins."""
    new: NewRun | None = None
    """What would begin now; None for what only goes on."""
    note: OperatorNote | None = None
    """What the operator should know of it."""

    def coming(self, home: Home) -> list[str]:
        """Return the names of the house bots that *home* still lacks and that would play."""
        names = {bot.bot for bot in self.new.bots} if self.new else set()
        return [name for name in pending(home) if name in names]


class Playable(Protocol):
    """What is asked for and can be played."""

    how: RunOptions
    """How many workers play it, and how its bots are confined."""
    guests: Sequence[Version] = ()
    """Bots that play although they were not submitted."""
    starts_bots: bool = True
    """Whether bots are started even if none is new."""
    has_paths: bool = False
    """Whether bots may be named by their paths: looking at a home then keeps them."""

    def look(self, home: Home) -> Found:
        """Return what *home* has for it; a check writes nothing.  Raises LadderError if unplayable."""
        ...

    def keep_paths(self, home: Home, coming: Sequence[str]) -> None:
        """Keep bots that are named by their paths, before the house bots *coming* join."""
        return

    def begin(self, home: Home, store: Store, new: NewRun, tell: Tell) -> Run:
        """Store the run *new*, and end an unfinished one as it is."""
        if unfinished := store.unfinished_run():
            store.abandon(unfinished.run)
            tell(OperatorNote(f"run {unfinished.run} is ended as it is"))
        return store_run(home, store, new, self.guests)

    def leave_out(self, home: Home, store: Store, run: Run) -> Run:
        """Store, if *store* is locked, which bots *run* goes on without; return it."""
        return leave_out(home, store, run, self.how.without) if self.how.without else run

    def extend(self, store: Store) -> RunSettings | None:
        """Return the settings with which the last run of *store*, which has ended, goes on; None if not."""
        return None

    def hear(self, tell: Tell, store: Store) -> Tell:
        """Return what the events of the run in *store* are told to, in place of *tell*."""
        return tell

    def hint(self, error: LadderError, run: Run) -> str:
        """Return what to type next after an *error* of *run*, in the words for this kind of run."""
        return error.hint


def play(
    opening: AbstractContextManager[Home], request: Playable, means: Means, admission: Admission, tell: Tell
) -> Played:
    """Play what *request* asks for, or continue it, in the home that *opening* yields.

    *opening* ends once the run is stored: a home made for a run that cannot begin can be removed then.
    SIGINT, SIGTERM and SIGHUP stop the run after the matches in hand, a second one at once; before the first
    match SIGTERM and SIGHUP raise SystemExit.  Raises LadderError (RunStopped among them) and ResultsError.
    """
    with ExitStack() as stack:
        stack.enter_context(leaving())
        with opening as home:
            home, found = admit(home, request, admission, tell)
            store, run = begin_or_continue(home, request, found, tell, stack)
        tell = request.hear(tell, store)
        with _mending_hints(request, run):
            played = None
            if run.finished is None:
                played = play_stored(home, store, run, request.how, request.guests, means, tell)
            while settings := request.extend(store):
                run = request.leave_out(home, store, store.reopen(settings))
                played = play_stored(home, store, run, request.how, request.guests, means, tell)
    assert played  # what has ended and cannot be extended is not found
    return played


def admit(home: Home, request: Playable, admission: Admission, tell: Tell) -> tuple[Home, Found]:
    """Check *request* by reading alone; then let in house bots that it needs, and let bots try new games.

    Return the home with the tier that confines its bots, and what it has for *request* then.
    """

    def say(text: str) -> None:
        tell(OperatorNote(text))

    how = request.how
    home = home.with_tier(how.sandbox)
    foreseen = expecting(home, pending(home))
    found = request.look(foreseen)
    if found.store and found.new:
        found.store.check_free()
    if found.store and found.run:
        with _mending_hints(request, found.run):
            setup_of(foreseen, request.leave_out(foreseen, found.store, found.run), 1, request.guests)
    new, coming = found.new, found.coming(home)
    if request.starts_bots or coming or (new and new.untried) or how.require_sandbox or home.requires_sandbox:
        home = confine_home(home, say, require=how.require_sandbox)
    if coming:
        request.keep_paths(home, coming)
        admission.let_in(home, coming, say)
    if coming or request.has_paths:
        found = request.look(home)
    if found.new and found.new.untried:
        admission.try_games(home, found.new.untried, how.jobs or home.settings.run.jobs, say)
        found = request.look(home)
    return home, found


def begin_or_continue(
    home: Home, request: Playable, found: Found, tell: Tell, stack: ExitStack
) -> tuple[Store, Run]:
    """Store the run *request* asks for, or return the one that goes on; *stack* keeps its store locked."""
    store = found.store or make_unrated(home.results)
    stack.enter_context(store.lock())
    if found.store:  # another process may have played or begun something since
        found = request.look(home)
        if found.store is None or found.store.folder.root != store.folder.root:
            raise LadderError("another process has ended this meanwhile", "the same command, once more")
    if found.note:
        tell(found.note)
    if found.run is None:
        assert found.new
        return store, request.begin(home, store, found.new, tell)
    run = found.run
    if is_planned_anew(run):
        what = "pairs bots, and ends by their order, in another way"
        tell(OperatorNote(f"run {run.run} began with an earlier ladder: what is left of it {what}"))
    return store, run if run.finished else request.leave_out(home, store, run)


@contextmanager
def _mending_hints(request: Playable, run: Run) -> Iterator[None]:
    """Let an error of *run* say what to type for what is asked for."""
    try:
        yield
    except LadderError as error:
        error.hint = request.hint(error, run)
        raise
