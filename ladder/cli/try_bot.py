"""`ladder try`: what an author types after each change."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ladder.api.asked import TryRequest
from ladder.cli.check import find_and_print
from ladder.cli.duel import DuelPrinter, print_answer
from ladder.cli.log_lines import log_to_stderr
from ladder.cli.options import FormatOption, existing_home, home_for_writing, note, print_rows
from ladder.cli.progress import Watching
from ladder.run.option import Argument, WrongOption
from results.reports.document import Column

if TYPE_CHECKING:
    from ladder.admission.finding import Finding
    from ladder.admission.submission import OpenSubmission, Submission
    from ladder.home.home import Home
    from ladder.registry.version import Version


@dataclass(frozen=True)
class TryArguments(TryRequest):
    """What `ladder try` takes.  Raises WrongOption for options of a try that names no bot."""

    bot: Annotated[
        str,
        Argument(
            "A script, a folder with bot.toml, or an archive.", metavar="[BOT]", default="list all tries"
        ),
    ] = ""
    format: FormatOption = "table"

    def __post_init__(self) -> None:
        for flag, value in (("--message", self.message), ("--against", self.against), ("--game", self.game)):
            if value and not self.bot:
                raise WrongOption(flag, "name the bot that you try: without one, all tries are listed")


def try_bot(asked: TryArguments) -> None:
    """Try a bot after a change, against its last version.

    The bot is checked, then both play the same deals in all its games until it is sure which is better. A
    failed check or a fault of the changed bot ends the duel at once. Nothing counts in the ratings, and the
    version that plays here stays.

    The exit code is that of `ladder duel`. Without BOT all tries are listed, newest first.

    Example: ladder try my_bot.py -m "bid less with three coins"
    """
    from ladder.api.duels import EXIT_CODES, play_change, prepare_change, type_again
    from ladder.cli.admitting import ADMISSION, take_path
    from ladder.run.playing import Means
    from results.reports.duel_report import verdict_of

    if not asked.bot:
        _list_tries(existing_home(asked.home), asked.format)
        return
    with home_for_writing(asked.home) as where:
        tried = prepare_change(where, asked, _find, _keep)
    means = Means(log=log_to_stderr(verbose=False))
    played = play_change(tried, asked, means, ADMISSION, take_path, DuelPrinter())
    assert played.duel
    print_answer(played)
    verdict = verdict_of(played.duel.results())
    again = f"{type_again(Path(asked.bot))} --games {2 * played.duel.most_matches}, which continues it"
    hints = {"better": f"ladder submit {shlex.quote(asked.bot)}, if you like it", "undecided": again}
    note("", f"{hints.get(str(verdict), 'change the bot, and try again')}; ladder try, which lists all tries")
    raise typer.Exit(EXIT_CODES[verdict])


def _find(home: "Home", opened: "Submission", games: Sequence[str]) -> "Finding":
    return find_and_print(home, opened, games=games, ends_at_failure=True)[-1]


def _keep(home: "Home", opened: "OpenSubmission") -> "Version":
    from ladder.admission.submit import submit
    from ladder.worker.check_progress import CheckProgress

    with Watching(progress := CheckProgress()) as watching:
        return submit(home, opened, say=watching.note, progress=progress)


def _list_tries(home: "Home", form: str) -> None:
    from ladder.home.experiments import experiment_rows, read_experiments

    rows = experiment_rows(read_experiments(home), home)
    titles = {"when": "when (UTC)", "version": "tried", "against": "against", "verdict": "result"}
    titles |= {"duel": "duel", "note": "note"}
    print_rows(rows, [Column(key, title if form == "table" else key) for key, title in titles.items()], form)
    if not rows:
        note("nothing was tried yet", "ladder try BOT, after each change")
