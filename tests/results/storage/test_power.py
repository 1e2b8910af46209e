"""The power goes after every call of the disk: nothing that was committed is lost, and the run goes on.

Rows F3 and F4 of the table of faults in test_kills.py.
"""

import shutil
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from itertools import count
from random import Random
from typing import TypeAlias

import pytest
from support.disks import NoSyncDisk
from support.power import PowerDisk, Site, State, contents, lay_out
from support.store_life import BLOCKS, Fact, facts, play

from results.errors import DamagedResults
from results.storage.store import Store

pytestmark = pytest.mark.slow

SAMPLES = 8
"""Of what a power cut may leave at one moment, besides the least and the most."""

SITES = [
    Site("_hold", "sync_dir", "."),
    Site("clear", "sync_dir", "results"),
    Site("clear", "sync_dir", "results/manifest"),
    Site("commit", "fsync", "results/journal"),
    *(
        Site(function, call, f"results{folder}")
        for function, call in (("write_aside", "fsync"), ("replace_file", "sync_dir"))
        for folder in ("", "/journal", "/manifest", "/matches", "/faults")
    ),
]
"""All places that make something safe, but for the cache of the ratings."""


class Killed(BaseException):
    """The end of a process."""


class Machine:
    """A folder on a disk whose power may go at any call, and what its processes believe to be safe."""

    def __init__(self, folder, without=None, safe=()):
        folder.mkdir(exist_ok=True)
        self.disk = PowerDisk(folder, without=without)
        self.store = Store(folder / "results", self.disk)
        self.safe = set(safe)
        self.found: dict[tuple[State, frozenset[Fact]], None] = {}
        self.calls = 0
        self._rng = Random(5)

    def cut(self, samples=SAMPLES):
        """Note what is left if the power goes now."""
        safe = frozenset(self.safe)
        self.found.update(dict.fromkeys((state, safe) for state in self.disk.cuts(self._rng, samples)))

    def cut_at_every_call(self, samples=SAMPLES):
        def watch():
            self.calls += 1
            self.cut(samples)

        self.disk.watch = watch

    def kill_at(self, call):
        left = iter(range(call))

        def watch():
            if next(left, None) is None:
                raise Killed

        self.disk.watch = watch


def moments(folder, without=None):
    """Yield what a power cut may leave, after every call of the disk, and what was believed to be safe then.

    First two processes play, of which one is killed with blocks that it did not commit. Then a process is
    killed at every call, another does no more than open the results, and the power goes.
    """
    folder.mkdir()
    machine = Machine(folder / "played", without)
    machine.cut_at_every_call()
    play(machine.store, machine.safe, blocks=3)
    play(machine.store, machine.safe)
    machine.cut()
    yield from machine.found
    for call in range(machine.calls):
        killed = Machine(folder / "killed", without)
        killed.kill_at(call)
        with suppress(Killed):
            play(killed.store, killed.safe)
        killed.cut_at_every_call(samples=0)
        with killed.store.lock():
            killed.safe |= facts(killed.store)
        killed.cut(samples=2)
        yield from killed.found
        shutil.rmtree(folder / "killed")


Check: TypeAlias = Callable[[State, frozenset[Fact]], State]


@pytest.fixture(scope="module")
def check(tmp_path_factory):
    """Return a function that opens what a cut has left, and asserts that all is there that was safe.

    It returns what lies on the disk then.
    """
    folder, names = tmp_path_factory.mktemp("cuts"), map(str, count())

    @cache
    def opened(state, safe):
        place = lay_out(state, folder / next(names))
        store = Store(place / "results", NoSyncDisk())
        with store.lock():
            found = facts(store)
        left = contents(place)
        shutil.rmtree(place)
        assert safe <= found
        return left

    return opened


def test_a_power_cut_at_any_moment_loses_nothing_that_was_committed_and_the_run_goes_on(tmp_path, check):
    """F3."""
    undisturbed = Store(tmp_path / "undisturbed", NoSyncDisk())
    play(undisturbed, set())
    matches, faults = undisturbed.matches(), undisturbed.contents().faults()
    left = {check(*moment): moment for moment in moments(tmp_path / "moments")}
    for number, (state, (_, safe)) in enumerate(left.items()):
        store = Store(lay_out(state, tmp_path / str(number)) / "results", NoSyncDisk())
        play(store, set())
        assert matches.equals(store.matches()), safe
        assert faults.equals(store.contents().faults())
        assert [BLOCKS, None] == [run.blocks for run in store.runs()]
    assert len(left) > 30


def test_a_second_power_cut_while_the_results_are_recovered_from_the_first_loses_nothing_either(
    tmp_path, check
):
    """F3."""
    machine = Machine(tmp_path / "first")
    machine.cut_at_every_call(samples=4)
    play(machine.store, machine.safe)
    for state, safe in list(machine.found)[::12]:
        second = Machine(lay_out(state, tmp_path / "second"), safe=safe)
        second.cut_at_every_call(samples=1)
        with second.store.lock():
            second.safe |= facts(second.store)
        second.cut()
        for moment in second.found:
            check(*moment)
        shutil.rmtree(tmp_path / "second")


def test_every_place_that_makes_something_safe_is_known(tmp_path):
    """F4: the next test takes away one after the other."""
    machine = Machine(tmp_path / "home")
    play(machine.store, machine.safe)
    assert set(SITES) == machine.disk.sites


@pytest.mark.parametrize("site", SITES, ids=" ".join)
def test_without_any_one_of_them_a_power_cut_does_harm(tmp_path, check, site):
    """F4: the model of the disk finds a missing fsync, so that the tests above mean something."""
    with pytest.raises((AssertionError, DamagedResults)):
        deque((check(*moment) for moment in moments(tmp_path / "moments", without=site)), maxlen=0)
