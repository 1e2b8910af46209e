"""The page on a submission for its author: what became of it, why, and what to do."""

import os
import re
from pathlib import Path

from ladder.admission.batch import SubmissionAnswer
from ladder.home.home import Home
from ladder.home.machine_paths import hide_paths, paths_of_machine
from results.reports.values_as_text import escape

PAGE = "<!-- ladder submit -->"
"""The first line: a file with it may be overwritten by the next page."""
LONGEST = 200
"""The most bytes of a page's name before its number and suffix; most disks allow 255."""
NOT_JUDGED = (
    "So nothing is known of your bot, and nothing in it need be changed. It is judged by the next try."
)


def page_names(paths: list[Path]) -> dict[Path, str]:
    """Return a file name for the page of each of *paths*: its own name, with a number if it comes again."""
    taken: set[str] = set()
    names = {}
    for path in paths:
        stem = escape(_own_name(path)).encode()[:LONGEST].decode(errors="ignore")
        name, number = stem, 1
        while name.casefold() in taken:
            number += 1
            name = f"{stem}-{number}"
        taken.add(name.casefold())
        names[path] = f"{name}.md"
    return names


def author_page(answer: SubmissionAnswer, home: Home) -> str:
    """Return the page on a submission as Markdown.

    All text of the bot, of its files' names and of programs is in indented blocks, where Markdown means
    nothing.  Paths of this machine, other bots, and commands of the operator are left out.
    """

    def block(text: str) -> str:
        lines = _without_paths(text, answer.path, home).split("\n")
        return "\n".join(f"    {escape(line)}".rstrip() for line in lines)

    what = "wish" if answer.wish else "submission"
    parts = [PAGE, f"# Your {what}", block(_own_name(answer.path)), f"**{_headline(answer)}**"]
    if answer.told:
        parts += ["Why:"] if answer.refused or answer.not_judged else []
        parts.append(block(answer.told))
    if answer.not_judged and not answer.wish:
        parts.append(NOT_JUDGED)
    elif answer.advice and answer.version is None:
        parts += ["What to do:", block(answer.advice)]
    if answer.refused and answer.bot and not answer.wish:
        parts.append("Before you submit again, try it at home: `ladder check` and the path of your bot.")
    if answer.version is not None:
        parts.append(
            "Nothing was reviewed. What its decisions cost, you see at home once it has played there: "
            f"`ladder review --bot {answer.version.bot}`."
        )
    if answer.said:
        parts += ["What you should know:", *map(block, answer.said)]
    return "\n\n".join(parts) + "\n"


def _headline(answer: SubmissionAnswer) -> str:
    if answer.result in ("waits", "done"):
        return f"{answer.result.capitalize()}."
    if answer.version is None:
        older = f" Your version {answer.plays} goes on playing." if answer.plays else ""
        return f"{'Not judged' if answer.not_judged else 'Refused'}.{older}"
    named = f"{answer.version.bot}@{answer.version.number} ({answer.version.version})"
    if answer.result == "unchanged":
        return f"Nothing has changed: {named} already plays."
    if answer.result == "proving":
        return f"Accepted as {named}. It plays unless a duel against {answer.plays} shows that it is worse."
    if answer.result == "kept back":
        return f"{named} is kept back."
    return f"Accepted as {named}. It plays from the next run on."


def _own_name(path: Path) -> str:
    """Return the name of the submission at *path*; a link has its own, not that of its target."""
    return Path(os.path.abspath(path)).name  # noqa: PTH100 - Path.resolve would follow a link


def _without_paths(text: str, path: Path, home: Home) -> str:
    """Return *text* without the folders of this machine: files of the bot have their bare names."""
    bots = re.escape(str(home.roster.path.resolve()))
    text = re.sub(rf"{bots}/\.staging-[0-9]+/(files|source)(/|\b)", "", text)
    if path.is_symlink():
        text = text.replace(os.path.realpath(path), _own_name(path))
    text = hide_paths(paths_of_machine(home, [path.parent]), text)
    if path.parent != Path():
        text = re.sub(rf"(?<![\w/.-]){re.escape(str(path.parent))}/", "", text)
    return text
