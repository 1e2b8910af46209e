"""`ladder push`: it sends a file with a token, and shows each state until the answer."""

import io
import json
import os
import zipfile
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from support.command_line import run_here

from ladder.cli import push
from ladder.web.door.upload_client import TOKENS

SHA = "a" * 64


@pytest.fixture
def server(monkeypatch, tmp_path):
    """Answer with the next of `answers`, a status and JSON, and keep what was asked."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            http.asked.append((self.command, self.path, self.headers["authorization"], body))
            status, told = http.answers.pop(0)
            self.send_response(status)
            self.end_headers()
            self.wfile.write(told if isinstance(told, bytes) else json.dumps(told).encode())

        do_PUT = do_GET  # noqa: N815 - the name that the library calls

        def log_message(self, *args):
            pass

    http = HTTPServer(("127.0.0.1", 0), Handler)
    http.asked, http.answers, http.url = [], [], f"http://127.0.0.1:{http.server_port}/ladder/"
    thread = Thread(target=http.serve_forever, args=(0.01,))
    thread.start()
    monkeypatch.setattr(push, "LOOK_SECONDS", 0.0)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LADDER_TOKEN", "ldr_mine")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("bot\n")
    yield http
    http.shutdown()
    thread.join()
    http.server_close()


def state(name, **more):
    return 200, {"upload": "mine.py", "state": name, "sha256": SHA, **more}


def test_each_state_is_shown_once_until_the_answer(server):
    waiting = state("waiting", place=3, about_s=24)
    server.answers = [
        waiting,
        waiting,
        state("checking"),
        state("accepted", bot="mine", page="# Good\x1b\nYes"),
    ]
    said = run_here("push", "mine.py", "--to", server.url)
    assert (0, "# Good\\x1b\nYes\n") == (said.code, said.out)
    assert ["waiting, place 3, about 24 s", "checking", "accepted, mine"] == [
        line.partition(": ")[2] for line in said.err.splitlines() if line.startswith("mine.py: ")
    ]
    assert ("PUT", "/ladder/api/v1/bots/mine.py", "Bearer ldr_mine", b"bot\n") == server.asked[0]
    assert ("GET", "/ladder/api/v1/uploads/mine.py", "Bearer ldr_mine", b"") == server.asked[1]


@pytest.mark.parametrize(
    ("answer", "code", "told"),
    [
        (state("played"), 0, "played"),
        (state("refused", page="# Refused"), 2, "# Refused"),
        (state("later", why="it was not judged"), 8, "it was not judged"),
        (state("replaced"), 1, "a newer one took its place"),
        ((409, {"detail": "another's", "hint": "rename it"}), 2, "rename it"),
        ((429, {"detail": "too many"}), 8, "too many"),
        ((503, {"detail": "damaged"}), 8, "damaged"),
        ((200, b"<html>"), 1, "check the address"),
        ((302, b""), 1, "check the address"),
        ((200, ["list"]), 1, "check the address"),
    ],
)
def test_the_exit_code_is_that_of_the_answer(server, answer, code, told):
    server.answers = [answer]
    said = run_here("push", "mine.py", "--to", server.url)
    assert (code, True) == (said.code, told in said.out + said.err), said


def test_a_newer_upload_of_the_name_ends_it(server):
    server.answers = [state("waiting"), (200, {**state("waiting")[1], "sha256": "b" * 64})]
    assert 1 == run_here("push", "mine.py", "--to", server.url).code


def test_a_folder_becomes_an_archive(server, tmp_path):
    (tmp_path / "mine" / ".git").mkdir(parents=True)
    for name in ("bot.py", ".git/config"):
        (tmp_path / "mine" / name).write_text("text")
        os.utime(tmp_path / "mine" / name, (0, 0))  # before the first day of zip
    server.answers = [state("accepted")]
    assert 0 == run_here("push", "mine", "--to", server.url).code
    _, path, _, body = server.asked[0]
    assert "/ladder/api/v1/bots/mine.zip" == path
    assert ["bot.py"] == zipfile.ZipFile(io.BytesIO(body)).namelist()


def test_a_token_is_kept_for_its_ladder_alone_once_it_is_good(server, tmp_path, monkeypatch):
    monkeypatch.delenv("LADDER_TOKEN")
    told = run_here("push", "mine.py", "--to", server.url)
    assert (2, True) == (told.code, f"ladder push --login {server.url}" in told.err)
    server.answers = [(401, {"detail": "no"}), (200, {"person": "ann"})]
    for code in (2, 0):
        monkeypatch.setattr("sys.stdin", io.StringIO("ldr_kept\n"))
        said = run_here("push", "--login", server.url)
        assert code == said.code, said
        assert code == 0 or not (tmp_path / TOKENS).exists()
    assert "you are ann there" in said.err
    assert "ldr_" not in said.out + said.err
    assert 0o600 == (tmp_path / TOKENS).stat().st_mode & 0o777
    server.answers = [state("accepted")] * 2
    for words in ((), ("--to", server.url.rstrip("/"))):
        assert 0 == run_here("push", "mine.py", *words).code
        assert "Bearer ldr_kept" == server.asked[-1][2]
    assert 2 == run_here("push", "mine.py", "--to", "http://127.0.0.1:9/").code


@pytest.mark.parametrize(
    "url", ["http://example.org/", "ftp://127.0.0.1/", "example.org", "https://", "http://[x"]
)
def test_a_token_goes_nowhere_unencrypted(server, url):
    said = run_here("push", "mine.py", "--to", url)
    assert (2, True) == (said.code, "begins with https://" in said.err), said
    assert [] == server.asked


def test_what_does_not_answer_is_told(server):
    said = run_here("push", "mine.py", "--to", "http://127.0.0.1:9/")
    assert (1, True) == (said.code, "does not answer" in said.err), said
