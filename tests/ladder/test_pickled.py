"""What goes over a pool, a pipe or a cluster by pickle comes out as it went in, in both builds.

The places and the classes are found in the sources, and an example of each class is made from its
annotations: a new class is tested without a word here.  `.ci/compiled` runs this file once more.
"""

import copy
import pickle
from importlib.util import find_spec

import pytest
from support.pickled import classes_on, example, importers, roads, same, writers

from ladder.contest.keys import Keys

WITHOUT = {
    "ladder.admission.errands": "what it hands over comes from ladder.admission.inbox",
    "ladder.admission.entry_look": "it asks whether this is a process of a pool",
    "ladder.run.executors.cluster_worker": "it is the other end of ladder.run.executors.cluster",
    "ladder.run.executors.scheduler": "work for what it reaches comes from ladder.run.executors.cluster",
    "ladder.run.executors.slurm_jobs": "as ladder.run.executors.scheduler",
    "ladder.run.executors.tls_files": "it makes the certificates of a cluster",
    "ladder.machine.interrupts": "what it holds off interrupts from is started by others",
    "ladder.worker.main": "it waits for its parent",
}
"""Modules that import what starts processes, and hand nothing over."""


@pytest.fixture(scope="module")
def found():
    """Return all places at which work is handed over."""
    return [*roads()]


@pytest.fixture(scope="module")
def classes(found):
    """Return the classes that go there; without Dask, those of other roads than that to a cluster."""
    usable = [road for road in found if find_spec("dask") or road.module != "ladder.run.executors.cluster"]
    return {kind for road in usable for kind in classes_on(road)}


def test_every_place_that_hands_work_to_another_process_is_found(found):
    assert importers() == {road.module for road in found} | WITHOUT.keys()
    assert {"submit_one", "replay_matches", "match_page", "_prepare", "play", "work"} < {
        road.work for road in found
    }


def test_what_is_written_to_a_pipe_is_bytes_except_in_a_pool_and_a_self_test():
    assert {"ladder.machine.pool", "ladder.process.tiers"} == writers()


def test_the_classes_are_found_through_all_that_they_are_made_of(classes):
    names = {kind.__name__ for kind in classes}
    assert {"Replayer", "Keys", "Run", "RunSettings", "Match", "Home", "Prepared"} < names
    assert "ChunkReport" in names or not find_spec("dask")


def test_objects_of_all_classes_come_out_as_they_went_in(classes):
    for kind in classes:
        made = example(kind)
        for again in (pickle.loads(pickle.dumps(made)), copy.deepcopy(made)):
            assert same(made, again), kind


def test_keys_that_come_out_name_and_deal_as_before():
    keys = Keys(b"1" * 16)
    again = pickle.loads(pickle.dumps(keys))
    assert (keys.deal(3), keys.name(1, 0)) == (again.deal(3), again.name(1, 0))
