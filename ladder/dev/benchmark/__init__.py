"""Benchmarks.  A number of rounds comes in; figures, as ratios where possible, go out.

  rule_speed        the engines alone, by their states
  playout_speed     the engines alone, by their positions, as bots search and as the referee plays
  page_speed        the pages of matches that a site writes
  pipes             matches through the runner beside a bare ping-pong
  confinement_cost  what a sandbox and stopping between turns cost
  run_speed         whole runs, from the start to Parquet
  starts            the first run of a new home, and the start of commands
  crowds            runs of many bots, and of bots that wait
  peers             other libraries and runners on comparable work
  store_speed       a home with very many recorded matches
  fit_speed         the fit of the skills in large ladders

All figures are medians from one session; rounds of things that are compared alternate.
"""

from ladder.dev.benchmark.confinement_cost import confinement_figures
from ladder.dev.benchmark.crowds import crowd_figures
from ladder.dev.benchmark.figure import Figure
from ladder.dev.benchmark.fit_speed import rating_figures
from ladder.dev.benchmark.page_speed import page_figures
from ladder.dev.benchmark.peers import peer_figures
from ladder.dev.benchmark.pipes import pipe_figures
from ladder.dev.benchmark.playout_speed import playout_figures
from ladder.dev.benchmark.rule_speed import engine_figures
from ladder.dev.benchmark.run_speed import house_figures, run_figures
from ladder.dev.benchmark.starts import start_figures
from ladder.dev.benchmark.store_speed import record_figures

__all__ = [
    "Figure",
    "confinement_figures",
    "crowd_figures",
    "engine_figures",
    "house_figures",
    "page_figures",
    "peer_figures",
    "pipe_figures",
    "playout_figures",
    "rating_figures",
    "record_figures",
    "run_figures",
    "start_figures",
]
