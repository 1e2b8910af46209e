"""Let bots try games that were not tried when they were submitted, before a run has them play these.

A home often plays one game of several, and a bot is tried at what its home plays.  What it was not tried at
may still be asked of it later: then it plays against itself first, as at its submission.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from ladder.admission.batch import telling, trial_pool
from ladder.admission.self_play import play_itself
from ladder.errors import TooBusy, whose
from ladder.home.home import Home
from ladder.machine.pool import Pool, Tell
from ladder.registry.version import Untried, Version, say_place, say_untried
from ladder.worker.check_progress import CheckProgress


class _Answer(NamedTuple):
    """What came of a trial."""

    failed: dict[str, str]
    """By game or table size, the fault of the bot, in one line."""
    busy: str = ""
    """Why the machine could not judge it; empty if it could."""


def try_games(
    home: Home, wanted: Sequence[Untried], jobs: int, say: Callable[[str], object], *, exact: bool = False
) -> list[Version]:
    """Let each bot of *wanted* play its games against itself; return them as they are now.

    For *jobs* and *exact* see trial_pool.

    A game in which a bot fails, or a table size of it, is one that it does not play from now on; *say* is
    told so.  What the machine delayed too much is tried once more, one at a time.  What was judged is stored
    at once.

    Raises TooBusy if a bot could not be judged then either.
    """
    if not wanted:
        return []
    say(f"before the run: trying {say_untried(wanted)} for the first time")
    found: list[Version] = []
    late = _try_all(home, wanted, trial_pool(home, jobs, exact=exact), found, say)
    again = [untried for untried, _ in late]
    for untried, reason in _try_all(home, again, trial_pool(home, 1, exact=True), found, say):
        raise TooBusy(reason, judged=f"{untried.version.bot} at {', '.join(untried.games)}")
    return found


def _try_all(
    home: Home, wanted: Sequence[Untried], trials: Pool, found: list[Version], say: Callable[[str], object]
) -> list[tuple[Untried, str]]:
    """Add what is known of *wanted* to *found*; return those that the machine delayed, and how."""
    waiting = list(wanted)
    late: list[tuple[Untried, str]] = []
    if not waiting:
        return late
    with trials as pool:
        for untried, answer in pool.as_done(
            partial(_try, home), lambda: waiting.pop(0) if waiting else None, lambda untried, text: None
        ):
            if isinstance(answer, Exception):
                if whose(answer) != "machine":
                    raise answer
                late.append((untried, str(answer)))
            elif answer.busy:
                late.append((untried, answer.busy))
            else:
                found.append(_store(home, untried, answer.failed, say))
    return late


def _try(home: Home, untried: Untried, tell: Tell) -> _Answer:
    """Let a version try its games, in a process of the pool."""
    version, games = untried
    progress = CheckProgress()
    try:
        with telling(progress, tell):
            failed = play_itself(home, version, games, progress)
    except TooBusy as error:
        return _Answer({}, error.reason)
    return _Answer({game: f"{fault.kind}: {fault.reason}".split("\n")[0] for game, fault in failed.items()})


def _store(home: Home, untried: Untried, failed: dict[str, str], say: Callable[[str], object]) -> Version:
    """Store which games the version was tried at, and which it does not play."""
    version, games = untried
    for place, fault in failed.items():
        say(f"{version.bot} is left out of {say_place(place)}, where it failed against itself: {fault}")
    return home.roster.rewrite(version.note_tried(games, failed))
