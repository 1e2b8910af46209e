"""Pictures in a browser: clicks hit what they mean, and colours follow the switch or the system."""

from __future__ import annotations

import pytest
from support.browser import open_page
from support.shown import open_empty, show, states

from engines import GAMES, drawing
from engines.drawing import WIDTH
from engines.games import BUILT_IN

pytestmark = pytest.mark.tools

HITS = """(keys) => keys.filter((key) => {
  const part = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  part.scrollIntoView({ block: "center" });
  const box = (part.querySelector(".outline") ?? part).getBoundingClientRect();
  const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return hit?.closest(".part") !== part;
})"""
"""Returns the keys of the parts that a click on their middle does not hit."""


@pytest.fixture(scope="module")
def page(browser, tmp_path_factory):
    with open_empty(browser, tmp_path_factory.mktemp("pictures"), WIDTH) as page:
        yield page


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_click_in_the_middle_of_a_part_hits_it(page, name):
    game = GAMES[name]
    for state in states(name, max(game.seats), 6):
        for seat, choice in game.choices(state).items():
            view = game.view(state, seat)
            keys = {
                key for option in choice.options for part in game.parts_of(view, option) for key in part.keys
            }
            show(page, game.draw(view))
            assert [] == page.evaluate(HITS, sorted(keys))


@pytest.mark.parametrize(
    ("system", "switch", "medium", "is_dark"),
    [
        ("light", None, "screen", False),
        ("dark", None, "screen", True),
        ("dark", "light", "screen", False),
        ("light", "dark", "screen", True),
        ("dark", "dark", "print", False),
    ],
)
def test_colours_follow_the_switch_or_else_the_system_and_print_is_light(
    page, system, switch, medium, is_dark
):
    show(page, drawing.draw_text("a game", ["a text"]))
    page.emulate_media(color_scheme=system, media=medium)
    page.evaluate("theme => { if (theme) document.documentElement.dataset.theme = theme; }", switch)
    fill = page.evaluate("getComputedStyle(document.querySelector('.ground')).fill")
    page.evaluate("delete document.documentElement.dataset.theme")
    page.emulate_media(color_scheme="light", media="screen")
    assert ("rgb(20, 24, 29)" if is_dark else "rgb(244, 245, 247)") == fill


@pytest.mark.parametrize("system", ["light", "dark"])
def test_a_picture_that_stands_alone_brings_its_colours(browser, tmp_path, system):
    file = tmp_path / "picture.svg"
    file.write_text(drawing.draw_text("a game", ["a text"]).svg(alone=True), "utf-8")
    with open_page(browser, file, dark=system == "dark") as page:
        fill = page.evaluate("getComputedStyle(document.querySelector('.ground')).fill")
    assert ("rgb(20, 24, 29)" if system == "dark" else "rgb(244, 245, 247)") == fill
