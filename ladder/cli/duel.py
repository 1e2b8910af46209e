"""`ladder duel`: find out whether one bot is better than another."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, assert_never

import typer

from ladder.cli import options
from ladder.cli.log_lines import log_to_stderr
from ladder.cli.show_document import show_answer
from ladder.errors import UsageProblem
from ladder.run.duel_options import DuelRequest
from ladder.run.match_options import known_game
from ladder.run.option import Argument
from results.errors import NoSuchUnrated
from results.reports.document import BotRef, Row, between
from results.reports.values_as_text import say

if TYPE_CHECKING:
    from ladder.home.home import Home
    from ladder.run.duel import Duel
    from ladder.run.playing import Played
    from ladder.run.run_events import Event
    from results.record import Run
    from results.reports.labels import Numbers
    from results.storage.store import Store

LINE_SECONDS = 10.0
"""The longest time between two lines of progress, in seconds."""
GROWTH = 1.5
"""A line also follows when the deals have grown by this factor since the last one."""
CSV = "--format csv has all columns"


@dataclass(frozen=True, kw_only=True)
class DuelArguments(DuelRequest):
    """What `ladder duel` takes.  Raises WrongOption for a seed beside a file with a secret."""

    new_bot: Annotated[
        str,
        Argument(
            "NAME, NAME@NUMBER, NAME@HASH or a path. Alone, a duel to show again: d1, d2, and so on.",
            metavar="NEW",
            default="list all duels",
            completes="bots",
        ),
    ] = ""
    old_bot: Annotated[str, Argument("The bot to compare it with.", metavar="OLD", completes="bots")] = ""
    home: options.HomeOption = None
    format: options.FormatOption = "table"


def duel(asked: DuelArguments) -> None:
    """Find out whether one bot is better than another.

    Both play the same deals from every seat until the difference is sure. At larger tables other bots take
    the other seats. The matches do not count in the ratings, and a run may play at the same time. Ctrl-C
    stops the duel, and the same command continues it.

    The exit code is 0 if NEW is better, 5 if it is worse, and 6 if the two are as close as --terms apart
    says or the answer is not sure after --games. With --margin: 0 if it is better by more than that, 5 if
    not. With --no-worse: 0 if it is at most that much worse, 5 if it is worse by more.

    Without bots, the command lists duels, tournaments and unrated runs, newest first. Give their names (d1,
    d2, and so on) to --in of other commands. Rated duels are runs, and are not listed.

    Example: ladder duel mine greedy --game stellar
    """
    from ladder.cli.admitting import ADMISSION, take_path
    from ladder.run.duel_session import AskedDuel
    from ladder.run.playing import Means
    from ladder.run.session import play

    if not asked.old_bot:
        _print_old(asked)
        return
    for name in asked.game_names:
        known_game(name)
    _ = asked.secret  # a file that holds none is refused before anything is made
    means = Means(log=log_to_stderr(verbose=False))
    wanted = AskedDuel(asked, take_path)
    played = play(options.home_for_writing(asked.home), wanted, means, ADMISSION, DuelPrinter())
    raise typer.Exit(_print_result(played, asked.format))


def _print_old(asked: DuelArguments) -> None:
    """Print the duel that *asked* names in place of two bots, or all of them."""
    name = asked.new_bot
    wrong = UsageProblem(
        f"ladder duel needs {'OLD' if name else 'NEW'}", "ladder duel mine greedy --game stellar"
    )
    if asked != DuelArguments(new_bot=name, home=asked.home, format=asked.format):
        raise wrong
    home = options.existing_home(asked.home)
    try:
        _print_duels(home, name, asked.format)
    except NoSuchUnrated:
        is_bot = name.partition("@")[0] in {version.bot for version in home.roster.versions()}
        if is_bot or Path(name).exists():
            raise wrong from None
        raise


class DuelPrinter:
    """Prints the events of a duel: a line when its deals have grown by half, and every ten seconds."""

    def __init__(self) -> None:
        self._run: Run | None = None
        self._numbers: Numbers = {}
        self._said = 0
        self._at = time.monotonic()

    def __call__(self, event: Event) -> None:
        from ladder.cli.run import warn_of_seed
        from ladder.run.run_events import Ended, OperatorNote, Planned, Progress

        match event:
            case OperatorNote(text, hint):
                options.note(text, hint)
            case Planned(home, run, _):
                self._run, self._numbers = run, home.roster.numbers()
                for what in run.settings.left_out:
                    options.note(f"left out: {what}")
                _say_field(run, self._numbers)
                warn_of_seed(run)
            case Progress(status, duel) if duel and self._is_due(status.done):
                self._said, self._at = status.done, time.monotonic()
                self._show(duel)
            case Progress() | Ended():
                pass
            case _:
                assert_never(event)

    def _is_due(self, matches: int) -> bool:
        later = time.monotonic() - self._at >= LINE_SECONDS
        return matches > self._said and (later or matches >= max(64, GROWTH * self._said))

    def _show(self, duel: Duel) -> None:
        from results.reports.duel_document import duel_progress, the_two

        assert self._run
        for line in duel_progress(duel.results(), the_two(self._run)):
            options.note(f"duel: {say(line, self._numbers)}")


def _say_field(run: Run, numbers: Numbers) -> None:
    bots = [BotRef(*key) for key in run.bot_keys]
    for contest in run.settings.contests:
        if others := [bots[i] for i in contest.bots[2:]]:
            field = between(others)
            options.note(f"{contest.game} for {contest.seats}: the other seats go to {say(field, numbers)}")


def print_answer(played: Played, name: str = "", form: str = "table") -> None:
    """Print what a duel has found; what to type next as well if it has a *name*."""
    from results.reports.duel_document import DuelSubject, duel_document, the_two

    duel, folder = played.duel, played.store.folder
    assert duel
    subject = DuelSubject(
        the_two(played.run),
        duel.results(),
        name,
        str(folder.root),
        duel.most_matches,
        is_rated=not folder.unrated_name,
    )
    show_answer(duel_document(subject, "operator"), form, played.home.roster.numbers(), CSV)


def _print_result(played: Played, form: str) -> int:
    """Print what the duel has found, and what to type next; return the exit code."""
    from ladder.api.duels import DuelAnswer
    from results.reports.duel_report import DUELS

    answer = DuelAnswer.of(played)
    if form == "json":
        options.print_json(answer.details)
    elif form in ("table", "md"):
        print_answer(played, answer.name, form)
    else:
        options.print_rows(answer.contests.to_pylist(), DUELS, form)
    return answer.exit_code


def _print_duels(home: Home, duel: str, form: str) -> None:
    """Print the answer of *duel* again; without one, list duels, tournaments and unrated runs, newest first.

    Raises NoSuchUnrated.
    """
    from results.reports.duel_document import DuelSubject, duel_document, duels_document, the_two
    from results.reports.duel_report import DUELS
    from results.storage.unrated import unrated_stores

    stores = {duel: options.store_of(home, duel)} if duel else unrated_stores(home.results)
    found = [each for name, store in reversed(stores.items()) if (each := _read(name, store))]
    rows = [row for each in found for row in each.rows]
    if form not in ("table", "md"):
        options.print_rows(rows, DUELS, form)
        return
    document = duels_document(rows, "operator")
    if duel and found and (played := found[0].duel):
        subject = DuelSubject(the_two(found[0].run), played.results(), duel, with_details=True)
        document = duel_document(subject, "operator")
    show_answer(document, form, home.roster.numbers(), CSV)


class _Unrated(NamedTuple):
    """An unrated store that holds a run."""

    name: str
    run: Run
    duel: Duel | None
    """The duel to its end, if it is one."""
    rows: list[Row]


def _read(name: str, store: Store) -> _Unrated | None:
    """Return what is in a *store*; None if its process was killed before the run was stored."""
    from ladder.run.duel import Duel
    from results.reports.duel_report import duel_rows, unrated_row

    contents = store.contents()
    if not contents.runs:
        return None
    run = contents.runs[-1]
    if duel := Duel.of(run, contents):
        return _Unrated(name, run, duel, duel_rows(name, run, duel.results()))
    settings = run.settings
    terms = {"reference": settings.reference, "play": settings.play, "tournament": settings.tournament}
    kind = next((name for name, each in terms.items() if each), "run")
    matches = contents.matches(["number"]).num_rows
    return _Unrated(name, run, None, [unrated_row(name, run, matches, kind)])
