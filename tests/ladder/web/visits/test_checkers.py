"""The pages of a site and of a server, as checkers of others judge them."""

from __future__ import annotations

from contextlib import closing
from itertools import cycle, product

import pytest
from support.browser import NARROW, WIDE, find_violations, find_wider, open_page
from support.page_checkers import html_validate, vnu
from support.random_matches import random_record
from support.served import leave_table, sit_down

from ladder.web.pages.viewer import viewer_page

pytestmark = pytest.mark.slow
TABLES = [("stellar", 2), ("stella-quest", 3), ("stella", 3), ("starry-sky", 3)]
WIDTHS = (320, NARROW, 768, WIDE, 1920)
PAPER = 718
"""The width of a sheet of A4 within margins of 1 cm, in CSS pixels."""
ON_SITE = (
    "index.html",
    "games/stella.html",
    "bots.html",
    "bots/mixed.html",
    "runs.html",
    "runs/1.html",
    "matches.html",
    "submit.html",
    "protocol.html",
    "guides/starry-sky.html",
    "rules/stellar.html",
)
SERVED = ("", "play", "play?game=stella&seats=3", "nothing")
COLOURS = "['backgroundColor', 'color'].map((what) => getComputedStyle(document.body)[what])"
BAD = "<!doctype html><html lang='en'><title>t</title><p><ul><b>"


def matches_of(site):
    return [f"matches/{file.name}" for file in sorted((site / "matches").iterdir())]


@pytest.fixture(scope="module")
def files(site, url, browser, tmp_path_factory):
    """Return every page of the site, and one of each kind of the server and of a replay as a file."""
    made = {f"replay-{game}": viewer_page(random_record(game, seats)) for game, seats in TABLES}
    with closing(browser.new_context(extra_http_headers={"accept": "text/html"})) as visitor:
        for number, path in enumerate(SERVED):
            made[f"served-{number}"] = visitor.request.get(url + path).text()
        for game, seats in TABLES:
            with open_page(browser, f"{url}play?game={game}&seats={seats}", javascript=False) as page:
                sit_down(page)
                made[f"table-{game}"] = visitor.request.get(page.url).text()
                leave_table(page)
    folder = tmp_path_factory.mktemp("files")
    for name, text in made.items():
        (folder / f"{name}.html").write_text(text, "utf-8")
    return [*sorted(site.rglob("*.html")), *sorted(folder.iterdir())]


@pytest.mark.parametrize("checker", [vnu, html_validate])
def test_a_checker_finds_nothing_in_any_page_but_the_bad_one(checker, files, tmp_path):
    bad = tmp_path / "bad.html"
    bad.write_text(BAD)
    found = checker([*files, bad])
    assert [] == [each for each in found if "/bad.html" not in each]
    assert found


def test_no_page_has_what_axe_calls_serious(site, browser, axe):
    """Each page in one of eight ways."""
    ways = cycle(product((NARROW, 768, WIDE, 1920), (False, True)))
    for (width, dark), name in zip(ways, [*ON_SITE, matches_of(site)[0]], strict=False):
        with open_page(browser, site / name, width=width, dark=dark, within=site) as page:
            assert [] == find_violations(page, axe), (name, width, dark)


@pytest.mark.parametrize(("table", "width", "dark"), [(TABLES[0], 768, True), (TABLES[2], 1920, False)])
def test_no_table_to_play_at_has_what_axe_calls_serious(url, browser, axe, table, width, dark):
    """The other widths and games are those of the matches that are played to their end in test_server.py."""
    game, seats = table
    with open_page(browser, f"{url}play?game={game}&seats={seats}", width=width, dark=dark) as page:
        sit_down(page)
        assert [] == find_violations(page, axe)
        leave_table(page)


def test_pages_of_a_site_fit_in_every_window_and_on_paper(site, browser):
    for name in [*ON_SITE, matches_of(site)[0]]:
        with open_page(browser, site / name, dark=True, within=site) as page:
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 900})
                assert [] == find_wider(page), (name, width)
            page.set_viewport_size({"width": PAPER, "height": 900})
            page.emulate_media(media="print")
            assert page.evaluate("document.documentElement.scrollWidth") <= PAPER, name
            assert ["rgb(255, 255, 255)", "rgb(0, 0, 0)"] == page.evaluate(COLOURS)


def test_pages_of_a_server_fit_in_every_window(url, browser):
    for path in ("", *SERVED[:3]):
        with open_page(browser, url + path) as page:
            if path == SERVED[2]:
                sit_down(page)
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 900})
                assert [] == find_wider(page), (path, width)


def test_pages_are_whole_without_a_script(site, browser):
    """What a script would show is hidden or said in words; nothing else is missing."""
    for name in (*ON_SITE[:4], matches_of(site)[0]):
        with open_page(browser, site / name, within=site) as page:
            told = page.locator("table").all_inner_texts()
        with open_page(browser, site / name, javascript=False, within=site) as page:
            assert len(told) == page.locator("table").count()
            assert page.locator("h1").is_visible()
            assert 0 == page.locator("button:visible").count()
