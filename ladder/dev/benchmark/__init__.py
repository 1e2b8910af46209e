"""Benchmarks.  A number of matches comes in; figures, as ratios where possible, go out.

  playout_speed  the engines alone, by their positions, as bots search and as the referee plays
  learning_speed environments, and what each step of a program that learns costs
  pipes          matches through the runner beside a bare ping-pong
  run_speed      whole runs, from the start to Parquet
  starts         the first run of a new home, and the start of commands
  serve_speed    a server, for bots on other machines and for an upload

All figures are medians from one session; rounds of things that are compared alternate.  What only developers
of the ladder measure is in tests/programs/benchmark.
"""

from collections.abc import Iterator

from ladder.dev.benchmark.figure import Figure
from ladder.dev.benchmark.learning_speed import learning_figures
from ladder.dev.benchmark.pipes import pipe_figures
from ladder.dev.benchmark.playout_speed import playout_figures
from ladder.dev.benchmark.run_speed import house_figures, run_figures
from ladder.dev.benchmark.serve_speed import serve_figures
from ladder.dev.benchmark.starts import start_figures


def measure(matches: int, rounds: int) -> Iterator[Figure]:
    """Yield the figures of `ladder bench`: *matches* in each measured run, *rounds* of each comparison."""
    yield from playout_figures(rounds)
    yield from learning_figures(rounds)
    yield from pipe_figures(rounds)
    yield from run_figures(matches)
    yield from house_figures(matches)
    yield from start_figures(rounds)
    yield from serve_figures(rounds)
