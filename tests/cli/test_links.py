"""The end of a link of a ladder that never ends: a notice with the report, whether that is written or not."""

import re

import pytest
from support.rated_homes import a_rated_home

from ladder.cli.run import RunArguments, _end_link
from ladder.home import notify
from ladder.home.home import open_home
from ladder.run.playing import Played
from results.rating.cache import ratings_of
from results.storage.store import Store

pytestmark = pytest.mark.usefixtures("threads")


@pytest.mark.parametrize("writes", [False, True])
@pytest.mark.parametrize("fails", [False, True])
def test_a_notice_has_what_is_new_and_its_failure_is_one_warning(
    tmp_path, monkeypatch, capsys, writes, fails
):
    home = open_home(a_rated_home(tmp_path / "home", ["ann", "bob"]))
    text = (home.path / "ladder.toml").read_text()
    text = re.sub(r"(?m)^\[notify\].*", '[notify]\ncommand = ["./tell.sh", "x"]', text)
    (home.path / "ladder.toml").write_text(text)
    sent = []

    def send(notice):
        sent.append(notice)
        return ["it has failed"] if fails else []

    monkeypatch.setattr(notify, "send_notice", send)
    report = tmp_path / "night.json" if writes else None
    store = Store(home.results)
    played = Played(home, store.runs()[-1], ratings_of(store.contents()), store)
    for _ in range(2):
        _end_link(played, RunArguments(forever=300.0, report=report))
    ((path, command, event), (_, _, again)) = sent
    assert (home.path, ("./tell.sh", "x"), "link") == (path, command, event["event"])
    assert ([1], 20, {"ann": 20, "bob": 20}) == (
        event["report"].runs,
        event["report"].matches,
        event["report"].played,
    )
    assert 0 == again["report"].matches, "it was told"
    assert 2 * fails == capsys.readouterr().err.count("warning: it has failed")
    assert writes == (tmp_path / "night.json").exists()
