"""A cluster that cannot be is refused before a scheduler is looked for."""

import re
import sys

import pytest
from support.command_line import run_here


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("--on", "elsewhere"),
            "expected tcp://HOST:PORT, ssh:FILE, slurm:N or local-cluster:N, got: 'elsewhere'",
        ),
        (("--on", "local-cluster:0"), "expected tcp://HOST:PORT, ssh:FILE, slurm:N or local-cluster:N"),
        (("--on", "tcp://127.0.0.1:1", "-j", "2"), "--jobs is for workers of this machine"),
    ],
)
def test_a_cluster_that_cannot_be_is_a_usage_error(tmp_path, arguments, message):
    code, _, err = run_here("run", "--home", tmp_path / "home", *arguments)
    assert 2 == code
    assert message in " ".join(err.split())
    assert not (tmp_path / "home").exists()


def test_without_dask_the_error_says_what_to_install(monkeypatch):
    monkeypatch.delitem(sys.modules, "ladder.run.executors.cluster", raising=False)
    monkeypatch.setitem(sys.modules, "dask", None)
    code, _, err = run_here("worker", "tcp://127.0.0.1:1")
    assert 1 == code
    assert "clusters need Dask" in err
    assert re.search("next: pip install .*cryptography.* .*distributed", err)
