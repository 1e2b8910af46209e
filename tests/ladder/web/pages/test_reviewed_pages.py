"""What a review adds to the page of a match, and that without one the page is what it was."""

import gzip
import re

import pytest
from msgspec.structs import replace
from support.browser import NARROW, WIDE, find_violations, open_page
from support.random_matches import random_record
from support.reviewed import review_record
from support.sites import data_of, unpacked

from engines import GAMES
from ladder.replay.review.loss_words import tell_cost, tell_loss
from ladder.web.pages.environment import visible
from ladder.web.pages.viewer import REVIEW_ASSETS, VIEWER_ASSETS, viewer_assets, viewer_block, viewer_page

MOST_KB = 92
"""What a browser loads at most of the page of a reviewed match, compressed."""


@pytest.fixture(scope="module")
def record():
    return random_record("stella-quest", 2)


@pytest.fixture(scope="module")
def review(record):
    return review_record(record)


@pytest.fixture(scope="module")
def file(record, review, tmp_path_factory):
    path = tmp_path_factory.mktemp("reviewed") / "match.html"
    path.write_text(viewer_page(record, review=review), "utf-8")
    return path


def test_without_a_review_nothing_of_it_is_in_the_page(record):
    page = unpacked(viewer_page(record))
    assert not [word for word in ("review", "Chances", "viewer-losses") if word in page]
    assert VIEWER_ASSETS == viewer_assets([])
    assert not {*REVIEW_ASSETS} & {*VIEWER_ASSETS}


def test_a_review_shows_chances_and_what_cost_most_of_each_seat(record, review):
    block = viewer_block(record, review=review)
    titles = re.findall(r"<figcaption><b>([^<]*)</b>", block)
    assert ["Chances", "Points", "Thinking time"] == titles
    blunders = [row for row in review if row.loss and row.loss > 0.1]
    assert len(blunders) == block.count('viewer-stem-long" data-step=')
    listed = block[block.index("viewer-losses") :]
    assert 2 == listed.count(" % a decision, ")
    assert listed.index("Turning points") < listed.index("What decisions cost")
    assert 3 == listed.partition("What decisions cost")[0].count("viewer-goto")
    assert 9 >= listed.count("viewer-goto") >= min(3, len(blunders))
    assert listed.count(": blunder, ") >= min(3, len(blunders))
    assert "A review explains; it does not rate." in listed


def test_the_account_of_each_seat_adds_up_to_its_result(record, review):
    listed = viewer_block(record, review=review).partition("How the results came about")[2]
    found = re.findall(r"result (\d+) % = ([^<]*) what it could not know", listed)
    assert 2 == len(found)
    for result, terms in found:
        signed = re.findall(r"(?:^| )([+-] )?(\d+) (?=at|luck|own|moves|$)", f"{terms} ".replace("  ", " "))
        assert int(result) == sum(int(f"{sign.strip()}{number}") for sign, number in signed)
    older = [replace(row, account=None) for row in review]
    for shown in (viewer_block(record, seat=0, review=review), viewer_block(record, review=older)):
        assert "This review does not say it: it is of one seat alone, or an older ladder made it." in shown


def test_a_page_for_one_seat_has_nothing_that_a_review_says_of_the_others(record, review):
    marked = [replace(row, chance_open=0.5, luck=0.1) for row in review]
    of_others = [row if row.seat == 0 else replace(row, loss=0.9, chance_seen=0.1) for row in marked]
    assert viewer_page(record, seat=0, review=marked) == viewer_page(record, seat=0, review=of_others)
    block = viewer_block(record, seat=0, review=review)
    own = sum(row.seat == 0 and row.loss is not None and row.loss > 0.1 for row in review)
    assert own == block.count("data-step=")
    assert 1 == block.count(" % a decision, ")


def test_what_a_move_cost_is_told_with_how_sure_it_is(review):
    row = replace(next(row for row in review if row.loss), best="draw", loss=0.2, loss_se=0.02)
    assert "Blunder: it cost 20 % ± 4" == tell_cost(row, ["top B1"], "result")
    sharp = replace(row, loss=0.127, loss_se=0.0)
    assert "Blunder: it cost 12.7 % ± 0.1" == tell_cost(sharp, ["top B1"], "result")
    assert "A loss: 2 % ± 2" == tell_cost(replace(row, loss=0.02, loss_se=0.01), ["top B1"], "result")
    assert "Not surely a loss: 1 % ± 4" == tell_cost(replace(row, loss=0.01), ["top B1"], "result")
    unsure = replace(row, loss=-0.01)
    assert "Nothing better was found; it cost at most 3 %" == tell_cost(unsure, ["draw"], "result")
    assert "Nothing better was found" == tell_cost(replace(row, loss=-0.1), ["draw"], "result")
    assert "Blunder: it cost 1.5 points ± 0.6 (20 %)" == tell_cost(row, ["top B1"], "points")
    unsure = replace(row, loss=0.0, points=-0.3)
    gain, told = replace(row, points=-2.2), "20 % ± 4 of the chance to win"
    assert f"Blunder: it cost {told}" == tell_cost(gain, ["top B1"], "points")
    assert "Surely no loss: -2.2 points ± 0.6" == tell_cost(replace(gain, loss=0.0), ["top B1"], "points")
    assert "Nothing better was found; it cost at most 0.3 points" == tell_cost(unsure, ["draw"], "points")
    assert "Not surely a loss: -0.3 points ± 0.6" == tell_cost(unsure, ["top B1"], "points")


def test_a_record_that_cannot_be_replayed_has_no_review(record, review):
    other = {**record, "version": 99}
    assert "viewer-losses" not in viewer_block(other, review=review)


@pytest.mark.parametrize(
    ("game", "seats"), [("stellar", 2), ("stella-quest", 4), ("starry-sky", 5)], ids=lambda each: f"{each}"
)
def test_a_page_with_a_review_stays_small(game, seats):
    record = random_record(game, seats)
    page = viewer_page(record, review=review_record(record))
    assert "promised" in unpacked(page)
    assert len(gzip.compress(page.encode(), 6)) <= 1000 * MOST_KB


def test_a_key_and_links_lead_to_named_decisions_and_the_options_have_bars(browser, file, record, review):
    blunders = sorted({row.step for row in review if row.loss and row.loss > 0.1})
    with open_page(browser, file) as page:
        page.keyboard.press("2")
        page.keyboard.press("m")
        page.wait_for_function("location.hash.endsWith(',seat1')")
        first = next((step for step in blunders if step > 0), blunders[0])
        page.locator(".viewer-place", has_text=f"Step {first} ").wait_for()
        page.keyboard.press("0")
        link = page.locator(".viewer-goto").last
        step = int(link.inner_text().split()[1])
        link.focus()
        page.keyboard.press("Enter")
        page.locator(".viewer-place", has_text=f"Step {step} ").wait_for()
        row = next(row for row in review if row.step == step and row.loss and row.loss > 0.1)
        section = page.locator(".viewer-review", has_text="Blunder")
        assert tell_loss(row, "result").replace("+-", "±") in section.locator("h3").inner_text()
        assert 1 == section.locator(".played").count()
        assert section.locator("li svg rect").count() == section.locator("li").count() >= 2
        best = GAMES["stella-quest"].say({}, row.best) if row.best else ""
        assert visible(best) in section.locator("li").first.inner_text()
        page.keyboard.press("?")
        assert "the next decision that has a name" in page.get_by_role("dialog").inner_text()


def test_a_visitor_is_asked_before_the_page_tells_what_was_best(browser, file):
    with open_page(browser, file) as page:
        assert 3 == page.locator("#turning-points + ul li > svg.board:not(.seat-icon)").count()
        page.get_by_role("button", name="Where did I lose?").click()
        page.get_by_text("What would you play?").wait_for()
        assert 0 == page.locator(".viewer-board .chosen, .viewer-panel :is(.chosen, .viewer-review)").count()
        page.locator(".viewer-guess button").first.click()
        assert page.locator(".viewer-told").inner_text().startswith("You chose ")
        assert 1 == page.locator(".viewer-review").count()
        page.get_by_role("button", name="Next").click()
        page.get_by_text("What would you play?").wait_for()


@pytest.mark.slow
@pytest.mark.parametrize(("width", "dark"), [(NARROW, True), (WIDE, False)])
def test_the_page_fits_and_a_screen_reader_can_read_it(browser, file, axe, width, dark):
    with open_page(browser, file, width=width, dark=dark) as page:
        page.keyboard.press("m")
        assert width >= page.evaluate("document.documentElement.scrollWidth")
        assert [] == find_violations(page, axe)


def test_the_timeline_has_the_chances_of_a_review_in_percent(record, review):
    told = data_of(viewer_block(record, review=review))
    assert (0, 100) == (told["timeline"]["low"], told["timeline"]["high"])
    steps = [
        {row.seat: round(100 * row.chance_seen) for row in review if row.step == step} for step in (0, 5)
    ]
    assert [[*each.values()] for each in steps] == [told["steps"][step]["chances"] for step in (0, 5)]
    alone = data_of(viewer_block(record, seat=1, review=review))
    assert [None, steps[1][1]] == alone["steps"][5]["chances"]
    assert None is alone["timeline"]["ends"][0]
    assert "chances" not in data_of(viewer_block(record))["steps"][0]


def test_a_page_asks_first_of_the_seat_of_a_person_else_of_the_last(record, review):
    for person in (None, 0, 1):
        seats = [
            {**seat, "version": "human"} if place == person else seat
            for place, seat in enumerate(record["seats"])
        ]
        last = max((0, 1), key=lambda seat: seats[seat]["rank"])
        told = data_of(viewer_block({**record, "seats": seats}, review=review))
        asked = {told["decisions"][number]["seat"] for _, number in told["guesses"]}
        assert {last if person is None else person} == asked
        assert all(told["decisions"][number]["review"]["named"] for _, number in told["guesses"])
