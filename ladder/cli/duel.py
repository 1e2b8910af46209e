"""`ladder duel`: find out whether one bot is better than another."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Annotated

import typer

from ladder.cli.match_options import (
    WHAT,
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
    JsonOption,
    complete_bots,
    home_for_writing,
    known_game,
    note,
    refuse,
    whole,
)
from ladder.cli.streams import fitted

if TYPE_CHECKING:
    from collections.abc import Callable

    from ladder.home.home import Home
    from ladder.run.duel import Duel
    from ladder.run.session import Event, Played
    from results.record import Run
    from results.reports.duel import Names

__all__ = ["duel", "print_answer"]

END = "When it ends"
"""A section of the help, beside those of match_options."""
LINE_SECONDS = 10.0
"""The longest time between two lines of progress, in seconds."""
GROWTH = 1.5
"""A line also follows when the deals have grown by this factor since the last one."""
EXIT_CODES = {"better": 0, "worse": 5, "not better": 5, "undecided": 6}


def _percent(low: float, high: float) -> Callable[[str], float]:
    """Return a parser of a number of percent between *low* and *high*, both excluded."""

    def parse(text: str) -> float:
        try:
            number = float(str(text).removesuffix("%"))
        except ValueError:
            number = low
        if not low < number < high:
            raise typer.BadParameter(f"expected a percentage between {low:g} and {high:g}, got: {text!r}")
        return number

    return parse


def duel(
    new: Annotated[
        str,
        typer.Argument(
            metavar="NEW", help="NAME, NAME@NUMBER, NAME@HASH or a path.", autocompletion=complete_bots
        ),
    ],
    old: Annotated[
        str, typer.Argument(metavar="OLD", help="The bot to compare it with.", autocompletion=complete_bots)
    ],
    game: Annotated[list[str] | None, games_option("all that both play")] = None,
    seats: Annotated[list[int] | None, sizes_option("the smallest of each game")] = None,
    field: Annotated[
        list[str] | None,
        typer.Option(
            "--field",
            metavar="BOT",
            help="A bot for the other seats of larger tables; may be repeated.",
            show_default="those nearest in rating",
            autocompletion=complete_bots,
            rich_help_panel=WHAT,
        ),
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(
            "--without",
            metavar="BOT",
            help="Leave this bot out of the field, also of an unfinished duel; may be repeated.",
            autocompletion=complete_bots,
            rich_help_panel=WHAT,
        ),
    ] = None,
    rated: Annotated[
        bool,
        typer.Option(
            "--rated",
            metavar="",
            help="Let the matches count in the ladder's ratings.",
            rich_help_panel=WHAT,
        ),
    ] = False,
    new_duel: Annotated[
        bool,
        typer.Option(
            "--new",
            metavar="",
            help="Begin another, even if this one is unfinished or undecided.",
            rich_help_panel=WHAT,
        ),
    ] = False,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            "-g",
            parser=whole(1),
            metavar="N",
            help="The most matches of each game and table size. More of them play an undecided duel on.",
            show_default="20000 deals",
            rich_help_panel=END,
        ),
    ] = None,
    margin: Annotated[
        float | None,
        typer.Option(
            parser=_percent(0, 100),
            metavar="PERCENT",
            help="End, too, when NEW is sure to be no more than this better.",
            rich_help_panel=END,
        ),
    ] = None,
    alpha: Annotated[
        float,
        typer.Option(
            parser=_percent(0, 50),
            metavar="PERCENT",
            help="How often a verdict may be false, in percent.",
            rich_help_panel=END,
        ),
    ] = 5.0,
    adjusted: Annotated[
        bool,
        typer.Option(
            "--adjusted",
            metavar="",
            help="Count results less the luck of the draws: fewer deals between like bots. For stellar.",
            rich_help_panel=END,
        ),
    ] = False,
    seed: SeedOption = None,
    secret_file: SecretFileOption = None,
    jobs: WorkersOption = None,
    sandbox: SandboxOption = None,
    require_sandbox: RequireSandboxOption = False,
    json: JsonOption = False,
    home: HomeOption = None,
) -> None:
    """Find out whether one bot is better than another.

    Both play the same deals from every seat until the difference is sure, however often you look. At larger
    tables other bots take the other seats. The matches do not count in the ratings, and a run may go on
    beside them. Ctrl-C stops the duel, and the same command continues it.

    The exit code is 0 if NEW is better, 5 if it is worse or, with --margin, no more than that better, and 6
    if nothing is sure after --games.

    Example: ladder duel mine greedy --game stellar
    """
    from ladder.admission.house import add
    from ladder.cli.logs import log_to_stderr
    from ladder.cli.path_bots import take_path
    from ladder.run.duel_request import DuelRequest
    from ladder.run.session import Options, play_duel

    for name in game or ():
        known_game(name)
    request = DuelRequest(
        new=new,
        old=old,
        games=tuple(game or ()),
        seats=tuple(seats or ()),
        field=None if field is None else tuple(field),
        without=tuple(without or ()),
        matches=games,
        margin=None if margin is None else margin / 100,
        alpha=alpha / 100,
        adjusted=adjusted,
        seed=seed.number if seed else None,
        secret=secret_from(seed, secret_file),
    )
    options = Options(
        jobs=jobs,
        tier=sandbox,
        require_sandbox=require_sandbox,
        new=new_duel,
        unrated=not rated,
        log=log_to_stderr(verbose=False),
    )
    try:
        played = play_duel(home_for_writing(home), request, options, add, take_path, _Printer())
    except SystemExit as left:
        raise SystemExit(refuse("stopped", "run the same command again", 143)) from left
    raise typer.Exit(_print_result(played, json))


class _Printer:
    """Prints the events of a duel: a line when its deals have grown by half, and every ten seconds."""

    def __init__(self) -> None:
        self._names: Names | None = None
        self._said = 0
        self._at = time.monotonic()

    def __call__(self, event: Event) -> None:
        """Print *event*."""
        from ladder.cli.run import warn_of_seed
        from ladder.run.session import Note, Planned, Progress

        match event:
            case Note(text, hint):
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

    def _is_due(self, matches: int) -> bool:
        later = time.monotonic() - self._at >= LINE_SECONDS
        return matches > self._said and (later or matches >= max(64, GROWTH * self._said))

    def _show(self, duel: Duel) -> None:
        from results.reports.duel import progress

        assert self._names
        for line in progress(duel.results(), self._names):
            note(f"duel: {line}")


def _names(home: Home, run: Run) -> Names:
    """Return what the two bots are called: by their names, and by their numbers if they share one."""
    from results.reports.duel import Names
    from results.reports.labels import labels

    two = [(bot["name"], bot["version"]) for bot in run.bots[:2]]
    label = labels(two, home.roster.numbers())
    return Names(*(label[bot] for bot in two))


def _say_field(home: Home, run: Run) -> None:
    from results.reports.labels import labels

    bots = [(bot["name"], bot["version"]) for bot in run.bots]
    label = labels(bots, home.roster.numbers())
    for contest in run.settings.contests:
        if others := [label[bots[i]] for i in contest.bots[2:]]:
            note(f"{contest.game} for {contest.seats}: the other seats go to {', '.join(others)}")


def print_answer(home: Home, run: Run, duel: Duel) -> None:
    """Print what *duel*, that is *run*, has found."""
    from results.reports.duel import answer

    assert run.settings.duel
    for line in answer(duel.results(), _names(home, run), run.settings.duel.margin):
        print(fitted(line) if sys.stdout.isatty() else line)


def _print_result(played: Played, as_json: bool) -> int:
    """Print what the duel has found, and what to type next; return the exit code."""
    from results.reports.duel import verdict_of

    duel = played.duel
    assert duel
    verdict = verdict_of(duel.results())
    name = played.store.folder.name_run(played.run.run)
    if as_json:
        _print_json(played, name)
    else:
        print_answer(played.home, played.run, duel)
        of = f"--duel {name}" if played.store.folder.unrated_name else f"--run {name}"
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
    from results.reports.duel import as_json
    from results.reports.render import json_text

    assert played.duel
    assert played.run.settings.duel
    bots = dict(zip(("new", "old"), played.run.bots, strict=False))
    told = {"duel": name, "home": str(played.home.path), **bots}
    told |= as_json(played.duel.results(), played.run.settings.duel)
    print(json_text(told))
