"""The ladder from Python: functions play, results are tables."""

import functools
import inspect
import signal
import sys
import textwrap
import threading
import time
from dataclasses import fields
from hashlib import sha256
from pathlib import Path

import pytest
from support.until import until

import ladder
from ladder.cli.run import RunArguments
from ladder.errors import LadderError, NotFound, RunStopped, UsageProblem
from ladder.run.guests import Players
from ladder.run.run_events import Ended, OperatorNote, Planned, Progress

ROOT = Path(__file__).resolve().parents[2]


ASKED = {"game": "stellar", "games": 2, "seed": 1}


def first(act):
    return act.choice.options[0]


def chance(act):
    return act.rng.choice(act.choice.options)


def noted(act):
    return act.choice.options[-1], f"seat {act.seat} of {act.game}"


def broken(act):
    raise RuntimeError("no idea")


def slow(act):
    time.sleep(1.5)
    return act.choice.options[0]


def greedy(act):
    return act.choice.options[0]


class Learner:
    """Plays the option at an index that it has learned."""

    def __init__(self, index):
        self.index = index
        self.seen = 0

    def act(self, act):
        self.seen += 1
        return act.choice.options[self.index]


class Counting:
    """Plays the first option, and counts the matches that it is told of."""

    ends = 0

    def act(self, act):
        return act.choice.options[0]

    def end(self, message):
        Counting.ends += 1


def a_home(path, limits=""):
    (path / "bots").mkdir(parents=True)
    (path / "ladder.toml").write_text(f'[sandbox]\ntier = "none"\n[limits]\n{limits}\n')
    return ladder.open_home(path)


@pytest.fixture
def home(tmp_path):
    return a_home(tmp_path / "home")


def faults(home):
    from results.storage.store import Store

    return Store(home.results).contents().faults().to_pylist()


def bots_of(table):
    return {seat["bot"] for row in table.to_pylist() for seat in row["seats"]}


def test_functions_play_and_their_results_are_tables(home):
    told = []
    run = ladder.play([first, chance, noted], game="stellar", games=6, seed=1, home=home, tell=told.append)
    matches = run.matches()
    assert (1, 6) == (run.number, matches.num_rows)
    assert {"first", "chance", "noted"} == bots_of(matches)
    assert ["none"] * 6 == matches.column("sandbox").to_pylist()
    assert "seat " in str(matches.column("seats").to_pylist())
    board = home.leaderboard("stellar")
    assert [1, 2, 3] == board.column("rank").to_pylist()
    assert {"first", "chance", "noted"} == set(board.column("bot").to_pylist())
    assert 12 == sum(board.column("matches").to_pylist())
    assert [] == faults(home)
    assert {OperatorNote, Planned, Progress, Ended} >= {type(event) for event in told}
    assert isinstance(told[-1], Ended)
    assert 6 == told[-1].status.done


def test_the_same_seed_gives_the_same_matches_to_functions(home, tmp_path):
    homes = home, a_home(tmp_path / "other")
    runs = [ladder.play([first, chance], game="stellar", games=4, seed=3, home=each) for each in homes]
    one, other = (run.matches(["number", "moves", "seats.rank"]).to_pylist() for run in runs)
    assert one == other


def test_what_a_function_raises_is_its_fault_with_the_traceback(home):
    ladder.play([first, broken], **ASKED, home=home)
    found = [fault for fault in faults(home) if fault["charged"]]
    assert {("broken", "crash")} == {(fault["bot"], fault["kind"]) for fault in found}
    assert "RuntimeError: no idea" in found[0]["stderr"]


def test_a_function_that_takes_too_long_loses_by_its_clock_and_its_thread_ends(tmp_path):
    home = a_home(tmp_path / "home", "move_ms = 200\nbank_ms = 0")
    before = threading.active_count()
    ladder.play([first, slow], game="stellar", games=2, seed=1, home=home)
    assert {("slow", "timeout")} == {(fault["bot"], fault["kind"]) for fault in faults(home)}
    until(lambda: threading.active_count() <= before)
    assert before == threading.active_count()


def test_an_object_is_told_of_ends_as_in_its_own_program(home):
    Counting.ends = 0
    ladder.play({"first": first, "counting@1": Counting}, game="stellar", games=2, seed=1, home=home)
    assert 2 == Counting.ends


@pytest.mark.process
def test_a_function_plays_against_a_bot_that_is_submitted_from_a_path(home):
    run = ladder.play([first, ROOT / "bots/random"], game="stellar", games=2, seed=1, home=home)
    assert {"first", "random"} == bots_of(run.matches())
    assert ["random"] == [version.bot for version in home.roster.versions()]
    again = ladder.play([first, "random"], game="stellar", games=2, seed=2, home=home)
    assert 2 == again.number
    assert 4 == home.matches().num_rows


@pytest.mark.slow
def test_bots_that_are_submitted_play_in_worker_processes_without_the_callers_main_module(home, monkeypatch):
    main = sys.modules["__main__"]
    monkeypatch.setattr(main, "__file__", str(ROOT / "there-is-no-such-file.py"), raising=False)
    monkeypatch.setattr(main, "__spec__", None, raising=False)
    bots = [ROOT / "bots/random", ROOT / "bots/greedy/careful.toml"]
    run = ladder.play(bots, game="stellar", games=2, seed=1, home=home, jobs=1)
    assert {"random", "careful"} == bots_of(run.matches())
    assert main is sys.modules["__main__"]


def test_a_function_may_not_have_the_name_of_another_bot(home):
    with pytest.raises(UsageProblem, match="there is another bot 'greedy'"):
        ladder.play([first, greedy], game="stellar", home=home)
    with pytest.raises(UsageProblem, match="there is another bot 'greedy'"):
        ladder.play({"first": first, "greedy@2": chance}, game="stellar", home=home)
    with pytest.raises(NotFound, match="there is no bot 'nobody'"):
        ladder.play([first, "nobody"], game="stellar", home=home)
    assert 0 == home.matches().num_rows


def stopped(home, players):
    """Begin a run of 8 matches with *players* and stop it after its first block."""

    def interrupt(event):
        if isinstance(event, Progress) and event.status.done == 2:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(RunStopped, match="2 matches of run 1 are kept"):
        ladder.play(players, **{**ASKED, "games": 8}, home=home, tell=interrupt)


def test_a_run_that_was_stopped_is_continued_by_the_same_call(home, monkeypatch):
    from results.storage import disk

    asked = {**ASKED, "games": 8, "home": home}
    stopped(home, [first, chance])
    with pytest.raises(LadderError, match=r"run 1 is not finished.*: --seed was 1, now 2"):
        ladder.play([first, chance], **{**asked, "seed": 2})
    read = []
    read_file = disk.Disk.read
    monkeypatch.setattr(
        disk.Disk, "read", lambda self, path: read.append(path.parent.name) or read_file(self, path)
    )
    run = None

    def see(event):
        nonlocal run
        if isinstance(event, Planned):
            run = event.run.run
        elif isinstance(event, Progress) and event.status.done == 2:
            assert 2 == read.count("journal")  # to refuse what cannot be, and under the lock

    assert 1 == ladder.play([first, chance], **asked, tell=see).number == run
    assert list(range(8)) == home.matches(["number"]).column("number").to_pylist()


def test_a_tier_that_is_named_changes_no_settings(home):
    other = home.with_tier("bwrap")
    assert ("none", "bwrap") == (home.settings.sandbox.tier, other.settings.sandbox.tier)
    with pytest.raises(AttributeError):
        home.settings = other.settings


@pytest.mark.process
def test_the_example_of_the_package_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    example = ladder.__doc__.split("\n\n    ", 1)[1]
    exec(textwrap.dedent(f"    {example}"), {"__name__": "example"})
    board, matches, count = capsys.readouterr().out.splitlines()
    assert "'bot': 'first'" in board
    assert 10 == matches.count("'number'")
    assert "10 matches in all runs" == count


def test_a_run_is_played_outside_the_main_thread_too_where_signals_cannot_be_handled(home):
    before = signal.getsignal(signal.SIGINT)
    runs = []
    thread = threading.Thread(target=lambda: runs.append(ladder.play([first, chance], **ASKED, home=home)))
    thread.start()
    thread.join()
    assert 2 == runs[0].matches().num_rows
    assert before is signal.getsignal(signal.SIGINT)


def test_the_same_source_is_the_same_version_and_another_is_another(home):
    def bot_of(body):
        source = f"def taker(act):\n    return {body}\n"
        names = {}
        file = home.path / f"{len(source)}.py"
        file.write_text(source)
        exec(compile(source, file, "exec"), names)
        return names["taker"]

    for seed, body in enumerate(["act.choice.options[0]", "act.choice.options[0]", "act.choice.options[-1]"]):
        ladder.play([bot_of(body), chance], game="stellar", games=2, seed=seed, home=home)
    board = home.leaderboard("stellar").to_pylist()
    assert [("chance", 6), ("taker", 2), ("taker", 4)] == sorted(
        (row["bot"], row["matches"]) for row in board
    )


def test_the_options_of_a_run_are_arguments_with_its_defaults_and_another_is_refused(home):
    taken = inspect.signature(ladder.play).parameters
    of_the_command = {field.name: field.default for field in fields(RunArguments)}
    assert {"tell"} == taken.keys() - of_the_command.keys()
    assert [] == [name for name in taken if name != "tell" and taken[name].default != of_the_command[name]]
    assert "bots" == next(iter(taken))
    with pytest.raises(UsageProblem, match=r"no option 'gmae' \(did you mean 'game'"):
        ladder.play([first, chance], gmae="stellar", home=home)
    with pytest.raises(UsageProblem, match="--new: give either --resume or --new"):
        ladder.play([first, chance], resume=True, new=True, home=home)


def test_a_secret_file_repeats_the_deals_and_faults_end_the_run(home, tmp_path):
    (tmp_path / "secret").write_text("0f" * 16)
    asked = {"game": "stellar", "games": 4, "secret_file": tmp_path / "secret", "home": home}
    one, other = (ladder.play([first, chance], **asked).matches(["number", "moves"]) for _ in range(2))
    assert one.column("moves") == other.column("moves")
    bots = {"broken": broken, "worse@1": broken}
    run = ladder.play(bots, game="stellar", games=200, seed=1, max_faults=2, home=home)
    assert 200 > run.matches().num_rows


# -- objects


def nested():
    def bot(act):
        return act.choice.options[0]

    return bot


def closed_over(index):
    def bot(act):
        return act.choice.options[index]

    return bot


@pytest.mark.parametrize(
    ("player", "line"),
    [
        (Learner(0), '{"learner@1": learner}'),
        (Learner, '{"learner@1": learner}'),
        (Learner(0).act, '{"method@1": method}'),
        (nested(), '{"bot@1": bot}'),
        (closed_over(-1), '{"bot@1": bot}'),
        (lambda act: act.choice.options[0], '{"learner@1": learner}'),
        (functools.partial(first), '{"partial@1": partial}'),
    ],
)
def test_what_its_source_does_not_tell_apart_needs_a_name(home, player, line):
    with pytest.raises(UsageProblem, match="needs a name and a version") as error:
        ladder.play([first, player], **ASKED, home=home)
    assert f"ladder.play({line}); or in a list: ladder.Bot(" in error.value.hint
    assert 0 == home.matches().num_rows


def test_objects_of_one_class_are_as_many_bots_as_versions(home):
    players = {"first": first, "learner@1000": Learner(0), "learner@2000": Learner(-1)}
    ladder.play(players, **{**ASKED, "games": 6}, home=home)
    board = home.leaderboard("stellar").to_pylist()
    found = {row["version"]: row["matches"] for row in board if row["bot"] == "learner"}
    assert {"1000": 4, "2000": 4} == found


def test_without_a_version_the_state_of_an_object_is_one(home):
    def versions(*players):
        bots = [ladder.Bot(player, name="learner", note="a note") for player in players]
        for bot in bots:
            ladder.play([bot, first], **ASKED, home=home)
        return [row["version"] for row in home.leaderboard("stellar").to_pylist() if row["bot"] == "learner"]

    learner = Learner(0)
    assert 1 == len(versions(learner))
    assert 2 == len(versions(Learner(-1))), "learner@0 was another"
    assert 2 == len(versions(Learner(0))), "as the first was"
    assert 3 == len(versions(learner)), "it has seen matches since"
    with pytest.raises(UsageProblem, match="pickle cannot tell this object from others"):
        versions(Learner(threading.Lock()))


@pytest.mark.parametrize(
    ("called", "said"),
    [
        ("last@1", "programs read this word as something else"),
        ("a b@1", "cannot be a bot's name"),
        ("learner@1 2", "cannot be a version"),
        ("learner@" + 33 * "x", "cannot be a version"),
    ],
)
def test_a_name_that_is_given_must_be_one(home, called, said):
    with pytest.raises(UsageProblem, match=said):
        ladder.play({"first": first, called: Learner(0)}, **ASKED, home=home)


def test_another_object_never_continues_a_run(home):
    learner, asked = Learner(0), {**ASKED, "games": 8, "home": home}
    stopped(home, {"first": first, "learner@1000": learner})
    for other in (Learner(0), Learner(-1)):
        for more in ({}, {"resume": True}):
            with pytest.raises(UsageProblem, match="learner@1000 is not the object that began it"):
                ladder.play({"first": first, "learner@1000": other}, **asked, **more)
    with pytest.raises(LadderError, match="run 1 is not finished"):
        ladder.play({"first": first, "learner@2000": learner}, **asked)
    assert 2 == home.matches().num_rows
    assert 1 == ladder.play({"first": first, "learner@1000": learner}, **asked).number
    assert 8 == home.matches().num_rows


def test_an_object_of_another_process_continues_a_run_if_it_is_as_it_was(home, monkeypatch):
    asked = {**ASKED, "games": 8, "home": home}
    stopped(home, {"first": first, "learner@1000": Learner(0)})
    monkeypatch.setattr("ladder.api.face._players", Players())  # as if this were another process
    with pytest.raises(UsageProblem, match="learner@1000 is not the object that began it"):
        ladder.play({"first": first, "learner@1000": Learner(-1)}, **asked)
    assert 1 == ladder.play({"first": first, "learner@1000": Learner(0)}, **asked).number


def test_the_version_of_a_function_is_the_hash_of_its_source_and_elsewhere_of_its_code(home):
    ladder.play([first, chance], **ASKED, home=home)
    board = {row["bot"]: row["version"] for row in home.leaderboard("stellar").to_pylist()}
    assert sha256(inspect.getsource(first).encode()).hexdigest()[:12] == board["first"]
    for index in (0, -1, 0):
        names = {}
        exec(f"def typed(act):\n    return act.choice.options[{index}]\n", names)
        ladder.play([names["typed"], chance], **ASKED, home=home)
    board = home.leaderboard("stellar").to_pylist()
    assert [2, 4] == sorted(row["matches"] for row in board if row["bot"] == "typed")
