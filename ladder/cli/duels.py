"""`ladder home duels`: what was played that does not count."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from ladder.cli.completion import complete_duels
from ladder.cli.duel import print_answer
from ladder.cli.options import FormatOption, HomeOption, existing_home, note, print_rows, store_of

if TYPE_CHECKING:
    from ladder.run.duel import Duel
    from results.record import Run
    from results.reports.document import Row
    from results.storage.store import Store


def duels(
    duel: Annotated[
        str | None,
        typer.Argument(
            metavar="DUEL",
            help="Show the answer of this one again: d1, d2, and so on.",
            autocompletion=complete_duels,
            show_default="list all",
        ),
    ] = None,
    home: HomeOption = None,
    format: FormatOption = "table",  # noqa: A002
) -> None:
    """List duels, tournaments and unrated runs, newest first.

    Give their names (d1, d2, and so on) to --in of other commands. Rated duels are runs, and are not listed
    here. The result of a duel says how much better the first bot is, with its confidence interval.

    Example: ladder home duels
    """
    from results.reports.duels import DUELS, SHOWN_DUELS, shown_duels
    from results.storage.unrated import unrated_stores

    where = existing_home(home)
    stores = unrated_stores(where.results) if duel is None else {duel: store_of(where, duel)}
    found = [each for name, store in reversed(stores.items()) if (each := _read(name, store))]
    if format not in ("table", "md"):
        print_rows([row for each in found for row in each.rows], DUELS, format)
        return
    if duel and found and found[0].duel:
        print_answer(where, found[0].run, found[0].duel)
    else:
        rows = [row for each in found for row in each.rows]
        print_rows(shown_duels(rows, where.roster.numbers()), SHOWN_DUELS, format)
    if not found:
        note("no duels and no unrated runs yet", "ladder duel NEW OLD, or ladder run --unrated")
        return
    name = found[0].name
    more = "" if duel else f"ladder home duels {name}, "
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
