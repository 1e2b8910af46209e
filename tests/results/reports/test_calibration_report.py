"""What calibration found, in words and in numbers."""

import json

from support.counted import add_block
from support.recorded_blocks import counts_of
from support.worlds import two_seats

from engines.contract.texts import wide_lines
from results.rating.calibration import calibrate
from results.rating.outcomes import Counts
from results.rating.parameters import Parameters
from results.reports.calibration_report import (
    CALIBRATION,
    CURVE,
    calibration_row,
    curve_rows,
    remarks,
    title,
)
from results.reports.render import render


def calibrated(*meetings, held_out=()):
    return calibrate(counts_of(*meetings), counts_of(*held_out), Parameters(draw_probability={2: 0.02}))


def cycle():
    forth, back = "wwwl" * 50, "lllw" * 50
    return calibrated(("a", "b", forth), ("b", "c", forth), ("a", "c", back), held_out=(("a", "b", "wl"),))


def test_a_sure_cycle_is_named_and_warned_of():
    said = remarks(cycle(), {})
    assert "cycle: a beats b (75 %), b beats c (75 %), c beats a (75 %)" in said
    assert "warning: one rating per bot does not describe this game well" == said[-1]


def test_pairs_that_surely_deviate_are_named_with_what_the_ratings_say():
    said = remarks(cycle(), {})
    assert "a against b: 75 % in 202 meetings, the ratings say 50 %" in said
    assert any(
        line.startswith("misfit: 2") and line.endswith(" points of win rate, beyond chance") for line in said
    )


def test_of_pairs_that_may_be_chance_only_the_worst_is_named():
    said = remarks(calibrated(("a", "b", "wlwwlw"), ("b", "c", "wwlwll"), ("a", "c", "llwllw")), {})
    assert "misfit: none beyond chance" in said
    assert 1 == sum("(may be chance)" in line for line in said)
    assert "no sure cycle of three bots" == said[-1]


def test_what_is_as_the_ratings_say_is_not_named_and_two_bots_make_no_cycle():
    said = remarks(calibrated(("a", "b", "wlwwlw")), {})
    assert not any("(may be chance)" in line or "cycle" in line for line in said)


def test_versions_of_one_name_are_told_apart():
    counts = Counts()
    add_block(counts, [two_seats(("a", "first"), ("a", "second"), 0) for _ in range(2)])
    found = calibrate(counts, Counts(), Parameters())
    numbers = {("a", "first"): 1, ("a", "second"): 2}
    assert any(line.startswith("a@1 against a@2: 100 %") for line in remarks(found, numbers))


def test_meetings_that_are_left_out_are_counted():
    found = calibrated(("a", "b", "wl"), held_out=(("a", "new", "ww"),))
    assert "2 meetings are left out: no other match compares these bots" in remarks(found, {})
    assert "stellar  4 matches, of which 2 are predicted from the others" == title("stellar", found)


def test_the_curve_for_people_has_percentages_and_fits_80_columns():
    held_out = (("a", "b", "wwwwwwwl"), ("b", "c", "wdll"))
    found = calibrated(("a", "b", "wwwwwwwl"), ("b", "c", "wlwlwl"), held_out=held_out)
    table = render(curve_rows(found), CURVE, "table")
    assert [] == wide_lines(table.splitlines(), 80)
    assert "50-60 %" in table
    assert "25.0" in table


def test_rows_for_programs_are_numbers():
    row = calibration_row("stellar", cycle())
    assert [column.key for column in CALIBRATION] == list(row)
    assert row == json.loads(json.dumps(row))
    assert 602 == row["matches"]
    assert 2 == row["predicted"]
    assert row["is_wrong"] is True
    assert [{"bot": "a", "version": "1"}, {"bot": "b", "version": "1"}, {"bot": "c", "version": "1"}] == row[
        "cycles"
    ][0]["bots"]
    assert {"a", "b", "c"} == {pair["bot"] for pair in row["pairs"]} | {
        pair["rival"] for pair in row["pairs"]
    }
