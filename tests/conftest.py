"""What all tests share."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from ladder.sandbox import TIERS

if TYPE_CHECKING:
    from support.command_line import PlayedHome


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
    from ladder.process.tiers import chosen

    try:
        chosen(request.param)
    except LadderError as error:
        pytest.skip(str(error))
    return str(request.param)


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> PlayedHome:
    """Return a home with a played run, for tests that only read."""
    from support.command_line import play

    return play(tmp_path_factory.mktemp("played") / "home")
