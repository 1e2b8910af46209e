"""Print a document on stdout, in text; its notes go to stderr, with what to type."""

import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Sequence
from typing import assert_never

from ladder.cli.last_line import remember_commands
from ladder.cli.options import note, print_rows, print_title
from ladder.cli.streams import GLUE, paint
from results.reports import document as doc
from results.reports.fault_card import COMMANDS
from results.reports.labels import Numbers
from results.reports.values_as_text import escape, say

PIPED = 80
"""Characters: the width of lines where there is no terminal."""
DRAWN = (60, 160)
"""The least and the most width of a bracket."""


def show_document(
    document: doc.Document, numbers: Numbers, instead: str = "--format json has everything"
) -> None:
    """Print *document* without its title, which the command has named; *numbers* tell versions apart.

    *instead* says how to see the columns of a table that find no room.
    """
    _Printer(numbers, instead).show(document.parts, "")


def show_answer(
    document: doc.Document, form: str, numbers: Numbers, instead: str = "--format csv has all columns"
) -> None:
    """Print *document* on stdout in a *form* for people: as a table, or as Markdown with its title."""
    if form == "md":
        from results.reports.as_markdown import as_markdown

        print(as_markdown(document, numbers), end="")
    else:
        show_document(document, numbers, instead)


def fit_lines(text: str) -> list[str]:
    """Return *text* of bots in lines that fit, escaped; commands that go on with a card stay whole."""
    from ladder.live.fitting import break_line, hang_of

    lines, width = [], text_width()
    for line in text.split("\n"):
        # JSON has no spaces: it may be broken before each value
        told = escape(line).replace(',"', f',{GLUE} "')
        broken = [told] if line.startswith(COMMANDS) else break_line(told, hang_of(told, width), width)
        lines += [part.replace(f"{GLUE} ", "").replace(GLUE, "") for part in broken]
    return lines


class _Printer:
    """Prints parts, with an empty line between them."""

    def __init__(self, numbers: Numbers, instead: str) -> None:
        self._numbers, self._instead = numbers, instead
        self._began = False

    def show(self, parts: Sequence[doc.Part], heading: str) -> None:
        """Print *parts*; the first that is printed on stdout has the *heading* above it."""
        for part in parts:
            match part:
                case doc.Section(title, inside):
                    self.show(inside, _join(heading, self._say(title)))
                    continue
                case doc.Note(text, command):
                    note(say(text, self._numbers), command, PIPED)
                    continue
                case doc.Text(words, _):
                    put = self._lines([_fill(self._say(words), "")])
                case doc.Lines(lines, whole):
                    fit = self._say if whole and not sys.stdout.isatty() else self._line
                    put = self._lines([*map(fit, lines)])
                case doc.Facts(facts):
                    put = self._facts(facts)
                case doc.Code(text):
                    put = self._code(text)
                case doc.Bracket(_, draw, _):
                    put = self._bracket(draw)
                case doc.Picture(text=show):
                    put = self._code(show().rstrip())
                case doc.Table():
                    put = self._table(part)
                case doc.Chart(_, _, _, instead):
                    if not instead:
                        continue
                    put = self._table(instead)
                case _:
                    assert_never(part)
            self._begin(heading)
            heading = ""
            put()

    def _begin(self, heading: str) -> None:
        print("\n" if self._began else "", end="")
        self._began = True
        if heading:
            print_title(heading)

    def _table(self, table: doc.Table) -> Callable[[], None]:
        return lambda: print_rows(
            table.rows, table.columns, "table", table.dividers, self._instead, self._numbers
        )

    def _lines(self, lines: Sequence[str]) -> Callable[[], None]:
        return lambda: print("\n".join(lines))

    def _code(self, text: str) -> Callable[[], None]:
        return lambda: print("\n".join(fit_lines(text)))

    def _bracket(self, draw: Callable[[int, Callable[[str], str]], Iterable[str]]) -> Callable[[], None]:
        width = min(max(DRAWN[0], text_width()), DRAWN[1])
        return lambda: print("\n".join(draw(width, lambda text: paint(text, "1"))).rstrip())

    def _facts(self, facts: Sequence[tuple[str, doc.Value | doc.Words]]) -> Callable[[], None]:
        width = max(len(name) for name, _ in facts) + 2

        def put() -> None:
            for name, value in facts:
                told = f"{name:<{width}}{self._say(value)}"
                # what is copied, or found again, is not broken
                print(told if isinstance(value, (doc.Command, doc.Prose)) else _fill(told, " " * width))

        return put

    def _line(self, value: doc.Value | doc.Words) -> str:
        """Return a line of a list in lines that fit; a command stays whole, below what it is about."""
        text = self._say(value)
        return f"  {text}" if isinstance(value, doc.Command) else _fill(text, "  ")

    def _say(self, value: doc.Value | doc.Words) -> str:
        if isinstance(value, doc.Command):
            remember_commands(value.command)
        return say(value, self._numbers)


def _join(heading: str, title: str) -> str:
    """Return *title* behind the heading above it."""
    return f"{heading}: {title[:1].lower()}{title[1:]}" if heading else title


def text_width() -> int:
    """Return how wide lines on stdout may be."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else PIPED


def _fill(line: str, indent: str) -> str:
    kept = re.sub(r"\+- (?=\d)", f"+-{GLUE}", line)  # a sign and its number stay together
    filled = textwrap.fill(
        kept, text_width(), subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return filled.replace(GLUE, " ")
