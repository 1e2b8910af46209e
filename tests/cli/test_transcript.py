"""`ladder run --transcript`, `ladder check --transcript` and `ladder replay MATCH --transcript`."""

import json

import pytest
from support import ladders
from support.command_line import check_refused, run_apart, run_here

from ladder.worker.transcript import TITLE

BOT = """\
from protocol.client import serve

serve(lambda act: act.choice.options[0])
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Return a home with a run of which transcripts were kept, and one of which they were not."""
    home = ladders.a_home(tmp_path_factory.mktemp("transcript") / "home", {"a": {}, "b": {"note": "hm"}})
    run = ["run", "--games", "2", "-j", "1", "--home", home.path]
    first = run_apart(*run, "--seed", "5", "--transcript", cwd=home.path)
    assert 0 == first.code, first.err
    assert f"transcripts: {home.path}/transcripts/1\n" in first.err
    assert 0 == run_apart(*run, "--seed", "5", cwd=home.path).code
    return home.path


def replay(home, *arguments):
    return run_here("replay", "--home", home, *arguments)


@pytest.mark.slow
def test_the_digest_of_a_run_does_not_know_of_its_transcripts(home):
    digests = {run_here("home", "digest", "--in", run, "--home", home).out.split()[-1] for run in "12"}
    assert 1 == len(digests)
    assert 0 == run_here("home", "verify", "--home", home).code


@pytest.mark.slow
def test_a_match_shows_every_line_of_both_seats(home):
    assert (home / "transcripts/1/0.txt").read_text() == replay(home, "1/0", "--transcript").out


@pytest.mark.slow
def test_what_is_shown_of_a_seat_holds_nothing_of_the_others(home):
    record = json.loads(replay(home, "1/0", "--json").out)
    names = [seat["name"] for seat in record["seats"]]
    for seat, (own, other) in enumerate([names, names[::-1]]):
        heading, who, *lines = replay(home, "1/0", "--transcript", "--seat", str(seat)).out.splitlines()
        assert f"{TITLE}match 0: stellar for 2" == heading
        assert who.startswith(f"# seat {seat}: ")
        assert {"<", ">"} == {line[:1] for line in lines}
        told = {json.loads(line[2:]).get("match", own) for line in lines}
        assert {own} == told
        assert other not in "".join(lines)


@pytest.mark.slow
def test_a_match_without_a_transcript_says_how_to_keep_them(home):
    check_refused(
        replay(home, "2/0", "--transcript"), 3, "no transcript of match 2/0 was kept here", "run --transcript"
    )


@pytest.mark.slow
def test_a_transcript_of_another_match_of_the_same_number_is_not_shown(home):
    folder = home / "transcripts/2"
    folder.mkdir()
    (folder / "0.txt").write_text((home / "transcripts/1/1.txt").read_text())
    assert 3 == replay(home, "2/0", "--transcript").code
    with (folder / "0.txt").open("a") as file:
        file.write((home / "transcripts/1/0.txt").read_text())
    text = replay(home, "2/0", "--transcript").out
    assert (home / "transcripts/1/0.txt").read_text() == text  # the same seed: the same names


@pytest.mark.slow
def test_a_check_writes_all_lines_to_one_file_and_overwrites_only_that(tmp_path):
    home = ladders.a_home(tmp_path / "home", {})
    folder = tmp_path / "my_bot"
    folder.mkdir()
    (folder / "bot.py").write_text(BOT)
    (folder / "bot.toml").write_text('name = "my-bot"\nrun = ["{python}", "bot.py"]\ngames = ["stellar"]\n')
    file = tmp_path / "my_bot-transcript.txt"
    file.write_text("mine")
    command = "check", "my_bot", "--transcript", "--home", home.path
    refused = run_apart(*command, cwd=tmp_path)
    assert 2 == refused.code
    assert "my_bot-transcript.txt exists and is not a transcript" in refused.err
    assert "mine" == file.read_text()
    file.write_text(f"{TITLE}an older check\n")
    done = run_apart(*command, cwd=tmp_path)
    assert 0 == done.code, done.out + done.err
    assert "every line to and from the bots is in my_bot-transcript.txt: " in done.err
    text = file.read_text()
    assert "an older check" not in text
    assert text.count(f"{TITLE}match") >= 4
    assert 3 == text.count(f"{TITLE}a process of my-bot@")  # handshake, bye, closed stdin
    assert [] == [path for path in folder.iterdir() if "transcript" in path.name]
