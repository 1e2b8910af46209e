"""Count what people would stumble over on the pages of a home, in windows of four widths.

    .venv/bin/python tests/programs/eyes.py --home HOME [--quick]

It writes HOME as a site and serves it.  It opens all pages of the site; of the server a replay and a table of
each game and size, a table that is over, and the other pages, at most MOST of a kind; in each font that is
here and both themes.  With --quick it opens a page of each kind, and one size of each game, in one font.
It prints each of NUMBERS with what is wrong, and ends with 1 unless all are 0.  A new number is a function
that yields what is wrong on a page.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple
from urllib.parse import parse_qs, urljoin, urlsplit

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).resolve().parents[at]) for at in (1, 2)]

import pytest
from support.browser import open_page, run_browser
from support.command_line import run_apart
from support.fonts import FAMILIES, only
from support.served import leave_table, served, sit_down, step_of, wait_for_next

from engines import GAMES
from ladder.home.home import open_home
from ladder.run.tournament.event_facts import read_events
from ladder.web.site.site import write_site
from ladder.web.site.site_options import SiteOptions
from results.reports.labels import display_of

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

MOST: Final = 3
"""How many pages of a kind are looked at, besides replays and tables."""
THEMES: Final[Sequence[Literal["light", "dark"]]] = ("light", "dark")
MOVES: Final = 4
"""How many moves are made at a table before it is looked at."""
SMALLEST: Final = 11
"""The least size of a letter on a board, in pixels."""
NAME: Final = 20
"""Names of at most this many letters are whole in windows of at least..."""
NAMED: Final = 1280
"""...this width."""
MACHINE_WORDS: Final = re.compile(
    r"bubblewrap|\bbwrap|landlock|sandbox|\bworkers?\b|\bprocess(es)?\b|traceback|errno|\battempts?\b|rotation"
    r"|swiss:|knockout/|last stage|\bseat 0\b|\b(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{12}\b"
    r"|\b[A-Z][0-9]+(\.[0-9]+)?@|\bc[0-9]{2}\b"
    r"|\bladder (run|duel|play|submit|push|connect|matches|replay|review|faults|export|serve|site|home)\b",
    re.IGNORECASE,
)
"""Words of the program, notation of moves, and commands."""
FOR_AUTHORS: Final = re.compile(r"^(runs|submit|protocol|upload|guides)\b")
"""The pages that may have them."""
RESULT: Final = re.compile(r"\b(beat|won|wins|tie|share the first place|no winner)\b")
"""What the head of a match, a round or a tournament that is over says."""


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
    path: str
    names: Sequence[str]
    """Those of bots that people see."""
    events: Sequence[str]
    """The tournaments that are over."""


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


_TEXTS: Final = """() => {
  const found = [document.title];
  for (const each of document.querySelectorAll("body, body *:not(footer *, .for-bots *)")) {
    if (each.matches("script, style, noscript, footer, desc")) continue;
    found.push(each.getAttribute("aria-label") ?? "", each.getAttribute("title") ?? "");
    for (const node of each.childNodes) if (node.nodeType === Node.TEXT_NODE) found.push(node.data);
  }
  return found.map((text) => text.trim()).filter(Boolean).join("\\n");
}"""
"""Returns all texts of a page, also those that are not seen at first, without its footer.

What a screen reader says of a picture is the text of the game, which models get as well.
"""
_CUT: Final = """(names) => {
  const isCut = (text) => [...text.matchAll(/…|\\.\\.\\./g)].some(({ index }) => names.some((name) => {
    const before = text.slice(0, index).trimEnd();
    return [...name].some((_, end) => {
      const sign = before[before.length - end - 1] ?? "";
      return end > 1 && before.endsWith(name.slice(0, end)) && !/[\\p{L}\\p{N}]/u.test(sign);
    });
  }));
  const isClipped = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    const drawn = node.parentElement.closest("svg text, svg tspan"); // a range knows nothing of textLength
    const { left, right } = (drawn ?? range).getBoundingClientRect();
    for (let around = node.parentElement; around; around = around.parentElement) {
      if (!["hidden", "clip"].includes(getComputedStyle(around).overflowX)) continue;
      const box = around.getBoundingClientRect();
      const isPart = left < box.right - 1 && right > box.left + 1; // else it is on a screen's next page
      if (isPart && (right > box.right + 1 || left < box.left - 1)) return true;
    }
    return false;
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) {
    const { data, parentElement: parent } = texts.currentNode;
    if (parent.closest("script, style, noscript, title, desc, .unseen")) continue;
    if (!parent.checkVisibility()) continue;
    const isNamed = names.some((name) => data.includes(name));
    if (isCut(data) || (isNamed && isClipped(texts.currentNode))) found.push(data.trim());
  }
  return found;
}"""
"""Returns the texts in which one of *names* is cut."""
_COSTS: Final = """() => {
  const doesCost = (each) => Boolean(each.dataset.cost) || /^burn /i.test(each.textContent.trim());
  const offered = [...document.querySelectorAll(".moves [data-cost]")];
  const pairs = offered.map((each) => [(each.querySelector("input") ?? each).value, doesCost(each)]);
  return Object.fromEntries(pairs);
}"""
"""Returns which options of a table cost something for good."""
_KEYS: Final = """() => {
  return [...document.querySelectorAll(".play-board .possible[data-key]")].map((each) => each.dataset.key);
}"""
_POINT: Final = """(key) => {
  document.querySelector(".moves")?.classList.remove("sent");
  document.querySelector(":is(.sure, .now):not([hidden]) .back")?.click();
  const part = document.querySelector(`.play-board .part[data-key="${CSS.escape(key)}"]`);
  part.scrollIntoView({ block: "center", behavior: "instant" });
  const { x, y, width, height } = part.getBoundingClientRect();
  for (const across of [0.5, 0.1, 0.9]) {
    for (const down of [0.5, 0.1, 0.9]) {
      const at = [x + across * width, y + down * height];
      if (part.contains(document.elementFromPoint(...at))) return at;
    }
  }
  return null;
}"""
"""Takes all back, and returns a point of a part at which no other lies over it."""


def cut_names(at: Stand) -> Iterator[str]:
    """Yield texts in which a short name is cut in a wide window."""
    if at.window.width >= NAMED:
        yield from at.page.evaluate(_CUT, [name for name in at.names if len(name) <= NAME])


def machine_words(at: Stand) -> Iterator[str]:
    """Yield what is written for machines, or for those who program."""
    if not FOR_AUTHORS.search(at.path):
        for line in at.page.evaluate(_TEXTS).splitlines():
            if found := MACHINE_WORDS.search(line):
                yield f"{found[0]!r} in {line[max(0, found.start() - 40) : found.end() + 40]!r}"


def open_heads(at: Stand) -> Iterator[str]:
    """Yield heads and titles that do not say who won what is over."""
    of_event = [event for event in at.events if re.match(rf"tournaments/{re.escape(event)}[./]", at.path)]
    if of_event or re.match("match(es)?/", at.path) or at.page.locator(".result").count():
        head = " ".join(at.page.locator("h1, .screen-winner").all_inner_texts())
        for called, text in (("head", head), ("title", at.page.title())):
            if not RESULT.search(text):
                yield f"the {called} is {text!r}"


def silent_costs(at: Stand) -> Iterator[str]:
    """Yield the parts of a board that make a move which costs something for good when they are pressed."""
    costs = at.page.evaluate(_COSTS)
    if not any(costs.values()):
        return
    sent: list[str] = []

    def hear(route: Route) -> None:
        sent.append(route.request.post_data or "")
        route.fulfill(json={"problem": ""})

    at.page.route("**/move", hear)
    for key in at.page.evaluate(_KEYS):
        sent.clear()
        if point := at.page.evaluate(_POINT, key):
            at.page.mouse.dblclick(*point)  # the second press must not say yes to the question of the first
            at.page.evaluate(_DRAWN)
        for move in map(parse_qs, sent):
            if any(costs.get(option) for option in move["option"]):
                yield f"pressing {key} sends {', '.join(move['option'])}"
        at.page.evaluate(_POINT, key)  # takes it back
    at.page.unroute("**/move")


NUMBERS: Final[Mapping[str, Callable[[Stand], Iterator[str]]]] = {
    "boards not whole": board_faults,
    "names cut": cut_names,
    "machine words": machine_words,
    "heads without a winner": open_heads,
    "clicks that cost without a word": silent_costs,
}


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
        links = page.eval_on_selector_all(
            "main a[href], nav a[href]",
            "all => all.map((each) => new URL(each.getAttribute('href'), location).href)",
        )
        inside = [link.partition("#")[0] for link in links if link.startswith(url)]
        found += [link for link in dict.fromkeys(inside) if link not in found]


def play_on(page: Page, moves: int) -> None:
    """Make so many moves at the table of *page*, so that there is something to see, or until it is over."""
    for _ in range(moves):
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


def tables(page: Page, url: str, *, quick: bool, to_end: bool) -> Iterator[str]:
    """Open a table of each size of each game, or of its largest, and yield what each is called."""
    for game in GAMES:
        for seats in [*GAMES[game].seats][-1:] if quick else GAMES[game].seats:
            page.set_viewport_size({"width": WINDOWS[-1].width, "height": WINDOWS[-1].height})
            page.goto(urljoin(url, f"play?game={game}&seats={seats}"))
            sit_down(page)
            play_on(page, MOVES)
            yield f"table of {game} for {seats}"
            if to_end and (game == "stella" or not quick) and seats == GAMES[game].seats[-1]:
                play_on(page, 500)
                yield f"table of {game} that is over"
            elif page.locator(".leave").count():
                leave_table(page)


def site_pages(site: Path, *, quick: bool) -> Iterator[str]:
    """Yield the addresses of all pages of a site, or of one in each folder."""
    paths = sorted(site.rglob("*.html"))
    for path in (
        {path.parent if path.parent != site else path: path for path in paths}.values() if quick else paths
    ):
        yield path.as_uri()


def opened(page: Page, addresses: Iterable[str]) -> Iterator[str]:
    """Open *addresses*, and yield each."""
    for address in addresses:
        page.goto(address)
        yield address


class Looker:
    """Looks at pages of a home, and keeps what is wrong, by the names of NUMBERS, with where it was seen."""

    def __init__(self, home: Path, *, quick: bool) -> None:
        self._home, self._quick, opened = home, quick, open_home(home)
        numbers, events = opened.roster.numbers(), read_events(opened.results, {})
        self._names = [display_of(bot, numbers).removesuffix(f" ({bot})") for bot, _ in numbers]
        self._events = [each.folder for each in events.values() if each.winners and not each.state.is_hidden]
        self.wrong: dict[str, dict[str, list[str]]] = {name: {} for name in NUMBERS}

    def look(self, page: Page, paths: Iterable[str], font: str) -> None:
        """Look at each of the pages that *paths* opens, in each window and theme."""
        for path in paths:
            for window in WINDOWS:
                page.set_viewport_size({"width": window.width, "height": window.height})
                for theme in THEMES[: 1 if self._quick else 2]:
                    page.emulate_media(color_scheme=theme)
                    page.evaluate(_DRAWN)
                    stand = Stand(page, window, path, self._names, self._events)
                    for name, faults in NUMBERS.items():
                        for fault in faults(stand):
                            where = self.wrong[name].setdefault(f"{path or 'the first page'}: {fault}", [])
                            where.append(f"{window.width} {font} {theme}".replace("  ", " "))

    def look_at_all(self) -> None:
        """Look at the home as a site and served, in all fonts that are here."""
        quick = self._quick
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            site = folder / "site"
            write_site(open_home(self._home), site, SiteOptions(matches=3 if quick else 20))
            url, _ = stack.enter_context(served(open_home(self._home)))
            for font in ["", *([] if quick else FAMILIES)]:
                try:
                    environment = only(font, folder) if font else None
                except pytest.skip.Exception as missing:
                    print(f"not looked at: {missing}")
                    continue
                with run_browser(environment) as browser:
                    with open_page(browser, site / "index.html", within=site) as page:
                        pages = opened(page, site_pages(site, quick=quick))
                        self.look(
                            page, (address.removeprefix(f"{site.as_uri()}/") for address in pages), font
                        )
                    with open_page(browser, url, quiet=False) as page:
                        addresses = [
                            *replays_of(self._home, quick=quick),
                            *([] if quick else other_pages(page, url)),
                        ]
                        pages = opened(page, [urljoin(url, address) for address in addresses])
                        self.look(page, (address.removeprefix(url) for address in pages), font)
                        self.look(page, tables(page, url, quick=quick, to_end=not font), font)


def main() -> None:
    """Look, print, and end with 1 if something is wrong."""
    reader = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    reader.add_argument("--home", type=Path, required=True)
    reader.add_argument("--quick", action="store_true")
    given = reader.parse_args()
    looker = Looker(given.home.resolve(), quick=given.quick)
    looker.look_at_all()
    for name, faults in looker.wrong.items():
        told = [f"{fault} (at {', '.join(dict.fromkeys(where))})" for fault, where in faults.items()]
        print(f"{name}: {len(faults)}", *told, sep="\n  ")
    sys.exit(any(looker.wrong.values()))


if __name__ == "__main__":
    main()
