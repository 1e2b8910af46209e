"""Stages, rounds, tables and scores in words."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from ladder.pairing.event_report import RoundReport, StageReport, TableReport
from ladder.pairing.stages import FinalTable, parse_stages
from ladder.run.tournament.certainty import Chance
from results.record import TournamentTerms
from results.words import count, ordinal

STAGES: Final = {
    "swiss": "Swiss",
    "round-robin": "Round robin",
    "groups": "Groups",
    "knockout": "Knock-out",
    "double-knockout": "Double knock-out",
    "final": "Final",
}
FORMS: Final = {
    "swiss": "Swiss of {} rounds",
    "round-robin": "a round robin",
    "groups": "{} groups, of which the best {} go on",
    "knockout": "a knock-out of {}",
    "double-knockout": "a double knock-out of {}",
    "final": "a final of {}",
}
ROUNDS: Final = {
    "final": "Final",
    "table": "Final",
    "reset": "Second final",
    "semifinal": "Semifinals",
    "quarter": "Quarter-finals",
}


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


def label_table(table: TableReport, number: int) -> str:
    """Return what a table is called in a list of its round: its name in a bracket, else its number."""
    return name_table(table.name) if table.sources else str(number)


def tell_deals(table: TableReport) -> str:
    """Return how many deals a table has had."""
    if not table.blocks:
        return "" if table.is_over else "not begun"
    return count(table.blocks, "deal") + ("" if table.is_over else " so far")


def tell_source(source: tuple[str, int], seats: int) -> str:
    """Return where an entrant comes from that is not known yet: from a seed, or a table of *seats*."""
    table, place = source
    if table == "seed":
        return f"seed {place + 1}"
    if seats == 2:
        return f"{'loser' if place else 'winner'} of {name_table(table)}"
    return f"{ordinal(1 + place)} of {name_table(table)}"


def tell_score(score: Fraction | None, digits: int = 1) -> str:
    """Return a mean score in percent; "" for none."""
    return "" if score is None else f"{100 * float(score):.{digits}f}"


def tell_won(table: TableReport, seat: int) -> str:
    """Return how many deals a seat has won, a tie as a half: 2, 1½; at larger tables its place."""
    entrant = table.entrants[seat]
    if entrant is None or not table.won:
        return ""
    if len(table.entrants) > 2:
        return ordinal(1 + table.ranking.index(entrant))
    whole, quarters = divmod(round(4 * table.won[seat]), 4)
    return f"{whole or ''}{'0¼½¾'[quarters]}" if quarters or not whole else str(whole)


def tell_chance(chance: Chance) -> str:
    """Return a probability as people read it, no surer than it is: 75 %, 45 to 70 %, more than 99 %."""
    low, high = (f"{100 * end:.0f}" for end in (chance.low, chance.high))
    if low != high:
        return f"{low} to {high} %"
    if chance.low > 0.99:
        return "more than 99 %"
    return "less than 1 %" if chance.high < 0.01 else f"{low} %"


def tell_sure(sure: Chance) -> str:
    """Return how surely a winner is the best."""
    told = tell_chance(sure)
    about = "about " if told[0].isdigit() else ""
    return f"the winner is the best bot with a probability of {about}{told}"


def tell_deal_numbers(terms: TournamentTerms) -> list[tuple[int, str]]:
    """Return how many deals tables have, and which: those of all rounds and series, then those of finals."""
    stages = parse_stages(terms.stages)
    finals = [(stage.blocks, "the final") for stage in stages if isinstance(stage, FinalTable)]
    others = [(terms.round_blocks, "each round and each series")] if len(finals) < len(stages) else []
    return others + finals


def tell_stages(stages: str) -> str:
    """Return *stages* such as swiss:3+knockout:8 in words."""
    told = []
    for stage in stages.split("+"):
        kind, _, numbers = stage.partition(":")
        told.append("Swiss" if stage == "swiss" else FORMS[kind].format(*numbers.split(",")))
    return ", then ".join([told[0][0].upper() + told[0][1:], *told[1:]])


def tell_state(report: Sequence[StageReport], *, is_over: bool) -> str:
    """Return where a tournament stands that has begun, such as `Swiss, round 3`."""
    stage = report[-1]
    if is_over:
        return "over"
    now = next((each for each in stage.rounds if not each.is_over), None)
    return name_stage(stage.name) + (f", {name_round(now.name).lower()}" if now else "")


def tell_spans(store: str, numbers: Sequence[int]) -> str:
    """Return the names of matches as spans: d1/0 to d1/7, d1/12."""
    spans: list[list[int]] = []
    for number in sorted(numbers):
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ", ".join(
        f"{store}/{first}" if first == last else f"{store}/{first} to {store}/{last}" for first, last in spans
    )


class SeatResult(NamedTuple):
    """A seat of a table."""

    entrant: int | None
    """None: not known yet."""
    source: str
    """Where one comes from that is not known yet."""
    score: str
    goes_on: bool
    end: str
    """What the result means, as tell_end says it; "" where that is open, or where all stay."""


def is_bracket(stage: StageReport) -> bool:
    """Return whether a stage is a bracket, or a final."""
    return not stage.rows


def seat_results(table: TableReport) -> list[SeatResult]:
    """Return the seats of a table: by the results, once it has begun."""
    order = {entrant: place for place, entrant in enumerate(table.ranking)}
    sources = table.sources or [("seed", 0)] * len(table.entrants)
    seats = sorted(
        enumerate(zip(table.entrants, sources, strict=True)),
        key=lambda seat: len(order) if seat[1][0] is None else order.get(seat[1][0], len(order)),
    )
    rows = []
    for seat, (entrant, source) in seats:
        if entrant is None:
            rows.append(SeatResult(None, tell_source(source, len(table.entrants)), "", goes_on=False, end=""))
            continue
        goes_on = table.is_over and order.get(entrant, table.go_on) < table.go_on
        end = tell_end(table, order[entrant]) if table.go_on and table.is_over else ""
        rows.append(SeatResult(entrant, "", tell_won(table, seat), goes_on, end))
    return rows


def open_rounds(stage: StageReport) -> list[RoundReport]:
    """Return the rounds of a stage of rounds that are played now: the first of each group."""
    if is_bracket(stage):
        return []
    groups: dict[str, RoundReport] = {}
    for each in stage.rounds:
        if not each.is_over:
            groups.setdefault(each.name.rpartition("/")[0], each)
    return [*groups.values()]
