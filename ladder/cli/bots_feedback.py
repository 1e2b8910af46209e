"""`ladder bots feedback`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ladder.api.asked import SeasonOption
from ladder.cli.not_played import say_not_played
from ladder.cli.options import HomeOption, existing_home, note, store_of
from ladder.cli.streams import use_utf8
from ladder.errors import UsageProblem
from ladder.run.option import Argument, Option
from results.reports.labels import file_names
from results.words import count

if TYPE_CHECKING:
    from ladder.home.home import Home


def feedback(
    bot: Annotated[
        str | None, Argument("NAME, NAME@NUMBER or NAME@HASH.", metavar="BOT", completes="bots")
    ] = None,
    every: Annotated[
        Path | None,
        Option("Write one file for each submitted bot into FOLDER.", ("--all",), metavar="FOLDER"),
    ] = None,
    season: SeasonOption = None,
    home: HomeOption = None,
) -> None:
    """Print what the author of a bot may see of its matches, as Markdown.

    Its ratings, its results against each opponent and at each seat, how far it stayed from the limits, its
    faults with what it logged, and its worst losses as its seat saw them. You can hand it out: it holds no
    seed, no path of the ladder, and nothing that was hidden from the bot.

    A name alone means the newest version that plays or, if that has not played yet, the newest that has.
    --all leaves out the bots that came with the ladder.

    Example: ladder bots feedback greedy
    """
    from ladder.web.pages.member_pages import feedback_of

    where = existing_home(home)
    if bot and every:
        raise UsageProblem(f"expected a bot or --all, got both: {bot}", f"ladder bots feedback {bot}")
    if every:
        _write_all(where, every, season)
    elif bot:
        ((facts, text),) = feedback_of(where, [bot], season)
        use_utf8()  # as all Markdown
        print(text, end="")
        if not facts.games:
            contents = store_of(where).contents().of_season(season)
            name = f"{facts.bot[0]}@{where.roster.numbers()[facts.bot]}"
            say_not_played(where, contents, name, {facts.bot}, f"ladder bots feedback {bot}")
    else:
        raise UsageProblem("expected a bot, or --all", "ladder bots feedback --all FOLDER")


def _write_all(home: Home, folder: Path, season: str | None) -> None:
    """Write a file for each bot that was submitted; if one of them must not be overwritten, write none."""
    from ladder.replay.feedback import FEEDBACK
    from ladder.web.pages.file import make_folder, write_page
    from ladder.web.pages.member_pages import feedback_of

    submitted = [each for each in home.roster.versions() if not each.of_house and not each.aside]
    if not (names := dict(sorted(file_names(each.bot for each in submitted).items()))):
        note("no feedback: no bot was submitted", "ladder submit PATH")
        return
    made = make_folder(folder, [f"{name}.md" for name in names.values()], FEEDBACK)
    files = dict(zip(names, made, strict=True))
    for facts, text in feedback_of(home, files, season):
        write_page(text, files[facts.bot[0]], FEEDBACK)
    note(f"wrote feedback for {count(len(files), 'bot')}: {folder}")
