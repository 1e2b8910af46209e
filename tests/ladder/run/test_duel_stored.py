"""Which stored duel a command continues."""

from types import SimpleNamespace

import msgspec
import pytest
from support.records import a_run

from ladder.run import duel_session
from ladder.run.duel_session import find_duel
from ladder.run.stored_run import NewRun
from results.record import RunCommand, RunSettings
from results.storage.seasons import FIRST

ASKED = RunSettings(asked=RunCommand(bots=("alpha", "beta")))


def a_store(name, *, ended):
    """Return a store called *name* with the duel that is asked for, which has *ended* or not."""
    run = msgspec.structs.replace(a_run(1, settings=ASKED), finished=1 if ended else None)
    return SimpleNamespace(name=name, runs=lambda: (run,), seasons=lambda: (FIRST,))


@pytest.mark.parametrize(("ended", "name"), [((0, 0), "d2"), ((1, 1), "d2"), ((0, 1), "d1"), ((1, 0), "d2")])
def test_the_newest_duel_goes_on_those_that_are_not_finished_before_others(monkeypatch, ended, name):
    monkeypatch.setattr(duel_session, "changes", lambda run: [])
    stores = {f"d{number}": a_store(f"d{number}", ended=each) for number, each in enumerate(ended, 1)}
    store, _ = find_duel(stores, NewRun((), ASKED, bytes(16)))
    assert name == store.name
