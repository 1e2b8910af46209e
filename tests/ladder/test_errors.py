"""Whose a failure is: one table, which sorts every exception, also one that nobody has foreseen."""

import errno

import pytest
from support import records

from engines.games import GameNotLoaded
from ladder.admission.submit import FailedMatch
from ladder.errors import (
    LadderError,
    NotFound,
    RefusedBot,
    Told,
    TooBusy,
    UsageProblem,
    of_the_bot,
    tell,
    whose,
)
from ladder.process.spawn import SpawnerEnded
from ladder.sandbox import CannotConfine
from protocol.faults import ABSENT, LOST, NO_SERVER, NO_SERVICE
from results.errors import DiskFailed, HomeLocked, NoSuchMatch


class BadWhose(Exception):
    """An exception in the sorting itself."""

    @property
    def whose(self):
        raise ZeroDivisionError


class OddWhose(Exception):
    whose = "nobody"


@pytest.mark.parametrize(
    ("wanted", "error"),
    [
        ("bot", RefusedBot("its name is taken", "use another")),
        ("bot", FailedMatch("rat", "stella", records.a_fault(), "advice", "again")),
        ("bot", Told("told by a process", "", "bot", 2)),
        ("caller", UsageProblem("--games 0")),
        ("caller", NotFound("no bot")),
        ("caller", NoSuchMatch("1/2")),
        ("machine", TooBusy("late")),
        ("machine", LadderError("no room")),
        ("machine", CannotConfine("slow")),
        ("machine", SpawnerEnded("killed")),
        ("machine", MemoryError()),
        ("machine", OSError(errno.ENOSPC, "full")),
        ("machine", PermissionError("no")),
        ("machine", RuntimeError("can't start new thread")),
        ("machine", DiskFailed.__new__(DiskFailed)),
        ("game", GameNotLoaded("broken", "pip uninstall it")),
        ("ladder", KeyError("x")),
        ("ladder", RuntimeError("odd")),
        ("ladder", RecursionError()),
        ("ladder", BadWhose()),
        ("ladder", OddWhose()),
    ],
)
def test_every_failure_is_sorted(wanted, error):
    assert wanted == whose(error)


@pytest.mark.parametrize("why", [NO_SERVICE, ABSENT, LOST, f"mine@1: {NO_SERVER}, in block 3"])
def test_what_the_connection_failed_is_not_called_a_busy_machine(why):
    error = TooBusy(why, judged="mine@1")
    assert f"mine@1 is not judged: {why}" == str(error)
    assert error.hint.startswith("type the same command when")


def test_a_lock_is_the_callers_and_tells_what_to_do(tmp_path):
    error = HomeLocked(tmp_path / "lock", 7)
    assert "caller" == whose(error)
    assert tell(error) == (str(error), error.hint)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (MemoryError(), "memory"),
        (RuntimeError("can't start new thread"), "ulimit -u"),
        (BlockingIOError(errno.EAGAIN, "no thread"), "ulimit -v"),
        (OSError(errno.EDQUOT, "quota"), "make room"),
        (OSError(errno.EACCES, "no"), "check the file"),
    ],
)
def test_what_the_machine_lacks_is_told_with_what_to_do(error, words):
    told = tell(error)
    assert told
    assert words in "; ".join(told)


def test_what_is_unforeseen_has_no_words():
    assert tell(KeyError("x")) is None


def test_at_a_door_only_errors_of_the_bots_files_become_its_own(tmp_path):
    def through_door(error):
        with pytest.raises((LadderError, OSError, KeyError)) as raised, of_the_bot(tmp_path):
            raise error
        return raised.value

    usage = through_door(UsageProblem("no manifest", "write one"))
    assert (RefusedBot, 2, "no manifest", "write one") == (
        type(usage),
        usage.exit_code,
        usage.why,
        usage.advice,
    )
    mine = through_door(PermissionError(errno.EACCES, "Permission denied", str(tmp_path / "a")))
    assert ("bot", 1) == (whose(mine), mine.exit_code)
    for error in (
        PermissionError(errno.EACCES, "Permission denied", str(tmp_path.parent)),
        OSError(errno.ENOSPC, "full", str(tmp_path / "a")),
        PermissionError(errno.EACCES, "Permission denied", 7),
        TooBusy("late"),
        KeyError("x"),
    ):
        assert through_door(error) is error
    refused = RefusedBot("its name is taken", "--replace", why="taken", advice="another")
    assert through_door(refused) is refused
