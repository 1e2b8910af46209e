"""Runs from end to end: the same results whatever happens on the way, nothing lost, nothing twice."""

import contextlib
import functools
import os
import signal
from itertools import combinations, repeat
from random import Random

import pytest
from support import ladders
from support.command_line import listing, run_here
from support.counted import add_block
from support.here import Here, play_commands_here, rate_here
from support.ladders import journalled, wait_until
from support.records import a_fault, outcome_of

from ladder.errors import RunStopped
from ladder.run import coordinator, ratings, stored_run
from ladder.run.adaptive import find_gap
from ladder.run.coordinator import Coordinator
from ladder.run.executors.base import FinishedBlock, Waiting
from ladder.run.playing import WaitingNote
from ladder.run.request import begin
from ladder.run.run_options import RunRequest
from ladder.run.run_plan import plan_run
from ladder.run.run_schedule import RunSchedule
from ladder.run.setup import setup_of
from ladder.run.status import Status, Stop
from ladder.run.until.rule import FirstOf, StoppingRule
from results.rating import cache
from results.rating.fit import fit
from results.rating.outcomes import Counts
from results.rating.parameters import Parameters
from results.rating.rated import rate, standings_of
from results.record import decode_block, encode_block
from results.storage.contents import seconds_covered
from results.storage.store import Store

MATCHES = 128
"""64 blocks: four epochs, so that two of an adaptive run follow from ratings."""


@contextlib.contextmanager
def here(home, shuffle=None, executor=Here, **asked):
    """Yield a run that is played in this process, with its executor."""
    setup = setup_of(home, run := ladders.start_run(home, **asked), 1)
    with contextlib.closing(executor(setup, shuffle)) as executor, Store(home.results).lock() as store:
        yield Coordinator.resume(store, run, setup, lambda status: None), executor


def stop_at(done, run, executor):
    """Play *run* until a number of matches are done."""
    stop = Stop()
    run._report = lambda status: setattr(stop, "asked", int(status.done >= done))
    with pytest.raises(RunStopped):
        run.play(executor, stop)


def play_some(home, numbers, **asked):
    """Play those of the planned blocks of a run alone that have these *numbers*."""
    with here(home, **asked) as (run, executor):
        for block in run._plan:
            if block.number in numbers:
                ((number, payload),) = executor.submit([block]) or executor.results(0)
                run._store.append(number, payload)


def play_here(home, shuffle=None, **asked):
    with here(home, shuffle, **asked) as (run, executor):
        run.play(executor, Stop())
    return run


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """Return rows and ratings of a run that nothing disturbs, by its schedule."""

    @functools.cache
    def of(kind):
        home = ladders.a_home(tmp_path_factory.mktemp("undisturbed") / "home")
        ladders.play(home, matches=MATCHES, schedule=kind)
        return ladders.rows(home.path), ladders.ratings(home.path)

    return of


def check_like(undisturbed, home):
    """Assert that the run of *home* ended as the undisturbed one: rows, and ratings, kept and computed."""
    rows, ratings = undisturbed
    assert list(range(MATCHES)) == [row["number"] for row in ladders.rows(home.path, 1)]
    assert rows == ladders.rows(home.path, 1)
    assert ratings == ladders.ratings(home.path)
    (home.results / "ratings.parquet").unlink(missing_ok=True)
    assert ratings == ladders.ratings(home.path)


# -- the same run


@pytest.mark.parametrize(
    ("kind", "jobs", "pin", "in_progress"),
    [
        ("adaptive", 1, "on", 32),
        ("adaptive", 2, "on", 1),
        ("adaptive", 3, "off", 32),
        ("round-robin", 2, "auto", 32),
    ],
)
@pytest.mark.slow
def test_the_same_seed_gives_the_same_results_however_it_is_played(
    home, undisturbed, kind, jobs, pin, in_progress
):
    run = ladders.play(home, jobs=jobs, pin=pin, in_progress=in_progress, matches=MATCHES, schedule=kind)
    check_like(undisturbed(kind), home)
    assert (MATCHES, MATCHES, 0) == (run.status.done, run.status.total, run.status.faults.total())


@pytest.mark.process
def test_the_command_and_its_workers_play_what_scripts_play(home, tmp_path):
    other = ladders.a_home(tmp_path / "other")
    ladders.play(other, matches=24)
    done = ladders.run_command(home.path, "--games", "24", "--seed", "1", "-j", "2")
    assert 0 == done.returncode, done.stderr
    assert ladders.rows(other.path) == ladders.rows(home.path)
    assert ladders.ratings(other.path) == ladders.ratings(home.path)


@pytest.mark.parametrize(
    ("kind", "seed"), [("adaptive", 1), pytest.param("round-robin", 2, marks=pytest.mark.slow)]
)
def test_the_order_in_which_blocks_arrive_changes_nothing(home, undisturbed, kind, seed):
    play_here(home, Random(seed), matches=MATCHES, schedule=kind)
    check_like(undisturbed(kind), home)


# -- what steers an epoch


def test_an_epoch_knows_the_ratings_of_all_epochs_but_the_one_before_it(home, monkeypatch):
    known, ends = [], []
    real = RunSchedule.plan

    def spy(schedule, now):
        known.append(now.orders)
        ends.append([*schedule.ends])
        return real(schedule, now)

    monkeypatch.setattr(RunSchedule, "plan", spy)
    run = play_here(home, Random(5), matches=MATCHES).run
    assert [{}, {}] == known[:2]
    names = [(bot["name"], bot["version"]) for bot in run.bots]
    for k in range(2, len(known)):
        counts = Counts()
        for block in Store(home.results).contents().blocks(1):
            if block.number < ends[k][k - 2]:
                add_block(counts, [outcome_of(match.seats) for match in block.matches])
        of = fit(counts, Parameters.read(run.ratings["stellar"]))
        for i, j in combinations(range(4), 2):
            difference, error = of.difference(of.bots.index(names[i]), of.bots.index(names[j]))
            assert find_gap(difference, error, 25 / 6) == known[k][0].gaps[i, j]
    assert 4 == len(known)


# -- ended by a rule


class BlockForty(StoppingRule):
    """End the run at block 40, as soon as block 21 is rated."""

    rated = 0

    def hear(self, rated):
        self.rated = rated.end

    @property
    def end(self):
        return 40 if self.rated >= 22 else None


def test_a_run_that_a_rule_ends_is_continued_to_the_same_end(home, undisturbed, monkeypatch):
    """Blocks behind the end are in its journal when it continues, and its end is rated already."""
    monkeypatch.setattr(Coordinator, "_ahead", lambda self: 16)  # on a slow machine, too
    with here(home, Random(4), matches=MATCHES, schedule="adaptive") as (run, executor):
        stop_at(86, run, executor)
    assert max(Store(home.results).contents().committed_blocks(1)) > 40
    by_rule = lambda *args: plan_run(*args)._replace(rule=FirstOf(BlockForty()))  # noqa: E731
    monkeypatch.setattr(coordinator, "plan_run", by_rule)
    run = play_here(home, matches=MATCHES, schedule="adaptive")
    assert (80, 80, 80) == (run.status.done, run.status.total, run.status.before)
    assert (40, True) == ((stored := Store(home.results).runs()[0]).blocks, stored.finished is not None)
    assert undisturbed("adaptive")[0][:80] == ladders.rows(home.path, 1)


# -- killed and continued


def test_a_run_with_gaps_is_continued_by_other_hands(home, undisturbed):
    """Blocks behind a gap are kept, and nothing of them is played again."""
    kept = Random(3).sample(range(32), 20)
    play_some(home, kept, matches=MATCHES, schedule="adaptive")
    with here(home, Random(4)) as (second, executor):
        unbroken = next(number for number in range(33) if number not in kept)
        assert 2 * unbroken == second.status.before
        second.play(executor, Stop())
        assert not set(kept) & {number for chunk in executor.submitted for number in chunk}
    check_like(undisturbed("adaptive"), home)


@pytest.mark.parametrize(
    ("send", "number", "code"),
    [(os.killpg, signal.SIGINT, 130), (os.kill, signal.SIGTERM, 143), (os.kill, signal.SIGHUP, 143)],
    ids=["Ctrl-C, which the whole terminal gets", "SIGTERM", "SIGHUP"],
)
@pytest.mark.slow
def test_stopped_once_a_run_commits_what_is_in_hand_and_the_same_command_continues_it(
    home, undisturbed, send, number, code, begun
):
    arguments = ["--games", str(MATCHES), "--seed", "1", "--schedule", "adaptive", "-j", "2"]
    process = begun(home, *arguments)
    wait_until(lambda: journalled(home) > 63_000, process)  # about 15 blocks
    send(process.pid, number)
    _, said = process.communicate(timeout=120)
    assert code == process.returncode, said
    assert "the same command" in said
    assert "a worker died" not in said
    assert 10 <= len(Store(home.results).contents().committed_blocks(1)) < MATCHES / 2
    done = ladders.run_command(home.path, *arguments)
    assert 0 == done.returncode, done.stderr
    check_like(undisturbed("adaptive"), home)


@pytest.mark.parametrize(("seconds", "asked"), [(0.0, 1), (600.0, 2)], ids=["too late", "stopped twice"])
def test_blocks_that_do_not_finish_in_time_are_not_waited_for(home, monkeypatch, seconds, asked):
    monkeypatch.setattr(coordinator, "DRAIN_SECONDS", seconds)
    stop = Stop()
    with here(home, matches=4) as (run, executor):
        executor.results = lambda timeout: setattr(stop, "asked", asked) or []
        executor.drain = lambda: repeat([])
        with pytest.raises(RunStopped, match="stopped: 0 matches of run 1 are kept"):
            run.play(executor, stop)
    assert executor.submitted


@pytest.mark.slow
def test_ratings_are_kept_at_every_seal_so_that_what_is_sealed_need_not_be_rated_again(
    home, undisturbed, monkeypatch
):
    monkeypatch.setattr(coordinator, "SEAL_MATCHES", 16)
    monkeypatch.setattr(ratings, "GROWTH", 0.0)
    monkeypatch.setattr(ratings, "RATING_SHARE", 1.0)
    rate_here(monkeypatch)
    with here(home, matches=MATCHES, schedule="adaptive") as (run, executor):
        stop_at(MATCHES // 2, run, executor)
        rated = standings_of(rate(run._ratings.tally))
    segments = {path: path.read_bytes() for path in (home.results / "matches").iterdir()}
    for path in segments:
        path.write_bytes(b"never read")
    assert rated == standings_of(cache.ratings_current(Store(home.results)))
    for path, data in segments.items():
        path.write_bytes(data)
    play_here(home)
    check_like(undisturbed("adaptive"), home)


# -- by the clock


def test_a_run_by_the_clock_that_was_killed_closes_its_gaps_though_its_time_is_up(home):
    play_some(home, {*range(12)} - {0, 4, 5}, matches=None, seconds=0.001)
    with here(home) as (second, executor):
        assert 0.0 == second.status.limit_s
        assert 12 == second.play(executor, Stop()).blocks
        assert [0, 4, 5] == sorted(number for chunk in executor.submitted for number in chunk)
    assert list(range(24)) == [row["number"] for row in ladders.rows(home.path)]


def test_a_run_by_the_clock_whose_blocks_go_out_of_turn_ends_with_an_unbroken_prefix(home, monkeypatch):
    """What is left before the last of them is at most what it was chosen among."""
    monkeypatch.setattr(Coordinator, "_ahead", lambda self: 1 if self.status.time_is_up else 6)
    in_time = []  # how many chunks were handed out then
    with here(home, Random(4), matches=60, seconds=3_600.0) as (run, executor):
        status = run.status

        def at(seconds):
            """Let the time be up when six matches are done."""
            type(status).at(status, seconds)
            status.seconds = status.limit_s if status.done >= 6 else 0.0

        status.at = at
        run._report = lambda status: in_time.append(len(executor.submitted)) if status.time_is_up else None
        blocks = run.play(executor, Stop()).blocks
        chunks = executor.submitted
    handed_out = [number for chunk in chunks for number in chunk]
    assert sorted(handed_out) != handed_out
    assert list(range(blocks)) == sorted(handed_out)
    assert 3 <= blocks < 30
    late = [number for chunk in chunks[in_time[0] :] for number in chunk]
    assert 0 < len(late) < 6
    assert list(range(2 * blocks)) == [row["number"] for row in ladders.rows(home.path)]


def test_no_block_is_handed_out_long_before_an_earlier_one_so_that_rated_matches_grow(home, monkeypatch):
    monkeypatch.setattr(Coordinator, "_ahead", lambda self: 6)
    with here(home, matches=60) as (run, executor):
        executor.chunk_s = 0.0
        monkeypatch.setattr(executor, "choose", lambda blocks: len([*blocks]) - 1)
        run.play(executor, Stop())
    left, leads = set(range(30)), []
    for (number,) in executor.submitted:
        leads.append(number - min(left))
        left.remove(number)
    assert 5 == max(leads)


def test_blocks_among_which_to_choose_fill_some_seconds(home):
    with here(home, matches=60) as (run, _):
        assert coordinator.CHUNK_BLOCKS == run._ahead(), "how long a block takes is not known yet"
        run._block_s = coordinator.AHEAD_SECONDS / 20
        assert 20 == run._ahead()
        run._block_s = 1e-6
        assert coordinator.AHEAD_BLOCKS == run._ahead()
        run._block_s = 100.0
        assert 1 == run._ahead()


def test_blocks_among_which_to_choose_fill_a_small_part_of_a_time_limit(home):
    with here(home, matches=60, seconds=10.0) as (run, _):
        assert 1 == run._ahead()
        run._block_s = 0.1
        assert 5 == run._ahead()
        run.status.seconds = 11.0
        assert 1 == run._ahead()


def test_the_time_that_a_run_has_left_is_what_it_has_not_played():
    assert 0.0 == seconds_covered([])
    assert 3e-6 == seconds_covered([(10, 12), (5, 6)])
    assert 7e-6 == seconds_covered([(0, 5), (3, 4), (4, 7)])


# -- one run after another


def interrupted(home, matches=2_000):
    """Leave an unfinished run with a few matches."""
    with here(home, matches=matches) as (run, executor):
        stop_at(6, run, executor)


def test_a_run_begun_with_other_rules_or_in_another_format_is_not_continued(home, monkeypatch):
    """It is refused before a bot starts, and what is kept of it stays as it is."""
    versions = stored_run._versions(["stellar"]) | {"game stellar": "0"}
    with monkeypatch.context() as patch:
        patch.setattr(stored_run, "_versions", lambda games: versions)
        store = Store(home.results)
        with store.lock():
            begin(home, store, RunRequest(game="stellar", games=4, seed=1))
    before = listing(home.results)
    again = ("run", "--game", "stellar", "--games", "4", "--seed", "1", "--home", home.path)
    for command in (again, ("run", "--resume", "--home", home.path)):
        result = run_here(*command)
        assert 2 == result.code
        assert "run 1 is not finished, and cannot be continued: stellar was version 0, now 1\n" in result.err
        assert "  next: ladder run --new, which ends it as it is" in result.err
    assert before == listing(home.results)
    play_commands_here(monkeypatch)
    done = run_here("run", "--game", "stellar", "--games", "4", "--new", "--home", home.path)
    assert 0 == done.code, done.err
    assert "run 1 is ended as it is" in done.err


def test_new_ends_the_unfinished_run_as_it_is_and_begins_another(home, monkeypatch):
    interrupted(home)
    kept = sorted(Store(home.results).contents().committed_blocks(1))
    play_commands_here(monkeypatch)
    refused = run_here("run", "--games", "20", "--home", home.path)
    assert (2, True) == (refused.code, "--resume, which continues it" in refused.err)
    done = run_here("run", "--games", "20", "--new", "--home", home.path)
    assert 0 == done.code, done.err
    one, two = Store(home.results).runs()
    assert (len(kept), 10) == (one.blocks, two.blocks)
    assert one.finished
    assert two.finished
    assert kept == sorted({row["block"] for row in ladders.rows(home.path, 1)})
    assert list(range(20)) == [row["number"] for row in ladders.rows(home.path, 2)]


# -- sealing, chunks, progress


class Forgiving(Here):
    """Adds to each block what is forgiven: a word of `first` that belongs to no match."""

    def __init__(self, setup, shuffle):
        super().__init__(setup, shuffle)
        (self.version,) = [bot.version for bot in setup.bots if bot.bot == "first"]
        self.told_after = []

    def results(self, timeout):
        for number, payload in super().results(timeout):
            block = decode_block(payload)
            told = {"bot": "first", "version": self.version, "charged": False, "lapse": "stray"}
            block.faults.append(a_fault(block.matches[0].number, **told))
            yield FinishedBlock(number, encode_block(block))

    def tell(self, lapses):
        self.told_after.append(lapses[f"first@{self.version}"].stray)


@pytest.mark.parametrize("seal", [10, 10_000])
def test_what_bots_are_forgiven_is_counted_over_the_whole_run_also_when_it_is_continued(
    home, monkeypatch, seal
):
    monkeypatch.setattr(coordinator, "SEAL_MATCHES", seal)
    rate_here(monkeypatch)
    with here(home, executor=Forgiving, matches=40) as (run, first):
        stop_at(20, run, first)
    count = len(first.told_after)
    assert 10 <= count < 20
    assert list(range(1, count + 1)) == first.told_after
    with here(home, executor=Forgiving) as (run, second):
        run.play(second, Stop())
    assert list(range(count, 21)) == second.told_after


def test_chunks_are_of_one_table_and_in_the_order_of_the_plan(home):
    with here(home, matches=40, schedule="round-robin") as (run, executor):
        plan = {block.number: block.seating for block in run._plan}  # 20 blocks: two epochs, both planned
        run.play(executor, Stop())
        assert list(range(20)) == [number for chunk in executor.submitted for number in chunk]
        for chunk in executor.submitted:
            assert 1 == len({plan[number] for number in chunk})
            assert len(chunk) <= coordinator.CHUNK_BLOCKS


@pytest.mark.parametrize(("expected", "long_us"), [(True, 1_000), (False, coordinator.UNPIN_US)])
def test_bots_that_think_long_are_unpinned(tmp_path, monkeypatch, expected, long_us):
    home = ladders.a_home(tmp_path / "home", {"a": {"sleep": 0.003}, "b": {"sleep": 0.003}})
    monkeypatch.setattr(coordinator, "UNPIN_US", long_us)
    monkeypatch.setattr(coordinator, "COMMIT_SECONDS", 0.0)
    with here(home, matches=4) as (run, executor):
        run.play(executor, Stop())
        assert expected == executor.unpinned


def test_the_log_tells_now_and_then_what_keeps_more_tables_from_being_in_progress(home, monkeypatch, caplog):
    monkeypatch.setattr(coordinator, "LOG_SECONDS", 0.0)
    with caplog.at_level("INFO"), here(home, matches=40, schedule="round-robin") as (run, executor):
        executor.waiting = lambda: Waiting(2, 0.9, "memory")
        run.play(executor, Stop())
    told = [message for message in caplog.messages if "in progress, no more" in message]
    assert "2 tables in progress, no more: more would need too much of the memory" in told
    assert "2 tables in progress, no more: no match is left to begin" == told[-1]


BUSY = "this machine is busy: other programs use"


@pytest.mark.parametrize(
    ("expected", "waiting"),
    [
        ("waiting for bots 98 % of the time; 12 tables in progress", Waiting(12, 0.98, bound="")),
        ("waiting for bots 60 % of the time; 1 table in progress", Waiting(1, 0.6, bound="")),
        ("", Waiting(2, 0.2, bound="")),
        ("", None),
        (
            f"{BUSY} 55 % of its cores, and bots spend 40 % of the time waiting for one",
            Waiting(12, 0.97, bound="", starved=0.4, others=0.55),
        ),
        # the run itself fills the cores, or nobody knows what does
        ("", Waiting(2, 0.2, bound="", starved=0.6, others=0.05)),
        ("", Waiting(2, 0.2, bound="", starved=0.6)),
        ("", Waiting(64, 0.98, bound="workers", starved=0.5, others=0.0)),  # more tables would wait, too
        ("", Waiting(2, 0.2, bound="", starved=0.05, others=0.9)),
        (
            "waiting for bots 97 % of the time; 12 tables in progress",
            Waiting(12, 0.97, bound="", starved=0.05),
        ),
    ],
)
def test_a_run_says_what_it_waits_for(expected, waiting):
    assert expected == Status(waiting=waiting).wait


END = "end other programs, or play with fewer workers: -j"


@pytest.mark.parametrize(
    ("hint", "waiting", "is_held_back"),
    [
        (END, Waiting(2, 0.1, bound="", starved=0.7, others=0.5), False),
        (None, Waiting(2, 0.1, bound="", starved=0.7, others=0.1), False),
        (None, Waiting(2, 0.1, bound="", starved=0.7, others=None), False),
        (END, Waiting(64, 0.98, bound="workers", starved=0.5, others=0.5), False),  # not: hold more tables
        (
            "--schedule round-robin, which does not wait for results, fills more tables",
            Waiting(64, 0.98, bound=""),
            True,
        ),
    ],
)
def test_what_helps_a_run_that_waits_is_told_after_some_seconds(hint, waiting, is_held_back):
    waits = WaitingNote(jobs=4)
    notes = [waits.note(Status(seconds=s, waiting=waiting, is_held_back=is_held_back)) for s in (0.5, 3.0)]
    assert [None, hint] == [note and note.hint for note in notes]


def test_what_a_run_waits_for_is_told_once_when_the_number_of_its_tables_has_settled():
    waits, told = WaitingNote(jobs=2), []
    for seconds, tables in ((0.5, 2), (1.0, 4), (2.0, 64), (3.0, 64), (4.5, 64), (9.0, 64), (12.0, 60)):
        waiting = Waiting(tables, 0.98, bound="workers" if tables == 64 else "")
        if note := waits.note(Status(seconds=seconds, waiting=waiting, has_more=True)):
            told.append((seconds, *note))
    hint = "-j 4, which holds more tables at once"
    assert [(4.5, "waiting for bots 98 % of the time; 64 tables in progress", hint)] == told


@pytest.mark.parametrize(
    ("hint", "bound", "has_more"),
    [
        ("-j 8, which holds more tables at once", "workers", True),
        ("", "workers", False),  # nothing is left that they could play
        ("a larger number at `processes` in [run] of ladder.toml: it bounds the tables", "processes", True),
        ("more free memory, which bounds the tables: end other programs", "memory", True),
        ("", "", True),
    ],
)
def test_what_bounds_the_tables_is_named_where_more_of_them_would_help(hint, bound, has_more):
    waits, waiting = WaitingNote(jobs=4), Waiting(64, 0.98, bound)
    notes = [waits.note(Status(seconds=s, waiting=waiting, has_more=has_more)) for s in (0.5, 3.0)]
    assert [None, hint] == [note and note.hint for note in notes]


def test_what_a_run_waits_for_is_told_soon_also_where_the_number_of_its_tables_never_settles():
    waits, told = WaitingNote(jobs=2), []
    for second in range(12):
        waiting = Waiting(10 + second, 0.98 if second > 2 else 0.1, bound="")
        if note := waits.note(Status(seconds=float(second), waiting=waiting)):
            told.append((second, *note))
    assert [(8, "waiting for bots 98 % of the time; 18 tables in progress", "")] == told


def a_status(played, total=1_000, **fields):
    """Return the status of a run in which so many matches had come after each of ten seconds."""
    status = Status(total=total, **fields)
    for tenth in range(1, 10 * len(played) + 1):
        status.came = played[(tenth - 1) // 10]
        status.done = status.before + status.came
        status.at(tenth / 10)
    return status


def test_a_status_knows_rate_and_what_is_left():
    status = a_status([10, 20, 30, 40, 50, 60, 70, 80, 90, 100], before=200, total=500)
    assert 10.0 == status.rate
    assert 10.0 == pytest.approx(status.pace, rel=0.2)
    assert 20.0 == pytest.approx(status.left_s, rel=0.2)
    assert (0.0, None, None) == (Status(total=5).rate, Status(total=5).pace, Status(total=5).left_s)


def test_what_is_left_is_told_when_there_is_something_to_go_by():
    assert None is a_status([0, 0, 1, 2, 5, 10, 19], total=200).left_s
    assert None is not a_status([0, 0, 1, 2, 5, 10, 30], total=200).left_s
    assert None is a_status([0, 0, 1, 2, 5, 10, 30], total=2_000).left_s


def test_what_is_left_does_not_count_the_start_of_the_bots():
    """The first estimate was four times too long."""
    status = a_status([0, 0, 0, 0, 1, 2, 3, 4, 25, 45, 65, 85, 105])
    assert (1_000 - 105) / 20 == pytest.approx(status.left_s, rel=0.5)


def test_of_slow_matches_few_are_enough():
    status = Status(total=100, came=1)
    status.at(59.0)
    assert None is status.left_s
    status.came = 2
    status.at(62.0)
    assert 98 * 31 == pytest.approx(status.left_s)


def test_a_run_by_the_clock_knows_what_is_left():
    assert 3.0 == Status(seconds=7.0, limit_s=10.0).left_s
    assert 0.0 == Status(seconds=17.0, limit_s=10.0).left_s


def test_a_run_by_matches_and_clock_knows_which_ends_first():
    by_matches = a_status([50, 100, 150, 200], total=250, limit_s=60.0)
    assert 1.0 == pytest.approx(by_matches.left_s, rel=0.3)
    assert 0.8 == by_matches.part
    by_clock = a_status([5, 10, 15, 20], total=2_500, limit_s=8.0)
    assert (4.0, 0.5) == (by_clock.left_s, by_clock.part)
    assert None is Status().part
