"""The script that changes the project in one place at a time: tests/programs/mutations.py."""

from __future__ import annotations

import ast
import subprocess

import pytest
from programs import mutations
from programs.changes import changes_of
from programs.mutations import PARTS, ROOT, SAME, Part, known_same, make_environment, sample, try_changes

ADDING = '''
"""Add numbers."""

LIMIT = 10


def add(one: int, other: int) -> int:
    """Return the sum, at most LIMIT."""
    total = one + other
    if total >= LIMIT:
        return LIMIT
    return total
'''
TEST = """
import pytest
from rules.adding import add

def test_a_sum_has_a_limit():
    assert (3, 10) == (add(1, 2), add(9, 9))

@pytest.mark.process
def test_what_always_fails():
    assert False

@pytest.mark.process
def test_a_sum_in_another_process():
    assert 3 == add(3, 0)

@pytest.mark.process
@pytest.mark.tools
def test_what_is_not_asked():
    assert 10 != add(5, 5)
"""
HARDLY = """
[[change]]
file = "rules/adding.py"
before = "total = one + other"
after = "total = one + (other or 1)"
breaks = "Zero adds nothing."
"""
RULES = Part("rules", "rules")
AT_LIMIT = ("rules/adding.py", "add", "if total >= LIMIT:", "if total > LIMIT:")


def told(source):
    return [f"{change.before} -> {change.after}" for change in changes_of("a.py", source)]


@pytest.fixture
def tree(tmp_path):
    """Return a tree with a module of rules and its tests, of which one fails."""
    for path, text in (("rules/adding.py", ADDING), ("tests/rules/test_adding.py", TEST)):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return tmp_path


@pytest.mark.slow
@pytest.mark.process  # it starts pytest ten times
def test_changes_that_tests_of_one_mark_or_the_next_notice_and_one_that_none_does(tree, monkeypatch):
    monkeypatch.setenv("PYTEST_ADDOPTS", "-rs")  # as in the gate: pytest would not name what failed
    changes = {change.after: change for change in sample(tree, RULES, 100, 1)}
    tried = [changes["total = one - other"], changes["if total > LIMIT:"]]
    (tree / "hard.toml").write_text(HARDLY)
    ((hard, _),) = mutations.read_hard(tree, tree / "hard.toml")
    by_fast, survived, by_process = try_changes(tree, [*tried, hard], {})
    assert ("noticed", "survived", "noticed") == (by_fast.fate, survived.fate, by_process.fate)
    assert ("fast", "", "process") == (by_fast.mark, survived.mark, by_process.mark)
    assert by_fast.why.endswith("test_a_sum_has_a_limit")
    assert AT_LIMIT == survived.change.key
    (known,) = try_changes(tree, tried[1:], {AT_LIMIT: "10 is LIMIT"})
    assert ("same program", "10 is LIMIT", "") == known[1:]
    assert ADDING == (tree / "rules/adding.py").read_text()


def test_each_mark_has_its_turn_and_no_test_runs_twice():
    fast, process, slow = mutations.turns_of(["slow", "process", "fast"])
    assert ("fast", "not process and not tools and not slow") == fast
    assert ("process", "process and not tools and not slow") == process
    assert ("slow", "slow and not tools") == slow
    assert [("tools", "tools and not process and not slow")] == mutations.turns_of(["tools"])


def run_main(monkeypatch, *arguments, by=()):
    """Return the exit code of the command, where the changes are noticed by tests of the marks *by*."""

    def fates(root, changes, same, **_):
        for change, mark in zip(changes, by, strict=True):
            yield mutations.Result(change, "noticed" if mark else "survived", "", mark)

    monkeypatch.setattr(mutations, "try_changes", fates)
    monkeypatch.setattr(mutations, "PARTS", PARTS[1:2])
    monkeypatch.setattr("sys.argv", ["mutations.py", *arguments])
    return mutations.main()


def test_a_sample_without_a_change_to_the_named_files_is_refused(monkeypatch, capsys):
    assert 2 == run_main(monkeypatch, "--sample", "4", "README.md")
    assert "take a larger --sample" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("fast", "process", "options", "code"),
    [
        (17, 2, ("--sample", "20"), 0),
        (17, 1, ("--sample", "20"), 1),
        (16, 4, ("--sample", "20"), 1),
        (17, 0, ("--sample", "20", "--marks", "fast"), 0),
        (17, 1, ("--hard",), 0),
        (17, 0, ("--hard",), 1),
    ],
)
def test_too_low_a_score_of_the_fast_tests_or_of_all_is_an_error(
    monkeypatch, capsys, fast, process, options, code
):
    by = [*["fast"] * fast, *["process"] * process, *[""] * (20 - fast - process)]
    assert code == run_main(monkeypatch, *options, by=by)
    assert f"fast {fast} of 20 noticed, {5 * fast}.0 %" in capsys.readouterr().out


@pytest.mark.process
def test_python_in_a_copy_finds_the_packages_of_the_copy_also_where_nothing_else_is_seen(tmp_path):
    python = make_environment(ROOT, tmp_path)
    told = subprocess.run(
        [python, "-Ic", "import msgspec, sys; print(*sys.path)"], capture_output=True, text=True
    )
    assert str(tmp_path) in told.stdout.split()
    assert str(ROOT) not in told.stdout.split()


def test_the_changes_of_a_small_module():
    assert [
        "LIMIT = 10 -> LIMIT = 11",
        "total = one + other -> total = one - other",
        "if total >= LIMIT: -> if False:",
        "if total >= LIMIT: -> if True:",
        "if total >= LIMIT: -> if total > LIMIT:",
        "return LIMIT -> pass",
    ] == told(ADDING)


def test_what_is_the_same_program_for_all_to_see_is_left_out():
    assert [] == told("import re\nfrom a import b\n__all__ = ['c']\nNumber: TypeAlias = int | 1\n")
    assert [] == told("class A:\n    'A text.'\n    __slots__ = ('b',)\n    b: Literal[1]\n")
    assert [] == told("@final\ndef f(a: Literal[1]) -> Literal[2]:\n    return cast('A', g(f'{a}'))\n")
    assert [] == told("log.info('word', 1)\nif TYPE_CHECKING:\n    a = 1\n")
    assert ["raise ValueError('word', 1) -> pass"] == told("raise ValueError('word', 1)\n")
    assert ["a = zip(b, c, d=True, strict=True) -> a = zip(b, c, d=False, strict=True)"] == told(
        "a = zip(b, c, d=True, strict=True)\n"
    )


def test_a_change_is_made_in_one_place_and_can_be_read():
    source = "a = (b  # 1 + 2\n     + 'é' * 2) - c\nif d and e(not f):\n    del g\n"
    found = changes_of("a.py", source)
    assert 10 == len(found)
    for change in found:
        made = change.made_in(source)
        assert ast.dump(ast.parse(source)) != ast.dump(ast.parse(made))
        assert 1 == sum(a != b for a, b in zip(source.splitlines(), made.splitlines(), strict=True))


def test_the_sample_is_fixed_and_stays_when_other_code_is_added(tree):
    chosen = sample(tree, RULES, 3, 1)
    assert chosen == sample(tree, RULES, 3, 1)
    assert {change.key for change in chosen} != {change.key for change in sample(tree, RULES, 3, 2)}
    (tree / "rules/adding.py").write_text(ADDING.replace("LIMIT = 10", "\nLIMIT = 10"))
    assert [change.key for change in chosen] == [change.key for change in sample(tree, RULES, 3, 1)]


def test_the_tests_of_a_module_begin_with_those_that_are_named_after_it():
    found = mutations.tests_of(ROOT, "engines/stellar/draws.py", {})
    assert "tests/engines/stellar/test_draws.py" == found[0]
    assert {"tests/engines/stellar/test_turns.py", "tests/engines/test_golden.py"} < {*found}
    assert "tests/engines/stella/test_turns.py" not in found
    imported = mutations.tests_of(ROOT, "results/record.py", {})
    assert "tests/results/reports/test_row_sets.py" in imported  # through something of tests/support
    assert "tests/cli/test_rate.py" == mutations.tests_of(ROOT, "ladder/cli/rate.py", {})[0]


def test_each_hard_change_can_be_made_in_one_place_and_the_changed_file_compiles():
    found = mutations.read_hard(ROOT, mutations.HARD)
    assert 20 == len({change.file for change, _ in found})
    for change, fact in found:
        source = (ROOT / change.file).read_text("utf-8")
        made = change.made_in(source)
        assert source != made
        compile(made, change.file, "exec")
        assert fact.endswith(".")


def test_each_change_that_is_known_to_be_the_same_program_can_still_be_made():
    known = known_same(SAME)
    files = {part.name: {path.as_posix() for path in part.sources(ROOT)} for part in PARTS}
    assert all(files.values())
    made = {
        change.key
        for file in {key[0] for key in known}
        for change in changes_of(file, (ROOT / file).read_text("utf-8"))
    }
    assert {*known} <= made
    assert all(why.strip() for why in known.values())
