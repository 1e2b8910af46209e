"""The rules pages: for people first, and for bots below."""

import re

import pytest
from support.browser import NARROW, WIDE, find_wider, open_page
from support.hostile_game import hostile_game
from support.rated_homes import a_rated_home
from support.short_game import Showdown

from engines import GAMES
from ladder.home.home import open_home
from ladder.web.site.guide_pages import board_of, render_guide, rules_of
from ladder.web.site.site import write_site
from ladder.web.site.site_options import SiteOptions

NOTATION = (
    r"[`{}@%_\[\]]",  # code, JSON, moves, names of fields
    r"\bc\d\d\b",  # a picture
    r"\b[PMACB]\d\.\d",  # a card with its stars
    r"\bXX\b|\b[BGRYX]\?|\b[GRY]\d",  # a card of four colours, or its back
    r"\b[A-Z][a-z]{2}\.\d",  # a star of a board
    r"\bseats?\b",  # people are players
    r"\b(take|play|show) [A-Zc]?\d|\btop [A-Z]\d",
    r"\b(JSON|index|notation|bots?)\b",
)
SIGNS = {
    "starry-sky": ["double ring", "**H**", "**D**", "5 / 3", "not 1 7", "1 3 7?", "**paid**", "dashed"],
    "stella": ["lantern", "in the dark", "arrow", "**to show:**", "3 of 5", "sparks", "hollow"],
    "stella-quest": ["Black Star", "jewels", "lights", "Trump", "Lead", "**ahead**", "super", "Dummy"],
    "stellar": ["**row**", "telescope", "notebook", "**top 1**", "dashed", "5 \u00d7 3"],
}


def rules_text(name):
    file = rules_of(name)
    assert file, f"{name} has no rules for people"
    return file.read_text("utf-8")


@pytest.mark.parametrize("name", SIGNS)
def test_each_of_our_games_explains_its_board_to_people(name):
    text = rules_text(name)
    assert [] == [sign for sign in SIGNS[name] if sign not in text]
    assert {"What is hidden", "What you see on the board"} <= {*re.findall(r"^## (.+)$", text, re.MULTILINE)}
    assert "An example: " in text


@pytest.mark.parametrize("pattern", NOTATION)
@pytest.mark.parametrize("name", SIGNS)
def test_the_rules_for_people_have_no_notation_of_bots(name, pattern):
    assert [] == re.findall(pattern, rules_text(name))


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Return a site of a ladder with our games and one that has no rules for people."""
    folder = tmp_path_factory.mktemp("rules")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(GAMES, "showdown", Showdown())
        home = open_home(a_rated_home(folder / "home", ["greedy", "bold"], 1))
        write_site(home, folder / "site", SiteOptions(matches=0))
    return folder / "site"


@pytest.mark.parametrize("name", SIGNS)
def test_a_page_has_the_rules_for_people_before_the_summary_for_bots(site, name):
    page = (site / "rules" / f"{name}.html").read_text("utf-8")
    rules = render_guide(rules_of(name), {}).text
    before, _, after = page.partition("<details")
    assert rules in before
    assert "In short, for bots" in after
    assert "<pre" not in before
    assert GAMES[name].summary.split("\n")[0] in after
    assert f'href="../rules/{name}.html"' in (site / "guides" / f"{name}.html").read_text("utf-8")


def test_a_game_without_rules_for_people_shows_its_summary_at_once(site):
    page = (site / "rules" / "showdown.html").read_text("utf-8")
    assert "<details" not in page.split("<main")[1]
    assert "In short, with the notation that bots write." in page
    assert "SHOWDOWN, for 2 seats." in page


@pytest.mark.parametrize("name", SIGNS)
def test_nothing_on_a_page_of_rules_is_wider_than_the_window(site, browser, name):
    for width in (NARROW, WIDE):
        with open_page(browser, site / "rules" / f"{name}.html", width=width, within=site) as page:
            assert [] == find_wider(page)
            assert not page.locator(".rules").is_visible()
            page.get_by_text("In short, for bots").click()
            assert page.locator(".rules").is_visible()
            assert [] == find_wider(page)


@pytest.mark.parametrize("name", SIGNS)
def test_the_rules_show_a_board_and_a_game_that_fails_to_play_shows_none(name):
    assert board_of(name).startswith("<svg")
    with hostile_game(draw=lambda *_: 1 / 0, text=lambda *_: 1 / 0, deal=lambda *_: 1 / 0):
        assert "" == board_of("hostile")
