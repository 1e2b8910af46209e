"""What a terminal shows of a tournament: cross tables, drawn brackets and lists."""

import re
from random import Random
from typing import get_args

import pytest
from rich.cells import cell_len
from support.full import every
from support.records import a_run
from support.tournaments import begin, by_seed, noisily, play

from ladder.run.tournament.drawn_bracket import draw_bracket
from ladder.run.tournament.event_document import event_document
from ladder.run.tournament.event_facts import EventFacts, EventState
from ladder.run.tournament.event_words import is_bracket
from ladder.run.tournament.table_lists import Drawing, tell_now
from results.record import Contest, RunSettings, TournamentTerms
from results.reports.as_markdown import as_markdown
from results.reports.document import Audience, Document, EventRef, Facts, Lines, Prose, Section, Table, Text
from results.reports.values_as_text import write


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
    return [
        line
        for stage in event.report()
        if is_bracket(stage)
        for line in draw_bracket(stage, Drawing(names, width, lambda text: f"*{text}*"))
    ]


SWISS = TournamentTerms("cup", "swiss", 2, 1, 1)


def document_of(event, audience="operator", terms=SWISS, **more):
    """Return the parts of what an audience sees of an event."""
    names = [f"bot-{number}" for number in range(len(event.standing()))]
    state = EventState(event.report(), event.standing(), event.over, {}, **more)
    run = a_run(settings=RunSettings(contests=(Contest("stellar", 2, {}, ()),)), secret=SECRET)
    facts = EventFacts("cup", "d1", "", run, terms, [(name, "1") for name in names], names, state, {})
    return event_document(facts, [Prose(name) for name in names], audience).parts


@pytest.mark.parametrize(
    ("stages", "deals"),
    [
        ("swiss:2+knockout:4", "34 for each table"),
        ("final:2,50", "50 for each table"),
        ("swiss:2+final:4,20", "34 for each table, 20 in the final"),
    ],
)
def test_the_deals_of_a_final_are_those_that_were_typed(stages, deals):
    terms = TournamentTerms("cup", stages, 2, 34, 34)
    (facts,) = find(Facts, document_of(begin("swiss:1", 4), terms=terms))
    assert ("deals", f"{deals}, each played from every seat") in facts.facts


def find(kind, parts):
    """Yield the parts of a kind, those inside sections too."""
    for part in parts:
        if isinstance(part, Section):
            yield from find(kind, part.parts)
        elif isinstance(part, kind):
            yield part


def tables_of(event):
    """Return the titles and the cells of each table of what an operator sees."""
    return [
        [
            [column.title for column in table.columns],
            *([cell(row, column) for column in table.columns] for row in table.rows),
        ]
        for table in find(Table, document_of(event))
    ]


def cell(row, column):
    return write((column.kind(row) if column.kind else row[column.key]) or "", str)


SECRET = "5ec7" * 8
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
            told = [line.replace("*", "") for line in lines_of(event, names)]
            assert told or not is_bracket(event.report()[-1])
            assert [] == [line for line in told if cell_len(line) > 80], (stage, blocks)
            for height in (1, 5, 21):
                now = tell_now(event, names, 79, height)
                assert len(now) <= height
                assert [] == [line for line in now if cell_len(line) > 79], (stage, blocks)


DRAWN = """\
  quarter         semifinal       final
                  *bot-0       2*─┐
                                ├─*bot-0       2*
  *bot-3       2*─┐               │
                ├─bot-3       0─┘
  bot-4       0─┘

                  *bot-1       2*─┐
                                ├─bot-1       0
  *bot-2       2*─┐               │
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
    assert re.search(r"round of 64\n +a-long-name-31 2 goes on, a-long-name-32 0 out\n", text)
    assert "round of 16 " in next(line for line in lines if "quarter" in line and "final" in line)


def test_larger_tables_are_listed_with_what_results_mean():
    lines = lines_of(an_event("knockout:8", 8, 4))
    first = lines.index("  round 1")
    told = "".join(lines[first + 1 : first + 3])
    assert 4 == told.count(" goes on") == told.count(" out")
    assert told.startswith("    1: bot-0 1st goes on, ")


def test_a_cross_table_has_what_each_won_against_each():
    heads, *rows = tables_of(an_event("round-robin", 4))[0]
    assert ["#", "bot", "score", "opponents", "1", "2", "3", "4"] == heads
    assert ["1", "bot-0", "3.00", "3.00", "", "2", "2", "2"] == rows[0]
    assert ["4", "bot-3", "0.00", "6.00", "0", "0", "0", ""] == rows[3]


def test_a_swiss_and_larger_tables_have_a_column_for_each_round():
    heads, *rows = tables_of(an_event("swiss:2", 14))[0]
    assert ["1", "2"] == heads[-2:]
    assert all(re.fullmatch(r"[02] v \d+", each) for row in rows for each in row[-2:])
    table, now = tables_of(an_event("swiss:2", 8, 4, blocks=4))
    cells = [row[-2:] for row in table[1:]]
    assert {"t1", "t2"} == {each.partition(" ")[2] for row in cells for each in row}
    assert {"…"} == {second.partition(" ")[0] for _, second in cells}, "the second round is not played yet"
    assert ["1", "2"] == [row[0] for row in now[1:] if row[0]], "its tables stand below"
    assert ["not begun"] * 2 == [row[-1] for row in now[1:] if row[-1]]


def test_byes_are_told():
    (table,) = tables_of(an_event("swiss:2", 13))
    assert 2 == sum(row.count("bye") for row in table)
    drawn = lines_of(an_event("knockout:9", 9))
    assert "    bot-0, bot-1, bot-2, bot-3, bot-4, bot-5 and 1 more sit out." in drawn


def test_a_note_of_a_table_names_its_round():
    event = an_event("swiss:6", 6, blocks=60)
    (lines,) = find(Lines, document_of(event))
    assert any(re.match("Round 6: bot-. and bot-. ", write(line, str)) for line in lines.lines)


def test_a_long_name_is_cut_before_its_end():
    """Many names differ in that alone."""
    drawn = "\n".join(lines_of(an_event("knockout:8", 8), [f"{'x' * 40}-{number}" for number in range(8)]))
    assert set("01234567") == set(re.findall(r"x…x+-(\d) ", drawn))


def test_groups_have_a_table_each():
    sections = [
        part
        for each in document_of(an_event("groups:2,1", 6))
        if isinstance(each, Section)
        for part in each.parts
    ]
    assert ["Group A", "Group B"] == [part.title for part in sections if isinstance(part, Section)]


@pytest.mark.parametrize("audience", get_args(Audience))
def test_nobody_sees_the_secret_and_of_a_hidden_one_all_see_that_more_is_hidden(audience):
    event = an_event("swiss:2+knockout:4", 6)
    shown = as_markdown(Document("cup", document_of(event, audience)), {})
    assert "winner: bot-0" in shown, "a bracket in letters"
    assert SECRET not in shown
    hidden = as_markdown(Document("cup", document_of(event, audience, is_hidden=True)), {})
    assert "This tournament is secret" in hidden
    assert "- matches: secret" in hidden


def test_pages_begin_with_the_last_stage_and_lead_to_rounds():
    event = an_event("swiss:2+knockout:4", 6)
    stages = {
        audience: [part.title for part in document_of(event, audience) if isinstance(part, Section)]
        for audience in ("operator", "public")
    }
    assert ["Swiss", "Knock-out", "Standing", "Terms"] == stages["operator"]
    assert ["Knock-out", "Swiss", "Standing", "Terms"] == stages["public"]
    refs = {
        word.at
        for text in find(Text, document_of(event, "public"))
        for word in text.words
        if isinstance(word, EventRef)
    }
    assert {"swiss/1", "swiss/2"} <= refs


def test_the_tables_of_now_leave_room_for_the_standing():
    event = an_event("swiss:3", 24, blocks=30)
    now = tell_now(event, [f"bot-{number}" for number in range(24)], 79, 21)
    assert 21 == len(now)
    assert "swiss" == now[0]
    assert 2 == sum("more lines" in line for line in now)
    assert any(re.match(r" +1  bot-\d+ +\d\.\d\d", line) for line in now)
