"""`ladder home duels`: what was played that does not count."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from ladder.cli.completion import complete_duels
from ladder.cli.options import FormatOption, HomeOption, existing_home, print_rows, store_of

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

    Give their names (d1, d2, and so on) to --duel of other commands. Rated duels are runs, and are not listed
    here. The result of a duel says how much better the first bot is, with its confidence interval.

    Example: ladder home duels
    """
    from ladder.cli.show_document import show_document
    from results.reports.as_markdown import as_markdown
    from results.reports.duel_document import DuelSubject, duel_document, duels_document, the_two
    from results.reports.duel_report import DUELS
    from results.storage.unrated import unrated_stores

    where = existing_home(home)
    stores = unrated_stores(where.results) if duel is None else {duel: store_of(where, duel)}
    found = [each for name, store in reversed(stores.items()) if (each := _read(name, store))]
    rows = [row for each in found for row in each.rows]
    if format not in ("table", "md"):
        print_rows(rows, DUELS, format)
        return
    if duel and found and (played := found[0].duel):
        subject = DuelSubject(the_two(found[0].run), played.results(), duel)
        document = duel_document(subject, "operator")
    else:
        document = duels_document(rows, "operator")
    numbers = where.roster.numbers()
    if format == "md":
        print(as_markdown(document, numbers), end="")
    else:
        show_document(document, numbers, "--format csv has all columns")


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
    from results.reports.duel_report import duel_rows, unrated_row

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
