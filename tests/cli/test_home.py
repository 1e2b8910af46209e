"""`ladder home`: what is in a home."""

import json

from support.command_line import run_here


def test_a_home_alone_is_shown_with_what_is_in_it(played):
    result = run_here("home", "--home", played.home, "--format", "json")
    assert 0 == result.code, result.err
    found = {row["what"]: row["found"] for row in json.loads(result.out)}
    assert {
        "folder": str(played.home.resolve()),
        "settings": str(played.home / "ladder.toml"),
        "bots": "3",
        "versions of bots": "3",
        "runs": "1",
        "matches": "202",
        "duels, unrated runs": "0",
        "unfinished": "no run",
    } == {what: told for what, told in found.items() if what != "on disk"}
    assert found["on disk"].endswith(" MB")
    shown = run_here("home", "--home", played.home)
    assert all(told in shown.out for told in found.values())
    assert "  next: ladder home --help" in shown.err


def test_versions_that_no_longer_play_are_counted_apart(home):
    run_here("bots", "retire", "bob", "--home", home.path)
    rows = json.loads(run_here("home", "--home", home.path, "--format", "json").out)
    assert ["2", "4"] == [row["found"] for row in rows if row["what"] in ("bots", "versions of bots")]
