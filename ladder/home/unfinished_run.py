"""The unfinished runs of a home: what they are called, and how they go on without one of their bots."""

from __future__ import annotations

from typing import NamedTuple

from ladder.home.home import Home
from results.record import Run
from results.storage.store import Store
from results.storage.unrated import unrated_stores


class UnfinishedRun(NamedTuple):
    """A run that is not over: rated or not, a duel or a tournament."""

    store: str
    """The name of its unrated store, such as d1; empty if it is rated."""
    run: Run

    @property
    def called(self) -> str:
        """What people call it: run 3, d1, tournament spring."""
        if terms := self.run.settings.tournament:
            return f"tournament {terms.name}"
        return self.store or f"run {self.run.run}"

    def without(self, bot: str) -> str:
        """Return what to type to go on without *bot*, a name with a hash."""
        settings = self.run.settings
        if settings.tournament:
            return f"ladder tournament run {settings.tournament.name} --without {bot}"
        if settings.duel:
            return "begin another duel"
        return f"ladder run {'--unrated ' if self.store else ''}--resume --without {bot}"


def find_unfinished(home: Home) -> list[UnfinishedRun]:
    """Return the unfinished runs of *home*, secret tournaments among them, the rated one first."""
    stores = {"": Store(home.results)} | unrated_stores(home.results, hidden=True)
    found = ((name, store.unfinished_run()) for name, store in stores.items())
    return [UnfinishedRun(name, run) for name, run in found if run]
