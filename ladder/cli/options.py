"""Options that several commands share, the home of a command, and its messages."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from ladder.cli.last_line import keep_commands, remember_commands
from ladder.cli.streams import fit_lines, paint
from ladder.errors import FIRST_RUN, LadderError, printable, short
from ladder.run.match_options import HOME
from ladder.run.option import Argument, Option
from results.reports.document import Column, Divider, Row
from results.reports.values_as_text import escape

if TYPE_CHECKING:
    from ladder.home.home import Home
    from ladder.home.settings import Settings
    from results.record import Json
    from results.reports.labels import Numbers
    from results.storage.store import Store

_QUIET: ContextVar[bool] = ContextVar("quiet", default=False)
WRONG = ("warning", "left out")
"""How notes begin that say what is wrong."""
MOST_NAMED = 8
"""Of more columns that found no room, only the number is said."""
LONGEST_LINE = 2_000
"""The most characters shown of a line of an error, which may quote a bot or a file."""


Form: TypeAlias = Literal["table", "json", "csv", "md", "xlsx"]
BotArgument: TypeAlias = Annotated[
    str, Argument("NAME, NAME@NUMBER or NAME@HASH.", metavar="BOT", completes="bots")
]
BotOrPathArgument: TypeAlias = Annotated[
    str, Argument("NAME, NAME@NUMBER, NAME@HASH or a path, which is not stored.", completes="bots")
]
HomeOption: TypeAlias = Annotated[Path | None, HOME]
FormatOption: TypeAlias = Annotated[Form, Option("How to print the rows.", ("--format", "-f"), short=True)]
TextOrJson: TypeAlias = Literal["table", "json"]
AnswerFormatOption: TypeAlias = Annotated[TextOrJson, Option("How to print the answer.", ("--format", "-f"))]


def existing_home(path: PathLike[str] | str | None) -> Home:
    """Return the home that a reading command means.  Raises UsageProblem if there is none."""
    from ladder.home.home import read_home

    return _read_typed(read_home(path))


def settings_of(path: Path | None) -> Settings:
    """Return the settings of the home that a command means: the defaults where it will be made."""
    from ladder.cli.old_spellings import typed_settings
    from ladder.home.home import find_home, open_home
    from ladder.home.settings import Settings, change_settings

    where = find_home(path)
    found = open_home(where).settings if (where / "ladder.toml").is_file() else Settings()
    return change_settings(found, typed_settings())


def _read_typed(home: Home) -> Home:
    """Return *home* with what this command has typed of its settings; let it wait if they say so."""
    from ladder.cli.old_spellings import typed_settings

    home = home.with_typed(typed_settings())
    if home.settings.run.wait:
        wait_for_home(True)
    return home


@contextmanager
def home_for_writing(path: PathLike[str] | str | None, *, with_house_bots: bool = True) -> Iterator[Home]:
    """Yield the home of a writing command; a home made for it stays only if the command succeeds.

    The house bots come into a new one with its first run, if so wanted.
    """
    from ladder.home.home import create_home, find_home, first_house_bots, open_home
    from ladder.machine.removal import remove_folder

    where = find_home(path)
    if (where / "ladder.toml").is_file():
        yield _read_typed(open_home(where))
        return
    made = [folder for folder in (where, *where.parents) if not folder.exists()]
    home = create_home(where, first_house_bots() if with_house_bots else ())
    try:
        yield _read_typed(home)
    except BaseException as error:
        if isinstance(error, LadderError) and str(where / "ladder.toml") in error.hint:
            # the file is removed with the home, and would be searched in vain
            error.hint = f"ladder home init {shlex.quote(str(where))}; then {error.hint}"
        (where / "ladder.toml").unlink(missing_ok=True)
        for part in ("bots", "results"):
            remove_folder(where / part)
        with suppress(OSError):  # another process has put something there
            for folder in made:
                folder.rmdir()
        raise
    note(f"made a new ladder in {where}")
    if home.roster.expected_house_bots():
        note("its first run adds the house bots", "ladder bots house remove, which keeps them out")


def store_of(home: Home, unrated: str | None = None) -> Store:
    """Return the results of *home*, or those called *unrated*.  Raises NoSuchUnrated or SecretMatches."""
    from results.storage.store import Store
    from results.storage.unrated import unrated_store

    return Store(home.results) if unrated is None else unrated_store(home.results, unrated)


def wait_for_home(waits: bool) -> None:
    """If this command *waits*, let it wait for the home while another process uses it, and say so once."""
    from results.storage.locking import wait_for_locks

    if waits:
        wait_for_locks(lambda locked: note(f"{locked}; waiting until it is done"))


def print_rows(
    rows: Sequence[Row],
    columns: Sequence[Column],
    form: str,
    dividers: Sequence[Divider] = (),
    instead: str = "--format csv has all columns",
    numbers: Numbers = MappingProxyType({}),
) -> None:
    """Print *rows* on stdout, a table with the *dividers* between them; one for a terminal fits its width.

    *instead* says how to see columns that found no room; *numbers* tell versions of a bot apart.
    """
    if form == "table" and sys.stdout.isatty():
        from ladder.cli.terminal import show

        if left_out := show(rows, columns, dividers, numbers):
            which = ", ".join(left_out) if len(left_out) <= MOST_NAMED else f"{len(left_out):,} columns"
            note(f"not shown, for lack of room: {which}", instead)
        return
    from results.reports.render import plain_cells, render

    if form == "xlsx":
        from results.reports.export import workbook

        heads = [column.key for column in columns]
        sys.stdout.buffer.write(workbook(heads, [plain_cells(row, columns) for row in rows]))
        return
    sys.stdout.write(render(rows, columns, form, dividers, numbers))  # type: ignore[arg-type]  # the option allows nothing else


def print_json(value: Json) -> None:
    """Print *value* on stdout, for programs."""
    from results.reports.render import json_text

    print(json_text(value))


def print_facts(facts: Mapping[str, str], form: str) -> None:
    """Print *facts*, each by its name, on stdout."""
    rows = [{"what": what, "found": found} for what, found in facts.items()]
    print_rows(rows, [Column("what", "what"), Column("found", "found")], form)


def print_title(text: str) -> None:
    """Print *text* above a table, and an empty line; on a terminal in lines that fit."""
    if sys.stdout.isatty():
        text = textwrap.fill(text, shutil.get_terminal_size().columns, subsequent_indent="  ")
    print(f"{text}\n")


def be_quiet(quiet: bool) -> None:
    """If this command is *quiet*, let `note` print only what is wrong."""
    _QUIET.set(quiet)


def note(text: str, hint: str = "", piped: int = 0) -> None:
    """Print a message that is not the answer, and what to type next, on stderr after the answer.

    Lines fit the terminal; without one, a message that belongs to a table has lines of *piped* characters,
    and all others stay whole, so that a log can be searched for them.
    """
    if not _QUIET.get() or text.startswith(WRONG):
        _say(fit_lines(text, piped), hint)


def _say(text: str, hint: str) -> None:
    """Print a message and a hint with control characters escaped: both may quote a name or a bot."""
    sys.stdout.flush()
    text, hint = ("\n".join(map(printable, said.split("\n"))) for said in (text, hint))
    print(re.sub("^ladder:", paint("ladder:", "1;31", sys.stderr), text), file=sys.stderr)
    if hint:
        print(fit_lines(f"  next: {keep_commands(remember_commands(hint))}"), file=sys.stderr)


def agrees(question: str) -> bool:
    """Ask a person on the terminal; return False where there is none."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    print(f"{escape(question)} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def nothing_yet(what: str) -> None:
    """Say that there is no *what* yet."""
    note(f"no {what} yet", FIRST_RUN)


def refuse(message: str, hint: str, code: int) -> int:
    """Print what went wrong and what to type next, with control characters escaped; return *code*."""
    first, *details = [escape(short(line, LONGEST_LINE)) for line in message.split("\n")]
    _say(fit_lines("\n".join([f"ladder: {first}", *details])), escape(hint))
    return code
