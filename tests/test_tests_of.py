"""The script that names the tests of a change: tests/programs/tests_of.py."""

import os
import subprocess

import pytest
from programs.tests_of import main
from support.need import need_program


@pytest.fixture
def tree(tmp_path):
    """Return a tree of one module with a test, and a page."""
    for path in ("rules/adding.py", "tests/rules/test_adding.py", "README.md"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("")
    return tmp_path


def test_a_test_file_comes_first_and_each_file_once_on_one_line(tree, capsys):
    (tree / "tests/rules/test_more.py").write_text("")
    files = ("rules/adding.py", "tests/rules/test_more.py")
    assert 0 == main([str(tree / file) for file in files], tree)
    assert "tests/rules/test_more.py tests/rules/test_adding.py\n" == capsys.readouterr().out


@pytest.mark.parametrize(
    ("file", "told"),
    [
        ("rules/typo.py", "there is no file rules/typo.py: name one"),
        ("../elsewhere.py", "there is no file ../elsewhere.py: name one"),
        ("README.md", "no test file is known for README.md: .venv/bin/pytest runs"),
    ],
)
def test_a_file_that_is_not_there_or_has_no_tests_is_refused(tree, file, told, capsys):
    (tree.parent / "elsewhere.py").write_text("")
    assert 2 == main([str(tree / file)], tree)
    out, err = capsys.readouterr()
    assert ("", 1) == (out, err.count("\n"))
    assert told in err


@pytest.mark.tools
def test_without_a_name_the_tests_are_those_of_what_git_says_has_changed(tree, capsys, monkeypatch):
    need_program("git")
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(tree))
        assert 2 == main([], tree)
        assert "git is not installed: name a file" in capsys.readouterr().err
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", os.fspath(tree.parent))
    assert 2 == main([], tree)
    assert "git does not know this folder" in capsys.readouterr().err
    who = ("-c", "user.name=a", "-c", "user.email=a@b")
    for words in (("init", "-q"), ("add", "."), (*who, "commit", "-qm", "All")):
        subprocess.run(["git", *words], cwd=tree, check=True)
    assert 2 == main([], tree)
    assert "nothing has changed" in capsys.readouterr().err
    (tree / "README.md").write_text("changed")
    assert 2 == main([], tree)
    assert "no test file is known for what has changed" in capsys.readouterr().err
    (tree / "rules/adding.py").unlink()
    (tree / "tests/rules/test a.py").write_text("")
    (tree / "tests/rules/test_new.py").write_text("")
    assert 0 == main([], tree)
    assert "tests/rules/test_new.py tests/rules/test_adding.py\n" == capsys.readouterr().out
