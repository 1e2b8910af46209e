"""The table of results/COST.md: measured cells, extrapolated ones, and what grows faster than it should."""

import re

import pytest
from programs.benchmark import cost_page
from programs.benchmark.cost_page import MEASURED, PAGE, CostTable

from ladder.dev.benchmark.figure import Figure, at_most


def a_table(asked=10_000_000, sizes=(1_000_000, 10_000_000), **costs):
    """Return a table of rows whose values at both sizes are *costs*; it may grow if its name says so."""
    table = CostTable(asked)
    for place, size in enumerate(sizes):
        table.sizes.append(size)
        for name, values in costs.items():
            unit = "MB" if "memory" in name else "s"
            table.add(
                name, values[place], unit, grows=name.startswith("linear"), aim=3 if name == "aim" else None
            )
    return table


def cells(table, name):
    (line,) = [line for line in table.lines() if line.startswith(f"| {name} |")]
    return [cell.strip() for cell in line.strip("|").split("|")][1:]


def test_a_cell_was_measured_or_says_that_it_is_extrapolated():
    table = a_table(linear=(10, 100), same_memory=(300, 300.4), slower=(1, 4), falls=(2, 1), aim=(1, 2))
    assert ["10 s", "100 s", "~17 min", "x10", ""] == cells(table, "linear")
    assert ["300 MB", "300 MB", "~300 MB", "x1", ""] == cells(table, "same_memory")
    assert ["1.0 s", "4.0 s", "~34 s", "x4", ""] == cells(table, "slower")
    assert ["2.0 s", "1.0 s", "~1.0 s", "x0.5", ""] == cells(table, "falls")
    assert ["1.0 s", "2.0 s", "~12 s", "x2", "3 s"] == cells(table, "aim")


def test_beyond_the_line_where_it_grows_faster_than_the_matches():
    assert "~28 h" == cells(a_table(linear=(10, 1000)), "linear")[2]


def test_what_grows_faster_than_it_should_is_named_and_what_misses_its_aim():
    table = a_table(
        linear=(1, 14), linear_2=(1, 16), same=(1, 1.4), same_2=(1, 1.6), tiny=(0.001, 0.1), aim=(3, 4)
    )
    fast = ["Grows faster than it should:", "", "- linear_2: time", "- same_2: time", ""]
    assert [*fast, "Above its aim:", "", "- aim: time"] == [*table.lines()][-8:]
    found = [*a_table(same_memory=(1000, 1019), grown_memory=(100, 151)).lines()]
    assert ["- grown_memory: memory", "", "Above its aim: nothing."] == found[-3:]
    assert "Grows faster than it should: nothing." in [*a_table(linear=(1, 10)).lines()]


def test_where_the_disk_was_too_small_it_says_how_many_were_measured():
    said = " ".join(a_table(sizes=(300_000, 3_000_000), linear=(1, 10)).lines())
    few = "\n".join(a_table(20_000, (2_000, 20_000), linear=(1, 10)).lines())
    assert "| | 2,000 | 20,000 | 1 million | growth from 2,000 on |" in few
    assert "The disk had room for 3 million matches." in said
    assert "| | 300,000 | 3 million | 10 million | 100 million |" in said
    assert "had room" not in "\n".join(a_table(linear=(1, 10)).lines())


def test_figures_have_the_aims_of_their_rows():
    table = CostTable(20_000)
    table.sizes.append(2_000)
    assert at_most("reading: time", 2.0, "s", 3) == table.add("reading", 2.0, "s", aim=3)
    assert Figure("reading: memory", 40.0, "MB") == table.add("reading", 40.0, "MB")


def test_the_page_takes_the_table_and_nothing_else_changes(tmp_path, monkeypatch):
    copy = tmp_path / "COST.md"
    copy.write_text(PAGE.read_text("utf-8"), "utf-8")
    monkeypatch.setattr(cost_page, "PAGE", copy)
    for seconds in (5, 7):
        a_table(linear=(seconds, 10 * seconds)).write()
        assert f"| linear | {seconds}.0 s | {10 * seconds} s |" in copy.read_text("utf-8")
    emptied = [MEASURED.sub(r"\1\2", page.read_text("utf-8")) for page in (PAGE, copy)]
    assert emptied[0] == emptied[1]
    assert "| linear | 5.0 s" not in copy.read_text("utf-8")


@pytest.mark.parametrize("kept", ["cores of", "Python 3", "build"])
def test_it_says_on_which_machine(kept):
    assert re.search(kept, cost_page.describe_machine())
