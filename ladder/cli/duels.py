"""`ladder duel` alone and `ladder duel d1`: what was played that does not count."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ladder.cli.duel import print_answer
from ladder.cli.options import note, print_rows, store_of

if TYPE_CHECKING:
    from ladder.home.home import Home
    from ladder.run.duel import Duel
    from results.record import Run
    from results.reports.render import Row
    from results.storage.store import Store


def print_duels(home: Home, duel: str, form: str) -> None:
    """Print the answer of *duel* again; without one, list duels, tournaments and unrated runs, newest first.

    Raises NoSuchUnrated.
    """
    from results.reports.duels import DUELS, SHOWN_DUELS, shown_duels
    from results.storage.unrated import unrated_stores

    stores = {duel: store_of(home, duel)} if duel else unrated_stores(home.results)
    found = [each for name, store in reversed(stores.items()) if (each := _read(name, store))]
    if form not in ("table", "md"):
        print_rows([row for each in found for row in each.rows], DUELS, form)
        return
    if duel and found and found[0].duel:
        print_answer(home, found[0].run, found[0].duel)
    else:
        rows = [row for each in found for row in each.rows]
        print_rows(shown_duels(rows, home.roster.numbers()), SHOWN_DUELS, form)
    if not found:
        note("no duels and no unrated runs yet", "ladder duel NEW OLD, or ladder run --unrated")
        return
    name = found[0].name
    more = "" if duel else f"ladder duel {name}, "
    note("\nthese matches do not count", f"{more}ladder matches --in {name}, ladder replay {name}/0")


class _Unrated(NamedTuple):
    """An unrated store that holds a run."""

    name: str
    run: Run
    duel: Duel | None
    """The duel to its end, if it is one."""
    rows: list[Row]


def _read(name: str, store: Store) -> _Unrated | None:
    """Return what is in a *store*; None if its process was killed before the run was stored."""
    from ladder.run.duel import Duel
    from results.reports.duels import duel_rows, unrated_row

    contents = store.contents()
    if not contents.runs:
        return None
    run = contents.runs[-1]
    if duel := Duel.of(run):
        duel.hear_all(contents, run.run)
        return _Unrated(name, run, duel, duel_rows(name, run, duel.results()))
    settings = run.settings
    terms = {"reference": settings.reference, "play": settings.play, "tournament": settings.tournament}
    kind = next((name for name, each in terms.items() if each), "run")
    matches = contents.matches(["number"]).num_rows
    return _Unrated(name, run, None, [unrated_row(name, run, matches, kind)])
