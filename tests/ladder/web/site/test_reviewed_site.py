"""Reviews on the pages of a site and of a server: where there are some, and nothing where there are none."""

import json
import re
from unittest.mock import Mock

import pytest
from starlette.testclient import TestClient
from support.browser import NARROW, WIDE, find_violations, open_page
from support.rated_homes import a_replayable_home
from support.reviewed import store_review
from support.sites import data_of, page_of, read_pages

from engines import GAMES
from ladder.games.shown_game import ShownGame
from ladder.replay import feedback
from ladder.replay.replay import deal_of
from ladder.replay.review.bot_review import look_at
from ladder.replay.review.walk import walk
from ladder.web.serve.app import create_app
from ladder.web.site import facts
from ladder.web.site.site import write_site
from ladder.web.site.site_options import SiteOptions
from results.reports.labels import HomeNumbers
from results.storage.layout import Folder
from results.storage.reviews import Reviews
from results.storage.store import Store

LINK = re.compile(r'href="\.\./(matches/1-\d+\.html)#(\d+),seat(\d)"')


def written(home, folder):
    done = write_site(home, folder, SiteOptions())
    return read_pages(folder), done


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return a_replayable_home(tmp_path_factory.mktemp("reviewed") / "home", "stella-quest", matches=3)


def test_pages_follow_reviews_that_come_and_go(tmp_path, home):
    before, _ = written(home, tmp_path / "site")
    assert not [name for name, text in before.items() if "review" in text]
    store_review(home, 0)
    store_review(home, 1, quick=True, match_digest="of a quick one")
    reviewed, done = written(home, tmp_path / "site")
    changed = {name for name in before if before[name] != reviewed[name]}
    assert {"matches/1-0.html", "bots/a.html", "bots/b.html"} == changed
    assert 3 == done.changed
    assert "viewer-losses" in reviewed["matches/1-0.html"]
    assert "In 2 reviewed matches: " in reviewed["bots/a.html"]
    assert "ladder bots ask" not in reviewed["bots/a.html"], "it is not here to be asked"
    again, done = written(home, tmp_path / "site")
    assert (reviewed, 0) == (again, done.changed)
    Reviews(Folder(home.results)).drop(lambda key: True)
    assert before == written(home, tmp_path / "site")[0]


@pytest.fixture(scope="module")
def site(home, tmp_path_factory):
    path = tmp_path_factory.mktemp("pages") / "site"
    store_review(home, 0)
    store_review(home, 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(facts.Facts, "numbers", HomeNumbers({(bot, f"{bot}-1"): 1 for bot in "ab"}, {}))
        written(home, path)
    yield path
    Reviews(Folder(home.results)).drop(lambda key: True)


def test_the_page_of_a_bot_has_its_worst_decisions_with_boards_and_links(site):
    page = (site / "bots" / "a.html").read_text("utf-8")
    section = page[page.index('id="decisions"') :]
    assert 2 == section.count("<article") == section.count("worst-board"), "sure losses alone"
    assert "ladder bots ask" not in section, "visitors cannot type"
    assert "A review explains; it does not rate." in section
    assert "Stella Quest</a>, 2 seats" in section
    kinds = re.findall(r"<bdi>(take a card|play a card)</bdi></th>.*?(\d+)</td></tr>", section)
    assert {"take a card", "play a card"} == {kind for kind, _ in kinds}
    assert 99 <= sum(int(share) for _, share in kinds) <= 101
    links = LINK.findall(section)
    assert 2 == len(links)
    for file, step, seat in links:
        match = (site / file).read_text("utf-8")
        assert f'href="#{step}"' in match
        assert f"seat{seat}" in [view["name"] for view in data_of(match)["views"]]


def test_a_worst_decision_is_drawn_as_its_seat_saw_it(home, site, monkeypatch):
    seen = []
    draw = ShownGame.draw
    monkeypatch.setattr(
        ShownGame, "draw", lambda game, *views, names: seen.append(views) or draw(game, *views, names=names)
    )
    told = []
    monkeypatch.setattr(feedback, "look_at", lambda of, row: told.append(row) or look_at(of, row))
    for bot in "ab":
        page_of(home, f"bots/{bot}.html")
    contents = Store(home.results).contents()
    assert 5 == len(told) == len(seen), "two of one bot and three of the other"
    for row, views in zip(told, seen, strict=True):
        match = contents.match(row.run, row.number)
        moves = json.loads(match.moves)
        steps = [*walk(GAMES[match.game], deal_of(match), 2, moves)]
        assert (steps[row.step].view_of(row.seat),) == views


def test_a_server_shows_the_same_and_every_match_has_a_page(home, site):
    with TestClient(create_app(home), base_url="http://127.0.0.1:8000") as client:
        match = client.get("/match/1/0").text
        assert "viewer-losses" in match
        assert "review.js" in re.sub(r"\.[0-9a-f]{10}\.", ".", match)
        for asset in re.findall(r'(?:src|href)="\.\./\.\./([^"/]+\.(?:js|css))"', match):
            assert 200 == client.get(f"/{asset}").status_code
        assert "viewer-losses" not in client.get("/match/1/2").text
        bot = client.get("/bots/a.html").text
        for file, _, _ in LINK.findall(bot):
            assert 200 == client.get(f"/{file}", follow_redirects=True).status_code


def test_reviews_that_cannot_be_read_cost_no_page(tmp_path, caplog):
    home = a_replayable_home(tmp_path / "home", "stella-quest", matches=1)
    folder = Folder(home.results).reviews
    folder.mkdir()
    (folder / "000001.parquet").write_bytes(b"nothing")
    pages, _ = written(home, tmp_path / "site")
    assert "matches/1-0.html" in pages
    assert "reviews are not shown: " in caplog.text
    with TestClient(create_app(home), base_url="http://127.0.0.1:8000") as client:
        assert 200 == client.get("/match/1/0").status_code
        assert 200 == client.get("/bots/a.html").status_code


def test_a_decision_that_cannot_be_shown_costs_no_page(home, site, monkeypatch):
    monkeypatch.setattr(feedback, "look_at", Mock(side_effect=ValueError("no board")))
    page = page_of(home, "bots/a.html")
    assert 'id="decisions"' in page
    assert "It cannot be shown." in page
    assert "<article" not in page


@pytest.mark.slow
@pytest.mark.parametrize(("width", "dark"), [(NARROW, True), (WIDE, False)])
def test_the_page_of_a_reviewed_bot_fits_and_can_be_read(browser, axe, site, width, dark):
    with open_page(browser, site / "bots" / "a.html", width=width, dark=dark, within=site) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert [] == find_violations(page, axe)
