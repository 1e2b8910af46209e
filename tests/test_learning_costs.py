"""The program that writes the table of costs into bots/SEARCH.md."""

from programs import learning_costs
from support.documents import PAGES, rows, section

from engines import GAMES

PAGE = PAGES["bots/SEARCH.md"]


def test_a_row_has_a_cost_for_each_step_of_the_game():
    row = learning_costs.row_of("stella-quest", 2, positions=2, rounds=1)
    name, columns, *costs = [cell.strip() for cell in row.strip("|").split("|")]
    assert ("stella-quest 2", "2,001", len(learning_costs.STEPS)) == (name, columns, len(costs))
    assert all(float(cost) >= 0 for cost in costs)
    stella = learning_costs.row_of("stella", 4, positions=2, rounds=1)
    assert stella.endswith("| - | - |"), "it has no judge"


def test_the_page_has_the_table_that_the_program_writes():
    told = section(PAGE, "Many at once")
    cells = rows(told)
    tables = learning_costs.TABLES
    assert [f"{name} {seats}" for name, seats in tables] == [row[0] for row in cells]
    assert [f"{len(GAMES[name].columns(seats)):,}" for name, seats in tables] == [row[1] for row in cells]
    lines = [f"| {' | '.join(row)} |" for row in cells]
    machine = PAGE.partition("\n\nMeasured on ")[2].partition(".\n\n")[0]
    assert PAGE == learning_costs.replaced(PAGE, lines, machine)
