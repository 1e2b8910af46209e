"""A match keeps the machine that played it, for the operator alone."""

import json

import pytest
from support import ladders
from support.command_line import run_here

from results.reports.digest import digest
from results.storage.store import Store

MACHINES = ("secret-tower", "secret-attic")
BOTS = {"ann": {}, "bob": {"sin": "cheat", "one_in": 5}}


def a_home(path, *machines):
    """Make a home with a run of each of *machines*."""
    home = ladders.a_home(path, BOTS)
    for seed, machine in enumerate(machines):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("ladder.referee.records.MACHINE", machine)
            ladders.play(home, matches=12, seed=seed)
    return home


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return a_home(tmp_path_factory.mktemp("machines") / "home", *MACHINES)


def test_each_match_has_the_machine_that_played_it(home):
    store = Store(home.results)
    for run, machine in enumerate(MACHINES, 1):
        assert {machine} == set(store.matches(run=run).column("machine").to_pylist())


def test_the_machine_is_not_in_the_digest(home, tmp_path):
    other = a_home(tmp_path / "home", "another", "another")
    assert digest(Store(home.results).contents()) == digest(Store(other.results).contents())


@pytest.mark.process
def test_nothing_that_is_handed_out_names_a_machine(home, tmp_path):
    at = ("--home", home.path)
    said = [
        run_here("bots", "feedback", "ann", *at).out,
        run_here("replay", "1/3", "--html", "-", *at).out,
        run_here("matches", "--format", "json", *at).out,
        run_here("leaderboard", "--format", "json", *at).out,
        run_here("faults", "--format", "json", *at).out,
    ]
    assert [] == [i for i, text in enumerate(said) if not text]
    assert json.loads(said[2])
    assert 0 == run_here("site", tmp_path / "site", "--matches", "3", *at).code
    pages = [path.read_bytes() for path in (tmp_path / "site").rglob("*") if path.is_file()]
    assert pages
    for name in MACHINES:
        assert not [text for text in said if name in text]
        assert not [page for page in pages if name.encode() in page]
