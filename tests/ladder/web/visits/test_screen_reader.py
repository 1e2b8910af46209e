"""Pages as a screen reader is told of them: all that can be used has a name, and boards are words."""

from __future__ import annotations

import pytest
from support.browser import open_page
from support.served import leave_table

pytestmark = pytest.mark.slow
NAMED = {
    *("button", "checkbox", "combobox", "DisclosureTriangle", "link", "searchbox", "slider", "textbox"),
    *("heading", "image", "navigation", "region", "table"),
}
"""Roles, as Chromium calls them, of what somebody must be told about to use it."""


def told(page):
    """Yield role, name and description of all that Chromium tells a screen reader of *page*."""
    session = page.context.new_cdp_session(page)
    for node in session.send("Accessibility.getFullAXTree")["nodes"]:
        if not node["ignored"]:
            yield {part: node.get(part, {}).get("value", "") for part in ("role", "name", "description")}


def nameless(page):
    return [node for node in told(page) if node["role"] in NAMED and not node["name"].strip()]


def test_the_board_of_a_replay_is_told_in_words(site, browser):
    with open_page(browser, next((site / "matches").iterdir()), within=site) as page:
        assert [] == nameless(page)
        (board,) = [node for node in told(page) if node["role"] == "image" and "everything" in node["name"]]
        assert "Points" in board["description"]
        page.keyboard.press("ArrowRight")
        page.wait_for_selector(".viewer-place:has-text('Step 1 of')")
        (later,) = [node for node in told(page) if node["role"] == "image" and "everything" in node["name"]]
        assert board["description"] != later["description"]


def test_the_board_of_a_table_is_told_in_words_and_its_parts_are_buttons(url, browser):
    with open_page(browser, f"{url}play?game=stella&seats=3") as page:
        page.get_by_role("button", name="Start the match").click()
        page.wait_for_selector(".part.possible")
        assert [] == nameless(page)
        (board,) = [node for node in told(page) if "as seen by You" in node["name"]]
        assert "You are seat 0 of 3 seats" in board["description"]
        assert {"Keep", "Turn"} <= {
            node["name"].split()[0]
            for node in told(page)
            if node["role"] == "button" and node["name"].strip()
        }
        leave_table(page)
