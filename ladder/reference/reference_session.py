"""One command that measures a bot: each game and table size is an unrated run against the reference set."""

import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from pathlib import Path
from typing import assert_never

from msgspec.structs import replace

from engines import GAMES
from ladder.errors import LadderError, RunStopped
from ladder.home.home import Home
from ladder.home.settings import LimitSettings
from ladder.live.comparison import repeats_itself
from ladder.machine.cores import usable_cores
from ladder.reference.reference_request import ReferenceRequest
from ladder.reference.reference_result import ReferenceResult, result_of
from ladder.reference.reference_set import NEW_DEALS, ReferenceContest, ReferenceSet
from ladder.reference.set_match import find_otherwise, is_worse, measure_pace
from ladder.registry.roster import scratch_folder
from ladder.registry.version import Version
from ladder.run.duel_request import TakePath, find_bot, taking_once
from ladder.run.playing import Means, Played
from ladder.run.run_events import Ended, Event, OperatorNote, Planned, Progress, Tell
from ladder.run.run_options import RunOptions
from ladder.run.session import Admission, Found, Playable, admit, play
from ladder.run.signals import leaving
from ladder.run.stored_run import NewRun, changes, secret_of, settings_for
from ladder.run.who_plays import WantedTables, check_games, who_plays
from results.record import Contest, LimitsApart, ReferenceTerms, Run, RunCommand, RunSettings
from results.storage.store import Store
from results.storage.unrated import unrated_stores
from results.words import count

LIFTED = {"start_ms": 600_000, "move_ms": 3_600_000, "bank_ms": 3_600_000, "match_s": 0}
"""The clock of the reference bots: their work is fixed, not their time."""
FAULTS = 10
"""After this many faults, if they end more than half of the matches, a measurement ends."""
ASKED_AGAIN = 4
"""In so many matches, spread over the run, the bot is asked again."""


def play_reference(
    opening: AbstractContextManager[Home],
    request: ReferenceRequest,
    found: ReferenceSet,
    means: Means,
    admission: Admission,
    take_path: TakePath,
    tell: Tell,
) -> Iterator[ReferenceResult]:
    """Measure a bot by *found* in the home that *opening* yields; yield the result at each game and size.

    A run that was stopped goes on where the same bot is measured again.  Raises LadderError (RunStopped among
    them), also where most matches of the bot end in a fault.
    """
    with ExitStack() as stack:
        stack.enter_context(leaving())
        with opening as home:
            asked = _Measured(request, found, take_path)
            home, _ = admit(home, asked, admission, tell)
        folder = scratch_folder(home.path, "reference")
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        found.copy_to(folder / "set")

        def play_now(measurement: _Measurement) -> Played:
            return play(nullcontext(home), measurement, means, admission, tell)

        for of in asked.contests:
            if request.full:
                _tell_time(of, found, request, home, tell)
            public = _Measurement(of, asked.bot, request, found, folder / "set")
            yield _measure(home, public, play_now, tell)


class _Measured(Playable):
    """The bot that is measured: it is let in and tried before anything is played."""

    has_paths = True
    bot: Version
    contests: Sequence[ReferenceContest]

    def __init__(self, request: ReferenceRequest, found: ReferenceSet, take_path: TakePath) -> None:
        self.how = RunOptions(jobs=request.jobs)
        self._request = request
        self._set = found
        self._take_path = taking_once(take_path)

    def look(self, home: Home) -> Found:
        request, found = self._request, self._set
        check_games(request.game)
        _ = request.drawn  # a file that holds no deals is refused before anything is kept
        listed = found.listed.games
        for game in request.game:
            for size in request.seats or [min(listed[game].blocks) if game in listed else 0]:
                found.contest(game, size)  # refuses what the set does not have
        sizes = {game: sorted(listed[game].blocks) for game in request.game or listed}
        bot = find_bot(home, request.bot or "", self._take_path)
        tables = WantedTables(sizes, bool(request.game), request.seats, smallest=True)
        entrants = who_plays(home, tables, [bot], must=1, least=1, guests=[bot])
        self.bot = bot
        self.contests = [found.contest(of.game, of.seats) for of in entrants.contests]
        # it is never stored: each measurement is a run of its own
        new = NewRun(
            entrants.bots, settings_for(home, entrants.contests, entrants.bots), b"", entrants.untried
        )
        return Found(None, None, new)


def _tell_time(
    of: ReferenceContest, found: ReferenceSet, request: ReferenceRequest, home: Home, tell: Tell
) -> None:
    """Tell how long the bots of the set will compute, from what they cost where they were recorded."""
    recorded = of.recorded
    scale = measure_pace(found.folder, of.game, of.seats) / recorded.pace
    fields = of.little, of.little + of.more
    little, more = (sum(recorded.seconds[bot] for bot in bots) / len(bots) for bots in fields)
    first, later = of.blocks
    others = of.seats - 1
    dearest = sum(recorded.seconds[bot] for bot in of.more) / max(1, len(of.more))
    matches = first * of.seats * others * little + later * of.seats * (dearest + (others - 1) * more)
    if request.deals is None:
        matches *= 1 + 1 / NEW_DEALS
    usable = len(usable_cores())
    cores = min(request.jobs or home.settings.run.jobs or usable, usable)
    text = f"{of.key}: the bots of {of.name} will compute for about {_spell(scale * matches / cores)}"
    tell(OperatorNote(f"{text} on {count(cores, 'core')}; your bot's own time comes on top"))


def _spell(seconds: float) -> str:
    minutes = max(1, round(seconds / 60))
    return f"{minutes} min" if minutes < 90 else f"{seconds / 3600:.1f} h"


# -- one game at one table size


class _Measurement(Playable):
    """One game at one table size, against the bots of the set."""

    def __init__(
        self,
        of: ReferenceContest,
        bot: Version,
        request: ReferenceRequest,
        found: ReferenceSet,
        folder: Path,
        new_deals_of: str | None = None,
    ) -> None:
        self.how = RunOptions(jobs=request.jobs)
        self.of = of
        self.bot = bot
        self.request = request
        self.found = found
        self.guests = [found.version(name, folder) for name in of.bots(full=request.full)]
        self.new_deals_of = new_deals_of
        self._folder = folder

    def on_new_deals(self, name: str) -> "_Measurement":
        """Return what stands beside this one, which is stored as *name*: a tenth of it on deals of now."""
        return _Measurement(self.of, self.bot, self.request, self.found, self._folder, name)

    def look(self, home: Home) -> Found:
        settings = self.settings(home)
        given = None if self.new_deals_of else self.of.secret(self.request.drawn)
        new = NewRun((self.bot, *self.guests), settings, secret_of(given, seed=None))
        unfinished = _find_run(home, settings, finished=False)
        return Found(*unfinished) if unfinished else Found(None, None, new)

    def hear(self, tell: Tell, store: Store) -> Tell:
        return _Watch(store, self.bot, self.guests, tell, ends=self.new_deals_of is None)

    def hint(self, error: LadderError, run: Run) -> str:
        if "ladder run" in error.hint:  # it speaks of a run that could go on without a bot
            return "the same command continues it; if your bot is to blame, correct it first"
        return error.hint

    def settings(self, home: Home) -> RunSettings:
        """Return those of the run: the game's own rule options, and the limits of *home* for the bot."""
        of, bot, request = self.of, self.bot, self.request
        options = {option: values[0] for option, values in GAMES[of.game].options.items()}
        contest = Contest(of.game, of.seats, options, tuple(range(1 + len(self.guests))))
        settings = settings_for(home, [contest], (self.bot, *self.guests))
        apart = settings.apart or LimitsApart()
        lifted = {guest.bot: LIFTED for guest in self.guests}
        lifted.pop(
            bot.bot, None
        )  # where a bot of the set is measured itself, all of that name have the home's
        first, later = of.count_blocks(full=request.full, is_new=self.new_deals_of is not None)
        return replace(
            settings,
            apart=replace(apart, bots={**apart.bots, **lifted}),
            asked=RunCommand(bots=(bot.id,), game=(of.game,), seats=(of.seats,)),
            reference=ReferenceTerms(
                name=of.name,
                digest=self.found.digest,
                little=len(of.little),
                blocks=first,
                deals=request.deals_mark,
                new_deals_of=self.new_deals_of,
            ),
            blocks=(first + later,),
            epochs=(first + later,),
            schedule="round-robin",
        )


def _measure(
    home: Home, public: _Measurement, play_now: Callable[[_Measurement], Played], tell: Tell
) -> ReferenceResult:
    """Play *public* and then its new deals; return what was measured, and whether the bot repeats itself."""
    of, request = public.of, public.request
    otherwise = find_otherwise(of, public.found.folder, full=request.full)
    store = _find_measured(home, public) or play_now(public).store
    name = store.folder.unrated_name
    result = replace(
        result_of(of, store.contents(), name, full=request.full),
        digest=public.found.digest,
        deals=request.deals_mark,
        limits=_other_limits(home, public.bot.bot),
        otherwise=otherwise,
    )
    if request.deals is None:  # no program can know secret deals
        store = play_now(public.on_new_deals(name)).store
        new = result_of(of, store.contents(), store.folder.unrated_name, full=request.full)
        worse = is_worse(of, of.bots(full=request.full), new.outcomes, result.outcomes)
        result = replace(result, new=new, worse=worse)
    if not result.sampled:
        return result
    try:
        same = repeats_itself(home, public.bot, [f"{name}/{number}" for number in _spread(result.sampled)])
    except (LadderError, OSError) as error:  # what was measured stays
        if isinstance(error, RunStopped):
            raise
        tell(OperatorNote(f"warning: the bot was not asked again: {error}"))
        return result
    return replace(result, repeats=same)


def _spread(numbers: Sequence[int]) -> list[int]:
    """Return at most ASKED_AGAIN of *numbers*, from the first to the last."""
    step = max(1, (len(numbers) - 1) // (ASKED_AGAIN - 1))
    return list(numbers[::step][:ASKED_AGAIN])


def _find_run(home: Home, settings: RunSettings, *, finished: bool) -> tuple[Store, Run] | None:
    """Return the newest run that began as with *settings*, and is *finished* or was stopped."""
    for store in reversed([*unrated_stores(home.results).values()]):
        runs = store.runs()
        if runs and (runs[-1].finished is not None) == finished and _began_with(runs[-1], settings):
            return store, runs[-1]
    return None


def _find_measured(home: Home, public: _Measurement) -> Store | None:
    """Return where the newest of *public* is that is finished, while its new deals are not."""
    store, _ = _find_run(home, public.settings(home), finished=True) or (None, None)
    new = store and public.on_new_deals(store.folder.unrated_name).settings(home)
    return store if new and _find_run(home, new, finished=False) else None


def _began_with(run: Run, settings: RunSettings) -> bool:
    """Return whether *run* is what would begin with *settings* today."""
    kept = ("reference", "asked", "blocks", "limits")
    return all(getattr(run.settings, each) == getattr(settings, each) for each in kept) and not changes(run)


def _other_limits(home: Home, name: str) -> tuple[str, ...]:
    """Return the limits that the bot called *name* had otherwise than a new home has them, as KEY=VALUE."""
    held, usual = home.settings.limits.of(name), LimitSettings()
    wanted = ("start_ms", "move_ms", "bank_ms", "match_s", "memory_mb", "retries")
    return tuple(f"{key}={getattr(held, key)}" for key in wanted if getattr(held, key) != getattr(usual, key))


class _Watch:
    """Hands on the events of a run, and *ends* it where most matches are faults of the bot.

    On new deals they are a result: a bot that carries the public ones may not know what to do.
    """

    def __init__(
        self, store: Store, bot: Version, guests: Sequence[Version], tell: Tell, *, ends: bool
    ) -> None:
        self._store = store
        self._bot = bot
        self._costly = tuple(f"{guest.bot} used" for guest in guests)
        self._tell = tell
        self._ends = ends
        self._name: int | str = ""

    def __call__(self, event: Event) -> None:
        """Take *event*.  Raises LadderError."""
        if isinstance(event, OperatorNote) and event.text.startswith(self._costly):
            return  # that bots of the set take their time is no surprise
        self._tell(event)
        match event:
            case Planned(_, _, name):
                self._name = name
            case Progress(status, _):
                faults = status.faults.total()
                if self._ends and faults >= FAULTS and 2 * faults > status.done:
                    ((kind, _),) = status.faults.most_common(1)
                    at_fault = self._most_faulty() or self._bot.bot
                    last = "correct the bot" if at_fault == self._bot.bot else "ladder doctor"
                    raise LadderError(
                        f"{count(faults, 'fault')} in the first {count(status.done, 'match')},"
                        f" most often {kind}, and most of {at_fault}: stopped, because this would measure"
                        " nothing else",
                        f"ladder faults --in {self._name}, which shows them; then {last}",
                    )
            case OperatorNote() | Ended():
                pass
            case _:
                assert_never(event)

    def _most_faulty(self) -> str:
        """Return the bot with the most faults that are stored; empty if none is yet."""
        counts = Counter[str]()
        for rows in self._store.contents().fault_parts(["bot", "charged"]):
            counts.update(rows.filter(rows.column("charged")).column("bot").to_pylist())
        return max(counts, key=lambda bot: (counts[bot], bot), default="")
