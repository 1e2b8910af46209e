"""`ladder try`: what an author types after each change."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, assert_never

import typer

from ladder.cli.check import find_and_print
from ladder.cli.duel import EXIT_CODES, DuelPrinter, print_answer
from ladder.cli.log_lines import log_to_stderr
from ladder.cli.options import (
    FormatOption,
    HomeOption,
    existing_home,
    home_for_writing,
    known_game,
    note,
    print_rows,
)
from ladder.cli.progress import Watching
from ladder.errors import LadderError, UsageProblem
from ladder.run.duel_options import DuelRequest
from ladder.run.match_options import GAME
from ladder.run.option import Argument, Option, WrongOption, whole
from results.reports.document import Column

if TYPE_CHECKING:
    from ladder.home.home import Home
    from ladder.registry.version import Version
    from ladder.run.run_events import Event

MATCHES = 4000
"""The most matches of each game: an author waits for the answer."""
FIRST_OPPONENT = "greedy"
"""The house bot that a bot is tried against before it has an older version."""


def try_bot(
    bot: Annotated[
        str | None,
        Argument(
            "A script, a folder with bot.toml, or an archive.", metavar="[BOT]", default="list all tries"
        ),
    ] = None,
    message: Annotated[
        str, Option("What you changed: a note for the list of tries.", ("--message", "-m"), metavar="TEXT")
    ] = "",
    against: Annotated[
        str | None,
        Option(
            "Try it against this bot or version.",
            metavar="BOT",
            default=f"its version that plays here, else its last one, else {FIRST_OPPONENT}",
            completes="bots",
        ),
    ] = None,
    game: Annotated[Sequence[str], replace(GAME, default="those of `ladder run` that both play")] = (),
    games: Annotated[
        int, Option("The most matches of each game.", ("--games", "-g"), metavar="N", read=whole(2))
    ] = MATCHES,
    format: FormatOption = "table",  # noqa: A002 - the flag has this name in all commands
    home: HomeOption = None,
) -> None:
    """Try a bot after a change, against its last version.

    The bot is checked, then both play the same deals in all its games until it is sure which is better. A
    failed check or a fault of the changed bot ends the duel at once. Nothing counts in the ratings, and the
    version that plays here stays.

    The exit code is that of `ladder duel`. Without BOT all tries are listed, newest first.

    Example: ladder try my_bot.py -m "bid less with three coins"
    """
    from ladder.registry.version import check_note

    if bot is None:
        for flag, value in (("--message", message), ("--against", against), ("--game", game)):
            if value:
                raise WrongOption(flag, "name the bot that you try: without one, all tries are listed")
        _list_tries(existing_home(home), format)
        return
    check_note(message)
    path = Path(bot)
    if not path.exists():
        raise UsageProblem(f"there is no file or folder {bot!r}", "ladder try PATH, with the file of the bot")
    with home_for_writing(home) as where:
        tried = _prepare(where, path, message, against, tuple(map(known_game, game)))
    code = _play(tried, message, games)
    raise typer.Exit(code)


def _list_tries(home: Home, form: str) -> None:
    from ladder.home.experiments import experiment_rows, read_experiments

    rows = experiment_rows(read_experiments(home), home)
    titles = {"when": "when (UTC)", "version": "tried", "against": "against", "verdict": "result"}
    titles |= {"duel": "duel", "note": "note"}
    print_rows(rows, [Column(key, title if form == "table" else key) for key, title in titles.items()], form)
    if not rows:
        note("nothing was tried yet", "ladder try BOT, after each change")


class _Tried(NamedTuple):
    """A version that is ready to play, and the one it is tried against."""

    path: Path
    home: Home
    new: Version
    old: str
    games: tuple[str, ...]


def _prepare(home: Home, path: Path, message: str, against: str | None, games: tuple[str, ...]) -> _Tried:
    """Check the bot at *path* and keep it as a version that no run picks up.  Raises LadderError."""
    from ladder.admission.submission import Submission
    from ladder.admission.submit import keep_for_duel, submit
    from ladder.home.experiments import Experiment, keep_experiment
    from ladder.home.house_bots import expecting, pending
    from ladder.registry.version import now_in_utc
    from ladder.run.duel_request import find_bot
    from ladder.worker.check_progress import CheckProgress

    with Submission(path, checks="none", aside=True).open(home, refuses=False) as opened:
        manifest = opened.manifest
        if against:
            find_bot(expecting(home, pending(home)), against, keep_for_duel)
        failed = find_and_print(home, opened, games=games, ends_at_failure=True)[-1]
        if failed.verdict == "failure":
            if not failed.not_the_bot:
                verdict = f"failed: {failed.check}"
                keep_experiment(home, Experiment(now_in_utc(), manifest.name, None, None, verdict, message))
            first = "ladder doctor" if failed.not_the_bot else "correct the bot"
            raise LadderError(f"the check failed: {failed.check}", f"{first}, then: {_again(path)}")
        with Watching(progress := CheckProgress()) as watching:
            new = submit(home, opened, say=watching.note, progress=progress)
    return _Tried(path, home, new, against or _opponent(home, new, path), manifest.games or games)


def _opponent(home: Home, new: Version, path: Path) -> str:
    """Return what *new* is tried against: its version that plays, else the last one that was kept.

    Raises UsageProblem if it is the version that plays.
    """
    own = [version for version in home.roster.versions() if version.bot == new.bot]
    if playing := [version for version in own if not version.retired]:
        if new.id == playing[-1].id:
            what = f"nothing has changed since {new.bot}@{playing[-1].number}, the version that plays here"
            raise UsageProblem(what, f"change the bot, or name another: {_again(path)} --against BOT")
        return playing[-1].id
    others = sorted((version for version in own if version.id != new.id), key=lambda each: each.submitted)
    return others[-1].id if others else FIRST_OPPONENT


def _again(path: Path) -> str:
    return f"ladder try {shlex.quote(str(path))}"


class _Faulted(Exception):
    """The bot that is tried made a fault of this kind in its duel."""


class _TryPrinter(DuelPrinter):
    """Prints the events of a duel, and ends it at the first fault of the new bot."""

    def __init__(self) -> None:
        super().__init__()
        self.duel = ""
        """What commands call the duel."""
        self._faults = 0

    def __call__(self, event: Event) -> None:
        """Print *event*.  Raises _Faulted."""
        from ladder.run.run_events import Ended, OperatorNote, Planned, Progress

        super().__call__(event)
        match event:
            case Planned(_, _, name):
                self.duel = str(name)
            case Progress(status, duel) if duel and status.faults.total() > self._faults:
                self._faults = status.faults.total()
                for each in duel.results():
                    for fault in each.faults[0]:
                        raise _Faulted(fault)
            case OperatorNote() | Progress() | Ended():
                pass
            case _:
                assert_never(event)


def _play(tried: _Tried, message: str, most: int) -> int:
    """Let the two play until it is sure which is better; keep and print that, and return the exit code.

    Raises LadderError if the new one makes a fault.
    """
    from ladder.cli.admitting import ADMISSION, take_path
    from ladder.home.experiments import Experiment, keep_experiment
    from ladder.registry.version import now_in_utc
    from ladder.run.duel_session import AskedDuel
    from ladder.run.playing import Means
    from ladder.run.session import play
    from results.reports.duel_report import verdict_of

    def keep(verdict: str) -> None:
        old = home.roster.find(tried.old).id
        keep_experiment(home, Experiment(now_in_utc(), new.bot, new.id, old, verdict, message, printer.duel))

    home, new, printer = tried.home, tried.new, _TryPrinter()
    request = DuelRequest(new_bot=new.id, old_bot=tried.old, game=tried.games, games=most)
    means = Means(log=log_to_stderr(verbose=False))
    try:
        played = play(nullcontext(home), AskedDuel(request, take_path), means, ADMISSION, printer)
    except _Faulted as stopped:
        keep(f"fault: {stopped}")
        of = f"--in {printer.duel}"
        raise LadderError(
            f"{new.bot}@{new.number} made a fault, {stopped}: stopped at once",
            f"ladder faults {of}, which shows it; ladder replay {printer.duel}/last; then correct the bot",
        ) from None
    assert played.duel
    verdict = verdict_of(played.duel.results())
    keep(str(verdict))
    print_answer(played)
    hints = {
        "better": f"ladder submit {shlex.quote(str(tried.path))}, if you like it",
        "undecided": f"{_again(tried.path)} --games {2 * played.duel.most_matches}, which continues it",
    }
    note("", f"{hints.get(str(verdict), 'change the bot, and try again')}; ladder try, which lists all tries")
    return EXIT_CODES[verdict]
