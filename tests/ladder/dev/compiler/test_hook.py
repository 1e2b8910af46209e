"""What the build of a wheel does where it cannot compile."""

import os
import resource
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import pytest
from support.need import need
from support.places import ROOT
from support.seating import has_ended

from ladder.machine.build import RECORD, Build

pytestmark = pytest.mark.tools


@pytest.fixture(autouse=True)
def hook(monkeypatch):
    """Return the module, with an environment that says nothing of compilers."""
    for name in ("LADDER_COMPILE", "CC"):
        monkeypatch.delenv(name, raising=False)
    need("hatchling")
    from ladder.dev.compiler import hook

    return hook


def test_an_obstacle_says_what_is_missing_and_what_to_type(hook, tmp_path, monkeypatch):
    monkeypatch.setenv("CC", "/bin/sh")  # a program that is there
    assert hook._obstacle() is None or "Python.h" in hook._obstacle().how
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path))
    missing = hook._obstacle()
    assert "there was no Python.h" == missing.how
    assert f"python3.{sys.version_info[1]}-dev" in missing.hint
    monkeypatch.delenv("CC")
    monkeypatch.setenv("PATH", str(tmp_path))
    none = hook._obstacle()
    assert (False, "there was no C compiler") == (none.compiled, none.how)
    assert "apt install gcc" in none.hint
    monkeypatch.setenv("LADDER_COMPILE", "never")
    assert "LADDER_COMPILE=never was set" == hook._obstacle().how


def test_a_limit_on_memory_below_what_compiling_needs_is_an_obstacle(hook, monkeypatch):
    monkeypatch.setattr(Path, "is_file", lambda path: True)  # Python.h
    monkeypatch.setenv("CC", "/bin/sh")
    found = {}
    for limit in (resource.RLIM_INFINITY, hook.NEEDED, 300 << 20):
        monkeypatch.setattr(resource, "getrlimit", lambda what, limit=limit: (limit, -1))
        found[limit] = hook._obstacle()
    assert [None, None] == [*found.values()][:2]
    assert "memory was limited to 300 MB, and compiling needs 700" == found[300 << 20].how
    assert "ulimit -v unlimited" in found[300 << 20].hint


def test_a_program_that_fails_is_quoted_with_its_last_line(hook, tmp_path):
    command = [sys.executable, "-c", "import sys; print('much'); sys.exit('  not this type\\n')"]
    how, hint = hook._run(command, tmp_path, None)
    assert "compiling failed: not this type" == how
    assert "`pip install -v .` shows more" in hint


def test_the_last_error_is_quoted_though_warnings_follow(hook, tmp_path):
    command = [sys.executable, "-c", "print('a.py:3: error: no'); raise SystemExit('b.py:4: warning: slow')"]
    assert "compiling failed: a.py:3: error: no" == hook._run(command, tmp_path, None)[0]
    assert ("", "") == hook._run([sys.executable, "-c", "print('done')"], tmp_path, None)


def test_a_program_that_takes_too_long_is_ended_with_what_it_started(hook, tmp_path):
    program = (
        "import subprocess, sys, time; sleeper = [sys.executable, '-c', 'import time; time.sleep(600)']\n"
        "print(subprocess.Popen(sleeper).pid, file=open('pid', 'w'), flush=True); time.sleep(600)"
    )
    command = [sys.executable, "-c", program]
    seconds = 1
    while True:
        (tmp_path / "pid").unlink(missing_ok=True)
        how, hint = hook._run(command, tmp_path, seconds)
        assert f"compiling was not done after {seconds} s" == how
        assert "`LADDER_COMPILE=always pip install .`" in hint
        if (tmp_path / "pid").exists() and (tmp_path / "pid").read_text():
            break
        seconds *= 2  # a busy machine
    assert has_ended(int((tmp_path / "pid").read_text()))


@pytest.fixture
def compile_with(hook, tmp_path, monkeypatch):
    """Return a function that compiles one module with a shell script for a compiler, as a build does."""
    need("mypy")
    monkeypatch.setattr(hook, "_obstacle", lambda: None)
    monkeypatch.setattr(hook.CompilingHook, "_modules", lambda self: iter(["engines/dice.py"]))
    (tmp_path / "builds").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "builds"))

    def build(script):
        compiler = tmp_path / "compiler"
        compiler.write_text(f"#!/bin/sh\n{script}\n")
        compiler.chmod(0o755)
        monkeypatch.setenv("CC", str(compiler))
        data: dict[str, Any] = {"force_include": {}}
        built = hook.CompilingHook(str(ROOT), {"optimize": "-O0"}, None, None, str(tmp_path), "wheel")
        built.initialize("standard", data)
        ((record, place),) = data["force_include"].items()
        assert RECORD == place
        text = Path(record).read_text()
        built.finalize("standard", data, "")
        return text.split("\n")[:3]

    return build


def test_a_compiler_that_hangs_is_given_up_and_ended_and_the_build_says_so(
    hook, compile_with, tmp_path, monkeypatch, capsys
):
    pids, seconds = tmp_path / "pids", 4
    while True:
        monkeypatch.setattr(hook, "SECONDS", seconds)
        word, how, hint = compile_with(f"echo $$ >>'{pids}'; exec sleep 600")
        if pids.exists():
            break
        seconds *= 2  # a busy machine: mypyc had not written the C
    assert ("interpreted", f"compiling was not done after {seconds} s") == (word, how)
    assert all(has_ended(int(pid)) for pid in pids.read_text().split())
    said = capsys.readouterr().out
    assert f"compiling: at most {seconds} s; LADDER_COMPILE=never leaves it out\n" in said
    assert f"interpreted: {how}\n  next: {hint}\n" in said
    assert [] == [*(tmp_path / "builds").iterdir()]


def test_a_compiler_that_crashes_is_named_and_only_a_build_that_must_compile_fails(
    compile_with, tmp_path, monkeypatch
):
    word, how, hint = compile_with("kill -SEGV $$")
    assert "interpreted" == word
    assert f"compiling failed: {tmp_path}/compiler failed with signal 11" in how
    assert "`pip install -v .` shows more" in hint
    monkeypatch.setenv("LADDER_COMPILE", "always")
    with pytest.raises(SystemExit, match=r"LADDER_COMPILE=always, but compiling failed: .*\n  next: in the"):
        compile_with("kill -SEGV $$")
    assert [] == [*(tmp_path / "builds").iterdir()]


def build_wheel(folder, **environment):
    """Build a wheel of the sources, as pip would call it; return its files."""
    program = "import sys; from hatchling.build import build_wheel; build_wheel(sys.argv[1])"
    subprocess.run(
        [sys.executable, "-c", program, folder],
        cwd=ROOT,
        env=os.environ | environment,
        check=True,
        capture_output=True,
    )
    (wheel,) = folder.glob("*.whl")
    assert "none-any" in wheel.name
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_a_wheel_without_a_compiler_is_for_every_machine_and_says_why(tmp_path):
    files = build_wheel(tmp_path, PATH=str(tmp_path), CC="")
    assert [] == [name for name in files if name.endswith(".so")]
    word, how, hint, _ = files[RECORD].decode().split("\n")
    assert ("interpreted", "there was no C compiler") == (word, how)
    assert "apt install gcc" in hint


def test_an_editable_install_is_never_compiled(hook, tmp_path, monkeypatch):
    monkeypatch.setenv("LADDER_COMPILE", "always")
    data: dict[str, Any] = {}
    hook.CompilingHook(str(ROOT), {}, None, None, str(tmp_path), "wheel").initialize("editable", data)
    assert {} == data


def test_mypyc_is_asked_for_only_where_it_can_compile_and_not_for_an_editable_install(
    hook, tmp_path, monkeypatch
):
    asked = hook.CompilingHook(str(ROOT), {"compilers": ["mypy"]}, None, None, str(tmp_path), "wheel")
    monkeypatch.setattr(hook, "_obstacle", lambda: None)
    monkeypatch.setattr(sys, "argv", ["_in_process.py", "get_requires_for_build_wheel", "folder"])
    assert ["mypy"] == asked.dependencies()
    monkeypatch.setattr(sys, "argv", ["_in_process.py", "get_requires_for_build_editable", "folder"])
    assert [] == asked.dependencies()
    monkeypatch.setattr(sys, "argv", ["_in_process.py", "get_requires_for_build_wheel", "folder"])
    monkeypatch.setattr(hook, "_obstacle", lambda: Build(False, "there was no C compiler"))
    assert [] == asked.dependencies()


def test_a_build_that_must_compile_and_cannot_fails(tmp_path):
    with pytest.raises(subprocess.CalledProcessError) as failed:
        build_wheel(tmp_path, LADDER_COMPILE="always", PATH=str(tmp_path), CC="")
    assert b"LADDER_COMPILE=always, but there was no C compiler\n  next: install" in failed.value.stderr
    assert b"Traceback" not in failed.value.stderr
    assert [] == [*tmp_path.iterdir()]
