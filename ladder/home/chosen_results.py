"""The results of a home that the name of a run, a duel or a tournament means."""

from typing import NamedTuple

from ladder.errors import NotFound
from ladder.home.home import Home
from results.storage.contents import Contents
from results.storage.store import Store
from results.storage.unrated import named_store


class ChosenResults(NamedTuple):
    """The results that --in names."""

    store: Store
    contents: Contents
    run: int | None
    """The run among them; None: all are meant."""

    @property
    def unrated(self) -> str | None:
        """The name of a store of its own, whose matches do not count."""
        return self.contents.folder.unrated_name or None


def results_in(home: Home, name: str | None, *, hidden: bool = False) -> ChosenResults:
    """Return the results *name* means, or all that count.  Raises NotFound, NoSuchUnrated, SecretMatches."""
    store, run = (
        (Store(home.results), None) if name is None else named_store(home.results, name, hidden=hidden)
    )
    contents = store.contents()
    if run is not None and not 0 < run <= (last := len(contents.runs)):
        others = "or ladder duel, which lists all else"
        raise NotFound(
            f"there is no run {run}", f"a run from 1 to {last}; {others}" if last else "ladder run"
        )
    return ChosenResults(store, contents, run)
