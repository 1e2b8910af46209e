"""A ladder that never ends: a chain of ordinary runs, its links, which one process plays one after another.

A link is a run as any other: it has a secret and a list of bots of its own, and is stored, continued and
verified in the same way.  It is planned from where the runs before it stand, so bots that have played need
no round robin; newcomers get their minimum of matches first.  Its number of matches is fixed when it begins,
from the speed of the run before it, and stored with it (link_plan.py).

Between two links the home is free for a moment, so that commands that wait can change it.
"""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import NoReturn

from ladder.errors import RunStopped, TooBusy
from ladder.home.home import Home
from ladder.home.house_bots import pending
from ladder.run.playing import Means, Played
from ladder.run.request import AskedRun
from ladder.run.run_events import Event, OperatorNote, Progress, Tell
from ladder.run.run_options import LINK_SECONDS, LONGEST_LINK, RunRequest
from ladder.run.session import Admission, play
from ladder.run.signals import leaving
from results.storage.locking import wait_for_locks

OVERHEAD = 0.2
"""The part of a link in which ratings and pages are made, at most, where links of an hour allow that."""
FREE_SECONDS = 1.0
"""How long the home is free between two links: who waits looks five times a second."""
BUSY_SECONDS = 60.0
"""How long the chain rests where the machine is too busy to judge bots."""
LOOK_SECONDS = 5.0
"""How often it looks for bots while there are too few."""


def play_chain(
    opening: Callable[[], AbstractContextManager[Home]],
    request: RunRequest,
    means: Means,
    admission: Admission,
    tell: Tell,
    after: Callable[[Played], object],
) -> NoReturn:
    """Play links in the home that *opening* yields until a signal ends it; *after* is called after each.

    An unfinished link is continued.  For the rest see session.play: it raises RunStopped at Ctrl-C.
    """
    asked, heard = request.forever or LINK_SECONDS, LastMatch(_telling_once(tell))
    tell = heard.hear
    with leaving():
        while True:
            _await_bots(opening, tell)
            try:
                played = play(opening(), AskedRun(request), means, admission, tell)
            except TooBusy as busy:
                tell(OperatorNote(f"{busy}; the ladder goes on in {BUSY_SECONDS:.0f} s", busy.hint))
                time.sleep(BUSY_SECONDS)
                continue
            if played.run.finished:
                after(played)
            if played.stop_code:
                what = f"stopped: run {played.run.run} has ended"
                raise RunStopped(what, "run the same command again", played.stop_code)
            link = min(max(asked, heard.seconds_since() / OVERHEAD), LONGEST_LINK)
            request = replace(request, forever=link, new=False)
            time.sleep(FREE_SECONDS)
            wait_for_locks(lambda locked: tell(OperatorNote(f"{locked}; waiting until it is done")))


def _telling_once(tell: Tell) -> Tell:
    """Return a function that tells the same as *tell*, but each note only once in the whole chain."""
    told: set[str] = set()

    def tell_once(event: Event) -> None:
        if isinstance(event, OperatorNote):
            if event.text in told:
                return
            told.add(event.text)
        tell(event)

    return tell_once


class LastMatch:
    """Passes events on, and remembers when the last match was heard of: ratings and pages come after it.

    It asks the clock that nobody sets: when the time of the day jumps, links keep their length.
    """

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._done = -1
        self._since = time.monotonic()

    def hear(self, event: Event) -> None:
        """Pass *event* on."""
        if isinstance(event, Progress) and event.status.done != self._done:
            self._done, self._since = event.status.done, time.monotonic()
        self._tell(event)

    def seconds_since(self) -> float:
        """Return the time since then."""
        return time.monotonic() - self._since


def _await_bots(opening: Callable[[], AbstractContextManager[Home]], tell: Tell) -> None:
    """Wait until there are two bots."""
    is_told = False
    while True:
        with opening() as home:
            if len(home.roster.active()) + len(pending(home)) >= 2:
                return
        if not is_told:
            tell(OperatorNote("waiting for bots: a match needs two", "ladder submit PATH"))
            is_told = True
        time.sleep(LOOK_SECONDS)
