"""The pages of the project, and the commands and programs that they show."""

import re
from pathlib import Path

from support.places import ROOT

TUTORIALS = {"bots/TUTORIAL.md", "bots/LEARNING.md"}
FOLDERS = ("bots", "engines", "ladder", "protocol", "results", "tests")
PAGES = {
    str(path.relative_to(ROOT)): path.read_text("utf-8")
    for path in (*ROOT.glob("*.md"), *(page for name in FOLDERS for page in (ROOT / name).rglob("*.md")))
}
"""The text of every page, by its path from the root."""
README = PAGES["README.md"]


def blocks(language: str, page: str = README) -> list[str]:
    """Return the blocks of code in *language* that the text *page* shows."""
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def commands() -> list[str]:
    """Return the `ladder` commands of all pages, each once: those of blocks, then the examples of tables.

    Those of the tutorials, which tests/test_tutorial.py runs one after another, are left out.
    """
    names = sorted(PAGES.keys() - TUTORIALS, key=lambda name: (name != "README.md", name))
    pages = [PAGES[name] for name in names]
    shown = [line for page in pages for block in blocks("sh", page) for line in block.splitlines()]
    examples = [row for page in pages for row in re.findall(r"\| `(ladder [^`|]+)` \|$", page, re.MULTILINE)]
    return list(dict.fromkeys([*(line for line in shown if line.startswith("ladder ")), *examples]))


def section(page: str, heading: str) -> str:
    """Return what the text *page* says under *heading*, up to the next heading of any level."""
    marked = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", page, re.MULTILINE | re.DOTALL)
    assert marked, f"no heading {heading!r}"
    return marked[1]


def rows(text: str) -> list[list[str]]:
    """Return the cells of the rows of all tables in *text*, headings and rules left out."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    ruled = [i for i, row in enumerate(cells) if set("".join(row)) <= set("-:")]
    return [row for i, row in enumerate(cells) if i not in ruled and i + 1 not in ruled]


def anchors(page: str) -> list[str]:
    """Return what links to the headings of the text *page* end in."""
    prose = re.sub(r"^```.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", prose, re.MULTILINE)
    return [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]


def folder_of(page: str) -> Path:
    """Return the folder that the links of the page at this path start from."""
    return (ROOT / page).parent
