"""Which tier a run takes, and what is said of those that it does not take."""

import itertools
import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from ladder.dev import doctor
from ladder.errors import LadderError, TooBusy, UsageProblem
from ladder.process import tiers


@pytest.fixture(autouse=True)
def forget():
    """Forget what was found of tiers before each test, and after it what it has made up."""
    tiers.examine_tier.cache_clear()
    yield
    tiers.examine_tier.cache_clear()


def failing(*broken):
    def attempts(tier):
        return [tiers.Weakness("start", tier not in broken, "no such luck" if tier in broken else "ok")]

    return attempts


@pytest.mark.parametrize(
    ("expected", "broken"), [("bwrap", ()), ("landlock", ("bwrap",)), ("none", ("bwrap", "landlock"))]
)
def test_auto_takes_the_first_tier_that_holds(expected, broken, monkeypatch):
    monkeypatch.setattr(tiers, "_attempts", failing(*broken))
    choice = tiers.choose("auto")
    assert expected == choice.tier
    passed_over = "the sandbox is landlock, because a stronger one fails here: bwrap: no such luck"
    said = {"bwrap": "", "landlock": passed_over, "none": tiers.WARNING}
    assert said[expected] == choice.warning[: len(tiers.WARNING)].rstrip()


def test_doctor_says_which_tier_a_run_takes_and_why_not_a_stronger_one(monkeypatch):
    monkeypatch.setattr(tiers, "_attempts", failing("bwrap"))
    monkeypatch.setattr(doctor, "try_tier", failing("bwrap"))
    found = {row.what: row.found for row in doctor.examine()}
    assert "a run uses the tier landlock; " == found["sandbox"][:30]
    assert "a stronger one fails here: bwrap: no such luck" in found["sandbox"]
    assert "under every tier by the time that things take" in found["signs"]


def late(times):
    """Return what finds that bwrap holds, after it was too late so often."""
    left = [TooBusy("bubblewrap has not made a sandbox in 10 s")] * times

    def attempts(tier):
        if left:
            raise left.pop()
        return failing("landlock")(tier)

    return attempts


def test_what_takes_too_long_is_no_weakness_and_is_tried_three_times(monkeypatch):
    pauses: list[float] = []
    monkeypatch.setattr(time, "sleep", pauses.append)
    monkeypatch.setattr(tiers, "_attempts", late(2))
    assert ("bwrap", "") == tiers.choose("auto")[:2]
    assert pauses == sorted(pauses)
    assert 3 == len(pauses)


@pytest.mark.parametrize("wanted", ["auto", "bwrap"])
def test_a_tier_that_time_was_lacking_for_is_not_passed_over_and_is_asked_again(wanted, monkeypatch):
    monkeypatch.setattr(time, "sleep", lambda _: None)
    monkeypatch.setattr(tiers, "_attempts", late(3))
    with pytest.raises(TooBusy, match="bubblewrap has not made a sandbox in 10 s"):
        tiers.choose(wanted)
    assert "bwrap" == tiers.choose(wanted).tier  # what was not seen is not kept


def test_doctor_says_that_it_was_too_busy_to_see(monkeypatch):
    monkeypatch.setattr(time, "sleep", lambda _: None)
    monkeypatch.setattr(tiers, "_attempts", late(3))
    monkeypatch.setattr(tiers, "_check_outliving", lambda tier: tiers.Weakness(tiers.OUTLIVING, True, "ok"))
    found = {row.what: row for row in doctor.examine()}
    assert "too busy to see: bubblewrap has not made a sandbox in 10 s" == found["tier bwrap"].found
    assert (False, "too busy to see which tier a run would use") == found["sandbox"][1:]


@pytest.mark.process
def test_a_runner_of_the_self_test_that_dies_at_once_shows_nothing(monkeypatch):
    monkeypatch.setattr(tiers, "_run_a_bot", max)
    with pytest.raises(TooBusy, match="could not start a bot"):
        tiers._check_outliving("none")


def test_what_no_busy_machine_spoils_is_not_tried_again(monkeypatch):
    read = tiers.Weakness(tiers.AGAINST["files"], False, "a bot read /etc/shadow")
    found = {"bwrap": [[read]], "landlock": [[read._replace(protected=True)]]}
    monkeypatch.setattr(tiers, "_attempts", lambda tier: found[tier].pop())
    choice = tiers.choose("auto")
    assert "landlock" == choice.tier
    assert "bwrap: a bot read /etc/shadow" in choice.warning


@pytest.mark.parametrize(("expected", "looks"), [(0, 3), (1, 10**9)])
def test_a_process_that_dies_slowly_is_waited_for(expected, looks, monkeypatch):
    monkeypatch.setattr(tiers, "PATIENCE", 0.2)
    answers = itertools.chain(itertools.repeat(True, looks), itertools.repeat(False))
    monkeypatch.setattr(tiers, "is_alive", lambda _: next(answers))
    assert expected == tiers._count_left([os.getpid()])


def test_a_tier_under_which_python_bots_lack_something_is_taken_with_a_warning(monkeypatch):
    lacking = [tiers.Weakness(tiers.IMPORTS, False, "a bot cannot import engines")]
    monkeypatch.setattr(tiers, "_attempts", lambda _: lacking)
    assert ("bwrap", "under bwrap a bot cannot import engines") == tiers.choose("auto")[:2]


def test_a_tier_that_does_not_hold_is_refused_with_what_to_do(monkeypatch):
    monkeypatch.setattr(tiers, "_attempts", failing("bwrap", "landlock"))
    with pytest.raises(LadderError, match=r"bots cannot be confined here \(bwrap: no such luck\)") as caught:
        tiers.choose("bwrap")
    assert tiers.HINT in caught.value.hint
    with pytest.raises(LadderError, match="landlock: no such luck"):
        tiers.choose("auto").require()


@pytest.mark.parametrize("installed", [False, True])
def test_bubblewrap_that_is_there_and_fails_need_not_be_installed(installed, tmp_path, monkeypatch):
    if installed:
        (tmp_path / "bwrap").write_text("#!/bin/sh\n")
        (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setattr(tiers, "PLACES", str(tmp_path))
    monkeypatch.setattr(tiers, "_attempts", failing("bwrap", "landlock"))
    warning = tiers.choose("auto").warning
    assert "(bwrap: no such luck; landlock: no such luck)" in warning
    assert installed == ("install bubblewrap" not in warning)


def test_none_is_taken_at_its_word_with_a_warning():
    choice = tiers.choose("none")
    assert "none" == choice.tier
    assert "bots are not confined" in choice.warning
    with pytest.raises(UsageProblem):
        choice.require()


def test_an_unknown_tier_gets_a_suggestion():
    with pytest.raises(UsageProblem, match=r"no sandbox tier 'bwarp' \(did you mean 'bwrap'\?\)"):
        tiers.choose("bwarp")


@pytest.mark.process
def test_a_tier_is_tried_in_any_thread():
    with ThreadPoolExecutor(1) as pool:
        found = {weakness.what: weakness for weakness in pool.submit(tiers.examine_tier, "none").result()}
    assert "saw the runner" in found[tiers.AGAINST["processes"]].detail


@pytest.mark.process
@pytest.mark.parametrize("hit", [False, True])
def test_what_stands_for_the_runner_hears_a_signal(hit):
    with tiers._Target() as target:
        if hit:
            os.kill(target.pid, signal.SIGURG)
    assert hit == target.was_hit
