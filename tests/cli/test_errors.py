"""Bad input: one clear line, the next thing to type, the right exit code, and nothing is changed."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import chdir
from pathlib import Path

import pytest
from support.command_line import ENVIRONMENT, PlayedHome, Said, check_refused, listing, run_here
from support.commands import process_group, read_until
from support.need import need

from ladder.cli.options import refuse
from results.storage.store import Store

GOOD = "from protocol.client import serve\nserve(lambda act: act.choice.options[0])\n"
TOML = 'name = "some"\nrun = ["{python}", "bot.py"]\n'
MANIFESTS = {
    "nameless": 'run = ["{python}", "bot.py"]\n',
    "unknown-key": TOML + "paralel = 2\n",
    "not-toml": "name: some\n",
    "no-program": TOML.replace("{python}", "./nothing"),
    "no-interpreter": TOML.replace("{python}", "no-such-interpreter"),
    "good": TOML,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with many bots, hardly any of which can be taken."""
    for name, text in MANIFESTS.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "bot.toml").write_text(text)
        (tmp_path / name / "bot.py").write_text(GOOD)
    (tmp_path / "manifestless").mkdir()
    (tmp_path / "binary").write_bytes(b"\x01\x02")
    (tmp_path / "crashes.py").write_text(
        "import sys\nprint('\\x1b[31mno luck', file=sys.stderr)\nsys.exit(3)\n"
    )
    (tmp_path / "illegal.py").write_text("from protocol.client import serve\nserve(lambda act: 'take 9')\n")
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked/bot.toml").write_text(TOML)
    (tmp_path / "linked/bot.py").symlink_to(tmp_path / "good/bot.py")
    (tmp_path / "unbuilt").mkdir()
    (tmp_path / "unbuilt/bot.toml").write_text(TOML + "build = 'echo no compiler >&2; exit 2'\n")
    return tmp_path


def refused(folder: Path, *arguments: str | Path, lines: int = 2) -> Said:
    """Type a command that is refused; see that it says why, what to type next, and changes nothing."""
    before = listing(folder)
    with chdir(folder):
        result = run_here(*arguments)
    # a check that takes longer than ten seconds, on a busy machine, shows its progress
    told = [line for line in result.err.splitlines() if not re.match(r"[0-9]+:[0-9]{2} ", line)]
    assert told[0].startswith("ladder: "), result.err
    assert told[-1].startswith("  next: "), result.err
    assert lines == len(told), result.err
    assert "" == result.out
    assert before == listing(folder)
    return result


# -- submit


@pytest.mark.parametrize(
    ("path", "message", "hint"),
    [
        ("ghost.py", "there is no file or folder 'ghost.py'", "ladder submit PATH"),
        ("binary", "is no program", "begin it with a line such as #!"),
        ("manifestless", "is empty", "put the program in it, and submit again"),
        ("nameless", "'name' is missing", 'add it: name = "'),
        ("unknown-key", "unknown key 'paralel'", "known: name, run, build"),
        ("not-toml", "not valid TOML", "correct it and submit again"),
        ("no-program", "not in the snapshot", "correct `run` in bot.toml"),
        ("linked", "is a link", "replace it by a copy"),
    ],
)
@pytest.mark.parametrize("home", [False, True], ids=["no home", "home"])
def test_a_bot_that_cannot_be_taken_is_refused(
    folder: Path, path: str, message: str, hint: str, home: bool
) -> None:
    if home:
        run_here("init", folder / "ladder-home")
    check_refused(refused(folder, "submit", path), 2, message, f"  next: {hint}")


def test_a_program_that_is_not_on_this_machine_is_refused(folder: Path) -> None:
    result = refused(folder, "submit", "no-interpreter")
    assert 1 == result.code
    assert "the program 'no-such-interpreter' is not on this machine" in result.err


@pytest.mark.process
def test_a_build_that_fails_is_refused_with_what_it_said(folder: Path) -> None:
    result = refused(folder, "submit", "unbuilt", lines=3)
    assert 1 == result.code
    assert "the build 'echo no compiler >&2; exit 2' failed: exit status 2\nno compiler\n" in result.err


@pytest.mark.usefixtures("threads")
def test_a_bot_that_faults_against_itself_is_refused_with_the_reason(folder: Path) -> None:
    result = refused(folder, "submit", "illegal.py", lines=4)
    assert 1 == result.code
    assert "against itself at stella-quest: illegal: " in result.err
    assert "; then: ladder submit illegal.py\n" in result.err


@pytest.mark.usefixtures("threads")
def test_what_a_bot_wrote_cannot_command_a_terminal(folder: Path) -> None:
    check_refused(refused(folder, "submit", "crashes.py", lines=3), 1, "  stderr: \\x1b[31mno luck\n")


def test_several_bots_that_are_all_refused_leave_no_home_behind(folder: Path) -> None:
    before = listing(folder)
    with chdir(folder):
        result = run_here("submit", "ghost.py", "nameless")
    assert 2 == result.code
    assert ["ghost.py", "nameless"] == [line.split()[0] for line in result.out.splitlines()[2:]]
    assert "0 of 2 accepted\n" in result.err
    assert before == listing(folder)


def test_what_the_settings_do_not_allow_is_said_with_the_line_to_write(folder: Path) -> None:
    (folder / "good/bot.toml").write_text(TOML + 'env = ["KEY"]\nnetwork = true\n')
    result = refused(folder, "submit", "good")
    assert 2 == result.code
    file = "ladder-home/ladder.toml"
    assert (
        f"for the variable KEY, which {file} does not allow; for the network, which it may not" in result.err
    )
    lines = 'env = ["KEY"] and network = ["some"]; export KEY=...'
    assert (
        f"  next: ladder home init ladder-home; then write in {file}, below [allow]: {lines}\n" in result.err
    )


def test_a_check_without_a_home_names_no_file_that_will_be_gone(folder: Path) -> None:
    (folder / "good/bot.toml").write_text(TOML + 'env = ["KEY"]\n')
    with chdir(folder):
        result = run_here("check", "good")
    told = " ".join(f"{result.out} {result.err}".split())
    assert "the ladder.toml of your home" in told
    assert "ladder-check-" not in told


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        ([], "there is nothing to submit", "ladder submit PATH, or ladder submit --all FOLDER"),
        (["--all", "ghost"], "ghost is not a folder", "ladder submit --all FOLDER"),
        (["--all", "good"], "good is itself a bot: it has a bot.toml", "ladder submit good"),
        (["good", "--name", "../up"], "'../up' cannot be a bot's name", ""),
        (["good", "crashes.py", "--name", "x"], "--name: it names one bot, and several are submitted", ""),
        (["good", "--quick", "--no-check"], "--no-check: give either --quick or --no-check", ""),
        (["good", "binary", "-j", "0"], "--jobs: expected a whole number from 1 to 4,096", ""),
    ],
)
def test_what_cannot_be_submitted_is_refused_before_anything_is_made(
    folder: Path, arguments: list[str], message: str, hint: str
) -> None:
    check_refused(refused(folder, "submit", *arguments), 2, message, f"  next: {hint}")


def test_pages_for_authors_overwrite_nothing_that_submit_did_not_write(folder: Path) -> None:
    (folder / "answers").mkdir()
    (folder / "answers" / "good.md").write_text("my notes on good")
    for pages, message in (
        ("answers", "'answers/good.md' exists, and this command did not write it"),
        ("crashes.py", "'crashes.py' is not a folder"),
    ):
        check_refused(refused(folder, "submit", "good", "--pages", pages), 2, message)
    assert "my notes on good" == (folder / "answers" / "good.md").read_text()


# -- run


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--games", "0"], 2, "--games: expected a whole number of at least 1, got: '0'"),
        (["--for", "soon"], 2, "--for: expected a time"),
        (["--on", "tcp://x"], 2, "--on: expected tcp://HOST:PORT"),
        (["--on", "tcp://x:70000"], 2, "--on: expected tcp://HOST:PORT"),
        (["-j", "-1"], 2, "--jobs: expected a whole number from 0 to 4,096"),
        (["--schedule", "adpative"], 2, "(did you mean 'adaptive'?)"),
        (["--schedule", "gauntlet"], 2, "--schedule gauntlet needs the bot that plays at every table"),
        (["--until", "roder"], 2, "(did you mean 'order'?)"),
        (["--gmaes", "4"], 2, "ladder run has no option --gmaes (did you mean '--games'?)"),
        (["--game", "stelar"], 3, "'stelar'"),
        (["greddy"], 3, "(did you mean 'greedy'?)"),
        (["--resume"], 2, "there is no unfinished run to resume"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
@pytest.mark.parametrize("home", [False, True], ids=["no home", "home"])
def test_a_run_that_cannot_be_is_refused_before_anything_is_made(
    tmp_path: Path, arguments: list[str], code: int, message: str, home: bool
) -> None:
    if home:
        run_here("init", tmp_path / "ladder-home")
    check_refused(refused(tmp_path, "run", *arguments), code, message)


@pytest.mark.tools
def test_a_scheduler_on_a_host_that_nobody_knows_is_no_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(*_: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    need("distributed")
    monkeypatch.setattr(socket, "create_connection", unknown)
    said = refused(tmp_path, "run", "--on", "tcp://nobody:8786")
    check_refused(said, 1, "no scheduler answers at tcp://nobody:8786: ")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["greedy"], 2, "needs 2 bots"),
        (["greedy", "greedy"], 2, "is named twice"),
        (["nobody"], 3, "'nobody'"),
        (["greedy@fff", "random"], 3, "got: 'fff'"),
        (["greedy", "--new"], 2, "needs 2 bots"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_run_of_bots_that_cannot_play_changes_nothing(
    played: PlayedHome, arguments: list[str], code: int, message: str
) -> None:
    check_refused(refused(played.home, "run", *arguments), code, message)


# -- homes


@pytest.mark.parametrize("command", ["run", "leaderboard", "bots", "matches", "matrix", "replay last"])
def test_a_folder_that_is_no_home_is_refused(
    tmp_path: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters/to-my-love.txt").write_text("Dearest")
    (tmp_path / "file").write_text("")
    for place in ("letters", "file"):
        result = refused(tmp_path, *command.split(), "--home", place)
        assert 2 == result.code
        assert place in result.err
        monkeypatch.setenv("LADDER_HOME", place)
        assert result == refused(tmp_path, *command.split())


@pytest.mark.parametrize(
    "command", ["leaderboard", "bots", "matches", "matrix", "replay last", "export x.csv"]
)
def test_where_there_is_no_ladder_a_reading_command_says_how_to_begin(tmp_path: Path, command: str) -> None:
    check_refused(
        refused(tmp_path, *command.split()), 2, "there is no ladder here", "  next: ladder run --games 1000"
    )


@pytest.mark.parametrize("command", ["run", "leaderboard"])
def test_settings_that_are_wrong_are_refused(tmp_path: Path, command: str) -> None:
    run_here("init", tmp_path / "ladder-home")
    (tmp_path / "ladder-home/ladder.toml").write_text("[limits]\nmove_sm = 3\n")
    check_refused(refused(tmp_path, command), 2, "unknown limits.move_sm")


def copied(played: PlayedHome, tmp_path: Path) -> Path:
    shutil.copytree(played.home, tmp_path / "ladder-home")
    return tmp_path


def test_a_home_where_a_run_is_under_way_is_locked(played: PlayedHome, tmp_path: Path) -> None:
    folder = copied(played, tmp_path)
    with Store(folder / "ladder-home/results").lock():
        result = refused(folder, "run", "--games", "4")
        assert 7 == result.code
        assert f"process {os.getpid()} is using ladder-home/results" in result.err
        assert 0 == run_here("leaderboard", "--home", folder / "ladder-home").code


@pytest.mark.slow
def test_whether_a_run_is_under_way_is_asked_before_what_its_command_was(tmp_path: Path) -> None:
    folder, run = tmp_path, ("run", "random", "greedy", "--games", "100000", "--seed", "1", "-j", "1")
    command = [sys.executable, "-m", "ladder", *run]
    with process_group(command, cwd=folder, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True) as first:
        store = Store(folder / "ladder-home/results")
        read_until(first, "made a new ladder")
        with chdir(folder):
            assert 7 == run_here("run", "--games", "4").code
            assert 7 == run_here("run", "--resume").code
        first.send_signal(signal.SIGINT)
        first.communicate(timeout=120)
    assert store.unfinished_run()
    with chdir(folder):
        assert 2 == run_here("run", "--games", "4").code


@pytest.mark.parametrize("command", ["run --games 4", "leaderboard", "matches", "replay last", "matrix"])
def test_results_of_a_newer_format_are_left_alone(played: PlayedHome, tmp_path: Path, command: str) -> None:
    folder = copied(played, tmp_path)
    (folder / "ladder-home/results/format.json").write_text(json.dumps({"format": 2}))
    check_refused(refused(folder, *command.split()), 4, "format 2", "  next: use the ladder that wrote it")


@pytest.mark.parametrize(
    ("command", "damaged"),
    [
        ("run --games 4", "runs.parquet"),
        ("leaderboard", "runs.parquet"),
        ("matches", "matches/*.parquet"),
        ("replay last", "matches/*.parquet"),
        ("matrix", "matches/*.parquet"),
        ("export x.csv", "matches/*.parquet"),
    ],
)
def test_damaged_results_are_left_alone(
    played: PlayedHome, tmp_path: Path, command: str, damaged: str
) -> None:
    folder = copied(played, tmp_path)
    (path,) = folder.glob(f"ladder-home/results/{damaged}")
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    check_refused(refused(folder, *command.split()), 4, " is damaged: ")


@pytest.mark.slow
def test_a_first_run_that_is_interrupted_leaves_no_half_made_home(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "ladder", "run", "--games", "4"]
    with process_group(command, cwd=tmp_path, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        assert "house bot" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=120)
    assert 130 == process.returncode
    assert {} == listing(tmp_path)


# -- what is not there


@pytest.mark.parametrize(
    ("command", "code", "message", "hint"),
    [
        ("replay 1/9999", 3, "there is no match '1/9999'", "ladder matches"),
        ("replay nonsense", 3, "there is no match 'nonsense'", "ladder matches"),
        ("replay", 2, "ladder replay needs MATCH", "ladder replay last"),
        ("replay 1/1 1/2 1/3", 2, "one argument too many: 1/3", "ladder replay --help"),
        ("matches --bot greddy", 3, "there is no bot 'greddy'", "ladder bots"),
        ("matches --bot greedy@zzzzzz", 3, "greedy has no version", "it has: greedy@1 ("),
        ("matches --run 9", 3, "there is no run 9", "a run from 1 to 1"),
        ("matches --lost", 2, "--lost: needs --bot, to know which bot lost", "ladder matches --help"),
        ("matches -n 0", 2, "--limit: expected", "ladder matches --help"),
        ("leaderboard --game stelar", 3, "there is no game 'stelar'", "ladder games"),
        ("leaderboard --format xml", 2, "--format: expected one of table, json, csv, md, got", "ladder l"),
        ("games chess", 3, "there is no game 'chess'", "ladder games"),
        ("export seats.xlsx", 2, "expected a file that ends in .parquet or .csv", "ladder export seats.par"),
        ("export none/x.csv", 2, "there is no folder 'none'", "mkdir -p none"),
        ("export x.csv --run 9", 3, "there is no run 9", "a run from 1 to 1"),
        ("init results", 2, "results is not empty", "name another folder"),
        ("leaderbord", 2, "there is no command 'leaderbord' (did you mean 'leaderboard'?)", "ladder --help"),
        ("--nosuch", 2, "ladder has no option --nosuch", "ladder --help"),
    ],
    ids=lambda value: value if isinstance(value, str) and " " in value else "",
)
def test_what_is_not_there_is_said_with_what_is(
    played: PlayedHome, command: str, code: int, message: str, hint: str
) -> None:
    check_refused(refused(played.home, *command.split()), code, f"ladder: {message}", f"  next: {hint}")


def test_a_file_that_cannot_be_written_is_no_traceback(played: PlayedHome, tmp_path: Path) -> None:
    (tmp_path / "x.csv").mkdir()
    result = refused(tmp_path, "export", "x.csv", "--home", played.home)
    assert 1 == result.code


def test_an_error_is_one_line_even_if_what_it_quotes_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    assert 3 == refuse("there is no bot '\x1b[2J'", "ladder bots", 3)
    assert "ladder: there is no bot '\\x1b[2J'\n  next: ladder bots\n" == capsys.readouterr().err
