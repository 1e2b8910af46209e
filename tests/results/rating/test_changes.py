"""A bot that changes is noticed, by its score less the expected one, in the halves of its matches."""

import random
from itertools import combinations

import pytest
from msgspec.structs import replace
from support.boards import tallied
from support.records import a_match, a_run
from support.skill_worlds import BETA

from results.rating import stretches
from results.rating.rated import rate
from results.rating.stretches import STRETCHES, Machines, Stretches
from results.rating.tally import MatchTotals
from results.record import Block
from results.reports.board_notes import board_notes
from results.reports.leaderboard import GameBoard
from results.storage.finishes import finishes_of

NAMES = "abcdef"


def blocks_played(rounds, learns=0.0, seed=1, seats=2):
    """Return blocks in which `a` becomes better by 2 *learns* from the first to the last."""
    rng = random.Random(seed)
    skill = {name: 25 + i / 2 for i, name in enumerate(NAMES)}
    tables = [table for _ in range(rounds) for table in combinations(NAMES, seats)]
    blocks = []
    for number, table in enumerate(tables):
        now = {**skill, "a": skill["a"] + learns * (2 * number / len(tables) - 1)}
        matches = []
        for rotation in range(seats):
            performance = {name: rng.gauss(now[name], BETA) for name in table}
            order = sorted(table, key=performance.__getitem__, reverse=True)
            ranks = [1 + order.index(name) for name in table]
            matches.append(a_match(seats * number + rotation, table, ranks, block=number, rotation=rotation))
        blocks.append(Block(number, matches, []))
    return blocks


def rated(blocks, parts=1):
    tally = MatchTotals()
    tally.begin(a_run())
    for part in range(parts):
        tally.add_finished(finishes_of(blocks[part::parts]))
    return rate(tally)["stellar"]


def notes_of(found, what):
    return [note.text for note in board_notes(GameBoard(found), {}) if what in note.text]


def test_a_bot_that_learns_is_named_alone_with_both_halves():
    found = rated(blocks_played(30, learns=8.0))
    (change,) = found.changes
    assert ("a", "a-1") == change.bot
    assert -0.35 < change.first < -0.1
    assert 0.1 < change.second < 0.35
    (note,) = notes_of(found, "all the time")
    fewer, more = f"{-100 * change.first:.0f}", f"{100 * change.second:.0f}"
    said = f"a wins {fewer} of 100 fewer than its rating says in its first {change.matches} matches"
    assert f"not the same all the time: {said}, {more} of 100 more later" == note
    assert 120 < change.matches < 180


def test_a_bot_that_becomes_weaker_is_named_at_tables_of_four_too():
    (change,) = rated(blocks_played(15, learns=-8.0, seats=4)).changes
    assert change.first > 0.1 > -0.1 > change.second


def test_bots_that_stay_as_they_are_are_not_named():
    found = [each for seed in range(4) for each in rated(blocks_played(12, seed=seed)).changes]
    assert [] == found


def test_few_matches_say_nothing():
    assert () == rated(blocks_played(1, learns=20.0)).changes


def test_what_is_found_does_not_depend_on_the_parts_in_which_blocks_are_counted():
    blocks = on_machines(blocks_played(30, learns=8.0), ["slowpoke", "tower"], slow=0.8)
    found = rated(blocks)
    assert found.changes
    assert found.machine_gaps
    assert found == rated(blocks, 7) == rate(tallied((a_run(), blocks)))["stellar"]


def test_a_stretch_begins_near_the_half_of_any_run():
    for blocks in (100, 500, 12_345, 5_000_000):
        nearest = min(STRETCHES, key=lambda start: abs(start - blocks / 2))
        assert 0.35 <= nearest / blocks <= 0.65


def test_of_many_runs_each_is_one_stretch_and_many_bots_are_not_kept(monkeypatch):
    monkeypatch.setattr(stretches, "MOST_RUNS", 2)
    found, bots = Stretches(), [("a", "1"), ("b", "1")]
    for run in (1, 2, 3):
        for stretch in (0, 1):
            found.add(run, 2, bots, [stretch, 0, 1, 5, 0, 2])
        assert (2 * run if run < 3 else 3) == len(found.in_order())
    assert [10, 0, 4] == found.in_order()[0][*bots, 2]
    assert [] == found.in_order(seats=3)
    monkeypatch.setattr(stretches, "MOST_BOTS", 2)
    found.add(4, 2, [("b", "1"), ("c", "1")], [0, 0, 1, 5, 0, 2])
    assert [] == found.in_order()


# -- machines


def on_machines(blocks, names, slow=None):
    """Return *blocks* played on machines by turns; on the first one, `a` loses all that it can by *slow*."""
    rng, found = random.Random(9), []
    for block in blocks:
        matches = []
        for match in block.matches:
            machine = names[rng.randrange(len(names))]
            seats = match.seats
            if slow and machine == names[0] and len(seats) == 2 and rng.random() < slow:
                ranks = {seat.bot: 2 if seat.bot == "a" else 1 for seat in seats}
                if "a" in ranks:
                    seats = [replace(seat, rank=ranks[seat.bot]) for seat in seats]
            matches.append(replace(match, machine=machine, seats=seats))
        found.append(Block(block.number, matches, []))
    return found


@pytest.mark.parametrize("names", [["slowpoke", "tower"], ["slowpoke", "tower", "attic", "cellar"]])
def test_a_bot_that_does_worse_on_one_machine_is_named_with_it(names):
    found = rated(on_machines(blocks_played(60), names, slow=0.8))
    (gap,) = found.machine_gaps
    assert (("a", "a-1"), "slowpoke" if names[2:] else gap.machine) == (gap.bot, gap.machine)
    there, elsewhere = (gap.there, gap.elsewhere) if gap.machine == "slowpoke" else (gap.elsewhere, gap.there)
    assert there < -0.05 < elsewhere
    (note,) = notes_of(found, "machines")
    assert note.startswith("not the same on all machines: a wins ")
    assert gap.machine in note
    public = board_notes(GameBoard(found), {}, audience="public")
    assert not [said for said, _ in public if "slowpoke" in said or "tower" in said]


def test_machines_that_play_alike_are_not_named():
    names = ["tower", "attic", "cellar"]
    found = [rated(on_machines(blocks_played(10, seed=seed), names)).machine_gaps for seed in range(4)]
    assert sum(map(bool, found)) <= 1


@pytest.mark.parametrize("names", [["tower"], [None], [None, "tower"]])
def test_of_one_machine_and_of_unknown_ones_nothing_is_said(names):
    assert () == rated(on_machines(blocks_played(20), names, slow=0.8)).machine_gaps


def test_of_many_machines_or_bots_nothing_is_kept(monkeypatch):
    monkeypatch.setattr(stretches, "MOST_MACHINES", 2)
    bots, found = [("a", "1"), ("b", "1")], Machines()
    found.add(2, bots, [("x", [0, 1, 5, 0, 2]), ("y", [0, 1, 1, 0, 0])])
    found.add(2, bots, [("x", [0, 1, 1, 1, 1])])
    assert {"x": [6, 1, 3], "y": [1, 0, 0]} == {name: at[*bots, 2] for name, at in found.by_name().items()}
    assert {} == found.by_name(seats=3)
    found.add(2, bots, [("z", [0, 1, 5, 0, 2])])
    assert {} == found.by_name()
