"""Duels that an inbox asks for: those of `ladder duel`, each played once."""

import time
from contextvars import copy_context

import pytest
from support import ladders
from support.here import play_commands_here

from ladder.admission.grants import UnratedDuel
from ladder.cli import admitting
from results.storage.unrated import unrated_stores

pytestmark = pytest.mark.usefixtures("threads")


@pytest.fixture
def home(tmp_path, monkeypatch):
    play_commands_here(monkeypatch)
    return ladders.a_home(tmp_path / "home", settings='[run]\ngames = ["stellar"]\n')


def play_duel(asked):
    """Play as a process of its own does: the tests that follow do not wait for locks."""
    return copy_context().run(admitting.play_duel, asked)


def ids(home):
    return [home.roster.find(bot).id for bot in ("first", "last")]


def test_a_challenge_has_as_many_deals_as_were_asked_for_and_is_not_played_again_after_a_kill(home):
    asked = UnratedDuel(home.path, *ids(home), time.time(), "stellar", 3)
    (row,) = found = play_duel(asked)
    assert ("stellar", 2, 3) == (row["game"], row["seats"], row["deals"])
    assert found == play_duel(asked)
    assert ["d1"] == [*unrated_stores(home.results)]
    play_duel(asked._replace(since=time.time()))
    assert ["d1", "d2"] == [*unrated_stores(home.results)], "another one, with other deals"


def test_a_gate_asks_whether_the_new_version_is_no_worse_at_all_games(home, monkeypatch):
    monkeypatch.setattr(admitting, "GATE", 4)
    (row,) = play_duel(UnratedDuel(home.path, *ids(home), time.time()))
    assert ("stellar", 2, "undecided") == (row["game"], row["deals"], row["verdict"])
    (store,) = unrated_stores(home.results).values()
    terms = store.runs()[0].settings.duel
    assert ("not much worse", 2.0 / 50) == (terms.rule, terms.margin)
