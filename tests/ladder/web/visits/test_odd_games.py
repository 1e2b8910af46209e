"""Pages with games of others: without parts, not drawn, with a long name in any script, of 500 steps."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from support import ladders
from support.browser import WIDE, find_wider, open_page
from support.command_line import run_apart
from support.odd_games import LONG_NAMES, STEPS, install_odd_games
from support.served import leave_table, served, sit_down, step_of, wait_for_next

from results.reports.labels import file_name

pytestmark = pytest.mark.slow
SMALLEST = 320
PLAYED = ("no-parts", "no-picture", *LONG_NAMES.values())
BOTS = {name: {"style": name} for name in ("first", "last", "mixed")}
PAGES = (
    "",
    "bots.html",
    "bots/first.html",
    "runs.html",
    "runs/1.html",
    "matches.html",
    "submit.html",
    "play",
)


@pytest.fixture(scope="module")
def odd_url(tmp_path_factory):
    """Serve a ladder in which these games have been played."""
    folder = tmp_path_factory.mktemp("odd")
    env = install_odd_games(folder / "packages")
    home = ladders.a_home(folder / "home", BOTS, '[sandbox]\ntier = "none"\n')
    games = [f"--game={name}" for name in ("long-match", *PLAYED)]
    done = run_apart("run", "--home", home.path, *games, "--games", "14", "--seed", "1", cwd=folder, env=env)
    assert 0 == done.code, done.err
    with served(home, env=env) as (url, _):
        yield url


def at_both_widths(page):
    found = []
    for width in (WIDE, SMALLEST):
        page.set_viewport_size({"width": width, "height": 700})
        found += [f"{width}: {each}" for each in find_wider(page)]
    return found


def test_long_names_fit_in_the_smallest_window_and_their_links_lead_on(browser, odd_url):
    with open_page(browser, odd_url) as page:
        for path in PAGES:
            page.goto(odd_url + path)
            assert [] == at_both_widths(page), path
        for name in LONG_NAMES.values():
            page.goto(odd_url)
            page.set_viewport_size({"width": WIDE, "height": 700})
            page.locator(f'main a[href="games/{file_name(name)}.html"]').first.click()
            page.wait_for_url("**/games/*")
            assert "3 bots" in page.inner_text("main") or page.locator("table").count()
            assert [] == at_both_widths(page), name
            page.set_viewport_size({"width": WIDE, "height": 700})
            page.locator(".rules-link, a[href*='rules/']").first.click()
            page.wait_for_url("**/rules/*")
            assert "TOY" in page.inner_text("pre").upper()
            assert [] == at_both_widths(page), name


@pytest.mark.parametrize("name", PLAYED, ids=["no-parts", "no-picture", *LONG_NAMES])
def test_an_odd_game_is_played_in_the_smallest_window(browser, odd_url, name):
    with open_page(browser, f"{odd_url}play?game={quote(name)}&seats=3", width=SMALLEST) as page:
        assert [] == find_wider(page)
        sit_down(page)
        assert page.locator(".play-board svg").count()
        assert [] == find_wider(page)
        for _ in range(3):
            step = step_of(page)
            page.locator(".every").evaluate("(details) => { details.open = true; }")
            choose_first(page)
            wait_for_next(page, step)
            assert [] == find_wider(page)
            if page.locator(".result").count():
                return
        leave_table(page)
        page.wait_for_selector("text=You left; the match is not kept")


def choose_first(page):
    if page.locator(".moves[data-kind=some]").count():
        for at in range(int(page.locator(".moves").get_attribute("data-low") or 1)):
            page.locator(".options input").nth(at).check()
        page.locator(".send .primary").click()
    else:
        page.locator(".options button").first.click()


def test_a_replay_of_500_steps_is_stepped_through_in_the_smallest_window(browser, odd_url):
    with open_page(browser, f"{odd_url}matches.html") as page:
        page.locator("tbody tr", has_text="Long Match").first.locator("th a").click()
        page.wait_for_selector(".viewer-place")
        assert 2_000_000 > len(page.content())
        page.keyboard.press("End")
        for width in (WIDE, SMALLEST):
            page.set_viewport_size({"width": width, "height": 700})
            page.wait_for_selector(f".viewer-place:has-text('Step {STEPS} of {STEPS}')")
            assert [] == find_wider(page)
        page.keyboard.press("ArrowLeft")
        page.wait_for_selector(f".viewer-place:has-text('Step {STEPS - 1} of')")
        page.locator(".viewer-timeline input").fill("250")
        page.wait_for_selector(".viewer-place:has-text('Step 250 of')")
        page.locator(".viewer-moves summary").click()
        assert STEPS == page.locator(".viewer-moves tbody tr").count()
        assert [] == find_wider(page)


def tab_to(page, selector):
    """Press the tabulator until the focus is on an element of *selector*."""
    for _ in range(150):
        if page.evaluate("selector => document.activeElement?.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no tabulator leads to {selector}")


def test_a_match_is_chosen_played_and_watched_by_keys_alone(browser, odd_url):
    name = LONG_NAMES["LatinName"]
    with open_page(browser, f"{odd_url}play") as page:
        tab_to(page, f'a[href*="{name}&seats=3"]')
        page.keyboard.press("Enter")
        page.wait_for_url("**/play?game=*")
        tab_to(page, ".choose .primary")
        page.keyboard.press("Enter")
        page.wait_for_url("**/table/*")
        while True:
            page.wait_for_selector(".moves, .result", state="attached")
            if page.locator(".result").count():
                break
            step = step_of(page)
            choose_by_keys(page)
            wait_for_next(page, step)
        tab_to(page, "a[href*='match/']")
        page.keyboard.press("Enter")
        page.wait_for_selector(".viewer-place")
        page.keyboard.press("ArrowRight")
        page.wait_for_selector(".viewer-place:has-text('Step 1 of')")


def choose_by_keys(page):
    """Make a move: with the parts on the board, or with the list where there are none."""
    if not page.locator(".moves[data-kind=some]").count():
        tab_to(page, ".part.possible, .now button, .options button")
        page.keyboard.press("Enter")
        if (
            page.locator(".moves:not(.sent) .options").count()
            and page.locator(".now button:not(.back)").count()
        ):
            tab_to(page, ".now button:not(.back)")
            page.keyboard.press("Enter")
        return
    for _ in range(int(page.locator(".moves").get_attribute("data-low") or 1)):
        tab_to(page, ".part.possible")
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowRight")
    tab_to(page, ".send .primary")
    page.keyboard.press("Enter")
