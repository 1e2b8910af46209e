"""The script that makes a bare machine and types the README's test command there: .ci/bare.

It runs in a small tree.  "pytest" is `sh` there, which says where it is.
"""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from support.need import need_program
from support.places import ROOT

pytestmark = pytest.mark.tools

README = """
python3 -m venv --without-pip .venv && ln -s /bin/sh .venv/bin/pytest && .venv/bin/pytest
"""
USED = "env grep id mktemp sed sh true dirname"
"""The programs that the script uses before it has found Python."""
SAYS = 'umask; id -u; pwd; env; ls "${PATH%%:*}"'

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def bare(tmp_path):
    """Return a function that runs the script, with *tools* of the test's own before those of the machine."""
    bash = need_program("bash")
    tree, own = tmp_path / "tree", tmp_path / "own"
    for path in (".ci", "ladder/sandbox", ".venv", "../own"):
        (tree / path).mkdir(parents=True)
    shutil.copy(ROOT / ".ci/bare", tree / ".ci/bare")
    shutil.copy(ROOT / ".gitignore", tree)
    (tree / "README.md").write_text(README)
    (tree / "ladder/sandbox/bwrap.py").write_text(f'PLACES = "/nowhere:{tmp_path}/tools"\n')

    def run(*words, path=os.environ["PATH"], **tools):
        for name, line in tools.items():
            (own / name).write_text(f"#!/bin/sh\n{line}\n")
            (own / name).chmod(0o755)
        environment = os.environ | {"PATH": f"{own}:{path}"}
        command = [bash, tree / ".ci/bare", *words]
        return subprocess.run(command, env=environment, capture_output=True, text=True, cwd="/")

    return run


def refusal(done):
    """Return the one line of a refusal."""
    assert (2, "") == (done.returncode, done.stdout)
    (line,) = done.stderr.splitlines()
    return line


AS_ROOT = {"id": '[ "$1" = -u ] && echo 0', "setpriv": 'while [ "$1" != env ]; do shift; done; exec "$@"'}
"""Programs by which the script takes itself for root."""


@pytest.mark.parametrize(
    ("words", "tools", "said"),
    [
        ((), {"id": "echo 1000"}, "only root may become another user: sudo .ci/bare"),
        ((), AS_ROOT | {"setpriv": "exit 1"}, "setpriv does not make"),
        (("--busy", "many"), {}, "type --busy "),
        (("--busy",), {}, "type --busy "),
        (("--home",), {}, "type --home "),
    ],
)
def test_what_cannot_be_is_refused(bare, words, tools, said):
    assert said in refusal(bare(*words, **tools))


def test_a_machine_without_a_python_that_every_user_may_start_is_refused(bare, tmp_path):
    (tmp_path / "links").mkdir()
    for name in USED.split():
        (tmp_path / "links" / name).symlink_to(need_program(name))
    done = bare(**AS_ROOT, path=str(tmp_path / "links"), python3="exit 1")
    assert "there is no Python 3.11 or later" in refusal(done)


def test_a_tool_that_is_found_without_path_and_cannot_be_hidden_is_named(bare, tmp_path):
    tool = tmp_path / "tools" / "bwrap"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    assert f"{tool} cannot be hidden" in refusal(bare(**AS_ROOT, unshare="exit 1"))


def test_the_place_has_a_user_without_rights_no_home_and_coreutils_alone(bare, tmp_path):
    if os.geteuid():
        pytest.skip("only root may become another user: sudo pytest")
    done = bare("-c", f"{SAYS}; exit 3")
    assert 3 == done.returncode, done.stderr
    umask, user, folder, *rest = done.stdout.splitlines()
    assert ("0077", "/a [b] c") == (umask, folder[-8:])
    assert int(user) > 0
    assert not Path(folder).parent.exists()
    assert "LANG=C" in rest
    assert not [line for line in rest if line.startswith(("HOME=", "TMPDIR="))]
    assert {"python3", "sh", "cat", "["} <= {*rest}
    assert not {"git", "bash", "gcc", "bwrap"} & {*rest}


def test_its_options_make_it_root_give_it_a_home_and_start_pytest_as_a_module(bare):
    if os.geteuid():
        pytest.skip("only root may become another user: sudo pytest")
    said = bare("--root", "--home", "/nonexistent", "--busy", "1", "-c", SAYS).stdout.splitlines()
    assert "0" == said[1]
    assert "HOME=/nonexistent" in said
    assert "No module named pytest" in bare("--module").stderr
