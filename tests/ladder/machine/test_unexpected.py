"""Errors that nobody foresaw: one line, where the details are, exit code 1; never a traceback."""

import logging
import re
import subprocess
import sys
import threading

import pytest
from support.command_line import ENVIRONMENT, run_here

from ladder.errors import short
from ladder.home.home import Home
from ladder.machine import unexpected
from ladder.machine.unexpected import OneLine, say_one_line, summarize


@pytest.fixture(autouse=True)
def details(tmp_path, monkeypatch):
    """Return the folder that details are written to."""
    folder = tmp_path / "details"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


def raised(error):
    try:
        raise error
    except Exception as caught:
        return caught


def fail(*_):
    raise ZeroDivisionError("a \x1b[31m number\nthat cannot be")


def test_a_command_that_fails_says_one_line_and_where_the_details_are(tmp_path, details, monkeypatch):
    assert 0 == run_here("init", tmp_path / "home").code
    monkeypatch.setattr(Home, "roster", property(fail), raising=False)
    result = run_here("bots", "--home", tmp_path / "home")
    assert 1 == result.code
    assert "" == result.out
    first, following = result.err.splitlines()
    assert first.startswith("ladder: unexpected error: ")
    assert "  next: " == following[:8]
    (file,) = details.iterdir()
    assert first.endswith(f"the details are in {file}")
    assert 0o600 == file.stat().st_mode & 0o777


def test_the_details_are_a_traceback_that_is_bounded(details):
    line = summarize(raised(ValueError("x" * 10_000_000 + "\nend")))
    assert len(line) < 1_000
    assert line.startswith("ValueError: xxx")
    (file,) = details.iterdir()
    assert file.stat().st_size <= unexpected.MOST_BYTES
    text = file.read_text()
    assert text.startswith("ladder ")
    assert "Traceback (most recent call last)" in text
    assert "raise error\n" in text
    assert text.endswith("\nend\n\n")


def test_where_no_details_can_be_written_the_line_says_so(monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", "/nowhere")
    line = summarize(raised(ValueError("no")))
    assert line.startswith("ValueError: no; the details could not be written: ")


def test_what_is_logged_with_an_exception_is_one_line(details):
    error = raised(ZeroDivisionError("a \x1b[31m number\nthat cannot be"))
    told = (type(error), error, error.__traceback__)
    record = logging.LogRecord("ladder", logging.ERROR, "", 0, "it %s", ("failed",), told)
    first, second = OneLine("%(message)s").format(record).splitlines()
    assert "it failed" == first
    assert second.strip().startswith("ZeroDivisionError: a ")
    assert 1 == len(list(details.iterdir()))


def test_a_thread_that_fails_says_one_line(capsys, monkeypatch):
    for module, name in ((threading, "excepthook"), (logging, "raiseExceptions")):
        monkeypatch.setattr(module, name, getattr(module, name))  # to be put back
    say_one_line()
    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    err = capsys.readouterr().err
    assert 1 == len(err.splitlines())
    assert err.startswith("ladder: a thread failed: ZeroDivisionError: ")


@pytest.mark.process
def test_ctrl_c_before_the_command_line_is_loaded_is_no_traceback():
    code = (
        "import os, signal, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'ladder.cli.streams': os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Finder())\n"
        "from ladder.__main__ import main\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, text=True)
    assert (130, "ladder: stopped\n") == (done.returncode, done.stderr)


@pytest.mark.process
def test_verbose_shows_the_traceback_too(tmp_path):
    code = (
        "import sys\n"
        "from ladder.run import request\n"
        "def fail(*_): raise ZeroDivisionError('boom')\n"
        "request.new_run = fail\n"
        "from ladder.cli import run_command_line\n"
        "sys.exit(run_command_line(sys.argv[1:]))\n"
    )
    said = {}
    home = tmp_path / "home"
    env = {**ENVIRONMENT, "TMPDIR": str(tmp_path)}
    subprocess.run([sys.executable, "-m", "ladder", "init", home], env=env, check=True, capture_output=True)
    for option in ("--verbose", "--sandbox=none"):
        command = [sys.executable, "-c", code, "run", option, "--home", str(home)]
        done = subprocess.run(command, env=env, capture_output=True, text=True)
        assert 1 == done.returncode
        assert re.search(r"unexpected error: ZeroDivisionError: boom; the details are in ", done.stderr)
        said[option] = "Traceback" in done.stderr
    assert {"--verbose": True, "--sandbox=none": False} == said


def test_a_text_is_shortened_in_its_middle():
    assert "x" * 80 == short("x" * 80)
    assert 80 == len(short("x" * 81))
    assert "aaa ... z" == short("a" * 50 + "z" * 50, 9)
