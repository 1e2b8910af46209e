"""Functions that are carried into worker processes."""

import pickle

import pytest

from ladder.errors import LadderError
from ladder.process.carried import carry, load_seats


def bot(act):
    return act.choice.options[0]


@pytest.mark.parametrize("has_cloudpickle", [None, True])
def test_functions_arrive_by_the_ids_of_their_versions(monkeypatch, has_cloudpickle):
    if not has_cloudpickle:
        monkeypatch.setattr("ladder.process.carried.find_spec", lambda name: None)
    assert ["bot-1"] == [*load_seats(carry({"bot-1": bot}))]
    assert {} == load_seats(b"")


def test_what_a_worker_cannot_load_is_told_with_what_to_type():
    gone = pickle.dumps({"bot-1": bot}).replace(b"test_carried", b"test_nowhere")
    with pytest.raises(LadderError, match="a worker process cannot load the functions: Module") as refused:
        load_seats(gone)
    assert refused.value.hint.startswith("jobs=1")
