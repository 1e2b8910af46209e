"""`ladder duel`: find out whether one bot is better than another."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

import typer

from ladder.cli.options import StoringArguments, home_for_writing, known_game, note, print_json
from ladder.cli.streams import fit_lines
from ladder.run.duel_options import DuelRequest

if TYPE_CHECKING:
    from ladder.home.home import Home
    from ladder.run.duel import Duel
    from ladder.run.playing import Played
    from ladder.run.run_events import Event
    from results.record import Run
    from results.reports.duel_report import Names

LINE_SECONDS = 10.0
"""The longest time between two lines of progress, in seconds."""
GROWTH = 1.5
"""A line also follows when the deals have grown by this factor since the last one."""
EXIT_CODES = {"better": 0, "no worse": 0, "worse": 5, "not better": 5, "not apart": 6, "undecided": 6}


@dataclass(frozen=True, kw_only=True)
class DuelArguments(StoringArguments, DuelRequest):
    """What `ladder duel` takes.  Raises WrongOption for a seed beside a file with a secret."""


def duel(asked: DuelArguments) -> None:
    """Find out whether one bot is better than another.

    Both play the same deals from every seat until the difference is sure. At larger tables other bots take
    the other seats. The matches do not count in the ratings, and a run may play at the same time. Ctrl-C
    stops the duel, and the same command continues it.

    The exit code is 0 if NEW is better, 5 if it is worse, and 6 if the two are as close as --terms apart
    says or nothing is sure after --games. With --margin: 0 if it is better by more than that, else 5. With
    --no-worse: 0 if it is at most that much worse, 5 if it is worse.

    Example: ladder duel mine greedy --game stellar
    """
    from ladder.admission.house import add
    from ladder.admission.trials import try_games
    from ladder.cli.log_lines import log_to_stderr
    from ladder.cli.path_bots import take_path
    from ladder.run.duel_session import AskedDuel
    from ladder.run.playing import Means
    from ladder.run.session import Admission, play

    for name in asked.game_names:
        known_game(name)
    _ = asked.secret  # a file that holds none is refused before anything is made
    means = Means(log=log_to_stderr(verbose=False))
    opening, admission = home_for_writing(asked.home), Admission(add, try_games)
    played = play(opening, AskedDuel(asked, take_path), means, admission, DuelPrinter())
    raise typer.Exit(_print_result(played, asked.json))


class DuelPrinter:
    """Prints the events of a duel: a line when its deals have grown by half, and every ten seconds."""

    def __init__(self) -> None:
        self._names: Names | None = None
        self._said = 0
        self._at = time.monotonic()

    def __call__(self, event: Event) -> None:
        """Print *event*."""
        from ladder.cli.run import warn_of_seed
        from ladder.run.run_events import Ended, OperatorNote, Planned, Progress

        match event:
            case OperatorNote(text, hint):
                note(text, hint)
            case Planned(home, run, _):
                self._names = _names(home, run)
                for what in run.settings.left_out:
                    note(f"left out: {what}")
                _say_field(home, run)
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
        from results.reports.duel_report import progress

        assert self._names
        for line in progress(duel.results(), self._names):
            note(f"duel: {line}")


def _names(home: Home, run: Run) -> Names:
    """Return what the two bots are called: by their names, and by their numbers if they share one."""
    from results.reports.duel_report import Names
    from results.reports.labels import labels

    two = run.bot_keys[:2]
    label = labels(two, home.roster.numbers())
    return Names(*(label[bot] for bot in two))


def _say_field(home: Home, run: Run) -> None:
    from results.reports.labels import labels

    bots = run.bot_keys
    label = labels(bots, home.roster.numbers())
    for contest in run.settings.contests:
        if others := [label[bots[i]] for i in contest.bots[2:]]:
            note(f"{contest.game} for {contest.seats}: the other seats go to {', '.join(others)}")


def print_answer(home: Home, run: Run, duel: Duel) -> None:
    """Print what *duel*, that is *run*, has found."""
    from results.reports.duel_report import answer

    for line in answer(duel.results(), _names(home, run)):
        print(fit_lines(line) if sys.stdout.isatty() else line)


def _print_result(played: Played, as_json: bool) -> int:
    """Print what the duel has found, and what to type next; return the exit code."""
    from results.reports.duel_report import verdict_of

    duel = played.duel
    assert duel
    verdict = verdict_of(duel.results())
    name = played.store.folder.name_run(played.run.run)
    if as_json:
        _print_json(played, name)
    else:
        print_answer(played.home, played.run, duel)
        of = f"--in {name}"
        longer = ""
        if any(each.without for each in duel.results()):
            longer = f"ladder faults {of}, which says why they failed; "
        if verdict == "undecided":
            longer += f"the same command with --games {2 * duel.most_matches}, which continues it; or "
        listed = ", ladder home duels" if played.store.folder.unrated_name else ""
        note(
            f"\nresults: {played.store.folder.root}/matches/*.parquet",
            f"{longer}ladder matches {of}, ladder replay {name}/0{listed}",
        )
    return EXIT_CODES[verdict]


def _print_json(played: Played, name: int | str) -> None:
    from results.reports.duel_report import as_json

    assert played.duel
    assert played.run.settings.duel
    bots = dict(zip(("new", "old"), played.run.bots, strict=False))
    told = {"duel": name, "home": str(played.home.path), **bots}
    told |= as_json(played.duel.results(), played.run.settings.duel)
    print_json(told)
