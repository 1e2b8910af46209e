"""`ladder new`: make a bot to start from."""

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from ladder.cli.options import FormatOption, HomeOption, note, print_rows
from ladder.run.match_options import SEATS, known_game
from ladder.run.option import Argument, Option, Section, WrongOption
from results.reports.document import Column


def new(
    language: Annotated[
        str, Argument("The language; without it, all are listed.", metavar="LANGUAGE", completes="languages")
    ] = "",
    name: Annotated[str, Argument("The bot's name, such as river-rat.", metavar="NAME")] = "",
    game: Annotated[
        str | None,
        Option(
            "Play only this game, with types for what the bot sees.",
            metavar="GAME",
            default="every game",
            completes="games",
        ),
    ] = None,
    seats: Annotated[Sequence[int], replace(SEATS, default="every size", section=Section.OPTIONS)] = (),
    parent: Annotated[Path, Option("Make the bot's folder in FOLDER.", ("--to",), metavar="FOLDER")] = Path(),
    format: FormatOption = "table",  # noqa: A002
    home: HomeOption = None,
) -> None:
    """Make a small bot to start from, in a folder.

    The bot passes `ladder check` and plays at random. The function `choose` in its main file is where
    your strategy begins; README.md in the folder says what to do next. The bot needs only the language.

    Example: ladder new python river-rat --game stellar
    """
    if seats and game is None:
        raise WrongOption("--seats", "name the game as well: --game GAME")
    if not language and game is None and parent == Path():
        _print_languages(format)
        return
    if not name:
        what = "NAME" if language else "LANGUAGE"
        raise WrongOption(what, "missing; for example: ladder new python river-rat")
    from ladder.kits.create import create_bot
    from ladder.kits.languages import find_language

    kit = find_language(language)
    game = "" if game is None else known_game(game)
    folder = create_bot(kit, name, parent, game, _list_taken(home), seats)
    print(folder)
    check = f"ladder check {shlex.quote(str(folder))}"
    made = f"made {name} in {kit.title}; {folder / kit.main} is where your strategy begins"
    if missing := kit.missing():
        note(made)
        needed = f"this machine has no {' and no '.join(missing)}, which the bot needs"
        note(needed, f"{kit.advice()}; then: {check}")
    else:
        note(made, check)


def _list_taken(home: Path | None) -> set[str]:
    """Return the names that bots of the home have or had, if there is one, and those of the house bots."""
    from ladder.home.home import find_home, house_bots, open_home

    taken = set(house_bots())
    if (folder := find_home(home)).exists():
        roster = open_home(folder).roster
        taken |= {version.bot for version in roster.versions()} | roster.names.keys()
    return taken


def _print_languages(form: str) -> None:
    from ladder.kits.languages import LANGUAGES

    rows = [
        {
            "language": language.name,
            "main": language.main,
            "needs": list(language.tools),
            "missing": language.missing(),
            "to_do": language.advice() if language.missing() else None,
        }
        for language in LANGUAGES.values()
    ]
    columns = [
        Column("language", "language"),
        Column("main", "main file"),
        Column("needs", "needs", lambda tools: ", ".join(tools) or "nothing else"),
        Column("missing", "missing here", ", ".join),
    ]
    if form != "table":  # whose lines are short: there, a note has the packages of all languages
        columns.append(Column("to_do", "to do"))
    print_rows(rows, columns, form)
    missing = [language for language in LANGUAGES.values() if language.missing()]
    if missing and form == "table":
        packages = dict.fromkeys(language.tools[tool] for language in missing for tool in language.missing())
        note("programs are missing on this machine", f"apt install {' '.join(packages)}")
