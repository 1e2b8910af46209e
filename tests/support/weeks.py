"""What happens in a week of a ladder, for tests that let one pass: how much, and how fast."""

import os
import time
from typing import NamedTuple

from ladder.home.home import Home, open_home
from results.storage.store import Store

HOSTILE = {
    "never ready": "import time\ntime.sleep(3600)\n",
    "ends at once": "raise SystemExit(1)\n",
    "floods": "while True: print('x' * 60000, flush=True)\n",
    "eats memory": "x = []\nwhile True: x.append(bytearray(2**24))\n",
    "forks": "import os\nwhile True: os.fork()\n",
    "spins": "while True: pass\n",
}
"""Programs that are refused."""
SETTINGS = '[run]\ngames = ["stellar"]\nwait = true\n[limits]\nstart_ms = 3000\n'


class Week(NamedTuple):
    """How much happens in how long."""

    people: int
    submissions: int
    hostile: int
    seconds: float
    link: str

    def text_of(self, number: int, good: str) -> str:
        """Return the program of submission *number*: a hostile one now and then, else a version of *good*."""
        kinds = list(HOSTILE.values())
        return kinds[number % len(kinds)] if self.is_hostile(number) else f"{good}# {number}\n"

    def is_hostile(self, number: int) -> bool:
        """Return whether submission *number* is one."""
        return number % (self.submissions // self.hostile) == 1


def week() -> Week:
    """Return a sample, or what LADDER_WEEK asks for."""
    wanted = os.environ.get("LADDER_WEEK")
    if not wanted:
        return Week(3, 7, 2, 10.0, "3s")
    seconds, link = (7200.0, "5m") if wanted == "full" else (float(wanted), "1m")
    return Week(60, 300, 30, seconds, link)


def wait_for_newest(home: Home, deadline: float) -> None:
    """Wait until all bots that are accepted play in a run."""
    wanted = {(version.bot, version.version) for version in open_home(home.path).roster.active()}
    while not wanted <= {bot for run in Store(home.results).contents().runs for bot in run.bot_keys}:
        assert time.monotonic() < deadline
        time.sleep(1)
