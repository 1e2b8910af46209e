"""Write documents as Markdown.  What bots wrote, their names too, stands in code: it means nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from results.reports.document import (
    Bracket,
    Chart,
    Code,
    Document,
    Facts,
    Lines,
    Note,
    Part,
    Picture,
    Section,
    Table,
    Text,
    Value,
    Words,
)
from results.reports.labels import Numbers
from results.reports.render import WIDTH, render
from results.reports.values_as_text import code, escape, label_refs, longest_fence, refs_in, write_in_markdown


def as_markdown(document: Document, numbers: Numbers) -> str:
    """Return *document* as Markdown that ends in a newline; *numbers* tell versions of a bot apart."""
    paragraphs = [f"# {_write(document.title, numbers)}", *_parts(document.parts, numbers, 2)]
    return "\n\n".join(paragraphs) + "\n"


def _block(text: str) -> str:
    fence = "`" * max(3, 1 + longest_fence(text))
    return "\n".join([f"{fence}text", *map(escape, text.split("\n")), fence])


def _parts(parts: Sequence[Part], numbers: Numbers, level: int) -> Iterator[str]:
    """Yield the paragraphs of *parts*, whose headings have this *level*."""
    for part in parts:
        match part:
            case Text(words, _):
                yield _write(words, numbers)
            case Note(text, command):
                told = _write(text, numbers)
                yield f"{told}: {code(command)}" if command else told
            case Facts(facts):
                yield "\n".join(f"- {name}: {_write(value, numbers)}" for name, value in facts)
            case Lines(lines):
                yield "\n".join(f"- {_write(line, numbers)}" for line in lines)
            case Table():
                yield _table(part, numbers)
            case Chart(_, _, _, instead):
                if instead:
                    yield _table(instead, numbers)
            case Picture(text=show):
                yield _block(show().rstrip())
            case Bracket(_, lines, _):
                yield _block("\n".join(lines(WIDTH, str)).rstrip())
            case Code(text):
                yield _block(text)
            case Section(title, inside):
                yield f"{'#' * level} {_write(title, numbers)}"
                yield from _parts(inside, numbers, level + 1)
            case _:
                assert_never(part)


def _table(table: Table, numbers: Numbers) -> str:
    """Return *table* without what is drawn in characters, which Markdown shows with gaps."""
    columns = [replace(column, fold=False) for column in table.columns if not column.draw]
    return render(table.rows, columns, "md", numbers=numbers).rstrip("\n")


def _write(value: Value | Words, numbers: Numbers) -> str:
    return write_in_markdown(value, label_refs(refs_in(value), numbers))
