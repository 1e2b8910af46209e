"""Blocks of suspended bots are left out of a round robin, and faults end a run, at any number of tables."""

from collections import Counter
from random import Random
from types import SimpleNamespace

import pytest
from support import ladders
from support.here import rate_here
from support.scripted_tables import play_tables

from ladder.errors import RunStopped
from ladder.run import playing
from ladder.run.until.max_faults import MaxFaults
from results.storage.store import Store

BOTS = ("a", "b", "c", "d")


def fails_to_start(bot, match):
    """Return the fault of `d`, which cannot be started after its first matches."""
    return "start" if bot == "d" and match > 40 else None


def fails(bot, match):
    """Return the faults of `c` and `d`: one in two and in three matches."""
    return "exit" if (bot == "c" and match % 2) or (bot == "d" and match % 3 == 0) else None


@pytest.fixture
def home(tmp_path):
    return ladders.a_home(tmp_path / "home", {name: {} for name in BOTS})


def play(home, tables=1, fault=fails_to_start, shuffle=None, **more):
    """Play the run of *home* as play_tables does."""
    asked = {"matches": 600, "schedule": "round-robin", "script": {"fault": fault, "shuffle": shuffle}}
    return play_tables(home, tables, **asked | more)


def everything(home):
    """Return all that is stored of the matches but times, void ones included, and the ratings."""
    blocks = [
        (
            block.number,
            [(m.number, m.void, m.moves, [(s.bot, s.rank, s.fault) for s in m.seats]) for m in block.matches],
            [(f.number, f.bot, f.kind) for f in block.faults],
        )
        for block in Store(home.results).contents().blocks(1)
    ]
    return blocks, ladders.ratings(home.path)


@pytest.fixture(scope="module")
def one_table(tmp_path_factory):
    """Return what a run has that one table has played."""
    home = ladders.a_home(tmp_path_factory.mktemp("one") / "home", {name: {} for name in BOTS})
    running = play(home)
    return everything(home), running.left_out.matches, running.status.done


def test_blocks_of_a_suspended_bot_are_void_and_no_other_takes_their_place(home, one_table):
    (blocks, _), left_out, done = one_table
    void = [number for number, matches, _ in blocks if any(void for _, void, _, _ in matches)]
    with_d = [number for number, matches, _ in blocks if any(seat[0] == "d" for seat in matches[0][3])]
    assert [number for number in with_d if number >= 128] == void, (
        "epochs of 64 blocks, the third begins at 128"
    )
    assert (2 * len(void), 600) == (left_out, left_out + done)
    assert [*range(300)] == [number for number, _, _ in blocks]
    assert not any(faults for number, _, faults in blocks if number in void)


@pytest.mark.parametrize(("tables", "seed"), [(3, 1), (64, 2), (500, 3)])
def test_they_are_the_same_at_any_number_of_tables_also_where_they_were_played(home, one_table, tables, seed):
    running = play(home, tables, shuffle=Random(seed))
    assert one_table == (everything(home), running.left_out.matches, running.status.done)
    assert running.status.total == running.status.done


@pytest.mark.parametrize("stops", [(100,), (2, 258, 260, 400)])
def test_they_are_the_same_after_a_run_was_stopped_and_continued(home, one_table, monkeypatch, stops):
    rate_here(monkeypatch)
    monkeypatch.setattr("ladder.run.coordinator.SEAL_MATCHES", 150)
    for number, stop_after in enumerate(stops):
        with pytest.raises(RunStopped):
            play(home, 40, shuffle=Random(number), stop_after=stop_after)
    running = play(home, 7, shuffle=Random(9))
    assert one_table == (everything(home), running.left_out.matches, running.status.done)


def test_a_block_that_was_played_and_is_left_out_is_in_the_journal_as_void(home):
    with pytest.raises(RunStopped):
        play(home, 500, shuffle=Random(1), stop_after=300)
    store = Store(home.results)
    void = [block for block in store.contents().journal_blocks if any(match.void for match in block.matches)]
    assert void
    assert all(len(block.matches) == 2 for block in void)
    assert min(block.number for block in void) >= 128


# -- what is told, and the end by faults


def test_a_bot_is_told_of_with_the_block_that_suspends_it(home):
    told = []
    play(home, say=lambda *said: told.append(said))
    (text, hint) = told[0]
    assert text.startswith("d@")
    assert "is suspended: it could not be started in three matches in a row (start: no answer" in text
    assert hint.startswith("ladder faults d@")


def test_a_bot_is_told_of_with_the_block_that_puts_it_on_probation(home):
    told, faults = [], []

    def always_fails(bot, match):
        if bot != "d":
            return None
        faults.append(match)
        return "exit"

    play(home, fault=always_fails, schedule="adaptive", say=lambda text, _: told.append((text, len(faults))))
    ((text, count),) = told  # once, though it goes on
    assert "is on probation: it faulted in " in text
    assert "of its last 20 matches (exit: no answer within 2.000 s)" in text
    assert 11 <= count <= 12, "with the eleventh fault, and the rest of its block"


def test_faults_end_a_run_at_the_same_match_at_any_number_of_tables_and_after_stops(tmp_path):
    found = []
    for number, (tables, stops) in enumerate(((1, ()), (100, ()), (30, (10, 20)))):
        home = ladders.a_home(tmp_path / str(number), {name: {} for name in BOTS})
        asked = {"fault": fails, "max_faults": 31, "schedule": "adaptive"}
        for stop_after in stops:
            with pytest.raises(RunStopped):
                play(home, tables, stop_after=stop_after, **asked)
        running = play(home, tables, shuffle=Random(number), **asked)
        assert isinstance(running.ended_by, MaxFaults)
        assert running.status.done == running.status.total < 600
        found.append((everything(home), running.status.done))
    assert found[0] == found[1] == found[2]
    blocks = found[0][0][0]
    of_bot = [min(20, sum(f[1] == bot for _, _, faults in blocks for f in faults)) for bot in "cd"]
    assert 31 <= sum(of_bot) <= 32


@pytest.mark.parametrize(
    ("unrated", "reasons", "told"),
    [
        (
            "",
            {"suspended": 12, "spent": 1},
            [
                ("left out: 12 matches of bots that were suspended; they do not count", "ladder faults"),
                (
                    "left out: 1 match of bots that had spent their share of the budget; they do not count",
                    "ladder matches",
                ),
            ],
        ),
        (
            "r1",
            {"suspended": 1, "without": 2},
            [
                (
                    "left out: 1 match of bots that were suspended; they do not count",
                    "ladder faults --in r1",
                ),
                (
                    "left out: 2 matches of bots that the run continued without; they do not count",
                    "ladder matches --in r1",
                ),
            ],
        ),
    ],
)
def test_the_end_of_a_run_has_a_sentence_for_each_reason_why_matches_do_not_count(unrated, reasons, told):
    ended = SimpleNamespace(last_words=list, left_out=SimpleNamespace(reasons=Counter(reasons)))
    store = SimpleNamespace(folder=SimpleNamespace(unrated_name=unrated))
    notes = []
    playing._tell_end(ended, store, notes.append)
    assert told == [(note.text, note.hint) for note in notes]
