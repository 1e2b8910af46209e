"""No two bots of one person meet, in any schedule; who is whose follows from who handed a bot in."""

from collections import Counter
from itertools import combinations, cycle
from random import Random

import msgspec
import pytest
from hypothesis import strategies as st
from support import ladders
from support.draws import draws

from ladder.contest.keys import Keys
from ladder.errors import UsageProblem
from ladder.home.home import open_home
from ladder.registry.bot_manifest import HOUSE, BotManifest
from ladder.registry.place import BotPlace, Origin
from ladder.registry.roster import Roster
from ladder.registry.version import Version
from ladder.run.adaptive import NO_ORDER, Gap, OpenOrder, Persons, adaptive_tables, find_persons
from ladder.run.run_schedule import RunSchedule
from ladder.run.schedule import KnownResults
from ladder.run.shard import Shard
from ladder.run.stored_run import changes
from results.record import Contest
from results.storage.store import Store

SETTINGS = ladders.STELLAR.replace("[run]", "[run]\none_bot_a_person = true")
SECRET = bytes(16)


# -- who is whose


def a_version(name, author="", house=False, version="1"):
    return Version(name, version, "", BotManifest(name=name, run=("x",), author=author), house=house)


@pytest.mark.parametrize(
    ("bots", "entries", "groups"),
    [
        pytest.param([("a", "ann"), ("b", "ann"), ("c", "bob")], {}, ((0, 1),), id="authors"),
        pytest.param([("a", ""), ("b", "")], {}, (), id="no author"),
        pytest.param([("a", ""), ("b", ""), ("c", "")], {"a": "ann/", "c": "ann/"}, ((0, 2),), id="a folder"),
        pytest.param([("a", "x"), ("b", "x")], {"a": "ann/", "b": "bob/"}, (), id="a folder goes before"),
        pytest.param([("a", ""), ("b", "ann/")], {"a": "ann/"}, (), id="an author called as a folder"),
        pytest.param([("a", ""), ("b", "")], {"a": "term/ann", "b": "term/ann"}, (), id="no person's folder"),
        pytest.param([("a", HOUSE, True), ("b", HOUSE, True)], {}, (), id="house bots"),
        pytest.param([("a", ""), ("a", "", False, "2")], {"a": "ann/"}, ((0, 1),), id="two versions"),
    ],
)
def test_a_bot_is_the_persons_who_handed_it_in_or_else_its_authors(
    bots, entries, groups, tmp_path, monkeypatch
):
    roster = Roster(tmp_path)
    places = {bot: [Origin("/x", entry), Origin("/y")] for bot, entry in entries.items()}
    monkeypatch.setattr(roster, "places", lambda: places)
    assert groups == find_persons(roster, [a_version(*each) for each in bots])


# -- schedules


def planned(kind, seats, persons, blocks=96, bots=8, out=(), shard=None):
    """Return the blocks of a run in which the bots *out* are suspended from its third epoch on."""
    contest = Contest("stella", seats, {}, tuple(range(bots)))
    schedule = RunSchedule([contest], Keys(SECRET), kind, [blocks], [16], shard, persons=Persons(persons))
    gaps = {(i, j): Gap(float(j - i), 4.0, 0.02) for i, j in combinations(range(bots), 2)}
    known = KnownResults({0: OpenOrder(range(bots), gaps)})
    epochs = []
    while not schedule.over:
        epochs.append(schedule.next_epoch(known._replace(suspended=out) if len(epochs) > 1 else known))
    return [block for epoch in epochs for block in epoch]


def are_apart(tables, persons):
    return all(len({*table} & {*group}) <= 1 for table in tables for group in persons)


GROUPS = st.lists(st.integers(0, 7), min_size=8, max_size=8).map(
    lambda of: tuple(tuple(i for i in range(8) if of[i] == p) for p in range(8) if of.count(p) > 1)
)
KINDS = ("adaptive", "round-robin", "gauntlet")


@draws(
    25,
    500,
    kind=st.sampled_from(KINDS),
    seats=st.integers(2, 4),
    persons=GROUPS,
    out=st.sets(st.integers(1, 7)),
)
def test_no_two_bots_of_a_person_meet_whoever_is_suspended(kind, seats, persons, out):
    if Persons(persons).count(range(8)) < seats:
        return
    blocks = planned(kind, seats, persons, out=out)
    assert are_apart([block.bots for block in blocks], persons)
    assert not any(out & {*block.bots} for block in blocks[32:])
    enough = Persons(persons).count({*range(8)} - out) >= seats
    assert (96 if enough else 32) == len(blocks), "a contest that lacks persons is closed"


@pytest.mark.parametrize("kind", KINDS)
def test_without_persons_the_tables_are_those_of_before(kind):
    assert planned(kind, 3, ()) == planned(kind, 3, [(0,), (3,)])


@pytest.mark.parametrize("kind", ["round-robin", "gauntlet"])
def test_the_shards_of_a_run_are_the_run(kind):
    persons = ((0, 1), (2, 3, 4))
    shards = [planned(kind, 3, persons, shard=Shard(i, 5).blocks(96)) for i in range(1, 6)]
    assert planned(kind, 3, persons) == [block for shard in shards for block in shard]


def test_a_round_robin_lets_all_others_meet():
    met = Counter(tuple(sorted(block.bots)) for block in planned("round-robin", 2, ((0, 1), (2, 3)), 260))
    assert {*combinations(range(8), 2)} - {(0, 1), (2, 3)} == {*met}
    assert {10} == {*met.values()}


def test_in_a_gauntlet_the_other_bots_of_its_person_do_not_play():
    blocks = planned("gauntlet", 3, ((0, 5, 6), (1, 2)))
    assert {0, 1, 2, 3, 4, 7} == {bot for block in blocks for bot in block.bots}


def test_the_neighbour_of_a_bot_is_the_next_one_of_another_person():
    gaps = {pair: Gap(0.0, 4.0, 0.02) for pair in combinations(range(4), 2)}
    persons, order = Persons([(0, 1, 2)]), OpenOrder(range(4), gaps)
    tables = adaptive_tables(range(4), 2, 16, {}, {}, 99, order, cycle([(0, 3)]), persons)
    assert {(0, 3), (1, 3), (2, 3)} == {*tables}


def test_bots_below_the_floor_or_beyond_the_cap_fill_tables_of_different_persons():
    rng, persons = Random(1), [(0, 1, 2, 3), (4, 5)]
    robin = cycle(tuple(sorted(block.bots)) for block in planned("round-robin", 4, persons))
    for _ in range(40):
        played = {bot: rng.randrange(30) for bot in range(8)}
        floors = {bot: rng.choice([0, 10]) for bot in range(8)}
        cap = rng.randrange(1, 20)
        tables = adaptive_tables(range(8), 4, 20, played, floors, cap, NO_ORDER, robin, Persons(persons))
        assert are_apart(tables, persons)
        assert {4} == {*map(len, tables)}


# -- runs


@pytest.fixture
def home(tmp_path):
    return a_home(tmp_path / "home")


def a_home(path, settings=SETTINGS, handed_in=("first", "last")):
    home = ladders.a_home(path, settings=settings)
    for name in handed_in:
        home.roster.remember(home.roster.find(name), BotPlace(f"/inbox/{name}", "ann/"))
    return open_home(path)


def killed_at(done):
    def report(status):
        if status.done >= done:
            raise InterruptedError

    return report


def tables_of(home):
    rows = Store(home.results).matches(["seats.bot"]).column("seats").to_pylist()
    return [tuple(seat["bot"] for seat in seats) for seats in rows]


@pytest.mark.parametrize("schedule", ["adaptive", "round-robin"])
def test_a_run_is_the_same_wherever_it_is_continued_and_whatever_the_settings_say_by_then(
    home, tmp_path, schedule
):
    whole = ladders.play(home, schedule=schedule)
    assert {*combinations(("first", "last", "mixed", "plain"), 2)} - {("first", "last")} == {
        tuple(sorted(table)) for table in tables_of(home)
    }
    assert "6" == whole.run.versions["plan"]
    assert [] == changes(whole.run)
    again = a_home(tmp_path / "again")
    with pytest.raises(InterruptedError):
        ladders.play(again, schedule=schedule, report=killed_at(20), in_progress=1)
    (again.path / "ladder.toml").write_text(ladders.STELLAR)
    again.roster.remember(again.roster.find("mixed"), BotPlace("/inbox/mixed", "ann/"))
    ladders.play(open_home(again.path))
    assert ladders.rows(home.path) == ladders.rows(again.path)


@pytest.mark.parametrize(
    ("settings", "handed_in", "asked"),
    [
        (ladders.STELLAR, ("first", "last"), {}),
        (SETTINGS, ("first",), {}),
        (SETTINGS, ("first", "last"), {"unrated": True}),
    ],
)
def test_where_nobody_is_kept_apart_nothing_new_is_stored(tmp_path, settings, handed_in, asked):
    home = a_home(tmp_path / "home", settings, handed_in)
    run = ladders.start_run(home, **asked)
    assert "5" == run.versions["plan"]
    assert "persons" not in msgspec.to_builtins(run.settings)


def test_a_contest_of_fewer_persons_than_seats_is_left_out_with_a_line(tmp_path):
    settings = SETTINGS.replace('["stellar"]', '["stellar", "stella"]')
    home = a_home(tmp_path / "home", settings, ("first", "last", "mixed"))
    settings = ladders.start_run(home).settings
    assert {("stellar", 2)} <= {(of.game, of.seats) for of in settings.contests}
    assert all(of.seats == 2 for of in settings.contests)
    why = "no two bots of one person meet, and they are of 2 persons"
    assert f"stella at tables of 3: {why}" in settings.left_out


def test_a_run_of_one_persons_bots_is_refused_with_what_to_do(tmp_path):
    home = a_home(tmp_path / "home", handed_in=ladders.FOUR)
    with pytest.raises(
        UsageProblem, match="no two bots of one person meet, and they are of 1 person"
    ) as refused:
        ladders.start_run(home)
    assert "one_bot_a_person = false" in refused.value.hint
    assert () == Store(home.results).runs()
