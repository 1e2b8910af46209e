"""How sure a tournament is: what is told before and after it holds in made-up fields with known skills."""

import math
import time
from collections import Counter
from fractions import Fraction
from random import Random
from types import SimpleNamespace

import pytest
from support.draws import times
from support.full import gate_or_full
from support.skill_worlds import bots_named
from support.tournaments import a_form, begin, hold, play

from ladder.pairing.pairing import PairedRound, UnpairedRound
from ladder.pairing.stages import FORMS
from ladder.run.tournament.certainty import (
    Certainty,
    Chance,
    SkillBelief,
    _count_wrong,
    find_certainty,
    pair_plainly,
)
from ladder.run.tournament.event_words import tell_chance
from ladder.run.tournament.forecast import (
    SPREADS,
    TableScores,
    believe,
    believe_best,
    scores_of_tables,
    warn_of_meetings,
)

KINDS = [  # stages, entrants, seats, blocks
    ("swiss:4", 12, 4, 2),
    ("swiss", 9, 2, 4),
    ("knockout:8", 8, 2, 3),
    ("double-knockout:6", 6, 2, 3),
    ("groups:2,2+knockout:4", 10, 2, 3),
    ("round-robin+final:4,6", 7, 4, 2),
]


def a_field(entrants, luck):
    """Beliefs of which some are vague; seeds follow the means, as in a tournament."""
    field = [SkillBelief(luck.gauss(25, 4), luck.choice([1.0, 2.5, 25 / 3])) for _ in range(entrants)]
    return sorted(field, key=lambda belief: -belief.mu)


def check_shares(told, number, least):
    """Fail unless, by tenths of what was *told*, events came true as often, within 3.5 standard errors."""
    tenths = {}
    for part, is_true in told:
        tenths.setdefault(min(9, int(10 * part)), []).append((part, is_true))
    assert number == len(told)
    checked = 0
    for group in [*tenths.values(), told]:
        if len(group) >= least:
            expected = sum(part for part, _ in group)
            noise = math.sqrt(sum(part * (1 - part) + 0.02**2 for part, _ in group))
            assert abs(sum(is_true for _, is_true in group) - expected) <= 3.5 * noise, (group[0], len(group))
            checked += 1
    assert checked > 1


def tell_afterwards(count, seed):
    luck, told = Random(seed), []
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        field = a_field(kind[1], luck)
        event, winner, best, _ = hold(kind, field, luck)
        tables = [*scores_of_tables(event.report())]
        part = believe_best(a_form(kind[0], *kind[2:]), field, tables, winner, number).part
        told.append((part, winner == best))
    return told


@times(24, gate_or_full(240, 1500))
def test_the_winner_is_the_best_as_often_as_told_afterwards(number):
    check_shares(tell_afterwards(number, 1), number, least=min(25, number // 4))


def count_best(kind, field, times, luck):
    return sum(winner == best for _, winner, best, _ in (hold(kind, field, luck) for _ in range(times)))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind[0])
@pytest.mark.slow
def test_the_best_wins_as_often_as_told_before(kind):
    luck, times = Random(str(kind)), gate_or_full(75, 400)
    field = a_field(kind[1], luck)
    told = find_certainty(a_form(kind[0], *kind[2:]), field).best_wins
    came = count_best(kind, field, times, luck) / times
    error = math.hypot(told.error, math.sqrt(told.part * (1 - told.part) / times))
    assert abs(told.part - came) <= 3.5 * error + 0.02


def test_the_best_wins_a_small_event_as_often_as_told_before():
    kind, luck = ("knockout:4", 4, 2, 2), Random(5)
    field = [SkillBelief(25, 3)] * 4
    told = find_certainty(a_form("knockout:4", 2, 2), field).best_wins
    came = count_best(kind, field, 200, luck) / 200
    assert abs(told.part - came) <= 3.5 * math.hypot(told.error, math.sqrt(0.25 / 200))


@pytest.mark.parametrize("stages", ["knockout:4", "knockout:4+final:2,5"])
def test_those_whom_no_stage_takes_have_the_last_place(stages):
    field = [SkillBelief(mu, 0.001) for mu in (35, 30, 25, 20, 15, 60)]
    told = find_certainty(a_form(stages, 2, 20), field)
    assert 0.0 == told.best_wins.part, "the best is not in it"
    assert 1.0 == told.run_names.part


def test_the_same_seed_tells_the_same():
    form, field = a_form("knockout:4", 2, 3), [SkillBelief(25, 8)] * 4
    assert find_certainty(form, field) == find_certainty(form, field)
    assert find_certainty(form, field, 1) != find_certainty(form, field, 2)


def test_a_field_of_equals_is_a_lottery_and_a_giant_wins():
    form = a_form("knockout:8", 2, 4)
    equals = find_certainty(form, [SkillBelief(25, 0.001)] * 8).best_wins
    assert abs(equals.part - 1 / 8) < 5 * equals.error
    giant = find_certainty(form, [SkillBelief(60, 1), *[SkillBelief(25, 1)] * 7]).best_wins
    assert giant.part == 1.0
    assert 0 < giant.error < 0.01, "simulations never prove that something always holds"


@pytest.mark.parametrize("stage", [example for _, example, _ in FORMS.values()])
def test_a_giant_of_the_lowest_seed_wins_each_stage_in_which_it_plays(stage):
    """A stage whose simulation is left out would hand on the order of the seeds."""
    seats, takes = (4, 4) if stage.startswith("final") else (2, 8)
    field = [*[SkillBelief(25, 0.1)] * (takes - 1), SkillBelief(90, 0.1)]
    assert find_certainty(a_form(stage, seats, 30), field).best_wins.part == 1.0


def test_plain_pairs_are_neighbours_that_have_not_met():
    scores = {entrant: Fraction(8 - entrant, 8) for entrant in range(7)}
    met = Counter({(0, 1): 1, (2, 3): 2, (5, 6): 1})
    paired = pair_plainly(UnpairedRound(range(7), scores, met, [""] * 7, Counter({6: 1}), (2,), 2, Random(1)))
    assert (((0, 2), (1, 3), (4, 6)), (5,)) == (paired.tables, paired.byes)


def test_a_tournament_pairs_its_rounds_as_it_is_told():
    def worst_with_best(asked):
        standing = asked.standing
        half = len(standing) // 2
        return PairedRound(tuple(zip(standing[:half], standing[: -half - 1 : -1], strict=True)), ())

    event = begin("swiss:2", 6, pair=worst_with_best)
    assert [(0, 5), (1, 4), (2, 3)] == [due.entrants for due in event.due()]


def test_more_deals_make_it_surer():
    field = [SkillBelief(25, 2)] * 8
    parts = [find_certainty(a_form("knockout:8", 2, blocks), field).best_wins.part for blocks in (1, 20, 400)]
    assert sorted(parts) == parts
    assert parts[0] + 0.2 < parts[2]


def test_without_results_the_ratings_alone_speak():
    form = a_form("knockout:4", 2, 2)
    told = believe_best(form, [SkillBelief(25, 3)] * 4, [], 0)
    assert abs(told.part - 1 / 4) < 5 * told.error


def test_a_bot_that_won_little_is_not_surely_the_best():
    """One block of two matches says little, whoever wins it."""
    form, field = a_form("knockout:2", 2, 1), [SkillBelief(25, 3), SkillBelief(25, 3)]
    once = believe_best(form, field, [TableScores((0, 1), (1.0, 0.0), 1)], 0).part
    often = believe_best(form, field, [TableScores((0, 1), (1.0, 0.0), 50)], 0).part
    assert 0.6 < once < 0.95 < often
    loser = believe_best(form, field, [TableScores((0, 1), (1.0, 0.0), 1)], 1).part
    assert abs(once + loser - 1) < 0.05


@pytest.mark.parametrize(
    ("stages", "entrants", "seats"),
    [
        ("round-robin", 60, 2),
        *(pytest.param(*each, marks=pytest.mark.slow) for each in (("swiss", 33, 4), ("swiss", 100, 6))),
        pytest.param("swiss:9+double-knockout:32", 200, 2, marks=pytest.mark.slow),
    ],
)
def test_large_fields_take_fewer_simulations(stages, entrants, seats):
    """Ten times what it takes on an idle core, for others may be busy on it."""
    before = time.process_time()
    told = find_certainty(a_form(stages, seats, 4), [SkillBelief(25, 4)] * entrants).best_wins
    assert time.process_time() - before < 10
    assert told.error < 0.1


@pytest.mark.parametrize(
    ("stages", "entrants", "sizes", "seats", "most"),
    [
        ("swiss:4", 24, (2, 3, 4), 4, None),
        ("swiss:8", 24, (2, 3, 4), 4, 7),
        ("swiss", 8, (2, 3, 4), 4, 1),
        ("swiss:5", 5, (2,), 2, None),
        ("swiss:6", 6, (2,), 2, 5),
        ("groups:2,2+swiss:4", 10, (2,), 2, 3),
        ("swiss:2", 7, (3, 4), 4, 1),
        ("swiss:5", 16, (2, 3, 4), 4, None),
        ("swiss", 16, (2, 3, 4), 4, 5),
    ],
)
def test_a_swiss_in_which_some_must_meet_again_is_told(stages, entrants, sizes, seats, most):
    event = begin(stages, entrants, sizes, seats, round_blocks=1)
    play(event)
    warnings = warn_of_meetings(event)
    assert (most is not None) == bool(warnings)
    if most is not None:
        assert f"some must meet again: {entrants if stages != 'groups:2,2+swiss:4' else 4} " in warnings[0]
        assert f"can play {most} round" in warnings[0]
    assert (most is not None) == any(
        note.kind == "again" for stage in event.report() for each in stage.rounds for note in each.notes
    )


def test_a_swiss_for_which_no_schedule_was_found_is_told():
    """Twelve at threes meet 10 others in five rounds, but there is no such schedule."""
    event = begin("swiss:5", 12, (3, 4), 3, round_blocks=1)
    play(event)
    (warning,) = warn_of_meetings(event)
    assert warning == (
        "some may meet again: 12 bots at tables of 3 had, in a rehearsal, 4 rounds without second meetings,"
        " not 5"
    )


# -- bots without ratings, and an ordinary run


@pytest.mark.parametrize("rated", range(5))
def test_with_less_than_half_of_the_ratings_each_spread_is_a_field(rated):
    """What is known stays, whatever the others are."""
    bots = bots_named(4)
    known = {bots[at]: SkillBelief(25 + at, 1.0 + at) for at in range(rated)}
    fit = SimpleNamespace(spread=SimpleNamespace(deviation=3.0))
    home = SimpleNamespace(standings=known, fit=fit) if rated else None
    plain = believe(bots, home)
    for spread in SPREADS:
        field = believe(bots, home, spread)
        assert plain[:rated] == field[:rated]
        assert {spread} == {belief.sigma for belief in field[rated:]} or rated == 4


def test_a_range_of_more_than_40_points_is_not_told():
    ends = [Certainty(0.3, 0.02), Certainty(0.5, 0.01), Certainty(0.7, 0.01)]
    assert {"part": None, "error": 0.02, "low": 0.3, "high": 0.7} == Chance.over(ends).as_json()
    assert Chance.over([*ends, Certainty(0.71, 0.01)]) is None
    assert {"part": 0.5, "error": 0.01} == Chance.over(ends[1:2]).as_json()


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (0.7512, 0.7512, "75 %"),
        (0.45, 0.7, "45 to 70 %"),
        (0.995, 0.999, "more than 99 %"),
        (0, 0, "less than 1 %"),
    ],
)
def test_a_chance_is_told_no_surer_than_it_is(low, high, words):
    assert words == tell_chance(Chance(low, high, 0.01))


def test_a_run_of_more_matches_names_the_best_more_often():
    field, form = [SkillBelief(25, 4)] * 8, a_form("knockout:8", 2, 2)
    parts = [find_certainty(form, field, matches=matches).run_names.part for matches in (8, 80, 8000)]
    assert sorted(parts) == parts
    assert parts[0] + 0.3 < parts[2]


def test_pairs_in_the_wrong_order_count_once_and_equal_ones_half():
    assert 0 == _count_wrong([1, 2, 3])
    assert 3 == _count_wrong([3, 2, 1])
    assert 1.5 == _count_wrong([1, 1, 1])
