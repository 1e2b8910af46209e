"""A run starts workers on the hosts in a file, by ssh, and they end with it."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support import ladders
from support.clusters import ASKED, MARK, a_home, need_dask, result, until
from support.command_line import ENVIRONMENT, run_here
from support.commands import process_group
from support.need import need
from support.ssh_server import ssh_server

from ladder.errors import UsageProblem
from ladder.run.coordinator import Coordinator
from ladder.run.executors.ssh_hosts import SshHost, read_hosts
from ladder.run.setup import setup_of
from ladder.run.status import Stop
from results.storage.store import Store

PROGRAM = str(Path(sys.executable).with_name("ladder"))


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with ssh_server(tmp_path_factory.mktemp("server") / "ssh") as server:
        yield server


@pytest.fixture
def reached(server, monkeypatch):
    """Return the server, which `ssh` of this process reaches."""
    need_dask(monkeypatch)
    monkeypatch.setenv("PATH", server.path)
    return server


def write(folder, *lines):
    path = folder / "hosts.txt"
    path.write_text("\n".join(lines) + "\n")
    return path


def workers():
    """Return the processes of `ladder worker` of this installation that run for ssh."""
    found = []
    for pid in ladders.processes("worker"):
        words = Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")
        if PROGRAM in words and "-" in words:
            found.append(pid)
    return found


# -- the file


def test_a_line_is_a_host_with_what_is_needed(tmp_path):
    lines = [
        "# ours",
        "",
        "a.example",
        "ann@b:2222 jobs=8",
        "[::1]:22 ladder=/opt/l # six",
        "  10.0.0.1 jobs=1",
    ]
    assert [
        SshHost("a.example"),
        SshHost("b", "ann", 2222, 8),
        SshHost("::1", port=22, ladder="/opt/l"),
        SshHost("10.0.0.1", jobs=1),
    ] == read_hosts(write(tmp_path, *lines))


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("-oProxyCommand=x", "expected [USER@]HOST[:PORT], got: '-oProxyCommand=x'"),
        ("-l@b", "expected [USER@]HOST[:PORT], got: '-l@b'"),
        ("a b", "expected jobs=N or ladder=/path/to/ladder, got: 'b'"),
        ("b;reboot", "expected [USER@]HOST[:PORT], got: 'b;reboot'"),
        ("b:70000", "expected a port from 1 to 65535, got: '70000'"),
        ("b:0", "expected a port from 1 to 65535, got: '0'"),
        ("::1", "expected [USER@]HOST[:PORT], got: '::1'"),
        ("b jobs=0", "expected jobs=N, a whole number from 1 to 4,096, got: 'jobs=0'"),
        ("b jobs=x", "expected jobs=N, a whole number from 1 to 4,096, got: 'jobs=x'"),
        ("b ladder=", "expected jobs=N or ladder=/path/to/ladder, got: 'ladder='"),
        ("a jobs=4", "'a' is in line 2 already; jobs=N has it play more"),
    ],
)
def test_a_wrong_line_is_named_by_its_number(tmp_path, line, what):
    path = write(tmp_path, "", "a", line)
    with pytest.raises(UsageProblem) as caught:
        read_hosts(path)
    assert f"{path}, line 3: {what}" == str(caught.value)
    assert caught.value.hint.startswith("a line is [USER@]HOST[:PORT]")


@pytest.mark.parametrize(
    ("made", "what"), [(b"# none\n", "names no host"), (b"\xff\xfea\0", "cannot be read")]
)
@pytest.mark.tools
def test_a_file_without_hosts_is_refused_before_anything_is_made(tmp_path, monkeypatch, made, what):
    need_dask(monkeypatch)
    (tmp_path / "hosts.txt").write_bytes(made)
    for name, said in (("hosts.txt", what), ("missing.txt", "cannot be read")):
        code, _, err = run_here("run", "--home", tmp_path / "home", "--on", f"ssh:{tmp_path / name}")
        assert 2 == code
        assert f"{tmp_path / name} {said}" in err
    assert not (tmp_path / "home").exists()


# -- a run


@pytest.mark.slow
@pytest.mark.tools
def test_a_run_on_hosts_is_the_same_also_when_one_refuses_and_one_vanishes(reached, tmp_path, caplog):
    alone, home = (a_home(tmp_path / name) for name in ("alone", "home"))
    ladders.play(alone, **ASKED)
    there = [f"127.0.0.1:{reached.port} jobs=1", f"localhost:{reached.port} jobs=1 ladder={PROGRAM}"]
    path = write(tmp_path, *there, f"nobody@127.0.0.1:{reached.port}")
    run = ladders.start_run(home, **ASKED)
    setup = setup_of(home, run, 32)
    killed: list[int] = []
    on_cluster = need("ladder.run.executors.cluster").on_cluster

    def kill_one(status):
        if status.done >= 10 and not killed and len(workers()) == 2:
            killed.extend([workers()[0], *ladders.children(workers()[0])])
            ladders.signal_all(killed, signal.SIGKILL)

    with Store(home.results).lock() as store, on_cluster(f"ssh:{path}", setup) as executor:
        until(lambda: len(executor._client.nthreads()) == 2)
        Coordinator.resume(store, run, setup, kill_one).play(executor, Stop())
    assert result(alone) == result(home)
    assert killed
    assert "ssh nobody@127.0.0.1: Permission denied" in caplog.text
    assert f"ssh -o BatchMode=yes -p {reached.port} nobody@127.0.0.1 true" in caplog.text
    assert [] == workers()
    until(lambda: not ladders.processes(MARK))


@pytest.mark.slow
@pytest.mark.tools
def test_workers_end_with_a_run_that_is_killed(reached, tmp_path):
    home = ladders.a_home(tmp_path / "home", {"a": {"sleep": 0.05}, "b": {}}, mark=MARK)
    path = write(tmp_path, f"127.0.0.1:{reached.port} jobs=1")
    command = ladders.command(home.path, "--games", "1000", "--on", f"ssh:{path}")
    silent: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with process_group(command, env=ENVIRONMENT | {"PATH": reached.path}, **silent) as run:
        until(lambda: ladders.processes(MARK))
        assert workers()
        os.kill(run.pid, signal.SIGKILL)
    until(lambda: not ladders.processes(MARK) and not workers())


@pytest.mark.parametrize(
    ("line", "why", "hint"),
    [
        (
            "nobody@127.0.0.1:{port}",
            "ssh nobody@127.0.0.1: Permission denied",
            "ssh -o BatchMode=yes -p {port}",
        ),
        (
            "127.0.0.1:{port} ladder=/no/ladder",
            "ssh 127.0.0.1: ",
            "127.0.0.1 ladder=/path/to/venv/bin/ladder",
        ),
        (
            "127.0.0.1:1",
            "ssh 127.0.0.1: connect to host 127.0.0.1 port 1: Connection refused",
            "ssh -o BatchMode=yes -p 1 127.0.0.1 true",
        ),
    ],
)
@pytest.mark.slow
@pytest.mark.tools
def test_a_run_that_no_host_can_play_says_why(reached, tmp_path, line, why, hint):
    home = ladders.a_home(tmp_path / "home", {"a": {}, "b": {}}, mark=MARK)
    path = write(tmp_path, line.format(port=reached.port))
    code, _, err = run_here("run", "--home", home.path, "--games", "4", "--on", f"ssh:{path}")
    assert 1 == code
    assert "ladder: no host is left to play: " in err
    assert why in err
    assert hint.format(port=reached.port) in err


@pytest.mark.slow
@pytest.mark.tools
def test_a_host_with_another_ladder_is_named_and_does_not_play(reached, tmp_path, monkeypatch):
    home = ladders.a_home(tmp_path / "home", {"a": {}, "b": {}}, mark=MARK)
    path = write(tmp_path, f"127.0.0.1:{reached.port}")
    monkeypatch.setattr("ladder.run.executors.scheduler.versions", lambda: {"ladder": "9.9"})
    code, _, err = run_here("run", "--home", home.path, "--games", "4", "--on", f"ssh:{path}")
    assert 1 == code
    assert "ssh 127.0.0.1: the worker cannot play this run: ladder is " in err
    assert " there and 9.9 here" in err
    assert "install the same version on both" in err
