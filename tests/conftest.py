"""What all tests share."""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from ladder.sandbox import TIERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser
    from support.command_line import PlayedHome


# Every program that a test starts would compile all it imports: a third of its time, where nothing is kept.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# What a shell starts in the background ignores Ctrl-C, and so would every program that a test starts.
for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, handler)

settings.register_profile("ladder", deadline=None)  # tests assert no times: the machine may be busy
settings.load_profile("ladder")


@pytest.fixture(params=TIERS)
def tier(request: pytest.FixtureRequest) -> str:
    """Return each tier that holds on this machine."""
    from ladder.errors import LadderError
    from ladder.process.tiers import choose_once

    try:
        choose_once(request.param)
    except LadderError as error:
        pytest.skip(str(error))
    return str(request.param)


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> PlayedHome:
    """Return a home with a played run, for tests that only read."""
    from support.command_line import play

    return play(tmp_path_factory.mktemp("played") / "home")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Run Chromium for the tests of one file: see support.browser."""
    from support.browser import run_browser

    with run_browser() as running:
        yield running


@pytest.fixture(scope="module", params=["dejavu", "liberation", "noto"])
def family(request: pytest.FixtureRequest) -> str:
    """Return each family of fonts that is installed: see support.fonts."""
    from support.fonts import Missing, files_of

    try:
        files_of(request.param)
    except Missing as missing:
        pytest.skip(str(missing))
    return str(request.param)


@pytest.fixture(scope="module")
def browser_of_family(family: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Run Chromium with one family of fonts alone, for the tests of one file."""
    from support.browser import run_browser
    from support.fonts import only

    with run_browser(only(family, tmp_path_factory.mktemp("fonts"))) as running:
        yield running


@pytest.fixture(scope="session")
def axe() -> str:
    """Return the program of axe-core: see support.browser.find_violations."""
    from support.page_checkers import axe_program

    return axe_program()
