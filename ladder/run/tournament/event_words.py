"""Stages, rounds, tables and scores in words."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from ladder.pairing.event_report import StageReport, TableReport
from ladder.run.tournament.certainty import Certainty

STAGES: Final = {
    "swiss": "Swiss",
    "round-robin": "Round robin",
    "groups": "Groups",
    "knockout": "Knock-out",
    "double-knockout": "Double knock-out",
    "final": "Final",
}
ROUNDS: Final = {
    "final": "Final",
    "table": "Final",
    "reset": "Second final",
    "semifinal": "Semifinals",
    "quarter": "Quarter-finals",
}
ORDINALS: Final = ("1st", "2nd", "3rd", "4th", "5th", "6th")


def name_stage(name: str) -> str:
    """Return the stage called *name*, such as swiss-2, in words."""
    kind, _, number = name.rpartition("-")
    return f"{STAGES[kind]} {number}" if number.isdecimal() and kind in STAGES else STAGES.get(name, name)


def name_round(name: str) -> str:
    """Return the round called *name*, such as knockout/quarter, in words."""
    stage, *inside = name.split("/")
    if len(inside) == 2:
        return f"Group {inside[0].upper()}, round {inside[1]}"
    (local,) = inside or [stage]
    if local.isdecimal():
        return f"Round {local}"
    return ROUNDS.get(local) or local.replace("-", " ").capitalize()


def name_table(name: str) -> str:
    """Return the table of a bracket called *name* in words: quarter 1, upper 2 table 1, final."""
    _, _, local = name.partition("/")
    of, slash, number = local.partition("/")
    of = of.replace("-", " ")
    if not slash:
        return of
    return f"{of} table {number}" if of[-1:].isdecimal() else f"{of} {number}"


def tell_end(table: TableReport, place: int) -> str:
    """Return what the *place* at a table of a bracket means, 0 the best: "goes on", "out", "wins"."""
    leads_to = table.leads_to[place]
    if leads_to.endswith("/reset"):
        return "plays once more"  # the one from the second life has won: both have lost one table
    if place < table.go_on:
        return "goes on" if leads_to else "wins"
    return f"goes to {name_table(leads_to)}" if leads_to else "out"


def tell_source(source: tuple[str, int], seats: int) -> str:
    """Return where an entrant comes from that is not known yet: from a seed, or a table of *seats*."""
    table, place = source
    if table == "seed":
        return f"seed {place + 1}"
    if seats == 2:
        return f"{'loser' if place else 'winner'} of {name_table(table)}"
    return f"{ORDINALS[place]} of {name_table(table)}"


def tell_score(score: Fraction | None, digits: int = 1) -> str:
    """Return a mean score in percent; "" for none."""
    return "" if score is None else f"{100 * float(score):.{digits}f}"


def tell_certainty(certainty: Certainty) -> str:
    """Return a probability as people read it, no surer than it is."""
    if certainty.part > 0.99:
        return "more than 99 %"
    if certainty.part < 0.01:
        return "less than 1 %"
    return f"about {certainty.part:.0%}".replace("%", " %")


def tell_state(report: Sequence[StageReport], *, is_over: bool) -> str:
    """Return where a tournament stands that has begun, such as `Swiss, round 3`."""
    stage = report[-1]
    if is_over:
        return "over"
    now = next((each for each in stage.rounds if not each.is_over), None)
    return name_stage(stage.name) + (f", {name_round(now.name).lower()}" if now else "")
