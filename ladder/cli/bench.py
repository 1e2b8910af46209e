"""`ladder bench`: how fast all this is, on this machine, beside what the bare pipes can do."""

from __future__ import annotations

import json as text
from typing import Annotated

from ladder.cli.options import note
from ladder.run.option import Option, whole


def bench(
    matches: Annotated[
        int, Option("Number of matches in the measured run.", metavar="N", read=whole(100))
    ] = 10_000,
    rounds: Annotated[
        int, Option("Repeat each comparison N times; the median counts.", metavar="N", read=whole(1))
    ] = 7,
    against: Annotated[bool, Option("Also time the other runners that are installed.")] = False,
    records: Annotated[
        int | None,
        Option(
            "Measure a home with N recorded matches instead; 1000000 take half an hour and 0.5 GB.",
            metavar="N",
            read=whole(20_000),
        ),
    ] = None,
    ratings: Annotated[
        bool, Option("Measure the ratings of a million matches instead; this takes minutes.")
    ] = False,
    json: Annotated[bool, Option("Print the figures as JSON.")] = False,
) -> None:
    """Measure how fast the ladder is on this machine.

    Engines, referee and whole runs are compared with a bare exchange of messages over the same pipes. Quote
    ratios: absolute times depend on the machine and its load.

    Example: ladder bench --matches 2000
    """
    from ladder.dev import benchmark

    shown = []
    if records or ratings:
        parts = [benchmark.record_figures(records)] if records else []
        parts += [benchmark.rating_figures()] if ratings else []
    else:
        parts = [
            benchmark.engine_figures(rounds),
            benchmark.playout_figures(rounds),
            benchmark.page_figures(rounds),
            benchmark.pipe_figures(rounds),
            benchmark.confinement_figures(rounds),
            benchmark.run_figures(matches),
            benchmark.house_figures(matches),
            benchmark.crowd_figures(matches),
            benchmark.start_figures(rounds),
        ]
    if against:
        parts.append(benchmark.peer_figures(rounds, note))
    for part in parts:
        for figure in part:
            shown.append(figure._asdict())
            if not json:
                mark = {True: "  ok", False: "  MISSED", None: ""}[figure.ok]
                aim = f"{figure.aim:>18}" if figure.aim else ""
                print(f"{figure.what:<58} {figure.value:>11,.2f} {figure.unit:<12}{aim}{mark}", flush=True)
    if json:
        print(text.dumps(shown, indent=2))
    missed = sum(figure["ok"] is False for figure in shown)
    if missed:
        note(f"{missed} of the aims missed; on a busy machine, measure again when it is quiet")
