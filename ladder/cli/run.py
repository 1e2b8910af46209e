"""`ladder run`: the command that everything else serves."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, assert_never

from ladder.cli.log_lines import log_to_stderr
from ladder.cli.options import FormatOption, be_quiet, home_for_writing, note, store_of, wait_for_home
from ladder.cli.progress import SessionPrinter
from ladder.cli.worker import ON, check_cluster, prepare_cluster, say_speeds
from ladder.errors import LadderError, UsageProblem, first_of, suggest, whose
from ladder.machine.build import read_build, warn_of_stray
from ladder.run.match_options import HOME, QUIET, WAIT, known_game
from ladder.run.option import Option, Section, WrongOption
from ladder.run.run_options import RunRequest
from ladder.run.shard import MAKE_SECRET
from results.errors import ResultsError
from results.words import count, find_fit

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ladder.home.home import Home
    from ladder.home.night import NightReport
    from ladder.run.executors.base import WorkerSpeed
    from ladder.run.playing import Played
    from ladder.run.run_events import Event, Planned
    from results.record import Run

NEXT = """\
ladder run --games 10000     separates more places
        ladder replay last --html    a match, move by move
        ladder submit PATH           a bot of yours"""
"""What one may do after a run."""
SITE_MATCHES = 20
"""The matches with a page on the site of a chain: after each run all of them are new."""
NAMED = 5
"""The most new bots that a line names."""


@dataclass(frozen=True, kw_only=True)
class RunArguments(RunRequest):
    """What `ladder run` takes.  Raises WrongOption for options that do not go together."""

    on: Annotated[str | None, ON] = None
    transcript: Annotated[
        bool,
        Option(
            "Keep every line to and from the bots; `ladder replay MATCH --transcript` shows them.",
            section=Section.WORKERS,
        ),
    ] = False
    home: Annotated[Path | None, HOME] = None
    wait: Annotated[bool, WAIT] = False
    quiet: Annotated[bool, QUIET] = False
    report: Annotated[
        Path | None,
        Option("Write what is new since the last report to FILE: Markdown, or .json.", metavar="FILE"),
    ] = None
    site: Annotated[
        Path | None, Option("With --forever: write the site to FOLDER after each run.", metavar="FOLDER")
    ] = None
    format: FormatOption = "table"
    verbose: Annotated[bool, Option("Log what workers do.", ("--verbose", "-v"))] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_cluster(self.on, self.jobs)
        if self.report and self.unrated:
            raise WrongOption("--report", "it tells of ratings, which --unrated leaves as they are")
        if self.report and (self.report.is_dir() or not self.report.parent.is_dir()):
            raise WrongOption("--report", f"expected a file in a folder that is there, got: {self.report}")
        if self.quiet and (self.format != "table" or self.verbose):
            raise WrongOption("--quiet", "--format and --verbose print what it leaves out")
        if self.site and not self.forever:
            raise WrongOption("--site", "it goes with --forever; after one run, type: ladder site FOLDER")
        if self.forever and (self.format != "table" or self.transcript):
            other = "--transcript" if self.transcript else "--format"
            raise WrongOption(other, "it is for one run, not --forever")
        if self.on and self.transcript:
            raise WrongOption("--transcript", "lines are kept by workers of this machine only")


def run(asked: RunArguments) -> None:
    """Play matches in parallel and rate the bots.

    Ctrl-C stops the run after the matches in progress, a second Ctrl-C at once. The same command continues
    the run.

    With --forever, one run follows another, each with the bots submitted by then.

    Example: ladder run --games 10000
    """
    from ladder.cli.admitting import ADMISSION
    from ladder.home.night import failed_night
    from ladder.run.playing import Means
    from ladder.run.request import AskedRun
    from ladder.run.session import play

    _ = asked.secret  # a file that holds none is refused before anything is made
    for name in asked.game_names:
        known_game(name)
    tls = prepare_cluster(asked.on, asked.home)
    be_quiet(asked.quiet)
    wait_for_home(asked.wait)
    means = Means(cluster=asked.on, tls=tls, transcript=asked.transcript, log=log_to_stderr(asked.verbose))
    try:
        printer = _Printer(asked)
        if asked.forever:
            from ladder.machine.extras import check_web
            from ladder.run.link_chain import play_chain
            from ladder.web.site.folder import SiteFolder

            if asked.site:
                check_web("--site", "vl_convert")
                SiteFolder(asked.site)  # a folder that is no site is refused before anything is played
            opening = partial(home_for_writing, asked.home)
            play_chain(opening, asked, means, ADMISSION, printer, lambda played: _end_link(played, asked))
        session = AskedRun(asked)
        played = play(home_for_writing(asked.home), session, means, ADMISSION, printer)
        if session.was_over and played.run.finished:
            note(f"run {printer.name} has ended, whose time was over; now this command begins another")
            played = play(home_for_writing(asked.home), AskedRun(asked), means, ADMISSION, printer)
    except (LadderError, ResultsError) as error:
        if asked.report:
            _report(asked.report, failed_night(error, error.hint))
        if whose(error) == "machine" and printer.planned and not asked.quiet and asked.format == "table":
            _print_so_far(printer.planned)
        raise
    if asked.report:
        _report_new(asked.report, played)
    if asked.quiet:
        return
    _print_result(played, printer.workers, asked.format)
    if asked.transcript:
        name = str(played.store.folder.name_run(played.run.run))
        last = f"{name}/last" if played.store.folder.unrated_name else "last"
        note(f"transcripts: {played.home.transcripts / name}", f"ladder replay {last} --transcript")


def _end_link(played: Played, asked: RunArguments) -> None:
    """Say what a link of a chain has brought; write the report and the site, and send the notice."""
    from ladder.home.home import open_home

    run, numbers = played.run, played.home.roster.numbers()
    joined = run.settings.link.joined if run.settings.link else ()
    names = [f"{each.name}@{numbers.get((each.name, each.version), each.version)}" for each in joined]
    new = f"; new: {first_of(names, NAMED)}" if names else ""
    contents = played.store.contents()
    matches = sum(len(part) for part in contents.match_parts(["number"], run.run))
    note(f"run {run.run} has ended: {count(matches, 'match')} of {count(len(run.bots), 'bot')}{new}")
    command = open_home(played.home.path).settings.notify.command
    if asked.report or command:
        _report_new(asked.report, played, command)
    if asked.site:
        _write_site(asked.site, played.home)


def _write_site(folder: Path, home: Home) -> None:
    """Write the site; a chain goes on where that fails."""
    from ladder.web.site.site import write_site
    from ladder.web.site.site_options import SiteOptions

    try:
        write_site(home, folder, SiteOptions(matches=SITE_MATCHES))
    except LadderError as error:
        note(f"warning: the site is not written: {error}", error.hint)


def _report_new(path: Path | None, played: Played, command: Sequence[str] = ()) -> None:
    """Write what is new since the last report to *path*, and tell it to *command*."""
    from ladder.home.night import boards_of, keep_told, night_report
    from ladder.home.notify import send_notice

    contents = played.store.contents()
    boards = boards_of(played.home, contents, played.rated)
    told = night_report(played.home, contents, boards)
    event = {"event": "link", "report": told}
    for warning in send_notice((played.home.path, command, event)) if command else ():
        note(f"warning: {warning}")
    if path is None or _report(path, told):
        keep_told(played.home, told, contents, boards)


def _report(path: Path, report: NightReport) -> bool:
    """Write *report*; return whether that could be done: a full disk must not hide how the run ended."""
    from ladder.home.night_document import write_report

    try:
        write_report(path, report)
    except OSError as error:
        note(f"warning: the report could not be written: {error}", "the next report tells of this run, too")
        return False
    return True


class _Printer(SessionPrinter):
    """Prints the events of a run, and shows its progress."""

    def __init__(self, request: RunArguments) -> None:
        super().__init__(quiet=request.quiet)
        self._request = request
        self.workers: Sequence[WorkerSpeed] = ()
        """How fast the workers of a cluster have played."""
        self.planned: Planned | None = None
        """What is played, once that is known."""

    def __call__(self, event: Event) -> None:
        from ladder.run.run_events import Ended, OperatorNote, Planned, Progress

        super().__call__(event)
        match event:
            case Planned(home, run, name):
                if not self._request.resume:
                    _say_plan(run, self._request.games)
                _warn_of_denied(home, run)
                _warn_of_unknown(home)
                warn_of_seed(run)
                _say_build(is_first=name == 1)
                self.planned, self.name = event, name
            case Ended(_, workers):
                self.workers = workers
                if workers and self._request.format == "table":
                    say_speeds(workers)
            case OperatorNote() | Progress():
                pass
            case _:
                assert_never(event)


def _warn_of_unknown(home: Home) -> None:
    """Warn of names and patterns in ladder.toml that are for no bot."""
    from ladder.home.house_bots import pending

    here = {version.bot for version in home.roster.versions()} | {*pending(home)}
    settings = home.settings
    places: list[tuple[str, Iterable[str]]]
    places = [("[limits.bots]", settings.limits.bots), ("[allow] network", settings.allow.network)]
    places += [(f"[quota.{name}]", quota.bots or ("",)) for name, quota in settings.quota.items()]
    for place, names in places:
        for name in names:
            if not any(find_fit(bot, (name,)) for bot in here):
                what = f"names {name}, and there is no such bot" if name else "names no bot"
                note(f"warning: {place} in ladder.toml {what}{suggest(name, here)}")


def _warn_of_denied(home: Home, run: Run) -> None:
    """Warn of bots that ask for what they will not have: they were submitted before that was so."""
    for id_ in run.bot_ids:
        try:
            home.check_allowed(home.roster.find(id_).manifest)
        except UsageProblem as problem:
            note(f"warning: {problem}", problem.hint)


def _say_build(is_first: bool) -> None:
    """Say in a home's first run if the ladder is not compiled, as `pip -q` does not; warn of stray files."""
    if warning := warn_of_stray():
        note(f"warning: {warning}", "remove the compiled files")
    elif is_first and not (build := read_build()).compiled:
        note(f"running uncompiled sources: {build.how}", build.hint)


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
        blocks = count(shard.end - shard.first, "block", sum(settings.blocks or ()))
        what = f"shard {shard.number} of {shard.of}: {blocks}"
        note(what, "ladder home merge HOME..., when all are played")


def warn_of_seed(run: Run) -> None:
    """Say if bots could know the cards of *run*."""
    if run.guessable and run.settings.asked:
        seed = run.settings.asked.seed
        note(
            f"warning: bots can know every card of this run: --seed {seed} can be guessed",
            "--seed @FILE, which also repeats the deals and cannot be guessed; "
            f"a file is made by: {MAKE_SECRET.format(file='FILE')}",
        )


def _print_so_far(planned: Planned) -> None:
    """Print the leaderboards of what was played: the run has ended before its time, and can be continued."""
    from ladder.cli.print_boards import print_leaderboards, say_anchors
    from results.rating.cache import ratings_of

    home, run = planned.home, planned.run
    contents = store_of(home, planned.name if isinstance(planned.name, str) else None).contents()
    rated = [each for game, each in sorted(ratings_of(contents).items()) if game in run.ratings]
    print_leaderboards(rated, "table", home, contents, hidden=home.hidden_versions() - {*run.bot_keys})
    if not contents.folder.unrated_name:
        say_anchors(rated, home)


def _print_result(played: Played, workers: Sequence[WorkerSpeed], form: str) -> None:
    import json

    from ladder.cli.print_boards import print_leaderboards, say_anchors, say_guessable
    from results.reports.board_marks import add_remote
    from results.reports.costs import costs_of, say_run_costs
    from results.reports.leaderboard import GameBoard, leaderboard
    from results.reports.limit_sets import remote_bots

    home, run, rated = played.home, played.run, played.rated
    games = sorted(run.ratings)
    chosen = [rated[game] for game in games if game in rated]
    counted = [] if played.store.folder.unrated_name else chosen
    hidden = home.hidden_versions() - {*run.bot_keys}
    contents = played.store.contents()
    if form == "json":
        boards = {
            game: leaderboard(GameBoard(rated[game], hidden)) if game in rated else [] for game in games
        }
        if away := remote_bots(contents):
            boards = {game: add_remote(rows, away) for game, rows in boards.items()}
        name = played.store.folder.name_run(run.run)
        answer: dict[str, Any] = {"run": name, "home": str(home.path), "leaderboards": boards}
        if workers:
            answer["workers"] = [worker._asdict() for worker in workers]
        json.dump(answer, sys.stdout, indent=2)
        print()
        say_guessable(contents, games)
        say_anchors(counted, home)
        return
    print_leaderboards(chosen, form, home, contents, hidden=hidden, hints=False)
    say_anchors(counted, home)
    if cost := say_run_costs(costs_of(contents, run=run.run)):
        note(f"\n{cost}", "ladder leaderboard --columns cost_usd,total_cost_usd,input_tokens,output_tokens")
    if name := played.store.folder.unrated_name:
        note(
            f"\nthese matches do not count; they are in {played.store.folder.root}",
            f"ladder matches --in {name}, ladder replay {name}/0, ladder duel",
        )
        return
    note(f"\nresults: {home.results}", NEXT)
