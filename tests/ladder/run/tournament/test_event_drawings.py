"""What a terminal shows of a tournament: cross tables, drawn brackets and lists."""

import re
from random import Random

import pytest
from rich.cells import cell_len
from support.full import every
from support.tournaments import begin, by_seed, noisily, play

from ladder.run.tournament.table_lists import Drawing
from ladder.run.tournament.tournament_report import tell_now, tell_tournament


def an_event(stages, entrants, seats=2, blocks=None, results=by_seed, **more):
    """A tournament that has heard a number of *blocks*, or all."""
    event = begin(stages, entrants, (2,) if seats == 2 else range(2, 7), seats, **more)
    if blocks is None:
        play(event, results)
        return event
    luck = Random(1)
    for _ in range(blocks):
        if event.over:
            break
        due = event.due()[0]
        event.hear(due.table, results(due.entrants, luck))
    return event


def lines_of(event, names=None, width=80):
    names = names or [f"bot-{number}" for number in range(len(event.standing()))]
    return [*tell_tournament(event, Drawing(names, width, lambda text: f"*{text}*"))]


NAMES = {"long": "x" * 60, "wide": "名前" * 30, "short": "b"}
SOME = [("wide", 5, 2), ("long", 6, 4), ("short", 7, 6), ("wide", 9, 3), ("long", 24, 2), ("short", 33, 2)]
ALL = [
    (name, entrants, seats) for entrants in (5, 6, 7, 9, 24, 33) for seats in (2, 3, 4, 6) for name in NAMES
][:: every(2)]
"""Each second one in the gate, so that the names take turns."""


@pytest.mark.parametrize(
    ("name", "entrants", "seats"),
    [*SOME, *(pytest.param(*each, marks=pytest.mark.slow) for each in ALL if each not in SOME)],
)
def test_no_line_is_too_wide(name, entrants, seats):
    names = [f"{NAMES[name]}{number}" for number in range(entrants)]
    stages = ["swiss:3+knockout:{n}", "groups:2,2", "round-robin", "double-knockout:{n}", "final:2,3"]
    for text in stages if entrants < 20 else stages[::3]:
        for blocks in (0, 7, None):
            stage = text.format(n=entrants)
            event = an_event(stage, entrants, seats, blocks, noisily, round_blocks=1, series_blocks=1)
            told = [*tell_tournament(event, Drawing(names))]
            assert told
            assert [] == [line for line in told if cell_len(line) > 80], (stage, blocks)
            for height in (1, 5, 21):
                now = tell_now(event, names, 79, height)
                assert len(now) <= height
                assert [] == [line for line in now if cell_len(line) > 79], (stage, blocks)


DRAWN = """\
knockout
  quarter         semifinal       final
                  *bot-0     100*─┐
                                ├─*bot-0     100*
  *bot-3     100*─┐               │
                ├─bot-3       0─┘
  bot-4       0─┘

                  *bot-1     100*─┐
                                ├─bot-1       0
  *bot-2     100*─┐               │
                ├─bot-2       0─┘
  bot-5       0─┘
    bot-0 and bot-1 sit out.

  winner: *bot-0*
"""


def test_a_bracket_is_drawn():
    assert DRAWN.splitlines() == lines_of(an_event("knockout:6", 6))[:-1]


def test_what_is_not_known_yet_says_where_it_comes_from():
    lines = lines_of(an_event("knockout:4", 4, blocks=2, series_blocks=2))
    assert any("bot-3" in line for line in lines)
    assert any("winner of semifinal 2" in line or "(semifinal 2)" in line for line in lines)
    assert not any("winner:" in line for line in lines)
    assert "bot-0" in next(line for line in lines if "├" in line)


def test_a_series_in_play_says_how_many_deals_it_has_had():
    lines = lines_of(an_event("knockout:4", 4, blocks=1, series_blocks=9))
    assert "    semifinal 1: 1 deal so far" in lines


@pytest.mark.parametrize("entrants", [5, 6, 8, 12])
def test_all_who_play_stand_in_a_drawn_bracket_and_lines_join(entrants):
    """A line goes from each table to the seat of its winner: as many begin as end."""
    lines = lines_of(an_event(f"double-knockout:{entrants}", entrants, results=noisily))
    text = "\n".join(lines)
    for number in range(entrants):
        assert re.search(rf"bot-{number}\b", text)
    assert text.count("┐") == text.count("┘")
    assert text.count("├") == text.count("┐")
    upper, lower = (
        next(i for i, line in enumerate(lines) if f"{life} bracket" in line) for life in ("upper", "lower")
    )
    final = next(i for i, line in enumerate(lines) if line.strip().startswith("final"))
    assert upper < lower < final


def test_many_rounds_are_listed_before_those_that_are_drawn():
    lines = lines_of(an_event("knockout:33", 33), [f"a-long-name-{number}" for number in range(33)])
    text = "\n".join(lines)
    assert re.search(r"round-of-64\n +.*a-long-name-31 +100.*a-long-name-32 +0.*→ round-of-32 \d+", text)
    assert "round-of-16 " in next(line for line in lines if "quarter" in line and "final" in line)


def test_larger_tables_are_listed_with_arrows():
    lines = lines_of(an_event("knockout:8", 8, 4))
    first = lines.index("  round-1")
    seats = lines[first + 1 : first + 9]
    assert 4 == sum("→ final" in line for line in seats)
    assert all(("→" in line) == ("*" in line) for line in seats), "those who go on are emphasised"


def test_a_cross_table_has_what_each_won_against_each():
    lines = lines_of(an_event("round-robin", 4))
    rows = [line.replace("*", "").split() for line in lines[2:6]]
    assert ["1", "bot-0", "3.00", "3.00", "·", "100", "100", "100"] == rows[0]
    assert ["4", "bot-3", "0.00", "6.00", "0", "0", "0", "·"] == rows[3]


def test_more_entrants_or_seats_have_a_column_for_each_round():
    swiss = lines_of(an_event("swiss:2", 14))
    assert ["round", "score", "opp.", "1", "2"] == swiss[1].split()
    assert all(re.fullmatch(r"\d+:(0|100)", cell) for line in swiss[2:16] for cell in line.split()[-2:])
    four = lines_of(an_event("swiss:2", 8, 4, blocks=4))
    cells = [line.split()[-2:] for line in four[2:10]]
    assert {"1", "2"} == {cell.partition(":")[0] for row in cells for cell in row}
    assert {"-"} == {second.partition(":")[2] for _, second in cells}, "the second round is not played yet"
    assert any("2 (not played yet)" in line for line in four)


def test_byes_are_told():
    many = lines_of(an_event("swiss:2", 13))
    assert 2 == sum(line.split().count("bye") for line in many)
    few = lines_of(an_event("swiss:2", 5))
    assert 2 == sum(bool(re.fullmatch(r"  round [12]: bot-\d sits out\.", line)) for line in few)
    drawn = lines_of(an_event("knockout:9", 9))
    assert "    bot-0, bot-1, bot-2, bot-3, bot-4, bot-5 and 1 more sit out." in drawn


def test_a_long_name_is_cut_before_its_end():
    """Many names differ in that alone."""
    drawn = "\n".join(lines_of(an_event("knockout:8", 8), [f"{'x' * 40}-{number}" for number in range(8)]))
    assert set("01234567") == set(re.findall(r"x…x+-(\d) ", drawn))


def test_groups_have_a_table_each():
    lines = lines_of(an_event("groups:2,1", 6))
    assert ["group a", "group b"] == [line.strip() for line in lines if line.strip().startswith("group ")]


def test_the_tables_of_now_leave_room_for_the_standing():
    event = an_event("swiss:3", 24, blocks=30)
    now = tell_now(event, [f"bot-{number}" for number in range(24)], 79, 21)
    assert 21 == len(now)
    assert "swiss" == now[0]
    assert 2 == sum("more lines" in line for line in now)
    assert any(re.match(r" +1  bot-\d+ +\d\.\d\d", line) for line in now)
