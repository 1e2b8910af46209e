"""`ladder reference`: what a bot is worth beside a frozen set of bots."""

import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ladder.cli.log_lines import log_to_stderr
from ladder.cli.options import AnswerFormatOption, HomeOption, home_for_writing, note, print_json
from ladder.cli.progress import SessionPrinter
from ladder.cli.show_document import show_document
from ladder.reference.reference_request import BOT, ReferenceRequest
from ladder.run.option import Option, WrongOption
from results.words import count

if TYPE_CHECKING:
    from ladder.run.run_events import Event


@dataclass(frozen=True, kw_only=True)
class ReferenceArguments(ReferenceRequest):
    """What `ladder reference` takes.  Raises WrongOption for what does not go together."""

    bot: Annotated[str, BOT] = ""
    draw_deals: Annotated[
        Path | None,
        Option("Draw secret deals, as for a final: make a file for --deals.", metavar="FILE", short=True),
    ] = None
    home: HomeOption = None
    format: AnswerFormatOption = "table"

    def __post_init__(self) -> None:
        if self.draw_deals is not None and self.bot:
            raise WrongOption(
                "--draw-deals", "it only makes a file: leave out BOT, and give the file to --deals"
            )
        if self.draw_deals is None and not self.bot:
            raise WrongOption("BOT", "name the bot to measure, such as my_bot.py")


def reference(asked: ReferenceArguments) -> None:
    """Measure a bot against a fixed set of bots.

    The rating can be compared with that of any bot measured against the same set, R1, on any machine: the
    deals, the other bots and their work are always the same. The bot plays from every seat. Nothing counts in
    the ratings of the home. Quote the last line. Ctrl-C stops the measurement, and the same command continues
    it.

    Each game takes about two minutes of two cores, if the bot is quick.

    Example: ladder reference my_bot.py --game stellar
    """
    from ladder.cli.admitting import ADMISSION, take_path
    from ladder.reference.reference_request import draw_deals
    from ladder.reference.reference_result import reference_document
    from ladder.reference.reference_session import play_reference
    from ladder.reference.reference_set import load_set
    from ladder.run.playing import Means

    if asked.draw_deals is not None:
        file = shlex.quote(str(asked.draw_deals))
        print(f"deals {draw_deals(asked.draw_deals)} are drawn: {asked.draw_deals}")
        note("only you can read the file; show it to nobody", f"ladder reference BOT --deals {file}")
        return
    found = load_set()
    means = Means(log=log_to_stderr(verbose=False))
    opening = home_for_writing(asked.home)
    results = []
    for result in play_reference(opening, asked, found, means, ADMISSION, take_path, _Printer()):
        results.append(result)
        if asked.format == "table":
            show_document(reference_document(result, "operator"), {})
            sys.stdout.flush()
    if asked.format == "json":
        print_json([result.to_json() for result in results])


class _Printer(SessionPrinter):
    """Prints the events of a measurement, and shows its progress."""

    def __call__(self, event: "Event") -> None:
        from ladder.run.run_events import Planned

        super().__call__(event)
        if isinstance(event, Planned):
            run, contest = event.run, event.run.settings.contests[0]
            matches = sum(run.settings.blocks or ()) * contest.seats
            what = f"{count(matches, 'match')} against {count(len(run.bots) - 1, 'bot')}"
            terms = run.settings.reference
            where = " on new deals" if terms and terms.new_deals_of else ""
            note(f"{contest.game} for {contest.seats}: {what}{where}")
            self.name = event.name
