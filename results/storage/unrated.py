"""Results that do not count: a store of its own for each duel and each run that is not rated.

    results/unrated/d1, d2, ...    each laid out as results/ itself

They have locks of their own, so they are written beside a run and never block one.  Each holds one run; its
matches are called d1/0, d1/1, and so on; those of a tournament have its name in place of d1 as well.

The matches of a secret tournament are shown when all of it is revealed (storage/revealed.py).  Until then its
store is found only by callers that ask for hidden ones as well: those that write, check or copy results, and
print none.
"""

import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from results.errors import NoSuchMatch, NoSuchUnrated, SecretMatches
from results.storage.contents import Contents
from results.storage.disk import Disk
from results.storage.layout import UNRATED
from results.storage.revealed import read_revealed
from results.storage.runs import read_runs
from results.storage.store import Store

_NAME = re.compile(r"d[1-9][0-9]{0,8}")
_TOLD = re.compile(r"[0-9a-f]{16}")
"""The name of a match that a bot is told."""


def unrated_stores(results: Path, *, hidden: bool = False) -> dict[str, Store]:
    """Return the unrated stores by name, oldest first, secret ones if *hidden*.  Raises DamagedResults."""
    folder = results / UNRATED
    names = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    numbers = sorted(int(name[1:]) for name in names if _NAME.fullmatch(name))
    stores = {f"d{number}": Store(folder / f"d{number}") for number in numbers}
    return {name: store for name, store in stores.items() if hidden or not _find_secret(store)}


def count_secret(results: Path) -> int:
    """Return how many matches are of secret tournaments.  Raises DamagedResults."""
    stores = unrated_stores(results, hidden=True).values()
    return sum(len(store.contents().matches(["number"])) for store in stores if _find_secret(store))


def unrated_store(results: Path, name: str, *, hidden: bool = False) -> Store:
    """Return the store called *name*, or that of the tournament called so; with *hidden*, also a secret one.

    Raises NoSuchUnrated, SecretMatches or DamagedResults.
    """
    stores = unrated_stores(results, hidden=True)
    store = stores.get(name) or next((each for each in stores.values() if _find_run(each, name)), None)
    if store is None:
        raise NoSuchUnrated(name, list(unrated_stores(results)))
    if not hidden and (tournament := _find_secret(store)):
        raise SecretMatches(tournament)
    return store


def named_store(results: Path, name: str, *, hidden: bool = False) -> tuple[Store, int | None]:
    """Return the store that has the run, duel or tournament *name*, and its run in a store of several.

    A run is called by its number, whether it is there or not.  Raises what unrated_store raises.
    """
    rated = Store(results)
    run = int(name) if name.isdecimal() else _find_run(rated, name)
    return (unrated_store(results, name, hidden=hidden), None) if run is None else (rated, run)


def _find_run(store: Store, tournament: str) -> int | None:
    """Return the number of the run in *store* that is the tournament of that name."""
    terms = [(run.run, run.settings.tournament) for run in store.runs()]
    return next((number for number, each in terms if each and each.name == tournament), None)


def _find_secret(store: Store) -> str:
    """Return the name of the tournament whose matches in *store* are hidden; empty if they are shown."""
    revealed = read_revealed(store.folder, read_runs(store.folder))
    return revealed.tournament if revealed and not revealed.whole else ""


def make_unrated(results: Path) -> Store:
    """Make a folder for one more store, and return the store.  Raises OSError."""
    folder = results / UNRATED
    folder.mkdir(parents=True, exist_ok=True)
    Disk().sync_dir(results)
    number = max((int(name[1:]) for name in unrated_stores(results, hidden=True)), default=0) + 1
    while True:
        path = folder / f"d{number}"
        try:
            path.mkdir()
        except FileExistsError:  # another process was faster
            number += 1
        else:
            return Store(path)


@contextmanager
def store_whole(results: Path) -> Iterator[Store]:
    """Yield a store to fill; afterwards it is there whole, with its name, or not at all.  Raises OSError."""
    folder = results / UNRATED
    folder.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix="new-", dir=folder))
    try:
        store = Store(aside)
        yield store
        named = make_unrated(results).folder
        Disk().rename(aside, named.root)  # the empty folder of that name is replaced
        store.folder = named
        Disk().sync_dir(folder)
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        raise


def contents_with(results: Path, match: str) -> tuple[Contents, str]:
    """Return the contents that may hold *match*, and what the match is called there.

    *match* is RUN/NUMBER, d1/NUMBER, d1/last, last, or a name that a bot was told; the name of a tournament
    stands for that of its store.  `last` is a rated match.  Raises NoSuchUnrated; SecretMatches for one of a
    hidden store.
    """
    name, slash, number = match.partition("/")
    if slash and not name.isdecimal():
        if not _NAME.fullmatch(name) and (run := _find_run(Store(results), name)):
            contents = Store(results).contents()
            if number == "last":
                number = str(max(contents.matches(["number"], run).column("number").to_pylist(), default=0))
            return contents, f"{run}/{number}"
        return unrated_store(results, name).contents(), number if number == "last" else f"1/{number}"
    if not _TOLD.fullmatch(match):
        return Store(results).contents(), match
    for store in (Store(results), *unrated_stores(results, hidden=True).values()):
        contents = store.contents()
        try:
            contents.find_named(match)
        except NoSuchMatch:
            continue
        if tournament := _find_secret(store):
            raise SecretMatches(tournament)
        return contents, match
    return Store(results).contents(), match
