"""The replay viewer, in a browser: steps, points of view, addresses, and nothing but text from bots."""

import json
import re
from itertools import pairwise
from random import Random

import msgspec
import pytest
from support.browser import NARROW, WIDE, find_violations, open_page
from support.pictures import list_changed
from support.random_matches import random_record
from support.records import a_fault
from support.sites import Elements, assert_no_markup, data_of, unpacked

from engines import GAMES
from engines.game import Game
from engines.template import Toy
from ladder.machine import plugged_in
from ladder.replay.replay import name_seats
from ladder.replay.steps import EVERYTHING, SPECTATOR, look, replay_record
from ladder.web.pages.environment import visible
from ladder.web.pages.frame import Frame
from ladder.web.pages.viewer import VIEWER_ASSETS, viewer_block, viewer_page
from results.reports.labels import tell_apart

TABLES = [("stellar", 2), ("starry-sky", 5), ("stella-quest", 4), ("stella", 6)]
HOSTILE = (
    "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'`&amp;\u202eevil\u2066\x1b[31m\x00"
)
FAULT = msgspec.to_builtins(
    a_fault(
        17,
        1,
        kind="illegal",
        step=9,
        charged=False,
        reason=f"not offered: {HOSTILE}",
        answer=HOSTILE,
        stderr="STDERR",
    )
)

NEEDS = "Stepping through the match needs JavaScript, and a browser of 2023 or newer"


def spoilt(record):
    """Return *record* with everything hostile that a bot can say."""
    record["seats"][1] |= {"bot": HOSTILE, "version": HOSTILE}
    for note in record["seats"][1]["notes"]:
        note["text"] = HOSTILE
    record["faults"] = [FAULT]
    return record


@pytest.fixture(scope="module")
def record():
    return spoilt(random_record("stellar", 2))


@pytest.fixture(scope="module")
def file(record, tmp_path_factory):
    path = tmp_path_factory.mktemp("viewer") / "match-1-17.html"
    path.write_text(viewer_page(record), "utf-8")
    return path


@pytest.fixture(scope="module")
def opened(browser, file):
    with open_page(browser, file, reduced_motion=True) as page:
        yield page


@pytest.fixture
def page(opened):
    """Return the page at its first step, with everything to see."""
    opened.keyboard.press("Home")
    opened.keyboard.press("0")
    return opened


def step_of(page):
    return int(re.match(r"Step (\d+) of", page.inner_text(".viewer-place"))[1])


def wait_for_step(page, step):
    page.locator(".viewer-place", has_text=f"Step {step} ").wait_for()


def view_of(page):
    return page.inner_text(".viewer-views [aria-pressed=true] bdi")


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def test_a_clock_of_its_own_is_that_of_a_seat():
    record = random_record("stellar", 2)
    record["seats"][1]["limits"] = {"move_ms": 7}
    seats = data_of(viewer_page(record))["seats"]
    assert [record["limits"]["move_ms"], 7] == [seat["freeMs"] for seat in seats]


def test_keys_step_forwards_and_backwards(page, record):
    press(page, "ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft")
    assert 2 == step_of(page)
    press(page, "End")
    assert len(record["moves"]) == step_of(page)
    press(page, "ArrowRight")
    assert len(record["moves"]) == step_of(page)
    press(page, "Home", "ArrowLeft")
    assert 0 == step_of(page)


def test_up_and_down_go_by_rounds(page, record):
    rounds = [position.round for position in replay_record(record).positions]
    press(page, "ArrowDown")
    assert rounds.index(2) == step_of(page)
    press(page, "ArrowDown", "ArrowRight", "ArrowUp")
    assert rounds.index(3) == step_of(page)
    press(page, "ArrowUp")
    assert rounds.index(2) == step_of(page)


def test_buttons_step_as_keys_do(page, record):
    page.get_by_label("A step on").click()
    page.get_by_label("A step on").click()
    page.get_by_label("A step back").click()
    assert 1 == step_of(page)
    page.get_by_label("To the end").click()
    assert len(record["moves"]) == step_of(page)
    assert page.get_by_label("A step on").is_disabled()
    page.get_by_label("To the start").click()
    assert 0 == step_of(page)


def test_f_goes_to_the_first_fault_and_tells_it(page):
    press(page, "f")
    assert FAULT["step"] == step_of(page)
    assert "illegal: not offered:" in page.inner_text(".viewer-fault")
    page.get_by_label("To the first fault").click()
    assert FAULT["step"] == step_of(page)
    assert 1 == page.locator(".viewer-fault-mark").count()


def test_keys_and_buttons_choose_the_point_of_view(page):
    assert "Everything" == view_of(page)
    press(page, "s")
    assert "Spectator" == view_of(page)
    press(page, "1")
    assert "careful" == view_of(page)
    press(page, "6")  # there is no such seat
    assert "careful" == view_of(page)
    page.locator(".viewer-views button").nth(1).click()
    assert "Spectator" == view_of(page)
    assert 0 == page.locator(".viewer-decision").count()


def test_the_panel_shows_what_was_offered_and_chosen_with_note_and_time(page, record):
    press(page, "ArrowRight")
    ((seat, move),) = record["moves"][1]
    note = next(note["text"] for note in record["seats"][seat]["notes"] if note["step"] == 1)
    position = replay_record(record).positions[1]
    view, stellar = position.views[seat], GAMES["stellar"]
    assert [stellar.say(view, option) for option in position.decisions[0].options] == page.locator(
        ".viewer-offer li"
    ).evaluate_all("items => items.map(item => item.firstChild.textContent)")
    said = stellar.say(view, move)
    assert said == page.locator(".viewer-offer .chosen").evaluate("item => item.firstChild.textContent")
    assert said == page.inner_text(".viewer-move b")
    if seat == 0:
        assert note == page.inner_text(".viewer-note")
    assert "ms of 1.00 s, 10.0 s in the bank" in page.inner_text(".viewer-time")
    assert page.locator(".viewer-events li").count() == len(position.events)


def test_the_board_marks_at_each_step_what_a_picture_says_has_changed(page, record):
    names = tell_apart(name_seats(record))
    pictures = [
        GAMES["stellar"].draw(*look(position, EVERYTHING).views, names=names)
        for position in replay_record(record).positions[:16]
    ]
    assert 0 == page.locator(".viewer-board .changed").count()
    for before, now in pairwise(pictures):
        press(page, "ArrowRight")
        marked = page.locator(".viewer-board .changed").evaluate_all(
            "all => all.map(part => part.dataset.key)"
        )
        assert list_changed(now, before) == set(marked)


def test_the_points_of_each_seat_stand_below_the_board(page, record):
    press(page, "End")
    assert [str(seat["score"]) for seat in record["seats"]] == page.inner_text(".viewer-scores").split()
    assert len(record["seats"]) == page.locator(".viewer-points").count()


def test_events_are_told_in_words(page):
    press(page, "ArrowRight", "ArrowRight")
    assert re.match(r"[\w()]+ takes \w+ \d", page.inner_text(".viewer-events"))


def test_every_frame_shows_the_picture_that_the_game_draws(page, record):
    """The differences to the frame before add up to the picture, whichever way one comes."""
    positions = replay_record(record).positions
    for key, viewpoint in (("0", EVERYTHING), ("s", SPECTATOR), ("2", 1)):
        press(page, key)
        for keys, step in ((["End"], len(positions) - 1), (["ArrowLeft"] * 3, len(positions) - 4)):
            press(page, *keys)
            picture = GAMES["stellar"].draw(*look(positions[step], viewpoint).views)
            shown = page.locator(".viewer-board .part").evaluate_all("parts => parts.map(p => p.dataset.key)")
            assert [part.key for part in picture.parts] == shown
            title = page.locator(".viewer-board title").text_content()
            seen_by = f"Stellar, as seen by {visible(record['seats'][1]['bot'])}"
            assert title == (seen_by if viewpoint == 1 else picture.title)
            assert picture.description == page.locator(".viewer-board desc").text_content()


def test_the_address_names_the_step_and_the_view_and_leads_there(page):
    press(page, "2", "ArrowRight", "ArrowRight")
    assert page.url.endswith("#2,seat1")
    page.evaluate("location.hash = '#12,spectator'")
    wait_for_step(page, 12)
    assert "Spectator" == view_of(page)
    page.evaluate("location.hash = '#7'")
    wait_for_step(page, 7)
    assert "Everything" == view_of(page)


def test_a_click_on_the_timeline_goes_there(page, record):
    box = page.locator(".viewer-timeline").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert abs(step_of(page) - len(record["moves"]) / 2) <= 1
    press(page, "ArrowRight")  # the slider has the focus now, and does not step twice
    assert abs(step_of(page) - len(record["moves"]) / 2 - 1) <= 1


def test_space_plays_and_stops(page):
    page.get_by_label("Steps a second").select_option("8")
    page.locator("h1").click()
    press(page, " ")
    wait_for_step(page, 3)
    press(page, " ")
    stopped = step_of(page)
    assert "Play" in page.inner_text(".viewer-play")
    page.wait_for_timeout(300)
    assert stopped == step_of(page)


def test_arrows_in_a_list_that_scrolls_do_not_step(page):
    page.locator(".viewer-offer").first.focus()
    press(page, "ArrowDown", "ArrowRight")
    assert 0 == step_of(page)


def test_a_question_mark_shows_the_keys(page):
    press(page, "?")
    assert page.get_by_role("dialog").is_visible()
    press(page, "ArrowRight")  # behind the dialog nothing moves
    press(page, "Escape")
    assert (False, 0) == (page.get_by_role("dialog").is_visible(), step_of(page))


def test_what_bots_say_is_text(page, record):
    """Nothing of it is an element, and what cannot be seen is escaped; the policy stops scripts, too."""
    assert 0 == page.locator("img, [onerror]").count()
    assert "default-src 'none'" in page.locator("meta[http-equiv]").get_attribute("content")
    press(page, "f")
    shown = page.inner_text("body")
    assert "<img src=x onerror=alert(2)>" in shown
    assert "\\u202eevil\\u2066\\x1b[31m" in shown
    html = viewer_page(record)
    assert not set("\u202e\u2066\x1b\x00") & set(unpacked(html))
    assert "<img" not in html
    assert "STDERR" not in unpacked(html)
    assert data_of(html)["seats"][1]["label"].startswith("</script><script>alert(1)</script>")


def test_a_link_to_a_step_opens_there(page, file):
    page.goto("about:blank")
    page.goto(f"{file.as_uri()}#12,seat0")
    assert (12, "careful") == (step_of(page), view_of(page))


def test_without_javascript_the_last_board_and_all_moves_are_there(browser, file):
    with open_page(browser, file, javascript=False) as page:
        assert page.locator(".viewer-board svg .part").count()
        assert NEEDS in page.inner_text(".viewer-left")
        assert not page.locator(".viewer-bar").is_visible()
        page.locator(".viewer-moves summary").click()
        assert page.locator(".viewer-moves tbody tr").last.is_visible()
        assert "careful" in page.inner_text("table")


def test_a_browser_that_cannot_inflate_shows_what_is_there_without_javascript(browser, file):
    with open_page(browser, "about:blank", within=file.parent) as page:
        page.add_init_script("delete window.DecompressionStream")
        page.goto(file.as_uri())
        page.get_by_text(NEEDS).wait_for()
        assert page.locator(".viewer-board svg .part").count()
        assert not page.locator(".viewer-bar").is_visible()


def test_parts_move_when_stepping_forwards_unless_motion_is_to_be_reduced(page):
    page.evaluate("""() => {
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (frames, how) {
        window.moved += how.duration <= 150;
        return animate.call(this, frames, how);
      };
    }""")
    for motion in ("no-preference", "reduce"):
        page.emulate_media(reduced_motion=motion)
        page.evaluate("window.moved = 0")
        press(page, *["ArrowRight"] * 12, *["ArrowLeft"] * 12)
        assert (motion == "reduce") == (page.evaluate("window.moved") == 0)


@pytest.mark.slow
@pytest.mark.parametrize("width", [NARROW, WIDE])
@pytest.mark.parametrize("dark", [False, True])
def test_the_page_fits_and_a_screen_reader_can_read_it(browser, file, axe, width, dark):
    with open_page(browser, file, width=width, dark=dark) as page:
        press(page, "f")
        assert width >= page.evaluate("document.documentElement.scrollWidth")
        assert [] == find_violations(page, axe)


def test_as_a_seat_saw_it_the_page_has_nothing_of_the_others(record):
    record = json.loads(json.dumps(record))
    for note in record["seats"][1]["notes"]:
        note["text"] = "SECRET"
    record["seats"][1]["think_us"] = [987_654_321] * len(record["seats"][1]["think_us"])
    page = viewer_page(record, seat=0)
    assert "note of seat 0" in unpacked(page)
    assert not [w for w in ("SECRET", "987654321", "not offered", "STDERR") if w in unpacked(page)]
    data = data_of(page)
    assert ["seat0"] == [view["name"] for view in data["views"]]
    assert {0} == {decision["seat"] for decision in data["decisions"]}


def test_what_was_crossed_in_secret_is_not_in_the_page_of_another_seat():
    one, other = (random_record("stella", 3) for _ in range(2))
    for record in (one, other):
        record["moves"] = record["moves"][:2]
        record["seats"][1]["notes"] = []
    crossed = one["moves"][1][1][1]
    others = [card for card in replay_record(one).positions[1].decisions[1].options if card not in crossed]
    other["moves"][1][1][1] = sorted([*crossed[1:], others[0]], key=[*crossed, *others].index)
    assert crossed != other["moves"][1][1][1]
    for seat in (0, 2):
        assert viewer_page(one, seat=seat) == viewer_page(other, seat=seat)
    assert viewer_page(one, seat=1) != viewer_page(other, seat=1)


def test_notes_can_be_left_out(record):
    assert "note of seat" in unpacked(viewer_page(record))
    assert "note of seat" not in unpacked(viewer_page(record, notes=False))


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"void": True, "moves": [], "deal": None}, "It is void"),
        ({"version": 99}, "version 99 of the rules of stellar"),
    ],
)
def test_a_match_that_cannot_be_replayed_is_shown_as_far_as_possible(record, fields, words):
    page = viewer_page({**record, **fields})
    assert words in page
    assert "careful" in page
    assert 'id="viewer-data"' not in page
    assert ("All moves" in page) == (fields.get("moves") != [])


def test_a_block_is_for_pages_that_have_its_assets(record):
    block = viewer_block(record)
    assert_no_markup("viewer", unpacked(block))
    assert not {"html", "head", "body", "link"} & {tag for tag, _ in Elements(block).found}
    frame = Frame(more=VIEWER_ASSETS)
    assert {"board.css", "viewer.css"} < set(frame.styles)
    assert "viewer.js" in frame.scripts


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_every_game_is_stepped_through_on_a_telephone(browser, tmp_path, game, seats):
    record = random_record(game, seats)
    (tmp_path / "page.html").write_text(viewer_page(record), "utf-8")
    with open_page(browser, tmp_path / "page.html", width=NARROW) as page:
        for key in ("0", "s", str(seats)):
            press(page, key, "Home")
            page.evaluate(
                """steps => {
                  for (let step = 0; step < steps; step += 1) {
                    document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
                  }
                }""",
                len(record["moves"]) + 1,
            )
            assert len(record["moves"]) == step_of(page)
            assert page.locator(".viewer-board .part").count()
            assert page.evaluate("document.documentElement.scrollWidth") <= NARROW


def test_a_replay_does_not_tell_how_long_a_person_thought():
    record = random_record("stellar", 2)
    record["seats"][0] |= {"bot": "person", "version": "human"}
    told = {decision["seat"]: decision["thinkUs"] for decision in data_of(viewer_page(record))["decisions"]}
    assert told[0] is None
    assert told[1] is not None


def fail(*_):
    raise KeyError("no such card")


@pytest.mark.parametrize(
    ("draw", "parts_of", "why"),
    [
        (Game.draw, Game.parts_of, None),
        (fail, fail, "KeyError: 'no such card'"),
        (lambda *_: None, fail, "NoneType"),
    ],
)
def test_a_game_without_a_picture_is_shown_as_its_text_with_one_warning_if_it_failed(
    monkeypatch, caplog, draw, parts_of, why
):
    game = type("Plain", (Toy,), {"draw": draw, "parts_of": parts_of})()
    monkeypatch.setattr(plugged_in, "WARNED", set())
    monkeypatch.setitem(GAMES, "plain", game)
    data = data_of(viewer_page(random_record("plain", 3)))
    first = game.text(game.view(game.start(game.deal(3, Random(1)), 3).state, None)).split("\n")[0]
    assert first in data["lines"]
    assert all(step["points"] is None for step in data["steps"])
    assert all([] == decision["marked"] for decision in data["decisions"])
    drawing = [line for line in caplog.messages if "draw()" in line]
    assert (why is not None) == len(drawing)
    assert all(why in line for line in drawing)
