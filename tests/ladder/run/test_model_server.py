"""Bots whose model is behind a server: the requests that it sees, and what a night costs while it is down."""

from collections import Counter

import pytest
from support import ladders
from support.full import gate_or_full
from support.model_server import enlist_asking, model_server

from results.reports.digest import digest
from results.storage.store import Store

NIGHT = """\
[limits]
outage_s = {}
[allow]
network = ["sage*", "muse"]
[quota.key]
bots = ["sage*", "muse"]
tables = {}
"""


def a_night(path, server, tables, matches, outage_s=1):
    """Play with two bots that ask *server* and two others; return the matches, the run and its digest."""
    settings = ladders.STELLAR + NIGHT.format(outage_s, tables)
    home = ladders.a_home(path, {"first": {}, "plain": {"style": "last"}}, settings)
    for name, skill in (("sage-1", 90), ("muse", 40)):
        enlist_asking(home, name, server.port, skill=skill)
    running = ladders.play(home, jobs=2, matches=matches, schedule="round-robin")
    return ladders.rows(path), running, digest(Store(home.results).contents())


def faults(rows):
    """Return how often each bot was charged with each kind of fault."""
    seats = [seat for row in rows if not row["void"] for seat in row["seats"]]
    return Counter((seat["bot"], seat["fault"]) for seat in seats if seat["fault"])


@pytest.mark.process
def test_a_server_with_a_quota_never_sees_one_request_more_and_results_stay(tmp_path):
    most, matches = gate_or_full(4, 16), gate_or_full(16, 600)
    with model_server(limit=most, seconds=0.01) as server:
        rows, _, found = a_night(tmp_path / "capped", server, most, matches)
        assert 2 <= server.most <= most
        assert {"200"} == {*server.answers}
        server.limit, server.seconds = 1 << 20, 0.0
        _, _, free = a_night(tmp_path / "free", server, 1_000, matches)
    assert free == found
    assert not faults(rows)


@pytest.mark.process
def test_a_server_that_lies_down_for_good_costs_the_matches_in_hand(tmp_path):
    with model_server(lasts=120) as server:
        rows, running, _ = a_night(tmp_path / "home", server, 4, 60)
        assert {"200", "down"} == {*server.answers}
        assert server.most <= 4
    lost = faults(rows)
    assert {("sage-1", "transport"), ("muse", "transport")} == {*lost}
    assert max(lost.values()) <= 4
    assert {"sage-1", "muse"} == {left.name for left in running.run.settings.without}


@pytest.mark.slow
def test_a_server_that_turns_away_and_cuts_off_changes_no_result(tmp_path):
    with model_server(limit=2, seconds=0.02, cut=0.02) as server:
        _, _, found = a_night(tmp_path / "rough", server, 8, 8, outage_s=300)
        assert {"200", "429", "cut"} == {*server.answers}
        server.limit, server.seconds, server.cut = 1 << 20, 0.0, 0.0
        _, _, calm = a_night(tmp_path / "calm", server, 8, 8)
    assert calm == found
