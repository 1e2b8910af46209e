import re

import pytest
from msgspec.structs import replace
from support.browser import NARROW, WIDE, open_page
from support.random_matches import random_record
from support.reviewed import a_review

from ladder.replay.review.match_review import hide_others
from ladder.replay.steps import FullPosition, replay_record
from ladder.web.pages.step_charts import (
    draw_chances,
    draw_points,
    draw_thinking,
    lay_timeline,
)
from ladder.web.pages.viewer import viewer_block, viewer_page

TITLES = re.compile(r"<figcaption><b>([^<]*)</b>")
STEM = re.compile(r"M\d+ \d+v-")


@pytest.fixture(scope="module")
def record():
    return random_record("stellar", 2)


@pytest.fixture(scope="module")
def file(record, tmp_path_factory):
    path = tmp_path_factory.mktemp("charts") / "page.html"
    path.write_text(viewer_page(record), "utf-8")
    return path


def test_a_replay_shows_points_and_thinking_times_over_the_steps(record):
    assert ["Points", "Thinking time"] == TITLES.findall(viewer_block(record))


def test_without_anything_to_draw_there_is_no_panel(record):
    void = {**record, "deal": None}
    assert "viewer-charts" not in viewer_block(void)


def test_points_end_with_those_of_the_match(record):
    positions = replay_record(record).positions
    drawn = draw_points(positions, ["ann", "bob"])
    first, second = positions[-1].points
    assert f"at the end ann {first}, bob {second}</title>" in drawn.drawing
    highest = max(each for position in positions for each in position.points)
    assert f"0 to {highest}" == drawn.description


def test_each_thought_of_a_bot_has_a_line_but_not_that_of_a_person_or_of_another_seat(record):
    thoughts = [len(seat["think_us"]) for seat in record["seats"]]
    drawn = draw_thinking(replay_record(record).positions, {0: "ann", 1: "bob"})
    assert sum(thoughts) == len(STEM.findall(drawn.drawing))
    seats = [record["seats"][0] | {"bot": "person", "version": "human"}, record["seats"][1]]
    assert thoughts[1] == len(STEM.findall(viewer_block({**record, "seats": seats})))
    assert thoughts[1] == len(STEM.findall(viewer_block(record, seat=1)))
    both = [{**seat, "version": "human"} for seat in seats]
    assert ["Points"] == TITLES.findall(viewer_block({**record, "seats": both}))


def test_a_name_of_a_bot_is_text(record):
    positions = replay_record(record).positions
    assert "&lt;b&gt;\\u202e" in draw_points(positions, ["<b>\u202e", "bob"]).drawing


@pytest.mark.parametrize("width", [NARROW, 768, WIDE, 1920])
def test_the_step_stands_at_one_place_in_the_timeline_and_in_all_charts(browser, file, record, width):
    with open_page(browser, file, width=width) as page:
        for step in (0, 7, len(record["moves"])):
            page.evaluate(f"location.hash = '{step}'")
            page.wait_for_function(f"document.querySelector('.viewer-timeline input').value === '{step}'")
            cursor, *charts = page.evaluate(
                """() => [".viewer-cursor", ".viewer-here span"].flatMap((name) =>
                    [...document.querySelectorAll(name)].map((line) => {
                      const { left, right } = line.getBoundingClientRect();
                      return (left + right) / 2;
                    }))"""
            )
            assert 2 == len(charts)
            assert all(abs(place - cursor) < 1 for place in charts), (cursor, charts)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_click_on_a_chart_goes_to_the_step(browser, file, record):
    with open_page(browser, file, width=WIDE) as page:
        box = page.locator(".viewer-here").first.bounding_box()
        across = 4 + box["width"] * 12 / len(record["moves"])
        page.locator(".viewer-plot").first.click(position={"x": across, "y": 20})
        assert 12 == int(page.locator(".viewer-timeline input").input_value())


@pytest.mark.parametrize(
    ("points", "ends"),
    [
        ([0, 10], [40, 6]),
        ([10, 10], [6, 16]),  # none upon another
        ([10, 9, 10], [6, 26, 16]),
        ([3, 3, 3, 3, 3, 10], [14.4, 23.8, 33.2, 42.6, 52, 5]),
    ],
)
def test_marks_stand_near_the_ends_of_lines_and_not_upon_one_another(points, ends):
    def position(step, points):
        return FullPosition(step, (), {}, (), (), (), None, points)

    laid = lay_timeline([position(0, None), position(1, points), position(2, None)], {})
    assert ends == laid["ends"]
    assert (min(0, *points), max(points)) == (laid["low"], laid["high"])
    assert [] == lay_timeline([position(0, None)], {})["ends"]


def reviewed(step, seat, chance, loss=None):
    judged = {} if loss is None else {"loss": loss, "loss_se": 0.001, "best": "<take>"}
    return a_review(steps=1, step=step, seat=seat, chance_seen=chance, chance_open=None, **judged)[1]


def test_the_chances_of_a_review_are_lines_with_marks_at_named_decisions():
    rows = [
        reviewed(0, 0, 0.5, loss=0.2),
        reviewed(0, 1, 0.5),
        reviewed(1, 0, 0.25),
        reviewed(1, 1, 0.75, loss=0.01),
        reviewed(2, 0, 0.0),
        reviewed(2, 1, 1.0),
    ]
    drawing = draw_chances(rows, ["one", "<two>"], 2).drawing
    assert 'd="M0 66L1 95L2 124"' in drawing
    assert 'd="M0 66L1 37L2 8"' in drawing
    assert "Step 0, one: blunder, 20 %<" in drawing
    assert 1 == drawing.count("viewer-stem-long")
    assert "1 decision named" in drawing


def test_chances_with_open_cards_are_dotted_lines_where_a_review_has_them():
    rows = [reviewed(step, seat, 0.5) for step in range(2) for seat in (0, 1)]
    opened = [replace(row, chance_open=0.25 + row.seat / 2) for row in rows]
    chart = draw_chances(opened, ["one", "two"], 1)
    assert 2 == chart.drawing.count("viewer-open")
    assert 'd="M0 95L1 95"' in chart.drawing
    assert "dotted: with open cards" in chart.description
    alone = draw_chances(hide_others(opened, 0), ["one", "two"], 1)
    assert "viewer-open" not in alone.drawing
    assert "open cards" not in alone.description


def test_a_review_without_chances_has_no_chart():
    assert draw_chances([], ["one"], 2) is None
    assert draw_chances([reviewed(0, 0, None, loss=0.5)], ["one"], 2) is None
