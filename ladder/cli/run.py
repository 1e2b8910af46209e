"""`ladder run`: the command that everything else serves."""

from __future__ import annotations

import logging
import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TextIO

import typer

from ladder.cli.options import (
    FIRST_RUN,
    HomeOption,
    complete_bots,
    complete_games,
    home_for_writing,
    jobs_option,
    known_game,
    note,
    refuse,
    store_of,
    whole,
)
from ladder.cli.program_name import as_called
from ladder.cli.streams import fitted
from ladder.cli.worker import place, with_dask
from ladder.errors import short
from ladder.run.shard import Shard
from ladder.seed import LEAST, Seed

if TYPE_CHECKING:
    from ladder.executors.base import Executor
    from ladder.executors.local import Pin
    from ladder.home import Home
    from ladder.run.request import Request
    from ladder.run.status import Stop
    from ladder.worker.spending import Spending
    from results.rating.fold import Fold
    from results.record import Run
    from results.storage.store import Store

__all__ = ["run"]

LONGEST_S = 8_760 * 3600
"""A year: the most that --for takes."""


def _shard(text: str) -> Shard:
    try:
        return Shard.read(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def _seed(text: str) -> Seed:
    try:
        return Seed.read(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def run(
    bots: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="BOT",
            help="NAME, NAME@NUMBER or NAME@HASH; all bots if none is named.",
            autocompletion=complete_bots,
        ),
    ] = None,
    game: Annotated[
        list[str] | None,
        typer.Option(
            "--game",
            metavar="GAME",
            help="Play this game; may be repeated.",
            show_default="all",
            autocompletion=complete_games,
        ),
    ] = None,
    seats: Annotated[
        list[int] | None,
        typer.Option(
            "--seats",
            parser=whole(2, 6),
            metavar="N",
            help="Play at tables of this size; may be repeated.",
            show_default="every size",
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            "-o",
            metavar="GAME.OPTION=VALUE",
            help="A rule option, see `ladder games`; may be repeated.",
            show_default="as in ladder.toml",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games", "-g", parser=whole(1), metavar="N", help="How many matches.", show_default="1000"
        ),
    ] = None,
    duration: Annotated[
        str | None, typer.Option("--for", metavar="TIME", help="Play for so long instead: 90s, 30m, 1h30m.")
    ] = None,
    seed: Annotated[
        Seed | None,
        typer.Option(
            parser=_seed,
            metavar="N|TEXT",
            help="A number, for tests: the same deals again, and bots could know every card. A secret text "
            f"of {LEAST} characters or more is safe from bots, but others on this machine may see it in the "
            "list of processes; better is --secret-file.",
            show_default="secret",
        ),
    ] = None,
    secret_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Take the run's secret, 32 hex digits, from a file: the same deals again, and safe.",
            show_default="a new one",
        ),
    ] = None,
    shard: Annotated[
        Shard | None,
        typer.Option(parser=_shard, metavar="I/N", help="Play this part of the run; then: ladder merge."),
    ] = None,
    jobs: Annotated[int | None, jobs_option("Worker processes.")] = None,
    schedule: Annotated[
        Literal["adaptive", "round-robin"] | None,
        typer.Option(help="Who meets whom.", show_default="adaptive"),
    ] = None,
    in_progress: Annotated[
        int,
        typer.Option(
            parser=whole(1, 1024), metavar="N", help="Matches at once with bots that allow several."
        ),
    ] = 32,
    pin: Annotated[
        Literal["auto", "on", "off"], typer.Option(help="Keep each worker and its bots on one core.")
    ] = "auto",
    on: Annotated[
        str | None,
        typer.Option(
            parser=place,
            metavar="CLUSTER",
            help="Play on a Dask cluster: tcp://HOST:PORT, or local-cluster:N to try it.",
            show_default="this machine",
        ),
    ] = None,
    sandbox: Annotated[
        Literal["auto", "bwrap", "landlock", "none"] | None,
        typer.Option(
            metavar="TIER",
            help="How bots are confined: bwrap, landlock, none, or auto.",
            show_default="the first that holds here",
        ),
    ] = None,
    require_sandbox: Annotated[
        bool, typer.Option("--require-sandbox", metavar="", help="Rather play nothing than unconfined.")
    ] = False,
    home: HomeOption = None,
    resume: Annotated[
        bool, typer.Option("--resume", metavar="", help="Continue the unfinished run, whatever it was.")
    ] = False,
    without: Annotated[
        list[str] | None,
        typer.Option(
            "--without",
            metavar="BOT",
            help="With --resume: go on without this bot; may be repeated.",
            autocompletion=complete_bots,
        ),
    ] = None,
    new: Annotated[
        bool, typer.Option("--new", metavar="", help="End the unfinished run as it is and begin another.")
    ] = False,
    json: Annotated[
        bool, typer.Option("--json", metavar="", help="Print run and leaderboards as JSON.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", metavar="", help="Log what workers do.")
    ] = False,
) -> None:
    """Let bots play, in parallel, and rate them.

    Ctrl-C stops after the matches in hand, a second one at once; the same command continues the run.

    Example: ladder run --games 10000
    """
    from ladder.run.request import Request, leave_out
    from ladder.run.shard import read_secret

    seconds = None if duration is None else _seconds(duration)
    if seconds and games:
        raise typer.BadParameter("give either --games or --for", param_hint="--for")
    if resume and new:
        raise typer.BadParameter("give either --resume or --new", param_hint="--new")
    if without and not resume:
        raise typer.BadParameter("it needs --resume: it is for the unfinished run", param_hint="--without")
    if secret_file and seed is not None:
        raise typer.BadParameter("give either --seed or --secret-file", param_hint="--secret-file")
    if on and (jobs or pin != "auto"):
        raise typer.BadParameter("--jobs and --pin are for workers of this machine", param_hint="--on")
    handler = _log_to_stderr(verbose)
    if on:
        with with_dask():
            from ladder.executors.cluster import reach
        reach(on)  # before anything is made, or stored
    secret = read_secret(secret_file) if secret_file else seed.secret if seed else None
    request = Request(
        bots=tuple(bots or ()),
        games=tuple(game or ()),
        seats=tuple(seats or ()),
        options=tuple(option or ()),
        matches=games,
        seconds=seconds,
        seed=seed.number if seed else None,
        schedule=schedule,
        secret=secret,
        source="seed" if seed else "secret-file",
        shard=shard,
    )
    with ExitStack() as stack:
        stack.enter_context(_on_signals(_leave, signal.SIGTERM, signal.SIGHUP))
        with home_for_writing(home) as where:
            _confine(where, sandbox, require_sandbox)
            store = store_of(where)
            if store.unfinished_run():  # perhaps it is being played right now: then nothing else matters
                stack.enter_context(store.lock())
            if not _to_continue(store, request, resume, new):
                _check(where, request)
            if not store.is_locked:
                stack.enter_context(store.lock())
            record = _to_continue(store, request, resume, new) or _begin(where, store, request)
            if without:
                record = leave_out(where, store, record, without)
        if not resume:
            _say_plan(record, games)
        _warn_of_denied(where, record)
        _say_guessable(record)
        fold = _play(where, store, record, handler, jobs, in_progress, pin, on)
    _print_result(where, record, fold, json)


def _seconds(text: str) -> float:
    match = re.fullmatch(r"(?:([0-9]{1,9})h)?(?:([0-9]{1,9})m)?(?:([0-9]{1,9})s?)?", text)
    total = (
        sum(int(part or 0) * unit for part, unit in zip(match.groups(), (3600, 60, 1), strict=True))
        if match
        else 0
    )
    if not 0 < total <= LONGEST_S:
        raise typer.BadParameter(
            f"expected a time such as 90s, 30m or 1h30m, up to {LONGEST_S // 3600:,}h, got: {short(text)!r}",
            param_hint="--for",
        )
    return float(total)


class _ToStderr(logging.StreamHandler[TextIO]):
    """Writes to what is stderr at that moment: a live bar moves down for what is said above it."""

    def emit(self, record: logging.LogRecord) -> None:
        self.stream = sys.stderr
        super().emit(record)

    def format(self, record: logging.LogRecord) -> str:
        return fitted(as_called(super().format(record)))


def _log_to_stderr(verbose: bool) -> logging.Handler:
    from ladder.unexpected import OneLine

    handler = _ToStderr()
    form = "%(levelname)s %(name)s[%(process)d]: %(message)s"
    handler.setFormatter(logging.Formatter(form) if verbose else OneLine(form))
    logging.basicConfig(level=logging.DEBUG if verbose else logging.WARNING, handlers=[handler])
    return handler


def _to_continue(store: Store, request: Request, resume: bool, new: bool) -> Run | None:
    """Return the unfinished run if this is its command, None for a new one.  Raises UsageProblem."""
    from ladder.errors import UsageProblem
    from ladder.run.request import changes, differences

    open_run = store.unfinished_run()
    if open_run is None and resume:
        raise UsageProblem("there is no unfinished run to resume", FIRST_RUN)
    if open_run is None or new:
        return None
    if changed := changes(open_run):
        raise UsageProblem(
            f"run {open_run.run} is not finished, and cannot be continued: {'; '.join(changed)}",
            "ladder run --new, which ends it as it is; or continue it with the ladder that began it",
        )
    if not resume and (differing := differences(request, open_run)):
        raise UsageProblem(
            f"run {open_run.run} is not finished, and this command differs: {'; '.join(differing)}",
            "ladder run --resume, which continues it; or add --new, to end it as it is and begin this one",
        )
    return open_run


def _confine(home: Home, tier: str | None, require: bool) -> None:
    """Let bots be confined by *tier*, if one is named; say what is not protected."""
    from msgspec.structs import replace

    from ladder.process.tiers import chosen

    if tier:
        confined = replace(home.settings.sandbox, tier=tier)
        home.settings = replace(home.settings, sandbox=confined)
    choice = chosen(home.settings.sandbox.tier, require)
    if choice.warning:
        note(f"warning: {choice.warning}")


def _check(home: Home, request: Request) -> None:
    """Refuse what cannot be played, before anything is stored; let in the house bots that are to come."""
    from ladder.admission.house import add
    from ladder.house import candidates, check_here, pending
    from ladder.run.request import check_request

    for game in request.games:
        known_game(game)
    check_here(home, request.bots)
    coming = pending(home, request.bots)
    check_request(home, request, candidates(home, coming))
    if coming:
        add(home, coming, note)
        check_request(home, request)


def _begin(home: Home, store: Store, request: Request) -> Run:
    """Begin a new run, after the unfinished one, if there is one, was ended as it is."""
    from ladder.run.request import begin

    if open_run := store.unfinished_run():
        store.abandon(open_run.run)
        note(f"run {open_run.run} is ended as it is")
    return begin(home, store, request)


def _warn_of_denied(home: Home, run: Run) -> None:
    """Warn of bots that ask for what they will not have: they were submitted before that was so."""
    from ladder.errors import UsageProblem

    for bot in run.bots:
        try:
            home.check_allowed(home.roster.find(f"{bot['name']}@{bot['version']}").manifest)
        except UsageProblem as problem:
            note(f"warning: {problem}", problem.hint)


def _say_plan(run: Run, games: int | None) -> None:
    """Say where what is played differs from what one might expect."""
    for what in run.settings.left_out:
        note(f"left out: {what}")
    settings = run.settings
    if games and settings.blocks:
        matches = sum(n * c.seats for n, c in zip(settings.blocks, settings.contests, strict=True))
        if matches != games:
            note(f"--games {games:,} is rounded up to {matches:,}: every deal is played from all seats")
    if shard := settings.shard:
        blocks = f"{shard.end - shard.first:,} of {sum(settings.blocks or ()):,} blocks"
        note(f"shard {shard.number} of {shard.of}: {blocks}; when all are played: ladder merge HOME...")


def _say_guessable(run: Run) -> None:
    """Say if bots could know the cards of *run*."""
    from ladder.run.shard import MAKE_SECRET

    if run.guessable and run.settings.asked:
        seed = run.settings.asked.seed
        note(
            f"warning: bots can know every card of this run: --seed {seed} can be guessed",
            "--secret-file FILE, which makes the same deals every time, too, and is safe; "
            f"a file is made by: {MAKE_SECRET.format(file='FILE')}",
        )


def _play(
    home: Home,
    store: Store,
    record: Run,
    handler: logging.Handler,
    jobs: int | None,
    in_progress: int,
    pin: Pin,
    on: str | None,
) -> Fold:
    from ladder.cli.progress import display
    from ladder.cores import usable_cores
    from ladder.executors.local import LocalExecutor
    from ladder.run.coordinator import Coordinator
    from ladder.run.setup import setup_of

    jobs = jobs or home.settings.run.jobs or len(usable_cores())
    if not on and jobs > (cores := len(usable_cores())):
        note(f"warning: {jobs} jobs on {cores} cores: bots wait for each other, and clocks may run out")
    setup = setup_of(home, record, in_progress)
    show = display(record.run)
    running = Coordinator.resume(store, record, setup, show.show)
    for left in running.run.settings.without:
        since = f"planned without it from block {left.since:,} on; its matches before that are void"
        note(f"run {record.run} goes on without {left.name}@{left.version}: {since}")
    if running.status.done:
        note(f"run {record.run} continues: {running.status.done:,} matches are done")
    try:
        level = logging.getLogger().level
        with _stopping() as stop, ExitStack() as stack:
            executor: Executor
            if on:
                with with_dask():
                    from ladder.executors.cluster import on_cluster
                executor = stack.enter_context(on_cluster(on, setup))
            else:
                executor = stack.enter_context(closing(LocalExecutor(setup, jobs, pin, handler, level)))
            running.play(executor, stop)
        running.hear_outlays(executor)
    finally:
        show.close(running.status)
    _say_spending(home, record, running.spending)
    return running.fold


def _say_spending(home: Home, run: Run, spending: Spending) -> None:
    """Say who took far more time than the others, and whose processes had to be killed after `bye`."""
    from results.reports.labels import labels

    label = labels(((bot["name"], bot["version"]) for bot in run.bots), home.roster.numbers())
    names = {f"{name}@{version}": text for (name, version), text in label.items()}
    for share in spending.outliers():
        spent = f"{share.think_s:,.1f} s thinking, {share.start_s:,.1f} s in {share.starts:,} starts"
        note(
            f"{names[share.bot]} used {share.part:.0%} of the time: {spent}",
            "a line match_s = SECONDS in [limits] of ladder.toml bounds a bot's time in a match",
        )
    for bot, count in spending.overstayed().items():
        note(f"{names[bot]} did not exit after bye: {count:,} of its processes were killed")


@contextmanager
def _on_signals(handler: Callable[[int, object], None], *numbers: signal.Signals) -> Iterator[None]:
    """Call *handler* for these signals, but for those that we were started to ignore, as by nohup."""
    before = {number: signal.getsignal(number) for number in numbers}
    heeded = [number for number in numbers if before[number] != signal.SIG_IGN]
    for number in heeded:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number in heeded:
            signal.signal(number, before[number])


def _leave(number: int, _: object) -> None:
    """End the command before it plays, or after; not by an error, which might be taken for that of a bot."""
    raise SystemExit(refuse("stopped", "the same command again", 143))


@contextmanager
def _stopping() -> Iterator[Stop]:
    """Turn the signals that end programs into wishes, which the run looks at between two blocks."""
    from ladder.run.status import Stop

    stop = Stop()

    def wish(number: int, _: object) -> None:
        stop.asked += 1
        stop.exit_code = 130 if number == signal.SIGINT else 143
        if stop.asked == 1:
            with suppress(RuntimeError):  # we were interrupted in the middle of saying something else
                note("stopping: matches in hand may finish; once more to stop at once")

    with _on_signals(wish, signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        yield stop


def _print_result(home: Home, run: Run, fold: Fold, as_json: bool) -> None:
    import json

    from ladder.cli.leaderboard import print_leaderboards, say_guessable
    from results.reports.tables import leaderboard

    games = sorted(run.ratings)
    store = store_of(home)
    if as_json:
        boards = {game: leaderboard(fold.standings.values(), game) for game in games}
        json.dump({"run": run.run, "home": str(home.path), "leaderboards": boards}, sys.stdout, indent=2)
        print()
        say_guessable(store, games)
        return
    print_leaderboards(fold.standings.values(), games, "table", home)
    note(
        f"\nresults: {home.results}/matches/*.parquet, {home.results}/ratings.parquet",
        "ladder matches, ladder replay last, ladder matrix, ladder submit PATH, ladder run --help",
    )
