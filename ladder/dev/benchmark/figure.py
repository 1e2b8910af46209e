"""A measured number and its target."""

from typing import NamedTuple


class Figure(NamedTuple):
    """A measured number and its target."""

    what: str
    value: float
    unit: str
    aim: str = ""
    ok: bool | None = None


def at_most(what: str, value: float, unit: str, aim: float) -> Figure:
    return Figure(what, value, unit, f"at most {aim:,.10g}", value <= aim)


def at_least(what: str, value: float, unit: str, aim: float = 0) -> Figure:
    """Return a figure, without an aim if *aim* is 0."""
    if not aim:
        return Figure(what, value, unit)
    return Figure(what, value, unit, f"at least {aim:,.10g}", value >= aim)
