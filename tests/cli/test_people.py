"""`ladder people`, and what `ladder serve --uploads` asks for before it takes anything."""

import json
import re

import pytest
from support.command_line import run_here
from support.ladders import a_home
from support.served import set_serve

from ladder.admission.people import People


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return a_home(tmp_path / "home", {})


def typed(home, *words):
    return run_here(*words, "--home", home.path)


def test_people_are_added_listed_renewed_and_removed(home):
    assert "no people yet" in typed(home, "people").err
    first = typed(home, "people", "add", "ann", "--bots", "2", "--ends", "2999-01-01").out.strip()
    assert re.fullmatch(r"ldr_[\w-]{43}", first)
    (row,) = json.loads(typed(home, "people", "list", "--format", "json").out)
    assert ("ann", "valid", "2999-01-01", 2) == tuple(row[key] for key in ("person", "state", "ends", "bots"))
    assert "ann" in typed(home, "people").out
    second = typed(home, "people", "renew", "Ann").out.strip()
    found = People.read(home)
    assert (None, "ann") == (found.of_token(first), found.of_token(second).name)
    assert "removed: ann\n" == typed(home, "people", "remove", "ann").out
    assert 3 == typed(home, "people", "renew", "ann").code


def test_a_class_is_added_from_its_roster_and_its_tokens_are_written_once(home, tmp_path):
    typed(home, "people", "add", "ann")
    (tmp_path / "names.csv").write_text("file,handle,name\ns01,ann,Ann A\ns02,bob,Bob B\ns03,,Cid C\n")
    words = ("people", "add", "--roster", "names.csv", "--tokens", "tokens.csv")
    said = typed(home, *words)
    assert ("added: 2\n", True) == (said.out, "1 were here before" in said.err)
    head, *lines = (tmp_path / "tokens.csv").read_text().splitlines()
    assert "person,token" == head
    assert 0o600 == (tmp_path / "tokens.csv").stat().st_mode & 0o777
    names = [People.read(home).of_token(line.partition(",")[2]).name for line in lines]
    assert ["bob", "s03"] == names
    assert (2, True) == ((said := typed(home, *words)).code, "exists already" in said.err)


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("ann", "--roster", "x"),
        ("--roster", "x"),
        ("ann", "--tokens", "x"),
        ("ann", "--ends", "x"),
        ("ann", "--ends", "2026-01-01"),
        ("a/b",),
    ],
)
def test_what_does_not_go_together_is_refused_and_adds_nobody(home, words):
    assert 2 == typed(home, "people", "add", *words).code
    assert [] == [*People.read(home)]


@pytest.mark.parametrize(
    ("url", "host", "told"),
    [
        ("", "127.0.0.1", "inbox is not a folder"),
        ("", "0.0.0.0", "encrypted"),
        ("http://example.org/", "127.0.0.1", "encrypted"),
        ("", "127.0.0.1", "tier"),
    ],
)
def test_uploads_begin_only_where_tokens_and_bots_are_safe(home, tmp_path, url, host, told):
    if told != "inbox is not a folder":
        (tmp_path / "inbox").mkdir()
    set_serve(home, url=url)
    said = typed(home, "serve", "--uploads", "inbox", "--host", host, "--port", "0")
    assert said.code in (1, 2)
    assert told in said.err
