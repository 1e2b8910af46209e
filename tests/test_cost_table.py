"""The table that the gate prints: what its steps and tests cost."""

import re
import sys
from pathlib import Path

import pytest
from programs import cost_table
from programs.cost_table import FOLDER, Session, main, narrate, read, write


def a_test(name, cpu, outcome="passed", why="", *marks):
    return cost_table.TestCost(
        test=name, marks=[*marks], outcome=outcome, why=why, user=cpu, system=1.0, wall=cpu
    )


def test_the_table_has_a_row_for_each_step_and_for_each_mark_in_it_then_their_sum():
    tests = [a_test("a", 1), a_test("b", 2), a_test("c", 3, "skipped", "no node", "tools", "slow")]
    steps = [
        Session(step="all tests", user=9, system=4, wall=20, tests=tests),
        Session(step="lint", user=1, system=0, wall=1, tests=[]),
    ]
    rows = [line.split(maxsplit=5) for line in narrate(steps)][1:6]
    assert ["3", "1", "9.0", "4.0", "20.0", "all tests"] == rows[0]
    assert ["2", "3.0", "2.0", "3.0", "fast"] == rows[1]
    assert ["1", "1", "3.0", "1.0", "3.0", "tools slow"] == rows[2]
    assert ["1.0", "0.0", "1.0", "lint"] == rows[3]
    assert ["3", "1", "10.0", "4.0", "21.0", "all"] == rows[4]


def test_the_twenty_dearest_tests_are_listed_then_each_reason_to_skip_on_one_line():
    skipped = [a_test("e", 0, "skipped", "no node:\n apt install nodejs") for _ in range(2)]
    tests = [*skipped, *(a_test(f"t{n}", n) for n in range(1, 26))]
    lines = list(narrate([Session(step="all", user=1, system=1, wall=1, tests=tests)]))
    assert [f"t{n}" for n in range(25, 5, -1)] == [line.split()[1] for line in lines[4:24]]
    assert "2  no node: apt install nodejs" == lines[-1].strip()


@pytest.mark.process
def test_a_step_is_stored_with_the_tests_that_pytest_stores_meanwhile_and_ends_as_its_command(
    tmp_path, capsys
):
    tmp_path.joinpath("of_pytest").mkdir()
    write(Session(step="pytest", user=5, system=5, wall=5, tests=[a_test("a", 1)]), tmp_path / "of_pytest")
    command = f"cp {tmp_path}/of_pytest/*.json ${FOLDER} && exit 3"
    assert 3 == main(["run", str(tmp_path), "step", "sh", "-c", command])
    (session,) = read(tmp_path)
    assert ("step: exit code 3", ["a"]) == (session["step"], [test["test"] for test in session["tests"]])
    assert 0 == main(["show", str(tmp_path)])
    assert "step: exit code 3" in capsys.readouterr().out
    assert 143 == main(["run", str(tmp_path), "step", "sh", "-c", "kill $$"]), "as of a shell"


def test_the_table_needs_nothing_but_python():
    program = Path(main.__code__.co_filename).read_text("utf-8")
    imported = re.findall(r"^(?:import|from) (\w+)", program, re.MULTILINE)
    assert {*imported} <= sys.stdlib_module_names
