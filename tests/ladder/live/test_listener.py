"""A bot that its author starts must know the token; no other program gets the seat."""

import socket
import subprocess
from contextlib import closing, suppress

import pytest
from support.need import need_program

from ladder.errors import LadderError
from ladder.live import listener as module
from ladder.live.listener import Listener


@pytest.fixture
def listener():
    with closing(Listener.open()) as open_:
        yield open_


def token_of(listener):
    return listener.variable.rpartition("/")[2]


def call(listener, data):
    caller = socket.create_connection(("127.0.0.1", listener.port))
    caller.sendall(data)
    return caller


def test_the_caller_with_the_token_has_the_connection_with_all_that_follows(listener):
    with call(listener, f"{token_of(listener)}\nand more".encode()) as caller:
        with listener.wait(30, print) as connection:
            connection.setblocking(True)
            assert b"and more" == connection.recv(100)
            connection.sendall(b"hello")
        assert b"hello" == caller.recv(100)


@pytest.mark.parametrize("sent", [b"wrong\n", b"GET / HTTP/1.1\r\n\r\n", b"0" * 40, b""])
def test_other_callers_are_turned_away_and_the_bot_may_still_come(listener, sent):
    told: list[str] = []
    with call(listener, sent) as stranger:
        stranger.shutdown(socket.SHUT_WR)
        with call(listener, f"{token_of(listener)}\n".encode()), listener.wait(30, told.append):
            pass
        listener.close()
        stranger.settimeout(30)
        with suppress(ConnectionResetError):
            assert b"" == stranger.recv(100)
    assert told in ([], ["turned away a connection that did not begin with the token"])


def test_strangers_that_say_nothing_cannot_keep_the_bot_out(listener, monkeypatch):
    monkeypatch.setattr(module, "MOST_CALLERS", 2)
    silent = [call(listener, token_of(listener)[:4].encode()) for _ in range(3)]
    with call(listener, f"{token_of(listener)}\n".encode()), listener.wait(30, print):
        pass
    for caller in silent:
        caller.close()


@pytest.mark.parametrize("length", [1, 16, 31, 32])
def test_a_right_beginning_is_kept_open_as_a_wrong_one_is(listener, length):
    told: list[str] = []
    right = token_of(listener)[:length].encode()
    wrong = bytes(byte ^ 1 for byte in right)
    with call(listener, right) as lucky, call(listener, wrong) as unlucky:
        with call(listener, f"{token_of(listener)}\n".encode()), listener.wait(30, told.append):
            pass
        for caller in (lucky, unlucky):
            caller.setblocking(False)
            with pytest.raises(BlockingIOError):
                caller.recv(1)
    assert [] == told


def test_the_token_may_come_in_pieces(listener):
    token = token_of(listener).encode()
    pieces = [token[:3], token[3:], b"\nrest"]
    with call(listener, b"") as caller:

        def send_more(_=None):
            caller.sendall(pieces.pop(0))

        send_more()
        with (
            call(listener, b"no\n"),
            call(listener, b"neither\n"),
            listener.wait(30, send_more) as connection,  # one piece after each stranger
        ):
            connection.setblocking(True)
            assert b"rest" == connection.recv(100)


def test_twenty_wrong_lines_end_the_wait(listener):
    told: list[str] = []
    guesses = [call(listener, b"%032x\n" % number) for number in range(10)]
    guesses += [call(listener, b"%040x" % number) for number in range(10)]
    with pytest.raises(LadderError, match="20 connections did not begin with the token") as ended:
        listener.wait(30, told.append)
    assert 20 == len(told)
    assert "another token" in ended.value.hint
    for caller in guesses:
        caller.close()


@pytest.mark.parametrize(("callers", "said"), [(19, b"guess\n"), (25, b"")], ids=["19 guesses", "silence"])
def test_fewer_wrong_lines_do_not_nor_connections_that_say_nothing(listener, callers, said):
    for _ in range(callers):
        call(listener, said).close()
    with call(listener, f"{token_of(listener)}\n".encode()), listener.wait(30, print):
        pass


def test_a_bot_that_never_connects_ends_the_wait_with_what_to_do(listener):
    with pytest.raises(LadderError, match="no bot has connected within 0 seconds") as refused:
        listener.wait(0.05, print)
    assert "run the same command again" in refused.value.hint


def test_only_this_machine_can_connect_and_every_listener_has_a_token_of_its_own(listener):
    assert "127.0.0.1" == listener._server.getsockname()[0]
    with closing(Listener.open()) as other:
        assert token_of(listener) != token_of(other)
    assert 32 == len(token_of(listener))


@pytest.mark.tools
def test_bash_connects_any_program(listener):
    command = [need_program("bash"), "-c", f"{listener.relay}; exec cat"]
    with subprocess.Popen(command) as program:
        with listener.wait(30, print) as connection:
            connection.setblocking(True)
            connection.sendall(b"there and back\n")
            assert b"there and back\n" == connection.recv(100)
            connection.shutdown(socket.SHUT_WR)
            assert b"" == connection.recv(100)
        assert 0 == program.wait(30)
