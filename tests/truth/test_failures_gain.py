"""Whether a bot that reports failures in the matches that it would lose gains by it.

The bot knows which these are: no bot that sees its own cards alone can choose better when to fail.  A sample
of deals; with LADDER_TRUTH=full 3,000.
"""

from functools import cache
from math import sqrt
from random import Random
from statistics import mean, stdev

import pytest
from support.scripts import Manners, say, stage
from support.seating import PATIENT, bot, good
from support.worlds import scale_count

OUTAGE_S = 300
ENDLESS = 1_000
AT_ONCE = 60
"""How many deals one stage plays: it has bounds for what never ends."""


class FailsWhenBehind(Manners):
    """Reports failures in the matches that its config names, before a share of its decisions."""

    failures = 0

    def act(self, act):
        draw = Random(f"{act['match']}/{act['step']}").random()
        is_hit = act["match"] in self.config["behind"] and draw < self.config["share"]
        if is_hit and self.failures < self.config["times"]:
            self.failures += 1
            yield say({"id": act["id"], "fail": "transport", "why": "429"})
        else:
            self.failures = 0
            yield say(self.answer(act))


@cache
def played(deals, share=0.0, times=0):
    """Return the matches of a duel; in those that the bot loses without failures it has some."""
    calm = played(deals) if share else []
    behind = [seat.name for match in calm for seat in match.seats if seat.bot == "fails" and not worth(match)]
    fails = bot("fails", config={"behind": behind, "share": share, "times": times})
    # a run has six times the time of a match: enough for all, but where it is to run out
    outage_s = OUTAGE_S if times >= ENDLESS else OUTAGE_S * AT_ONCE
    how = {"reporters": {"fails"}, "limits": PATIENT, "outage_s": outage_s}
    matches = []
    for first in range(0, deals, AT_ONCE):
        with stage(fails, good(), scripts={"fails": FailsWhenBehind}, **how) as play:
            blocks = play.record(*range(first, min(first + AT_ONCE, deals)))
        matches += [match for block in blocks for match in block.matches]
    return matches


def worth(match):
    """Return 1 where the bot has won *match*, 0 where it has lost, else a half."""
    mine, other = sorted(match.seats, key=lambda seat: seat.bot != "fails")
    return (1 + (mine.rank < other.rank) - (mine.rank > other.rank)) / 2


def shares(matches):
    """Return what the bot has won of each deal."""
    worths = [worth(match) for match in matches]
    return [mean(pair) for pair in zip(worths[::2], worths[1::2], strict=True)]


@pytest.mark.parametrize("deals", [2, pytest.param(scale_count(60, 3_000), marks=pytest.mark.slow)])
@pytest.mark.parametrize(("share", "times"), [(0.2, 1), (1.0, 3), (0.05, 4), (1.0, ENDLESS)])
def test_a_bot_that_fails_only_when_it_is_behind_gains_nothing(deals, share, times):
    calm, rough = played(deals), played(deals, share, times)
    assert [worth(match) for match in calm] == [worth(match) for match in rough]
    lost = {seat.fault for match in rough for seat in match.seats if seat.bot == "fails"}
    assert (times < ENDLESS) == (lost == {None}), "beyond the time of failures it loses what it has lost"
    if times < ENDLESS:
        assert [match.moves for match in calm] == [match.moves for match in rough]
    if deals < 10:
        return
    found = shares(rough)
    half = 1.96 * stdev(found) / sqrt(deals)
    assert mean(found) - half <= 0.5 <= mean(found) + half
