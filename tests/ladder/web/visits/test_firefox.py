"""Every kind of page in Firefox: it loads without a complaint, and one thing works that its script does."""

import pytest
from support.firefox import run_firefox
from support.random_matches import random_record

from ladder.web.pages.viewer import viewer_page

pytestmark = pytest.mark.slow
STEP = "(document.querySelector('.viewer-place')?.textContent ?? '')"
POSSIBLE = ".part.possible"


@pytest.fixture(scope="module")
def firefox(tmp_path_factory):
    with run_firefox(tmp_path_factory.mktemp("firefox")) as running:
        yield running


def step_through(firefox):
    firefox.wait_for(f"{STEP}.startsWith('Step 0 ')")
    firefox.press("ArrowRight", "ArrowRight")
    firefox.wait_for(f"{STEP}.startsWith('Step 2 ')")
    firefox.click("[aria-label^='A step back']")
    firefox.wait_for(f"{STEP}.startsWith('Step 1 ')")
    assert firefox.read("document.querySelectorAll('.viewer-board .part').length")


@pytest.mark.parametrize("name", ["index", "submit", "protocol", "guides/stella", "rules/stella"])
def test_the_theme_changes(firefox, site, name):
    with firefox.visit((site / f"{name}.html").as_uri()):
        before = firefox.read("document.querySelector('#theme').textContent")
        firefox.click("#theme")
        assert before != firefox.read("document.querySelector('#theme').textContent")


@pytest.mark.parametrize("name", ["games/stella", "bots", "bots/mixed", "runs", "runs/1", "matches"])
def test_a_table_is_sorted(firefox, site, name):
    with firefox.visit((site / f"{name}.html").as_uri()):
        firefox.click("table[data-sortable] th button")
        assert firefox.read("document.querySelector('th[aria-sort]') !== null")


def test_a_match_of_a_site_is_stepped_through(firefox, site):
    with firefox.visit(next((site / "matches").iterdir()).as_uri()):
        step_through(firefox)


def test_a_replay_in_one_file_is_stepped_through(firefox, tmp_path):
    (tmp_path / "replay.html").write_text(viewer_page(random_record("starry-sky", 3)), "utf-8")
    with firefox.visit((tmp_path / "replay.html").as_uri()):
        step_through(firefox)


def test_the_first_page_of_a_server_finds_a_bot(firefox, url):
    with firefox.visit(url):
        firefox.click("#find")
        firefox.press(*"mixed", "Enter")
        firefox.wait_for("location.search === '?bot=mixed' && document.readyState === 'complete'")
        assert ["mixed"] == firefox.read(
            "[...document.querySelectorAll('tbody tr:not([hidden]) th')].map((each) => each.textContent)"
        )


@pytest.mark.parametrize(("game", "seats"), [("stellar", 2), ("starry-sky", 3)])
def test_a_move_is_made_at_a_table(firefox, url, game, seats):
    step = "document.querySelector('input[name=step]')?.value"
    with firefox.visit(f"{url}play?game={game}&seats={seats}"):
        firefox.click(".choose .primary")
        firefox.wait_for(f"document.querySelector('{POSSIBLE}') !== null")
        first = firefox.read(step)
        for _ in range(6):  # two make a move, but on a busy machine Firefox may lay out anew below the mouse
            if firefox.read(f"{step} === '{first}' && !document.querySelector('.moves.sent')"):
                firefox.click(POSSIBLE)
        firefox.wait_for(f"{step} && {step} !== '{first}'")
        firefox.click(".leave summary")
        firefox.click(".leave button")
        firefox.wait_for("document.body?.textContent.includes('You left')")
