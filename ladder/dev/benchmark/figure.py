"""A measured number and its target, and the machine that was measured."""

import platform
import re
from pathlib import Path
from typing import NamedTuple

from ladder.machine.build import version_line
from ladder.machine.cores import usable_cores


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


def describe_machine() -> str:
    """Return what was measured and where, in words."""
    cpus = Path("/proc/cpuinfo")
    models = re.findall(r"model name\s*: (.+)", cpus.read_text()) if cpus.exists() else []
    cores = f"{len(usable_cores())} cores of {(models or [platform.machine()])[0]}"
    return f"{cores}: {version_line()}, Python {platform.python_version()}"
