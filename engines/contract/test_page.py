"""The page of a game, its README.md, for authors of bots: it names all that the schema does."""

from __future__ import annotations

import json
import re
from functools import cache

from engines.contract.game_schema import fits, kinds, properties, steps
from engines.contract.subject import Subject


@cache
def page_of(subject: Subject) -> str:
    return (subject.folder / "README.md").read_text("utf-8")


def section(subject: Subject, title: str) -> str:
    return page_of(subject).partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def table_of(text: str, number: int = 0) -> dict[str, str]:
    """Return one of the tables in a text: what stands in code in the first column, and the second column."""
    tables = re.findall(r"^\|[^\n]*\n\|-.*\n((?:\|.*\n)*)", text, re.MULTILINE)
    rows = [line.split(" | ") for line in tables[number].splitlines()] if tables else []
    return {row[0].strip("| `"): row[1] for row in rows}


def test_the_page_names_the_fields_of_a_view(subject: Subject) -> None:
    assert properties(subject, "view") == table_of(section(subject, "The view")).keys()


def test_the_page_names_every_event_and_its_fields(subject: Subject) -> None:
    told = {
        kind: {"event", *re.findall(r"`(\w+)`", re.sub(r"\([^)]*\)", "", fields))}
        for kind, fields in table_of(section(subject, "Events")).items()
    }
    assert {kind: properties(subject, f"{kind}_event") for kind in kinds(subject)} == told


def test_the_page_names_every_step_and_every_option(subject: Subject) -> None:
    assert steps(subject) - {"over"} == table_of(section(subject, "Decisions")).keys()
    part = "given_options" if subject.game.options else "options"
    assert properties(subject, part) == table_of(section(subject, "Options")).keys()


def test_the_example_on_the_page_fits(subject: Subject) -> None:
    events, view = (json.loads(block.split("```")[0]) for block in page_of(subject).split("```json")[1:])
    assert fits(subject, "view", view)
    assert all(fits(subject, "event", event) for event in events)


def test_the_page_leads_to_the_schema(subject: Subject) -> None:
    assert "[schema.json](schema.json)" in page_of(subject)
