"""`ladder serve` as a program, in a browser and without one."""

from __future__ import annotations

import json
import re
import signal
import socket
import sys
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urljoin

import pytest
from support import ladders
from support.browser import NARROW, WIDE, find_violations, open_page
from support.command_line import check_refused, run_here
from support.live import a_home
from support.served import hidden_fields, leave_table, served, set_serve, step_of, wait_for_next, wait_until
from support.served import sit_down as sit_down_there

from ladder.home.home import create_home
from results.storage.unrated import unrated_stores


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return a_home(tmp_path_factory.mktemp("served") / "home")


@pytest.fixture(scope="module")
def url(home):
    with served(home) as (url, _):
        yield url


# -- the program


def test_a_port_in_use_is_refused_with_the_next_free_one(home):
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        refused = run_here("serve", "--port", str(port), "--home", home.path)
    assert 1 == refused.code
    assert f"port {port} is in use" in refused.err
    suggested = re.search(r"--port (\d+)", refused.err)
    assert suggested
    assert int(suggested[1]) > port


@pytest.mark.parametrize("host", ["192.0.2.1", "nonsense.invalid", ""])
def test_an_address_that_is_not_here_is_refused(home, host):
    refused = run_here("serve", "--host", host, "--port", "0", "--home", home.path)
    check_refused(refused, 2, "address of this machine")


def test_a_missing_extra_is_said_with_what_to_type(home, monkeypatch):
    for package in ("uvicorn", "vl_convert"):
        monkeypatch.setitem(sys.modules, package, None)
    there = {*home.path.parent.iterdir()}
    for words, what in (
        (("serve",), "ladder serve needs uvicorn"),
        (("site", home.path.parent / "site"), "ladder site needs vl_convert"),
        (("run", "--forever", "--site", home.path.parent / "site"), "--site needs vl_convert"),
    ):
        refused = run_here(*words, "--home", home.path)
        check_refused(refused, 1, f"{what}, which is not installed\n  next: pip install 'starlette>=1.0'")
    assert there == {*home.path.parent.iterdir()}


@pytest.mark.parametrize(
    ("values", "what", "hint"),
    [
        (
            {"behind_proxy": "X Y"},
            "behind_proxy: expected the name of a header, got: 'X Y'",
            "behind_proxy =",
        ),
        ({"proxy": "192.0.2.1"}, "proxy needs behind_proxy", 'behind_proxy = "X-Forwarded-For"'),
        (
            {"behind_proxy": "X-Real-IP", "proxy": "nginx"},
            "expected the address of a proxy, got: 'nginx'",
            "proxy = ",
        ),
    ],
)
def test_a_proxy_that_is_none_is_refused(tmp_path, values, what, hint):
    home = create_home(tmp_path / "home")
    set_serve(home, **values)
    refused = run_here("serve", "--home", home.path)
    check_refused(refused, 2, f"[serve] {what}" if "needs" in what else what, f"below [serve]: {hint}")


@pytest.mark.parametrize(
    ("url", "what"),
    [
        ("example.org/ladder", "it must begin with https:// or http://"),
        ("ftp://example.org/", "it must begin with https:// or http://"),
        ("/ladder", "it must begin with https:// or http://"),
        ("https://", "it names no machine"),
        ("https:///ladder", "it names no machine"),
        ("https://me@example.org/", "it names no machine"),
        ("https://exam ple.org/", "it names no machine"),
        ("https://example.org:x/", "it cannot be read"),
        ("https://example.org:99999/", "it cannot be read"),
        ("https://[::1/", "it cannot be read"),
        ("https://b\u00fccher.example/", "write the name as browsers send it"),
        ("https://example.org/a b", "its path may have"),
        ("https://example.org/a//b", "its path may have"),
        ("https://example.org/?a", "its path may have"),
        ("https://example.org/#a", "its path may have"),
    ],
)
def test_a_public_address_that_no_browser_reaches_is_refused(tmp_path, url, what):
    home = create_home(tmp_path / "home")
    set_serve(home, url=url)
    refused = run_here("serve", "--home", home.path)
    check_refused(refused, 2, what, 'below [serve]: url = "https://example.org/ladder/"')


@pytest.mark.slow
def test_connections_that_send_one_byte_each_do_not_shut_the_server(home):
    set_serve(home, behind_proxy="X-Forwarded-For")
    with served(home) as (url, _), ExitStack() as open_:
        host, _, port = url.split("/")[2].partition(":")
        for _ in range(400):
            open_.enter_context(socket.create_connection((host, int(port)))).sendall(b"G")
        assert get(url)


@pytest.mark.slow
def test_a_form_that_breaks_off_says_nothing_on_the_terminal(home):
    with served(home) as (url, process):
        host, _, port = url.split("/")[2].partition(":")
        with socket.create_connection((host, int(port))) as client:
            head = "POST /play HTTP/1.1\r\nHost: {0}\r\nOrigin: http://{0}\r\nContent-Length: 9\r\n\r\nx"
            client.sendall(head.format(f"{host}:{port}").encode())
        assert get(url)
        assert "Traceback" not in told_at_the_end(process)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_server_its_matches_and_open_pages(tmp_path, number):
    mark = f"mark-{tmp_path.name}"
    home = a_home(tmp_path / "home", mark)
    with served(home) as (url, process), connected(url) as connection, ExitStack() as opened:
        assert url.startswith("http://127.0.0.1:")
        connection.request("GET", "/live")
        live = connection.getresponse()
        assert 200 == live.status
        table = opened.enter_context(connected(url))
        table.request("GET", f"{sit_down(url, 'stellar', 2)}/news")
        news = table.getresponse()
        wait_until(lambda: ladders.processes(mark))
        told = told_at_the_end(process, number)
        assert [] == [word for word in ("Traceback", "ERROR", "Cancel", "Exception") if word in told]
        assert all("event: ending" in stream.read().decode() for stream in (live, news))
        assert process.wait(30) in (0, 128 + number)
        wait_until(lambda: not ladders.processes(mark))
    assert [] == [*home.results.rglob("*")]


@pytest.mark.slow
def test_listening_to_others_is_warned_of(home):
    with served(home, "--host", "0.0.0.0") as (url, process):
        assert url.startswith("http://0.0.0.0:")
        said = told_at_the_end(process)
        assert "other machines can reach this address, see the results and play" in said


def told_at_the_end(process, number=signal.SIGINT):
    """End a server; return what it has said on the terminal."""
    process.send_signal(number)
    assert process.stderr
    return process.stderr.read()


def get(url, path="/"):
    with connected(url) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        assert 200 == answer.status
        return answer.read().decode()


def connected(url):
    return closing(HTTPConnection(url.split("/")[2], timeout=60))


def sit_down(url, game, seats):
    """Start a match as a browser without JavaScript does; return the path of its table."""
    token = hidden_fields(get(url, f"/play?game={game}&seats={seats}"))["token"]
    with connected(url) as connection:
        fields = f"token={token}&game={game}&seats={seats}&seat=0" + "&bot=first" * (seats - 1)
        connection.request("POST", "/play", fields, {"Origin": url.rstrip("/")})
        answer = connection.getresponse()
        answer.read()
        assert 303 == answer.status
        return urljoin("/play", str(answer.getheader("location")))


@pytest.mark.slow
def test_a_table_tells_its_news_as_they_happen(url):
    with connected(url) as connection:
        connection.request("GET", f"{sit_down(url, 'stella-quest', 3)}/news")
        answer = connection.getresponse()
        assert "text/event-stream" in str(answer.getheader("content-type"))
        state: dict[str, Any] = {}
        while "status yours" not in state.get("html", ""):
            line = answer.readline().decode()
            if line.startswith("data: "):
                state = json.loads(line.removeprefix("data: "))
    assert not state["over"]


@pytest.mark.slow
def test_pages_learn_of_the_matches_of_a_run_that_is_at_work_and_do_not_disturb_it(tmp_path):
    home = ladders.a_home(tmp_path / "home")
    with served(home) as (url, _):
        with connected(url) as connection:
            connection.request("GET", "/live")
            stream = connection.getresponse()
            done = ladders.run_command(home.path, "--games", "40", "--seed", "1")
            assert 0 == done.returncode, done.stderr
            while not stream.readline().startswith(b"data: "):
                pass
        assert 'href="matches/1-39.html"' in get(url, "/matches.html")
    assert 0 == run_here("home", "verify", "--home", home.path).code


# -- in a browser


def play_on(page, *, keys=False):
    """Play the match of *page* to its end by the parts on the board, with clicks or with the keys."""
    while True:
        page.wait_for_selector(".moves, .result", state="attached")
        if page.locator(".result").count():
            return
        step = step_of(page)
        make_move(page, keys=keys)
        wait_for_next(page, step)
        if keys and page.locator(".part.possible").count():
            assert page.evaluate("document.activeElement.closest('.play-board .part') !== null")


def make_move(page, *, keys=False):
    """Make one move: its parts, one after another, then the button where the board cannot say it."""
    if page.locator(".moves[data-kind=some]").count():
        for _ in range(int(page.locator(".moves").get_attribute("data-low") or 1)):
            press(page, page.locator(".part.possible").first, keys=keys)
        press(page, page.locator(".send .primary"), keys=keys)
        return
    # the answer of the others may be there at once: then the parts are those of the next move
    here = f'.play:has(input[name=step][value="{step_of(page)}"])'
    for _ in range(3):
        possible = page.locator(f"{here} .part.possible")
        if not page.locator(f"{here} .moves:not(.sent)").count() or not possible.count():
            break
        press(page, possible.last, keys=keys)
    if page.locator(f"{here} .moves:not(.sent)").count():
        press(page, page.locator(".now button:not(.back)").first, keys=keys)


def press(page, what, *, keys):
    if keys:
        what.focus()
        page.keyboard.press("Enter")
    else:
        what.dispatch_event("click")


@pytest.mark.slow
def test_a_selection_is_seen_and_taken_back_and_the_keys_go_from_part_to_part(url, browser):
    with open_page(browser, f"{url}play?game=starry-sky&seats=3", width=WIDE) as page:
        page.get_by_role("button", name="Start the match").click()
        page.wait_for_selector(".part.possible")
        chosen, free = page.locator(".part.selected"), page.locator(".part.possible")
        everything = free.count()
        page.locator('.part[data-key="token-0-10"]').click()
        assert "true" == chosen.get_attribute("aria-pressed")
        assert 0 < free.count() < everything, "stars can be chosen now, and no other token"
        assert "Selected: token 10" in page.inner_text(".now")
        page.locator('.part[data-key="token-0-10"]').click()
        assert (0, everything) == (chosen.count(), free.count())
        page.locator('.part[data-key^="star-"]').first.click()
        assert "star" in page.inner_text(".now")
        page.locator('.part[data-key="token-0-H"]').hover()
        page.keyboard.press("Escape")
        assert (0, everything) == (chosen.count(), free.count())
        page.locator('.part[data-key="token-0-5"]').focus()
        page.keyboard.press("ArrowRight")
        assert "token-0-6" == page.evaluate("document.activeElement.dataset.key")
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowUp")
        assert page.evaluate("document.activeElement.dataset.key").startswith("star-")
        step = step_of(page)
        page.keyboard.press(" ")
        wait_for_next(page, step)
        assert "You place 6" in page.inner_text(".log")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "seats", "width", "dark"),
    [
        ("stellar", 2, WIDE, False),
        ("stella-quest", 3, NARROW, True),
        ("stella", 3, WIDE, True),
        ("starry-sky", 3, NARROW, False),
    ],
)
def test_a_person_plays_a_match_in_the_browser(home, url, browser, axe, game, seats, width, dark):
    with open_page(browser, f"{url}play?game={game}&seats={seats}", width=width, dark=dark) as page:
        assert [] == find_violations(page, axe)
        page.get_by_role("button", name="Start the match").click()
        page.wait_for_selector(".moves")
        assert [] == find_violations(page, axe)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, "nothing is cut off"
        assert page.locator(".play-board svg").count()
        play_on(page, keys=dark)
        assert [] == find_violations(page, axe)
        bots = re.findall("bot=([a-z-]+)", page.get_attribute("text=Play again", "href") or "")
        assert len(bots) == seats - 1
        page.get_by_role("link", name="Watch the replay").click()
        page.wait_for_selector("h1")
        assert f"match {[*unrated_stores(home.results)][-1]}/0" in page.inner_text("h1 + p")


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(NARROW, 667), (667, NARROW), (320, 480)])
def test_on_a_telephone_the_hand_stays_at_the_lower_edge_and_is_touched_there(url, browser, width, height):
    with open_page(browser, f"{url}play?game=starry-sky&seats=5", width=width, height=height) as page:
        sit_down_there(page)
        token = page.locator('.hand [data-of="token-0-10"]')
        assert 9 == page.locator(".hand .part").count()
        edge = page.evaluate("document.querySelector('.hand').getBoundingClientRect().bottom")
        assert height - 1 <= edge <= height
        before = page.locator(".play-board > svg").first.bounding_box()
        token.click()
        assert page.locator('.selected[data-key="token-0-10"]').count()
        assert before == page.locator(".play-board > svg").first.bounding_box(), "choosing moves nothing"
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        leave_table(page)


@pytest.mark.slow
def test_paper_has_the_tall_layout_and_a_wide_window_the_wide_one(url, browser):
    with open_page(browser, f"{url}play?game=stellar&seats=2", width=WIDE, height=720) as page:
        sit_down_there(page)
        for medium, is_wide in (("screen", True), ("print", False), ("screen", True)):
            page.emulate_media(media=medium)
            shown = "const { width, height } = document.querySelector('.play-board > svg').viewBox.baseVal"
            page.wait_for_function(
                f"(isWide) => {{ {shown}; return isWide === width > height; }}", arg=is_wide
            )
        leave_table(page)


@pytest.mark.slow
def test_captions_and_pictures_point_at_each_other(url, browser):
    with open_page(browser, f"{url}play?game=stella&seats=3", width=WIDE) as page:
        page.get_by_role("button", name="Start the match").click()
        page.wait_for_selector(".part.clickable")
        assert page.locator(".captions li").count() == 15
        page.locator(".part.clickable").first.click()  # the word stays
        page.wait_for_selector(".moves[data-kind=some]")
        line = page.locator(".captions li").nth(4)
        key = line.get_attribute("data-key")
        part = page.locator(f".play-board [data-key='{key}']")
        line.hover()
        assert "pointed" in (part.get_attribute("class") or "")
        line.click()
        assert part.get_attribute("aria-pressed") == "true"
        assert "marked" in (line.get_attribute("class") or "")
        assert page.locator(".part.possible").count() == 14, "more may be chosen"
        assert page.inner_text(".count") == "1 chosen"


@pytest.mark.slow
def test_a_page_renews_itself_as_a_run_plays(tmp_path, browser):
    home = ladders.a_home(tmp_path / "home")
    with served(home) as (url, _), open_page(browser, f"{url}matches.html") as page:
        assert 0 == page.get_by_role("link", name="1/19", exact=True).count()
        assert 0 == ladders.run_command(home.path, "--games", "20", "--seed", "1").returncode
        page.get_by_role("link", name="1/19", exact=True).wait_for()
        page.get_by_role("button", name="match").click()
        assert 0 == ladders.run_command(home.path, "--games", "20", "--seed", "2").returncode
        page.get_by_role("button", name="Show the new results").click()
        page.get_by_role("link", name="2/19", exact=True).wait_for()


@pytest.mark.slow
def test_open_pages_say_that_the_server_has_ended(home, browser):
    with closing(browser.new_context()) as context:
        results, table = context.new_page(), context.new_page()
        with served(home) as (url, process):
            results.goto(url)
            table.goto(f"{url}play?game=stellar&seats=2")
            sit_down_there(table)
            told_at_the_end(process)
        results.wait_for_selector("text=The server has ended. These are the last results that it showed.")
        table.wait_for_selector("text=The server has ended, and this match with it.")
        assert 0 == table.locator(".moves, .leave").count()


@pytest.mark.slow
def test_a_table_that_is_gone_says_so_once_the_server_is_back(home, browser):
    with closing(browser.new_context()) as context:
        page = context.new_page()
        with served(home) as (url, process):
            page.goto(f"{url}play?game=stellar&seats=2")
            sit_down_there(page)
            process.kill()
            page.wait_for_selector("text=The server does not answer.")
        with served(home, "--port", url.rstrip("/").rpartition(":")[2]):
            page.wait_for_selector("text=This match is gone.")
            assert "" == page.inner_text("#trouble")


@pytest.mark.slow
def test_a_match_can_be_played_from_another_machine(home, browser):
    """Browsers send no Sec-Fetch-Site to an address such as 0.0.0.0 without TLS: then Origin must say it."""
    with closing(browser.new_context()) as context, served(home, "--host", "0.0.0.0") as (url, _):
        page = context.new_page()
        page.goto(f"{url}play?game=stellar&seats=2")
        with page.expect_request("**/play") as sent:
            page.get_by_role("button", name="Start the match").click()
        page.wait_for_selector(".moves")
        headers = sent.value.all_headers()
        assert (url.rstrip("/"), None) == (headers["origin"], headers.get("sec-fetch-site"))
