"""Write what every reading command and page says of one stored home to tests/golden.

    .venv/bin/python tests/programs/golden_texts.py

tests/test_golden.py compares.  A change of JSON or CSV breaks programs; a change of text is read by eye, and
then this is run again.
"""

import hashlib
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import pytest
from support.bot_threads import in_threads
from support.command_line import Said, on_a_terminal, run_here, without_colour
from support.places import ROOT, TESTS
from support.sites import in_this_process, pages_of

from ladder.home.home import open_home

GOLDEN = TESTS / "golden"
HOMES = TESTS / "data" / "homes"
NEWEST = "0.6.0"
TABLES = (
    "leaderboard",
    "leaderboard --show pairs --top 4",
    "matrix",
    "matrix --bot greedy",
    "bots greedy --history",
    "matches --top 12",
    "matches --in d1 --top 4",
    "faults --top 1",
    "bots",
    "bots --similar",
    "games",
    "tournament",
    "home season",
    "duel",
)
"""Commands that print rows, in each format."""
TEXTS = (
    "home digest",
    "leaderboard --show calibration",
    "leaderboard --game stellar --pass random --columns error,luck",
    "bots talker",
    "bots stumbler",
    "games stella",
    "games stellar",
    "duel d1",
    "duel d2",
    "replay 1/1",
    "replay 1/1 --seat 0",
    "replay spring/3",
    "review 1/1",
    "review --bot greedy --matches 4 --game stellar",
    "leaderboard --show judges",
    "leaderboard --show notes",
    *(f"tournament {name}" for name in ("spring", "summer", "autumn", "league", "hidden", "planned")),
    "tournament spring --rounds",
    "matches --in 9",
    "leaderboard --game none",
    "bots nobody",
    "duel d9",
    "matches --in nothing",
)
FEEDBACK = "bots feedback dreamer"
DATA = (
    *(f"leaderboard --show pairs --format {how}" for how in ("json", "csv")),
    "home verify --format json",
    *(f"leaderboard --season first --all-versions --format {how}" for how in ("json", "csv")),
    "bots talker --json",
    "bots stumbler --json",
    "duel d1 --format json",
    "replay 1/1 --json",
    "replay 1/1 --seat 0 --json",
    "review 1/1 --json",
    "review --bot greedy --matches 4 --game stellar --json",
    *(f"tournament {name} --format json" for name in ("spring", "summer", "autumn", "league", "hidden")),
)


def golden_files(folder: Path) -> dict[str, str]:
    """Return the golden files by their names; the home is unpacked below *folder*, which is empty."""
    home = folder / "home"
    shutil.unpack_archive(HOMES / f"{NEWEST}.tar.xz", home)
    with _same_everywhere(folder):
        narrow, wide = (
            {each: _on_terminal(each, columns) for each in (*TABLES, *TEXTS)} for columns in (80, 120)
        )
        piped = {each: _show(each) for each in (*TABLES, *TEXTS)}
        files = {
            "80-columns.txt": _titled(narrow, folder),
            "120-columns.txt": _titled(dict(wide.items() - narrow.items()), folder),
            "piped.txt": _titled(dict(piped.items() - wide.items() - narrow.items()), folder),
            "markdown.txt": _titled(
                {each: _show(each) for each in (FEEDBACK, *(f"{table} --format md" for table in TABLES))},
                folder,
            ),
        }
        files["data.txt"] = _data(folder)
        files |= _pages(home, folder)
    return files


@contextmanager
def _same_everywhere(folder: Path) -> Iterator[None]:
    """Let what is printed depend on nothing of this machine."""
    before = Path.cwd()
    with pytest.MonkeyPatch.context() as patch, in_this_process(), in_threads():  # reviews need a pool
        patch.setenv("LADDER_HOME", "home")
        patch.setenv("TZ", "UTC")
        patch.setattr(sys, "executable", "/usr/bin/python3")
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def _on_terminal(words: str, columns: int) -> str:
    """Return what a command shows on a terminal of *columns* columns, without colours."""
    code = run_here(*words.split()).code
    shown = on_a_terminal(*words.split(), columns=columns, code=code)
    return "\n".join(line.rstrip() for line in without_colour(shown)).strip("\n")


def _show(words: str) -> str:
    """Return what a command prints into a pipe, with its messages at the end."""
    said = run_here(*words.split())
    return "\n".join(line.rstrip() for line in f"{said.out}\n{said.err}".splitlines()).strip("\n")


def _data(folder: Path) -> str:
    """Return the digests of what programs read, and its first line."""
    told = []
    for words in (*(f"{each} --format {how}" for each in TABLES for how in ("json", "csv")), *DATA):
        said: Said = run_here(*words.split())
        digest = hashlib.sha256(_neutral(said.out, folder).encode()).hexdigest()[:16]
        told.append(f"{digest} {said.code} {words}: {said.out.partition(chr(10))[0][:200]}")
    return "\n".join(told) + "\n"


def _pages(home: Path, folder: Path) -> dict[str, str]:
    """Return the texts of the pages of its site, by kind; those that are written by hand are left out."""
    found: dict[str, dict[str, str]] = {}
    for path, page in sorted(pages_of(open_home(home), folder / "site", matches=1).items()):
        kind = path.partition("/")[0] if "/" in path else "pages"
        if kind not in ("guides", "rules") and path != "protocol.html":
            found.setdefault(f"site-{kind}.txt", {})[path] = _text_of(page)
    return {name: _titled(texts, folder) for name, texts in found.items()}


def _titled(texts: dict[str, str], folder: Path) -> str:
    """Return *texts* below what they are of, in the order of that."""
    told = (f"{'=' * 20} {name}\n{text}\n\n" for name, text in sorted(texts.items()))
    return _neutral("".join(told), folder)


def _neutral(text: str, folder: Path) -> str:
    """Return *text* without what is this machine's."""
    return text.replace(str(folder), "FOLDER").replace(str(ROOT), "SOURCES")


class _Texts(HTMLParser):
    """The words of a page: a line for each block, cells apart."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self._left_out = 0
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag in ("style", "script", "svg"):
            self._left_out += 1
        elif tag in ("td", "th", "dd"):
            self.words.append(" | ")
        elif tag not in ("a", "abbr", "b", "code", "em", "span", "strong", "time"):
            self.words.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("style", "script", "svg"):
            self._left_out -= 1

    def handle_data(self, text: str) -> None:
        if not self._left_out:
            self.words.append(re.sub(r"\s+", " ", text))


def _text_of(page: str) -> str:
    lines = "".join(_Texts(page).words).splitlines()
    return "\n".join(" ".join(line.split()) for line in lines if line.strip())


def main() -> None:
    """Write the golden files."""
    with tempfile.TemporaryDirectory() as folder:
        files = golden_files(Path(folder))
    shutil.rmtree(GOLDEN, ignore_errors=True)
    GOLDEN.mkdir()
    for name, text in files.items():
        (GOLDEN / name).write_text(text, "utf-8")
    print(f"{GOLDEN}: {sum(map(len, files.values())) / 1000:.0f} kB")


if __name__ == "__main__":
    main()
