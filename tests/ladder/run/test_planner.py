"""The plan of a run: the same wherever it stops and is continued, and its end once the order is known."""

import math
from collections import Counter
from itertools import combinations, pairwise
from random import Random
from types import SimpleNamespace

import pytest
from msgspec.structs import replace
from support.counted import add_block
from support.records import a_run

from ladder.errors import UsageProblem
from ladder.run import belief
from ladder.run import planner as planner_module
from ladder.run.adaptive import Gap, find_gap
from ladder.run.belief import Belief, Beliefs, Evidence
from ladder.run.discipline import Notice
from ladder.run.planner import HELD_BLOCKS, Planner
from ladder.run.run_plan import plan_run
from ladder.run.schedule import PLAN, epoch_blocks
from ladder.run.until.by_name import read_rule
from ladder.run.until.order import MOST_RISK, false_order_risk
from ladder.run.until.rule import RatedBlocks
from results.rating.fit import fit
from results.rating.lead_risk import lead_risk
from results.rating.outcomes import Counts, FinishOrder
from results.rating.parameters import Parameters
from results.record import Contest, RunSettings, WithoutBot
from results.storage.store import Store

BOTS = [("a", "1"), ("b", "1"), ("c", "1"), ("d", "1"), ("e", "1")]
STEP = 4.0
"""How much better a bot is than the next one; beta is 4.2."""


def won(block, rotation, step):
    """Return the outcome of a match: bots of a table by skill, and luck that follows from its number."""
    luck = Random(f"{block.number}/{rotation}")
    worth = {bot: -step * bot + luck.gauss(0, 25 / 6) for bot in block.bots}
    order = sorted(block.bots, key=lambda bot: -worth[bot])
    return FinishOrder(tuple(BOTS[bot] for bot in order), (False,) * (len(order) - 1))


class Life:
    """A run without processes: its matches follow from their numbers."""

    def __init__(self, store, step=STEP, broken=(), plan=PLAN, **settings):
        seats = settings.pop("seats", (2,))
        contests = tuple(Contest("stellar", size, {}, tuple(range(len(BOTS)))) for size in seats)
        blocks = settings.pop("blocks", 320)
        self.store, self.step, self.broken = store, step, broken
        of = RunSettings(
            contests=contests,
            blocks=blocks and (blocks,) * len(seats),
            epochs=(epoch_blocks(blocks or 320),) * len(seats),
            **settings,
        )
        if not store.runs():
            bots = [{"name": name, "version": version} for name, version in BOTS]
            store.begin(a_run(settings=of, bots=bots, versions={"plan": str(plan)}))
        run = store.runs()[0]
        self.counts = {"stellar": Counts()}
        setup = SimpleNamespace(
            contests=contests,
            secret=bytes.fromhex(run.secret),
            bots=[SimpleNamespace(bot=name, version=v, id=f"{name}@{v}") for name, v in BOTS],
        )
        ratings = SimpleNamespace(
            before={}, tally=SimpleNamespace(totals=SimpleNamespace(counts=self.counts))
        )
        self.planner = Planner(store, run, setup, ratings, plan_run(run, setup))
        self.planned = []
        self.rated = 0

    def play(self, end=10**9):
        """Rate the blocks before number *end*; return all that are planned."""
        self.planned += self.planner.extend(self.rated)
        while self.rated < min(end, len(self.planned)):
            block = self.planned[self.rated]
            outcomes = [won(block, rotation, self.step) for rotation in range(len(block.bots))]
            add_block(self.counts["stellar"], outcomes)
            self.rated += 1
            endings = [(BOTS[bot], "start" if bot in self.broken else None) for bot in block.bots]
            if self.planner.rate(RatedBlocks(self.rated, len(outcomes), endings, tuple)):
                self.planned += self.planner.extend(self.rated)
        return self.planned


@pytest.fixture
def store(tmp_path):
    store = Store(tmp_path / "results")
    with store.lock():
        yield store


# -- stopped and continued


@pytest.mark.parametrize(
    ("end", "seats", "schedule"),
    [
        *((end, (2,), "adaptive") for end in (0, 15, 16, 17, 250, 319)),
        *((end, (2, 3), "adaptive") for end in (17, 100)),
        *((100, (2, 3), schedule) for schedule in ("round-robin", "gauntlet")),
    ],
)
def test_a_run_that_stops_anywhere_is_continued_as_it_was_planned(store, seats, end, schedule):
    first = Life(store, seats=seats, schedule=schedule)
    first.play(end)
    again = Life(store, seats=seats, schedule=schedule)
    again.play(end)
    assert first.planned == again.planned
    assert first.play() == again.play()
    assert [320] * len(seats) == list(Counter(block.contest for block in again.planned).values())


def test_what_is_planned_is_stored_at_once_and_a_run_that_is_continued_fits_nothing_for_it(
    store, monkeypatch
):
    first = Life(store)
    first.play(200)
    path = store.folder.plans / "000001.log"
    before = path.read_bytes()
    monkeypatch.setattr(belief, "fit_pairs", None)
    assert first.planned == Life(store).play(200)
    assert before == path.read_bytes()


@pytest.mark.parametrize("keep", [0, 3, 7])
def test_a_plan_that_is_lost_follows_from_the_matches_once_more(store, keep):
    whole = Life(store)
    whole.play(250)
    path = store.folder.plans / "000001.log"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: 1 + keep]))
    again = Life(store)
    assert whole.planned == again.play(250)
    assert whole.play() == again.play()


def test_a_round_robin_stores_no_plan(store):
    assert 320 == len(Life(store, schedule="round-robin").play())
    assert [] == store.plan(1)


def test_a_run_by_the_clock_is_planned_without_end(store):
    life = Life(store, blocks=None)
    life.play(500)
    assert 500 < len(life.planned) < 550
    assert life.planner.matches is None


def test_a_bot_that_the_run_continues_without_is_in_no_epoch_that_is_planned_from_then_on(store):
    first = Life(store)
    first.play(100)
    end = first.planner.end
    store.amend(replace(store.runs()[0].settings, without=(WithoutBot("c", "1", end - 16),)))
    again = Life(store)
    blocks = again.play()
    assert any(2 in block.bots for block in blocks[: end - 16])
    assert not any(2 in block.bots for block in blocks[end - 16 :]), "the stored plan had it in one"
    assert 320 == len(blocks)


def test_suspended_bots_play_no_more_from_two_epochs_later_on(store):
    life = Life(store, broken={4})
    blocks = life.play()
    assert [Notice(("e", "1"), "suspended", 3, "start")] == life.planner.take_notices()
    assert any(4 in block.bots for block in blocks[:32])
    assert not any(4 in block.bots for block in blocks[32:])
    assert 320 == len(blocks)


# -- a plan that waits for nothing


def test_a_round_robin_is_planned_before_its_blocks_are_rated(store):
    life = Life(store, schedule="round-robin")
    assert [*range(320)] == [block.number for block in life.planner.extend(0, 0)]


def test_more_of_a_round_robin_is_planned_when_few_planned_blocks_are_left(store):
    planner = Life(store, schedule="round-robin", blocks=100_000).planner
    assert 2 * 4_096 == len(planner.extend(0))
    assert [] == planner.extend(0, HELD_BLOCKS)
    assert 4_096 == len(planner.extend(0, HELD_BLOCKS - 1))


@pytest.mark.parametrize("blocks", [1_000_000, None])
def test_a_round_robin_is_planned_no_further_than_50000_blocks_beyond_the_first_that_is_not_rated(
    store, monkeypatch, blocks
):
    assert 50_000 == planner_module.AHEAD_BLOCKS
    monkeypatch.setattr(planner_module, "AHEAD_BLOCKS", 10_000)
    planner = Life(store, schedule="round-robin", blocks=blocks).planner
    while planner.extend(0, 0):
        pass
    assert 10_000 - 4_096 < planner.end <= 10_000
    assert planner.extend(4_096, 0)


@pytest.mark.parametrize(
    "settings", [{"plan": 3}, {"until": "order"}, {"schedule": "gauntlet"}, {"schedule": "adaptive"}]
)
def test_other_plans_wait_for_the_epoch_before_the_last(store, settings):
    life = Life(store, **{"schedule": "round-robin", **settings})
    assert 32 == len(life.planner.extend(0, 0))
    assert [] == life.planner.extend(15, 0)


def test_a_run_by_the_plan_of_before_has_the_tables_of_before(store, tmp_path):
    then, other = Life(store, schedule="round-robin", broken={4}, plan=3), Store(tmp_path / "other")
    blocks = then.play()
    with other.lock():
        now = Life(other, schedule="round-robin", broken={4}).play()
    assert blocks[:32] == now[:32]
    assert not any(4 in block.bots for block in blocks[32:])
    assert any(4 in block.bots for block in now[32:])


def test_in_a_round_robin_the_blocks_of_a_suspended_bot_are_left_out_from_two_epochs_later_on(store):
    life = Life(store, schedule="round-robin", broken={4})
    blocks = life.play(15)
    assert not any(life.planner.is_suspended(block) for block in blocks)
    life.play()
    assert [4 in block.bots for block in blocks[32:]] == [*map(life.planner.is_suspended, blocks[32:])]
    assert not any(map(life.planner.is_suspended, blocks[:32]))


# -- the order is known


def test_a_run_until_the_order_is_known_ends_an_epoch_after_it_was(store):
    life = Life(store, until="order", blocks=2_000)
    blocks = life.play()
    assert life.planner.run_end == life.planner.end
    ends = life.planner._schedule.ends
    assert len(blocks) == ends[-1] == life.planner.end < 2_000
    assert 2 * len(blocks) == life.planner.matches
    counts = Counts()
    for block in blocks[: ends[-2]]:
        add_block(counts, [won(block, rotation, STEP) for rotation in (0, 1)])
    settled = fit(counts, Parameters())
    assert list(range(5)) == sorted(range(5), key=lambda i: -settled.mu[i])
    assert sum(lead_risk(*settled.difference(i, i + 1)) for i in range(4)) <= MOST_RISK


@pytest.mark.parametrize("lost", [False, True])
def test_a_run_until_the_order_is_known_ends_at_the_same_block_when_it_is_continued(store, lost):
    whole = Life(store, until="order", blocks=2_000)
    end = len(whole.play())
    for stop in (0, 300, end - 1, end):
        if lost:
            (store.folder.plans / "000001.log").unlink(missing_ok=True)
        again = Life(store, until="order", blocks=2_000)
        again.play(stop)
        assert whole.planned == again.play()
        assert again.planner.run_end == again.planner.end


def test_bots_that_are_alike_play_until_the_last_match(store):
    life = Life(store, step=0.0, until="order")
    assert 320 == len(life.play())
    assert life.planner.run_end is None


def test_the_order_ends_a_round_robin_too_and_plans_are_stored_for_it(store):
    life = Life(store, until="order", schedule="round-robin", blocks=4_000)
    assert len(life.play()) < 4_000
    again = Life(store, until="order", schedule="round-robin", blocks=4_000)
    assert life.planned == again.play()


# -- beliefs


def an_evidence(counts, seats=2, bots=5):
    contests = [Contest("stellar", seats, {}, tuple(range(bots)))]
    return Evidence(contests, BOTS, {"stellar": Parameters()}, {}, lambda: {"stellar": counts})


def counted(blocks, step=STEP):
    """Return the counts of *blocks* pairs of neighbours."""
    counts = Counts()
    for number in range(blocks):
        pair = SimpleNamespace(number=number, bots=(number % 4, number % 4 + 1))
        add_block(counts, [won(pair, rotation, step) for rotation in (0, 1)])
    return counts


def test_a_belief_is_renewed_when_the_run_has_grown_by_a_hundredth():
    beliefs = Beliefs(an_evidence(Counts()))
    ends = [beliefs.at(end).end for end in range(50, 6_001, 50)]
    assert [*range(50, 5_051, 50), *range(5_150, 6_001, 100)] == sorted({*ends})


def test_a_belief_about_many_bots_is_renewed_less_often():
    beliefs = Beliefs(an_evidence(Counts(), bots=200))  # a fit of 200 bots takes as long as 800 blocks
    assert [100, 900, 1_700] == sorted({beliefs.at(end).end for end in range(100, 2_001, 100)})


def test_what_a_block_is_worth_is_measured_once_there_are_blocks_enough(monkeypatch):
    monkeypatch.setattr(belief, "ENOUGH_BLOCKS", 10)
    counts = Counts()
    beliefs = Beliefs(an_evidence(counts, seats=3))

    def blocks_at(end):
        counts.update(of_three(range(counts.matches // 3, end)))
        (of,) = beliefs.at(end).fits["stellar"].block_factors
        return of.blocks

    assert [8, 10, 10, 10] == [blocks_at(end) for end in (8, 10, 20, 200)]
    assert 600 == sum(beliefs.at(200).fits["stellar"].matches) / 3


def of_three(numbers):
    """Return the counts of blocks with these *numbers*, of three bots."""
    counts = Counts()
    for number in numbers:
        table = SimpleNamespace(number=number, bots=(number % 3, 3, 4))
        add_block(counts, [won(table, rotation, STEP) for rotation in range(3)])
    return counts


def test_a_belief_rests_on_the_matches_that_were_rated_then():
    counts = counted(40)
    evidence = an_evidence(counts)
    then = Belief(40, evidence)
    now = Belief(40, evidence)
    expected = now.orders
    counts.update(counted(400))
    assert expected == then.orders
    assert expected != Belief(440, evidence).orders


def test_an_order_is_that_of_the_fit():
    counts = counted(40)
    order = Belief(40, an_evidence(counts)).orders[0]
    of = fit(counts, Parameters())
    assert sorted(range(5), key=lambda bot: -of.mu[bot]) == order.bots
    for pair in combinations(range(5), 2):
        assert find_gap(*of.difference(*pair), 25 / 6) == order.gaps[pair]


def test_of_a_bot_that_has_not_played_nothing_is_known():
    counts = Counts()
    add_block(counts, [FinishOrder((BOTS[0], BOTS[1]), (False,))])
    order = Belief(1, an_evidence(counts, bots=3)).orders[0]
    assert [0, 1, 2] == order.bots
    assert Gap(0.0, 25 * math.sqrt(2), 36 / 625 / math.pi) == pytest.approx(order.gaps[0, 2])
    assert order.weight(0, 2) == order.weight(2, 1) > order.weight(0, 1)
    pairs = Belief(1, an_evidence(counts, bots=3)).neighbours()
    assert [("a", "b"), ("b", "c")] == [(pair.above[0], pair.below[0]) for pair in pairs]
    assert (0.0, math.inf) == (pairs[1].lead, pairs[1].error)
    assert 1.0 <= false_order_risk(Belief(1, an_evidence(counts, bots=3)), within=100.0)


# -- the risk of an order


def test_neighbours_are_told_with_the_lead_of_the_first():
    counts = counted(400)
    counts.update(Counts({FinishOrder((BOTS[1], BOTS[0]), (False,)): 90}))
    of = fit(counts, Parameters())
    order = sorted(range(5), key=lambda i: -of.mu[i])
    assert [("stellar", BOTS[i], BOTS[j], *of.difference(i, j)) for i, j in pairwise(order)] == Belief(
        400, an_evidence(counts)
    ).neighbours()


def test_all_neighbours_share_the_risk():
    counts = counted(100)
    known = fit(counts, Parameters())
    risks = [lead_risk(*known.difference(i, i + 1)) for i in range(4)]
    assert sum(risks) == pytest.approx(false_order_risk(Belief(100, an_evidence(counts))))
    assert max(risks) < sum(risks)


def test_neighbours_that_are_surely_close_need_no_order():
    counts = counted(2_000, step=0.0)
    open_ = Belief(2_000, an_evidence(counts))
    assert false_order_risk(open_) > MOST_RISK
    assert false_order_risk(open_, within=3.0) <= MOST_RISK
    assert false_order_risk(open_, within=0.01) > MOST_RISK
    apart = Belief(400, an_evidence(counted(400)))
    assert false_order_risk(apart) == pytest.approx(false_order_risk(apart, within=0.1))


def test_bots_that_play_no_more_have_no_place_in_the_order():
    counts = counted(400)
    assert false_order_risk(Belief(400, an_evidence(counts))) <= MOST_RISK
    counts.update(Counts({FinishOrder((BOTS[4], BOTS[3]), (False,)): 90}))
    assert false_order_risk(Belief(400, an_evidence(counts))) > MOST_RISK
    assert false_order_risk(Belief(400, an_evidence(counts)), {4}) <= MOST_RISK


@pytest.mark.parametrize("value", ["0", "-1", "x", "nan", "inf"])
def test_a_distance_that_is_none_is_refused_with_an_example(value):
    with pytest.raises(UsageProblem, match="points of rating above 0, such as 2") as refused:
        read_rule(f"order={value}")
    assert "--until order=2" == refused.value.hint
