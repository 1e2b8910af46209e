"""`ladder run`: the command that everything else serves."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ladder.cli.logs import log_to_stderr
from ladder.cli.match_options import (
    UNFINISHED,
    WHAT,
    WORKERS,
    RequireSandboxOption,
    SandboxOption,
    SecretFileOption,
    SeedOption,
    WorkersOption,
    games_option,
    secret_from,
    sizes_option,
)
from ladder.cli.options import (
    HomeOption,
    complete_bots,
    home_for_writing,
    known_game,
    note,
    refuse,
    whole,
)
from ladder.cli.worker import place, with_dask
from ladder.errors import short
from ladder.run.shard import Shard

if TYPE_CHECKING:
    from ladder.cli.progress import Display
    from ladder.home.home import Home
    from ladder.run.request import Request
    from ladder.run.session import Event, Played
    from results.record import Run

__all__ = ["run", "warn_of_seed"]

LONGEST_S = 8_760 * 3600
"""A year: the most that --for takes."""


def _shard(text: str) -> Shard:
    try:
        return Shard.read(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def run(
    bots: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="BOT",
            help="NAME, NAME@NUMBER or NAME@HASH; without it, all bots.",
            autocompletion=complete_bots,
        ),
    ] = None,
    game: Annotated[list[str] | None, games_option("all")] = None,
    seats: Annotated[list[int] | None, sizes_option("every size")] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            "-o",
            metavar="GAME.OPTION=VALUE",
            help="A rule option, see `ladder games`; may be repeated.",
            show_default="as in ladder.toml",
            rich_help_panel=WHAT,
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            "-g",
            parser=whole(1),
            metavar="N",
            help="Number of matches.",
            show_default="1000, or with --for no limit",
            rich_help_panel=WHAT,
        ),
    ] = None,
    duration: Annotated[
        str | None,
        typer.Option(
            "--for",
            metavar="TIME",
            help="Stop after this time: 90s, 30m, 1h30m; with --games, whichever comes first.",
            rich_help_panel=WHAT,
        ),
    ] = None,
    schedule: Annotated[
        Literal["adaptive", "round-robin", "gauntlet"] | None,
        typer.Option(
            help="How bots are paired. In a gauntlet, the first BOT plays at every table.",
            show_default="adaptive",
            rich_help_panel=WHAT,
        ),
    ] = None,
    until: Annotated[
        Literal["order"] | None,
        typer.Option(help="Stop earlier, once the order of the bots is known.", rich_help_panel=WHAT),
    ] = None,
    max_faults: Annotated[
        int | None,
        typer.Option(
            parser=whole(2),
            metavar="N",
            help="Stop earlier, with fault number N; of one bot at most 20 count, and fewer than N.",
            rich_help_panel=WHAT,
        ),
    ] = None,
    unrated: Annotated[
        bool,
        typer.Option(
            "--unrated",
            metavar="",
            help="Keep the matches apart: they do not count. Another run may go on beside them.",
            rich_help_panel=WHAT,
        ),
    ] = False,
    seed: SeedOption = None,
    secret_file: SecretFileOption = None,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            metavar="",
            help="Continue the unfinished run with its own options.",
            rich_help_panel=UNFINISHED,
        ),
    ] = False,
    without: Annotated[
        list[str] | None,
        typer.Option(
            "--without",
            metavar="BOT",
            help="With --resume: leave this bot out; may be repeated.",
            autocompletion=complete_bots,
            rich_help_panel=UNFINISHED,
        ),
    ] = None,
    new: Annotated[
        bool,
        typer.Option(
            "--new",
            metavar="",
            help="End the unfinished run as it is and start another.",
            rich_help_panel=UNFINISHED,
        ),
    ] = False,
    jobs: WorkersOption = None,
    in_progress: Annotated[
        int,
        typer.Option(
            parser=whole(1, 1024),
            metavar="N",
            help="Matches that a worker plays at once with bots that allow several.",
            rich_help_panel=WORKERS,
        ),
    ] = 32,
    pin: Annotated[
        Literal["auto", "on", "off"],
        typer.Option(help="Keep each worker and its bots on one core.", rich_help_panel=WORKERS),
    ] = "auto",
    on: Annotated[
        str | None,
        typer.Option(
            parser=place,
            metavar="CLUSTER",
            help="Play on a Dask cluster: tcp://HOST:PORT, or local-cluster:N to try it.",
            show_default="this machine",
            rich_help_panel=WORKERS,
        ),
    ] = None,
    shard: Annotated[
        Shard | None,
        typer.Option(
            parser=_shard,
            metavar="I/N",
            help="Play part I of N of the run; join the parts with `ladder home merge`.",
            rich_help_panel=WORKERS,
        ),
    ] = None,
    transcript: Annotated[
        bool,
        typer.Option(
            "--transcript",
            metavar="",
            help="Keep every line to and from the bots; `ladder replay MATCH --transcript` shows them.",
            rich_help_panel=WORKERS,
        ),
    ] = False,
    sandbox: SandboxOption = None,
    require_sandbox: RequireSandboxOption = False,
    home: HomeOption = None,
    json: Annotated[
        bool, typer.Option("--json", metavar="", help="Print the run and its leaderboards as JSON.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", metavar="", help="Log what workers do.")
    ] = False,
) -> None:
    """Play matches in parallel and rate the bots.

    Ctrl-C stops the run after the matches in progress, a second Ctrl-C at once. The same command continues
    the run.

    Example: ladder run --games 10000
    """
    from ladder.admission.house import add
    from ladder.run.request import Request
    from ladder.run.session import Options, play_session

    seconds = None if duration is None else _seconds(duration)
    if resume and new:
        raise typer.BadParameter("give either --resume or --new", param_hint="--new")
    if without and not resume:
        raise typer.BadParameter("it needs --resume: it is for the unfinished run", param_hint="--without")
    secret = secret_from(seed, secret_file)
    if unrated and shard:
        raise typer.BadParameter("a shard is a part of a run that counts", param_hint="--unrated")
    if on and (jobs or pin != "auto"):
        raise typer.BadParameter("--jobs and --pin are for workers of this machine", param_hint="--on")
    if on and transcript:
        raise typer.BadParameter("lines are kept by workers of this machine only", param_hint="--transcript")
    for name in game or ():
        known_game(name)
    if on:
        with with_dask():
            from ladder.run.executors.cluster import reach
        reach(on)  # before anything is made, or stored
    request = Request(
        bots=tuple(bots or ()),
        games=tuple(game or ()),
        seats=tuple(seats or ()),
        options=tuple(option or ()),
        matches=games,
        seconds=seconds,
        seed=seed.number if seed else None,
        schedule=schedule,
        until=until,
        max_faults=max_faults,
        secret=secret,
        source="seed" if seed else "secret-file",
        shard=shard,
    )
    options = Options(
        jobs=jobs,
        in_progress=in_progress,
        pin=pin,
        cluster=on,
        tier=sandbox,
        require_sandbox=require_sandbox,
        resume=resume,
        new=new,
        without=without or (),
        unrated=unrated,
        transcript=transcript,
        log=log_to_stderr(verbose),
    )
    try:
        played = play_session(home_for_writing(home), request, options, add, _Printer(request, resume))
    except SystemExit as left:
        raise SystemExit(refuse("stopped", "run the same command again", 143)) from left
    _print_result(played, json)
    if transcript:
        name = str(played.store.folder.name_run(played.run.run))
        last = f"{name}/last" if played.store.folder.unrated_name else "last"
        note(f"transcripts: {played.home.transcripts / name}", f"ladder replay {last} --transcript")


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


class _Printer:
    """Prints the events of a session, and shows its progress."""

    def __init__(self, request: Request, resume: bool) -> None:
        self._request = request
        self._resume = resume
        self._name: int | str = 0
        self._display: Display | None = None

    def __call__(self, event: Event) -> None:
        """Print *event*."""
        from ladder.cli.progress import display
        from ladder.run.session import Ended, Note, Planned, Progress

        match event:
            case Note(text, hint):
                note(text, hint)
            case Planned(home, run, name):
                if not self._resume:
                    _say_plan(run, self._request.matches)
                _warn_of_denied(home, run)
                warn_of_seed(run)
                _say_build(is_first=name == 1)
                self._name = name
            case Progress(status, _):
                self._display = self._display or display(self._name)
                self._display.show(status)
            case Ended(status) if self._display:
                self._display.close(status)


def _warn_of_denied(home: Home, run: Run) -> None:
    """Warn of bots that ask for what they will not have: they were submitted before that was so."""
    from ladder.errors import UsageProblem

    for bot in run.bots:
        try:
            home.check_allowed(home.roster.find(f"{bot['name']}@{bot['version']}").manifest)
        except UsageProblem as problem:
            note(f"warning: {problem}", problem.hint)


def _say_build(is_first: bool) -> None:
    """Say in a home's first run how the ladder was built, which `pip -q` does not; warn of stray files."""
    from ladder.machine.build import read_build, warn_of_stray

    if warning := warn_of_stray():
        note(f"warning: {warning}", "remove the compiled files")
    elif is_first:
        build = read_build()
        note(f"this ladder is {build.word}: {build.how}", build.hint)


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
        what = f"shard {shard.number} of {shard.of}: {blocks}"
        note(f"{what}; when all are played: ladder home merge HOME...")


def warn_of_seed(run: Run) -> None:
    """Say if bots could know the cards of *run*."""
    from ladder.run.shard import MAKE_SECRET

    if run.guessable and run.settings.asked:
        seed = run.settings.asked.seed
        note(
            f"warning: bots can know every card of this run: --seed {seed} can be guessed",
            "--secret-file FILE, which also repeats the deals and cannot be guessed; "
            f"a file is made by: {MAKE_SECRET.format(file='FILE')}",
        )


def _print_result(played: Played, as_json: bool) -> None:
    import json

    from ladder.cli.leaderboard import print_leaderboards, say_guessable
    from results.reports.leaderboard import Board, leaderboard

    home, run, rated = played.home, played.run, played.rated
    games = sorted(run.ratings)
    played_now = {(bot["name"], bot["version"]) for bot in run.bots}
    hidden = home.hidden_versions() - played_now
    if as_json:
        boards = {game: leaderboard(Board(rated[game], hidden)) if game in rated else [] for game in games}
        name = played.store.folder.name_run(run.run)
        json.dump({"run": name, "home": str(home.path), "leaderboards": boards}, sys.stdout, indent=2)
        print()
        say_guessable(played.store, games)
        return
    chosen = [rated[game] for game in games if game in rated]
    print_leaderboards(chosen, "table", home, played.store, hidden=hidden)
    if name := played.store.folder.unrated_name:
        note(
            f"\nthese matches do not count; they are in {played.store.folder.root}",
            f"ladder matches --duel {name}, ladder replay {name}/0, ladder home duels",
        )
        return
    note(
        f"\nresults: {home.results}/matches/*.parquet, {home.results}/ratings.parquet",
        "ladder matches, ladder replay last, ladder matrix, ladder submit PATH, ladder run --help",
    )
