"""Tests are held to their marks by support.guard, and told what they cost by support.costs."""

import json
import re
import subprocess
import sys

import pytest
from support.guard import MARKS
from support.places import ROOT, TESTS

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.process

CONFTEST = """
from pathlib import Path
import pytest
from support.costs import Costs
from support.guard import MARKS, Guard

def pytest_addoption(parser):
    parser.addoption("--cost", action="store_true")

def pytest_configure(config):
    for mark in MARKS:
        config.addinivalue_line("markers", mark)
    config.pluginmanager.register(Guard())
    config.pluginmanager.register(Costs(config, MARKS))
"""
TRUE = "[sys.executable, '-S', '-c', '']"
HEAD = f"""
import ctypes, multiprocessing, os, pty, socket, subprocess, sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
import pytest
from support.seating import good, hall
TRUE = {TRUE}
SERVER = socket.create_server(("127.0.0.1", 0))
START = os.times().user

@pytest.fixture(scope="module")
def program():
    subprocess.run(TRUE)
"""
STARTS = {
    "a command": "subprocess.run(TRUE)",
    "an error that is swallowed": "with suppress(BaseException): subprocess.run(TRUE)",
    "a shell": "os.system('true')",
    "a fork": "os.fork() or os._exit(0)",
    "a terminal": "pty.spawn(TRUE)",
    "posix_spawn": "os.posix_spawn(sys.executable, TRUE, {})",
    "spawn": "multiprocessing.get_context('spawn').Process(target=print).start()",
    "a fork server": "multiprocessing.get_context('forkserver').Process(target=print).start()",
    "a pool": "with ProcessPoolExecutor() as pool: pool.submit(print).result()",
    "a lock of processes": "multiprocessing.get_context('spawn').Lock()",
    "C": "ctypes.CDLL(None).system(b'true')",
    "a bot": "with hall(good(), good('b')) as played: played.matches(0)",
}
FOREIGN = {
    "an address": "socket.create_connection(('192.0.2.1', 80), timeout=1)",
    "a name": "socket.create_connection(('example.org', 80), timeout=1)",
    "a datagram": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'', ('192.0.2.1', 80))",
}
HARMLESS = {
    "a server of its own": "socket.create_connection(SERVER.getsockname()).close()",
    "localhost": "socket.getaddrinfo('localhost', 80)",
    "a socket by path": "a, b = socket.socketpair()",
    "a thread": "from threading import Thread\n    Thread(target=print).start()",
}


def functions(bodies, mark=""):
    """Return a test a body; the names of the tests are those of the bodies."""
    decorator = f"@pytest.mark.{mark}\n" if mark else ""
    return "\n".join(f"{decorator}def test_{name_of(what)}():\n    {body}" for what, body in bodies.items())


def name_of(what):
    return what.replace(" ", "_")


@pytest.fixture
def guarded(pytester, monkeypatch):
    """Return a folder of tests that are held to their marks."""
    monkeypatch.setenv("PYTHONPATH", f"{TESTS}:{ROOT}")
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    pytester.makeconftest(CONFTEST)
    return pytester


def failed(result):
    return {*re.findall(r"^(?:FAILED|ERROR) \S+::test_(\w+)", result.stdout.str(), re.MULTILINE)}


def test_an_unmarked_test_starts_no_program_and_none_connects_beyond_this_machine(guarded):
    guarded.makepyfile(HEAD + functions({**STARTS, **FOREIGN, **HARMLESS}))
    result = guarded.runpytest_subprocess("-p", "no:cacheprovider")
    assert {name_of(what) for what in (*STARTS, *FOREIGN)} == failed(result), result.stdout.str()
    assert 'mark it "process", or "tools" if that is no Python' in result.stdout.str()


@pytest.mark.parametrize("mark", MARKS)
def test_a_marked_test_may_start_programs_and_not_connect_beyond_this_machine(guarded, mark):
    some = {"a command": STARTS["a command"], "a lock of processes": STARTS["a lock of processes"]}
    guarded.makepyfile(HEAD + functions({**some, **FOREIGN}, mark))
    assert {name_of(what) for what in FOREIGN} == failed(guarded.runpytest_subprocess())


def test_a_shared_fixture_that_starts_a_program_is_for_marked_tests_alone(guarded):
    guarded.makepyfile(
        HEAD + "@pytest.mark.process\ndef test_marked(program): pass\ndef test_unmarked(program): pass\n"
        "def test_asking(request): request.getfixturevalue('program')"
    )
    assert {"unmarked", "asking"} == failed(guarded.runpytest_subprocess())


def test_a_module_starts_no_program_while_it_is_collected(guarded):
    guarded.makepyfile(HEAD + f"with suppress(BaseException): {STARTS['a command']}\ndef test_it(): pass")
    result = guarded.runpytest_subprocess()
    assert pytest.ExitCode.INTERRUPTED == result.ret
    assert "this module starts a program while it is collected" in result.stdout.str()


@pytest.mark.parametrize("gone", ["_posixsubprocess.fork_exec", "sys.addaudithook"])
def test_a_guard_that_cannot_hear_fails_the_session(guarded, gone):
    module, name = gone.split(".")
    guarded.makeconftest(
        f"import multiprocessing, subprocess, {module}\n"
        f"{'del ' + gone if name == 'fork_exec' else gone + ' = lambda hook: None'}\n{CONFTEST}"
    )
    guarded.makepyfile("def test_it(): pass")
    result = guarded.runpytest_subprocess()
    assert pytest.ExitCode.USAGE_ERROR == result.ret
    assert "tests cannot be held to their marks" in result.stderr.str()


def test_costs_are_printed_and_written_with_marks_and_reasons(guarded, tmp_path, monkeypatch):
    monkeypatch.setenv("LADDER_COSTS", str(tmp_path))
    guarded.makepyfile(
        HEAD + "@pytest.mark.process\ndef test_busy(program):\n"
        "    while os.times().user < START + 0.2: pass\n"
        "def test_idle(): pytest.skip('no moon: wait')"
    )
    said = guarded.runpytest_subprocess("--cost").stdout.str()
    (file,) = tmp_path.iterdir()
    busy, idle = json.loads(file.read_text())["tests"]
    assert (["process"], "passed", "") == (busy["marks"], busy["outcome"], busy["why"])
    assert ([], "skipped", "no moon: wait") == (idle["marks"], idle["outcome"], idle["why"])
    assert busy["user"] > idle["user"]
    assert re.search(r"^ +1 +no moon: wait$", said, re.MULTILINE)
    assert re.search(r"test_busy$", said, re.MULTILINE)


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("tests/typo.py",), 4, "there is no file or folder tests/typo.py"),
        (("tests/test_imports.py", "tests/typo.py::test_it"), 4, "there is no file or folder tests/typo.py"),
        (("-m", "proces"), 2, "there is no mark 'proces'"),
    ],
)
def test_what_does_not_exist_is_refused(words, code, told):
    done = subprocess.run([sys.executable, "-m", "pytest", *words], cwd=ROOT, capture_output=True, text=True)
    assert (code, True) == (done.returncode, told in done.stderr + done.stdout)
