"""A command waits for a home that another process uses if told to; a quiet one says only what is wrong."""

from contextlib import ExitStack
from types import SimpleNamespace

import pytest
from support import ladders
from support.command_line import check_refused, run_here
from support.rated_homes import a_rated_home

from ladder.home.home import create_home
from results.storage import locking
from results.storage.store import Store


def test_a_command_waits_only_if_it_is_told_to_and_names_once_for_whom(tmp_path, monkeypatch):
    home = a_rated_home(tmp_path / "home", ["ann", "bob"])
    held = ExitStack()
    held.enter_context(Store(home / "results").lock())
    # the lock ends during the first pause of the command
    monkeypatch.setattr(locking, "time", SimpleNamespace(sleep=lambda seconds: held.close()))
    settings = (home / "ladder.toml").read_text()
    (home / "ladder.toml").write_text(settings.replace("[run]\n", "[run]\nwait = true\n"))
    waited = run_here("home", "compact", "--home", home)
    assert 0 == waited.code, waited.err
    assert waited.err.endswith("; waiting until it is done\n")
    assert 1 == waited.err.count("is using")
    assert waited.out.startswith("segments before: ")
    (home / "ladder.toml").write_text(settings)
    with Store(home / "results").lock():
        check_refused(run_here("home", "compact", "--home", home), 7, "is using")


@pytest.mark.slow
def test_a_quiet_night_prints_only_what_is_wrong(tmp_path):
    entries = tmp_path / "class"
    entries.mkdir()
    for name in ("ann", "bob"):
        (entries / f"{name}.py").write_text(ladders.PLAYER)
    (entries / "late.pdf").write_bytes(b"%PDF-1.7\n")
    create_home(tmp_path / "home")
    (tmp_path / "home" / "ladder.toml").write_text(ladders.STELLAR)
    told = run_here("submit", "--all", entries, "--check", "quick", "--quiet", "--home", tmp_path / "home")
    assert 0 == told.code, told.err
    assert ["late.pdf"] == [line.split()[0] for line in told.out.splitlines()[2:]]
    night = ("run", "--games", "20", "--quiet", "--home", tmp_path / "home", "ann", "bob")
    played = run_here(*night)
    assert (0, "") == (played.code, played.out)
    assert played.err.startswith("warning: bots are not confined")
    assert 2 == played.err.count("\n"), "and nothing else"
    check_refused(run_here(*night, "--json"), 2, "--quiet")
