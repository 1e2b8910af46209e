"""Every wait that decides something goes by the law of delays: a busy machine refuses nobody and nothing."""

import ast
import importlib
import os
import re
import shutil
import sys
import tomllib
from pathlib import Path

import pytest
from support.command_line import run_here
from support.ladders import a_home
from support.places import ROOT

from ladder.admission import inbox, tryout
from ladder.errors import TooBusy
from ladder.process import tiers
from ladder.process.patience import Patience
from results.storage.store import Store

LISTED = tomllib.loads((Path(__file__).parent / "support" / "waits.toml").read_text())
CLOCKS = {"monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns"}
WAITS = {
    *("Patience", "PeriodicCallback", "Timer", "alarm", "call_later", "communicate", "exit_status"),
    *("is_readable", "join", "poll", "select", "setitimer", "settimeout", "sleep", "wait", "wait_for"),
}
"""What is called to wait."""
KEYWORDS = {"most_s", "patience", "timeout", "timeout_s"}
NAMES_OF_TIMES = re.compile(r"(_SECONDS|_S|_MS|_NS|_US|^SECONDS|PATIENCE|TIMEOUT)$")


def modules():
    """Return what may hold such a constant, by its path: not what only the authors start."""
    files = (file for top in ("ladder", "protocol", "results") for file in sorted((ROOT / top).rglob("*.py")))
    found = {file.relative_to(ROOT).as_posix(): ast.parse(file.read_text()) for file in files}
    return {path: tree for path, tree in found.items() if not path.startswith("ladder/dev/")}


def numbers(tree):
    """Yield the names of constants that are numbers, of the module and of its classes."""
    for body in (tree.body, *(node.body for node in tree.body if isinstance(node, ast.ClassDef))):
        for node in body:
            target, value = None, None
            if isinstance(node, ast.Assign):
                target, value = node.targets[0], node.value
            elif isinstance(node, ast.AnnAssign):
                target, value = node.target, node.value
            if isinstance(target, ast.Name) and target.id.isupper() and value and is_number(value):
                yield target.id


def is_number(value):
    parts = [node for node in ast.walk(value) if not isinstance(node, ast.operator | ast.unaryop)]
    constants = [node for node in parts if isinstance(node, ast.Constant)]
    others = [node for node in parts if not isinstance(node, ast.Constant | ast.BinOp | ast.UnaryOp)]
    return bool(constants) and not others and all(type(node.value) in (int, float) for node in constants)


def reaches_clocks(tree):
    """Yield the names that stand in a wait, or are compared or added with the time."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            if called(node) in WAITS and not is_text(node.func):
                yield from names_in(*node.args, *(each.value for each in node.keywords))
            yield from names_in(*(each.value for each in node.keywords if each.arg in KEYWORDS))
        elif isinstance(node, ast.BinOp | ast.Compare):
            calls = (each for each in ast.walk(node) if isinstance(each, ast.Call))
            if any(called(call) in CLOCKS for call in calls):
                yield from names_in(node)


def called(call):
    match call.func:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def is_text(function):
    """Return whether it is a method of a literal, as in ", ".join."""
    return isinstance(function, ast.Attribute) and isinstance(function.value, ast.Constant | ast.JoinedStr)


def names_in(*nodes):
    return (each.id for node in nodes for each in ast.walk(node) if isinstance(each, ast.Name))


def times_in(trees):
    """Return PATH:NAME of every constant that is a time by its name or by its use, also in another module."""
    own = {path: {*numbers(tree)} for path, tree in trees.items()}
    found = {f"{path}:{name}" for path, names in own.items() for name in names if NAMES_OF_TIMES.search(name)}
    for path, tree in trees.items():
        imports = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module)
        homes = {
            alias.asname or alias.name: f"{str(node.module).replace('.', '/')}.py"
            for node in imports
            for alias in node.names
        }
        for name in reaches_clocks(tree):
            if name in own.get(home := homes.get(name, path), ()):
                found.add(f"{home}:{name}")
    return found


def test_every_constant_that_is_a_time_is_listed_as_one_that_judges_or_only_waits():
    listed = {name: why for group in LISTED.values() for name, why in group.items()}
    assert times_in(modules()) == {*listed}
    assert all(len(why) > 5 for why in listed.values())
    assert len(listed) == sum(map(len, LISTED.values()))


@pytest.mark.parametrize(
    "line", ["x.poll(NEW)", "x.wait(timeout=NEW)", "time.monotonic() + NEW", "monotonic_ns() > 2 * NEW"]
)
def test_a_new_one_is_found(line):
    assert {"new.py:NEW"} == times_in({"new.py": ast.parse(f"NEW = 5.0\nOLD = 1\nTEXT = ''\n{line}\n")})
    elsewhere = {"new.py": ast.parse("NEW: Final = -3"), "b.py": ast.parse(f"from new import NEW\n{line}")}
    assert {"new.py:NEW"} == times_in(elsewhere)
    assert {"new.py:LOOK_SECONDS"} == times_in({"new.py": ast.parse("LOOK_SECONDS = 2 * 60")})


AT_THE_START = ["ladder/process/tiers.py:PATIENCE", "ladder/process/tree.py:SET_UP"]
"""Those without which no bot starts."""
COMMANDS = [
    ["submit", "BOT"],
    ["submit", "--all", "BOTS"],
    ["inbox", "INBOX", "--once"],
    ["check", "BOT"],
    ["run", "first", "last", "--games", "2"],
    ["duel", "first", "last", "--games", "2"],
]


@pytest.fixture
def nothing(request, monkeypatch):
    """Set the constant that the parameter names to nothing, wherever it was imported."""
    path, _, name = request.param.partition(":")
    module = importlib.import_module(path.removesuffix(".py").replace("/", "."))
    value = getattr(module, name)
    for each in [*sys.modules.values()]:
        if each.__name__.startswith("ladder.") and getattr(each, name, None) is value:
            monkeypatch.setattr(each, name, 0.0)
    # what has come before the first look would depend on the machine
    wait = Patience.wait
    late = lambda self, *fds, **how: wait(self, *fds, **how) if self._limit_us else "too late"  # noqa: E731
    monkeypatch.setattr(Patience, "wait", late)
    monkeypatch.setattr(tiers, "PAUSES", (0.0, 0.0, 0.0))
    monkeypatch.setattr(inbox, "PAUSES", (0.0, 0.0, 3600.0))
    tiers.examine_tier.cache_clear()
    yield
    tiers.examine_tier.cache_clear()


@pytest.mark.tools
@pytest.mark.parametrize("nothing", AT_THE_START, indirect=True)
@pytest.mark.parametrize("command", COMMANDS, ids=lambda words: " ".join(words[:2]))
@pytest.mark.usefixtures("nothing")
def test_without_time_nothing_is_judged(tmp_path, command):
    home = a_home(tmp_path / "home", settings='[run]\ngames = ["stellar"]\n')
    (tmp_path / "bots").mkdir()
    shutil.copy(ROOT / "bots" / "random" / "bot.py", script := tmp_path / "bots" / "new.py")
    (tmp_path / "inbox" / "ann").mkdir(parents=True)
    shutil.copy(script, entry := tmp_path / "inbox" / "ann" / "new.py")
    os.utime(entry, (1, 1))  # as if it had been renamed into the inbox
    places = {"BOT": str(script), "BOTS": str(script.parent), "INBOX": str(tmp_path / "inbox")}
    before = [version.id for version in home.roster.versions()]
    said = run_here(*(places.get(word, word) for word in command), "--home", home.path)
    assert 8 == said.code, said
    assert "too busy" in said.out + said.err
    assert "refused" not in said.out
    assert before == [version.id for version in home.roster.versions()]
    assert [] == [*Store(home.results).contents().count_charged(1)]


@pytest.mark.process
@pytest.mark.parametrize("nothing", ["ladder/process/bot.py:BYE_SECONDS"], indirect=True)
@pytest.mark.usefixtures("nothing")
def test_without_time_to_leave_no_bot_is_said_to_stay(tmp_path):
    home = a_home(tmp_path / "home")
    shutil.copy(ROOT / "bots" / "random" / "bot.py", script := tmp_path / "new.py")
    said = run_here("check", script, "--home", home.path)
    assert (8, True) == (said.code, "too busy" in said.err), said
    assert 0 == (said := run_here("run", "first", "last", "--games", "2", "--home", home.path)).code
    assert "did not exit after bye" not in said.err


@pytest.mark.parametrize("nothing", ["ladder/admission/tryout.py:LOOKING_SECONDS"], indirect=True)
@pytest.mark.usefixtures("nothing")
def test_without_time_to_end_no_process_is_said_to_be_left(monkeypatch):
    monkeypatch.setattr(tryout, "find_marked", lambda mark: [os.getpid()])
    with pytest.raises(TooBusy):
        tryout.check_nothing_left("mark")
