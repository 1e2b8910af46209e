"""Control groups that count CPU time: where they can be made, and what they count."""

import os
import sys
from pathlib import Path

import pytest
from support.commands import process_group

from ladder.process.tree import ControlGroup, find_place

V2 = "29 24 0:26 / {mount} rw,nosuid - cgroup2 cgroup2 rw\n"
V1 = "30 24 0:27 /user {mount} rw - cgroup cgroup rw,cpu,cpuacct\n"


def proc(tmp_path, own, mounts):
    """Return a folder that looks like /proc."""
    folder = tmp_path / "proc"
    (folder / "self").mkdir(parents=True)
    (folder / "self/cgroup").write_text(own)
    (folder / "self/mountinfo").write_text(f"1 1 0:1 / / rw - ext4 /dev/sda rw\n{mounts}")
    return folder


def test_a_folder_that_counts_nothing_is_no_place_for_groups(tmp_path):
    mounts = V2.format(mount=tmp_path / "unified") + V1.format(mount=tmp_path / "cpuacct")
    own = "3:cpu,cpuacct:/user/me\n0::/user/me\n"
    (tmp_path / "unified/user/me").mkdir(parents=True)
    assert find_place(proc(tmp_path, own, mounts)) is None


@pytest.mark.parametrize(
    ("unified", "file", "content"),
    [(True, "cpu.stat", "usage_usec 1234567\nuser_usec 7\n"), (False, "cpuacct.usage", "1234567890\n")],
)
def test_the_cpu_time_of_a_group_is_read(tmp_path, unified, file, content):
    group = ControlGroup(tmp_path, unified)
    assert group.cpu_us() is None
    (tmp_path / file).write_text(content)
    assert 1_234_567 == group.cpu_us()


def test_a_group_holds_processes_if_it_holds_all_of_them(tmp_path):
    group = ControlGroup(tmp_path, unified=True)
    assert not group.holds([1])
    (tmp_path / "cgroup.procs").write_text("1\n2\n3\n")
    assert group.holds([1, 3])
    assert not group.holds([1, 4])


def test_no_place_is_found_where_there_are_no_groups(tmp_path):
    assert find_place(tmp_path) is None
    assert find_place(proc(tmp_path, "0::/\n", "")) is None


UNHEARD = """
import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for _ in range(3):
    if os.fork() == 0:
        while time.process_time() < 0.1: pass
        os._exit(0)
    try: os.wait()
    except ChildProcessError: pass
"""


@pytest.mark.tools
def test_children_that_end_unheard_are_counted_where_groups_can_be_made():
    group = ControlGroup.make()
    if group is None:
        pytest.skip("no control group can be made here: run the tests as root, outside of a container")
    try:
        enter = f"open({group.folder + '/cgroup.procs'!r}, 'w').write('0')\n"
        with process_group([sys.executable, "-S", "-c", enter + UNHEARD]) as process:
            process.wait(60)
            assert (group.cpu_us() or 0) >= 290_000
            assert not group.holds([os.getpid()])
    finally:
        group.close()
    assert not Path(group.folder).exists()
