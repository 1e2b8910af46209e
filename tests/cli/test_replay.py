"""`ladder replay`: text, JSON and pages, of a whole match and as one seat saw it."""

import json
import re
import shlex
import sys
from pathlib import Path

import pytest
from rich.cells import cell_len
from support import ladders
from support.bot_threads import in_threads
from support.command_line import check_refused, on_a_terminal, run_here


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    bots = {"good": {"note": "a thought"}, "cheat": {"sin": "cheat"}}
    home = ladders.a_home(tmp_path_factory.mktemp("replay") / "home", bots)
    with in_threads():
        ladders.play(home, matches=2)
    return home.path


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def replay(home, *arguments):
    return run_here("replay", "--home", home, *arguments)


def test_a_page_is_named_after_its_match_and_may_be_written_again(home, here):
    for _ in range(2):
        answer = replay(home, "1/1", "--html")
        assert (0, "") == (answer.code, answer.out)
        assert re.match(r"wrote match-1-1\.html: \d+ kB\n", answer.err)
    assert ["match-1-1.html"] == [path.name for path in here.iterdir()]
    assert "viewer-data" in (here / "match-1-1.html").read_text()


def test_a_page_goes_to_a_file_or_into_a_folder_or_to_stdout(home, here):
    assert 0 == replay(home, "1/1", "--html", "lost.html").code
    (here / "pages").mkdir()
    assert 0 == replay(home, "1/1", "--html", "pages", "--seat", "1").code
    answer = replay(home, "1/1", "--html", "-")
    assert (here / "lost.html").read_text() == answer.out
    assert "" == answer.err
    assert ["match-1-1-seat1.html"] == [path.name for path in (here / "pages").iterdir()]


def test_a_file_that_is_not_a_page_of_the_ladder_is_left_alone(home, here):
    (here / "bot.py").write_text("print()")
    said = "'bot.py' exists, and this command did not write it"
    check_refused(replay(home, "1/1", "--html", "bot.py"), 2, said)
    assert "print()" == (here / "bot.py").read_text()


def test_a_full_disk_leaves_the_old_page_and_nothing_else(home, here, monkeypatch):
    assert 0 == replay(home, "1/1", "--html", "page.html").code
    old = (here / "page.html").read_text()
    write = Path.write_text

    def fill(path, text, *rest):
        write(path, text[:1000], *rest)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", fill)
    check_refused(replay(home, "1/1", "--html", "page.html", "--seat", "0"), 1, "No space left on device")
    assert [("page.html", old)] == [(path.name, path.read_text()) for path in here.iterdir()]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("1/9", "--html"), 3, "no match"),
        (("1/1", "page.html"), 2, "a file needs --html"),
        (("1/1", "--html", "there/page.html"), 2, "there is no folder 'there'\n  next: mkdir -p there"),
        (("1/1", "--html", "--json"), 2, "expected --html or --format json"),
        (("1/1", "--html", "--moves"), 2, "expected --html or --moves"),
        (("1/1", "--seat", "2"), 3, "has no seat 2: its seats are 0 to 1"),
        (("1/1", "--seat", "-1", "--html"), 3, "has no seat -1"),
    ],
)
def test_what_cannot_be_shown_is_said_and_nothing_is_written(home, here, arguments, code, words):
    check_refused(replay(home, *arguments), code, words)
    assert [] == list(here.iterdir())


def test_as_a_seat_saw_it_a_match_is_text_and_json(home):
    whole = json.loads(replay(home, "1/1", "--json").out)
    good = [seat["bot"] for seat in whole["seats"]].index("good")
    seen = json.loads(replay(home, "1/1", "--json", "--seat", str(good)).out)
    assert (good, whole["ranks"]) == (seen["seat"], seen["ranks"])
    assert {"a thought"} == {step["note"] for step in seen["steps"] if "note" in step} - {""}
    assert [] == seen["faults"]
    text = replay(home, "1/1", "--seat", str(good)).out
    assert f"as seat {good} saw it" in text
    assert "# good: a thought" in text
    assert "offered" not in text


def test_notes_are_shown_unless_they_are_not_wanted(home):
    for form in ((), ("--json",), ("--html", "-")):
        assert "a thought" in replay(home, "1/1", *form).out
        assert "a thought" not in replay(home, "1/1", "--no-notes", *form).out


@pytest.mark.parametrize("seat", [(), ("--seat", "0")])
def test_the_moves_are_printed_as_they_are_stored(home, seat):
    moves = replay(home, "1/1", "--moves", *seat).out
    assert re.search(r"^ +0  .*[A-Z]\d\.\d@T1", moves, re.MULTILINE)
    assert moves != replay(home, "1/1", *seat).out


@pytest.mark.parametrize("width", [40, 80, 120])
@pytest.mark.parametrize("match", [("1/1",), ("1/0", "--seat", "0")])
def test_nothing_is_wider_than_the_terminal_and_no_word_is_broken(home, match, width):
    def shown(columns):
        return on_a_terminal("replay", *match, "--home", home, columns=columns).replace("\r", "")

    told = [line for line in shown(width).splitlines() if not line.startswith(("  again  ", "  see it  "))]
    assert [] == [line for line in told if cell_len(line) > width]
    words = {word for line in shown(300).splitlines() for word in re.split(r"[\s,]+", line)}
    broken = {word for line in told for word in re.split(r"[\s,]+", line)} - words
    assert not {word for word in broken if len(word) > 1 and '"' not in word and "{" not in word}


def pager(program):
    return shlex.join([sys.executable, "-c", f"import sys; {program}"])


@pytest.mark.process
def test_a_pager_gets_all_that_a_terminal_would_and_only_there(home, tmp_path):
    def shown(*more, **variables):
        return on_a_terminal("replay", "1/1", "--home", home, *more, **variables).replace("\r", "")

    file = tmp_path / "paged"
    keep = pager(f"open({str(file)!r}, 'w').write(sys.stdin.read())")
    assert "" == shown(PAGER=keep)
    assert shown() == file.read_text() == shown("--no-pager", PAGER=keep)
    file.unlink()
    shown("--moves", PAGER=keep)
    replay(home, "1/1")
    assert not file.exists()


@pytest.mark.process
@pytest.mark.parametrize(
    "variables", [{"PAGER": "no-such-pager -x"}, {"PAGER": "'"}, {"PAGER": "", "TERM": "dumb"}]
)
def test_without_a_pager_all_is_printed(home, variables):
    assert on_a_terminal("replay", "1/1", "--home", home, **variables) == on_a_terminal(
        "replay", "1/1", "--home", home
    )


@pytest.mark.process
@pytest.mark.parametrize("program", ["", "sys.stdin.readline(); sys.exit(1)"])
def test_a_pager_that_is_left_early_is_no_error(home, program):
    assert "" == on_a_terminal("replay", "1/1", "--home", home, PAGER=pager(program))
