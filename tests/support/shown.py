"""Pictures as a browser sets them: what is wrong with their texts, and by how much."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from engines import GAMES, playout
from engines.drawing import Picture, style_sheet
from support.browser import open_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

TEXTS = """() => {
  const picture = document.querySelector("svg");
  const { width, height } = picture.getBoundingClientRect();
  const partOf = (element) => element.closest(".part");
  const keyOf = (element) => partOf(element)?.dataset.key ?? "the picture";
  const written = [...picture.querySelectorAll("text, .prose p")].filter((text) => text.textContent.trim());
  const texts = written.map((text) => {
    const box = text.getBoundingClientRect();  // letters fill about the middle half of its height
    const quarter = text.tagName === "text" ? box.height * 0.25 : 0;
    const [top, bottom] = [box.top + quarter, box.bottom - quarter];
    return { says: text.textContent, text, left: box.left, right: box.right, top, bottom };
  });
  const units = (pixels) => `${(pixels * picture.viewBox.baseVal.width / width).toFixed(1)} units`;
  const named = ({ says, text }) => `"${says}" (${keyOf(text)})`;
  const found = [];
  for (const one of texts) {
    const over = Math.max(-one.left, one.right - width, -one.top, one.bottom - height);
    if (over > 0) found.push(`${named(one)} leaves the picture by ${units(over)}`);
    const cut = one.text.scrollHeight - one.text.clientHeight;
    if (one.text.tagName === "p" && cut > 1) found.push(`${named(one)} is cut by ${cut} units of height`);
  }
  const meet = (one, other, what) => {
    const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    const times = width / picture.viewBox.baseVal.width;
    if (wide > 2 * times && high > 2 * times) {
      found.push(`${named(one)} covers ${what} by ${units(wide)} across and ${units(high)} down`);
    }
  };
  for (const [number, one] of texts.entries()) {
    for (const other of texts.slice(0, number)) if (one.says !== other.says) meet(one, other, named(other));
  }
  const isCard = (part) => part.querySelector(".card, .back") !== null;
  for (const shape of picture.querySelectorAll(".mark, .unlit, .mark-line, .sketch")) {
    const box = shape.getBoundingClientRect();
    for (const one of texts) {
      const above = partOf(one.text) !== partOf(shape) && isCard(partOf(shape));
      if (!above) meet(one, box, `a mark of ${keyOf(shape)}`);
    }
  }
  return found;
}"""
"""Returns what is wrong with the texts, each with its part and by how many units of the picture.

What covers a text that says the same is a card on its twin, and a card may lie on the name of its place.
"""


@contextmanager
def open_empty(browser: Browser, folder: Path, width: int) -> Iterator[Page]:
    """Open a page of this *width* that has nothing yet; its file is in *folder*."""
    empty = folder / "empty.html"
    empty.write_text("<!doctype html><title>A picture</title>", "utf-8")
    with open_page(browser, empty, width=width) as page:
        yield page


def show(page: Page, picture: Picture) -> None:
    """Show *picture* in *page*, and nothing else."""
    page.set_content(f"<!doctype html><style>body {{ margin: 0 }} {style_sheet()}</style>{picture.svg()}")


def faults_of(page: Page) -> list[str]:
    """Return what is wrong with the texts of the picture that *page* shows."""
    found: list[str] = page.evaluate(TEXTS)
    return found


def states(name: str, seats: int, moments: int) -> list:
    """Return states of a random match, the last one among them."""
    game, rng = GAMES[name], Random(seats)
    match = [played.state for played in playout(game, game.deal(seats, rng), seats, rng)]
    return [*match[:: 1 + len(match) // moments], match[-1]]
