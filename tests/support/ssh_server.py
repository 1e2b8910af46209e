"""A server of OpenSSH on the loopback device, run as the user of the tests, and an `ssh` that reaches it."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from support.commands import process_group


class SshServer(NamedTuple):
    """A server that is running."""

    port: int
    path: str
    """The value of PATH with which `ssh` knows the keys of this server, and nothing of the user's own."""


@contextmanager
def ssh_server(
    folder: Path, address: str = "127.0.0.1", here: Sequence[str] = (), there: Sequence[str] = ()
) -> Iterator[SshServer]:
    """Run a server with keys of its own in *folder*; skip the test where there is no sshd.

    It listens on *address*.  Commands of its side begin with *there*, and those that reach it with *here*.
    """
    sshd = shutil.which("sshd", path="/usr/sbin:/usr/local/sbin:/usr/bin")
    if not sshd or not shutil.which("ssh"):
        pytest.skip("there is no sshd: apt install openssh-server")
    folder.mkdir(parents=True)
    folder.chmod(0o700)
    for name in ("host", "user"):
        make = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)]
        subprocess.run(make, check=True)
    shutil.copy(folder / "user.pub", folder / "authorized")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    (folder / "sshd_config").write_text(
        f"Port {port}\nListenAddress {address}\nHostKey {folder}/host\nPidFile none\n"
        f"AuthorizedKeysFile {folder}/authorized\nStrictModes no\nUsePAM no\nPermitRootLogin yes\n"
        "PasswordAuthentication no\nKbdInteractiveAuthentication no\nMaxStartups 100\n"
    )
    (folder / "config").write_text(
        f"IdentityFile {folder}/user\nIdentitiesOnly yes\nStrictHostKeyChecking no\n"
        f"UserKnownHostsFile {folder}/known\nLogLevel ERROR\n"
    )
    (folder / "bin").mkdir()
    own = folder / "bin/ssh"
    own.write_text(f'#!/bin/sh\nexec {shutil.which("ssh")} -F {folder}/config "$@"\n')
    own.chmod(0o755)
    if os.getuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)  # where sshd locks its children in, if it is root
    with process_group(
        [*there, sshd, "-D", "-e", "-f", str(folder / "sshd_config")], stderr=subprocess.DEVNULL
    ):
        deadline = time.monotonic() + 30
        while subprocess.run(
            [*here, own, "-p", str(port), address, "true"], stderr=subprocess.DEVNULL
        ).returncode:
            if time.monotonic() > deadline:
                pytest.skip("sshd does not start here")
            time.sleep(0.1)
        yield SshServer(port, f"{folder / 'bin'}:/usr/local/bin:/usr/bin:/bin")
