"""A tournament is a function of seeds and results."""
# the expected value stands on the left, in every test

import re
from fractions import Fraction
from random import Random

import pytest
from support.tournaments import begin, by_chance, by_seed, noisily, play

from ladder.errors import UsageProblem
from ladder.pairing.notes import tell_note

EVENTS = [
    ("swiss:5+knockout:8", 24, (2,), 2),
    ("swiss", 9, (2,), 2),
    ("swiss:3+final:4,3", 9, (2, 3, 4), 4),
    ("swiss:4", 7, (4,), 4),
    ("round-robin", 7, (2,), 2),
    ("round-robin+knockout:4", 10, (2, 3, 4), 4),
    ("groups:4,2+double-knockout:8", 21, (2,), 2),
    ("groups:2,2+swiss:2+final:2,5", 9, (2, 3), 3),
    ("knockout:33+knockout:4", 33, range(2, 7), 6),
]


def state_of(event):
    return event.report(), event.standing(), event.due(), event.over


@pytest.mark.parametrize("stages", ["swiss:2", "knockout:4", "round-robin"])
def test_before_the_first_result_no_place_is_decided(stages):
    event = begin(stages, 4)
    assert [(1, True)] * 4 == [(each.place, each.is_open) for each in event.standing()]
    play(event)
    assert not any(each.is_open for each in event.standing())


@pytest.mark.parametrize(("stages", "entrants", "sizes", "seats"), EVENTS)
def test_an_event_ends_with_every_entrant_placed_once(stages, entrants, sizes, seats):
    event = begin(stages, entrants, sizes, seats)
    assert not event.over
    play(event, noisily)
    assert list(range(entrants)) == sorted(place.entrant for place in event.standing())
    assert sorted(place.place for place in event.standing()) == [p.place for p in event.standing()]
    names = [table.name for stage in event.report() for r in stage.rounds for table in r.tables]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(("stages", "entrants", "sizes", "seats"), EVENTS)
def test_the_order_of_different_tables_does_not_matter(stages, entrants, sizes, seats):
    """Two tournaments hear the same blocks, one of them in another order; both are always in one state."""
    one, other = begin(stages, entrants, sizes, seats), begin(stages, entrants, sizes, seats)
    luck, shuffle = Random(stages), Random(1)
    while not one.over:
        assert state_of(one) == state_of(other)
        blocks = [
            (table.table, by_chance(table.entrants, luck)) for table in one.due() for _ in range(table.blocks)
        ]
        for block in blocks:
            assert one.hear(*block)
        waiting = {name: [block for block in blocks if block[0] == name] for name, _ in blocks}
        while waiting:
            name = shuffle.choice(sorted(waiting))
            assert other.hear(*waiting[name].pop(0))
            if not waiting[name]:
                del waiting[name]
    assert state_of(one) == state_of(other)


def count_blocks(event, table):
    """Return how many blocks *table* has had."""
    rounds = [each for stage in event.report() for each in stage.rounds]
    return next(found.blocks for each in rounds for found in each.tables if found.name == table)


def test_blocks_under_way_are_never_more_than_are_due():
    event = begin("knockout:8", 8, series_blocks=9)
    luck = Random(3)
    while not event.over:
        table = event.due()[0]
        before = count_blocks(event, table.table)
        for heard in range(table.blocks):
            now = [due for due in event.due() if due.table == table.table]
            assert now[0].blocks >= table.blocks - heard
            assert before + heard == count_blocks(event, table.table)
            event.hear(table.table, by_chance(table.entrants, luck))


def test_a_tie_is_played_on_by_single_blocks_and_then_the_better_seed_goes_on():
    event = begin("knockout:2", 2, series_blocks=3, extra_blocks=2)
    tie = [[1, 1], [1, 1]]
    due = []
    while not event.over:
        due.append(event.due()[0].blocks)
        for _ in range(due[-1]):
            event.hear("knockout/final", tie)
    assert [2, 1, 1, 1] == due
    assert [0, 1] == [place.entrant for place in event.standing()]
    (note,) = event.report()[0].rounds[0].tables[0].notes
    assert "a and b were equal at the end: the better seed goes on." == tell_note(note, "ab".__getitem__)


def test_a_tie_ends_with_the_first_block_that_decides():
    event = begin("knockout:2", 2, series_blocks=1, extra_blocks=5)
    event.hear("knockout/final", [[1, 2], [2, 1]])
    assert not event.over
    event.hear("knockout/final", [[2, 1], [1, 1]])
    assert event.over
    assert 1 == event.standing()[0].entrant
    assert () == event.report()[0].rounds[0].tables[0].notes


def test_a_decided_table_counts_no_more_blocks():
    event = begin("knockout:4", 4, series_blocks=1)
    assert event.hear("knockout/semifinal/1", by_seed((0, 3), Random()))
    assert not event.hear("knockout/semifinal/1", [[2, 1], [2, 1]])
    assert ["knockout/semifinal/2"] == [table.table for table in event.due()]


def test_a_bye_scores_half_and_is_told():
    event = begin("swiss:1", 3)
    play(event)
    (played,) = event.report()[0].rounds
    assert (2,) == played.byes
    assert ["c sits out."] == [tell_note(note, "abc".__getitem__) for note in played.notes]
    assert [(0, Fraction(1)), (2, Fraction(1, 2)), (1, Fraction(0))] == [
        (row.entrant, row.score) for row in event.report()[0].rows
    ]


@pytest.mark.parametrize("stage", ["swiss:2", "round-robin"])
def test_a_bye_counts_when_its_round_ends(stage):
    event = begin(stage, 5, round_blocks=1)
    while not event.over:
        (report,) = event.report()
        resting = [entrant for each in report.rounds if each.is_over for entrant in each.byes]
        tables = [table for each in report.rounds for table in each.tables if table.blocks]
        # each table shares out one point, each bye half of one
        assert len(tables) + Fraction(len(resting), 2) == sum(row.score for row in report.rows)
        assert sorted(resting) == sorted(row.entrant for row in report.rows for _ in range(row.byes))
        due = event.due()[0]
        event.hear(due.table, by_seed(due.entrants, Random(0)))
    assert {1 if stage == "round-robin" else 0, 1} == {row.byes for row in event.report()[0].rows}


def test_second_meetings_and_equal_authors_are_told():
    event = begin("swiss:4", 4, authors=["ada", "ada", "", ""])
    play(event, by_chance)
    kinds = [{note.kind for note in played.notes} for played in event.report()[0].rounds]
    assert [set(), set(), {"authors"}, {"again"}] == kinds


def test_a_bot_that_cannot_start_forfeits_its_series():
    event = begin("knockout:4", 4)
    event.forfeit("knockout/semifinal/1", 0)
    assert ["knockout/semifinal/2"] == [table.table for table in event.due()]
    play(event)
    assert 1 == event.standing()[0].entrant
    assert ["forfeit"] == [note.kind for note in event.report()[0].rounds[0].tables[0].notes]


def test_the_opponent_wins_all_blocks_that_a_forfeit_leaves():
    event = begin("swiss:1", 2, round_blocks=4)
    event.hear("swiss/1/1", [[2, 1], [2, 1]])
    event.forfeit("swiss/1/1", 1)
    assert event.over
    assert [Fraction(3, 4), Fraction(1, 4)] == [row.score for row in event.report()[0].rows]


def test_the_tables_of_a_banned_bot_are_byes():
    event = begin("knockout:8", 8)
    event.ban(0)
    assert 3 == len(event.due())
    for table in event.due():
        for _ in range(table.blocks):
            event.hear(table.table, by_seed(table.entrants, Random()))
    event.ban(3)  # it has won, and would meet the one that had no opponent
    assert ["knockout/semifinal/2"] == [table.table for table in event.due()]
    play(event)
    assert [1, 7] == [place.entrant for place in event.standing()[:2]]


@pytest.mark.parametrize(("stages", "entrants", "sizes", "seats"), EVENTS)
def test_events_end_whoever_is_banned(stages, entrants, sizes, seats):
    for seed in range(6):
        event = begin(stages, entrants, sizes, seats)
        luck, left = Random(f"{stages}/{seed}"), entrants
        while not event.over:
            if left and luck.random() < 0.05 * (seed + 1):
                event.ban(luck.randrange(entrants))
                left -= 1
            if due := event.due():
                table = luck.choice(due)
                event.hear(table.table, by_chance(table.entrants, luck))
        assert list(range(entrants)) == sorted(place.entrant for place in event.standing())


def test_others_play_on_at_a_smaller_table():
    event = begin("final:4,3", 4, (2, 3, 4), 4)
    event.hear("final/table", [[4, 1, 2, 3]] * 4)
    event.ban(1)
    assert (0, 2, 3) == event.due()[0].entrants
    event.hear("final/table", [[4, 1, 2, 3]] * 4, entrants=(0, 1, 2, 3))  # was under way
    while not event.over:
        event.hear("final/table", [[3, 1, 2]] * 3)
    assert [2, 3, 0, 1] == [place.entrant for place in event.standing()]


def test_too_few_for_a_table_of_the_game_are_told():
    event = begin("final:4,3", 4, (4,), 4)
    event.hear("final/table", [[4, 1, 2, 3]] * 4)
    event.ban(1)
    assert event.over
    assert [2, 3, 0, 1] == [place.entrant for place in event.standing()]
    assert ["banned", "unplayed"] == [note.kind for note in event.report()[0].rounds[0].tables[0].notes]


def test_a_bracket_is_there_before_it_is_played():
    event = begin("knockout:4", 4)
    final = event.report()[0].rounds[1].tables[0]
    assert (None, None) == final.entrants
    assert (("knockout/semifinal/1", 0), ("knockout/semifinal/2", 0)) == final.sources
    assert (("seed", 0), ("seed", 3)) == event.report()[0].rounds[0].tables[0].sources


def test_stages_of_one_kind_have_names_of_their_own():
    event = begin("swiss:1+swiss:1", 4)
    play(event)
    assert ["swiss", "swiss-2"] == [stage.name for stage in event.report()]


def test_the_secret_decides_whom_the_first_round_brings_together():
    first = [begin("swiss", 16, luck=lambda name, s=s: Random(f"{s}/{name}")).due() for s in range(3)]
    assert 3 == len({tuple(table.entrants for table in due) for due in first})


@pytest.mark.parametrize(
    ("table", "places", "message"),
    [
        ("swiss/2/1", [[1, 2]], "no table 'swiss/2/1'"),
        ("swiss/1/1", [], "got none"),
        ("swiss/1/1", [[1, 2, 3]], "2 entrants"),
        ("swiss/1/1", [[1, 3]], "such as (1, 2)"),
        ("swiss/1/1", [[0, 1]], "such as (1, 2)"),
    ],
)
def test_a_result_that_cannot_be_is_refused(table, places, message):
    event = begin("swiss:2", 2)
    with pytest.raises(ValueError, match=re.escape(message)):
        event.hear(table, places)
    with pytest.raises(ValueError, match="does not sit"):
        event.forfeit("swiss/1/1", 2)


def test_stages_that_do_not_fit_begin_no_event():
    with pytest.raises(UsageProblem):
        begin("knockout:8", 4)
