"""The figures of a server: its CPU time for remote seats and an upload, and no server is left."""

import os

import pytest

from ladder.dev.benchmark import serve_speed
from ladder.dev.benchmark.serve_speed import _running, serve_figures

pytestmark = pytest.mark.process


def test_a_server_is_measured_with_seats_and_an_upload(monkeypatch):
    monkeypatch.setattr(serve_speed, "SEATS", 2)
    monkeypatch.setattr(serve_speed, "UPLOAD_MB", 1)
    figures = [*serve_figures(1)]
    assert ["us/answer", "ms"] == [figure.unit for figure in figures]
    assert all(figure.value > 0 for figure in figures)


def test_nothing_is_measured_where_no_server_starts(monkeypatch):
    monkeypatch.setattr(serve_speed, "PROGRAM", ("-c", "raise SystemExit(2)"))
    assert [] == [*serve_figures(1)]


def test_a_program_ends_with_its_block():
    with _running(2, "-c", "import sys, time; sys.stderr.write('here/\\n'); time.sleep(60)") as (pid, told):
        assert "here" == told
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
