"""A real cluster on the loopback device, and a home to play on it."""

import json
import os
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from ladder.home.home import Home
from ladder.registry.bot_manifest import BotManifest
from ladder.sandbox.confinement import Confinement
from support import ladders
from support.command_line import ENVIRONMENT
from support.commands import process_group
from support.need import need
from support.places import ROOT
from support.until import until

ASKED = {"matches": 120, "seed": 1}
FEW = {"matches": 40, "seed": 1}
MARK = f"mark-{os.getpid()}"
"""An argument of every bot that the tests start, by which they find it."""
MAKE = """\
#!/bin/sh
printf '#!/bin/sh\\nexec "$1" -S player.py "$2"\\n' >go
chmod +x go
"""


def need_dask(patch: pytest.MonkeyPatch) -> Any:
    """Return the package `distributed`, which asks no other machine for the address of this one."""
    distributed = need("distributed")
    patch.setattr(distributed.utils, "_get_ip", lambda *_, **__: "127.0.0.1")
    return distributed


class Cluster:
    """A scheduler and its workers, each a process group of its own."""

    def __init__(self, folder: Path, tls: Path | None = None) -> None:
        self.folder = folder
        self._tls = tls
        self.address = ""
        self.scheduler: subprocess.Popen[bytes] | None = None
        self.workers: list[subprocess.Popen[bytes]] = []
        self._started = ExitStack()
        self.leaving: list[subprocess.Popen[bytes]] = []
        self._log = (folder / "log").open("ab")

    def start(self, workers: int = 2) -> None:
        """Start what is missing."""
        if not self.scheduler:
            file = self.folder / "scheduler.json"
            file.unlink(missing_ok=True)
            options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
            if self._tls:
                files = {"ca-file": "ca", "cert": "cert", "key": "key"}
                for option, name in files.items():
                    options += [f"--tls-{option}", str(self._tls / f"{name}.pem")]
            self.scheduler = self._start("-m", "distributed.cli.dask_scheduler", *options)
            until(file.exists)
            until(lambda: file.read_text().endswith("}"))
            self.address = json.loads(file.read_text())["address"]
        while len(self.workers) < workers:
            self.start_worker(
                "worker", self.address, "-j", "1", *(["--tls", str(self._tls)] if self._tls else [])
            )

    def start_worker(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Start a worker by a `ladder` command."""
        self.workers.append(self._start("-m", "ladder", *arguments))
        return self.workers[-1]

    def _start(self, *arguments: str) -> subprocess.Popen[bytes]:
        environment = ENVIRONMENT | {"DASK_TEMPORARY_DIRECTORY": str(self.folder)}
        command = [sys.executable, *arguments]
        log = self._log if "ladder" in arguments else subprocess.DEVNULL
        process = process_group(command, stdout=log, stderr=log, env=environment, cwd=ROOT)
        return self._started.enter_context(process)

    def kill(self, worker: int) -> list[int]:
        """Kill a worker as when its machine is lost; return the processes it had."""
        lost = self.workers.pop(worker)
        pids = [lost.pid, *family(lost.pid)]
        ladders.signal_all([lost.pid, *ladders.children(lost.pid)], signal.SIGKILL)
        lost.wait()
        return pids

    def dismiss(self) -> None:
        """Tell a worker to leave."""
        self.leaving.append(self.workers.pop())
        self.leaving[-1].terminate()

    def stop(self) -> None:
        """End all workers, then the scheduler; kill those that do not end.  May be called twice."""
        if self._log.closed:
            return
        with self._log, self._started:
            while self.workers:
                self.dismiss()
            for process in self.leaving:
                process.wait(30)
            if self.scheduler:
                self.scheduler.terminate()
                self.scheduler.wait(30)
                self.scheduler = None


def family(pid: int) -> list[int]:
    """Return the descendants of *pid*."""
    found = ladders.children(pid)
    return [*found, *(grandchild for child in found for grandchild in family(child))]


def a_home(folder: Path) -> Home:
    """Make a home with two bots, and one that is built, by a program with a run bit."""
    bots = {"plain": {"view": "full"}, "last": {"style": "last"}}
    home = ladders.a_home(folder / "home", bots, '[run]\ngames = ["stellar"]\n', MARK)
    source = folder / "built"
    source.mkdir()
    (source / "player.py").write_text(ladders.PLAYER)
    (source / "make.sh").write_text(MAKE)
    (source / "make.sh").chmod(0o755)
    manifest = BotManifest(name="built", run=("./go", sys.executable, MARK), build=("./make.sh",))
    home.roster.stage(source, manifest, {}, Confinement("none")).accept()
    return home


def result(home: Home) -> tuple[Any, Any]:
    """Return the matches and the ratings of *home*."""
    return ladders.rows(home.path), ladders.ratings(home.path)
