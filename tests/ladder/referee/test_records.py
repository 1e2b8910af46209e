"""What is stored of a match that was not played: the rest of the records is tested with the matches."""

import time

from support.scripts import stage
from support.seating import good

from ladder.contest.blocks import matches_of
from ladder.referee.records import void_record


def test_a_void_match_says_when_it_was_left_out_and_who_would_have_played():
    with stage(good("a"), good("b")) as play:
        scheduled, _ = matches_of(play.block(3), play.contest)
        before_us = time.time_ns() // 1000
        stored = void_record(1, "none", play.rules.keys, scheduled, play.setup.bots)
        after_us = time.time_ns() // 1000
    assert before_us <= stored.started <= after_us, "microseconds since 1970"
    assert (True, 0, "[]", "") == (stored.void, stored.duration_us, stored.moves, stored.deal_digest)
    assert (1, 3, scheduled.match) == (stored.run, stored.block, stored.number)
    assert [("a", None, None), ("b", None, None)] == [(s.bot, s.rank, s.fault) for s in stored.seats]
