"""What `ladder doctor` sees of a machine beside its sandbox."""

import io
import resource
import sys

import pytest

from ladder.dev import doctor


@pytest.mark.parametrize(
    ("encoding", "ok", "found"),
    [("utf-8", True, "utf-8"), ("latin-1", False, "latin-1: letters that it lacks are shown as")],
)
def test_the_encoding_of_the_output(monkeypatch, encoding, ok, found):
    monkeypatch.setattr(sys, "__stdout__", io.TextIOWrapper(io.BytesIO(), encoding))
    diagnosis = doctor._diagnose_encoding()
    assert ok == diagnosis.ok
    assert diagnosis.found.startswith(found)


@pytest.mark.parametrize(
    ("kind", "most", "found"),
    [
        (resource.RLIMIT_AS, 500_000 << 10, "low: ulimit -v 500000; many bots at once may not start"),
        (resource.RLIMIT_NPROC, 20, "low: ulimit -u 20; many bots at once may not start"),
        (resource.RLIMIT_NOFILE, 64, "low: ulimit -n 64; many bots at once may not start"),
        (resource.RLIMIT_NOFILE, 4096, "none is low"),
    ],
)
def test_limits_that_are_low(monkeypatch, kind, most, found):
    def limits(which):
        return (most, most) if which == kind else (resource.RLIM_INFINITY, resource.RLIM_INFINITY)

    monkeypatch.setattr(resource, "getrlimit", limits)
    assert (found == "none is low", found) == doctor._diagnose_limits()[1:]
