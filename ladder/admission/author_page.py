"""The page on a submission for its author: what became of it, why, and what to do."""

from __future__ import annotations

import re
from pathlib import Path

import protocol
from ladder.admission.batch import Answer
from ladder.home.home import Home
from results.reports.render import escape

__all__ = ["PAGE", "author_page", "page_names"]

PAGE = "<!-- ladder submit -->"
"""The first line: a file with it may be overwritten by the next page."""
PACKAGES = Path(protocol.__file__).parents[1]
"""The folder of the packages, one of which bots import."""
LONGEST = 200
"""The most bytes of a page's name before its number and suffix; most disks allow 255."""


def page_names(paths: list[Path]) -> dict[Path, str]:
    """Return a file name for the page of each of *paths*: its own name, with a number if it comes again."""
    taken: set[str] = set()
    names = {}
    for path in paths:
        stem = escape(path.resolve().name).encode()[:LONGEST].decode(errors="ignore")
        name, number = stem, 1
        while name.casefold() in taken:
            number += 1
            name = f"{stem}-{number}"
        taken.add(name.casefold())
        names[path] = f"{name}.md"
    return names


def author_page(answer: Answer, home: Home) -> str:
    """Return the page on a submission as Markdown.

    All text of the bot, of its files' names and of programs is in indented blocks, where Markdown means
    nothing.  Paths of this machine are left out.
    """

    def block(text: str) -> str:
        lines = _without_paths(text, answer.path, home).split("\n")
        return "\n".join(f"    {escape(line)}".rstrip() for line in lines)

    parts = [PAGE, "# Your submission", block(answer.path.resolve().name), f"**{_headline(answer)}**"]
    if answer.version is None:
        hint = answer.hint.partition("; or add --replace")[0]  # the rest is for the operator
        parts += ["Why:", block(answer.details), "What to do:", block(hint)]
        if answer.bot:
            parts.append("Before you submit again, try it at home: `ladder check` and the path of your bot.")
    for text in answer.said:
        parts += ["It plays all other games, but:", block(text)]
    return "\n\n".join(parts) + "\n"


def _headline(answer: Answer) -> str:
    if answer.version is None:
        older = f" Your version {answer.plays} goes on playing." if answer.plays else ""
        return f"Refused.{older}"
    named = f"{answer.version.bot}@{answer.version.number} ({answer.version.version})"
    if answer.result == "unchanged":
        return f"Nothing has changed: {named} plays already."
    return f"Accepted as {named}. It plays from the next run on."


def _without_paths(text: str, path: Path, home: Home) -> str:
    """Return *text* without the folders of this machine: files of bots have their bare names."""
    for origin in {origin for origins in home.roster.origins().values() for origin in origins if origin}:
        text = text.replace(origin, Path(origin).name)
    bots = re.escape(str(home.roster.path.resolve()))
    text = re.sub(rf"{bots}/\.staging-[0-9]+/(files|source)(/|\b)", "", text)
    for folder in (path.resolve().parent, home.path.resolve(), PACKAGES, Path.home()):
        if folder != folder.parent:
            text = re.sub(rf"{re.escape(str(folder))}(/|\b)", "", text)
    if path.parent != Path():
        text = re.sub(rf"(?<![\w/.-]){re.escape(str(path.parent))}/", "", text)
    return text
