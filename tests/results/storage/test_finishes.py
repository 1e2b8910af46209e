"""What ratings need of matches: the same from blocks and from columns."""

from support.records import a_match

from results.record import Block
from results.storage.finishes import finishes_of, rows_of


def test_the_luck_of_a_match_is_that_of_its_first_seat_and_the_opposite_that_of_the_other():
    block = Block(0, [a_match(0, ranks=(2, 1), luck=5)], [])
    for rows in (rows_of(block), finishes_of([block]).rows()):
        assert {"alpha": 5, "beta": -5} == {row.bot[0]: row.luck for row in rows}
