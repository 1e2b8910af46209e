"""Count what people would stumble over on the pages of a home, in windows of four widths.

    .venv/bin/python tests/programs/eyes.py --home HOME [--quick]

It serves HOME, opens a replay and a table of each game and size, and the other pages, at most MOST of a kind,
in each font that is here and both themes; with --quick one size of each game, in one font, and no other page.
It prints each of NUMBERS with what is wrong, and ends with 1 unless all are 0.  A new number is a function
that yields what is wrong on a page.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urljoin, urlsplit

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).resolve().parents[at]) for at in (1, 2)]

import pytest
from support.browser import open_page, run_browser
from support.command_line import run_apart
from support.fonts import FAMILIES, only
from support.served import leave_table, served, sit_down, step_of, wait_for_next

from engines import GAMES
from ladder.home.home import open_home

if TYPE_CHECKING:
    from playwright.sync_api import Page

MOST: Final = 3
"""How many pages of a kind are looked at, besides replays and tables."""
MOVES: Final = 4
"""How many moves are made at a table before it is looked at."""
SMALLEST: Final = 11
"""The least size of a letter on a board, in pixels."""


class Window(NamedTuple):
    """A window in CSS pixels, and how much of a board must be seen in it at once, in per cent."""

    width: int
    height: int
    least: int


WINDOWS: Final = (
    Window(375, 812, 85),
    Window(768, 1024, 85),
    Window(1366, 768, 100),
    Window(1920, 1080, 100),
)


class Stand(NamedTuple):
    """A page as it stands in a window."""

    page: Page
    window: Window


_BOARD: Final = """(isScrolled) => {
  const board = document.querySelector(".viewer-board > svg, .play-board > svg");
  if (!board) return null;
  const band = document.querySelector(".turn");
  const above = scrollY + board.getBoundingClientRect().top - (band?.offsetHeight ?? 0);
  scrollTo({ top: isScrolled ? above : 0, behavior: "instant" });
  const { top, bottom, width, height } = board.getBoundingClientRect();
  const boxes = [".viewer-bar", ".hand"].map((name) => document.querySelector(name)?.getBoundingClientRect());
  const end = Math.min(bottom, innerHeight, ...boxes.map((box) => box?.top ?? innerHeight));
  const begin = Math.max(top, 0, band?.getBoundingClientRect().bottom ?? 0);
  const texts = [...board.querySelectorAll("[font-size]")];
  const sizes = texts.map((text) => Number(text.getAttribute("font-size")));
  return {
    share: Math.round((100 * (end - begin)) / height),
    letter: (Math.min(...sizes) * width) / board.viewBox.baseVal.width,
    wider: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    isHandSeen: !boxes[1] || boxes[1].bottom <= innerHeight + 1,
  };
}"""
"""Returns how much of the board is seen: at the top of the page, or where most of it is seen."""
_DRAWN: Final = """new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
})"""
"""Waits until the page has been laid out anew."""
_CHOOSE: Final = """() => {
  const form = document.querySelector(".moves");
  if (form?.dataset.kind !== "one") return false;
  const offered = [...form.querySelectorAll("[data-parts]")].map((each) => JSON.parse(each.dataset.parts));
  if (offered.some((parts) => parts.length < 2)) return false; // a click would make a move
  const board = document.querySelector(".play-board > svg");
  const place = () => JSON.stringify(board.getBoundingClientRect());
  const before = place();
  board.querySelector(".part.possible").dispatchEvent(new MouseEvent("click", { bubbles: true }));
  const after = place();
  document.querySelector(".now .back").click();
  return before !== after;
}"""
"""Chooses a part of a move that has several, takes it back, and returns whether the board has moved."""


def board_faults(at: Stand) -> Iterator[str]:
    """Yield what of a board is not seen, not read, or moves when a part of it is chosen."""
    found = at.page.evaluate(_BOARD, at.window.least < 100)
    if not found:
        return
    if found["share"] < at.window.least:
        yield f"{found['share']} % of the board is seen"
    if found["letter"] < SMALLEST:
        yield f"letters of {found['letter']:.1f} pixels"
    if found["wider"] > 0:
        yield f"{found['wider']} pixels wider than the window"
    if not found["isHandSeen"]:
        yield "the hand is out of sight"
    if at.page.evaluate(_CHOOSE):
        yield "the board moves when a part is chosen"


NUMBERS: Final[Mapping[str, Callable[[Stand], Iterator[str]]]] = {"boards not whole": board_faults}


def replays_of(home: Path, *, quick: bool) -> Iterator[str]:
    """Yield the address of a replay in the middle of a match of each game and size, or of each game."""
    listed = run_apart("matches", "--format", "json", "--top", "100000", "--home", home, cwd=home).out
    of_sizes = {(row["game"], 0 if quick else len(row["seats"])): row for row in json.loads(listed)}
    for row in of_sizes.values():
        yield f"match/{row['match']}#{row['decisions'] // 2}"


def other_pages(page: Page, url: str) -> Iterator[str]:
    """Yield the addresses of pages that links lead to from the first, at most MOST of a kind."""
    found, kinds = [url], Counter[str]()
    for address in found:
        kind = urlsplit(address).path.rpartition("/")[0].split("/")[1:2]
        kinds[kind[0] if kind else ""] += bool(kind)
        if kind and kinds[kind[0]] > MOST:
            continue
        yield address
        page.goto(address)
        links = page.eval_on_selector_all("main a[href], nav a[href]", "all => all.map((each) => each.href)")
        inside = [link.partition("#")[0] for link in links if link.startswith(url)]
        found += [link for link in dict.fromkeys(inside) if link not in found]


def play_on(page: Page) -> None:
    """Sit down at the table that *page* offers and make some moves, so that there is something to see."""
    sit_down(page)
    for _ in range(MOVES):
        step = step_of(page)
        page.evaluate("""() => {
          const [least, offered] = [".moves", ".options"].map((name) => document.querySelector(name));
          const all = [...offered.querySelectorAll("button, input")];
          if (least.dataset.kind === "one") {
            all[all.length >> 1].click();
            return document.querySelector(".sure:not([hidden]) .primary")?.click();
          }
          for (const one of all.slice(0, Math.max(1, least.dataset.low))) one.click();
          document.querySelector(".send .primary").click();
        }""")
        wait_for_next(page, step)
        page.wait_for_selector(".moves, .result", state="attached")
        if not page.locator(".moves").count():
            return


def stands(page: Page, url: str, home: Path, *, quick: bool) -> Iterator[tuple[str, Stand]]:
    """Yield every page that is looked at, by its address, in each window."""

    def in_windows(called: str) -> Iterator[tuple[str, Stand]]:
        for window in WINDOWS:
            page.set_viewport_size({"width": window.width, "height": window.height})
            page.evaluate(_DRAWN)
            yield f"{called} at {window.width}", Stand(page, window)

    for address in [*replays_of(home, quick=quick), *([] if quick else other_pages(page, url))]:
        page.goto(urljoin(url, address))
        yield from in_windows(address.removeprefix(url) or "the first page")
    for game in GAMES:
        for seats in [*GAMES[game].seats][-1:] if quick else GAMES[game].seats:
            page.set_viewport_size({"width": WINDOWS[-1].width, "height": WINDOWS[-1].height})
            page.goto(urljoin(url, f"play?game={game}&seats={seats}"))
            play_on(page)
            yield from in_windows(f"a table of {game} for {seats}")
            if page.locator(".leave").count():
                leave_table(page)


def look(home: Path, *, quick: bool = False) -> dict[str, list[str]]:
    """Return what is wrong with the pages of *home*, by the names of NUMBERS."""
    wrong: dict[str, list[str]] = {name: [] for name in NUMBERS}
    with ExitStack() as stack:
        url, _ = stack.enter_context(served(open_home(home)))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for font in ["", *([] if quick else FAMILIES)]:
            try:
                environment = only(font, folder) if font else None
            except pytest.skip.Exception as missing:
                print(f"not looked at: {missing}")
                continue
            with run_browser(environment) as browser:
                for dark in [False] if quick else [False, True]:
                    with open_page(browser, url, dark=dark, quiet=False) as page:
                        for called, stand in stands(page, url, home, quick=quick):
                            for name, faults in NUMBERS.items():
                                told = f"{called}{f' in {font}' * bool(font)}{', dark' * dark}"
                                wrong[name] += [f"{told}: {fault}" for fault in faults(stand)]
    return wrong


def main() -> None:
    """Look, print, and end with 1 if something is wrong."""
    reader = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    reader.add_argument("--home", type=Path, required=True)
    reader.add_argument("--quick", action="store_true")
    given = reader.parse_args()
    wrong = look(given.home.resolve(), quick=given.quick)
    for name, faults in wrong.items():
        print(f"{name}: {len(faults)}", *faults, sep="\n  ")
    sys.exit(any(wrong.values()))


if __name__ == "__main__":
    main()
