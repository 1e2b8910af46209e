"""The first line of a script says what runs it, whatever its suffix and its run bit."""

import shlex
import shutil
import sys

import pytest
from support import ladders
from support.need import need_program
from support.taken_in import take_in

from engines import GAMES
from ladder.errors import LadderError, UsageProblem
from ladder.registry.bot_build import command_of, shell_line
from ladder.registry.bot_manifest import read_manifest
from ladder.registry.roster import Roster
from ladder.registry.shebang import interpreter_of

SPEAKS_BASH = """\
#!/usr/bin/env bash
while read -r line; do
  if [[ $line == '{"type":"hello"'* ]]; then
    echo '{"type":"ready","protocol":1}'
  elif [[ $line =~ ^'{"type":"act"'.*'"id":"'([^\\"]+) ]]; then
    id=${BASH_REMATCH[1]}
    [[ $line =~ '"options":["'([^\\"]+)'"' ]]
    cat <<< "{\\"id\\":\\"$id\\",\\"move\\":\\"${BASH_REMATCH[1]}\\"}"
  fi
done
"""


def a_script(path, text):
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("#!/bin/bash\n", ("/bin/bash",)),
        ("#! /bin/bash -e -u\n", ("/bin/bash", "-e -u")),
        ("#!/bin/bash", ("/bin/bash",)),
        ("#!/usr/bin/env python3\n", ("python3",)),
        ("#!/usr/bin/env -S node --no-warnings\n", ("node", "--no-warnings")),
        ("#!/usr/bin/env -Sperl -w\n", ("perl", "-w")),
        ("#!/usr/bin/env --split-string=perl -w\n", ("perl", "-w")),
        ("#!/usr/bin/env -i perl\n", ("/usr/bin/env", "-i perl")),
        ("#!/usr/bin/env A=1 perl\n", ("/usr/bin/env", "A=1 perl")),
        ("#!/usr/bin/env\n", ("/usr/bin/env",)),
        ("print()\n", ()),
        ("", ()),
        (b"\x7fELF\xff#!/bin/sh\n", ()),
    ],
)
def test_the_first_line_names_an_interpreter_and_its_arguments(tmp_path, line, words):
    assert words == interpreter_of(a_script(tmp_path / "rat", line))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("#!/bin/bash\r\n", "the first line ends with a carriage return"),
        ("#!\n", "the first line names no program"),
        (b"\xef\xbb\xbf#!/bin/bash\n", "begins with a byte order mark"),
    ],
)
def test_a_first_line_that_no_system_can_run_is_refused(tmp_path, line, said):
    """As a build may make one; in what an author sends, line ends and marks are mended."""
    with pytest.raises(UsageProblem, match=said) as caught:
        interpreter_of(a_script(tmp_path / "rat.sh", line))
    assert caught.value.hint


@pytest.mark.parametrize(
    ("name", "line", "run"),
    [
        ("rat.sh", "#!/bin/bash", ("./rat.sh",)),
        ("rat.sh", "#!/usr/bin/env bash", ("./rat.sh",)),
        ("rat.sh", "#!/bin/sh", ("sh", "rat.sh")),
        ("rat.py", "#!/usr/bin/env python3", ("{python}", "rat.py")),
        ("rat.py", "#!/usr/bin/env -S python3 -u", ("{python}", "-u", "rat.py")),
        ("rat.py", "#!/usr/bin/python3", ("./rat.py",)),
        ("rat.py", "#!/usr/bin/env pypy3", ("./rat.py",)),
        ("rat.js", "#!/usr/bin/env node", ("node", "rat.js")),
        ("rat.js", "#!/usr/bin/env deno", ("./rat.js",)),
        ("rat", "#!/usr/bin/env perl", ("./rat",)),
        ("rat.py", "#!/usr/bin/env python3\rpass\r", ("{python}", "rat.py")),  # line ends of old Macs
    ],
)
def test_the_first_line_goes_before_the_suffix_and_needs_no_run_bit(tmp_path, name, line, run):
    assert run == read_manifest(a_script(tmp_path / name, line + "\n"), GAMES).run


def taken(tmp_path, path):
    return take_in(Roster(tmp_path / "home" / "bots"), path)


def test_the_interpreter_is_found_as_env_finds_it(tmp_path, monkeypatch):
    elsewhere = tmp_path / "bin"
    elsewhere.mkdir()
    for name in ("sh", "only-here"):
        a_script(elsewhere / name, "#!/bin/sh\n").chmod(0o755)
    monkeypatch.setenv("PATH", f"{elsewhere}:/usr/bin:/bin")
    line = "#!/usr/bin/env -S only-here -v\n"
    mine = taken(tmp_path, a_script(tmp_path / "a.sh", line))
    assert (str(elsewhere / "only-here"), "-v", "./a.sh") == command_of(mine)
    systems = taken(tmp_path, a_script(tmp_path / "b", "#!/usr/bin/env sh\n"))
    assert (shutil.which("sh", path="/usr/bin:/bin"), "./b") == command_of(systems)


@pytest.mark.parametrize("line", ["#!/usr/bin/env no-such-shell", "#!/opt/no-such-shell -e"])
def test_an_interpreter_that_is_missing_is_named(tmp_path, line):
    with pytest.raises(
        LadderError, match=r"the first line of \./rat\.sh names .*no-such-shell, which is"
    ) as no:
        taken(tmp_path, a_script(tmp_path / "rat.sh", line + "\n"))
    assert "install no-such-shell, or correct that line" == no.value.hint


def test_a_script_in_a_folder_runs_by_its_first_line_too_and_is_shown_as_it_really_runs(tmp_path):
    folder = tmp_path / "rat"
    folder.mkdir()
    (folder / "bot.toml").write_text('name = "rat"\nrun = ["./bot", "a b"]')
    a_script(folder / "bot", "#!/bin/sh -e\n")
    version, python = taken(tmp_path, folder), shlex.quote(sys.executable)
    assert ("/bin/sh", "-e", "./bot", "a b") == command_of(version)
    assert "/bin/sh -e ./bot 'a b'" == shell_line(version, version.manifest.run)
    assert f"{python} make.py" == shell_line(version, ("{python}", "make.py"))
    assert f"cd src && {python} make.py" == shell_line(version, "cd src && {python} make.py")
    a_script(folder / "bot", "#!\n")
    with pytest.raises(UsageProblem, match=f"{folder}/bot: the first line names no program"):
        taken(tmp_path, folder)


@pytest.mark.tools
def test_a_bot_in_bash_plays_though_its_suffix_says_sh(tmp_path):
    need_program("bash")
    home = ladders.a_home(tmp_path / "home", {"mole": {}})
    take_in(home.roster, a_script(tmp_path / "rat.sh", SPEAKS_BASH))
    ladders.play(home, jobs=1, matches=2)
    seats = [seat for row in ladders.rows(home.path) for seat in row["seats"] if seat["bot"] == "rat"]
    assert seats
    assert {None} == {seat["fault"] for seat in seats}
