"""The set R1 is what was released: its files, its results, and what its bots do."""

import json

import pytest
from programs.set_page import table_of_set
from support.full import every
from support.pair_ratings import rate_each_other
from support.places import ROOT
from support.small_set import make_small_set

from engines import GAMES
from ladder.errors import LadderError
from ladder.home.home import house_bots, reference_bots
from ladder.reference.reference_set import ANCHOR, FOLDER, PREFIX, load_set
from ladder.reference.set_match import decisions_of

SET = load_set()
CONTESTS = [SET.contest(game, seats) for game, of in SET.listed.games.items() for seats in of.blocks]
DECISIONS = json.loads((FOLDER / "decisions.json").read_text())


def bots():
    """Yield bots at each game and size; of all but a few, the decisions are played in slow tests.

    In the gate, a bot that is slow takes turns with the next one, from size to size.
    """
    for turn, of in enumerate(CONTESTS):
        for number, bot in enumerate(of.bots(full=True)):
            quick = of.key == "stellar/2" and bot not in of.more
            if not quick and (turn + number) % every(2):
                continue
            yield pytest.param(of.game, of.seats, bot, marks=() if quick else pytest.mark.slow)


@pytest.mark.parametrize(("game", "seats", "bot"), [*bots()])
def test_a_bot_decides_as_it_was_recorded(game, seats, bot):
    little = bot in SET.contest(game, seats).little
    assert DECISIONS[f"{game}/{seats} {bot}"] == decisions_of(FOLDER, game, seats, bot, little=little)


def test_it_has_6_to_12_bots_for_each_game_and_table_size():
    assert {f"{game}/{seats}" for game in SET.listed.games for seats in GAMES[game].seats} == {
        of.key for of in CONTESTS
    }
    for of in CONTESTS:
        assert 6 <= len(of.bots(full=True)) <= 12
        assert ANCHOR in of.little
        assert len(of.little) >= of.seats - 1
        assert {f"{of.key} {bot}" for bot in of.bots(full=True)} <= DECISIONS.keys()


@pytest.mark.parametrize("of", CONTESTS, ids=lambda of: of.key)
def test_the_ratings_follow_from_the_results(of):
    recorded = of.recorded
    pairs = {(pair.split()[0], pair.split()[1]): counts for pair, counts in recorded.pairs.items()}
    assert 25.0 == recorded.ratings[ANCHOR]
    assert recorded.ratings == pytest.approx(rate_each_other(pairs, ANCHOR), abs=1e-3)


def test_a_changed_file_is_refused_with_both_hashes(tmp_path):
    small = make_small_set(tmp_path / "r1")
    (tmp_path / "r1" / "players.py").write_text("# another\n")
    with pytest.raises(LadderError, match=f"expected the hash {small.digest[:16]}, found ") as refused:
        load_set(tmp_path / "r1")
    assert refused.value.hint.startswith("install the ladder again: pip install --force-reinstall")
    (tmp_path / "r1" / "players.py").unlink()
    with pytest.raises(LadderError, match="were changed"):
        load_set(tmp_path / "r1")
    (tmp_path / "r1.sha256").unlink()
    with pytest.raises(LadderError, match="cannot be read"):
        load_set(tmp_path / "r1")


def test_another_version_of_a_game_is_refused(monkeypatch):
    monkeypatch.setattr(type(GAMES["stellar"]), "version", 99)
    with pytest.raises(LadderError, match="R1 is for version 1 of stellar, and this ladder has version 99"):
        SET.contest("stellar", 2)


def test_the_page_of_each_game_has_the_table():
    for game in SET.listed.games:
        page = (ROOT / "engines" / game.replace("-", "_") / "README.md").read_text("utf-8")
        assert table_of_set(SET, game) in page


def test_its_bots_are_no_house_bots_and_can_join_when_they_are_named():
    assert not reference_bots().keys() & house_bots().keys()
    named = {f"{PREFIX}{bot}" for of in CONTESTS for bot in of.bots(full=True)}
    assert named == reference_bots().keys()
