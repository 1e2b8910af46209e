"""A test of width says which line is too wide, and by how much."""

from engines.contract.wide_lines import wide_lines


def test_a_line_that_is_too_wide_is_told_with_its_number_and_its_columns() -> None:
    assert ["line 2 has 6 columns, 1 too many: '123456'"] == wide_lines("12345\n123456\n", 5)
    assert [] == wide_lines(["12345", ""], 5)
