"""Two network namespaces stand for two machines: a run in one plays on the other, and is the same.

It needs root, so it runs only if it is asked for:
LADDER_MACHINES=1 pytest -m slow tests/ladder/run/executors/test_two_machines.py
"""

import os
import subprocess
from contextlib import suppress
from typing import NamedTuple

import pytest
from support import ladders
from support.clusters import FEW, a_home, result
from support.command_line import ENVIRONMENT
from support.ssh_server import ssh_server

pytestmark = [
    pytest.mark.slow,
    pytest.mark.tools,
    pytest.mark.skipif("LADDER_MACHINES" not in os.environ, reason="set LADDER_MACHINES=1, as root"),
]


class Machine(NamedTuple):
    """A namespace with a network of its own."""

    name: str
    address: str

    @property
    def inside(self):
        """What a command begins with that runs there."""
        return ["ip", "netns", "exec", self.name]


@pytest.fixture
def machines():
    """Make two namespaces that a cable joins."""
    one, two = (Machine(f"ladder{os.getpid()}-{n}", f"10.87.0.{n}") for n in (1, 2))
    try:
        for machine in (one, two):
            subprocess.run(["ip", "netns", "add", machine.name], check=True)
            subprocess.run([*machine.inside, "ip", "link", "set", "lo", "up"], check=True)
        cable = ["ip", "link", "add", "eth0", "netns", one.name, "type", "veth"]
        subprocess.run([*cable, "peer", "name", "eth0", "netns", two.name], check=True)
        for machine in (one, two):
            subprocess.run(
                [*machine.inside, "ip", "a", "add", f"{machine.address}/24", "dev", "eth0"], check=True
            )
            subprocess.run([*machine.inside, "ip", "link", "set", "eth0", "up"], check=True)
        yield one, two
    finally:
        for machine in (one, two):
            with suppress(subprocess.CalledProcessError):
                subprocess.run(["ip", "netns", "del", machine.name], check=True)


def test_a_run_on_one_machine_plays_on_another_by_ssh(machines, tmp_path):
    one, two = machines
    alone, home = (a_home(tmp_path / name) for name in ("alone", "home"))
    ladders.play(alone, **FEW)
    with ssh_server(tmp_path / "ssh", two.address, one.inside, two.inside) as server:
        hosts = tmp_path / "hosts.txt"
        hosts.write_text(f"{two.address}:{server.port} jobs=1\n")
        asked = ["--games", str(FEW["matches"]), "--seed", str(FEW["seed"]), "--on", f"ssh:{hosts}"]
        command = [*one.inside, *ladders.command(home.path, *asked)]
        done = subprocess.run(
            command,
            env=ENVIRONMENT | {"PATH": f"{server.path}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
        )
    assert 0 == done.returncode, done.stderr
    assert f"tls://{two.address}:" in done.stderr
    assert result(alone) == result(home)
