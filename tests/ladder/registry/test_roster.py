"""Bots on their way into a ladder: manifests, snapshots, builds, versions."""

import json
import os
import re
import shutil
import socket
import sys
from pathlib import Path

import pytest
from support.taken_in import take_in as take

from engines import GAMES
from ladder.errors import LadderError, NotFound, RefusedBot, UsageProblem
from ladder.kits.languages import LANGUAGES
from ladder.registry import roster, submission_size
from ladder.registry.bot_build import LISTED, command_of
from ladder.registry.bot_manifest import BotManifest, read_manifest
from ladder.registry.roster import Roster, can_be_checked, changed_files, source_is_sound
from ladder.sandbox.confinement import Confinement

WHOLE = 'name = "river-rat"\nrun = ["{python}", "bot.py"]\n'


@pytest.fixture
def bots(tmp_path):
    return Roster(tmp_path / "home" / "bots")


def a_folder(path, toml=WHOLE, **files):
    """Make a submission: bot.toml, and files by their names, `_py` standing for `.py`."""
    path.mkdir(parents=True, exist_ok=True)
    (path / "bot.toml").write_text(toml)
    for name, text in {"bot_py": "print()", **files}.items():
        (path / name.replace("_", ".")).write_text(text)
    return path


def snapshot(version):
    return sorted(str(p.relative_to(version.folder)) for p in Path(version.folder).rglob("*") if p.is_file())


def everything(path):
    return sorted(str(p.relative_to(path)) for p in path.rglob("*"))


# -- manifests


def test_a_manifest_is_read_with_its_defaults(tmp_path):
    manifest = read_manifest(a_folder(tmp_path / "x"), GAMES)
    assert BotManifest("river-rat", ("{python}", "bot.py")) == manifest
    assert ((), None, "never", 1, False, 600) == (
        manifest.games,
        manifest.parallel,
        manifest.restart,
        manifest.threads,
        manifest.network,
        manifest.build_timeout_s,
    )


def test_a_manifest_may_say_everything(tmp_path):
    toml = WHOLE + (
        'build = "make"\nbuild_timeout_s = 5\ngames = ["stellar"]\nenv = ["KEY"]\nparallel = 4\n'
        'restart = "match"\nthreads = 2\nnetwork = true\nauthor = "A"\ndescription = "D"\n'
        "config = {depth = 3}\n"
    )
    assert BotManifest(
        name="river-rat",
        run=("{python}", "bot.py"),
        build="make",
        build_timeout_s=5,
        games=("stellar",),
        env=("KEY",),
        parallel=4,
        restart="match",
        threads=2,
        network=True,
        author="A",
        description="D",
        config={"depth": 3},
    ) == read_manifest(a_folder(tmp_path / "x", toml), GAMES)


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        ('run = ["a"]', "the key 'name' is missing\nadd it: name = \""),
        ('name = "a"', "the key 'run' is missing"),
        ('name = "a"\nrun = []', "the key 'run' is missing"),
        (WHOLE + "paralel = 2", r"unknown key 'paralel' \(did you mean 'parallel'\?\)"),
        (WHOLE + "zzz = 2", "unknown key 'zzz'\nknown: name, run, build"),
        ('name = "a/b"\nrun = ["a"]', "'a/b' cannot be a bot's name"),
        ('name = "..\\u001b"\nrun = ["a"]', r"'..\\x1b' cannot be a bot's name"),
        ('name = "\\u202erat"\nrun = ["a"]', "cannot be a bot's name"),
        (f'name = "{"a" * 65}"\nrun = ["a"]', "cannot be a bot's name"),
        ('name = "a\\n"\nrun = ["a"]', "cannot be a bot's name"),
        (WHOLE + 'games = ["stelar"]', r"unknown game 'stelar' \(did you mean 'stellar'\?\)"),
        (WHOLE + 'games = "stellar"', "`games` is a text; write a list"),
        ('name = 5\nrun = ["a"]', "`name` is a whole number; write a text"),
        ('name = "a"\nrun = "./a"', "`run` is a text; write a list"),
        (WHOLE + "seats = { stella = [3] }\nparallel = 0", r"Expected `int` >= 1 .*\ncorrect it"),
        (WHOLE + "parallel = 0", r"Expected `int` >= 1 - at `\$.parallel`"),
        (WHOLE + "threads = 0", r"Expected `int` >= 1 - at `\$.threads`"),
        (WHOLE + "build_timeout_s = 0", r"Expected `int` >= 1 - at `\$.build_timeout_s`"),
        (WHOLE + 'restart = "always"', "Invalid enum value 'always'"),
        (
            WHOLE + "seats = 2",
            "`seats` is a whole number; .*\nwrite sizes by game: seats = { stella-quest = ",
        ),
        (WHOLE + "seats = { stella = 3 }", "`seats.*` is a whole number; write a list\nwrite sizes by game"),
        (WHOLE + "seats = { }", "`seats` is empty\nleave it out, or write: seats = { stella-quest = "),
        (WHOLE + "seats = { stelar = [2] }", r"is no game of this bot \(did you mean 'stellar'\?\)"),
        (
            WHOLE + "seats = { stella = [7] }",
            r"got: \[7\]\nwrite some of these: seats = { stella = \[3, 4, 5,",
        ),
        (WHOLE + "seats = { stella = [] }", "expected sizes of stella in `seats`, each once, got: "),
        (WHOLE + "seats = { stella = [3, 3] }", r"each once, got: \[3, 3\]"),
        (
            WHOLE + 'games = ["stellar"]\nseats = { stella = [3] }',
            "`seats` has 'stella', which is no game of this bot.*\nits games are: stellar",
        ),
        (WHOLE + "network = 1", "`network` is a whole number; write true or false"),
        ("name = ", "bot.toml is not valid TOML"),
    ],
)
def test_a_manifest_that_cannot_be_meant_is_refused_with_the_reason(tmp_path, toml, said):
    with pytest.raises(UsageProblem, match=r"bot\.toml") as caught:
        read_manifest(a_folder(tmp_path / "x", toml), GAMES)
    assert caught.value.hint
    assert re.search(said, f"{caught.value}\n{caught.value.hint}")


def test_an_empty_folder_is_named_as_such(tmp_path):
    with pytest.raises(UsageProblem, match="is empty") as caught:
        read_manifest(tmp_path, GAMES)
    assert "put the program in it, and submit again" == caught.value.hint


def test_what_is_called_as_a_manifest_and_is_no_file_is_named(tmp_path):
    (tmp_path / "bot.toml").mkdir()
    (tmp_path / "bot.py").write_text("pass")
    with pytest.raises(UsageProblem, match=r"bot\.toml is no file"):
        read_manifest(tmp_path, GAMES)


@pytest.mark.parametrize(
    ("files", "run"),
    [
        (["rat.py", "notes.txt"], ("{python}", "rat.py")),
        (["main.py", "helper.py"], ("{python}", "main.py")),
        (["Bot.js", "helper.js", "README.md"], ("node", "Bot.js")),
        (["__main__.py", "helper.py"], ("{python}", "__main__.py")),
        (["__main__.py", "main.py"], ("{python}", "main.py")),
        (["rat.py", "._rat.py"], ("{python}", "rat.py")),
    ],
)
def test_a_folder_without_a_manifest_runs_the_script_that_is_clear(tmp_path, files, run):
    folder = tmp_path / "river-rat"
    folder.mkdir()
    for file in files:
        (folder / file).write_text("pass")
    told = []
    manifest = read_manifest(folder, GAMES, told=told)
    assert ("river-rat", run) == (manifest.name, manifest.run)
    assert [f"it has no bot.toml: it is called 'river-rat' and runs {run[1]}"] == told


@pytest.mark.parametrize(
    "files", [["a.py", "b.py"], ["bot.py", "main.py"], ["bot.py", "main.js"], ["program"]]
)
def test_where_it_is_not_clear_the_manifest_is_missing_and_told_what_to_write(tmp_path, files):
    for file in files:
        (tmp_path / file).write_text("pass")
    with pytest.raises(UsageProblem, match=r"has no bot\.toml") as caught:
        read_manifest(tmp_path, GAMES)
    assert f'name = "{tmp_path.name}"' in caught.value.hint


@pytest.mark.parametrize(
    ("line", "run"),
    [
        ("#!/usr/local/of/mine/python3.9", ("{python}", "rat.py")),
        ("#!C:\\Python312\\python.exe", ("{python}", "rat.py")),
        ("#!/opt/of/mine/python3 -u", ("{python}", "-u", "rat.py")),
        ("#!/opt/of/mine/pypy3", ("./rat.py",)),
    ],
)
def test_a_python_of_another_machine_is_the_python_of_here(tmp_path, line, run):
    (tmp_path / "rat.py").write_text(f"{line}\npass\n")
    told = []
    assert run == read_manifest(tmp_path / "rat.py", GAMES, told=told).run
    assert bool(told) == (run[0] == "{python}")


def test_a_python_2_that_is_not_here_is_named(tmp_path):
    (tmp_path / "rat.py").write_text("#!/opt/of/mine/python2.7\n")
    with pytest.raises(UsageProblem, match=r"asks for python2\.7, which is not here"):
        read_manifest(tmp_path / "rat.py", GAMES)


def test_another_manifest_of_a_folder_is_another_bot_of_the_same_files(tmp_path, bots):
    folder = a_folder(tmp_path / "x")
    (folder / "bold.toml").write_text('name = "bold"\nrun = ["{python}", "bot.py"]\nconfig = { style = 7 }\n')
    bold = take(bots, folder / "bold.toml")
    plain = take(bots, folder)
    assert ("bold", {"style": 7}) == (bold.bot, bold.manifest.config)
    assert ["bold.toml", "bot.py", "bot.toml"] == snapshot(plain) == snapshot(bold)
    with pytest.raises(UsageProblem, match=r"there is no file or folder '.*bald\.toml'"):
        read_manifest(folder / "bald.toml", GAMES)


@pytest.mark.parametrize(
    ("file", "run"),
    [
        ("rat.py", ("{python}", "rat.py")),
        ("rat.js", ("node", "rat.js")),
        ("rat.mjs", ("node", "rat.mjs")),
        ("rat.sh", ("sh", "rat.sh")),
        ("rat.rb", ("ruby", "rat.rb")),
        ("rat.pl", ("perl", "rat.pl")),
        ("rat.php", ("php", "rat.php")),
    ],
)
def test_a_script_by_itself_needs_neither_manifest_nor_run_bit(tmp_path, file, run):
    (tmp_path / file).write_text("")
    assert BotManifest("rat", run) == read_manifest(tmp_path / file, GAMES)


def test_a_program_by_itself_needs_no_run_bit(tmp_path):
    program = tmp_path / "rat"
    program.write_bytes(b"\x7fELF")
    assert BotManifest("rat", ("./rat",)) == read_manifest(program, GAMES)
    program.chmod(0o755)
    assert BotManifest("rat", ("./rat",)) == read_manifest(program, GAMES)


def test_a_name_may_be_given_instead_of_the_bots_own(tmp_path):
    assert "mole" == read_manifest(a_folder(tmp_path / "x"), GAMES, "mole").name
    (tmp_path / "my bot.py").write_text("")
    assert "mole" == read_manifest(tmp_path / "my bot.py", GAMES, "mole").name
    assert "my-bot" == read_manifest(tmp_path / "my bot.py", GAMES).name
    with pytest.raises(UsageProblem, match="'a/b' cannot be a bot's name"):
        read_manifest(tmp_path / "my bot.py", GAMES, "a/b")


# -- commands


def test_python_stands_for_the_ladders_own_interpreter(tmp_path, bots):
    assert (sys.executable, "bot.py") == command_of(take(bots, a_folder(tmp_path / "x")))


def test_a_program_of_the_snapshot_is_found_before_one_on_the_path(tmp_path, bots):
    folder = a_folder(tmp_path / "x", 'name = "a"\nrun = ["sh", "sh"]', sh="#!/bin/sh\n")
    (folder / "sh").chmod(0o755)
    assert ("/bin/sh", "./sh", "sh") == command_of(take(bots, folder))


def test_a_program_on_the_path_is_named_in_full(tmp_path, bots):
    program, script = command_of(take(bots, a_folder(tmp_path / "x", 'name = "a"\nrun = ["sh", "bot.py"]')))
    assert Path(program).is_absolute()
    assert ("sh", "bot.py") == (Path(program).name, script)


@pytest.mark.parametrize(
    ("run", "code", "said", "hint"),
    [
        ("./bot", 2, r"names \./bot, which is not in the snapshot", "correct `run` in bot.toml"),
        ("./bot.py", 2, r"\./bot\.py cannot be executed: its executable bit is not set", "chmod"),
        ("no-such-program", 1, "'no-such-program' is not on this machine", "install no-such-program"),
    ],
)
def test_a_program_that_cannot_be_started_is_refused_at_once(tmp_path, bots, run, code, said, hint):
    with pytest.raises(LadderError, match=said) as caught:
        take(bots, a_folder(tmp_path / "x", f'name = "a"\nrun = ["{run}"]'))
    assert (code, True) == (caught.value.exit_code, hint in caught.value.hint)
    assert [] == everything(bots.path)


# -- snapshots


def test_a_snapshot_holds_the_files_with_their_run_bits_and_no_others(tmp_path, bots):
    folder = a_folder(tmp_path / "x", tool_sh="echo", data="1")
    (folder / "tool.sh").chmod(0o6755)
    (folder / "data").chmod(0o1600)
    (folder / "part").mkdir()
    (folder / "part" / "more.py").write_text("x = 1")
    for left_out in ("__pycache__", ".git"):
        (folder / left_out).mkdir()
        (folder / left_out / "x").write_text("")
    version = take(bots, folder)
    assert ["bot.py", "bot.toml", "data", "part/more.py", "tool.sh"] == snapshot(version)
    modes = {name: (Path(version.folder) / name).stat().st_mode & 0o7777 for name in snapshot(version)}
    assert {"tool.sh": 0o755, "data": 0o644, "bot.py": 0o644} == {
        name: modes[name] for name in ("tool.sh", "data", "bot.py")
    }


def a_socket(path):
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda path: path.symlink_to("../bot.py"), "a link"),
        (lambda path: path.symlink_to("/etc"), "a link"),
        (lambda path: path.symlink_to("nowhere"), "a link"),
        (os.mkfifo, "a FIFO"),
        (a_socket, "a socket"),
    ],
)
def test_what_is_neither_file_nor_folder_is_refused_by_name(tmp_path, bots, monkeypatch, make, kind):
    folder = a_folder(tmp_path / "x")
    (folder / "part").mkdir()
    monkeypatch.chdir(folder / "part")  # the name of a socket must be short
    make(Path("odd"))
    with pytest.raises(UsageProblem, match=f"part/odd is {kind}") as caught:
        take(bots, folder)
    assert "replace it by a copy, or leave it out, and submit again" == caught.value.hint
    assert [] == everything(bots.path)


def test_a_snapshot_has_a_largest_number_of_files(tmp_path, bots, monkeypatch):
    monkeypatch.setattr(submission_size, "MAX_FILES", 3)
    take(bots, a_folder(tmp_path / "x", a="1"))
    with pytest.raises(UsageProblem, match="more than 3 files"):
        take(bots, a_folder(tmp_path / "x", a="1", b="2"))


def test_a_snapshot_has_a_largest_size(tmp_path):
    bots = Roster(tmp_path / "home" / "bots", most_mb=1)
    folder = a_folder(tmp_path / "x")
    with (folder / "data").open("wb") as file:
        file.truncate(2**20)
    with pytest.raises(UsageProblem, match="more than 1 MB, most of it in data"):
        take(bots, folder)


def test_a_file_that_is_too_large_is_not_read(tmp_path, bots):
    folder = a_folder(tmp_path / "x")
    with (folder / "data").open("wb") as file:
        file.truncate(2**36)  # all of it a hole
    with pytest.raises(UsageProblem, match="256 MB"):
        take(bots, folder)


def test_a_file_may_have_any_name(tmp_path, bots):
    folder = a_folder(tmp_path / "x")
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff\n")).write_text("")
    assert 3 == len(snapshot(take(bots, folder)))


def test_a_home_inside_of_what_is_submitted_is_left_out(tmp_path):
    folder = a_folder(tmp_path / "x")
    bots = Roster(folder / "ladder-home" / "bots")
    first = take(bots, folder)
    assert ["bot.py", "bot.toml"] == snapshot(first)
    assert first == take(bots, folder)


def test_a_home_is_no_bot(tmp_path):
    bots = Roster(a_folder(tmp_path / "home") / "bots")
    with pytest.raises(UsageProblem, match="is the ladder's own folder"):
        take(bots, tmp_path / "home")


def test_what_cannot_be_read_is_refused_and_leaves_nothing(tmp_path, bots, monkeypatch):
    def refuse(path, *how, **more):
        if folder in Path(path).parents:
            raise PermissionError(13, "Permission denied", str(path))
        return real(path, *how, **more)

    folder, real = a_folder(tmp_path / "x"), os.open
    with monkeypatch.context() as patch:
        patch.setattr(os, "open", refuse)
        with pytest.raises(LadderError, match=r"cannot be read: Permission denied") as refused:
            bots.stage(folder, BotManifest("a", ("{python}", "bot.py")), {}, Confinement("none"))
    assert "let its group read it (chmod -R g+rX) and submit again" == refused.value.hint
    assert [] == everything(bots.path)


@pytest.mark.parametrize("became", ["a FIFO", "a link", "in a link"])
def test_a_file_that_changes_while_it_is_copied_is_refused(tmp_path, bots, monkeypatch, became):
    def files_of(path, home, skips):
        (path / "bot.py").unlink()
        (path / "bot.py").symlink_to("/etc/passwd") if became == "a link" else os.mkfifo(path / "bot.py")
        (path / "part").symlink_to("/etc")
        name = "part/passwd" if became == "in a link" else "bot.py"
        yield name, path / name

    folder = a_folder(tmp_path / "x")
    monkeypatch.setattr("ladder.registry.snapshot.files_of", files_of)
    with pytest.raises(RefusedBot, match=r"(bot\.py|passwd) (is no regular file|cannot be read|has changed)"):
        bots.stage(folder, BotManifest("a", ("{python}", "bot.py")), {}, Confinement("none"))
    assert [] == everything(bots.path)


# -- builds


@pytest.mark.process
def test_a_build_command_may_be_a_list_or_a_line_for_the_shell(tmp_path, bots):
    for build in ("[\"{python}\", \"-c\", \"open('made', 'w').write('x')\"]", "\"printf x > ma'de'\""):
        version = take(bots, a_folder(tmp_path / "x", WHOLE + f"build = {build}"))
        assert "x" == (Path(version.folder) / "made").read_text()
    assert not (tmp_path / "x" / "made").exists()


@pytest.mark.process
def test_what_a_build_makes_is_no_part_of_the_identity(tmp_path, bots):
    folder = a_folder(tmp_path / "x", WHOLE + 'build = "date +%N > made"')
    assert take(bots, folder).version == take(Roster(tmp_path / "other" / "bots"), folder).version


@pytest.mark.process
@pytest.mark.parametrize(
    ("build", "said"),
    [
        ('"echo no such header; exit 3"', r"the build .* failed: exit status 3\nno such header"),
        ('["no-such-compiler", "x.c"]', r"the build 'no-such-compiler x\.c' failed: no-such-compiler is not"),
        ('"true; no-such-compiler x.c"', "failed: no-such-compiler is not on this machine\n.*not found"),
        ('["sh", "-c", "exit 127"]', "failed: a program is not on this machine"),
        (
            '["sh", "-c", "head -c 1000000 /dev/zero | tr \\\\0 x; exit 127"]',
            "failed: a program is not on this",
        ),
        ('"kill -9 $$"', "failed: exit status -9"),
    ],
)
def test_a_build_that_fails_is_told_with_its_output_and_leaves_nothing(tmp_path, bots, build, said):
    with pytest.raises(LadderError, match=said) as caught:
        take(bots, a_folder(tmp_path / "x", WHOLE + f"build = {build}"))
    assert 1 == caught.value.exit_code
    assert ("install" in caught.value.hint) == ("is not" in said)
    assert "ladder new" not in caught.value.hint  # it has none of these programs
    assert [] == everything(bots.path)


@pytest.mark.process
@pytest.mark.parametrize(
    ("program", "why", "hint"),
    [
        (
            "no-such-compiler",
            "no-such-compiler is not on this machine",
            "install no-such-compiler, or correct",
        ),
        ("no-compiler", "no-compiler is not on this machine", "install no-compiler (see ladder new)"),
        ("./build-it", "./build-it is not in its folder", "correct `build` and submit again"),
    ],
)
def test_of_a_missing_program_the_build_says_its_name_and_nothing_of_the_sandbox(
    tmp_path, bots, monkeypatch, tier, program, why, hint
):
    monkeypatch.setattr("ladder.registry.bot_build.LISTED", {"no-compiler"})
    with pytest.raises(LadderError) as caught:
        take(bots, a_folder(tmp_path / "x", WHOLE + f'build = ["{program}", "x.hs"]'), tier=tier)
    assert f"river-rat: the build '{program} x.hs' failed: {why}" == str(caught.value)
    assert caught.value.hint.startswith(hint)


def test_the_list_of_kits_is_named_for_the_programs_that_it_has():
    tools = {word for kit in LANGUAGES.values() for tool in kit.tools.items() for word in tool}
    assert LISTED <= tools
    assert {tool for kit in LANGUAGES.values() for tool in kit.tools} <= LISTED


@pytest.mark.process
def test_a_build_that_writes_too_much_leaves_nothing(tmp_path, bots, monkeypatch):
    monkeypatch.setattr("ladder.process.command.BUILT_BYTES", 2**20)
    toml = WHOLE + 'build = "dd if=/dev/zero of=big bs=1024 count=2000; exec sleep 600"'
    with pytest.raises(LadderError, match="it wrote more than 1 MB"):
        take(bots, a_folder(tmp_path / "x", toml))
    assert [] == everything(bots.path)


DEEP = """
import os
for _ in range(600):
    os.mkdir("d")
    os.chdir("d")
"""
"""A program that leaves folders deep in each other."""


@pytest.mark.process
@pytest.mark.parametrize("ends", ["", "raise SystemExit(1)"])
def test_a_build_that_writes_too_deep_leaves_nothing(tmp_path, bots, ends):
    toml = WHOLE + 'build = ["{python}", "deep.py"]'
    with pytest.raises(RefusedBot, match=r"it wrote more than .* 1,000 bytes of a path"):
        take(bots, a_folder(tmp_path / "x", toml, deep_py=DEEP + ends))
    assert [] == everything(bots.path)


@pytest.mark.process
def test_what_a_build_has_closed_is_opened(tmp_path, bots):
    toml = WHOLE + 'build = "mkdir shut; echo 1 > shut/1; chmod 0 shut/1 shut"'
    version = take(bots, a_folder(tmp_path / "x", toml))
    modes = [Path(version.folder, name).stat().st_mode & 0o700 for name in ("shut", "shut/1")]
    assert [0o700, 0o600] == modes
    assert not any(changed_files(version))


@pytest.mark.process
def test_a_build_has_its_time_and_its_children_end_with_it(tmp_path, bots):
    toml = WHOLE + 'build_timeout_s = 1\nbuild = "sleep 600 & echo waiting; wait"'
    with pytest.raises(LadderError, match="failed: no end after 1 s\nwaiting"):
        take(bots, a_folder(tmp_path / "x", toml))
    assert [] == everything(bots.path)


# -- versions


def test_the_same_content_is_the_same_version_and_nothing_new(tmp_path, bots):
    folder = a_folder(tmp_path / "x")
    first = take(bots, folder)
    before = everything(bots.path)
    (folder / "__pycache__").mkdir()
    os.utime(folder / "bot.py", (1, 1))
    assert first == take(bots, folder)
    assert [first] == bots.versions()
    assert before == everything(bots.path)


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: (folder / "bot.py").write_text("print(1)"),
        lambda folder: (folder / "bot.py").chmod(0o755),
        lambda folder: (folder / "bot.py").rename(folder / "bot2.py"),
        lambda folder: (folder / "more").write_text(""),
        lambda folder: (folder / "bot.toml").write_text(WHOLE + "config = {depth = 2}"),
    ],
)
def test_any_change_makes_a_version_of_its_own_which_is_active(tmp_path, bots, change):
    folder = a_folder(tmp_path / "x", 'name = "river-rat"\nrun = ["sh"]')
    first = take(bots, folder)
    change(folder)
    second = take(bots, folder)
    assert first.version != second.version
    assert [second] == bots.active()
    assert [first, second] == bots.versions()


def test_an_older_content_submitted_again_becomes_the_newest(tmp_path, bots):
    folder = a_folder(tmp_path / "x")
    first = take(bots, folder)
    second = take(bots, a_folder(folder, bot_py="print(2)"))
    again = take(bots, a_folder(folder))
    assert (first.id, first.folder) == (again.id, again.folder)
    assert [again] == bots.active()
    assert [second.id, first.id] == [version.id for version in bots.versions()]


def test_bots_with_the_same_files_and_other_names_are_others(tmp_path, bots):
    folder = a_folder(tmp_path / "x")
    versions = [take(bots, folder, name) for name in ("b", "a")]
    assert 2 == len({version.version for version in versions})
    assert ["a", "b"] == [version.bot for version in bots.active()]


def test_a_submission_that_is_given_up_leaves_no_trace(tmp_path, bots):
    folder = a_folder(tmp_path / "x")
    staged = bots.stage(folder, read_manifest(folder, GAMES), {}, Confinement("none"))
    assert [] == bots.versions()
    staged.reject()
    assert [] == everything(bots.path)


def test_versions_move_with_their_home(tmp_path, bots):
    version = take(bots, a_folder(tmp_path / "x"))
    (tmp_path / "home").rename(tmp_path / "elsewhere")
    (moved,) = Roster(tmp_path / "elsewhere" / "bots").versions()
    assert version.id == moved.id
    assert ["bot.py", "bot.toml"] == snapshot(moved)


def test_a_version_is_found_by_name_or_by_name_and_the_beginning_of_its_hash(tmp_path, bots):
    folder = a_folder(tmp_path / "x")
    first = take(bots, folder)
    second = take(bots, a_folder(folder, bot_py="print(2)"))
    assert second == bots.find("river-rat")
    assert second == bots.find(second.id)
    assert first == bots.find(first.id)
    assert first == bots.find(first.id[:-6])


def test_a_number_of_at_most_four_digits_is_the_number_of_a_version(tmp_path, bots):
    folder = a_folder(tmp_path / "x")
    versions = [take(bots, a_folder(folder, bot_py=f"print({i})")) for i in range(3)]
    assert [1, 2, 3] == [version.number for version in versions]
    assert versions == [bots.find(f"river-rat@{n}") for n in ("1", "2", "0003")]
    assert {(v.bot, v.version): v.number for v in versions} == bots.numbers()
    take(bots, a_folder(folder, bot_py="print(0)"))
    assert [2, 3, 1] == [version.number for version in bots.versions()], "an older content keeps its number"


@pytest.mark.parametrize(
    ("version", "said"),
    [
        ("", "expected a number of at most 4 digits or at least 6 characters of a hash"),
        ("abcde", "got: 'abcde'"),
        ("12345", "got: '12345'"),
        ("0", "river-rat has no version '0'"),
        ("2", "river-rat has no version '2'"),
        ("zzzzzz", "river-rat has no version 'zzzzzz'"),
    ],
)
def test_a_version_that_is_none_is_refused_with_those_that_are(tmp_path, bots, version, said):
    only = take(bots, a_folder(tmp_path / "x"))
    with pytest.raises(NotFound, match=said) as caught:
        bots.find(f"river-rat@{version}")
    assert f"it has: river-rat@1 ({only.version})" == caught.value.hint


def test_a_beginning_that_two_versions_share_is_refused(tmp_path, bots):
    version = take(bots, a_folder(tmp_path / "x"))
    twin = Path(version.folder).parent.with_name(version.version[:8] + "0000")
    shutil.copytree(Path(version.folder).parent, twin)
    record = (twin / "version.json").read_text().replace(version.version, twin.name)
    (twin / "version.json").write_text(record)
    with pytest.raises(NotFound, match="2 versions of river-rat begin with"):
        bots.find(f"river-rat@{version.version[:7]}")
    assert version == bots.find(version.id)


def without_number(version, submitted):
    """Write the record of *version* as an older ladder did."""
    file = Path(version.folder).parent / "version.json"
    record = json.loads(file.read_text())
    del record["number"], record["note"]
    file.write_text(json.dumps(record | {"submitted": submitted}))


def test_versions_from_before_there_were_numbers_get_them_by_their_times(tmp_path, bots):
    folder = a_folder(tmp_path / "x")
    for i, day in enumerate(("02", "01", "03")):
        version = take(bots, a_folder(folder, bot_py=f"print({i})"))
        without_number(version, f"2026-01-{day}T00:00:00+00:00")
    assert [2, 1, 3] == [version.number for version in bots.versions()]
    again = take(bots, a_folder(folder, bot_py="print(0)"))
    assert 2 == again.number
    assert 4 == take(bots, a_folder(folder, bot_py="print(4)")).number
    assert [1, 3, 2, 4] == [version.number for version in bots.versions()]


def test_a_note_is_kept_and_can_be_changed(tmp_path, bots):
    folder = a_folder(tmp_path / "x")
    take(bots, folder, note="tries endgames")
    assert ["tries endgames"] == [version.note for version in bots.versions()]
    assert "tries endgames" == take(bots, folder).note
    assert "wins endgames" == take(bots, folder, note="wins endgames").note
    assert ["wins endgames"] == [version.note for version in bots.versions()]


def test_a_note_is_no_part_of_the_identity(tmp_path, bots):
    folder = a_folder(tmp_path / "x")
    other = Roster(tmp_path / "other" / "bots")
    assert take(bots, folder, note="a note").version == take(other, folder).version


def test_a_path_where_a_bot_is_wanted_is_answered_with_how_to_submit_it(tmp_path, bots):
    folder = a_folder(tmp_path / "river rat")
    with pytest.raises(NotFound, match="there is no bot") as caught:
        bots.find(str(folder))
    assert f"ladder submit '{folder}'" == caught.value.hint


def test_a_bot_that_is_not_there_is_answered_with_the_one_that_was_meant(tmp_path, bots):
    with pytest.raises(NotFound, match=r"there is no bot 'river-rat'$"):
        bots.find("river-rat")
    take(bots, a_folder(tmp_path / "x"))
    meant = r"there is no bot 'river-cat' \(did you mean 'river-rat'\?\)"
    with pytest.raises(NotFound, match=meant) as caught:
        bots.find("river-cat")
    assert 3 == caught.value.exit_code


def test_a_version_whose_record_is_damaged_has_no_number_and_is_told_with_the_file(tmp_path, bots):
    version = take(bots, a_folder(tmp_path / "x"))
    (Path(version.folder).parent / "version.json").write_text("{")
    assert {} == bots.numbers()
    with pytest.raises(LadderError, match=r"version\.json cannot be read"):
        bots.versions()


@pytest.mark.parametrize("name", ["\x1b[2J", "../rat", ""])
def test_a_record_with_a_name_that_no_bot_can_have_is_not_read(tmp_path, bots, name):
    record = Path(take(bots, a_folder(tmp_path / "x")).folder).parent / "version.json"
    record.write_text(json.dumps(json.loads(record.read_text()) | {"bot": name}))
    with pytest.raises(LadderError, match=r"version\.json cannot be read: .* cannot be a bot's name"):
        bots.versions()


def test_what_an_author_writes_is_kept_as_it_is(tmp_path, bots):
    toml = WHOLE + 'author = "\\u001b[31mred"\ndescription = "a\\nb \\u202e"'
    take(bots, a_folder(tmp_path / "x", toml))
    (version,) = bots.versions()
    assert ("\x1b[31mred", "a\nb \u202e") == (version.manifest.author, version.manifest.description)


def test_what_a_killed_process_has_left_is_cleared_away_and_nobody_elses(tmp_path):
    nobody = int(Path("/proc/sys/kernel/pid_max").read_text()) if Path("/proc").exists() else 99_999
    for owner in (nobody, os.getppid(), os.getpid()):
        (tmp_path / f".staging-{owner}" / "files").mkdir(parents=True)
    (tmp_path / ".staging-mine").mkdir()
    assert tmp_path / f".staging-{os.getpid()}" == roster.scratch_folder(tmp_path, "staging")
    assert [".staging-mine", f".staging-{os.getppid()}"] == sorted(
        (path.name for path in tmp_path.iterdir()), reverse=True
    )


# -- files that change in the home

BUILT = WHOLE + 'build = "printf x > made"'


@pytest.fixture(params=["as it was submitted", "built"])
def version(request, tmp_path, bots):
    """Return a version in the home, of each kind."""
    return take(bots, a_folder(tmp_path / "x", BUILT if request.param == "built" else WHOLE))


@pytest.mark.process
def test_a_version_is_what_it_was_taken_in_as(version):
    assert ([], []) == changed_files(version)
    assert can_be_checked(version)


@pytest.mark.process
@pytest.mark.parametrize(
    ("change", "changed", "new"),
    [
        (lambda folder: (folder / "bot.py").write_text("evil()"), ["bot.py has changed"], []),
        (lambda folder: (folder / "evil.py").symlink_to("bot.py"), [], ["evil.py is new"]),
        (lambda folder: shutil.rmtree(folder), ["its files are gone"], []),
    ],
)
def test_a_file_that_was_changed_in_the_home_is_named(version, change, changed, new):
    change(Path(version.folder))
    assert (changed, new) == changed_files(version)


@pytest.mark.process
def test_what_a_build_made_is_protected_too(tmp_path, bots):
    version = take(bots, a_folder(tmp_path / "x", BUILT))
    (Path(version.folder) / "made").write_text("y")
    assert (["made has changed"], []) == changed_files(version)
    assert source_is_sound(version)
    (Path(version.folder).with_name("source") / "bot.py").write_text("evil()")
    assert not source_is_sound(version)


def test_a_manifest_that_was_changed_in_the_home_is_noticed(tmp_path, bots):
    version = take(bots, a_folder(tmp_path / "x"))
    file = Path(version.folder).parent / "version.json"
    file.write_text(file.read_text().replace('"threads": 1', '"threads": 4'))
    (changed,) = bots.versions()
    assert (["its files or its manifest have changed"], []) == changed_files(changed)


def as_an_older_ladder_left_it(version):
    folder = Path(version.folder).parent
    (folder / "contents.json").unlink()
    record = json.loads((folder / "version.json").read_text())
    del record["built"]
    (folder / "version.json").write_text(json.dumps(record))


def test_a_version_of_an_older_ladder_is_held_against_its_hash_too(tmp_path, bots):
    as_an_older_ladder_left_it(take(bots, a_folder(tmp_path / "x")))
    (version,) = bots.versions()
    assert ([], []) == changed_files(version)
    (Path(version.folder) / "bot.py").write_text("evil()")
    assert (["its files or its manifest have changed"], []) == changed_files(version)


@pytest.mark.process
def test_what_an_older_ladder_built_cannot_be_checked(tmp_path, bots):
    as_an_older_ladder_left_it(take(bots, a_folder(tmp_path / "x", BUILT)))
    (version,) = bots.versions()
    (Path(version.folder) / "made").write_text("y")
    assert ([], []) == changed_files(version)
    assert not can_be_checked(version)


@pytest.mark.process
def test_a_version_whose_files_were_changed_is_mended_by_submitting_it_again(version, tmp_path, bots):
    newer = take(bots, a_folder(tmp_path / "y", WHOLE, bot_py="print(2)"))
    before = snapshot(version)
    (Path(version.folder) / "bot.py").write_text("evil()")
    (Path(version.folder) / "evil.py").write_text("")
    mended = take(bots, tmp_path / "x")
    assert (version.id, version.folder, version.number) == (mended.id, mended.folder, mended.number)
    assert ([], []) == changed_files(mended)
    assert before == snapshot(mended)
    assert mended == bots.find("river-rat")
    assert newer == bots.find(newer.id)
    assert ["river-rat"] == [path.name for path in bots.path.iterdir()]


# -- from another home


@pytest.fixture
def theirs(tmp_path):
    """Return two versions of a bot in another home, the older first."""
    other = Roster(tmp_path / "theirs" / "bots")
    return [take(other, a_folder(tmp_path / "bot", bot_py=text)) for text in ("print(1)", "print(2)")]


def test_versions_of_another_home_keep_their_order_if_the_newest_comes_first(bots, theirs):
    old, new = theirs
    for version in (new, old, new):
        bots.adopt(version)
    assert [old.id, new.id] == [version.id for version in bots.versions()]
    assert [1, 2] == [version.number for version in bots.versions()]
    assert snapshot(old) == snapshot(bots.find(old.id))
    assert old.manifest == bots.find(old.id).manifest
    assert ["river-rat"] == [path.name for path in bots.path.iterdir()]


def test_a_version_of_another_home_is_older_than_all_that_are_here(bots, theirs, tmp_path):
    mine = take(bots, a_folder(tmp_path / "mine", bot_py="print(3)"))
    for version in reversed(theirs):
        bots.adopt(version)
    assert [*(version.id for version in theirs), mine.id] == [version.id for version in bots.versions()]
    assert [3, 2, 1] == [version.number for version in bots.versions()], "a number that is taken is not given"


@pytest.mark.process
def test_a_built_version_of_another_home_brings_its_source_and_can_be_checked(bots, tmp_path):
    theirs = take(Roster(tmp_path / "theirs" / "bots"), a_folder(tmp_path / "bot", BUILT))
    bots.adopt(theirs)
    (mine,) = bots.versions()
    assert (True, ([], [])) == (can_be_checked(mine), changed_files(mine))
    assert "print()" == (Path(mine.folder).with_name("source") / "bot.py").read_text()
    (Path(mine.folder) / "made").write_text("y")
    assert ["made has changed"] == changed_files(mine).changed


def test_a_version_that_cannot_be_copied_leaves_nothing(bots, theirs):
    os.mkfifo(Path(theirs[0].folder, "fifo"))
    with pytest.raises(shutil.Error, match="named pipe"):
        bots.adopt(theirs[0])
    assert [] == list(bots.path.iterdir())
