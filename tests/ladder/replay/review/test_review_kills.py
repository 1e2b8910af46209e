"""Reviews that are killed, or find no room: nothing is half-written, and the next command goes on."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.command_line import ENVIRONMENT, run_here

import ladder

pytestmark = pytest.mark.slow

PROGRAM = """\
import resource, sys
from ladder.__main__ import main
from ladder.replay.review import reviewing

if __name__ == "__main__":  # processes of the pool import this file, too
    reviewing.CHUNK = 1
    room = int(sys.argv.pop(1))
    if room:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
    main()
"""
"""Stores each review by itself; the first argument is the most bytes of a file, 0 for no bound."""


@pytest.fixture(scope="module")
def played_once(tmp_path_factory):
    home = tmp_path_factory.mktemp("killed") / "home"
    ladder.play(["greedy", "bold"], home=home, game="stella-quest", seats=(2,), games=4, jobs=2, seed=1)
    return home


@pytest.fixture
def home(played_once, tmp_path):
    return Path(shutil.copytree(played_once, tmp_path / "home"))


def start(home, jobs, room=0):
    """Start a review of all matches of *home*."""
    program = home.parent / "program.py"
    program.write_text(PROGRAM)
    options = ["review", "--bot", "greedy", "-j", str(jobs), "--json", "--home", str(home)]
    return subprocess.Popen(
        [sys.executable, str(program), str(room), *options],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def files_of(home):
    folder = home / "results" / "reviews"
    return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []


def rows_of(home):
    rows: list[dict[str, object]] = ladder.open_home(home).reviews().to_pylist()
    return rows


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGINT])
def test_a_review_that_was_stopped_goes_on_to_the_same_bits(played_once, home, tmp_path, sent):
    whole = Path(shutil.copytree(played_once, tmp_path / "whole"))
    expected = run_here("review", "--bot", "greedy", "-j", "1", "--json", "--home", whole).out
    for least in (1, 2):
        running = start(home, 2)
        while len(files_of(home)) <= least and running.poll() is None:  # the lock is a file, too
            time.sleep(0.01)
        if sent == signal.SIGKILL:
            running.kill()
        else:
            os.killpg(running.pid, sent)
        said = running.communicate()[1]
        assert "Traceback" not in said
    done = start(home, 2)
    assert expected == done.communicate()[0]
    assert 0 == done.returncode
    assert rows_of(whole) == rows_of(home)
    assert [] == [name for name in files_of(home) if name.endswith(".tmp")]


def test_without_room_a_review_says_so_and_the_next_one_makes_it(home):
    failed = start(home, 1, room=2000)
    said = failed.communicate()[1]
    assert 1 == failed.returncode
    assert "could not write to" in said
    assert '"next": "check the disk, then run the same command again"' in said
    assert ["lock"] == files_of(home)
    done = start(home, 1)
    found = json.loads(done.communicate()[0])
    assert 4 == found["matches"]
    assert 0 == run_here("home", "verify", "--home", home).code


def test_where_nothing_can_be_written_it_is_said_before_the_work(home):
    (home / "results" / "reviews").write_text("a file in the place of the folder")
    for arguments in (("last",), ("--bot", "greedy")):
        told = run_here("review", *arguments, "-j", "1", "--home", home)
        assert 1 == told.code
        assert "  next: " in told.err
        assert "Traceback" not in told.err
