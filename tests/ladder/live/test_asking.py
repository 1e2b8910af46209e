"""Bots that are asked again: they get the lines of the match, and their answers stand beside the old ones."""

import ctypes
import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support import here, ladders
from support.command_line import run_here
from support.here import ask_here
from support.scripted import Say

from engines import GAMES
from ladder.errors import LadderError, NotFound, UsageProblem
from ladder.home.home import open_home
from ladder.live.asked_bot import start_bot
from ladder.live.comparison import compare, count_kinds, find_places, is_stable, spread
from ladder.live.debugger import wait_for_debugger
from ladder.live.line_replies import answers, is_same
from ladder.live.question import END, HELLO, ask_about, find_stored
from ladder.worker.check_progress import CheckProgress
from results.storage.store import Store

BOTS: dict[str, dict[str, Any]] = {
    "blind": {"parallel": 4},
    "seeing": {"view": "full"},
    "exits": {"sin": "exit"},
    "cheats": {"sin": "cheat"},
    "sleeps": {"sleep": 0.8},
    "never-starts": {"sin": "start"},
    "greets": {"sin": "greet"},
}
SETTINGS = ladders.STELLAR + "[limits]\nmove_ms = 300\nbank_ms = 200\n"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A home in which every bot has met the first one, in both seats."""
    home = ladders.a_home(tmp_path_factory.mktemp("asked") / "home", BOTS, SETTINGS)
    ladders.play(home, matches=12, schedule="gauntlet", bots=tuple(BOTS))
    return home


@pytest.fixture(autouse=True)
def _scripts(monkeypatch):
    """Ask scripts; what needs processes undoes it."""
    ask_here(monkeypatch)


def a_match(home, *names, fault=None):
    """Return a match of the bots *names* in these seats, in which the first one failed with *fault*."""
    contents = Store(home.results).contents()
    for row in contents.matches(["number", "seats.bot", "seats.fault"]).to_pylist():
        seats = row["seats"]
        if names == tuple(seat["bot"] for seat in seats)[: len(names)] and fault == seats[0]["fault"]:
            return find_stored(home, f"1/{row['number']}")
    raise AssertionError(f"no match of {names} with {fault}")


def all_answers(home, question, **more):
    with start_bot(home, question.bot, question.match.run, **more) as asked:
        return list(answers(question, asked))


def version(home, name):
    return home.roster.find(name)


@pytest.mark.parametrize(("name", "other"), [("blind", "seeing"), ("seeing", "blind")])
def test_a_bot_that_heeds_only_what_it_is_told_answers_as_it_played(home, name, other):
    match = a_match(home, name, other)
    question = ask_about(version(home, name), match, len(match.record["moves"]), None)
    hello, *decisions, end = all_answers(home, question)
    assert hello.ready
    assert 20 < len(decisions)
    for answer in decisions:
        assert is_same(answer.request, answer.reply), answer
    assert end.request is None
    assert (None, None) == (end.reply.fault, end.reply.move)
    assert [end] == [answer for answer in [hello, *decisions, end] if answer.wanted]


@pytest.mark.parametrize(("name", "kind"), [("exits", "crash"), ("cheats", "illegal"), ("sleeps", "timeout")])
def test_the_last_line_before_a_fault_makes_the_same_fault_again(home, name, kind):
    match = a_match(home, name, fault=kind)
    (fault,) = [row for row in match.record["faults"] if row["charged"]]
    question = ask_about(version(home, name), match, fault["step"], fault["seat"])
    last = all_answers(home, question)[-1]
    assert (kind, fault["reason"]) == (last.reply.fault.kind, last.reply.fault.reason)
    assert last.wanted
    assert is_same(last.request, last.reply)
    assert fault["request"] == last.request.line(last.ready).decode()[: len(fault["request"])]  # type: ignore[arg-type]


@pytest.mark.process
def test_processes_are_asked_as_scripts_are(home, monkeypatch):
    monkeypatch.undo()
    test_a_bot_that_heeds_only_what_it_is_told_answers_as_it_played(home, "blind", "seeing")
    test_the_last_line_before_a_fault_makes_the_same_fault_again(home, "exits", "crash")


def test_a_bot_that_speaks_after_the_end_does_so_again(home):
    match = a_match(home, "greets", "blind")
    last = all_answers(home, ask_about(version(home, "greets"), match, END, 0))[-1]
    assert (None, True) == (last.request, last.wanted)
    assert ("protocol", b"good game") == (last.reply.fault.kind, last.reply.fault.answer)


def test_a_bot_that_does_not_start_fails_at_its_hello(home):
    match = a_match(home, "never-starts", fault="start")
    (answer,) = all_answers(home, ask_about(version(home, "never-starts"), match, HELLO, 0))
    assert answer.failed
    assert answer.wanted
    assert "start" == answer.reply.fault.kind
    with pytest.raises(NotFound, match="had decided nothing by step 0, nor later"):
        ask_about(version(home, "never-starts"), match, 0, 0)


def test_another_bot_is_asked_in_the_place_of_the_one_that_decided(home):
    match = a_match(home, "blind", "seeing")
    step = next(i for i, moves in enumerate(match.record["moves"]) if moves[0][0] == 1 and i > 2)
    question = ask_about(version(home, "cheats"), match, step, None)
    assert 1 == question.seat
    with start_bot(home, question.bot, match.run) as asked:
        wanted = next(answer for answer in answers(question, asked) if answer.wanted)
    assert step == wanted.step
    assert "illegal" == wanted.reply.fault.kind
    assert not wanted.failed, "the match goes on as it was played"


def test_a_step_in_which_the_seat_does_not_decide_means_its_last_decision_before(home):
    match = a_match(home, "blind", "seeing")
    moves = match.record["moves"]
    step = next(i for i in range(5, len(moves)) if moves[i][0][0] == 1)
    before = max(i for i in range(step) if moves[i][0][0] == 0)
    question = ask_about(version(home, "blind"), match, step, None)
    assert before == question.conversation.requests[question.last].step


def test_what_cannot_be_asked_is_refused(home):
    match = a_match(home, "blind", "seeing")
    steps = len(match.record["moves"])
    blind = version(home, "blind")
    with pytest.raises(NotFound, match=f"no step {steps + 1}: its steps are 0 to {steps - 1}"):
        ask_about(blind, match, steps + 1, None)
    with pytest.raises(NotFound, match="has no seat 2"):
        ask_about(blind, match, 0, 2)
    with pytest.raises(UsageProblem, match="did not play in match") as refused:
        ask_about(version(home, "exits"), match, HELLO, None)
    assert "add --seat with one of: 0, 1" == refused.value.hint
    other = msgspec.structs.replace(blind, unfit=("stellar",))
    with pytest.raises(UsageProblem, match="does not play stellar"):
        ask_about(other, match, 0, None)
    quest = replace(match, record={**match.record, "game": "stella-quest"})
    sized = msgspec.structs.replace(blind, unfit=("stella-quest/2",))
    with pytest.raises(UsageProblem, match=r"blind@\w+ plays stella-quest at tables of 3, 4, not of 2"):
        ask_about(sized, quest, 0, None)


def test_a_renamed_bot_is_asked_what_it_was_asked_under_its_old_name(home, tmp_path):
    match = a_match(home, "cheats", fault="illegal")
    (fault,) = [row for row in match.record["faults"] if row["charged"]]
    shutil.copytree(home.path, tmp_path / "home")
    renamed = open_home(tmp_path / "home")
    assert 0 == run_here("bots", "rename", "cheats", "deceives", "--home", renamed.path).code
    question = ask_about(
        renamed.roster.find("deceives"), find_stored(renamed, match.name), fault["step"], None
    )
    last = all_answers(renamed, question)[-1]
    assert (fault["seat"], True) == (question.seat, last.wanted)
    assert "illegal" == last.reply.fault.kind


# -- two bots


def compared(home, old, new, most=20):
    bots = (version(home, old), version(home, new))
    places = find_places(home, Store(home.results).contents(), bots, ["stellar"], most)
    return list(compare(home, bots, places, CheckProgress()))


def test_two_bots_that_think_alike_differ_nowhere(home):
    found = compared(home, "blind", "seeing")
    assert 40 < len(found)
    assert [] == [each for each in found if not each.same]
    for name, new in (("blind", False), ("seeing", True)):
        same, own = is_stable(version(home, name), found, new=new)
        assert 0 < same == own


def test_two_bots_are_asked_in_the_newest_matches_at_sizes_that_both_play(tmp_path):
    home = ladders.a_home(tmp_path / "home")
    ladders.play(home, matches=12, game=("stella-quest",))
    first, last = (version(home, name) for name in ("first", "last"))
    sized, games = msgspec.structs.replace(last, unfit=("stella-quest/3", "stella-quest/4")), [*GAMES]
    contents = Store(home.results).contents()
    for both, sizes in (((first, last), {2, 3, 4}), ((first, sized), {2})):
        found = find_places(home, contents, both, games, 99)
        assert sizes == {len(place.match.record["seats"]) for place in found}
    assert find_places(home, contents, (first, sized), games, 1), "the newest that counts, not of all"
    sized = msgspec.structs.replace(last, unfit=("stella-quest/2",))
    other = msgspec.structs.replace(first, bot="other")
    again = msgspec.structs.replace(sized, bot="again")
    with pytest.raises(NotFound, match="no match of other and again") as lacking:
        find_places(home, contents, (other, again), ["stella-quest"], 1)
    assert "ladder duel" in lacking.value.hint, "a run would need a table of two"


def test_a_new_fault_is_a_difference_of_the_kinds_in_which_it_comes(home):
    found = compared(home, "blind", "cheats")
    differing = [each for each in found if not each.same]
    assert {each.request.step >= 3 for each in differing} == {True}
    assert {each.request.step >= 3 for each in found if each.same} == {False}
    assert {"fails: illegal"} == {each.row("cheats")["new"] for each in differing}
    assert (len(found), len(differing)) == tuple(
        map(sum, zip(*((kind.decisions, kind.differ) for kind in count_kinds(found)), strict=True))
    )
    command = differing[0].command("./my bots/cheats.py")
    assert command.startswith("ladder bots ask './my bots/cheats.py' 1/")


@pytest.mark.slow
def test_a_short_list_has_differences_of_all_kinds(home):
    differing = [each for each in compared(home, "blind", "cheats") if not each.same]
    kinds = [(kind.game, kind.kind) for kind in count_kinds(differing)]
    assert 2 < len(kinds)
    assert kinds == [each.kind for each in spread(differing, len(kinds))]
    assert len(differing) == len(spread(differing, 9999))
    twice = [each.kind for each in spread(differing, len(kinds) + 1)]
    assert [kinds[0], *kinds] == twice


def test_a_bot_that_ends_is_compared_as_far_as_it_comes_in_each_match(home):
    found = compared(home, "seeing", "exits", 2)
    by_place = {(each.place.match.name, each.place.seat): each for each in found}
    assert 2 <= len(by_place)
    assert {"fails: crash"} == {each.row("exits")["new"] for each in by_place.values()}


def test_what_cannot_be_compared_is_refused(home):
    blind, stranger = version(home, "blind"), version(home, "seeing")
    store = Store(home.results)
    with pytest.raises(UsageProblem, match=r"blind@\w+ is named twice"):
        find_places(home, store.contents(), (blind, blind), ["stellar"], 1)
    with pytest.raises(NotFound, match="no match of blind and seeing is stored here") as lacking:
        find_places(home, store.contents(), (blind, stranger), ["stella"], 1)
    both = f"{blind.id} {stranger.id}"
    assert lacking.value.hint.startswith(f"ladder duel {both} --game stella; "), (
        "two bots are too few for a run"
    )
    with pytest.raises(NotFound, match="is stored here") as lacking:
        find_places(home, store.contents(), (blind, stranger), ["stella", "stella-quest"], 1)
    assert f"ladder run {both} --game stella-quest --games 10" == lacking.value.hint
    unfit = msgspec.structs.replace(stranger, unfit=("stellar",))
    with pytest.raises(UsageProblem, match=r"seeing@\w+ does not play stellar"):
        find_places(home, store.contents(), (blind, unfit), ["stellar"], 1)
    with pytest.raises(LadderError, match=r"never-starts@\w+ does not start: start: ") as refused:
        compared(home, "seeing", "never-starts")
    assert refused.value.hint.endswith("hello")


# -- debuggers


@pytest.fixture
def sleeper():
    process = subprocess.Popen(["sleep", "60"])
    try:
        yield process.pid
    finally:
        process.kill()
        process.wait()


@pytest.mark.process
def test_a_debugger_that_never_comes_ends_the_waiting(sleeper):
    with pytest.raises(LadderError, match=f"no debugger was attached to process {sleeper}"):
        wait_for_debugger(sleeper, 0.05, lambda seconds: False)


@pytest.mark.process
def test_enter_ends_the_waiting(sleeper):
    wait_for_debugger(sleeper, 60, lambda seconds: True)


@pytest.mark.process
def test_a_debugger_ends_the_waiting(sleeper):
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.ptrace(0x4206, sleeper, None, None) != 0:  # PTRACE_SEIZE: it is our child, so Yama allows it
        pytest.skip(f"this machine has no debugging: {os.strerror(ctypes.get_errno())}")
    wait_for_debugger(sleeper, 60, lambda seconds: False)


@pytest.mark.slow
def test_a_free_bot_has_no_clock_and_the_environment_of_its_user(home, monkeypatch):
    monkeypatch.undo()
    match = a_match(home, "sleeps", fault="timeout")
    question = ask_about(version(home, "sleeps"), match, len(match.record["moves"]), None)
    with start_bot(home, question.bot, match.run, free=True) as asked:
        environment = Path(f"/proc/{asked.pid}/environ").read_bytes()
        last = next(answer for answer in answers(question, asked) if answer.wanted)
    assert os.environb[b"PATH"] in environment
    assert last.reply.options, "it took longer than the clock of the match allows"
    assert 800_000 <= last.reply.elapsed_us


# -- a machine that is too busy


def test_ask_and_diff_say_not_judged_with_exit_code_8(home, monkeypatch):
    match = a_match(home, "sleeps", fault="timeout")
    (fault,) = [row for row in match.record["faults"] if row["charged"]]
    monkeypatch.setattr("ladder.referee.handshake.judge_clock", lambda limit_us, spell: "too late")
    words = ["this machine is too busy: no answer within 500 ms; but in", "next: end other programs, or wait"]
    for command in (("ask", "sleeps", match.name, str(fault["step"])), ("diff", "blind", "sleeps")):
        answer = run_here("bots", *command, "--home", home.path)
        assert (8, False) == (answer.code, "now  " in answer.out)
        assert "ladder: sleeps is not judged: " in answer.err
        for text in words:
            assert text in " ".join(answer.err.split())


@pytest.mark.parametrize(
    ("kind", "network", "code", "told"),
    [
        ("transport", True, 8, "ladder: online is not judged: its service did not answer: 429"),
        ("unreadable", True, 0, "unreadable: no move was in the answer of its model: 429"),
        ("truncated", True, 0, "truncated: the answer of its model was cut: 429"),
        ("transport", False, 0, "protocol: expected the fields id and move, got no move"),
    ],
)
def test_a_bot_reports_a_failure_where_it_is_asked(home, monkeypatch, tmp_path, kind, network, code, told):
    def fails(config):
        def play(lines):
            for message in map(msgspec.json.decode, lines):
                if message["type"] == "hello":
                    yield Say(b'{"type":"ready","protocol":1}\n')
                elif message["type"] == "act":
                    report = {"id": message["id"], "fail": kind, "why": "429"}
                    yield Say(msgspec.json.encode(report) + b"\n")

        return play

    monkeypatch.setattr(here, "_script", fails)
    place = shutil.copytree(home.path, tmp_path / "home")
    ladders.enlist(open_home(place), "online", {}, network=network)
    match = a_match(home, "blind", "seeing")
    answer = run_here("bots", "ask", "online", match.name, "0", "--seat", "0", "--home", place)
    assert code == answer.code
    assert told in " ".join((answer.out + answer.err).split())
    assert "type the same command when its service is back" in answer.err or code == 0


def test_nobody_is_too_busy_for_a_line_that_asks_for_nothing(home, monkeypatch):
    match = a_match(home, "blind", "seeing")
    question = ask_about(version(home, "blind"), match, END, 0)
    monkeypatch.setattr("ladder.referee.handshake.judge_clock", lambda limit_us, spell: "too late")
    last = all_answers(home, question)[-1]
    assert (None, None) == (last.reply.fault, last.reply.move)
