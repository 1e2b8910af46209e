"""What is known of a bot, read once for several of them."""

import pytest
from support.rated_homes import a_rated_home, rate
from support.records import a_fault, a_lone_match
from support.stores import put_blocks, stored

from results.rating.cache import ratings_current
from results.reports.bot_facts import PLACES, BotReader, pool_seats, thin
from results.reports.survey import MEETINGS_NEED, SeatResults, survey_meetings
from results.storage.store import Store

BOTS = ["ann", "bob", "cid"]


@pytest.fixture
def store(tmp_path):
    return Store(a_rated_home(tmp_path / "home", BOTS) / "results")


def reader(store, *names):
    return BotReader(store.contents(), ratings_current(store), {(name, f"{name}-1") for name in names})


def test_results_against_each_opponent_are_those_of_the_survey_the_best_first(store):
    ((game,)) = reader(store, "bob").facts(("bob", "bob-1")).games
    found = survey_meetings(store.contents().match_parts(MEETINGS_NEED))
    met = {row.rival: row for row in found.meetings("stellar", ("bob", "bob-1"))}
    assert ["cid", "ann"] == [row["rival"] for row in game.opponents]
    for row in game.opponents:
        counts = (row["matches"], row["wins"], row["draws"], row["losses"])
        assert counts == met[row["rival"]][4:8]
        assert row["win_rate_low"] < row["win_rate"] < row["win_rate_high"]


def test_places_add_up_to_the_standing_and_the_history_ends_with_its_rating(store):
    facts = reader(store, *BOTS).facts(("ann", "ann-1"))
    (game,) = facts.games
    assert [game.standing] == facts.standings
    assert game.standing["matches"] == sum(row["matches"] for row in game.places)
    assert game.standing["wins"] == sum(row["firsts"] for row in game.places)
    assert game.standing["mu"] == game.history[-1]["mu"]


def test_seats_of_a_table_size_are_one_row_where_one_has_few_matches():
    full, few = SeatResults(2, 0, 20, 5, 35, 65, 20, 60), SeatResults(3, 1, 19, 4, 40, 90, 19, 50)
    places = [full, full._replace(seat=1), few, few._replace(seat=2, matches=30)]
    pooled = [*pool_seats(places)]
    assert places[:2] == pooled[:2]
    assert [SeatResults(3, None, 49, 8, 80, 180, 38, 100)] == pooled[2:]
    assert ["2 seats, 1st", "3 seats, all seats"] == [PLACES[0].kind(pooled[at]._asdict()) for at in (0, 2)]
    assert [] == [*pool_seats([])]


def test_ratings_over_time_of_several_bots_end_where_those_of_one_do(store):
    bots = {(name, f"{name}-1") for name in BOTS}
    at_once = BotReader(store.contents(), ratings_current(store), bots, at_once=True)
    for bot in bots:
        (game,) = at_once.facts(bot).games
        (alone,) = reader(store, bot[0]).facts(bot).games
        first, last = game.history[0], game.history[-1]
        assert first["matches"] < last["matches"] == alone.history[-1]["matches"]
        assert (last["mu"], last["margin"]) == (alone.history[-1]["mu"], alone.history[-1]["margin"])


def test_a_bot_that_has_not_played_has_standings_of_its_other_versions_alone(store):
    new = ("ann", "ann-2")
    facts = BotReader(store.contents(), ratings_current(store), {new}).facts(new, [("ann", "ann-1"), new])
    assert [] == facts.games
    assert ["ann-1"] == [row["version"] for row in facts.standings]
    assert [] == facts.faults.newest


def test_ratings_have_the_numbers_of_their_versions_if_the_bot_has_several(tmp_path, store):
    versions = [("ann", "ann-1"), ("ann", "ann-2")]
    rate(tmp_path / "home", [("bob", "bob-1"), versions[1]])
    facts = BotReader(store.contents(), ratings_current(store), {*versions}).facts(versions[1], versions)
    assert [*reversed(versions)] == [(row["bot"], row["version"]) for row in facts.standings]


def test_faults_are_counted_by_kind_and_those_that_cost_nothing_apart(tmp_path):
    told = [{"kind": "crash"}, {"kind": "timeout"}, {"kind": "crash"}, {"charged": False}, {"bot": "beta"}]
    blocks = [a_lone_match(number, a_fault(number, **fields)) for number, fields in enumerate(told)]
    store = stored(tmp_path / "results", *blocks[:3], ends=False)
    with store.lock():
        store.seal()
        put_blocks(store, blocks[3:])
    faults = reader(store, "alpha").facts(("alpha", "alpha-1")).faults
    assert {"crash": 2, "timeout": 1} == faults.charged
    assert {"timeout": 1} == faults.forgiven
    assert [3, 2, 1, 0] == [row["number"] for row in faults.newest]


def test_rows_are_thinned_evenly_between_the_first_and_the_last():
    rows = [{"n": n} for n in range(13)]
    assert rows == thin(rows, 13)
    assert [0, 3, 6, 9, 12] == [row["n"] for row in thin(rows, 5)]
    assert [0, 12] == [row["n"] for row in thin(rows, 2)]
