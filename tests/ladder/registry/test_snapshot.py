"""What mail, class servers and Windows do to a bot is mended, in the copy that plays and only there."""

import tarfile
import zipfile
from pathlib import Path

import pytest
from support.submitting import open_submission

from engines import GAMES
from ladder.errors import UsageProblem
from ladder.registry.bot_manifest import BotManifest, read_manifest
from ladder.registry.roster import Roster, StagedVersion
from ladder.registry.snapshot import files_of, mend_program, program_in
from ladder.sandbox.confinement import Confinement

BOM = b"\xef\xbb\xbf"
ELF = b"\x7fELF and so on"


def stage(tmp_path, path):
    manifest = read_manifest(path, GAMES)
    staged = Roster(tmp_path / "bots").stage(path, manifest, {}, Confinement("none"))
    assert isinstance(staged, StagedVersion)
    return staged


def kept(staged, name):
    return Path(staged.version.folder, name).read_bytes()


def a_script(folder, data, name="rat.sh"):
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(data)
    return folder / name


def test_line_ends_of_windows_after_the_first_line_are_changed(tmp_path):
    script = a_script(tmp_path / "in", b"#!/bin/sh\r\necho\r\n")
    staged = stage(tmp_path, script)
    assert ("rat.sh: its line ends are those of Windows, and are changed",) == staged.changes
    assert b"#!/bin/sh\necho\n" == kept(staged, "rat.sh")
    assert b"#!/bin/sh\r\necho\r\n" == script.read_bytes(), "the author's own file is as it was"
    plain = a_script(tmp_path / "plain", b"#!/bin/sh\necho\n")
    assert staged.version.version == stage(tmp_path, plain).version.version, "the hash is of what is kept"


def test_a_byte_order_mark_before_the_first_line_is_left_out(tmp_path):
    staged = stage(tmp_path, a_script(tmp_path / "in", BOM + b"#!/bin/sh\necho\n"))
    assert ("rat.sh: the byte order mark before #! is left out",) == staged.changes
    assert b"#!/bin/sh\necho\n" == kept(staged, "rat.sh")


@pytest.mark.parametrize(
    ("data", "runs"),
    [
        (b"#!/bin/sh\necho\r\n", True),  # it starts, and what the rest does is the bot's own
        (b"print()\r\n", True),
        (BOM + b"print()\n", True),  # Python reads such a file
        (ELF, True),
        (b"MZ", False),
    ],
)
def test_what_can_be_started_or_is_no_program_stays_as_it_is(data, runs):
    assert (data, runs, ()) == mend_program("rat", data, runs=runs, is_built=False)


def test_a_lost_executable_bit_is_set_for_the_program_that_run_names(tmp_path):
    folder = tmp_path / "rat"
    folder.mkdir()
    (folder / "bot.toml").write_text('name = "rat"\nrun = ["./bin/rat"]\n')
    (folder / "bin").mkdir()
    for name in ("rat", "other"):
        (folder / "bin" / name).write_bytes(ELF)
    staged = stage(tmp_path, folder)
    assert ("bin/rat: its executable bit was lost, and is set",) == staged.changes
    files = Path(staged.version.folder) / "bin"
    assert [0o755, 0o644] == [(files / name).stat().st_mode & 0o777 for name in ("rat", "other")]
    assert (ELF, False, ()) == mend_program("rat", ELF, runs=False, is_built=True)  # a build may make another


def test_the_program_is_the_script_or_what_run_names(tmp_path):
    script = a_script(tmp_path / "in", b"", "rat.py")
    programs = {
        program_in(tmp_path, BotManifest(name="rat", run=(run,))) for run in ("./rat", "/bin/sh", "node")
    }
    assert {"rat", ""} == programs
    assert "rat.py" == program_in(script, BotManifest(name="rat", run=("{python}", "rat.py")))


def test_a_byte_order_mark_in_bot_toml_is_read_over(tmp_path):
    folder = a_script(tmp_path / "in", BOM + b'name = "rat"\nrun = ["./rat"]\n', "bot.toml").parent
    assert "rat" == read_manifest(folder, GAMES).name


# -- folders and archives


def a_bot(folder):
    folder.mkdir(parents=True)
    (folder / "bot.toml").write_text('name = "rat"\nrun = ["{python}", "rat.py"]\n')
    (folder / "rat.py").write_text("")
    return folder


def opened(path):
    told: list[str] = []
    with open_submission(path, told) as found:
        return {each.relative_to(found).as_posix() for each in found.rglob("*")}, told


def test_a_folder_in_a_folder_is_the_bot(tmp_path):
    a_bot(tmp_path / "s01" / "project" / "rat")
    a_bot(tmp_path / "s01" / "__MACOSX" / "rat")
    (tmp_path / "s01" / "README.txt").write_text("by me")
    files, told = opened(tmp_path / "s01")
    assert {"bot.toml", "rat.py"} == files
    assert ["the bot is what lies in project/rat/, where its bot.toml is"] == told
    a_bot(tmp_path / "s01" / "second")
    with open_submission(tmp_path / "s01") as found, pytest.raises(UsageProblem, match=r"has no bot\.toml"):
        read_manifest(found, GAMES)


def zipped(path, files):
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


MANIFEST = 'name = "rat"\nrun = ["{python}", "src/rat.py"]\n'


@pytest.mark.parametrize("root", ["", "rat\\"])
def test_names_with_backslashes_in_an_archive_are_folders(tmp_path, root):
    path = zipped(tmp_path / "rat.zip", {f"{root}bot.toml": MANIFEST, f"{root}src\\rat.py": ""})
    files, told = opened(path)
    assert {"bot.toml", "src", "src/rat.py"} == files
    assert ["its names have backslashes, which are read as folders"] == told


def test_a_name_with_a_backslash_that_nothing_needs_stays(tmp_path):
    path = zipped(tmp_path / "rat.zip", {"bot.toml": MANIFEST, "rat.py": "", "notes\\mine.txt": ""})
    assert ({"bot.toml", "rat.py", "notes\\mine.txt"}, []) == opened(path)


def test_a_backslash_leads_out_of_no_folder(tmp_path):
    path = zipped(tmp_path / "rat.zip", {"..\\..\\bot.toml": MANIFEST})
    with pytest.raises(UsageProblem, match="leads out of the folder"), open_submission(path):
        pass


@pytest.mark.parametrize(
    ("run", "kept"),
    [
        ('["py", "-3", "bot.py"]', ("{python}", "bot.py")),
        ('["C:\\\\Python312\\\\python.exe", "src\\\\bot.py"]', ("{python}", "src/bot.py")),
        ('[".\\\\bin\\\\rat"]', ("./bin/rat",)),
        ('["no-such-program", "src\\\\bot.py"]', ("no-such-program", "src\\bot.py")),
    ],
)
def test_a_run_that_is_written_for_windows_runs_here(tmp_path, run, kept):
    for name in ("src/bot.py", "bin/rat"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("")
    (tmp_path / "bot.toml").write_text(f'name = "rat"\nrun = {run}\n')
    told: list[str] = []
    assert kept == read_manifest(tmp_path, GAMES, told=told).run
    assert bool(told) == (kept[0] != "no-such-program")


@pytest.mark.parametrize("name", ["Bot.toml", "bot.toml.txt"])
def test_a_manifest_that_windows_has_renamed_is_read(tmp_path, name):
    (tmp_path / name).write_text('name = "rat"\nrun = ["{python}", "play.py"]\n')
    for script in ("play.py", "bot.py"):
        (tmp_path / script).write_text("pass\n")
    staged = stage(tmp_path / "out", tmp_path)
    assert ("rat", ("{python}", "play.py")) == (staged.version.bot, staged.version.manifest.run)


@pytest.mark.parametrize(
    ("toml", "why", "hint"),
    [
        ("name = \u201crat\u201d", "is not valid TOML", "write straight quotes"),
        ("name = rat", "is not valid TOML", "texts stand in quotes"),
        ('name = "rat"\nrun = [".\\src"]', "is not valid TOML", "in TOML a backslash is written twice"),
        ('name = 7\nrun = ["./rat"]', "`name` is a whole number; write a text", "correct it"),
        ('name = "M\udcfcller"', "is not saved as UTF-8", "save it as UTF-8"),
    ],
)
def test_a_manifest_with_a_slip_says_what_to_write(tmp_path, toml, why, hint):
    (tmp_path / "bot.toml").write_bytes(toml.encode("utf-8", "surrogateescape"))
    with pytest.raises(UsageProblem, match=why) as caught:
        read_manifest(tmp_path, GAMES)
    assert caught.value.hint.startswith(hint)


def test_the_archive_in_a_folder_that_holds_nothing_else_is_the_bot(tmp_path):
    folder = tmp_path / "Ann_1_file_"
    folder.mkdir()
    zipped(folder / "my bot.zip", {"rat/rat.py": "pass\n"})
    (folder / "report.pdf").write_bytes(b"%PDF-1.4")
    told: list[str] = []
    with open_submission(folder, told) as found:
        assert "rat" == read_manifest(found, GAMES).name
    assert ["the bot is what lies in my bot.zip"] == told
    (folder / "bot.py").write_text("pass\n")
    with open_submission(folder) as found:
        assert found == folder, "a script is clearer"


def test_an_archive_is_what_its_first_bytes_say(tmp_path):
    with open_submission(zipped(tmp_path / "rat.tar.gz", {"rat.py": "pass\n"})) as found:
        assert "rat.py" == found.name
    with tarfile.open(tmp_path / "mole.tar.gz", "w:") as archive:  # "czf" without the z
        archive.addfile(tarfile.TarInfo("mole.py"))
    with open_submission(tmp_path / "mole.tar.gz") as found:
        assert "mole.py" == found.name


def test_what_macos_adds_beside_files_hides_no_bot(tmp_path):
    twins = {"._rat": "", "rat/._rat.py": "", "rat/rat.py": "pass\n"}
    with open_submission(zipped(tmp_path / "rat.zip", twins)) as found:
        assert "rat.py" == found.name
    (tmp_path / "in").mkdir()
    (tmp_path / "in/._rat.zip").write_text("")
    (tmp_path / "rat.zip").rename(tmp_path / "in/rat.zip")
    with open_submission(tmp_path / "in") as found:
        assert "rat.py" == found.name


def test_links_to_commands_of_packages_are_left_out(tmp_path):
    folder = tmp_path / "rat"
    (folder / "node_modules/.bin").mkdir(parents=True)
    (folder / "node_modules/left.js").write_text("")
    (folder / "node_modules/.bin/left").symlink_to("../left.js")
    (folder / "bot.py").write_text("pass\n")
    with tarfile.open(tmp_path / "rat.tar", "w") as archive:
        archive.add(folder, "rat")
    with open_submission(tmp_path / "rat.tar") as found:
        packed = stage(tmp_path / "packed", found)
    staged = stage(tmp_path / "out", folder)
    assert packed.version.version == staged.version.version
    assert ["bot.py", "node_modules/left.js"] == [name for name, _ in files_of(Path(staged.version.folder))]
    (folder / "node_modules/.bin/own").write_text("")
    with pytest.raises(UsageProblem, match="is a link"):
        stage(tmp_path / "out", folder)


@pytest.mark.parametrize(
    ("run", "first_line"),
    [
        ('"{python}", "bot.py"', ""),
        ('".venv/bin/python", "bot.py"', ""),
        ('"./bot.py"', "#!.venv/bin/python\n"),
    ],
)
def test_a_virtual_environment_is_left_out_and_told_unless_the_bot_is_started_by_it(
    tmp_path, run, first_line
):
    folder = tmp_path / "bot"
    (folder / ".venv/bin").mkdir(parents=True)
    (folder / ".venv/pyvenv.cfg").write_text("")
    (folder / ".venv/bin/python").symlink_to("/usr/bin/python3")
    (folder / "bot.py").write_text(f"{first_line}pass\n")
    (folder / "bot.py").chmod(0o755)
    (folder / "bot.toml").write_text(f'name = "x"\nrun = [{run}]\n')
    if ".venv" in run + first_line:
        with pytest.raises(UsageProblem, match=r"\.venv is a virtual environment"):
            stage(tmp_path / "out", folder)
        return
    staged = stage(tmp_path / "out", folder)
    assert {"bot.py", "bot.toml"} == {file.name for file in Path(staged.version.folder).iterdir()}
    assert any(".venv is a virtual environment, and is left out" in change for change in staged.changes)


def test_files_of_a_stored_snapshot_are_hashed_whatever_they_are(tmp_path):
    (tmp_path / "venv").mkdir()
    (tmp_path / "venv/pyvenv.cfg").write_text("")
    assert ["venv/pyvenv.cfg"] == [name for name, _ in files_of(tmp_path)]
