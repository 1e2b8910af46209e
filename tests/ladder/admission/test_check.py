"""`ladder check`: what it finds in bots with one sin each, and that it finds nothing in one without."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support import ladders
from support.cheating import cheating
from support.command_line import run_here
from support.commands import process_group
from support.places import BAD_BOTS
from support.records import a_fault

from ladder.admission.check import check
from ladder.admission.finding import MARK, Finding
from ladder.admission.tryout import Trial, check_nothing_left
from ladder.api.asked import CheckRequest
from ladder.cli.check import check as check_command
from ladder.errors import LadderError, NotFound, TooBusy
from ladder.home.home import open_home
from ladder.process.procfs import find_marked
from ladder.worker import worker

pytestmark = pytest.mark.usefixtures("threads")

SHORT = "[limits]\nmove_ms = 150\nbank_ms = 100\nstart_ms = 5000\n"
"""For bots that let time run out once they play."""
SHY = """\
import json, sys
print(json.dumps({"type": "ready", "protocol": 1}))
for line in sys.stdin:
    pass
"""
"""A bot that never flushes."""

BREATHLESS = 'from manners import *\nhear()\nsay(b\'{"type":"ready","protocol":1}\')\nwait()\n'
"""A bot that is ready, but for the newline."""
RETICENT = """\
from manners import *
shake_hands()
while True:
    print(json.dumps(answer(hear_until("act"))))
"""
"""A bot that flushes its ready, and no answer."""

MakeBot = Callable[..., Path]


@pytest.fixture
def home(tmp_path):
    return ladders.a_home(tmp_path / "home", {}, SHORT)


@pytest.fixture
def make(tmp_path):
    """Return what makes the folder of one of the bad bots, which then plays Stellar."""

    def bot(program, text="", config="", games="stellar"):
        folder = tmp_path / program
        folder.mkdir()
        shutil.copy(BAD_BOTS / "manners.py", folder)
        if text:
            (folder / f"{program}.py").write_text(text)
        elif program != "manners":
            shutil.copy(BAD_BOTS / f"{program}.py", folder)
        lines = [f'name = "{program}"', f'games = ["{games}"]']
        lines += [f'run = ["{{python}}", "-S", "{program}.py", "{tmp_path.name}"]', "[config]", config]
        (folder / "bot.toml").write_text("\n".join(lines))
        return folder

    return bot


def found(home, path):
    return {finding.check: finding for finding in check(home, str(path))}


def verdicts(findings):
    """Return what is not well."""
    return {name: finding.verdict for name, finding in findings.items() if finding.verdict != "ok"}


@pytest.mark.process
def test_a_good_bot_passes_and_nothing_is_kept(home, make):
    path = make("manners")
    code, out, err = run_here("check", path, "--home", home.path)
    assert 0 == code, err
    lines = out.splitlines()
    checks = ["manifest", "build", "handshake", "against itself", "stellar", "time", "memory"]
    checks += ["same moves", "bye", "closed stdin", "nothing left"]
    assert [("ok", name) for name in checks] == [(line[:7].strip(), line[9:23].strip()) for line in lines]
    assert "2 matches, every seat at tables of 2, no fault" in lines[4]
    assert f"next: ladder submit {path}" in err
    assert ["bots", "ladder.toml", "results"] == sorted(file.name for file in home.path.iterdir())
    assert [] == home.roster.versions()


def test_a_bot_of_the_ladder_is_checked_by_its_name(home):
    ladders.enlist(home, "rat", {})
    findings = check(home, "rat")
    assert ["manifest", "handshake"] == [next(findings).check, next(findings).check]
    findings.close()


def test_a_bot_plays_at_every_table_of_its_games(home, make):
    path = make("manners", games="stella-quest")
    findings = found(home, path)
    assert "9 matches, every seat at tables of 2, 3, 4, no fault" == findings["stella-quest"].what


def test_who_is_neither_a_file_nor_a_bot_is_not_found(home):
    with pytest.raises(NotFound, match="there is no file and no bot 'mole'"):
        found(home, "mole")


@pytest.mark.parametrize(
    ("manifest", "name", "what", "advice"),
    [
        ('name = "x"', "manifest", "the key 'run' is missing", "add it: run ="),
        pytest.param(
            'name = "x"\nrun = ["sh"]\nbuild = "echo oh; exit 3"',
            "build",
            "exit status 3",
            "correct the build",
            marks=pytest.mark.process,
        ),
    ],
)
def test_a_bot_that_cannot_be_taken_in_fails_there(home, tmp_path, manifest, name, what, advice):
    (tmp_path / "bot.toml").write_text(manifest)
    findings = found(home, tmp_path / "bot.toml")
    assert {name: "failure"} == verdicts(findings)
    assert what in findings[name].what
    assert advice in findings[name].advice
    assert not list(home.path.glob(".check*"))


# -- the opponents


def test_a_check_whose_opponent_cannot_start_is_not_ok(home, make, tmp_path, monkeypatch):
    folder = tmp_path / "house"
    folder.mkdir()
    (folder / "bot.py").write_text('import sys\nsys.exit("no engine here")\n')
    (folder / "bot.toml").write_text('name = "random"\nrun = ["{python}", "bot.py"]\n')
    monkeypatch.setattr("ladder.admission.check.house_bots", lambda: {"random": folder / "bot.toml"})
    findings = found(home, make("manners"))
    assert {"stellar": "failure"} == verdicts(findings)
    said = "not tested: the opponent, the house bot random, could not play: start: the process ended"
    assert findings["stellar"].what.startswith(said)
    assert findings["stellar"].not_the_bot
    assert any("no engine here" in line for line in findings["stellar"].exchange)
    assert "this says nothing about your bot" in findings["stellar"].advice


def test_moves_are_not_compared_if_the_opponent_fails_the_second_time(home, make, monkeypatch):
    play, played = Trial._play, []

    def play_then_fail(trial, worker, number):
        block = play(trial, worker, number)
        played.append(block)
        fault = a_fault(bot="house", version="random-0", kind="memory", reason="it used 600 MB", charged=True)
        return msgspec.structs.replace(block, faults=[fault]) if played[1:] else block

    monkeypatch.setattr(Trial, "_play", play_then_fail)
    findings = found(home, make("manners"))
    assert {"same moves": "failure"} == verdicts(findings)
    assert "the house bot random, could not play: memory: it used 600 MB" in findings["same moves"].what


def test_after_a_failed_opponent_the_author_is_not_told_to_correct_the_bot(home, make, monkeypatch, capsys):
    failed = Finding("stellar", "failure", "not tested: ...", "see ladder doctor", not_the_bot=True)
    monkeypatch.setattr("ladder.admission.check.check", lambda *_: (each for each in [failed]))
    with pytest.raises(LadderError, match="1 of 1 checks failed") as caught:
        check_command(CheckRequest(str(make("manners")), home=home.path))
    assert caught.value.hint.startswith("ladder doctor, then: ladder check")


# -- the handshake


@pytest.mark.parametrize(
    ("program", "text", "what", "advice"),
    [
        ("prints_a_banner", "", "Bot 3000 (c) 1999", "the only line before the first match is "),
        ("shy", SHY, "", "it writes its answer only when its stdin ends"),
        ("breathless", BREATHLESS, "", "end every line with a newline"),
        ("starts_slowly", "", "", "start faster"),
        ("exits_at_start", "", "", "its stderr says why the program ended"),
    ],
)
def test_who_is_not_ready_is_told_why(home, make, program, text, what, advice):
    # half of what the slow one sleeps, because a busy machine adds to the limit
    (home.path / "ladder.toml").write_text("[limits]\nstart_ms = 250\n")
    findings = found(open_home(home.path), make(program, text, config="ms = 1000\nsecond = 1"))
    assert {"handshake": "failure"} == verdicts(findings)
    assert what in findings["handshake"].what
    assert findings["handshake"].advice.startswith(advice)


# -- matches


@pytest.mark.parametrize(
    ("program", "config", "what", "advice"),
    [
        (
            "forgets_the_newline",
            "",
            "timeout: no answer within 250 ms; part of an answer had come, without",
            "newline",
        ),
        ("thinks", "ms = 600", "timeout: no answer within 250 ms", "answer sooner"),
        ("plays_what_is_not_offered", "", "illegal: ", "spelled as in choice.options"),
        ("raises", "", "crash: the process ended (exit status 1)", "stderr"),
        ("talks_on_stdout", "", "protocol: ", "log to stderr"),
    ],
)
def test_a_fault_comes_with_its_exchange_and_with_what_to_do(home, make, program, config, what, advice):
    findings = found(home, make(program, config=config))
    for name in ("against itself", "stellar"):
        assert "failure" == findings[name].verdict
        assert what in findings[name].what
        assert advice in findings[name].advice
        assert any(line.startswith("  request   {") for line in findings[name].exchange)


def test_a_bot_that_fails_at_one_size_is_told_how_to_name_the_others(home, tmp_path):
    (tmp_path / "bot.py").write_text(cheating("['stella-quest/4']"))
    manifest = 'name = "rat"\nrun = ["{python}", "-S", "bot.py"]\ngames = ["stella-quest"]\n'
    (tmp_path / "bot.toml").write_text(manifest)
    finding = found(home, tmp_path / "bot.toml")["against itself"]
    assert finding.what.startswith("at stella-quest at tables of 4: illegal")
    line = finding.advice.partition("name them in bot.toml: ")[2]
    (tmp_path / "bot.toml").write_text(f"{manifest}{line}")
    findings = found(home, tmp_path / "bot.toml")
    assert {} == verdicts(findings)
    assert findings["manifest"].what.endswith("; stella-quest (2, 3 seats)")


@pytest.mark.slow
def test_who_never_flushes_its_answers_is_told_so(home, make):
    findings = found(home, make("reticent", RETICENT))
    assert "timeout: no answer within 250 ms" == findings["stellar"].what
    assert findings["stellar"].advice.startswith("it writes its answer only when its stdin ends")


@pytest.mark.parametrize("games", ["stella", "stellar"])
@pytest.mark.slow
def test_decisions_before_a_crash_have_their_times(home, make, games):
    """Two matches are played to their end, the third is not; of Stellar's one block, not even the first."""
    text = "from manners import *\nshake_hands()\nmatches = 0\nwhile True:\n    message = hear()\n"
    text += "    matches += message['type'] == 'start'\n    if message['type'] == 'act':\n"
    text += f"        if matches > 2 or ({games == 'stellar'} and message['step'] > 3): sys.exit(3)\n"
    text += "        say(answer(message))\n"
    findings = found(home, make("weary", text, games=games))
    assert "crash" in findings[games].what
    assert findings["time"].what.startswith("p50 ")
    assert {"ok"} == {findings[name].verdict for name in ("time", "memory")}


def test_a_bot_that_never_decided_has_no_times(home, make):
    text = "from manners import *\nshake_hands()\nhear_until('act')\nsys.exit(3)\n"
    assert not {"time", "memory"} & found(home, make("mute", text)).keys()


def test_who_lives_on_the_bank_is_warned(home, make):
    (home.path / "ladder.toml").write_text("[limits]\nmove_ms = 1\nbank_ms = 60000\n")
    findings = found(open_home(home.path), make("thinks", config="ms = 80\nsteps = [0]"))
    assert {"time": "warning"} == verdicts(findings)
    assert "decisions used the bank" in findings["time"].what


@pytest.mark.process
def test_who_comes_near_its_memory_is_warned(home, make):
    text = "from manners import *\nkept = bytearray(45_000_000)\nshake_hands()\nplay_on()\n"
    (home.path / "ladder.toml").write_text("[limits]\nmemory_mb = 64\n")
    assert {"memory": "warning"} == verdicts(found(open_home(home.path), make("hoards", text)))


def test_who_moves_otherwise_another_time_is_warned_and_shown_where(home, make):
    text = "from manners import *\nimport random\nshake_hands()\nwhile True:\n"
    text += (
        "    act = hear_until('act')\n    say(answer(act, move=random.choice(act['choice']['options'])))\n"
    )
    findings = found(home, make("dices", text))
    assert {"same moves": "warning"} == verdicts(findings)
    where, first, then = findings["same moves"].exchange
    assert where.startswith("stellar for 2, step ")
    assert first.split()[1:] != then.split()[1:]


# -- the farewell


@pytest.mark.slow
def test_who_ignores_bye_fails_there_and_is_ended(home, make, tmp_path):
    findings = found(home, make("ignores_sigterm_and_bye"))
    assert {"bye": "failure", "closed stdin": "failure"} == verdicts(findings)
    assert "still running 2 s after bye" == findings["bye"].what
    assert [] == ladders.processes(tmp_path.name)


@pytest.mark.process
def test_who_ends_with_another_status_is_warned(home, make):
    text = (
        "import atexit, os\nfrom manners import *\natexit.register(os._exit, 3)\nshake_hands()\nplay_on()\n"
    )
    findings = found(home, make("complains", text))
    assert {"bye": "warning", "closed stdin": "warning"} == verdicts(findings)
    assert "ended with exit status 3" == findings["bye"].what


@pytest.mark.process
def test_a_process_that_is_left_is_named():
    with process_group(["sleep", "60"], env={MARK: "abc", "PATH": os.environ["PATH"]}) as process:
        while not find_marked("abc"):  # its memory is laid out a moment after its start
            assert process.poll() is None
        finding = check_nothing_left("abc")
    assert "failure" == finding.verdict
    assert (f"process   {process.pid}: sleep 60 ",) == finding.exchange
    assert "ok" == check_nothing_left("abc").verdict


# -- the command


def test_a_failure_is_explained_after_the_list_and_ends_in_exit_code_1(home, make):
    path = make("prints_a_banner")
    code, out, err = run_here("check", path, "--home", home.path)
    assert 1 == code
    listed, _, told = out.partition("\n\n")
    assert ["ok", "ok", "failure", "ok"] == [line.split()[0] for line in listed.splitlines()]
    assert told.startswith("handshake: ")
    assert "  to do: " in told
    assert f"1 of 4 checks failed\n  next: correct the bot, then: ladder check {path}" in err


def test_json_has_every_finding(home, make):
    code, out, _ = run_here("check", make("prints_a_banner"), "--json", "--home", home.path)
    answer: Any = json.loads(out)
    assert (1, False) == (code, answer["passed"])
    assert ["manifest", "build", "handshake", "nothing left"] == [f["check"] for f in answer["findings"]]
    assert {"check", "verdict", "what", "advice", "exchange", "not_the_bot"} == set(answer["findings"][2])


def test_json_tells_of_a_name_that_is_no_text(home, tmp_path):
    script = tmp_path / "rat-\udcff.py"
    script.write_text("pass\n")
    code, out, _ = run_here("check", script, "--json", "--home", home.path)
    assert (1, False) == (code, json.loads(out)["passed"])


def test_an_empty_script_is_named_as_such(home, tmp_path):
    (tmp_path / "rat.py").write_text("\n")
    (finding,) = check(home, str(tmp_path / "rat.py"))
    assert ("failure", "save the program in it, and submit again") == (finding.verdict, finding.advice)


def test_a_check_needs_no_ladder_and_makes_none(make, tmp_path, monkeypatch):
    make("prints_a_banner")
    monkeypatch.chdir(tmp_path)
    assert 1 == run_here("check", "prints_a_banner").code
    assert ["prints_a_banner"] == [path.name for path in tmp_path.iterdir()]


# --- a machine that is too busy


def delay_starts(monkeypatch, times):
    """Let the machine delay the first *times* starts of the handshake; return the starts, as they come."""
    starts: list[str] = []
    real = worker.await_ready

    def await_ready(players, *more, **named):
        real(players, *more, **named)
        starts.append(players[0].bot.bot)
        if len(starts) <= times:
            players[0].failure, players[0].delay = "no ready within 10000 ms of its start", "it waited"

    monkeypatch.setattr(worker, "await_ready", await_ready)
    return starts


def test_a_start_that_the_machine_delays_is_tried_three_times(home, make, monkeypatch):
    path = make("manners")
    starts = delay_starts(monkeypatch, 2)
    findings = check(home, str(path))
    assert {"ok"} == {next(findings).verdict for _ in ("manifest", "build", "handshake")}
    findings.close()
    assert 3 == len(starts)


def test_a_bot_that_the_machine_delays_is_not_judged(home, make, monkeypatch):
    path = make("manners")
    starts = delay_starts(monkeypatch, 3)
    code, _, err = run_here("check", path, "--home", home.path)
    assert (8, 3) == (code, len(starts))
    assert "manners is not judged: this machine is too busy: no ready within 10000 ms of its start" in err


@pytest.mark.parametrize("where", ["play_itself", "Worker.play"])
def test_a_match_that_the_machine_delays_is_not_judged(home, make, monkeypatch, where):
    def play(*_, **__):
        if where == "play_itself":
            raise TooBusy("it waited", judged="manners")
        raise TooBusy("it waited")

    monkeypatch.setattr(f"ladder.admission.tryout.{where}", play)
    with pytest.raises(TooBusy, match=r"^manners is not judged: this machine is too busy: it waited$"):
        found(home, make("manners"))
    assert not list(home.path.glob(".check*"))


@pytest.mark.parametrize(
    "error", [TooBusy("the build had not ended"), MemoryError(), KeyError("of the ladder")]
)
def test_a_build_that_the_machine_keeps_from_its_end_is_no_finding(home, tmp_path, monkeypatch, error):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr("ladder.admission.check.stage_alone", fail)
    (tmp_path / "new.py").write_text("pass")
    findings = check(home, str(tmp_path / "new.py"))
    assert "ok" == next(findings).verdict
    with pytest.raises(type(error)):
        next(findings)
