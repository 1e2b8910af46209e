"""Errands of an inbox: one of each kind at a time, in turn, and tried again where the machine has failed."""

from typing import ClassVar

import pytest

from ladder.admission import errands
from ladder.admission.errands import Errand, Errands
from ladder.errors import NotFound, TooBusy


class Slow:
    """Stands for Aside: it has the answer that the test gives."""

    begun: ClassVar[list["Slow"]] = []

    def __init__(self, work, task, *, starts_others):
        self.task, self.result, self.is_over = task, None, False
        Slow.begun.append(self)

    def answer(self):
        if isinstance(self.result, Exception):
            raise self.result
        return self.result

    def end(self):
        self.is_over = True


@pytest.fixture
def slow(monkeypatch):
    monkeypatch.setattr(Slow, "begun", [])
    monkeypatch.setattr(errands, "Aside", Slow)
    return Slow.begun


def of(kind, task, ended):
    return Errand(kind, print, task, lambda result: ended.append((task, result)))


def test_one_of_each_kind_goes_on_at_a_time_in_the_order_in_which_they_came(slow):
    said, ended = [], []
    work = Errands(said.append)
    work.waiting |= {key: of(kind, key, ended) for key, kind in (("a", "duel"), ("b", "duel"), ("c", "home"))}
    for _ in range(2):
        work.go_on()
        assert ["a", "c"] == [each.task for each in slow]
    slow[0].result = []
    work.go_on()
    assert [("a", [])] == ended, "an empty answer is one"
    assert slow[0].is_over
    assert ["a", "c", "b"] == [each.task for each in slow]
    work.drop("b")
    assert slow[2].is_over
    assert {"c"} == work.waiting.keys()


def test_who_asked_wrongly_is_told_and_what_the_machine_failed_is_tried_again(slow, monkeypatch):
    said, ended = [], []
    work = Errands(said.append)
    work.waiting |= {"a": of("duel", "a", ended), "b": of("duel", "b", ended)}
    work.go_on()
    slow[0].result = busy = TooBusy("a start took 40 s")
    work.go_on()
    assert ([busy], []) == (said, ended)
    assert ["a", "b"] == [each.task for each in slow], "the next one has its turn meanwhile"
    assert not work.is_due("a")
    slow[1].result = wrong = NotFound("there is no bot")
    work.go_on()
    assert [("b", wrong)] == ended
    monkeypatch.setattr(errands, "PAUSE_SECONDS", 0.0)
    work._again.clear()
    work.go_on()
    assert ["a", "b", "a"] == [each.task for each in slow]
