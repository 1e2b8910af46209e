"""Read and write the stages of a tournament, such as `swiss:5+knockout:8`."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Final

from ladder.errors import UsageProblem, suggest
from ladder.pairing.bracket import Unfillable, plan_double

MOST = 1000
"""The largest number in a stage."""


@dataclass(frozen=True)
class Swiss:
    """Rounds in which those with similar scores meet."""

    rounds: int | None = None
    """None: ceil(log2 n) + 2 for n entrants."""

    def rounds_for(self, entrants: int) -> int:
        return self.rounds if self.rounds is not None else (entrants - 1).bit_length() + 2


@dataclass(frozen=True)
class RoundRobin:
    """All meet all."""


@dataclass(frozen=True)
class Groups:
    """A round robin in each of several groups; the best *take* of each go on."""

    groups: int
    take: int


@dataclass(frozen=True)
class Knockout:
    """A bracket of the best *entrants*."""

    entrants: int


@dataclass(frozen=True)
class DoubleKnockout:
    """A bracket of the best *entrants* with a second life for those who fall."""

    entrants: int


@dataclass(frozen=True)
class FinalTable:
    """One table of the best *seats*, and the number of its blocks."""

    seats: int
    blocks: int


Stage = Swiss | RoundRobin | Groups | Knockout | DoubleKnockout | FinalTable

FORMS = {
    "swiss": ("swiss:ROUNDS", "swiss:5", (0, 1)),
    "round-robin": ("round-robin", "round-robin", (0,)),
    "groups": ("groups:GROUPS,TAKE", "groups:4,2", (2,)),
    "knockout": ("knockout:ENTRANTS", "knockout:8", (1,)),
    "double-knockout": ("double-knockout:ENTRANTS", "double-knockout:8", (1,)),
    "final": ("final:SEATS,BLOCKS", "final:4,20", (2,)),
}
"""For each stage: its form, an example, and how many numbers it may have."""
KINDS: Final[Mapping[str, type[Stage]]] = {
    "swiss": Swiss,
    "round-robin": RoundRobin,
    "groups": Groups,
    "knockout": Knockout,
    "double-knockout": DoubleKnockout,
    "final": FinalTable,
}
"""What the numbers make."""
EXAMPLE = "type stages in the order in which they are played, such as swiss:5+knockout:8"


def parse_stages(text: str) -> tuple[Stage, ...]:
    """Return the stages of *text*.  Raises UsageProblem."""
    parts = text.split("+")
    if not text.strip():
        raise UsageProblem("expected stages, got an empty text", EXAMPLE)
    for index, part in enumerate(parts):
        if not part.strip():
            where = "at the end" if index == len(parts) - 1 else "without a stage before it"
            raise UsageProblem(f"a + stands {where}: {text:.80}", EXAMPLE)
    return tuple(_parse_stage(part.strip()) for part in parts)


def _parse_stage(text: str) -> Stage:
    name, colon, rest = text.partition(":")
    if name not in FORMS:
        raise UsageProblem(
            f"there is no stage {name[:40]!r}{suggest(name, FORMS)}",
            "the stages are " + ", ".join(form for form, _, _ in FORMS.values()),
        )
    form, example, counts = FORMS[name]
    # `swiss:` lacks its number and is refused; `swiss` needs none
    words = rest.split(",") if colon else []
    if len(words) not in counts or not all(re.fullmatch(r"0*[0-9]{1,6}", word, re.ASCII) for word in words):
        raise UsageProblem(f"expected {form}, got {text[:80]!r}", f"type a whole number, such as {example}")
    numbers = [int(word) for word in words]
    low = next((number for number in numbers if not 1 <= number <= MOST), None)
    if low is not None:
        raise UsageProblem(f"expected numbers from 1 to {MOST} in {form}, got {low}", f"type {example}")
    stage: Stage = KINDS[name](*numbers)
    if isinstance(stage, Knockout | DoubleKnockout) and stage.entrants < 2:
        raise UsageProblem(f"a {name} of one entrant decides nothing: {text}", f"type {example}")
    return stage


def write_stages(stages: Sequence[Stage]) -> str:
    """Return *stages* as `parse_stages` reads them."""
    return "+".join(map(_write_stage, stages))


def _write_stage(stage: Stage) -> str:
    name = next(name for name, kind in KINDS.items() if isinstance(stage, kind))
    numbers = ",".join(str(number) for number in astuple(stage) if number is not None)
    return f"{name}:{numbers}" if numbers else name


def check_stages(stages: Sequence[Stage], entrants: int, sizes: Collection[int], seats: int) -> None:
    """Raise UsageProblem unless *entrants* can play *stages* at tables of *sizes*; *seats* is wanted."""
    if seats not in sizes:
        known = ", ".join(map(str, sorted(sizes)))
        raise UsageProblem(f"the game has no tables of {seats} seats, but of {known}", f"type one of {known}")
    # where two seats are wanted nobody plays at larger tables, whatever the game allows
    least = 2 if seats == 2 else min(sizes)
    if entrants < max(2, least):
        few = "one entrant" if entrants == 1 else f"{entrants} entrants"
        raise UsageProblem(
            f"{few} cannot fill a table of {least}", f"name at least {least} bots for this tournament"
        )
    there = entrants
    for stage in stages:
        there = _check_stage(stage, there, sizes, seats)


def _check_stage(stage: Stage, there: int, sizes: Collection[int], seats: int) -> int:
    """Check one stage with *there* entrants; return how many go on from it."""
    text, least = _write_stage(stage), 2 if seats == 2 else min(sizes)
    if isinstance(stage, Swiss | RoundRobin):
        if there < least:
            raise UsageProblem(
                f"{text} gets {there} entrants, too few for a table of {least}",
                "let the stage before it pass more on",
            )
        return there
    if isinstance(stage, Groups):
        # sizes of groups differ by one at most; the smallest must fill a table
        smallest = there // stage.groups
        if smallest < least:
            most = there // least
            raise UsageProblem(
                f"{text} makes groups of {smallest} of {there} entrants, too few for a table of {least}",
                f"type at most {most} groups" if most > 1 else "type round-robin instead",
            )
        if stage.take > smallest:
            raise UsageProblem(
                f"{text} takes {stage.take} of groups that may have {smallest}",
                f"type groups:{stage.groups},{max(1, smallest // 2)}",
            )
        return stage.groups * stage.take
    takes = stage.seats if isinstance(stage, FinalTable) else stage.entrants
    if isinstance(stage, FinalTable) and takes not in sizes:
        known = ", ".join(map(str, sorted(sizes)))
        raise UsageProblem(
            f"{text}: the game has no tables of {takes} seats, but of {known}",
            f"type final:{max(sizes)},{stage.blocks}",
        )
    if takes > there:
        most = there
        if isinstance(stage, FinalTable):
            most = max((size for size in sizes if size <= there), default=there)
        form = text.replace(str(takes), str(most), 1)
        raise UsageProblem(f"{text} takes {takes} entrants, but there are {there}", f"type {form}")
    if takes < least:
        raise UsageProblem(
            f"{text} takes {takes} entrants, too few for a table of {least}",
            f"let it take at least {least}",
        )
    if isinstance(stage, DoubleKnockout):
        try:
            # only a plan shows whether those who fall can fill the tables of the lower bracket
            plan_double(takes, tuple(sizes), seats)
        except Unfillable:
            raise UsageProblem(
                f"{text}: those who fall cannot fill a table of {least}", f"type knockout:{takes} instead"
            ) from None
    return takes
