"""Measure the ladder: all that `ladder bench` measures, and what only developers of the ladder need.

    .venv/bin/python tests/programs/bench.py --matches 2000 --against
    .venv/bin/python tests/programs/bench.py --records 10000000

ladder/dev/benchmark/README.md says what the figures mean.  With a million records or more, the last one
writes them into results/COST.md.  The processes that a benchmark starts import this
file, too: it imports the ladder in functions only, or they would be larger than those of `ladder bench`.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2])]

if TYPE_CHECKING:
    from ladder.dev.benchmark.figure import Figure
    from programs.benchmark.cost_page import CostTable

LEAST = {"matches": 100, "rounds": 1, "records": 20_000}
"""The least that each option takes: with less, there is nothing to measure."""


def read_options(words: Sequence[str] | None) -> argparse.Namespace:
    """Return the options among *words*.  Exits with a message if they are wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--matches", type=int, default=10_000, metavar="N", help="of each measured run")
    parser.add_argument("--rounds", type=int, default=7, metavar="N", help="of each comparison")
    parser.add_argument("--against", action="store_true", help="also time other runners: see [bench]")
    parser.add_argument(
        "--records",
        type=int,
        metavar="N",
        help="measure a home with N recorded matches instead; 1000000 take an hour and 4 GB of the disk",
    )
    parser.add_argument(
        "--ratings", action="store_true", help="measure the ratings of a million matches instead: minutes"
    )
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--json", action="store_true", help="print the figures as JSON")
    shape.add_argument("--markdown", action="store_true", help="print those with an aim as Markdown")
    asked = parser.parse_args(words)
    for name, least in LEAST.items():
        given = getattr(asked, name)
        if given is not None and given < least:
            parser.error(f"--{name}: expected a whole number of at least {least:,}, got: {given}")
    return asked


def measure(asked: argparse.Namespace, table: "CostTable") -> "Iterator[Figure]":
    """Yield the figures that are *asked* for; *table* gets those of records.  Raises LadderError."""
    from ladder.cli.options import note
    from ladder.dev import benchmark
    from programs.benchmark.confinement_cost import confinement_figures
    from programs.benchmark.crowds import crowd_figures
    from programs.benchmark.fit_speed import rating_figures
    from programs.benchmark.page_speed import page_figures
    from programs.benchmark.peers import peer_figures
    from programs.benchmark.rule_speed import engine_figures
    from programs.benchmark.store_speed import record_figures

    if asked.records:
        yield from record_figures(asked.records, table)
    if asked.ratings:
        yield from rating_figures()
    if not asked.records and not asked.ratings:
        yield from engine_figures(asked.rounds)
        yield from page_figures(asked.rounds)
        yield from confinement_figures(asked.rounds)
        yield from benchmark.measure(asked.matches, asked.rounds)
        yield from crowd_figures(asked.matches)
    if asked.against:
        yield from peer_figures(asked.rounds, note)


def main(words: Sequence[str] | None = None) -> None:
    """Measure and print what *words* ask for."""
    asked = read_options(words)
    from ladder.cli.bench import print_figures
    from ladder.errors import LadderError
    from programs.benchmark.cost_page import PAGE_FROM, CostTable

    table = CostTable(asked.records)
    try:
        form = "json" if asked.json else "md" if asked.markdown else "table"
        print_figures(measure(asked, table), form)
    except LadderError as error:
        raise SystemExit(f"bench.py: {error}" + (f"\n  next: {error.hint}" if error.hint else "")) from error
    if table.sizes and not asked.json:
        print("", *table.lines(), sep="\n")
    if table.sizes and asked.records >= PAGE_FROM:
        table.write()


if __name__ == "__main__":
    main()
