"""Reviews that visitors ask for: their bounds, and what pages say of them; a run may go on beside them."""

import asyncio
from typing import ClassVar

import pytest
from starlette.testclient import TestClient
from support.main_module import ladder_as_main
from support.rated_homes import a_replayable_home
from support.records import a_lone_match
from support.reviewed import store_review
from support.served import hidden_fields, wait_until
from support.stores import stored

from ladder.errors import LadderError, Told
from ladder.home.home import create_home
from ladder.web.serve import review_queue
from ladder.web.serve.app import create_app
from ladder.web.serve.review_queue import MOST_QUEUED, ReviewQueue, review_one
from results.storage.reviews import Reviews
from results.storage.store import Store

URL = "http://127.0.0.1:8000"
HERE = {"origin": URL, "sec-fetch-site": "same-origin"}
PAGE = "/match/1/0"


class Work:
    """Stands for the process: it works until the test lets it end, by a result or an error."""

    begun: ClassVar[list["Work"]] = []

    def __init__(self, work, task):
        self.task, self.result, self.ended = task, None, False
        Work.begun.append(self)

    def answer(self):
        if isinstance(self.result, Exception):
            raise self.result
        return self.result

    def end(self):
        self.ended = True


@pytest.fixture
def begun(monkeypatch):
    monkeypatch.setattr(review_queue, "Aside", Work)
    monkeypatch.setattr(review_queue, "LOOK_S", 0.0)
    Work.begun = []
    return Work.begun


def client_of(home, **more):
    return TestClient(create_app(home, **more), base_url=URL, follow_redirects=False)


@pytest.fixture
def home(tmp_path):
    return a_replayable_home(tmp_path / "home", "stella-quest", matches=3)


# -- the bounds


def test_a_match_is_reviewed_once_and_all_have_their_turn(begun, tmp_path):
    async def ask():
        queue = ReviewQueue(tmp_path, 2)
        caring = asyncio.create_task(queue.look_after())
        for visitor in "abcdefghij":
            for _ in range(10):
                queue.ask("1/0", visitor)
        for number in range(1, MOST_QUEUED):
            queue.ask(f"1/{number}", f"visitor {number // 2}")
        with pytest.raises(LadderError, match="too many"):
            queue.ask("1/99", "late")
        assert queue.tell("1/0").startswith("Looking for where you lost: 30 s at most")
        assert queue.tell("1/3").startswith("Waiting, place 3")
        await asyncio.sleep(0.01)
        (first,) = begun
        first.result = Told("no idea of /srv/secret", "", "game", 1)
        while len(begun) < 2:
            await asyncio.sleep(0)
        assert first.ended
        assert {"1/0": "the game failed"} == queue.problems
        begun[1].result = True
        while len(begun) < 3:
            await asyncio.sleep(0)
        assert "" == queue.tell("1/1")
        assert queue.tell("1/3").startswith("Waiting, place 1")
        with pytest.raises(LadderError, match="2 reviews an hour"):
            queue.ask("1/9", "visitor 1")
        caring.cancel()  # the server ends
        with pytest.raises(asyncio.CancelledError):
            await caring
        assert begun[-1].ended

    asyncio.run(ask())


def test_a_review_that_takes_too_long_ends_and_says_so(monkeypatch, home):
    monkeypatch.setattr(review_queue, "CPU_S", 0.01)
    with pytest.raises(LadderError, match=r"takes more than 0 s, so it was stopped"):
        review_one((home.results, "1/0"))
    assert not Reviews(Store(home.results).folder).files()


# -- the pages


def test_the_button_works_and_leads_to_the_first_question(begun, home):
    with client_of(home) as client:
        page = client.get(PAGE).text
        fields = hidden_fields(page)
        assert ">Where did I lose?</button>" in page
        for wrong, of in (({"token": "x"}, PAGE), (fields, "/match/1/1"), ({}, PAGE)):
            assert client.post(f"{of}/review", data=wrong, headers=HERE).status_code in (400, 403)
        for _ in range(10):
            answer = client.post(f"{PAGE}/review", data=fields, headers=HERE)
            assert (303, "../../../match/1/0") == (answer.status_code, answer.headers["location"])
        wait_until(lambda: begun)
        working = client.get(PAGE).text
        assert 'data-finding="0/review">Looking for where you lost: 30 s at most …</p>' in working
        assert '<noscript><meta http-equiv="refresh"' in working
        assert "review." in working, "its script follows the news"
        store_review(home, 0)
        (work,) = begun
        work.result = True
        assert "event: done" in client.get(f"{PAGE}/review").text
        assert work.ended
        reviewed = client.get(PAGE).text
        assert "data-finding" not in reviewed
        assert "<form method" not in reviewed
        assert "What decisions cost" in reviewed
        answer = client.post(f"{PAGE}/review", data=fields, headers=HERE)
        assert "../../../match/1/0#guess" == answer.headers["location"], "no queue for what is there"
        assert 1 == len(begun)


@pytest.mark.parametrize(
    ("game", "seats", "said"), [("stella", 3, "the game has no judge"), ("stellar", 2, "")]
)
def test_a_page_says_why_there_is_no_review(tmp_path, begun, game, seats, said):
    home = a_replayable_home(tmp_path / "other", game, seats, 1)
    with client_of(home) as client:
        page = client.get(PAGE).text
        assert (not said) == (">Where did I lose?</button>" in page)
        assert bool(said) == ("Where it was lost cannot be said: " + said in page)
    with client_of(home, reviews=0) as client:
        page = client.get(PAGE).text
        assert "Where did I lose?" not in page
        assert "cannot be said" not in page


def test_a_match_of_other_rules_has_a_page_and_no_button(tmp_path, begun):
    home = create_home(tmp_path / "home")
    blocks = a_lone_match(0, game_version=99), a_lone_match(1, game="gone"), a_lone_match(2, options={})
    stored(home.results, *blocks)
    said = ("under version 99 of the rules", "a game that this ladder does not have", "other cards")
    with client_of(home) as client:
        for number, why in enumerate(said):
            page = client.get(f"/match/1/{number}").text
            assert f"Where it was lost cannot be said: match 1/{number} was " in page
            assert why in page
            assert "Where did I lose?" not in page
        assert 404 == client.get("/match/1/7").status_code
    assert [] == begun


def test_too_many_are_told_to_come_back(begun, home):
    with client_of(home) as client:
        codes = [
            client.post(f"{page}/review", data=hidden_fields(client.get(page).text), headers=HERE)
            for page in (f"/match/1/{number}" for number in range(3))
        ]
        assert [303, 303, 503] == [answer.status_code for answer in codes]
        assert "You may ask for 2 reviews an hour: try again later." in codes[-1].text
        assert '<a href="../../../match/1/2">The match</a>' in codes[-1].text
        assert "The match" not in client.get("/somewhere/review", headers=HERE).text


@pytest.mark.process
def test_a_review_is_stored_while_a_run_goes_on(home):
    store = Store(home.results)
    with store.lock(), ladder_as_main(), client_of(home) as client:
        fields = hidden_fields(client.get(PAGE).text)
        client.post(f"{PAGE}/review", data=fields, headers=HERE)
        assert "event: done" in client.get(f"{PAGE}/review").text
        assert "What decisions cost" in client.get(PAGE).text
    assert {(1, 0)} == {(key.run, key.number) for key in store.reviews.matches()}
