"""What an installation says of how it was built."""

from importlib.machinery import EXTENSION_SUFFIXES

import pytest

from ladder.machine.build import LIBRARY, RECORD, Build, libraries, read_build, version_line, warn_of_stray

SUFFIX = EXTENSION_SUFFIXES[0]


def an_installation(folder, build):
    """Make a folder with two modules, and the record of *build* if there is one."""
    for path in ("engines/stellar/turns.py", "protocol/lines.py", RECORD):
        (folder / path).parent.mkdir(parents=True)
    for module in ("engines/stellar/turns.py", "protocol/lines.py"):
        (folder / module).write_text("")
    if build:
        (folder / RECORD).write_text(build.to_text())
    return str(folder)


@pytest.mark.parametrize(
    "build", [Build(True, "by gcc in 30 s"), Build(False, "there was no C compiler", "apt install gcc")]
)
def test_what_a_build_records_is_read_again(tmp_path, build):
    assert build == read_build(an_installation(tmp_path, build))


@pytest.mark.parametrize("damaged", ["", "compiled"])
def test_a_damaged_record_counts_as_interpreted(tmp_path, damaged):
    root = an_installation(tmp_path, None)
    (tmp_path / RECORD).write_text(damaged)
    assert not read_build(root).compiled


def test_sources_are_interpreted_and_say_how_to_compile_them():
    assert (False, "interpreted") == (read_build().compiled, read_build().word)
    assert "pip install" in read_build().hint
    assert version_line().endswith("(interpreted)")


def test_a_compiled_file_beside_a_source_is_named(tmp_path):
    root = an_installation(tmp_path, None)
    assert "" == warn_of_stray(root)
    (tmp_path / "protocol/other.so").write_text("")  # has no source
    assert "" == warn_of_stray(root)
    (tmp_path / f"protocol/lines{SUFFIX}").write_text("")
    assert warn_of_stray(root).endswith(f": protocol/lines{SUFFIX}")
    (tmp_path / f"engines/stellar/turns{SUFFIX}").write_text("")
    assert warn_of_stray(root).endswith(f": engines/stellar/turns{SUFFIX} and 1 more")


def test_compiled_files_belong_into_an_installation_that_was_compiled(tmp_path):
    root = an_installation(tmp_path, Build(True, "by gcc"))
    (tmp_path / f"protocol/lines{SUFFIX}").write_text("")
    assert "" == warn_of_stray(root)


def test_the_library_of_the_compiled_modules_is_found_beside_the_packages(tmp_path):
    root = an_installation(tmp_path, Build(True, "by gcc"))
    assert [] == libraries(root)
    (tmp_path / f"{LIBRARY}{SUFFIX}").write_text("")
    assert [str(tmp_path / f"{LIBRARY}{SUFFIX}")] == libraries(root)
