"""Budgets end a run at the same match, with the same bots left out, however it is played."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from support import ladders
from support.here import rate_here
from support.scripted_tables import play_tables

from ladder.errors import RunStopped
from ladder.run.until.budget import MaxCost, MaxTokens
from ladder.run.until.rule import RatedBlocks
from results.record import Usage
from results.storage.store import Store

BOTS = ("a", "b", "c", "d")
"""`a` and `b` say what they spend, the others say nothing."""
SPENDING = {"a": Usage(100, 20, 0.02), "b": Usage(50, 10, 0.01)}


def spends(bot, match):
    return SPENDING.get(bot)


@pytest.fixture
def home(tmp_path):
    return ladders.a_home(tmp_path / "home", {name: {} for name in BOTS})


def play(home, tables=1, usage=spends, shuffle=None, **more):
    """Play the run of *home* as play_tables does."""
    asked = {"matches": 600, "schedule": "round-robin", "script": {"usage": usage, "shuffle": shuffle}}
    return play_tables(home, tables, **asked | more)


def stored(home):
    """Return the bots of each match that is stored, and whether it is void."""
    blocks = Store(home.results).contents().blocks(1)
    return [
        (match.number, match.void, [(seat.bot, seat.usage) for seat in match.seats])
        for block in blocks
        for match in block.matches
    ]


def spent(home):
    found: Counter[str] = Counter()
    for _, void, seats in stored(home):
        if not void:
            found.update({bot: round(100 * usage.cost_usd) for bot, usage in seats if usage})
    return found


@pytest.mark.parametrize("schedule", ["round-robin", "adaptive"])
def test_each_bot_that_reports_has_an_equal_share_and_the_run_ends_when_all_are_spent(home, schedule):
    told: list[str] = []
    running = play(home, say=lambda text, hint: told.append(text), max_cost=2.0, schedule=schedule)
    assert isinstance(running.ended_by, MaxCost)
    assert running.status.done < 600
    cents = spent(home)
    # two matches a block: a share of 100 cents is passed by at most a block
    assert (100 < cents["a"] <= 104, 100 < cents["b"] <= 102) == (True, True)
    assert 2 == len(told)
    assert "a@" in told[0]
    assert "plays no more in this run: it spent $1.0" in told[0]
    assert "its share of --until cost is $1" in told[0]
    (words,) = running.last_words()
    assert words.text.startswith(
        f"spent: ${sum(cents.values()) / 100:.2f} of $2.00, as bots report; run 1 ends"
    )


@pytest.mark.parametrize("schedule", ["round-robin", "adaptive"])
def test_the_same_matches_count_at_any_number_of_tables_and_after_stops_and_seals(
    tmp_path, monkeypatch, schedule
):
    rate_here(monkeypatch)
    monkeypatch.setattr("ladder.run.coordinator.SEAL_MATCHES", 40)
    found = []
    for number, (tables, stops) in enumerate([(1, ()), (100, ()), (3, (2, 70, 105))]):
        home = ladders.a_home(tmp_path / str(number), {name: {} for name in BOTS})
        asked: dict[str, Any] = {"max_cost": 2.0, "schedule": schedule}
        for stop_after in stops:
            with pytest.raises(RunStopped):
                play(home, tables, shuffle=Random(number), stop_after=stop_after, **asked)
        running = play(home, tables, shuffle=Random(number), **asked)
        found.append((stored(home), running.status.done, running.left_out.matches))
    assert all(each == found[0] for each in found[1:])


def test_no_bot_ends_a_run_alone(home):
    fortune = Usage(cost_usd=1e6)
    running = play(home, 4, lambda bot, match: fortune if bot == "a" else SPENDING.get(bot), max_cost=2.0)
    assert spent(home)["b"] > 100, "the other bot has its share"
    assert isinstance(running.ended_by, MaxCost)


def test_where_one_bot_reports_the_others_play_on_without_it(home):
    running = play(home, 4, lambda bot, match: SPENDING["a"] if bot == "a" else None, max_cost=2.0)
    assert 200 < spent(home)["a"] <= 204
    assert running.ended_by is None
    assert (600, True) == (running.status.done + running.left_out.matches, running.left_out.matches > 0)
    assert ["spent"] == [*running.left_out.reasons], "no bot was suspended"


def test_a_budget_of_tokens_counts_them_in_and_out(home):
    running = play(home, 4, max_tokens=4_000)
    assert isinstance(running.ended_by, MaxTokens)
    played = Counter(bot for _, void, seats in stored(home) if not void for bot, _ in seats)
    assert (2_000 < 120 * played["a"] <= 2_240, 2_000 < 60 * played["b"] <= 2_120) == (True, True)


def test_bots_that_say_nothing_spend_nothing(home):
    running = play(home, 4, lambda bot, match: None, max_cost=0.01, max_tokens=1)
    assert (600, None) == (running.status.done, running.ended_by)
    assert ["spent: $0.00 of $0.01, as bots report", "spent: 0 tokens of 1 token, as bots report"] == [
        words.text for words in running.last_words()
    ]


def test_a_block_is_counted_as_a_whole_and_a_report_of_nothing_shares_in_nothing():
    rule = MaxCost(1.0)
    said = [
        (0, ("a", "1"), Usage(cost_usd=0.9)),
        (0, ("b", "1"), Usage(cost_usd=0.0)),
        (0, ("a", "1"), Usage(cost_usd=0.3)),
        (0, ("b", "1"), Usage(input_tokens=7)),
    ]
    rule.hear(RatedBlocks(1, 2, [], tuple, lambda: said))
    assert ({("a", "1"): 1}, None) == (dict(rule.gone), rule.end)
    rule.hear(RatedBlocks(2, 1, [], tuple, lambda: [(1, ("b", "1"), Usage(cost_usd=0.6))]))
    assert ({("a", "1"): 1, ("b", "1"): 2}, 2) == (dict(rule.gone), rule.end)
