"""Measure the pages of matches that `ladder site` writes: CPU time, bytes as they lie and on the wire."""

from __future__ import annotations

import gzip
import statistics
import time
from collections.abc import Iterator
from typing import Any, Final

from support.random_matches import random_record

from engines import GAMES
from engines.game import Game
from ladder.dev.benchmark.figure import Figure, at_most
from ladder.dev.doctor import is_compiled
from ladder.web.pages.frame import Frame
from ladder.web.pages.viewer import VIEWER_ASSETS
from ladder.web.site.match_pages import MatchTask, match_page
from results.reports.labels import HomeNumbers

PAGE_S: Final = 0.15
"""The target for the CPU time of a page, of the compiled build."""
WIRE_KB: Final = 62
"""The target for what a browser loads of a page, compressed."""
FILE_KB: Final = 180
"""The target for a page as it lies in the folder of a site."""
SEED: Final = 7


def page_figures(rounds: int) -> Iterator[Figure]:
    """Measure the pages of *rounds* random matches of every game at every table size."""
    for name, game in GAMES.items():
        for seats in game.seats:
            match_page(random_task(game, seats, SEED))  # loads what all pages need
            seconds, sizes, whole = [], [], []
            for number in range(1, rounds + 1):
                task = random_task(game, seats, SEED + number)
                began = time.process_time()
                page = match_page(task)
                seconds.append(time.process_time() - began)
                sizes.append(wire_kb(page))
                whole.append(len(page.encode()) / 1000)
            what, cpu_s = f"{name}, {seats} seats: page of a match", statistics.median(seconds)
            yield at_most(f"{what}: CPU", cpu_s, "s", PAGE_S) if is_compiled() else Figure(what, cpu_s, "s")
            yield at_most(f"{what}: gzip", max(sizes), "kB", WIRE_KB)
            yield at_most(f"{what}: as it lies", max(whole), "kB", FILE_KB)


def wire_kb(page: str) -> float:
    """Return the size of *page* as a server sends it, in kB."""
    return len(gzip.compress(page.encode(), 6)) / 1000


def random_task(game: Game[Any], seats: int, seed: int) -> MatchTask:
    """Return the task to make the page of a random match, without the notes of its bots."""
    record = random_record(game.name, seats, seed, number=seed)
    record["options"] = record["deal"]["options"]
    frame = Frame(root="../", more=VIEWER_ASSETS)
    return MatchTask(f"matches/1-{seed}.html", "", frame, record, {}, HomeNumbers({}, {}), notes=False)
