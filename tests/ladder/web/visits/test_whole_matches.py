"""A whole match of each game is played by keys, clicks and a finger; what costs for good is asked once."""

from __future__ import annotations

from random import Random

import pytest
from support.browser import open_page
from support.served import sit_down, step_of, wait_for_next

pytestmark = pytest.mark.slow
AT = "document.activeElement.matches"
HERE = f"{AT}('.play-board, .play-board .part, .now button')"
GAMES = {"stellar": 2, "starry-sky": 3, "stella-quest": 3, "stella": 3}


def walk(page, rng, selector):
    """Press arrows until the focus is on an element of *selector*."""
    for _ in range(400):
        if page.evaluate(f"{AT}({selector!r})"):
            return
        page.keyboard.press(rng.choice(("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")))
    raise AssertionError(f"no arrow leads to {selector}")


def move_by_keys(page, rng):
    """Make the move that is asked for."""
    some = page.locator(".moves[data-kind=some]").count()
    if some:
        walk(page, rng, ".part.possible")
        page.keyboard.press("Enter")
        walk(page, rng, ".send .primary")
        page.keyboard.press("Enter")
        return
    while page.locator(".moves:not(.sent)").count():
        if not page.evaluate(f"{AT}('.now button:not(.back), .sure .primary')"):
            walk(page, rng, ".part.possible, .now button:not(.back)")
        page.keyboard.press("Enter")


FREE = """(element) => {
  element.scrollIntoView({ block: "center", behavior: "instant" });
  const { left, top, width, height } = element.getBoundingClientRect();
  for (const [across, down] of [[0.5, 0.5], [0.1, 0.5], [0.9, 0.5]]) {
    const [x, y] = [across * width, down * height];
    if (element.contains(document.elementFromPoint(left + x, top + y))) return { x, y };
  }
  return null;
}"""
"""Returns where in an element no other lies over it: the cards of a hand overlap."""


def move_by_presses(page, rng, press):
    """Make the move that is asked for on the board and in the band, not in the list of all moves."""

    def press_one(selector):
        found = page.locator(selector)
        chosen = found.nth(rng.randrange(found.count()))
        press(chosen, chosen.evaluate(FREE))

    if page.locator(".moves[data-kind=some]").count():
        while page.locator(".send .primary").is_disabled():
            press_one(".part.possible:not(.chosen)")
        press_one(".send .primary")
        return
    while page.locator(".moves:not(.sent)").count():
        is_asked = page.locator(".sure:visible").count()
        press_one(".sure .primary" if is_asked else ".part.possible, .now:visible button:not(.back)")


def move_by_clicks(page, rng):
    move_by_presses(page, rng, lambda found, where: found.click(position=where))


def move_by_finger(page, rng):
    move_by_presses(page, rng, lambda found, where: found.tap(position=where))


def play_to_the_end(page, make_move):
    rng = Random(1)
    sit_down(page)
    while True:
        page.wait_for_selector(".moves, .result", state="attached")
        if page.locator(".result").count():
            return
        step = step_of(page)
        make_move(page, rng)
        wait_for_next(page, step)


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_is_played_by_arrows_and_enter(browser, url, game):
    def move(page, rng):
        assert page.evaluate(HERE), page.evaluate("document.activeElement.outerHTML")
        move_by_keys(page, rng)

    with open_page(browser, f"{url}play?game={game}&seats={GAMES[game]}") as page:
        play_to_the_end(page, move)


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_is_played_by_a_finger_on_a_telephone(browser, url, game):
    where = f"{url}play?game={game}&seats={GAMES[game]}"
    with open_page(browser, where, width=375, height=667, touch=True, reduced_motion=True) as page:
        play_to_the_end(page, move_by_finger)


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_is_played_by_clicks(browser, url, game):
    where = f"{url}play?game={game}&seats={GAMES[game]}"
    with open_page(browser, where, width=1366, height=768, reduced_motion=True) as page:
        play_to_the_end(page, move_by_clicks)


def said(page):
    return page.locator(".sure:visible").all_inner_texts()


def test_a_light_is_burnt_at_the_second_word_only(browser, url):
    with open_page(browser, f"{url}play?game=stella-quest&seats=2", width=1366, height=768) as page:
        sit_down(page)
        step = step_of(page)
        pile = page.locator(".part[data-key=pile]")
        pile.hover()
        words = "Burn a light (5 left): draw three cards"
        assert words == page.inner_text("#hint")
        heights = {page.locator(".turn").bounding_box()["height"]}
        pile.click()
        heights.add(page.locator(".turn").bounding_box()["height"])
        assert 1 == len(heights), "the board moves"
        (told,) = said(page)
        assert [words, "burns one of your 5 lights", "Do it", "Take back"] == told.splitlines()
        page.keyboard.press("Escape")
        assert [] == said(page)
        assert "pile" == page.evaluate("document.activeElement.dataset.key")
        page.keyboard.press("Enter")
        page.get_by_text("Take back").last.click()
        assert [] == said(page)
        assert step == step_of(page)
        pile.click()
        page.keyboard.press("Enter")
        wait_for_next(page, step)


def test_each_move_asks_where_the_switch_is_on_also_later(browser, url):
    with open_page(browser, f"{url}play?game=starry-sky&seats=3") as page:
        sit_down(page)
        page.get_by_label("Confirm each move").check()
        page.reload()
        page.wait_for_selector(".part.possible")
        page.locator(".every").evaluate("(details) => { details.open = true; }")
        page.locator(".options button").first.click()
        assert 1 == len(said(page))
        page.keyboard.press("Escape")
        page.get_by_label("Confirm each move").uncheck()
        step = step_of(page)
        page.locator(".options button").first.click()
        wait_for_next(page, step)
