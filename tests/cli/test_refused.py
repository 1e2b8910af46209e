"""A command that is refused says why and what to type next: no tier is tried, nothing starts or changes."""

import errno
import json
import os
import shutil
import socket
from contextlib import chdir
from pathlib import Path

import pytest
from support.command_line import check_refused, listing, run_here
from support.ladders import a_home, start_run
from support.need import need

import ladder
from ladder.cli.last_line import wants_json
from ladder.cli.options import note, refuse
from ladder.home.home import open_home
from ladder.home.house_bots import expecting, pending
from ladder.process import tiers
from results.storage.store import Store

Probes = list[str]
STELLAR = '[run]\ngames = ["stellar"]\n'
LACKING = f"{tiers.WARNING}\n(bwrap: not here; landlock: not here)\n{tiers.INSTALL}"
"""What is told where nothing confines."""


@pytest.fixture
def probes(monkeypatch):
    """Return the tiers that were tried: on a machine where nothing confines."""
    found: Probes = []

    def choose(wanted="auto"):
        found.append(wanted)
        if wanted == "none":
            return tiers.TierChoice("none", tiers.WARNING)
        return tiers.TierChoice("none", LACKING, "bwrap: not here; landlock: not here")

    monkeypatch.setattr(tiers, "choose", choose)
    return found


def refused(folder, command, *more):
    """Type *command* in *folder*; see that it says two lines and changes nothing, not even the lock.

    Where JSON was asked for, they are in one line.
    """
    before = listing(folder)
    with chdir(folder):
        said = run_here(*command.split(), *more)
    first, *others = said.err.splitlines()
    if wants_json(command.split()):
        told = json.loads(first)
        assert told["exit"] == said.code
        first, others = f"ladder: {told['error']}", [f"  next: {told['next']}", *others]
        said = said._replace(err="\n".join([first, *others]))
    (second,) = others
    assert first.startswith("ladder: "), said.err
    assert second.startswith("  next: "), said.err
    assert before == listing(folder)
    return said


NAMES = [
    ("run greddy", 3, "there is no bot 'greddy' (did you mean 'greedy'?)"),
    ("run greedy@2 random", 3, "greedy has no version '2'"),
    ("run search greedy", 3, "there is no bot 'search'"),
    ("run greedy", 2, "needs 2 bots"),
    ("run --game chess", 3, "there is no game 'chess'"),
    ("run --seats 9", 2, "--seats"),
    ("run --option deck=3", 2, "deck"),
    ("run --sandbox typo", 2, "--sandbox"),
    ("run --resume", 2, "there is no unfinished run to resume"),
    ("run greedy greedy", 2, "is named twice"),
    ("run greedy@fff random", 3, "got: 'fff'"),
    ("run greedy --new", 2, "needs 2 bots"),
    ("run --games 0", 2, "--games: expected a whole number of at least 1, got: '0'"),
    ("run --for soon", 2, "--for: expected a time"),
    ("run --on tcp://x", 2, "--on: expected tcp://HOST:PORT"),
    ("run --on tcp://x:70000", 2, "--on: expected tcp://HOST:PORT"),
    ("run -j -1", 2, "--jobs: expected a whole number from 0 to 4,096"),
    ("run --schedule adpative", 2, "(did you mean 'adaptive'?)"),
    ("run --schedule gauntlet", 2, "--schedule gauntlet needs the bot that plays at every table"),
    ("run --until roder", 2, "(did you mean 'order'?)"),
    ("run --limit move_ms=0", 2, "--limit move_ms=0: expected a whole number of at least 1"),
    (f"run --limit move_ms={'9' * 400}", 2, "--limit move_ms=999"),
    ("run --limit move_ms", 2, "expected --limit KEY=VALUE, got: --limit move_ms"),
    ("run --limit =5", 2, "unknown limit "),
    ("run --limit mov_ms=5", 2, "unknown limit mov_ms (did you mean 'move_ms'?)"),
    ("run --limit move_ms=1.5", 2, "expected a whole number, got: --limit move_ms=1.5"),
    ("run --limit move_ms=5 --limit move_ms=6", 2, "move_ms is given twice"),
    ("run --report no/such/folder.md", 2, "--report"),
    ("run --report n.md --unrated", 2, "--report"),
    ("run --gmaes 4", 2, "ladder run has no option --gmaes (did you mean '--games'?)"),
    ("run --transcript --on tcp://127.0.0.1:1", 2, "lines are kept by workers of this machine only"),
    ("replay 1/0 --transcript --html", 2, "expected --transcript or --html, got both"),
    ("replay 1/0 --transcript --json", 2, "expected --transcript or --format json, got both"),
    ("replay 1/0 --transcript --no-notes", 2, "expected --transcript or --no-notes, got both"),
    ("duel greddy random", 3, "there is no bot 'greddy' (did you mean 'greedy'?)"),
    ("duel greedy greedy", 2, "is named twice"),
    ("duel greedy random --field greddy --seats 3", 3, "there is no bot 'greddy'"),
    ("duel ./ghost.py greedy", 2, "there is no file or folder './ghost.py'"),
    ("duel ./broken greedy", 2, "names ./nothing, which is not in the snapshot"),
    ("duel greedy random --without greddy", 3, "there is no bot 'greddy'"),
    ("duel greddy random --margin 3", 3, "there is no bot 'greddy'"),
    ("duel ./fine.py ./fine.py", 2, "is named twice"),
    ("duel ./fine.py greedy --game chess", 3, "there is no game 'chess'"),
    ("play stellar greddy", 3, "there is no bot 'greddy' (did you mean 'greedy'?)"),
    ("play chess greedy", 3, "there is no game 'chess'"),
    ("play stellar greedy --seats 6", 2, "6"),
    ("play stellar ./broken", 2, "names ./nothing"),
    ("play stellar ./ghost", 2, "there is no file or folder './ghost'\n  next: name a bot or the path of"),
    ("play stellar", 2, "no bot is named"),
    ("play stellar greedy --human 2", 2, "expected a seat from 0 to 1"),
    ("play stellar greedy --connect 2", 2, "expected a seat from 0 to 1"),
    ("play stellar greedy --connect 0 --human 0", 2, "seat 0 is for you and for a bot that connects"),
    ("play stellar greedy --deal nowhere.json", 2, "nowhere.json cannot be read"),
    ("play stellar greedy --deal x --seed 1", 2, "give either --seed or --deal"),
    ("home rate --engine elo", 2, "--engine: expected one of joint, fold, package, got: 'elo'"),
    (
        "leaderboard --show all",
        2,
        "--show: expected one of pairs, all-games, calibration, judges, notes, got: 'all'",
    ),
    ("home restore none new", 2, "none is not an archive"),
    ("home restore fine.py broken", 2, "broken exists already"),
    ("home restore fine.py new", 2, "fine.py cannot be restored: "),
    (
        "run \u2013games 10",
        2,
        "'\u2013games' is no option: is that a --games?\n  next: ladder run --games 10",
    ),
    ("run -games 10", 2, "'-games' is no option: is that a --games?\n  next: ladder run --games 10"),
    ("run \u2013g=10", 2, "'\u2013g=10' is no option: is that a -g?\n  next: ladder run -g=10"),
    ("run greedy \u2014 games", 3, "there is no bot '\u2014'"),
    ("\u2013help", 2, "'\u2013help' is no option: is that a --help?\n  next: ladder --help"),
    (
        "bots \u2014format json",
        2,
        "'\u2014format' is no option: is that a --format?\n  next: ladder bots --format json",
    ),
    ("submit fine.py -m \u2013fix --name x -j 0", 2, "--jobs"),
    ("help nope", 2, "there is no command 'nope'\n  next: ladder --help"),
    ("home init a --home b", 2, "--home: it is the same as FOLDER: give one of them"),
    ("review --game stellar", 2, "--game: --matches, --worst, --game and --full need --bot"),
    ("games stela --format json", 3, "there is no game 'stela' (did you mean 'stella'?)"),
    ("reference greddy", 3, "there is no bot 'greddy' (did you mean 'greedy'?)"),
    ("reference greedy --game chess", 2, "there is no game 'chess'"),
    ("reference ./broken", 2, "names ./nothing"),
    ("tournament new cup --game stellar greddy", 3, "there is no bot 'greddy'"),
    ("tournament new cup --game stellar --stages swis", 2, "swis"),
    ("tournament run cup", 3, "cup"),
    ("submit ./broken", 2, "names ./nothing"),
    ("submit ghost.py", 2, "there is no file or folder 'ghost.py'\n  next: ladder submit PATH"),
    ("submit", 2, "there is nothing to submit\n  next: ladder submit PATH, or ladder submit --all FOLDER"),
    ("submit --all ghost", 2, "ghost is not a folder\n  next: ladder submit --all FOLDER"),
    ("submit --all broken", 2, "broken is itself a bot: it has a bot.toml\n  next: ladder submit broken"),
    ("submit fine.py broken --name x", 2, "--name: it names one bot, and several are submitted"),
    ("submit fine.py --check some", 2, "--check: expected one of full, quick, none, got: 'some'"),
    ("submit fine.py --limit bot_mb=5", 2, "--limit: unknown limit bot_mb"),
    ("submit fine.py broken -j 0", 2, "--jobs: expected a whole number from 1 to 4,096"),
    ("submit fine.py --place A", 2, "--place: it names the folder of --all"),
    ("submit --all . --place a/b", 2, "--place: expected letters, digits, dots or dashes"),
    ("submit fine.py --replace rat", 2, "--replace: names go with --all; for one bot, type no name"),
    ("submit --all . --replace cat", 3, "there is no bot 'cat'"),
    (f"submit fine.py -m {'x' * 201}", 2, "expected a note of at most 200 characters, got: 201"),
    ("try ./broken --against greddy", 3, "there is no bot 'greddy'"),
    ("check greddy", 3, "there is no file and no bot 'greddy'"),
    ("bots feedback", 2, "expected a bot, or --all\n  next: ladder bots feedback --all FOLDER"),
    ("bots feedback greedy --all x", 2, "expected a bot or --all, got both: greedy\n  next: "),
    ("bots feedback greddy", 3, "there is no bot 'greddy'"),
    ("bots trial greddy", 3, "there is no bot 'greddy'"),
    ("bots greddy", 3, "there is no bot 'greddy'"),
    ("bots retire greddy", 3, "there is no bot 'greddy'"),
    ("bots activate greddy", 3, "there is no bot 'greddy'"),
    ("bots house add greddy", 3, "there is no house bot 'greddy'"),
]


NEEDY = 'name = "needy"\nrun = ["{python}", "bot.py"]\nenv = ["KEY"]\nnetwork = true\n'


@pytest.fixture
def folder(tmp_path):
    """Return a folder with a bot, and with one that lacks its program."""
    (tmp_path / "fine.py").write_text("from protocol.client import serve\n")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken/bot.toml").write_text('name = "broken"\nrun = ["./nothing"]\n')
    return tmp_path


@pytest.mark.parametrize("home", [False, True], ids=["no home", "home"])
@pytest.mark.parametrize(("command", "code", "message"), NAMES, ids=[command[:60] for command, *_ in NAMES])
def test_what_cannot_be_found_is_refused_before_a_tier_is_tried(folder, probes, command, code, message, home):
    if home or command.startswith(("tournament run", "bots")):
        run_here("init", folder / "ladder-home")
    check_refused(refused(folder, command), code, message)
    assert [] == probes


# -- submissions


def test_what_the_settings_do_not_allow_is_said_with_the_line_to_write(folder):
    (folder / "broken/bot.toml").write_text(NEEDY)
    file = "ladder-home/ladder.toml"
    why = f"for the variable KEY, which {file} does not allow; for the network, which it may not"
    todo = 'env = ["KEY"] and network = ["needy"]; export KEY=...'
    hint = f"  next: ladder home init ladder-home; then write in {file}, below [allow]: {todo}\n"
    check_refused(refused(folder, "submit broken"), 2, why, hint)


def test_a_check_without_a_home_names_no_file_that_will_be_gone(folder, monkeypatch):
    monkeypatch.chdir(folder)
    (folder / "broken/bot.toml").write_text(NEEDY)
    told = " ".join(run_here("check", folder / "broken").out.split())
    assert "the ladder.toml of your home" in told
    assert "ladder-check-" not in told


@pytest.mark.usefixtures("threads")
def test_what_a_bot_wrote_cannot_command_a_terminal(folder):
    crash = "import sys\nprint('\\x1b[31mno luck', file=sys.stderr)\nsys.exit(3)\n"
    (folder / "fine.py").write_text(crash)
    said = run_here("submit", folder / "fine.py", "--home", folder / "home")
    check_refused(said, 1, "  stderr: \\x1b[31mno luck\n")


def test_several_bots_that_are_all_refused_leave_no_home_behind(folder):
    (folder / "broken/bot.toml").write_text("")
    before = listing(folder)
    with chdir(folder):
        result = run_here("submit", "ghost.py", "broken")
    assert 2 == result.code
    assert ["ghost.py", "broken"] == [line.split()[0] for line in result.out.splitlines()[2:]]
    assert "0 of 2 accepted\n" in result.err
    assert before == listing(folder)


def test_pages_for_authors_overwrite_nothing_that_submit_did_not_write(folder):
    (folder / "answers").mkdir()
    (folder / "answers" / "fine.py.md").write_text("my notes on it")
    for pages, message in (
        ("answers", "'answers/fine.py.md' exists, and this command did not write it"),
        ("fine.py", "'fine.py' is not a folder"),
    ):
        check_refused(refused(folder, "submit fine.py --pages", pages), 2, message)


# -- what a home does not allow


def change(home):
    (next(home.glob("bots/first/*/files")) / "player.py").write_text("other")


def ban(home):
    assert 0 == run_here("bots", "ban", "first", "--why", "reads the disk", "--home", home).code


def stop(home):
    start_run(open_home(home), seed=None)


def stop_and_ban(home):
    stop(home)
    ban(home)


def stop_and_lose(home):
    stop(home)
    shutil.rmtree(home / "bots/first")


def damage(home):
    stop(home)
    (journal,) = (home / "results/journal").iterdir()
    journal.unlink()


def settings(text):
    def write(home):
        (home / "ladder.toml").write_text(text)

    return write


WORLDS = [
    (change, "run first last", 1, "first@"),
    (change, "duel first last", 1, "is not what was submitted"),
    (change, "play stellar first", 1, "is not what was submitted"),
    (change, "reference first", 1, "is not what was submitted"),
    (change, "tournament new cup --game stellar first last", 1, "is not what was submitted"),
    (ban, "run first last", 2, "first is banned since"),
    (ban, "duel first last", 2, "first is banned since"),
    (ban, "play stellar first", 2, "first is banned since"),
    (ban, "reference first", 2, "first is banned since"),
    (stop, "run --games 4", 2, "run 1 is not finished, and this command differs"),
    (stop, "run --resume --without greddy", 3, "greddy does not play in run 1"),
    (stop, "duel first last --rated", 2, "a rated duel has to come after it"),
    (stop, "tournament new cup --game stellar --rated", 2, "run 1 is not finished"),
    (stop_and_ban, "run --resume", 2, "is banned"),
    (stop_and_lose, "run --resume", 3, "is not in this home any more"),
    (damage, "run --resume", 4, "is damaged"),
    (settings("[run]\nmatches = 3"), "run", 2, "unknown run.matches"),
    (settings('[sandbox]\nreadable = ["/no/such"]'), "run", 2, "sandbox.readable: /no/such is not there"),
    (settings('[sandbox]\ntier = "typo"'), "duel first last", 2, "unknown tier 'typo'"),
    (lambda home: None, "home season a+b", 2, "cannot be the name of a season"),
    (settings("[limits]\nmove_sm = 3"), "leaderboard", 2, "unknown limits.move_sm"),
]


@pytest.mark.parametrize(
    ("world", "command", "code", "message"),
    WORLDS,
    ids=[f"{number} {command}" for number, (_, command, *_) in enumerate(WORLDS)],
)
def test_what_a_home_does_not_allow_is_refused_before_a_tier_is_tried(
    tmp_path, probes, world, command, code, message
):
    world(a_home(tmp_path / "ladder-home", settings=STELLAR).path)
    check_refused(refused(tmp_path, command), code, message)
    assert [] == probes


@pytest.mark.parametrize(
    ("command", "unfinished"),
    [
        ("run", False),
        ("run --games 4", False),
        ("duel first last --rated", False),
        ("run --games 4", True),
        ("run --resume", True),
    ],
)
def test_a_home_that_another_process_uses_is_refused_before_anything_else_is_asked(
    tmp_path, probes, command, unfinished
):
    home = a_home(tmp_path / "ladder-home", settings=STELLAR)
    if unfinished:
        start_run(home, seed=None)
    with Store(home.results).lock():
        check_refused(refused(tmp_path, command), 7, f"process {os.getpid()} is using ladder-home/results")
        assert 0 == run_here("leaderboard", "--home", home.path).code, "who only reads need not wait"
    assert [] == probes


@pytest.mark.parametrize("command", ["run", "duel first last --rated"])
def test_results_that_this_user_may_not_write_are_refused_before_a_tier_is_tried(
    tmp_path, probes, command, monkeypatch
):
    home = a_home(tmp_path / "ladder-home", settings=STELLAR)
    with Store(home.results).lock():
        pass

    def refuse(path, flags):  # root may write anywhere
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr("results.storage.locking._lock", refuse)
    check_refused(refused(tmp_path, command), 1, "Permission denied")
    assert [] == probes


@pytest.mark.parametrize(
    "command",
    ["run", "run --unrated", "duel first last", "tournament new cup --game stellar"],
)
def test_where_nothing_confines_a_run_that_requires_it_is_refused_and_stores_nothing(
    tmp_path, probes, command
):
    a_home(tmp_path / "ladder-home", settings=STELLAR)
    typed = "" if command.startswith("tournament") else " --sandbox required"
    if not typed:
        (tmp_path / "ladder-home/ladder.toml").write_text(f'{STELLAR}\n[sandbox]\ntier = "required"\n')
    check_refused(refused(tmp_path, command + typed), 1, "(bwrap: not here")
    assert ["auto"] == probes


def first(act):
    return act.choice.options[0]


def last(act):
    return act.choice.options[-1]


def test_a_run_tries_its_tier_once_and_says_what_it_lacks_before_its_first_match(tmp_path, probes):
    home, told = a_home(tmp_path / "home", {}, STELLAR), []
    ladder.play([first, last], game="stellar", games=2, home=home, tell=told.append)
    kinds = [type(event).__name__ for event in told]
    assert ["auto"] == probes
    assert f"warning: {LACKING}" == told[0].text
    assert kinds.index("Planned") > 0
    assert 1 == sum(LACKING in getattr(event, "text", "") for event in told)


def test_where_a_bot_has_written_it_takes_the_tier_to_tell_whether_it_may(tmp_path, probes, monkeypatch):
    home = a_home(tmp_path / "ladder-home", settings=STELLAR)
    (next(home.path.glob("bots/first/*/files")) / "cache.txt").write_text("")
    check_refused(refused(tmp_path, "run first last --seats 6"), 2, "stellar is for 2")
    assert [] == probes
    said = refused(tmp_path, "run first last --sandbox required")
    check_refused(said, 1, "bots cannot be confined here")
    assert {"auto"} == {*probes}
    monkeypatch.setattr(tiers, "choose", lambda wanted: tiers.TierChoice("landlock", "weaker"))
    check_refused(refused(tmp_path, "run first last"), 1, "first@", "cache.txt")


def test_a_tournament_whose_bots_need_not_start_tries_no_tier(tmp_path, probes):
    a_home(tmp_path / "ladder-home", settings=STELLAR)
    with chdir(tmp_path):
        assert 0 == run_here("tournament", "new", "cup", "--game", "stellar").code
    assert [] == probes


@pytest.mark.process
def test_a_command_that_begins_says_what_it_plays_without(tmp_path, probes):
    a_home(tmp_path / "ladder-home", settings=STELLAR)
    for command in ("run first last --games 4", "duel first last --games 4", "play stellar first"):
        with chdir(tmp_path):
            said = run_here(*command.split())
        assert said.err.startswith("warning: bots are not confined"), said.err
        assert 1 == said.err.count("bots are not confined")
    assert ["auto"] * 3 == probes


def test_a_house_bot_that_is_to_come_counts_as_known(tmp_path):
    run_here("init", tmp_path / "home")
    home = open_home(tmp_path / "home")
    known = expecting(home, pending(home))
    assert [] == home.roster.versions()
    assert {"greedy", "random"} < {version.bot for version in known.roster.active()}
    assert "greedy" == known.roster.find_player("greedy@1").bot


@pytest.mark.tools
def test_a_scheduler_on_a_host_that_nobody_knows_is_no_traceback(tmp_path, monkeypatch):
    def unknown(*_):
        raise socket.gaierror(-2, "Name or service not known")

    need("distributed")
    monkeypatch.setattr(socket, "create_connection", unknown)
    said = refused(tmp_path, "run --on tcp://nobody:8786")
    check_refused(said, 1, "no scheduler answers at tcp://nobody:8786: ")


# -- homes


@pytest.mark.parametrize("command", ["run", "leaderboard", "bots", "matches", "matrix", "replay last"])
def test_a_folder_that_is_no_home_is_refused(tmp_path, command, monkeypatch):
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters/to-my-love.txt").write_text("Dearest")
    (tmp_path / "file").write_text("")
    for place in ("letters", "file"):
        result = refused(tmp_path, command, "--home", place)
        assert 2 == result.code
        assert place in result.err
        monkeypatch.setenv("LADDER_HOME", place)
        assert result == refused(tmp_path, command)


@pytest.mark.parametrize(
    "command", ["leaderboard", "bots", "matches", "matrix", "replay last", "export x.csv"]
)
def test_where_there_is_no_ladder_a_reading_command_says_how_to_begin(tmp_path, command):
    check_refused(refused(tmp_path, command), 2, "there is no ladder here", "  next: ladder run --games 1000")


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
def test_results_that_are_damaged_or_of_a_newer_format_are_left_alone(played, tmp_path, command, damaged):
    results = Path(shutil.copytree(played.home, tmp_path / "ladder-home"), "results")
    (path,) = results.glob(damaged)
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    check_refused(refused(tmp_path, command), 4, " is damaged: ")
    (results / "format.json").write_text(json.dumps({"format": 2}))
    check_refused(refused(tmp_path, command), 4, "format 2", "  next: use the ladder that wrote it")


# -- what is not there

NO_WORSE = (
    "--no-worse: expected wins of 100, above 0 and below 50, such as 2, which means 48 of 100; got: '",
    "the same command with --no-worse 2, or ladder duel --help",
)


@pytest.mark.parametrize(
    ("command", "code", "message", "hint"),
    [
        ("replay 1/9999", 3, "there is no match '1/9999'", "ladder matches"),
        ("replay nonsense", 3, "there is no match 'nonsense'", "ladder matches"),
        ("replay", 2, "ladder replay needs MATCH", "ladder replay last"),
        ("replay 1/1 1/2 1/3", 2, "one argument too many: 1/3", "ladder replay --help"),
        ("matches --bot greddy", 3, "there is no bot 'greddy'", "ladder bots"),
        ("matches --bot greedy@zzzzzz", 3, "greedy has no version", "it has: greedy@1 ("),
        ("matches --in 9", 3, "there is no run 9", "a run from 1 to 1"),
        ("matches --lost", 2, "--lost: needs --bot, to know which bot lost", "ladder matches --help"),
        ("matches -n 0", 2, "--top: expected", "ladder matches --help"),
        *((f"duel a b --no-worse {wins}", 2, *NO_WORSE) for wins in (0, -2, 60)),
        ("leaderboard --game stelar", 3, "there is no game 'stelar'", "ladder games"),
        (
            "leaderboard --format xml",
            2,
            "--format: expected one of table, json, csv, md, xlsx",
            "ladder l",
        ),
        ("games chess", 3, "there is no game 'chess'", "ladder games"),
        (
            "export seats.ods",
            2,
            "expected a file that ends in .parquet, .csv, .xlsx",
            "ladder export seats.par",
        ),
        ("export none/x.csv", 2, "there is no folder 'none'", "mkdir -p none"),
        ("export x.csv --in 9", 3, "there is no run 9", "a run from 1 to 1"),
        ("init results", 2, "results is not empty", "name another folder"),
        ("leaderbord", 2, "there is no command 'leaderbord' (did you mean 'leaderboard'?)", "ladder --help"),
        ("--nosuch", 2, "ladder has no option --nosuch", "ladder --help"),
        (
            "bench --records 20000",
            2,
            "ladder bench has no option --records",
            "python tests/programs/bench.py --records N, in a clone of the source",
        ),
        (
            "bench --against",
            2,
            "ladder bench has no option --against",
            "python tests/programs/bench.py --against, in a clone of the source",
        ),
        ("bench --recrods", 2, "ladder bench has no option --recrods", "ladder bench --help"),
    ],
    ids=lambda value: value if isinstance(value, str) and " " in value else "",
)
def test_what_is_not_there_is_said_with_what_is(played, command, code, message, hint):
    check_refused(refused(played.home, command), code, f"ladder: {message}", f"  next: {hint}")


def test_a_file_that_cannot_be_written_is_no_traceback(played, tmp_path):
    (tmp_path / "x.csv").mkdir()
    assert 1 == refused(tmp_path, "export x.csv --home", played.home).code


def test_an_error_is_one_line_even_if_what_it_quotes_is_not(capsys):
    note("a\x1b]0;x\x07\nb", "ladder bots \x1b[2J")
    assert "a\\x1b]0;x\\x07\nb\n  next: ladder bots \\x1b[2J\n" == capsys.readouterr().err
    assert 3 == refuse("there is no bot '\x1b[2J'", "ladder bots", 3)
    assert "ladder: there is no bot '\\x1b[2J'\n  next: ladder bots\n" == capsys.readouterr().err
