"""Visitors who click faster than the server answers, go back, open two tabs, or lose the connection."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from support.browser import open_page
from support.served import leave_table, step_of

if TYPE_CHECKING:
    from playwright.sync_api import Route

pytestmark = pytest.mark.slow
TROUBLE = "#trouble:not([hidden])"
SHOW_LATER_STATE = """async () => {
  const page = await (await fetch(location.href)).text();
  const state = new DOMParser().parseFromString(page, "text/html").getElementById("table").innerHTML;
  const html = state + "<p data-later></p>";
  EventSource = class extends EventTarget {
    constructor() {
      super();
      const data = JSON.stringify({ version: "later", over: false, html });
      setTimeout(() => this.dispatchEvent(new MessageEvent("message", { data })));
    }
    close() {}
  };
  dispatchEvent(new Event("online")); // the page listens anew
}"""
"""A script that shows the state of the table again, as if it were a later one."""


@contextmanager
def sat_down(browser, url, game="stellar", seats=2, *, javascript=True, quiet=True):
    """Yield the page of a match in which the visitor is asked for a move; *quiet*: see open_page."""
    address = f"{url}play?game={game}&seats={seats}"
    with open_page(browser, address, width=800, javascript=javascript, quiet=quiet) as page:
        page.get_by_role("button", name="Start the match").click()
        ready = ".part.possible" if javascript else ".moves .options button"
        page.wait_for_selector(ready, state="attached")
        yield page
        leave_table(page)
        page.wait_for_selector("text=You left; the match is not kept")


def wait_for_next(page, step):
    page.wait_for_selector(f'.play:has(input[name=step]):not(:has(input[name=step][value="{step}"]))')


def make_move(page):
    """Make the first move of the list, which is there beside the board."""
    page.locator(".every").evaluate("(details) => { details.open = true; }")
    page.locator(".options button").first.click()


def select_first(page):
    """Select the first part of a move on the board, and return its key."""
    page.locator(".part.possible").first.click()
    (key,) = selected_in(page)
    return key


def selected_in(page):
    return page.evaluate("[...document.querySelectorAll('.part.selected')].map((part) => part.dataset.key)")


class Held:
    """Requests whose answers wait until they are let go."""

    def __init__(self, page, pattern):
        self._page = page
        self._pattern = pattern
        self.routes: list[Route] = []
        page.route(pattern, lambda route: self.routes.append(route))

    def let_go(self):
        for route in self.routes:
            route.continue_()
        self._page.unroute(self._pattern)


def test_of_many_clicks_on_a_move_one_counts(browser, url):
    with sat_down(browser, url) as page:
        step = step_of(page)
        held = Held(page, "**/move")
        page.locator(".every").evaluate("(details) => { details.open = true; }")
        page.locator(".options button").first.click(click_count=3)
        page.locator(".options button").nth(1).dblclick()
        page.locator(".part.possible").first.dblclick(force=True)
        page.wait_for_timeout(100)  # what would be sent is sent
        assert 1 == len(held.routes)
        held.let_go()
        wait_for_next(page, step)
        assert 0 == page.locator(TROUBLE).count()


def test_a_match_is_started_once_by_many_clicks(browser, url):
    with open_page(browser, f"{url}play?game=stellar&seats=2") as page:
        held = Held(page, "**/play")
        page.evaluate(
            """() => {
              const start = document.querySelector(".choose .primary");
              for (const late of [0, 200, 400]) setTimeout(() => start.click(), late);
            }"""
        )
        page.wait_for_timeout(1000)  # what would be sent is sent
        assert 1 == len(held.routes)
        held.let_go()
        page.wait_for_selector(".moves", state="attached")
        leave_table(page)


@pytest.mark.parametrize("javascript", [True, False])
def test_who_goes_back_after_a_move_and_forward_again_plays_on(browser, url, javascript):
    with sat_down(browser, url, javascript=javascript) as page:
        table = page.url
        for _ in range(2):
            step = step_of(page)
            make_move(page)
            wait_for_next(page, step)
            now = step_of(page)
            page.go_back()
            while page.url != table:
                page.go_forward()
            page.wait_for_selector(".moves", state="attached")
            assert now == step_of(page)


def test_a_move_in_one_tab_is_seen_in_the_other_which_cannot_make_it_again(browser, url):
    with sat_down(browser, url, quiet=False) as page:
        other = page.context.new_page()
        other.goto(page.url)
        other.wait_for_selector(".options button", state="attached")
        held = Held(other, "**/move")
        step = step_of(page)
        assert step == step_of(other)
        make_move(other)
        make_move(page)
        wait_for_next(page, step)
        wait_for_next(other, step)
        held.let_go()
        other.wait_for_selector(TROUBLE)
        assert "That decision has been made already" in other.inner_text("#trouble").capitalize()
        step = step_of(other)
        make_move(other)
        wait_for_next(page, step)


def test_who_loses_the_connection_is_told_and_plays_on_when_it_is_back(browser, url):
    with sat_down(browser, url, quiet=False) as page:
        step = step_of(page)
        page.context.set_offline(True)
        page.wait_for_selector(TROUBLE)
        assert "no connection" in page.inner_text("#trouble")
        make_move(page)
        page.wait_for_selector(f"{TROUBLE}:has-text('could not be sent')")
        assert step == step_of(page)
        page.context.set_offline(False)
        page.wait_for_selector("#trouble", state="hidden")
        make_move(page)
        wait_for_next(page, step)


def test_who_loses_the_server_is_told_and_plays_on_when_it_answers(browser, url):
    with sat_down(browser, url, quiet=False) as page:
        step = step_of(page)
        page.route("**/news", lambda route: route.fulfill(status=502, body="bad gateway"))
        page.evaluate("dispatchEvent(new Event('online'))")  # the page asks again
        page.wait_for_selector(f"{TROUBLE}:has-text('does not answer')")
        page.unroute("**/news")
        page.wait_for_selector("#trouble", state="hidden")
        make_move(page)
        wait_for_next(page, step)


def test_what_is_selected_stays_when_the_connection_comes_back(browser, url):
    with sat_down(browser, url, "starry-sky", 3, quiet=False) as page:
        key = select_first(page)
        page.context.set_offline(True)
        page.wait_for_selector(TROUBLE)
        page.context.set_offline(False)
        page.wait_for_selector("#trouble", state="hidden")  # the state has come again
        assert [key] == selected_in(page)


def test_what_is_selected_stays_when_the_others_move(browser, url):
    with sat_down(browser, url, "starry-sky", 3, quiet=False) as page:
        key = select_first(page)
        page.evaluate(SHOW_LATER_STATE)
        page.wait_for_selector("#table [data-later]", state="attached")
        assert [key] == selected_in(page)
