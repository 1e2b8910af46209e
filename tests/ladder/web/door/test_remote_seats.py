"""The hub of remote seats: what it passes on, and what hostile clients cannot do."""

import select
import socket
import zipfile
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from unittest import mock
from urllib.parse import urlsplit

import httpx2
import pytest
from support.ladders import STELLAR, a_home, enlist
from support.remote import open_hub
from support.served import wait_until
from websockets.exceptions import ConnectionClosed, InvalidStatus

from ladder.admission.people import changing_people
from ladder.live import connect
from ladder.live.connect import LONGEST_FRAME
from ladder.machine.seat_socket import call_hub, list_present
from ladder.process.remote_bot import ABSENT
from ladder.web.door import remote_seats

HELLO, READY = b'{"type":"hello"}\n', b'{"type":"ready"}'
ACT, ANSWER = b'{"type":"act","id":"%s","step":0}\n', b'{"id":"%s","move":"a"}'


@pytest.fixture(scope="module")
def hub(tmp_path_factory):
    many = f"{STELLAR}[inbox]\nwaiting = 0\n"
    with open_hub(a_home(tmp_path_factory.mktemp("hub") / "home", settings=many)) as hub:
        yield hub


def lines_of(bot, count=1, *, end=False):
    """Return the next *count* lines of *bot*, and its end as None; then *end* it."""
    found = []
    while len(found) < count:
        assert select.select([bot.stdout_fd], [], [], 30)[0]
        lines = bot.receive()
        found += lines or ([] if bot.stdout_open else [None])
    if end:
        bot.kill()
    return found


@pytest.fixture
def table(hub):
    """Yield a client and a seat whose bot is ready, in channel 1."""
    client = hub.connect()
    bot = hub.seat()
    assert [b"open", b"1"] == client.hear()
    bot.send(HELLO)
    assert [b"line", b"1", b"1", HELLO[:-1]] == client.hear()
    client.say("line", 1, 1, READY)
    assert [READY] == lines_of(bot)
    yield client, bot
    bot.kill()
    with suppress(ConnectionClosed):
        client.socket.close()


def test_lines_go_both_ways_and_bye_closes(table):
    client, bot = table
    bot.send(ACT % b"a" + ACT % b"b")
    assert [b"2", b"3"] == [client.hear()[2] for _ in range(2)]
    client.say("line", 1, 2, ANSWER % b"a")
    assert [ANSWER % b"a"] == lines_of(bot)
    bot.say_bye(b'{"type":"bye"}\n')
    while (frame := client.hear())[0] != b"close":
        assert frame[0] in (b"line", b"got")
    assert [b"close", b"1", b"bye"] == frame
    assert 0 == bot.exit_status(30)


def test_a_cut_is_reported_once_and_what_was_sent_goes_again(hub, table):
    client, bot = table
    bot.send(ACT % b"a")
    assert b"2" == client.hear()[2]
    client.socket.close()
    assert [b'{"id":"a","fail":"transport","why":"cut"}'] == lines_of(bot)
    bot.send(ACT % b"b")  # while it is away
    assert [b'{"id":"b","fail":"transport","why":"cut"}'] == lines_of(bot)
    again = hub.connect("mine", 4, client.key)
    assert client.key == again.key
    assert [b"1", b"2", b"3"] == [again.hear()[2] for _ in range(3)]
    bot.send(ACT % b"c")
    assert [b"line", b"1", b"4", (ACT % b"c")[:-1]] == again.hear()
    for number, line in enumerate([READY, ANSWER % b"a", ANSWER % b"b", ANSWER % b"c"], start=1):
        again.say("line", 1, number, line)
    assert [ANSWER % b"c"] == lines_of(bot)  # the first came before, two were reported
    again.socket.close()


def test_without_a_client_a_bot_is_absent_and_nobody_is_there(hub, table):
    assert ["mine"] == list_present(hub.home.path)
    assert [b'{"type":"absent","why":"its client is not connected"}'] == lines_of(hub.seat("other"), end=True)


def test_a_client_has_room_for_so_many_processes(hub):
    client = hub.connect("few", 1)
    bots = [hub.seat("few") for _ in range(8)]
    assert 8 == len([client.hear() for _ in bots])
    assert [b'{"type":"absent","why":"its client is busy at other tables"}'] == lines_of(
        hub.seat("few"), end=True
    )
    client.socket.close()
    for bot in bots:  # none was ready
        assert [b'{"type":"absent","why":"its client is not connected any more"}'] == lines_of(bot)
        bot.kill()


@pytest.mark.parametrize(
    ("word", "end"), [("ended", "crash"), ("bye", "crash"), ("lost", "transport"), ("replaced", "transport")]
)
def test_the_end_of_a_process_is_told(table, word, end):
    client, bot = table
    client.say("close", 1, word)
    assert [b"close", b"1", b"bye"] == client.hear()
    assert [None] == lines_of(bot)
    assert end == bot.end


def test_of_two_clients_the_newer_wins(hub, table):
    client, bot = table
    newer = hub.connect()
    assert newer.key != client.key
    assert [b"close", b"1", b"replaced"] == client.hear()
    with pytest.raises(ConnectionClosed) as closed:
        client.hear()
    assert 4000 == closed.value.rcvd.code
    assert [None] == lines_of(bot)
    assert "transport" == bot.end
    with pytest.raises(ConnectionClosed) as closed:
        hub.connect("mine", 4, client.key)
    assert "another client of mine has taken its place" in closed.value.rcvd.reason
    newer.say("line", 1, 1, READY)  # a channel of yesterday
    assert [b"close", b"1", b"bye"] == newer.hear()
    newer.socket.close()


@pytest.mark.parametrize(
    "frame",
    [
        b"line 1 9 x",
        b"got 1 99",
        b"open 3",
        b"seat mine 4",
        b"seat 0123456789abcdef0123456789abcdef",
        b"line 1 2 " + b"x" * LONGEST_FRAME,
        b"\0",
        "line 1 2 {}",
    ],
)
def test_a_frame_that_may_not_be_cuts_its_client_alone(hub, table, frame):
    client, bot = table
    bot.send(ACT % b"a")
    client.hear()
    other = hub.connect("other")
    client.socket.send(frame)
    with pytest.raises(ConnectionClosed):
        list(iter(client.hear, None))
    assert [b'{"id":"a","fail":"transport","why":"cut"}'] == lines_of(bot)
    beside = hub.seat("other")
    assert [b"open", b"1"] == other.hear()
    beside.kill()
    assert [b"close", b"1", b"bye"] == other.hear()
    other.socket.close()


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({"additional_headers": {}}, 401),
        ({"additional_headers": {"Authorization": "Bearer ldr_wrong"}}, 401),
        ({"subprotocols": None}, 400),
        ({"origin": "http://localhost"}, 403),
        ({"query": "?token=ldr_" + "x" * 43}, 400),
    ],
)
def test_others_are_not_let_in(hub, more, status):
    with pytest.raises(InvalidStatus) as refused:
        hub.dial(**more)
    assert status == refused.value.response.status_code


@pytest.mark.parametrize("head", ["PUT / HTTP/1.1", "GET / HTTP/1.1\r\nX: " + "x" * 9_000])
def test_a_head_that_begins_no_web_socket_ends_its_connection(hub, head):
    lines = "Host: localhost\r\nConnection: upgrade\r\nUpgrade: websocket\r\nContent-Length: 2\r\n\r\nab"
    url = urlsplit(hub.url)
    with socket.create_connection((url.hostname, url.port), 30) as connection:
        connection.sendall(f"{head}\r\n{lines}".encode())
        assert b"".join(iter(lambda: connection.recv(4096), b"")).startswith(b"HTTP/1.1 400 ")
    wait_until(lambda: not len(hub.crowd))


def test_so_many_new_bots_wait_for_their_answers(tmp_path):
    with open_hub(a_home(tmp_path / "home")) as hub:
        for name in ("one", "two"):
            hub.connect(name).socket.close()
        with pytest.raises(ConnectionClosed) as closed:
            hub.connect("three")
    assert "2 of your uploads wait for their answers" in closed.value.rcvd.reason


def test_an_upgraded_connection_counts_until_it_has_ended(tmp_path):
    with open_hub(a_home(tmp_path / "home")) as hub:
        client = hub.connect()
        (connection,) = hub.crowd._all
        connection.note()
        assert (1, "work") == (len(hub.crowd), connection.phase)  # it may say nothing for hours
        with mock.patch.object(connection, "transport", SimpleNamespace(is_closing=lambda: True)):
            connection.note()
        assert "reading" == connection.phase, "one that does not read its end has a time for that"
        client.socket.close()
        wait_until(lambda: not len(hub.crowd))


def test_a_client_that_is_back_hears_what_was_closed_before_the_cut(hub, table):
    client, bot = table
    other = hub.seat()
    assert [b"open", b"2"] == client.hear()
    other.send(HELLO)
    client.say("line", 2, 1, READY)
    assert [READY] == lines_of(other)
    other.say_bye(b'{"type":"bye"}\n')
    other.exit_status(30)
    other.kill()
    client.socket.close()
    bot.send(ACT % b"a")
    assert [b'{"id":"a","fail":"transport","why":"cut"}'] == lines_of(bot)
    again = hub.connect("mine", 4, client.key)
    assert [b"close", b"2", b"bye"] == again.hear()
    again.socket.close()


def test_a_connection_ends_with_its_token(tmp_path):
    with open_hub(a_home(tmp_path / "home")) as hub:
        client = hub.connect()
        with changing_people(hub.home) as people:
            people.renew("ann")
        assert [b'{"type":"absent","why":"its client is not connected"}'] == lines_of(hub.seat(), end=True)
        with pytest.raises(ConnectionClosed) as closed:
            client.hear()
        assert "your token or the name 'mine' is not yours any more" == closed.value.rcvd.reason
        with pytest.raises(InvalidStatus):
            hub.dial()


def test_a_client_plays_for_no_bot_that_became_another_persons(tmp_path):
    with open_hub(a_home(tmp_path / "home", {})) as hub:
        squatter = hub.connect("late")
        enlist(hub.home, "late", {})
        assert [] == list_present(hub.home.path)
        with pytest.raises(ConnectionClosed):
            squatter.hear()
        with pytest.raises(ConnectionClosed) as closed:
            hub.connect("late")
        assert "the name 'late' is taken" in closed.value.rcvd.reason


def test_a_connection_that_failed_here_counts_no_more(tmp_path, monkeypatch):
    monkeypatch.setattr(remote_seats, "MOST_CLIENTS", 1)
    with open_hub(a_home(tmp_path / "home")) as hub:
        (hub.folders.inbox / "ann").write_text("no folder")
        for _ in range(3):
            with pytest.raises(ConnectionClosed) as closed:
                hub.connect()
            assert 1011 == closed.value.rcvd.code


def test_a_client_that_is_back_hands_in_nothing_again(hub):
    client = hub.connect("back")
    client.socket.close()
    file = hub.folders.inbox / "ann" / "back.zip"
    file.unlink()
    hub.connect("back", 4, client.key).socket.close()
    assert not file.exists()


@pytest.mark.parametrize(
    "head",
    [
        b"POST /api/v1/seat HTTP/1.1\r\n",
        b"GET /api/v1/seat HTTP/1.1\r\ncontent-length: 3\r\n",
        b"GET /api/v1/seat HTTP/1.1\r\ntransfer-encoding: chunked\r\n",
        b"GET /%s HTTP/1.1\r\n" % (b"a" * 9_000),
        b"GET / HTTP/1.1\r\nx: %s\r\n" % (b"a" * 9_000),
        b"GET / HTTP/1.1\r\n%s" % b"".join(b"x%d: a\r\n" % number for number in range(200)),
    ],
)
def test_an_upgrade_that_is_none_is_answered_and_closed(tmp_path, head):
    upgrade = b"host: 127.0.0.1\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
    key = b"sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    with open_hub(a_home(tmp_path / "home", {})) as hub:
        port = int(hub.url.rpartition(":")[2].strip("/"))
        with socket.create_connection(("127.0.0.1", port), 30) as connection:
            connection.sendall(head + upgrade + key)
            with connection.makefile("rb") as answer:
                assert answer.read().startswith(b"HTTP/1.1 4")
        wait_until(lambda: not len(hub.crowd))


def test_the_file_that_is_given_away_is_the_client(hub):
    given = httpx2.get(f"{hub.url}connect.py")
    assert Path(connect.__file__).read_text() == given.text


def test_a_new_name_goes_into_the_inbox_and_a_wrong_one_is_refused(hub):
    client = hub.connect("fresh", query="?note=Better%20%E2%9C%93")
    with zipfile.ZipFile(hub.folders.inbox / "ann" / "fresh.zip") as entry:
        manifest = entry.read("bot.toml").decode()
    assert 'name = "fresh"\nremote = true\ndescription = "Better ✓"\n' == manifest
    client.socket.close()
    for name, why in (("-x", "cannot be a bot's name"), ("first", "the name 'first' is taken")):
        with pytest.raises(ConnectionClosed) as closed:
            hub.connect(name)
        assert why in closed.value.rcvd.reason


def test_the_end_of_the_server_is_no_word(tmp_path):
    with open_hub(a_home(tmp_path / "home")) as hub:
        client, bot = hub.connect(), hub.seat()
        assert b"open" == client.hear()[0]
        client.say("line", 1, 1, READY)
        assert [READY] == lines_of(bot)
        bot.send(ACT % b"a")
        hub.stop()
        assert [b'{"id":"a","fail":"transport","why":"cut"}', None] == lines_of(bot, 2)
        assert "void" == bot.end
        bot.kill()
        assert [ABSENT] == lines_of(hub.seat(), end=True)
        assert [] == list_present(hub.home.path)
        with pytest.raises(OSError, match=r"."):
            call_hub(hub.home.path / "bots", "mine")


def test_a_token_that_is_not_valid_any_more_ends_its_connections(tmp_path):
    with open_hub(a_home(tmp_path / "home")) as hub:
        for change in ("renew", "remove"):
            client = hub.connect()
            with changing_people(hub.home) as people:
                new = getattr(people, change)("ann")
            with pytest.raises(ConnectionClosed):
                client.hear()
            with pytest.raises(InvalidStatus) as refused:
                hub.dial()
            header = {"Authorization": f"Bearer {hub.token}"}
            put = httpx2.put(f"{hub.url}api/v1/bots/mine.py", content=b"1", headers=header)
            assert [401, 401] == [refused.value.response.status_code, put.status_code]
            hub = hub._replace(token=new)
