"""Who meets whom: purity, balance, floors and caps, what steers an epoch, numbers without gaps."""

import math
from collections import Counter
from itertools import combinations, groupby, islice
from math import comb, hypot

import pytest

from ladder.contest.blocks import matches_of
from ladder.contest.keys import Keys, secret_of_seed
from ladder.run.adaptive import OpenOrder, find_gap
from ladder.run.run_schedule import RunSchedule
from ladder.run.schedule import BY_THE_CLOCK, KnownResults, epoch_blocks, epoch_sizes, equal_shares
from results.record import Contest

KEYS = Keys(secret_of_seed(1))
BETA = 25 / 6
ADAPTIVE, ROUND_ROBIN, GAUNTLET = "adaptive", "round-robin", "gauntlet"
TABLES = [(2, 2), (3, 2), (5, 2), (12, 2), (40, 2), (3, 3), (5, 3), (12, 3), (4, 4), (5, 4), (12, 4), (30, 4)]
"""Bots and seats."""
each_table = pytest.mark.parametrize(("bots", "seats"), TABLES)


def a_contest(bots, seats=2, game="stellar"):
    return Contest(game, seats, {}, tuple(range(bots)))


def order_of(skills):
    """Return the order that follows from *skills*: (mu, sigma) by bot, as if independent of each other."""
    gaps = {
        (i, j): find_gap(skills[j][0] - skills[i][0], hypot(skills[i][1], skills[j][1]), BETA)
        for i, j in combinations(sorted(skills), 2)
    }
    return OpenOrder(sorted(skills, key=lambda bot: -skills[bot][0]), gaps)


def a_schedule(contests, totals, kind=ADAPTIVE, keys=KEYS, epoch=None):
    if epoch:
        epochs = [epoch] * len(contests)
    else:
        epochs = [epoch_blocks(n) for n in totals] if totals else equal_shares(BY_THE_CLOCK, contests)
    return RunSchedule(contests, keys, kind, totals, epochs)


class Ratings:
    """Skills that get surer with every match, and nearer to what bots are worth."""

    def __init__(self, contests, spread=2.0):
        self.worth = {
            index: {bot: 25 + spread * (bot - len(c.bots) / 2) for bot in c.bots}
            for index, c in enumerate(contests)
        }
        self.played = {index: Counter() for index in self.worth}

    def add(self, block):
        for bot in block.bots:
            self.played[block.contest][bot] += len(block.bots)

    def known(self):
        return {
            index: order_of({bot: self.skill(index, bot) for bot in of}) for index, of in self.worth.items()
        }

    def skill(self, index, bot):
        n = self.played[index][bot]
        return 25 + (self.worth[index][bot] - 25) * n / (n + 4), 25 / 3 / (1 + n / 4) ** 0.5


def simulated(contests, totals, kind=ADAPTIVE, epochs=None, spread=2.0, keys=KEYS, epoch=None):
    """Return the blocks of each epoch of a whole run, which knows at each what it may know."""
    schedule, ratings = a_schedule(contests, totals, kind, keys, epoch), Ratings(contests, spread)
    known, played = [], []
    while not schedule.over and (epochs is None or len(played) < epochs):
        k = len(played)
        played.append(schedule.next_epoch(KnownResults(known[k - 2]) if k >= 2 else KnownResults()))
        for block in played[-1]:
            ratings.add(block)
        known.append(ratings.known())
    return played


def flat(epochs):
    return [block for epoch in epochs for block in epoch]


def of_bots(blocks):
    return Counter(bot for block in blocks for bot in block.bots)


# -- sizes


@pytest.mark.parametrize(
    ("blocks", "epoch"),
    [(1, 16), (320, 16), (321, 17), (1_000, 50), (81_920, 4096), (5_000_000, 4096)],
)
def test_an_epoch_is_a_twentieth_of_the_run_but_not_too_short_or_long(blocks, epoch):
    assert epoch == epoch_blocks(blocks)


@pytest.mark.parametrize(
    ("totals", "adapts", "sizes"),
    [
        ([50], False, [50]),
        ([50], True, [16]),
        ([100], True, [25]),
        ([500], True, [32]),
        ([500], False, [64]),
        ([2_000], True, [100]),
        ([5], False, [16]),
        ([60, 30, 30], False, [32, 16, 16]),
        ([60, 30, 30], True, [16, 16, 16]),
        ([400, 200, 200], True, [20, 16, 16]),
        ([1_000_000, 10], True, [4096, 16]),
    ],
)
def test_an_epoch_fills_the_tables_of_a_machine_and_a_run_that_adapts_has_four(totals, adapts, sizes):
    assert sizes == [*epoch_sizes(totals, adapts=adapts)]


def test_an_epoch_has_64_blocks_or_all_of_a_shorter_run():
    for total in (1, 3, 40, 63, 64, 65, 300, 1_500):
        for parts in (1, 2, 3, 5):
            totals = [total] * parts
            sizes = epoch_sizes(totals, adapts=False)
            assert sum(map(min, sizes, totals)) >= min(64, sum(totals))
            adaptive = epoch_sizes(totals, adapts=True)
            assert max(map(math.ceil, (n / e for n, e in zip(totals, adaptive, strict=True)))) >= min(
                4, math.ceil(total / 16)
            )


@pytest.mark.parametrize(
    ("matches", "seats", "blocks"), [(1, 2, 1), (2, 2, 1), (3, 2, 2), (10, 4, 3), (12, 4, 3)]
)
def test_blocks_hold_at_least_the_matches_that_were_asked_for(matches, seats, blocks):
    assert [blocks] == equal_shares(matches, [a_contest(seats, seats)])


def test_every_game_has_an_equal_share_of_the_matches_and_in_it_every_table_size():
    sizes = [("stellar", 2), ("stella", 3), ("stella", 4), ("stella", 6)]
    shares = equal_shares(7200, [a_contest(6, seats, game) for game, seats in sizes])
    assert [3600, 1200, 1200, 1200] == [
        blocks * seats for blocks, (_, seats) in zip(shares, sizes, strict=True)
    ]


# -- every schedule


def test_other_skills_give_other_tables_and_other_keys_only_other_seats():
    contests = [a_contest(12, 3)]
    blocks = [block.bots for block in flat(simulated(contests, [200]))]
    others = [b.bots for b in flat(simulated(contests, [200], keys=Keys(secret_of_seed(2))))]
    assert blocks != others
    assert list(map(sorted, blocks)) == list(map(sorted, others))
    assert blocks != [b.bots for b in flat(simulated(contests, [200], spread=0.5))]


@pytest.mark.parametrize("kind", [ADAPTIVE, ROUND_ROBIN])
def test_blocks_and_matches_are_numbered_without_gaps_over_all_contests(kind):
    contests = [a_contest(5), a_contest(5, 3, "x"), a_contest(4, 4, "y")]
    blocks = flat(simulated(contests, [100, 67, 30], kind))
    assert list(range(197)) == [block.number for block in blocks]
    assert [100, 67, 30] == [sum(block.contest == i for block in blocks) for i in range(3)]
    matches = [f.match for block in blocks for f in matches_of(block, contests[block.contest])]
    assert list(range(200 + 201 + 120)) == matches


@pytest.mark.parametrize("kind", [ADAPTIVE, ROUND_ROBIN])
@each_table
def test_nobody_sits_twice_at_a_table(bots, seats, kind):
    for block in flat(simulated([a_contest(bots, seats)], [150], kind)):
        assert seats == len(set(block.bots)) == len(block.bots)
        assert set(block.bots) <= set(range(bots))


def test_only_the_bots_of_a_contest_play_it():
    contest = Contest("stellar", 2, {}, (1, 4, 6))
    assert {1, 4, 6} == set(of_bots(flat(simulated([contest], [100]))))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_in_a_block_every_bot_takes_every_seat_once_on_the_same_deal(seats):
    contest = a_contest(5, seats)
    for block in flat(simulated([contest], [40])):
        matches = matches_of(block, contest)
        assert list(range(seats)) == [match.rotation for match in matches]
        assert {block.number} == {match.block for match in matches}
        for seat in range(seats):
            assert sorted(block.bots) == sorted(match.bots[seat] for match in matches)
        assert block.bots == matches[0].bots
        assert block.bots[1:] + block.bots[:1] == matches[1].bots


def rows_of(epoch):
    return [(table, len(list(row))) for table, row in groupby(block.seating for block in epoch)]


@pytest.mark.parametrize("kind", [ADAPTIVE, ROUND_ROBIN])
@pytest.mark.parametrize("seats", [2, 3])
def test_equal_tables_stand_in_rows_within_an_epoch(seats, kind):
    for epoch in simulated([a_contest(4, seats), a_contest(4, seats, "x")], [400, 400], kind)[1:]:
        rows = rows_of(epoch)
        assert len(rows) < len(epoch) / 2
        assert kind == ADAPTIVE or len({table for table, _ in rows}) == len(rows)


@pytest.mark.parametrize("contests", [[a_contest(4)], [a_contest(4), a_contest(4, 3, "x")]])
def test_the_first_rows_are_short_so_that_a_short_run_has_all_tables(contests):
    first = simulated(contests, None, epochs=1)[0]
    lengths = [length for (contest, _), length in rows_of(first) if contest == 0]
    assert [1] * 6 == lengths[:6], "every pair once"
    assert [2] * 6 == lengths[6:12]
    assert 8 <= max(lengths), "bots that play several matches at once need long ones"


# -- fair shares, wherever a run ends

SIZES = {"stella-quest": (2, 3, 4), "starry-sky": (3, 4, 5), "stellar": (2,), "stella": (3, 4, 5, 6)}


def every_contest(bots, games=tuple(SIZES)):
    return [a_contest(bots, seats, game) for game in games for seats in SIZES[game] if seats <= bots]


def shares(contests, blocks):
    """Yield, after each of *blocks*, how many matches every bot has, and the mean."""
    matches = Counter(dict.fromkeys(contests[0].bots, 0))
    for block in blocks:
        matches.update(dict.fromkeys(block.bots, len(block.bots)))
        yield matches, matches.total() / len(matches)


@pytest.mark.parametrize("games", [tuple(SIZES), ("stellar",), ("stella",)])
@pytest.mark.parametrize("matches", [1, 44, 1_000, None])
@pytest.mark.parametrize("bots", [6, 9, 23])
def test_wherever_a_run_ends_in_its_first_epochs_everybody_has_a_fair_share(bots, matches, games):
    """Half of the mean at least, one and a half times at most, give or take a block; None: by the clock."""
    contests = every_contest(bots, games)
    totals = equal_shares(matches, contests) if matches else None
    blocks = flat(simulated(contests, totals, epochs=2))
    for played, mean in shares(contests, blocks):
        assert max(played.values()) <= 1.5 * mean + 6
        assert min(played.values()) >= 0.5 * mean - 6


@pytest.mark.parametrize("matches", [1_000, None])
def test_of_the_first_44_matches_no_bot_has_most(matches):
    """One of 23 bots had 36 of them: every contest began with it, and so did every epoch."""
    contests = every_contest(23)
    first = simulated(contests, equal_shares(matches, contests) if matches else None, epochs=1)[0]
    until = next(played for played, mean in shares(contests, first) if played.total() >= 44 * 4)
    assert max(until.values()) <= 16


@pytest.mark.parametrize("bots", [6, 23])
def test_what_a_bot_plays_in_an_epoch_is_spread_over_it(bots):
    contests = every_contest(bots, ("stellar", "stella"))
    for epoch in simulated(contests, equal_shares(8_000, contests), spread=1.0)[2:]:
        in_all = Counter()
        for block in epoch:
            in_all.update(dict.fromkeys(block.bots, len(block.bots)))
        for played, mean in shares(contests, epoch):
            part = mean * bots / in_all.total()
            for bot, count in in_all.items():
                assert abs(played[bot] - part * count) <= 0.25 * count + 24


def test_at_larger_tables_neighbours_change():
    blocks = flat(simulated([a_contest(4, 4)], [400]))
    sides = Counter(block.bots[(block.bots.index(0) + 1) % 4] for block in blocks)
    assert {1, 2, 3} == set(sides)
    assert min(sides.values()) > 50


def test_epochs_are_of_the_size_that_was_given_and_the_last_ones_of_what_is_left():
    contests = [a_contest(5), a_contest(5, 3, "x")]
    epochs = simulated(contests, [50, 36], epoch=16)
    sizes = [tuple(sum(block.contest == i for block in epoch) for i in range(2)) for epoch in epochs]
    assert [(16, 16), (16, 16), (16, 4), (2, 0)] == sizes


def test_a_run_that_ends_by_the_clock_is_never_over():
    epochs = simulated([a_contest(5)], None, epochs=6)
    assert [256] * 6 == [len(epoch) for epoch in epochs]


def test_the_ends_of_epochs_are_counted_in_blocks_of_the_whole_run():
    schedule = a_schedule([a_contest(5), a_contest(5, 3, "x")], [50, 36], ROUND_ROBIN, epoch=16)
    while not schedule.over:
        schedule.next_epoch()
    assert [32, 64, 84, 86] == schedule.ends


# -- round robin


@each_table
def test_any_two_tables_differ_by_at_most_one_in_a_round_robin(bots, seats):
    total = min(comb(bots, seats) + 37, 3_000)
    blocks = flat(simulated([a_contest(bots, seats)], [total], ROUND_ROBIN))
    played = Counter(tuple(sorted(block.bots)) for block in blocks)
    assert total == sum(played.values())
    counts = {played[table] for table in combinations(range(bots), seats)}
    assert max(counts) - min(counts) <= 1


@each_table
def test_wherever_a_round_robin_ends_everybody_has_played_about_as_much(bots, seats):
    blocks = flat(simulated([a_contest(bots, seats)], [400], ROUND_ROBIN))
    so_far = Counter(dict.fromkeys(range(bots), 0))
    for epoch in range(0, 400, 20):
        so_far.update(of_bots(blocks[epoch : epoch + 20]))
        assert max(so_far.values()) - min(so_far.values()) <= 2 * seats


def test_a_round_robin_looks_at_no_skill():
    contests = [a_contest(5)]
    assert simulated(contests, [200], ROUND_ROBIN) == simulated(contests, [200], ROUND_ROBIN, spread=9.0)


def test_the_first_two_epochs_of_an_adaptive_run_are_round_robin():
    contests = [a_contest(12), a_contest(12, 3, "x")]
    adaptive, even = simulated(contests, [400, 400]), simulated(contests, [400, 400], ROUND_ROBIN)
    assert adaptive[:2] == even[:2]
    assert adaptive[2] != even[2]


# -- adaptive


def check_floor_and_cap(blocks, bots, seats=2):
    """Floor: 50 matches or half the mean share.  Cap: twice the mean share."""
    matches = {bot: of_bots(blocks)[bot] * seats for bot in range(bots)}
    mean = len(blocks) * seats * seats / bots
    assert min(50, mean / 2) <= min(matches.values())
    assert max(matches.values()) <= 2 * mean


@pytest.mark.parametrize("total", [64, 200, 1_000])
@each_table
def test_everybody_has_the_floor_and_nobody_more_than_the_cap(bots, seats, total):
    check_floor_and_cap(flat(simulated([a_contest(bots, seats)], [total])), bots, seats)


@pytest.mark.parametrize("spread", [0.0, 0.3, 30.0])
def test_floor_and_cap_hold_whatever_the_skills_are(spread):
    check_floor_and_cap(flat(simulated([a_contest(12)], [800], spread=spread)), 12)


@each_table
def test_no_bot_is_starved_while_the_run_goes_on(bots, seats):
    """The floor is reached in the first epochs, and after every epoch nobody is far above the rest."""
    epochs = simulated([a_contest(bots, seats)], [1_000])
    for k in range(4, len(epochs)):
        blocks = flat(epochs[:k])
        share = len(blocks) * seats / bots
        assert min(of_bots(blocks)[bot] for bot in range(bots)) >= min(
            50 / seats, 1_000 * seats / bots / 2, share / 3
        )
        assert max(of_bots(blocks).values()) <= max(2 * share, share + seats)


def test_the_cap_holds_for_a_bot_that_all_others_should_meet():
    contest = a_contest(12)
    schedule = a_schedule([contest], [800])
    skills = {bot: (25.0 + bot, 9.0 if bot == 3 else 0.3) for bot in contest.bots}
    blocks = []
    while not schedule.over:
        blocks += schedule.next_epoch(KnownResults({0: order_of(skills)}))
    mean = 800 * 2 / 12
    assert 1.9 * mean < of_bots(blocks)[3] <= 2 * mean


def test_floor_and_cap_hold_in_a_run_that_ends_by_the_clock():
    for epochs in (3, 8):
        check_floor_and_cap(flat(simulated([a_contest(12)], None, epochs=epochs)), 12)


def test_close_bots_meet_more_often_than_distant_ones():
    blocks = flat(simulated([a_contest(12)], [4_000]))
    by_distance = Counter(abs(block.bots[0] - block.bots[1]) for block in blocks)
    rate = {distance: by_distance[distance] / (12 - distance) for distance in range(1, 12)}
    assert rate[1] > 5 * rate[2] > 0
    assert max(rate[i] for i in range(2, 12)) - min(rate[i] for i in range(2, 12)) <= 1, "all meet"


def test_of_pairs_that_are_equally_close_the_one_whose_order_is_open_plays():
    """The rule before this one looked at how close two bots are, not at whether their order is known."""
    contest = a_contest(6)
    schedule = a_schedule([contest], [4_000])
    known = {bot: (25.0 + 4 * (bot // 2) + bot % 2, 2.0 if bot > 3 else 0.2) for bot in contest.bots}
    schedule.next_epoch(), schedule.next_epoch()
    pairs = Counter(
        block.bots for block in flat(schedule.next_epoch(KnownResults({0: order_of(known)})) for _ in "12")
    )
    assert pairs[4, 5] > 2.5 * max(pairs[0, 1], pairs[2, 3])


def test_contests_are_planned_independently_of_each_other():
    alone = simulated([a_contest(12)], [400])
    together = simulated([a_contest(12), a_contest(12, 3, "x")], [400, 400])
    for one, both in zip(alone, together, strict=True):
        assert Counter(block.bots for block in one) == Counter(b.bots for b in both if b.contest == 0)


# -- gauntlet


@pytest.mark.parametrize(("bots", "seats"), [(2, 2), (7, 2), (3, 3), (7, 3), (7, 4), (6, 6)])
def test_in_a_gauntlet_the_first_bot_has_a_seat_at_every_table_and_the_others_take_turns(bots, seats):
    total = 2 * comb(bots - 1, seats - 1) + 5
    blocks = flat(simulated([a_contest(bots, seats)], [total], GAUNTLET))
    assert total == len(blocks) == of_bots(blocks)[0]
    tables = Counter(tuple(sorted(block.bots)) for block in blocks)
    counts = {tables.pop((0, *others)) for others in combinations(range(1, bots), seats - 1)}
    assert not tables
    assert max(counts) - min(counts) <= 1


def test_a_gauntlet_is_over_when_its_bot_is_suspended_and_goes_on_when_it_is_on_probation():
    for known, over in ((KnownResults(suspended={0}), True), (KnownResults(on_probation={0}), False)):
        schedule = a_schedule([a_contest(4)], [400], GAUNTLET)
        schedule.next_epoch(), schedule.next_epoch(), schedule.next_epoch(known)
        assert over == schedule.over
        assert (40 if over else 60) == schedule.ends[-1]


def test_in_a_gauntlet_a_suspended_opponent_is_left_out():
    schedule = a_schedule([a_contest(4)], [400], GAUNTLET)
    assert {0, 1, 3} == set(of_bots(schedule.next_epoch(KnownResults(suspended={2}))))


@pytest.mark.parametrize(("had", "plays"), [(24, True), (25, False)])
def test_a_bot_on_probation_plays_until_it_has_its_minimum(had, plays):
    schedule = a_schedule([a_contest(4)], [400], ROUND_ROBIN, epoch=2 * had)
    assert {had} == {*of_bots(schedule.next_epoch()).values()}
    assert plays == (0 in of_bots(schedule.next_epoch(KnownResults(on_probation={0}))))


# -- what a round robin is made of


@pytest.mark.parametrize(("bots", "seats"), [(n, s) for s in (2, 3, 4) for n in range(s, 10)])
def test_a_cycle_of_the_round_robin_holds_every_table_once(bots, seats):
    cycle = comb(bots, seats)
    schedule = a_schedule([a_contest(bots, seats)], [2 * cycle], ROUND_ROBIN, epoch=cycle)
    for blocks in islice(iter(lambda: schedule.next_epoch(), None), 2):
        assert sorted(combinations(range(bots), seats)) == sorted(
            tuple(sorted(block.bots)) for block in blocks
        )


def test_a_schedule_that_is_closed_is_over_with_what_was_planned():
    schedule = a_schedule([a_contest(5)], [100])
    schedule.next_epoch()
    schedule.close([0])
    assert schedule.over
    assert 32 == schedule.count_planned()
