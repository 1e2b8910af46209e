"""Words that commands take and records keep, and how numbers are told.  This module loads nothing."""

from collections.abc import Collection
from fnmatch import fnmatchcase
from math import floor, log10
from typing import Literal, TypeAlias

ScheduleKind: TypeAlias = Literal["adaptive", "round-robin", "gauntlet"]
"""How bots are paired.  In a gauntlet the first bot of the run has a seat at every table."""
Until: TypeAlias = str
"""What ends a run before its last match: the name of a rule, such as order, and =VALUE if it takes one."""


def find_fit(bot: str, names: Collection[str]) -> str | None:
    """Return which of *names* stands for *bot*: its own name, else the first pattern to fit, as "sage*"."""
    return bot if bot in names else next((name for name in names if fnmatchcase(bot, name)), None)


def count(number: int, what: str, of: int | None = None) -> str:
    """Return a *number* of things in words: "1 match", "2 matches"; with *of*, "1 of 2 matches"."""
    told = number if of is None else of
    if told != 1:
        what = (
            f"{what[:-1]}ies"
            if what.endswith("cy")
            else f"{what}{'es' if what.endswith(('ch', 's')) else 's'}"
        )
    return f"{number:,} {what}" if of is None else f"{number:,} of {of:,} {what}"


def ordinal(number: int) -> str:
    """Return a place, at most the 20th, in words: 1st, 2nd, 3rd, 4th."""
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number, 'th') }"


def money(dollars: float, least: int = 2) -> str:
    """Return an amount with at least two digits that count, and *least* decimals: 12.00, 0.034, 0.00056."""
    decimals = max(least, 1 - floor(log10(abs(dollars)))) if dollars else least
    text = f"{dollars:,.{decimals}f}"
    return text[: len(text) - decimals + least] + text[len(text) - decimals + least :].rstrip("0")


def pace(a_second: float) -> str:
    """Return a number *a_second* in words, in a unit of which there is more than one: 3/s, 12 a minute."""
    for times, unit in ((1, "/s"), (60, " a minute")):
        if round(a_second * times) >= 1:
            return f"{a_second * times:,.0f}{unit}"
    return f"{a_second * 3600:,.1f} an hour"
