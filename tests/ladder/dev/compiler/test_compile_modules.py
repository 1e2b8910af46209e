"""Compile modules: which compiler, in what parts, side by side."""

import sys

import pytest

from ladder.dev.compiler.compile_modules import _write_shims, find_compiler, run_all, write_units
from ladder.machine.build import LIBRARY


def test_the_compiler_is_what_the_environment_names_if_it_is_there(monkeypatch):
    monkeypatch.setenv("CC", "/bin/sh -O1")
    assert ["/bin/sh", "-O1"] == find_compiler()
    monkeypatch.setenv("CC", "no-such-compiler")
    assert ["no-such-compiler"] != find_compiler()


def test_without_a_compiler_there_is_no_command(monkeypatch, tmp_path):
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_compiler() is None


def test_the_modules_of_a_package_are_compiled_as_one_the_largest_package_first(tmp_path):
    sizes = {
        "engines___moves": 5,
        "engines___stella___turns": 20,
        "engines___stella___view": 20,
        "library": 30,
    }
    paths = [tmp_path / f"__native_{name}.c" for name in sizes]
    for path, size in zip(paths, sizes.values(), strict=True):
        path.write_text("x" * size)
    modules = ["engines/moves.py", "engines/stella/turns.py", "engines/stella/view.py"]
    units = write_units(paths, modules, tmp_path)
    assert ["unit_engines_stella.c", "unit_library.c", "unit_engines.c"] == [unit.name for unit in units]
    assert [2, 1, 1] == [unit.read_text().count("#include") for unit in units]


def test_the_modules_of_a_package_share_the_file_by_which_python_finds_them(tmp_path):
    (tmp_path / "module_shim.tmpl").write_text("{modname} of {full_modname} in {libname}\n")
    modules = ["engines/moves.py", "engines/stella/turns.py", "engines/stella/view.py"]
    shims = _write_shims(modules, tmp_path, tmp_path)
    assert [modules[:1], modules[1:]] == [*shims.values()]
    lines = [line for shim in shims for line in shim.read_text().split("\n") if " of " in line]
    assert f"view of engines___stella___view in {LIBRARY}" == lines[-1]
    assert 3 == len(lines)


@pytest.mark.process
def test_commands_run_side_by_side_but_no_more_than_allowed(tmp_path):
    program = (
        "import sys, time; from pathlib import Path; me, other = map(Path, sys.argv[1:]); me.touch()\n"
        "while not other.exists(): time.sleep(0.01)"
    )
    one, two = str(tmp_path / "one"), str(tmp_path / "two")
    run_all([[sys.executable, "-c", program, one, two], [sys.executable, "-c", program, two, one]], 2)
    log = tmp_path / "log"
    alone = (
        "import sys; from pathlib import Path; log = Path(sys.argv[1]); had = log.read_text()\n"
        "log.write_text(had + 'begins '); log.write_text(log.read_text() + 'ends ')"
    )
    log.write_text("")
    run_all([[sys.executable, "-c", alone, str(log)]] * 3, 1)
    assert ["begins", "ends"] * 3 == log.read_text().split()


@pytest.mark.process
def test_after_a_command_that_fails_no_other_begins(tmp_path):
    fails = [sys.executable, "-c", "raise SystemExit(3)"]
    touches = [sys.executable, "-c", "import sys; open(sys.argv[1], 'w')", str(tmp_path / "touched")]
    with pytest.raises(SystemExit, match=r"failed with exit code 3: .*raise SystemExit"):
        run_all([fails, touches], 1)
    assert not (tmp_path / "touched").exists()
