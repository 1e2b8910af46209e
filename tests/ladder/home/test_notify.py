"""Notices: a program gets an event on stdin; whatever it does, that is one warning."""

import json

import pytest

from ladder.home import notify
from ladder.home.notify import send_notice

pytestmark = pytest.mark.process


def tell(tmp_path, text, mode=0o755):
    (tmp_path / "tell.sh").write_text(f"#!/bin/sh\n{text}\n")
    (tmp_path / "tell.sh").chmod(mode)
    return send_notice((tmp_path, ["./tell.sh", "a; touch b"], {"event": "link", "report": {"when": "é"}}))


def test_a_program_in_the_home_gets_the_event_and_no_shell_reads_its_words(tmp_path):
    assert [] == tell(tmp_path, 'cat > got; echo "$1" > word')
    assert {"event": "link", "report": {"when": "é"}} == json.loads((tmp_path / "got").read_text())
    assert "a; touch b\n" == (tmp_path / "word").read_text()
    assert not (tmp_path / "b").exists()


@pytest.mark.parametrize(
    ("text", "mode", "why"),
    [
        ("exit 3", 0o755, "./tell.sh ended with exit code 3"),
        ("exit 0", 0o644, "Permission denied"),
        ("sleep 100 & sleep 100", 0o755, "./tell.sh took more than 0 s"),
    ],
)
def test_one_that_fails_is_one_warning(tmp_path, monkeypatch, text, mode, why):
    if "sleep" in text:
        monkeypatch.setattr(notify, "NOTICE_SECONDS", 0.3)
    (warning,) = tell(tmp_path, text, mode)
    assert warning.startswith("the notice was not sent: ")
    assert why in warning


def test_one_that_reads_nothing_is_no_failure(tmp_path):
    (tmp_path / "tell.sh").write_text("#!/bin/sh\nexit 0\n")
    (tmp_path / "tell.sh").chmod(0o755)
    assert [] == send_notice((tmp_path, ["./tell.sh"], {"event": "x" * 10**6}))
