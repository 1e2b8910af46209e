"""Workers on other hosts, started by ssh: a file of hosts, and a process of ssh for each.

The scheduler runs beside the run and listens on all networks, with certificates made for this run alone.  A
host gets them through ssh, and connects to the address from which ssh came: $SSH_CONNECTION has it.  Tunnels
would not do: a scheduler connects to its workers, too, and any user of a host can connect to the end of a
tunnel there.  Dask's SSHCluster starts workers of its own, not `ladder worker`, and needs asyncssh, which
knows less of ~/.ssh/config than ssh.
"""

import logging
import re
import shlex
import subprocess
import sys
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import IO, NamedTuple

from ladder.errors import LadderError, UsageProblem, printable, short

LINE = re.compile(r"(?:(?P<user>[\w.-]+)@)?(?P<host>[\w.-]+|\[[\w:.%]+\])(?::(?P<port>[0-9]{1,5}))?")
"""[USER@]HOST[:PORT]; an address of IPv6 stands in brackets."""
FORM = (
    "a line is [USER@]HOST[:PORT], then if needed jobs=N and ladder=/path/to/venv/bin/ladder; "
    "# begins a comment"
)
MOST_HOSTS = 1_000
MOST_JOBS = 4_096
CONNECT_SECONDS = 10
"""How long ssh waits for a host, in seconds."""
LEAVE_SECONDS = 15.0
"""How long hosts have to end their workers, in seconds."""
LINES = 20
"""How many lines of the end of a worker's stderr are kept."""
log = logging.getLogger(__name__)


class SshHost(NamedTuple):
    """A host that plays."""

    host: str
    user: str = ""
    port: int | None = None
    jobs: int | None = None
    """How many processes play; None: one for each core."""
    ladder: str = ""
    """The program there; empty: the Python of this program, by the same path."""

    def __str__(self) -> str:
        return f"{self.user}@{self.host}" if self.user else self.host

    @property
    def port_option(self) -> list[str]:
        """What ssh takes before the host."""
        return ["-p", str(self.port)] if self.port else []


def read_hosts(path: Path) -> list[SshHost]:
    """Return the hosts in the file at *path*.  Raises UsageProblem, which names the wrong line."""
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageProblem(f"{path} cannot be read: {error}", f"make a text file of hosts: {FORM}") from None
    found: dict[SshHost, int] = {}
    hosts: list[SshHost] = []
    for number, line in enumerate(lines, 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        try:
            host = _read_host(words)
            place = host._replace(jobs=None, ladder="")
            if place in found:
                raise ValueError(f"{words[0]!r} is in line {found[place]} already; jobs=N has it play more")
        except ValueError as error:
            raise UsageProblem(f"{path}, line {number}: {error}", FORM) from None
        found[place] = number
        hosts.append(host)
    if not hosts:
        raise UsageProblem(f"{path} names no host", FORM)
    if len(hosts) > MOST_HOSTS:
        raise UsageProblem(f"{path} names {len(hosts):,} hosts", f"at most {MOST_HOSTS:,} can play at once")
    return hosts


def _read_host(words: Sequence[str]) -> SshHost:
    """Return the host that a line of these *words* means.  Raises ValueError."""
    read = LINE.fullmatch(words[0])
    if not read or read["host"].startswith("-") or (read["user"] or "").startswith("-"):
        raise ValueError(f"expected [USER@]HOST[:PORT], got: {short(words[0])!r}")
    port = int(read["port"]) if read["port"] else None
    if port is not None and not 0 < port < 2**16:
        raise ValueError(f"expected a port from 1 to 65535, got: {read['port']!r}")
    jobs, ladder = None, ""
    for word in words[1:]:
        key, _, value = word.partition("=")
        if key == "jobs" and re.fullmatch("[0-9]{1,4}", value) and 0 < int(value) <= MOST_JOBS:
            jobs = int(value)
        elif key == "jobs":
            raise ValueError(f"expected jobs=N, a whole number from 1 to {MOST_JOBS:,}, got: {short(word)!r}")
        elif key == "ladder" and value:
            ladder = value
        else:
            raise ValueError(f"expected jobs=N or ladder=/path/to/ladder, got: {short(word)!r}")
    return SshHost(read["host"].strip("[]"), read["user"] or "", port, jobs, ladder)


class SshWorkers:
    """The workers of a run on hosts that ssh reaches."""

    def __init__(self, hosts: Sequence[SshHost], port: int, secrets: bytes) -> None:
        """Start workers on *hosts* for a scheduler at *port*; *secrets* let them in.  Raises LadderError."""
        self._left: list[_Started] = []
        try:
            for host in hosts:
                self._left.append(_Started(host, port, secrets))
        except FileNotFoundError:
            self.close()
            raise LadderError("there is no program `ssh` here", "apt install openssh-client") from None

    def check(self) -> None:
        """Warn of each worker that has ended.  Raises LadderError if none is left."""
        for started in [started for started in self._left if started.process.poll() is not None]:
            self._left.remove(started)
            what, hint = started.explain()
            if not self._left:
                raise LadderError(f"no host is left to play: {what}", hint)
            log.warning("%s; the others go on; %s", what, hint)

    def close(self) -> None:
        """Let the workers end, and wait for them; then end what is left of ssh."""
        for started in self._left:
            started.leave()
        deadline = time.monotonic() + LEAVE_SECONDS
        for started in self._left:
            with suppress(subprocess.TimeoutExpired):
                started.process.wait(max(0.0, deadline - time.monotonic()))
            started.process.kill()
            started.close()
        self._left.clear()


class _Started:
    """A process of ssh, and the last lines that it has written."""

    def __init__(self, host: SshHost, port: int, secrets: bytes) -> None:
        self.host = host
        options = ["BatchMode=yes", f"ConnectTimeout={CONNECT_SECONDS}", "ServerAliveInterval=15"]
        command = ["ssh", "-T", *(f"-o{option}" for option in options), *host.port_option, "--", str(host)]
        self.process = subprocess.Popen(
            [*command, f"exec sh -c {shlex.quote(_script(host, port))}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the run, which lets matches in hand end
        )
        self._lines: deque[str] = deque(maxlen=LINES)
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()
        with suppress(BrokenPipeError):
            self._pipe.write(secrets + b"\n")
            self._pipe.flush()

    @property
    def _pipe(self) -> IO[bytes]:
        """What a worker reads: it ends when this is closed, which also happens when the run is killed."""
        assert self.process.stdin
        return self.process.stdin

    def _read(self) -> None:
        assert self.process.stderr
        with self.process.stderr as pipe:
            for line in pipe:
                self._lines.append(printable(line.decode("utf-8", "replace").rstrip()))

    def leave(self) -> None:
        """Tell the worker to end."""
        with suppress(BrokenPipeError):
            self._pipe.close()

    def close(self) -> None:
        """Wait for what has ended."""
        self.leave()
        self.process.wait()
        self._reader.join()

    def explain(self) -> tuple[str, str]:
        """Return why the process has ended, and what to type next."""
        self.close()
        lines = [line for line in self._lines if line.strip()]
        hints = [line.partition("next: ")[2] for line in lines if line.startswith("  next: ")]
        said = [line for line in lines if not line.startswith("  next: ")]
        why = said[-1] if said else f"it ended without a word (exit status {self.process.returncode})"
        why = why.removeprefix("ladder: ").removeprefix("ssh: ").removeprefix(f"{self.host}: ")
        if hints:
            hint = hints[-1]
        elif self.process.returncode == 255:
            place = " ".join([*self.host.port_option, str(self.host)])
            hint = f"this must work without a question: ssh -o BatchMode=yes {place} true"
        else:
            hint = (
                "install the same ladder there: pip install './sources[dask]', with the same sources; "
                f"in the file of hosts: {self.host} ladder=/path/to/venv/bin/ladder"
            )
        return f"ssh {self.host}: {short(why, 300)}", hint


def _script(host: SshHost, port: int) -> str:
    """Return what *host* runs, by sh: the login shell of the user may be another one."""
    program = shlex.join([host.ladder] if host.ladder else _own_program())
    jobs = f" -j {host.jobs}" if host.jobs else ""
    return (
        "from=${SSH_CONNECTION%% *}\n"
        'case $from in *:*) from="[$from]";; esac\n'
        f'exec {program} worker "tls://$from:{port}" --tls -{jobs}\n'
    )


def _own_program() -> list[str]:
    """Return what starts this program, on a host that has it by the same path."""
    program = Path(sys.executable).with_name("ladder")
    return [str(program)] if program.is_file() else [sys.executable, "-m", "ladder"]
