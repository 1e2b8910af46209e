"""Pages in the fonts that people have: every character has a shape, and every text has its room."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.browser import NARROW, WIDE, open_page
from support.fonts import characters_of
from support.random_matches import random_record
from support.rated_homes import a_rated_home
from support.shown import faults_of, open_empty

from ladder.home.home import open_home
from ladder.web.pages.charts import Line, draw_histogram, draw_ratings
from ladder.web.pages.viewer import viewer_page
from ladder.web.site.site import write_site
from ladder.web.site.site_options import SiteOptions
from results.reports.document import RatingPoint

WEB = Path(__file__).parents[4] / "ladder" / "web"
SAFE = {*map(chr, range(32, 127)), *"\n\t\u00a0\u00b1\u00b5\u00b7\u00d7\u2013\u2026"}
"""What every font has: ASCII, and a few signs of Latin-1 and of punctuation."""
BOTS = [f"a-bot-with-a-long-name-indeed-{number}" for number in range(14)]
"""Enough for a table that can be filtered."""
SHOWN = """() => {
  const written = (element, part) => getComputedStyle(element, part).content;
  const inside = [...document.querySelectorAll("body *")].flatMap((element) =>
    ["::before", "::after"].map((part) => written(element, part)).filter((text) => text[0] === '"'));
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    if (!texts.currentNode.parentElement.closest("script, style")) inside.push(texts.currentNode.data);
  }
  return [...new Set(inside.join(""))];
}"""
"""Returns every character that the page can show."""
TOO_NARROW = """() => [...document.querySelectorAll("button, .tabs a, .viewer-place, kbd")]
  .filter((each) => each.offsetParent && each.scrollWidth > each.clientWidth + 1 && each.clientWidth)
  .map((each) => `${each.textContent.trim()}: ${each.scrollWidth} pixels in ${each.clientWidth}`)"""
"""Returns the controls whose text needs more room than they have."""


def test_the_safe_characters_are_in_each_family(family):
    assert set() == SAFE - characters_of(family) - {"\n", "\t"}


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(path, id=path.relative_to(WEB).as_posix())
        for folder in ("pages", "site", "serve")
        for path in sorted((WEB / folder).rglob("*"))
        if path.suffix in {".js", ".css", ".html"}
    ],
)
def test_the_sources_of_pages_have_no_character_that_a_font_may_lack(file):
    text = file.read_text("utf-8")
    entities = re.findall(r"&(?!amp;|lt;|gt;|quot;|#39;)#?\w+;", text)
    escapes = re.findall(r'\\u\{?[0-9a-fA-F]{4,}|content:[^;]*"\\[0-9a-fA-F]+', text)
    assert ([], []) == (entities, escapes), "write what is meant, or draw it"
    assert set() == set(text) - SAFE


@pytest.fixture(scope="module")
def replay(tmp_path_factory):
    """Write a page with a replay of six bots with long names, one of which faults."""
    record = random_record("stella", 6)
    for name, seat in zip(BOTS, record["seats"], strict=False):
        seat["bot"] = name
    fault = {"attempt": 0, "seat": 1, "kind": "illegal", "step": 2, "charged": False, "stderr": ""}
    record["faults"] = [fault | {"reason": "no", "answer": ""}]
    file = tmp_path_factory.mktemp("replay") / "page.html"
    file.write_text(viewer_page(record), "utf-8")
    return file


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    home = open_home(a_rated_home(folder / "home", BOTS, 1))
    write_site(home, folder / "site", SiteOptions(matches=2))
    return folder / "site"


def check(page, family):
    """Assert that *family* has what the page shows, and that at two widths all of it has its room."""
    missing = sorted(set(page.evaluate(SHOWN)) - characters_of(family) - {"\n", "\t"})
    assert [] == missing, f"{family} has no shape for these"
    for width in (NARROW, WIDE):
        page.set_viewport_size({"width": width, "height": 900})
        over = page.evaluate("document.documentElement.scrollWidth") - width
        assert over <= 0, f"the page is {over} pixels wider than the screen of {width}"
        assert [] == page.evaluate(TOO_NARROW), f"on a screen of {width} pixels"


def test_the_viewer_has_room_and_a_shape_for_all_that_it_shows(browser_of_family, family, replay):
    with open_page(browser_of_family, replay, reduced_motion=True) as page:
        for key in ("f", " ", "?"):  # a fault, playing, the keys
            page.keyboard.press(key)
            check(page, family)


def test_a_site_has_room_and_a_shape_for_all_that_it_shows(browser_of_family, family, site):
    with open_page(browser_of_family, site / "index.html", within=site) as page:
        for name in ("index.html", "games/stellar.html", f"bots/{BOTS[0]}.html", "runs/1.html"):
            page.goto((site / name).as_uri())
            for button in page.locator("thead button").all()[:1]:
                button.click()
            check(page, family)


def around(matches, rating, margin):
    return RatingPoint(matches, rating, rating - margin, rating + margin)


def charts():
    far = [around(n, 20 + n % 7 / 3, 9 / n**0.5) for n in (10, 20, 50, 100, 200, 500, 1000, 200_000)]
    near = [around(n, 10_000.0 + n, 300.0) for n in (9800, 9900, 10_000)]
    for points in (far, near, far[:2]):
        yield draw_ratings([Line("@1, a long name", 1, points), Line("@2" * 40, 2, points[:2])], "ratings")
    for least, most in ((-2, 1), (-3, 3), (-3, 6)):  # in ms
        ends = [10 ** (number / 4) for number in range(4 * least, 4 * most)]
        bars = [(end, end * 10**0.25, 1_234_567) for end in ends]
        yield draw_histogram(bars, 1000, 3, "times")


def test_texts_of_charts_stay_inside_and_do_not_meet(browser_of_family, tmp_path):
    with open_empty(browser_of_family, tmp_path, 368) as page:
        for chart in charts():
            page.set_content(
                f"<!doctype html><style>body {{ margin: 0 }} .plot {{ display: block }}</style>{chart}"
            )
            faults = [fault for fault in faults_of(page) if "@" not in fault or "leaves" in fault]
            assert not faults, "\n".join(faults)
