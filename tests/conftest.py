"""What all tests share."""

from __future__ import annotations

import gc
import os
import re
import signal
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest
import xdist.plugin
from hypothesis import settings
from support.costs import Costs
from support.guard import MARKS, Guard, is_marked
from support.places import TESTS

from ladder.sandbox import TIERS

# Every program that a test starts would compile all it imports: a third of its time, where nothing is kept.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# What developers and services set for themselves would change what the ladder prints.
for name in ("LADDER_HOME", "FORCE_COLOR", "NO_COLOR", "PY_COLORS", "GITHUB_ACTIONS", "COLUMNS", "LINES"):
    os.environ.pop(name, None)

# What a shell starts in the background ignores Ctrl-C, and so would every program that a test starts.
for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, handler)

# Tests assert no times, and what Hypothesis remembers from run to run needs a folder that can be written.
settings.register_profile("ladder", deadline=None, database=None)
settings.load_profile("ladder")

MOST_WORKERS = 8
"""Every worker collects all tests again."""
DEAREST = (
    "ladder/kits/test_kits.py",
    "test_docs.py",
    "bots/test_house_bots.py",
    "test_tutorial.py",
    "truth/test_reviews.py",
    "ladder/run/executors/test_cluster.py",
    "test_container.py",
    "ladder/run/test_kills.py",
    "ladder/web/visits/test_odd_games.py",
    "ladder/web/visits/test_checkers.py",
    "cli/test_term.py",
    "ladder/web/serve/test_server.py",
    "ladder/run/test_week.py",
    "ladder/run/test_week_over_http.py",
    "ladder/dev/hostile/test_behaviours.py",
    "truth/test_schedule.py",
    "truth/test_duel_verdicts.py",
)
"""The files whose slow tests cost most.  They begin first, or one worker would end long after the others."""
FEW = 3
"""The most files that are tested without workers, which take a second to start."""


def pytest_addoption(parser):
    parser.getgroup("ladder").addoption("--cost", action="store_true", help="print what the tests cost")


def pytest_configure(config):
    """Hold the tests to their marks.  Refuse what does not exist: by itself, pytest passes over it."""
    if config.option.markexpr == "slow":
        config.option.loadscopereorder = False  # the files with the most tests are not the dearest
    config.pluginmanager.register(Guard(), "ladder-guard")
    config.pluginmanager.register(Costs(config, MARKS), "ladder-costs")
    if hasattr(config, "workerinput"):
        return
    known = {re.split(r"\W", line, maxsplit=1)[0] for line in config.getini("markers")}
    for name in re.findall(r"[^\W\d]\w*", config.option.markexpr):
        if name not in known | {"and", "or", "not", "True", "False"}:
            pytest.exit(
                f"there is no mark {name!r}: type one of {', '.join(MARKS)}, or -m '' for all tests", 2
            )
    for place in _named(config):
        if not Path(place).exists():
            raise pytest.UsageError(f"there is no file or folder {place}")


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Look for no garbage while tests are collected, nor later among what is kept of that: it is much."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_collection_modifyitems(items):
    """Let the dearest files begin: see DEAREST."""
    places = {TESTS / name: place for place, name in enumerate(DEAREST)}
    items.sort(key=lambda item: places.get(item.path, len(places)))


@pytest.hookimpl(tryfirst=True)
def pytest_xdist_auto_num_workers(config):
    """Start no workers for a few files, and one too many for tests that wait for programs."""
    places = _named(config)
    if 0 < len(places) <= FEW and all(Path(place).is_file() for place in places):
        return 0
    workers: int = xdist.plugin.pytest_xdist_auto_num_workers(config)
    waiting = "not process" not in config.option.markexpr
    return min(workers + waiting, MOST_WORKERS)


def _named(config):
    """Return the files and folders on the command line."""
    if config.option.pyargs or config.args_source is not pytest.Config.ArgsSource.ARGS:
        return []
    return [argument.partition("::")[0] for argument in config.args]


@pytest.fixture(params=TIERS)
def tier(request):
    """Return each tier that holds on this machine."""
    from ladder.errors import LadderError
    from ladder.process.tiers import choose

    try:
        choose(request.param)
    except LadderError as error:
        pytest.skip(str(error))
    return str(request.param)


@pytest.fixture(scope="session")
def played(tmp_path_factory):
    """Return a home with a played run, for tests that only read."""
    from support.command_line import unpack_played

    return unpack_played(tmp_path_factory.mktemp("played") / "home")


@pytest.fixture
def threads(request):
    """Let bots in Python play in threads of this process, but in tests that are marked to start programs."""
    from support.bot_threads import in_threads

    with nullcontext() if is_marked(request.node) else in_threads():
        yield


@pytest.fixture(scope="module")
def browser():
    """Run Chromium for the tests of one file: see support.browser."""
    from support.browser import run_browser

    with run_browser() as running:
        yield running


@pytest.fixture(
    scope="module",
    params=["dejavu", *(pytest.param(name, marks=pytest.mark.slow) for name in ("liberation", "noto"))],
)
def family(request):
    """Return each family of fonts that is installed: see support.fonts."""
    from support.fonts import files_of

    files_of(request.param)
    return str(request.param)


@pytest.fixture(scope="module")
def browser_of_family(family, tmp_path_factory):
    """Run Chromium with one family of fonts alone, for the tests of one file."""
    from support.browser import run_browser
    from support.fonts import only

    with run_browser(only(family, tmp_path_factory.mktemp("fonts"))) as running:
        yield running


@pytest.fixture(scope="session")
def axe():
    """Return the program of axe-core: see support.browser.find_violations."""
    from support.page_checkers import axe_program

    return axe_program()
