"""Caps on seats in progress: which hold for whom, what fits, and that they change no result."""

import functools
from collections import Counter
from random import Random

import msgspec
import pytest
from support import ladders
from support.draws import times
from support.ladders import start_run
from support.scripted_tables import ScriptedTables, uneven

from ladder.contest.blocks import PlannedBlock
from ladder.home.home import open_home
from ladder.home.settings import Settings
from ladder.registry.bot_manifest import BotManifest
from ladder.registry.seat_caps import SeatCap, SeatsInProgress
from ladder.registry.version import Version
from ladder.run.coordinator import Coordinator
from ladder.run.setup import setup_of
from ladder.run.status import Stop
from results.reports.digest import digest
from results.storage.store import Store

ONLINE = {"allow": {"network": ["sage*", "muse"]}}


def version(name, number="1", *, network=True):
    return Version(name, number, "", BotManifest(name=name, run=("x",), network=network))


@pytest.mark.parametrize(
    ("settings", "caps"),
    [
        ({}, []),
        (ONLINE, [((0, 1), 8), ((2,), 8)]),
        ({"limits": {"bots": {"sage": {"tables": 3}}}}, [((0, 1), 3)]),
        (ONLINE | {"limits": {"bots": {"*": {"tables": 20}}}}, [((0, 1), 20), ((2,), 20), ((3,), 20)]),
        ({"limits": {"bots": {"s*": {"tables": 2}, "sa*": {"tables": 3}}}}, [((0, 1), 2)]),
        ({"limits": {"bots": {"s*": {"tables": 2}, "sage": {"move_ms": 5}}}}, []),
        ({"quota": {"key": {"bots": ["muse", "s*"], "tables": 4}}}, [((0, 1, 2), 4)]),
        (
            {"quota": {"one": {"bots": ["*"], "tables": 4}, "two": {"bots": ["muse"], "tables": 1}}},
            [((0, 1, 2, 3), 4), ((2,), 1)],
        ),
        (
            {"quota": {"nobody": {"bots": ["Muse", "mus"], "tables": 4}, "none": {"bots": [], "tables": 1}}},
            [],
        ),
    ],
)
def test_the_versions_of_a_bot_share_its_seats_and_a_quota_counts_all_of_its_bots(settings, caps):
    bots = [version("sage"), version("sage", "2"), version("muse"), version("plain", network=False)]
    found = msgspec.convert(settings, Settings).caps_of(bots)
    assert caps == [(cap.bots, cap.seats) for cap in found]


def block(number, *bots):
    return PlannedBlock(number, 0, 0, bots)


@pytest.mark.parametrize(
    ("caps", "in_hand", "bots", "room"),
    [
        ([((0,), 4)], [], (1, 2), 1 << 20),
        ([((0,), 4)], [], (0, 1), 2),
        ([((0,), 4)], [(0, 1)], (0, 1), 1),
        ([((0,), 4)], [(0, 1), (0, 2)], (0, 1), 0),
        ([((0,), 4)], [(0, 1)], (0, 1, 2), 0),  # it would take 3 of the 2 that are left
        ([((0,), 1)], [], (0, 1), 1),  # one match after another
        ([((0,), 1)], [(0, 2)], (0, 1), 0),
        ([((0, 1), 1)], [], (0, 1), 1),  # a cap below the seats of one table
        ([((0, 1), 1)], [(0, 1)], (1, 2), 0),
        ([((0, 1), 3)], [(1, 2)], (0, 1), 0),
        ([((0,), 8), ((0, 1), 2)], [], (0, 2), 1),
        ([((0,), 8), ((0, 1), 2)], [(1, 2)], (0, 2), 0),
    ],
)
def test_what_fits_follows_from_what_is_in_hand(caps, in_hand, bots, room):
    seats = SeatsInProgress([SeatCap(*cap) for cap in caps])
    blocks = [block(number, *seated) for number, seated in enumerate(in_hand)]
    for each in blocks:
        seats.take(each.number, each.bots)
    assert room == max(0, seats.room(bots))
    before = SeatsInProgress([SeatCap(*cap) for cap in caps]).room(bots)
    for each in blocks:
        seats.give_back(each.number)
    seats.give_back(99)  # of another kind, or given back before
    assert before == seats.room(bots)


class CountedTables(ScriptedTables):
    """Notes the most seats that each bot, and all together, have had in matches in progress."""

    def __init__(self, *args, **more):
        super().__init__(*args, **more)
        self.most = Counter()
        self.seconds_of_a = 0.0

    def _play(self, number):
        before = self.busy_s
        super()._play(number)
        names = {self._setup.bots[bot].bot for bot in self._blocks[number].bots}
        self.seconds_of_a += (self.busy_s - before) * ("a" in names)
        playing = [self._blocks[block].bots for _, block in self._running]
        now = Counter(self._setup.bots[bot].bot for bots in playing for bot in bots)
        self.most |= now | Counter({"a or b": now["a"] + now["b"]})


def play(path, settings="", tables=12, seed=None, **asked):
    """Play a run of four bots in a new home; return its tables, its run, and the digest of its results."""
    home = ladders.a_home(path, {name: {} for name in "abcd"}, ladders.STELLAR + settings)
    run = start_run(home, **{"matches": 96, "schedule": "round-robin"} | asked)
    setup = setup_of(home, run, 1)
    executor = CountedTables(setup, tables, uneven, side_by_side=True, shuffle=seed and Random(seed))
    with Store(home.results).lock() as store:
        running = Coordinator.resume(store, run, setup, lambda status: None, clock=executor.clock)
        running.play(executor, Stop())
    return executor, running, digest(Store(home.results).contents())


A_OR_B = '[quota.x]\nbots = ["a", "b"]\ntables'
CAPS = [
    ("[limits.bots.a]\ntables = 2", {"a": 2}),
    ('[limits.bots."*"]\ntables = 4', dict.fromkeys("abcd", 4)),
    (
        '[limits.bots."[ab]"]\ntables = 6\n[quota.x]\nbots = ["a", "b"]\ntables = 8',
        {"a": 6, "b": 6, "a or b": 8},
    ),
    ('[quota.x]\nbots = ["a", "b"]\ntables = 4', {"a or b": 4}),
]


@pytest.fixture(scope="module")
def free(tmp_path_factory):
    """Return how a run without caps is played, by its schedule."""
    return functools.cache(lambda kind: play(tmp_path_factory.mktemp("free") / kind, schedule=kind))


@pytest.mark.parametrize(("settings", "most"), CAPS)
@pytest.mark.parametrize("schedule", [pytest.param("adaptive", marks=pytest.mark.slow), "round-robin"])
@times(1, 6)
def test_no_cap_is_exceeded_and_none_changes_a_result(free, tmp_path, settings, most, schedule, number):
    _, _, expected = free(schedule)
    for seed in range(number):
        executor, running, found = play(tmp_path / str(seed), settings, seed=seed, schedule=schedule)
        assert expected == found
        assert 96 == running.status.done
        for who, seats in most.items():
            assert 1 < executor.most[who] <= seats


def test_others_go_before_a_match_that_does_not_fit(free, tmp_path):
    uncapped, _, _ = free("round-robin")
    capped, _, _ = play(tmp_path / "capped", "[limits.bots.a]\ntables = 2")
    assert capped.submitted != sorted(capped.submitted)
    assert uncapped.now < capped.now < 1.3 * capped.seconds_of_a / 2, "its own matches, two at a time"


@pytest.mark.parametrize("tables", [1, 2, 5])
def test_a_time_limit_ends_a_run_whose_matches_wait_soon(tmp_path, tables):
    settings = f"[limits.bots.a]\ntables = {tables}"
    executor, running, _ = play(tmp_path / "home", settings, matches=None, seconds=30.0)
    assert running.status.done == 2 * running._next
    assert executor.now < 60


def test_a_run_under_patterns_keeps_the_limits_of_a_bot_that_is_renamed(tmp_path):
    home = ladders.a_home(tmp_path / "home", {"sage": {}, "b": {}}, ladders.STELLAR)
    (home.path / "ladder.toml").write_text(f'{ladders.STELLAR}[limits.bots."sa*"]\nmove_ms = 7\n')
    run = ladders.play(open_home(home.path), matches=4).run
    assert (7, 1_000) == tuple(run.settings.limits_at(bot, "stellar")["move_ms"] for bot in ("sage", "b"))
    Store(home.results).folder.names.write_text('{"sage": "other"}')
    (renamed,) = Store(home.results).runs()
    assert 7 == renamed.settings.limits_at("other", "stellar")["move_ms"]
