"""Duels for programs, and what an author tries after each change."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, assert_never

from ladder.admission.check import check
from ladder.admission.finding import Finding
from ladder.admission.submission import OpenSubmission, Submission
from ladder.admission.submit import keep_for_duel, submit
from ladder.api.asked import FIRST_OPPONENT, TryRequest
from ladder.errors import LadderError, UsageProblem
from ladder.home.experiments import Experiment, keep_experiment
from ladder.home.home import Home
from ladder.home.house_bots import expecting, pending
from ladder.registry.version import Version, check_note, now_in_utc
from ladder.run.duel_options import DuelRequest
from ladder.run.duel_request import TakePath, find_bot
from ladder.run.duel_session import AskedDuel
from ladder.run.match_options import known_game
from ladder.run.playing import Means, Played
from ladder.run.run_events import Ended, Event, OperatorNote, Planned, Progress, Tell
from ladder.run.session import Admission, play
from results.record import Json
from results.reports.duel_report import DUELS, as_json, duel_rows, verdict_of
from results.reports.render import table_of
from results.storage.schema import Table

EXIT_CODES: Mapping[str, int] = {
    **dict.fromkeys(("better", "no worse"), 0),
    **dict.fromkeys(("worse", "not better"), 5),
    **dict.fromkeys(("not apart", "undecided"), 6),
}
"""Of `ladder duel`, by the verdict."""


@dataclass(frozen=True)
class DuelAnswer:
    """What a duel has found."""

    name: str
    """What commands call it: d1."""
    verdict: str
    contests: Table
    """A row for each game and table size: wins of 100 with their interval, deals, and so on."""
    details: Mapping[str, Json]
    """All that `ladder duel --format json` has, with the counts of pairs of results."""

    @classmethod
    def of(cls, played: Played) -> "DuelAnswer":
        """Return the answer of a duel that was played."""
        run, name = played.run, str(played.store.folder.name_run(played.run.run))
        assert played.duel
        assert run.settings.duel
        results = played.duel.results()
        bots = dict(zip(("new", "old"), run.bots, strict=False))
        details: dict[str, Json] = {"duel": name, "home": str(played.home.path), **bots}
        details |= as_json(results, run.settings.duel)
        return cls(name, details["verdict"], table_of(duel_rows(name, run, results), DUELS), details)

    @property
    def exit_code(self) -> int:
        """That of `ladder duel`: 0, 5 or 6."""
        return EXIT_CODES[self.verdict]


# -- what is tried after a change


class Tried(NamedTuple):
    """A version that is ready to play, and the one it is tried against."""

    home: Home
    new: Version
    old: str
    games: tuple[str, ...]


def _first_failure(home: Home, opened: Submission, games: Sequence[str]) -> Finding:
    """Check a bot; return the first failure, or without one the last finding."""
    with closing(check(home, opened, games=games)) as findings:
        for finding in findings:
            if finding.verdict == "failure":
                break
    return finding


def prepare_change(
    home: Home,
    asked: TryRequest,
    find: Callable[[Home, Submission, Sequence[str]], Finding] = _first_failure,
    keep: Callable[[Home, OpenSubmission], Version] = submit,
) -> Tried:
    """Check the bot that is *asked* for and keep it as a version that no run picks up.  Raises LadderError.

    *find* returns the last finding of a check that ends at a failure; *keep* submits.
    """
    check_note(asked.message)
    path, games = Path(asked.bot), tuple(map(known_game, asked.game))
    if not path.exists():
        what = f"there is no file or folder {asked.bot!r}"
        raise UsageProblem(what, "ladder try PATH, with the file of the bot")
    with Submission(path, checks="none", aside=True).open(home, refuses=False) as opened:
        manifest = opened.manifest
        if asked.against:
            find_bot(expecting(home, pending(home)), asked.against, keep_for_duel)
        failed = find(home, opened, games)
        if failed.verdict == "failure":
            if not failed.not_the_bot:
                verdict = f"failed: {failed.check}"
                keep_experiment(
                    home, Experiment(now_in_utc(), manifest.name, None, None, verdict, asked.message)
                )
            first = "ladder doctor" if failed.not_the_bot else "correct the bot"
            raise LadderError(f"the check failed: {failed.check}", f"{first}, then: {type_again(path)}")
        new = keep(home, opened)
    return Tried(home, new, asked.against or _opponent(home, new, path), manifest.games or games)


def _opponent(home: Home, new: Version, path: Path) -> str:
    """Return the version of the bot that plays, else the last kept.  Raises UsageProblem if *new* is that."""
    own = [version for version in home.roster.versions() if version.bot == new.bot]
    if playing := [version for version in own if not version.retired]:
        if new.id == playing[-1].id:
            what = f"nothing has changed since {new.bot}@{playing[-1].number}, the version that plays here"
            raise UsageProblem(what, f"change the bot, or name another: {type_again(path)} --against BOT")
        return playing[-1].id
    others = sorted((version for version in own if version.id != new.id), key=lambda each: each.submitted)
    return others[-1].id if others else FIRST_OPPONENT


def type_again(path: Path) -> str:
    """Return the command that tries the bot at *path*."""
    return f"ladder try {shlex.quote(str(path))}"


class _Faulted(Exception):
    """The bot that is tried made a fault of this kind in its duel."""


class _FaultWatch:
    """Hands on the events of a duel, and ends it at the first fault of the new bot."""

    def __init__(self, tell: Tell) -> None:
        self.duel = ""
        """What commands call the duel."""
        self._tell = tell
        self._faults = 0

    def __call__(self, event: Event) -> None:
        """Take *event*.  Raises _Faulted."""
        self._tell(event)
        match event:
            case Planned(_, _, name):
                self.duel = str(name)
            case Progress(status, duel) if duel and status.faults.total() > self._faults:
                self._faults = status.faults.total()
                for each in duel.results():
                    for fault in each.faults[0]:
                        raise _Faulted(fault)
            case OperatorNote() | Progress() | Ended():
                pass
            case _:
                assert_never(event)


def play_change(
    tried: Tried, asked: TryRequest, means: Means, admission: Admission, take_path: TakePath, tell: Tell
) -> Played:
    """Play until it is sure which is better; list the try.  Raises LadderError for a fault of the new one."""

    def keep(verdict: str) -> None:
        old, when = home.roster.find(tried.old).id, now_in_utc()
        keep_experiment(home, Experiment(when, new.bot, new.id, old, verdict, asked.message, watch.duel))

    home, new, watch = tried.home, tried.new, _FaultWatch(tell)
    request = DuelRequest(new.id, tried.old, game=tried.games, games=asked.games)
    try:
        played = play(nullcontext(home), AskedDuel(request, take_path), means, admission, watch)
    except _Faulted as stopped:
        keep(f"fault: {stopped}")
        raise LadderError(
            f"{new.bot}@{new.number} made a fault, {stopped}: stopped at once",
            f"ladder faults --in {watch.duel}, which shows it; ladder replay {watch.duel}/last;"
            " then correct the bot",
        ) from None
    assert played.duel
    keep(str(verdict_of(played.duel.results())))
    return played
