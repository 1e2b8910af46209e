"""Uploads over HTTP: who may send what, what is written where, and what is told of it."""

import asyncio
import shutil
from types import SimpleNamespace
from unittest import mock

import pytest
from starlette.testclient import TestClient
from support.ladders import a_home

from ladder.admission import arrivals
from ladder.admission.batch import SubmissionAnswer
from ladder.admission.inbox_answers import InboxFolders, answer_entry
from ladder.admission.people import changing_people
from ladder.home.packing import PEOPLE
from ladder.web.door import uploads_api
from ladder.web.door.door import REQUESTS, WRONG_TOKENS
from ladder.web.serve import guard
from ladder.web.serve.app import create_app

URL = "http://127.0.0.1:8000"
BOT = b"print('a bot')\n"


@pytest.fixture
def door(tmp_path):
    """Return a server that takes uploads of ann and bob, with its folders and a client of each."""
    home = a_home(tmp_path / "home", {"first": {}, "last": {}})
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    with changing_people(home) as people:
        tokens = {name: people.add(name) for name in ("ann", "bob")}
    folders = InboxFolders(inbox, tmp_path / "outbox", tmp_path / "done")
    served = create_app(home, uploads=folders)
    with TestClient(served, base_url=URL) as client:  # type: ignore[arg-type]
        headers = {name: {"authorization": f"Bearer {token}"} for name, token in tokens.items()}
        yield SimpleNamespace(
            home=home, inbox=inbox, folders=folders, client=client, tokens=tokens, **headers
        )


def put(door, name="mine.py", body=BOT, **headers):
    return door.client.put(f"/api/v1/bots/{name}", content=body, headers={**door.ann, **headers})


def listing(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def problem(answer, status):
    assert (status, "application/problem+json") == (answer.status_code, answer.headers["content-type"]), (
        answer.text
    )
    told = answer.json()
    assert {"status", "title", "detail"} <= told.keys() <= {"status", "title", "detail", "hint"}
    assert status == told["status"]
    return told


def test_a_file_comes_into_the_folder_of_its_person_and_waits(door):
    answer = put(door)
    assert 202 == answer.status_code, answer.text
    told = answer.json()
    assert ("mine.py", len(BOT), "waiting", 1) == tuple(
        told[key] for key in ("upload", "bytes", "state", "place")
    )
    assert "no inbox has been at work" == told["why"]
    assert ["ann/mine.py"] == listing(door.inbox)
    assert BOT == (door.inbox / "ann/mine.py").read_bytes()
    assert told == {
        **door.client.get("/api/v1/uploads/mine.py", headers=door.ann).json(),
        "age_s": told["age_s"],
    }
    assert ["mine.py"] == [
        each["upload"] for each in door.client.get("/api/v1/uploads", headers=door.ann).json()
    ]
    state = (door.inbox / "ann/mine.py").stat()
    assert state.st_mtime_ns != state.st_ctime_ns, "the inbox takes it without a minute's rest"


def test_the_same_bytes_again_are_no_new_upload_and_others_take_their_place(door):
    assert [202, 200, 202] == [put(door, body=body).status_code for body in (BOT, BOT, BOT + b"#")]
    assert ["ann/mine.py"] == listing(door.inbox)


def test_the_same_bytes_are_another_upload_once_their_bot_is_retired(door):
    assert 202 == put(door, "first2.py").status_code
    taking = door.folders.taking / "ann" / "first2.py"
    for folder in (taking.parent, door.folders.outbox):
        folder.mkdir(parents=True)
    (door.inbox / "ann/first2.py").rename(taking)
    (version,) = door.home.roster.versions_of("first")
    answer_entry(door.home, door.folders, "ann", SubmissionAnswer(taking, "new bot", "first", version))
    assert (200, "accepted") == ((told := put(door, "first2.py")).status_code, told.json()["state"])
    door.home.roster.retire([version])
    assert (202, "waiting") == ((told := put(door, "first2.py")).status_code, told.json()["state"])


async def test_the_state_of_the_same_bytes_is_that_of_now(door):
    assert 202 == put(door).status_code
    sender = Sender(door)
    sender.send(BOT)
    await until(lambda: len(listing(door.inbox)) == 2)
    taking = door.folders.taking / "ann" / "mine.py"
    taking.parent.mkdir(parents=True)
    (door.inbox / "ann/mine.py").rename(taking)
    sender.send(b"", more=False)
    assert 200 == await sender.status()
    assert b'"state":"checking"' in sender.sent[1]["body"]


def test_a_person_sees_only_own_uploads(door):
    put(door)
    problem(door.client.get("/api/v1/uploads/mine.py", headers=door.bob), 404)
    assert [] == door.client.get("/api/v1/uploads", headers=door.bob).json()


def test_me_tells_what_one_may_do(door):
    put(door)
    told = door.client.get("/api/v1/me", headers=door.ann).json()
    assert ("ann", [], 1) == tuple(told[key] for key in ("person", "bots", "waiting_left"))
    assert {"at_work": False} == told["inbox"]


NAMES = [
    *(
        ".x.py",
        "..",
        "%2e%2e",
        "a%2fb.py",
        "..%2fb.py",
        "%2e%2e%2fb.py",
        "a%5cb.py",
        "x.txt",
        "x",
        "bot.toml",
    ),
    *(
        "x.wish.toml",
        "x.py.part",
        "a%00.py",
        "a%0a.py",
        "%ff.py",
        "%c3%a4.py",
        "a b.py",
        "x" * 250 + ".py",
        "-.py",
    ),
]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_is_no_plain_file_of_a_bot_is_refused(door, name):
    answer = put(door, name)
    assert answer.status_code in (404, 405, 422), answer.text
    assert [] == listing(door.inbox)


def test_a_name_of_another_is_told_before_the_body_is_sent(door):
    problem(put(door, "first.py"), 409)
    problem(put(door, "FIRST.zip"), 409)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"authorization": ""}, 401),
        ({"authorization": "Bearer"}, 401),
        ({"authorization": "Bearer ldr_" + "A" * 43}, 401),
        ({"authorization": "Basic YTpi"}, 401),
        ([("authorization", "Bearer a"), ("authorization", "Bearer b")], 400),
        ({"host": "evil.example"}, 421),
        ({"origin": "http://evil.example"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"transfer-encoding": "chunked", "content-length": "3"}, 400),
        ({"content-length": "50000001"}, 413),
    ],
)
def test_what_is_refused_before_anything_is_read(door, headers, status):
    answer = door.client.put("/api/v1/bots/mine.py", content=b"abc", headers=headers)
    problem(answer, status)
    assert [] == listing(door.inbox)
    if status == 400 and "content-length" in headers:
        assert "close" == answer.headers["connection"]


def test_a_token_in_the_address_is_refused(door):
    problem(door.client.get(f"/api/v1/me?token={door.tokens['ann']}", headers=door.ann), 400)


def test_wrong_tokens_are_counted_before_any_is_looked_up(door):
    wrong = {"authorization": "Bearer ldr_wrong"}
    for _ in range(WRONG_TOKENS):
        problem(door.client.get("/api/v1/me", headers=wrong), 401)
    with mock.patch("ladder.web.door.door.People.read", side_effect=AssertionError):
        assert "Retry-After" in door.client.get("/api/v1/me", headers=wrong).headers
        assert "wait" in problem(door.client.get("/api/v1/me", headers=door.ann), 429)["hint"]


def test_a_person_has_so_many_requests_a_minute(door):
    codes = [door.client.get("/api/v1/me", headers=door.ann).status_code for _ in range(REQUESTS + 1)]
    assert [200] * REQUESTS + [429] == codes
    assert 200 == door.client.get("/api/v1/me", headers=door.bob).status_code


def test_a_body_is_as_long_as_it_may_be_whatever_its_head_says(door, monkeypatch):
    monkeypatch.setattr(guard, "UPLOAD_BYTES", 5_000)
    chunks = iter([b"x" * 4_000, b"x" * 4_000])
    answer = door.client.put("/api/v1/bots/mine.py", content=chunks, headers=door.ann)
    problem(answer, 413)
    assert [] == listing(door.inbox)


def test_wishes_that_wait_keep_no_upload_waiting(door):
    (door.folders.taking / "ann").mkdir(parents=True)
    for number in range(2):
        (door.folders.taking / "ann" / f"{number}.wish.toml").touch()
    assert 202 == put(door).status_code
    body = b'{"wish":"retire","bot":"mine"}'
    problem(door.client.post("/api/v1/wishes", content=body, headers=door.ann), 429)


def test_at_most_two_wait(door):
    assert [202, 202] == [put(door, name).status_code for name in ("a.py", "b.py")]
    told = problem(put(door, "c.py"), 429)
    assert "2 of your uploads wait for their answers" == told["detail"]
    assert 202 == put(door, "b.py", b"#").status_code
    assert ["ann/a.py", "ann/b.py"] == listing(door.inbox)


def test_damage_and_a_full_disk_are_told_and_end_with_their_cause(door, monkeypatch):
    text = (door.home.path / PEOPLE).read_bytes()
    (door.home.path / PEOPLE).write_bytes(b"{")
    problem(put(door), 503)
    assert 200 == door.client.get("/").status_code
    (door.home.path / PEOPLE).write_bytes(text)
    with monkeypatch.context() as patch:
        patch.setattr(arrivals, "SPARE_BYTES", 2**70)
        problem(put(door), 507)
    with mock.patch.object(arrivals.os, "fsync", side_effect=OSError(28, "full")):
        problem(put(door), 507)
    assert [] == listing(door.inbox)
    shutil.rmtree(door.inbox / "ann")
    assert 202 == put(door).status_code


class Sender:
    """A client that sends a body piece by piece, when the test says so."""

    def __init__(self, door, name="mine.py", who="ann"):
        self.pieces, self.sent = asyncio.Queue(), []
        headers = {"host": "localhost", **getattr(door, who)}
        scope = {
            "type": "http",
            "method": "PUT",
            "path": f"/api/v1/bots/{name}",
            "query_string": b"",
            "state": {},
        }
        scope |= {"headers": [(key.encode(), value.encode()) for key, value in headers.items()]}
        self.task = asyncio.create_task(door.client.app(scope, self.pieces.get, self._hear))

    async def _hear(self, message):
        self.sent.append(message)

    def send(self, body=b"a", more=True):
        self.pieces.put_nowait({"type": "http.request", "body": body, "more_body": more})

    async def status(self):
        await asyncio.wait_for(self.task, 10)
        return self.sent[0]["status"]


async def until(holds):
    for _ in range(1000):
        if holds():
            return
        await asyncio.sleep(0.01)
    raise AssertionError


async def test_at_most_two_of_a_person_are_on_their_way(door):
    senders = [Sender(door, f"{number}.py") for number in range(2)]
    await until(lambda: len(listing(door.inbox)) == 2)
    assert 429 == await Sender(door, "2.py").status()
    other = Sender(door, "3.py", "bob")
    for sender in (*senders, other):
        sender.send(more=False)
    assert [202] * 3 == [await sender.status() for sender in (*senders, other)]
    assert 3 == len(listing(door.inbox))


async def test_a_body_that_is_cut_off_or_slow_leaves_nothing(door, monkeypatch):
    cut = Sender(door)
    cut.send()
    await until(lambda: listing(door.inbox))
    cut.pieces.put_nowait({"type": "http.disconnect"})
    assert 400 == await cut.status()
    monkeypatch.setattr(uploads_api, "WINDOW_S", 0.05)
    slow = Sender(door)
    slow.send()
    assert 408 == await slow.status()
    assert [] == listing(door.inbox)


async def test_a_token_that_ends_while_its_upload_comes_keeps_nothing(door):
    sender = Sender(door)
    sender.send()
    await until(lambda: listing(door.inbox))
    with changing_people(door.home) as people:
        people.remove("ann")
    sender.send(more=False)
    assert 401 == await sender.status()
    assert [] == listing(door.inbox)


async def test_of_two_uploads_of_a_name_at_once_the_last_one_stays(door):
    first, second = Sender(door), Sender(door)
    for sender, body in ((first, b"first"), (second, b"second")):
        sender.send(body)
    await until(lambda: len(listing(door.inbox)) == 2)
    for sender in (second, first):
        sender.send(b"", more=False)
        assert 202 == await sender.status()
    assert ["ann/mine.py"] == listing(door.inbox)
    assert b"first" == (door.inbox / "ann/mine.py").read_bytes()


def test_a_folder_that_is_a_link_is_not_followed(door, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (door.inbox / "ann").symlink_to(tmp_path / "elsewhere")
    problem(put(door), 503)
    assert [] == listing(tmp_path / "elsewhere")


def test_what_a_killed_server_left_is_removed(door):
    (door.inbox / "ann").mkdir()
    for name in (".0123456789abcdef.part", ".mine.part", "mine.part"):
        (door.inbox / "ann" / name).touch()
    arrivals.remove_parts(door.inbox, 3600)
    assert 3 == len(listing(door.inbox))
    arrivals.remove_parts(door.inbox, 0)
    assert ["ann/.mine.part", "ann/mine.part"] == listing(door.inbox)


def test_a_wish_becomes_a_file_and_a_wrong_one_says_how_it_is_written(door):
    def wish(body):
        return door.client.post("/api/v1/wishes", content=body, headers=door.ann)

    told = wish(b'{"wish":"retire","bot":"mine@2"}')
    assert (202, "waiting") == (told.status_code, told.json()["state"])
    (file,) = (door.inbox / "ann").iterdir()
    assert 'wish = "retire"\nbot = "mine@2"\n' == file.read_text()
    assert file.name == told.json()["upload"]
    for body, status in [
        *((b"", 400), (b"[]", 400), (b"{", 400), (b"\xff", 400), (b'{"wish":1}', 422), (b"{}", 422)),
        *(
            (b'{"wish":"retire","wish":"activate","bot":"a"}', 400),
            (b'{"wish":"retire","bot":"\\ud800"}', 422),
        ),
        *((b"[" * 3000, 400), (b'[{"wish":"retire","bot":"a"}]', 400), (b'{"deals":1e999}', 422)),
        *((b'{"deals":' + b"9" * 4000 + b"}", 422), (b'{"wish":"retire","bot":"a"}{}', 400)),
        *((b'{"wish":"retire","bot":"../x"}', 422), (b'{"wish":"retire","bot":"a","to":"b"}', 422)),
        *((b" " * 5000, 400), (b" " * 70_000, 413), (b'{"a":' * 10_000, 400)),
    ]:
        told = problem(wish(body), status)
        assert status == 413 or '{"wish": "retire", "bot": "mine"}' in told["hint"]
    assert [f"ann/{file.name}"] == listing(door.inbox)


def test_the_page_on_a_bot_is_shown_to_its_person(door):
    page = door.folders.outbox / "ann" / "bots" / "mine.md"
    page.parent.mkdir(parents=True)
    page.write_text("# mine\n")
    assert "# mine\n" == door.client.get("/api/v1/bots/mine/feedback", headers=door.ann).text
    problem(door.client.get("/api/v1/bots/mine/feedback", headers=door.bob), 404)
    problem(door.client.get("/api/v1/bots/%2e%2e/feedback", headers=door.ann), 404)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "nothing", 404),
        ("DELETE", "me", 405),
        ("POST", "me", 405),
        ("OPTIONS", "me", 405),
        ("PUT", "uploads", 405),
    ],
)
def test_all_errors_below_api_are_problems(door, method, path, status):
    problem(door.client.request(method, f"/api/v1/{path}", headers=door.ann), status)


def test_the_page_upload_is_there_only_where_uploads_are(door, tmp_path):
    page = door.client.get("/upload").text
    assert "curl -T my_bot.py" in page
    assert "&#34;wish&#34;: &#34;retire&#34;" in page
    assert '<a href="upload">Upload it</a>' in door.client.get("/submit.html").text
    assert 'href="upload"' in door.client.get("/").text
    with TestClient(create_app(door.home), base_url=URL) as closed:  # type: ignore[arg-type]
        assert 404 == closed.get("/upload").status_code
        assert 404 == closed.get("/api/v1/me").status_code
        assert 405 == closed.put("/api/v1/bots/a.py", content=b"a").status_code
        assert "upload" not in closed.get("/").text.lower()


@pytest.mark.parametrize(
    "headers", [{"origin": URL}, {"host": "evil.example"}, {"origin": "http://evil.example"}]
)
async def test_a_websocket_of_a_page_or_to_another_name_is_refused(door, headers):
    sent, scope = [], {"type": "websocket", "path": "/api/v1/seat", "headers": []}
    scope["headers"] = [
        (key.encode(), value.encode()) for key, value in {"host": "localhost", **headers}.items()
    ]

    async def send(message):
        sent.append(message)

    await door.client.app(scope, None, send)
    assert [{"type": "websocket.close", "code": 1008}] == sent
