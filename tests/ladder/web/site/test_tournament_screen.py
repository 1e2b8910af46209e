"""The page for a projector: large letters, nothing else, and all of the field in turn."""

import pytest
from support.browser import find_violations, open_page
from support.records import a_block
from support.served import served
from support.stored_events import store_event

from ladder.home.home import create_home
from ladder.web.site.site import write_site
from ladder.web.site.site_options import SiteOptions
from results.record import encode_block
from results.storage.unrated import unrated_store

BOTS = [f"student-{number:02}" for number in range(1, 25)]
WINDOWS = [(1024, 768), (1920, 1080)]
NAMES = ("cup", "half", "double", "class", "groups", "later")
LETTERS = """() => {
  const shown = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const around = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || around.closest("title, script, noscript")) continue;
    if (!around.checkVisibility()) continue;
    const scale = around.getScreenCTM ? around.getScreenCTM().a : 1;
    const size = parseFloat(getComputedStyle(around).fontSize) * scale;
    shown.push([walker.currentNode.textContent.trim(), size]);
  }
  return shown;
}"""
IN_WINDOW = """() => [...document.querySelectorAll(".screen .name")]
  .filter((each) => {
    const {left, right, top, bottom} = each.getBoundingClientRect();
    return each.checkVisibility() && left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
  })
  .map((each) => each.textContent)"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    home = create_home(tmp_path_factory.mktemp("screen") / "home")
    store_event(home, "cup", "knockout:16", BOTS[:16])
    store_event(home, "half", "knockout:8", BOTS[:8], most=9)
    store_event(home, "double", "double-knockout:8", BOTS[:8], most=20)
    store_event(home, "class", "swiss:3+final:4,2", BOTS, game="stella", seats=4, most=30)
    store_event(home, "groups", "groups:2,2+knockout:4", BOTS[:9], most=10)
    store_event(home, "later", "swiss:2+knockout:4", BOTS[:8], most=0)
    folder = tmp_path_factory.mktemp("screen") / "site"
    write_site(home, folder, SiteOptions(matches=0))
    return folder


def screen(name):
    return f"tournaments/{name}/screen.html"


@pytest.mark.parametrize("window", WINDOWS)
def test_letters_are_a_30th_of_the_window_or_more_and_nothing_else_is_there_or_scrolls(site, browser, window):
    width, height = window
    for name in NAMES:
        with open_page(browser, site / screen(name), width=width, height=height, within=site) as page:
            letters = page.evaluate(LETTERS)
            assert letters
            assert [] == [each for each in letters if each[1] < height / 30], name
            assert 0 == page.locator("a:visible, button:visible, input:visible, header, footer").count()
            assert page.evaluate("document.documentElement.scrollHeight") <= height
            assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("window", WINDOWS)
def test_the_whole_field_is_seen_page_after_page(site, browser, window):
    width, height = window
    for name, bots in (("class", BOTS), ("cup", BOTS[:16]), ("later", BOTS[:8])):
        with open_page(browser, site / screen(name), width=width, height=height, within=site) as page:
            place = page.locator(".screen-page").text_content()
            pages = int(place.partition("/")[2] or 1)
            seen = set()
            for _ in range(pages):
                seen |= set(page.evaluate(IN_WINDOW))
                page.keyboard.press("ArrowRight")
            assert set(bots) <= seen, name
            assert place == page.locator(".screen-page").text_content()  # and from the beginning again


def test_it_goes_on_by_itself_and_rests_for_the_space_bar_and_readers_who_want_no_motion(site, browser):
    where = site / screen("cup")
    for calm in (False, True):
        with open_page(browser, where, width=1024, height=768, within=site, reduced_motion=calm) as page:
            page.clock.install()
            page.reload()
            assert "1 / 2" == page.locator(".screen-page").text_content()
            page.clock.run_for(10_500)
            assert ("1 / 2" if calm else "2 / 2") == page.locator(".screen-page").text_content()
            page.keyboard.press("Space")
            before = page.locator(".screen-page").text_content()
            page.clock.run_for(30_500)
            assert before == page.locator(".screen-page").text_content()


def test_it_is_whole_without_a_script_and_after_new_results(site, browser):
    with open_page(browser, site / screen("class"), within=site, javascript=False) as page:
        for bot in BOTS:
            assert page.get_by_text(bot).last.is_visible()
    with open_page(browser, site / screen("class"), within=site) as page:
        page.evaluate("document.querySelector('.screen').classList.remove('paged')")
        page.evaluate("document.dispatchEvent(new Event('renewed'))")
        assert page.locator(".screen.paged").is_visible()


def test_it_begins_with_what_is_played_now(site, browser):
    with open_page(browser, site / screen("class"), within=site) as page:
        assert "class Swiss, round 3" in page.locator("h1").text_content()
        assert "Table 1" == page.locator("h2").first.text_content()
        assert "Standing" == page.locator("h2").last.text_content()
    with open_page(browser, site / screen("half"), within=site) as page:
        assert page.locator(".bracket").is_visible()
    with open_page(browser, site / screen("cup"), within=site) as page:
        assert "wins" in page.locator(".screen-winner").text_content()


@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_nothing_serious(site, browser, axe, dark):
    for name in NAMES:
        with open_page(browser, site / screen(name), width=1024, height=768, dark=dark, within=site) as page:
            assert [] == find_violations(page, axe), name


@pytest.mark.slow
def test_a_server_renews_it_as_matches_come(browser, tmp_path):
    home = create_home(tmp_path / "home")
    store = store_event(home, "cup", "knockout:4", ["alpha", "beta", "gamma", "delta"], deals=4, most=0)
    with served(home, "--screen", "cup") as (url, process):
        address = process.stdout.readline().strip()
        assert f"{url}{screen('cup')}" == address
        with open_page(browser, address, width=1024, height=768) as page:
            assert 0 == page.locator(".score:not(:empty)").count()
            results = unrated_store(home.results, store)
            with results.lock():
                results.append(0, encode_block(a_block(0, ("alpha", "delta"))))
            page.wait_for_selector(".score:not(:empty)")
            assert page.locator(".screen.paged").is_visible()
