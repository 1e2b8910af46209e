"""One command that measures a bot: each game and table size is an unrated run against the reference set."""

from __future__ import annotations

import shlex
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from pathlib import Path
from typing import assert_never

from msgspec.structs import replace as replace_fields

from engines import GAMES
from ladder.errors import LadderError, RunStopped, UsageProblem, suggest
from ladder.home.home import Home, confine_home
from ladder.home.house_bots import expecting, pending
from ladder.home.settings import LimitSettings
from ladder.live.comparison import repeats_itself
from ladder.machine.cores import usable_cores
from ladder.reference.reference_request import ReferenceRequest
from ladder.reference.reference_result import ReferenceResult, result_of
from ladder.reference.reference_set import ReferenceContest, ReferenceSet
from ladder.reference.set_match import measure_pace
from ladder.registry.roster import scratch_folder
from ladder.registry.version import Version
from ladder.run.duel_request import TakePath, find_bot
from ladder.run.playing import Means, play_stored
from ladder.run.request import changes, settings_for, store_run, untried_in
from ladder.run.run_events import Ended, Event, OperatorNote, Planned, Progress, Tell
from ladder.run.run_options import RunOptions
from ladder.run.session import Admission
from ladder.run.signals import leaving
from results.record import Contest, LimitsApart, ReferenceTerms, Run, RunCommand, RunSettings
from results.storage.store import Store
from results.storage.unrated import make_unrated, unrated_stores
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

    def say(text: str) -> None:
        tell(OperatorNote(text))

    wanted = request.bot or ""
    with ExitStack() as stack:
        stack.enter_context(leaving())
        with opening as home:
            _find(expecting(home, pending(home)), request, found, take_path)
            home = confine_home(home, say)
            if (name := wanted.partition("@")[0]) in pending(home):
                admission.let_in(home, [name], say)
            bot, contests = _find(home, request, found, take_path)
            if untried := untried_in([bot], [Contest(of.game, of.seats, {}, (0,)) for of in contests]):
                admission.try_games(home, untried, request.jobs or home.settings.run.jobs, say)
                bot = home.roster.find(bot.id)
                if unfit := [of for of in contests if not bot.plays(of.game, of.seats)]:
                    where = f"{unfit[0].game} for {unfit[0].seats}"
                    hint = f"ladder check {shlex.quote(wanted)}"
                    raise UsageProblem(f"{bot.id} fails at {where} against itself", hint)
        folder = scratch_folder(home.path, "reference")
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        found.copy_to(folder / "set")
        for of in contests:
            if request.full:
                _tell_time(of, found, request.jobs or home.settings.run.jobs, tell)
            yield _measure(home, of, bot, request, found, folder / "set", means, tell)


def _find(
    home: Home, request: ReferenceRequest, found: ReferenceSet, take_path: TakePath
) -> tuple[Version, list[ReferenceContest]]:
    """Return the bot and what it is measured at.  Raises LadderError if there is nothing."""
    for game in request.game:
        if game not in GAMES:
            raise UsageProblem(f"there is no game {game!r}{suggest(game, GAMES)}", "ladder games")
    _ = request.drawn  # a file that holds no deals is refused before anything is kept
    for game in request.game:
        _sizes(found, game, request.seats)
    bot = find_bot(home, request.bot or "", take_path)
    for game in request.game:
        if not bot.plays(game):
            played = ", ".join(name for name in found.listed.games if bot.plays(name)) or "none of the set"
            raise UsageProblem(
                f"{bot.id} does not play {game}: it plays {played}", "name another with --game"
            )
        bot.check_sizes(game, request.seats, GAMES[game].seats)
    contests = [
        found.contest(game, size)
        for game in dict.fromkeys(request.game or found.listed.games)
        for size in _common(found, game, request.seats, bot)
    ]
    if not contests:
        sizes = f" at tables of {', '.join(map(str, request.seats))}" if request.seats else ""
        listed = ", ".join(found.listed.games)
        raise UsageProblem(
            f"{bot.id} plays no game of {found.name}{sizes}: it is for {listed}", "measure another bot"
        )
    return bot, contests


def _sizes(found: ReferenceSet, game: str, seats: Sequence[int]) -> list[ReferenceContest]:
    """Return what *found* has for *game* at these table sizes, or at the smallest.

    Raises LadderError where it has nothing.
    """
    of = found.listed.games.get(game)
    return [found.contest(game, size) for size in seats or [min(of.blocks) if of else 0]]


def _common(found: ReferenceSet, game: str, seats: Sequence[int], bot: Version) -> Sequence[int]:
    """Return at which of these sizes *bot* plays *game* in *found*; the smallest if none is named."""
    sizes = bot.sizes(game, sorted(found.listed.games[game].blocks))
    return [size for size in seats if size in sizes] if seats else sizes[:1]


def _tell_time(of: ReferenceContest, found: ReferenceSet, jobs: int | None, tell: Tell) -> None:
    """Tell how long the bots of the set will compute, from what they cost where they were recorded."""
    recorded = of.recorded
    scale = measure_pace(found.folder, of.game, of.seats) / recorded.pace
    little, more = (_mean_cost(of, bots) for bots in (of.little, of.little + of.more))
    first, later = of.blocks
    others = of.seats - 1
    dearest = sum(recorded.seconds[bot] for bot in of.more) / max(1, len(of.more))
    matches = first * of.seats * others * little + later * of.seats * (dearest + (others - 1) * more)
    cores = min(jobs or len(usable_cores()), len(usable_cores()))
    text = f"{of.key}: the bots of {of.name} will compute for about {_spell(scale * matches / cores)}"
    tell(OperatorNote(f"{text} on {count(cores, 'core')}; your bot's own time comes on top"))


def _mean_cost(of: ReferenceContest, bots: Sequence[str]) -> float:
    return sum(of.recorded.seconds[bot] for bot in bots) / len(bots)


def _spell(seconds: float) -> str:
    minutes = max(1, round(seconds / 60))
    return f"{minutes} min" if minutes < 90 else f"{seconds / 3600:.1f} h"


# -- one game at one table size


def _measure(
    home: Home,
    of: ReferenceContest,
    bot: Version,
    request: ReferenceRequest,
    found: ReferenceSet,
    folder: Path,
    means: Means,
    tell: Tell,
) -> ReferenceResult:
    guests = [found.version(name, folder) for name in of.bots(full=request.full)]
    settings = _settings(home, of, bot, guests, request, found)
    means = replace(means, guests=guests)
    how = RunOptions(jobs=request.jobs)
    with ExitStack() as stack:
        store, run = _find_unfinished(home, settings) or (make_unrated(home.results), None)
        stack.enter_context(store.lock())
        run = run or store_run(home, store, settings, (bot, *guests), of.secret(request.drawn), guests)
        try:
            played = play_stored(home, store, run, how, means, _Watch(store, bot, guests, tell))
        except LadderError as error:
            if "ladder run" in error.hint:  # it speaks of a run that could go on without a bot
                error.hint = "the same command continues it; if your bot is to blame, correct it first"
            raise
    contents = played.store.contents()
    result = result_of(of, contents, run.run, contents.folder.unrated_name, full=request.full)
    result = replace_fields(
        result,
        digest=found.digest,
        deals=request.deals_mark,
        limits=_other_limits(home, bot.bot),
        provisional=of.is_provisional,
    )
    if not result.sampled:
        return result
    try:
        same = repeats_itself(home, bot, [f"{result.run}/{number}" for number in _spread(result.sampled)])
    except (LadderError, OSError) as error:  # what was measured stays
        if isinstance(error, RunStopped):
            raise
        tell(OperatorNote(f"warning: the bot was not asked again: {error}"))
        return result
    return replace_fields(result, repeats=same)


def _spread(numbers: Sequence[int]) -> list[int]:
    """Return at most ASKED_AGAIN of *numbers*, from the first to the last."""
    step = max(1, (len(numbers) - 1) // (ASKED_AGAIN - 1))
    return list(numbers[::step][:ASKED_AGAIN])


def _settings(
    home: Home,
    of: ReferenceContest,
    bot: Version,
    guests: Sequence[Version],
    request: ReferenceRequest,
    found: ReferenceSet,
) -> RunSettings:
    """Return the settings of the run: the game's own rule options, and the limits of the home for the bot."""
    options = {option: values[0] for option, values in GAMES[of.game].options.items()}
    contest = Contest(of.game, of.seats, options, tuple(range(1 + len(guests))))
    settings = settings_for(home, [contest])
    apart = settings.apart or LimitsApart()
    lifted = {guest.bot: LIFTED for guest in guests}
    lifted.pop(bot.bot, None)  # a bot of the set that is measured itself: all of that name have the home's
    blocks = of.blocks[0] + (of.blocks[1] if request.full else 0)
    return replace_fields(
        settings,
        apart=replace_fields(apart, bots={**apart.bots, **lifted}),
        asked=RunCommand(bots=(bot.id,), game=(of.game,), seats=(of.seats,)),
        reference=ReferenceTerms(
            name=of.name,
            digest=found.digest,
            little=len(of.little),
            blocks=of.blocks[0],
            deals=request.deals_mark,
        ),
        blocks=(blocks,),
        epochs=(blocks,),
        schedule="round-robin",
    )


def _find_unfinished(home: Home, settings: RunSettings) -> tuple[Store, Run] | None:
    """Return the newest run that began as this one, and was stopped."""
    for store in reversed([*unrated_stores(home.results).values()]):
        runs = store.runs()
        if runs and runs[-1].finished is None and runs[-1].settings.reference == settings.reference:
            run = runs[-1]
            same = run.settings.asked == settings.asked and run.settings.blocks == settings.blocks
            if same and run.settings.limits == settings.limits and not changes(run):
                return store, run
    return None


def _other_limits(home: Home, name: str) -> tuple[str, ...]:
    """Return the limits that the bot called *name* had otherwise than a new home has them, as KEY=VALUE."""
    held, usual = home.settings.limits.of(name), LimitSettings()
    wanted = ("start_ms", "move_ms", "bank_ms", "match_s", "memory_mb", "retries")
    return tuple(f"{key}={getattr(held, key)}" for key in wanted if getattr(held, key) != getattr(usual, key))


class _Watch:
    """Hands on the events of a run, and ends it where most matches are faults of the bot."""

    def __init__(self, store: Store, bot: Version, guests: Sequence[Version], tell: Tell) -> None:
        self._store = store
        self._bot = bot
        self._costly = tuple(f"{guest.bot} used" for guest in guests)
        self._tell = tell
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
                if faults >= FAULTS and 2 * faults > status.done:
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
