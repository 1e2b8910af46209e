"""How much this machine can hold."""

import os
import resource
from pathlib import Path

import pytest

from ladder.machine import capacity
from ladder.machine.capacity import ALWAYS, available_bytes, most_processes, raise_descriptors

only_linux = pytest.mark.skipif(not Path("/proc/meminfo").exists(), reason="free memory is not known here")


@only_linux
def test_free_memory_is_less_than_all_memory():
    free = available_bytes()
    assert free is not None
    assert 0 < free < os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def test_a_container_has_what_it_may_use_and_does_not(tmp_path, monkeypatch):
    (tmp_path / "memory.max").write_text("3000000\n")
    (tmp_path / "memory.current").write_text("2000000\n")
    (tmp_path / "memory.stat").write_text("anon 1\nfile 500000\nfile_mapped 7\n")
    monkeypatch.setattr(capacity, "_limits", lambda: [tmp_path, tmp_path / "none"])
    assert 1_500_000 == available_bytes()
    (tmp_path / "memory.max").write_text("max\n")
    assert 1_500_000 != available_bytes()


@pytest.mark.parametrize(
    ("expected", "free", "jobs"),
    [
        (1_024, 1 << 40, 1),
        (300, 1 << 40, 10),
        (256, 16 << 30, 2),
        (ALWAYS, 1 << 20, 2),
        (750, None, 4),
    ],
)
def test_workers_share_half_of_the_free_memory(monkeypatch, expected, free, jobs):
    monkeypatch.setattr(capacity, "available_bytes", lambda: free)
    monkeypatch.setattr(capacity, "_descriptors", lambda: 1 << 20)
    assert expected == most_processes(jobs)


def test_a_worker_keeps_no_more_processes_than_it_may_have_descriptors_for(monkeypatch):
    monkeypatch.setattr(capacity, "available_bytes", lambda: 1 << 40)
    monkeypatch.setattr(capacity, "_descriptors", lambda: 1_024)
    assert 96 == most_processes(1)


def test_a_process_may_open_as_many_files_as_its_system_allows(monkeypatch):
    wanted = []
    monkeypatch.setattr(resource, "getrlimit", lambda what: (1_024, 4_096))
    monkeypatch.setattr(resource, "setrlimit", lambda what, limits: wanted.append(limits))
    raise_descriptors()
    assert [(4_096, 4_096)] == wanted
