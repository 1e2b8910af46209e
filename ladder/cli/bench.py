"""`ladder bench`: how fast the ladder is on this machine, compared with bare pipes."""

from collections.abc import Iterable
from datetime import date
from typing import TYPE_CHECKING, Annotated

from ladder.cli.options import FormatOption, note, print_rows
from ladder.run.option import Option, whole
from results.reports.document import Column

if TYPE_CHECKING:
    from ladder.dev.benchmark.figure import Figure

_COLUMNS = [Column(key, key) for key in ("what", "value", "unit", "aim", "ok")]
ROUNDS = 7
"""How often each comparison is made; the median counts."""
ENOUGH = 1_000
"""With fewer matches, which are for a quick look, each comparison is made once."""


def bench(
    matches: Annotated[
        int,
        Option(
            "Number of matches in each measured run; with fewer than 1000, each comparison is made once.",
            metavar="N",
            read=whole(100),
        ),
    ] = 10_000,
    format: FormatOption = "table",  # noqa: A002 - the option's name
) -> None:
    """Measure how fast the ladder is on this machine.

    Engines, referee and whole runs are compared with a bare exchange of messages over the same pipes. Quote
    ratios: absolute times depend on the machine and its load.

    Example: ladder bench --matches 2000
    """
    from ladder.dev.benchmark import measure

    print_figures(measure(matches, ROUNDS if matches >= ENOUGH else 1), format)


def print_figures(figures: "Iterable[Figure]", form: str) -> None:
    """Print *figures*, a table as soon as each is there, then what misses its aim; md: all with an aim."""
    shown = []
    for figure in figures:
        shown.append(figure)
        if form == "table":
            aim = f"{figure.aim:>18}" if figure.aim else ""
            mark = {True: "  ok", False: "  MISSED", None: ""}[figure.ok]
            print(f"{figure.what:<58} {figure.value:>11,.2f} {figure.unit:<12}{aim}{mark}", flush=True)
    aimed = [figure for figure in shown if figure.aim]
    missed = [figure for figure in aimed if not figure.ok]
    if form == "md":
        from ladder.dev.benchmark.figure import describe_machine

        print(f"Measured on {date.today()}, on {describe_machine()}.\n")
        print("|figure|value|aim|missed\n|---|---|---|---")
        for what, value, unit, aim, ok in aimed:
            digits = 0 if value >= ENOUGH else 2
            print(f"|{what}|{value:,.{digits}f} {unit}|{aim}|{'' if ok else 'missed'}")
    elif form != "table":
        print_rows([figure._asdict() for figure in shown], _COLUMNS, form)
    elif missed:
        print()
        rows = [figure._asdict() | {"value": f"{figure.value:,.2f}"} for figure in missed]
        print_rows(rows, _COLUMNS[:-1], form)
    if missed:
        note(f"{len(missed)} of the aims missed; on a busy machine, measure again when it is quiet")
    elif aimed:
        note(f"all aims met: {len(aimed)}")
