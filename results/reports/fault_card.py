"""Show a fault to the bot's author: the request, the answer, the time, the end of the process."""

import json
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from results.reports.labels import Numbers

COMMANDS = ("  again     ", "  see it    ")
"""The beginnings of the last two lines: commands about the stored match."""

SHOWN = 600
"""At most this many characters of a request or an answer are shown; `--format json` has all stored ones."""


def render_card(
    fault: Mapping[str, Any], rule: str = "", advice: str = "", numbers: Numbers = MappingProxyType({})
) -> Iterator[str]:
    """Yield the lines that show a stored fault, a row of results.storage.schema.FAULTS.

    *rule* is what its kind means, *advice* what its author can do.
    The last two lines are commands: one sends the bot the same lines again, the other replays the match.
    The first has PATH instead of a bot that is not in the home, whose *numbers* name all that are.
    """
    when = "before the first step" if fault["step"] < 0 else f"in step {fault['step']}"
    match = f"{fault['run']}/{fault['number']}"
    cost = "" if fault["charged"] else " (stored, but it cost no match)"
    who, us = f"{fault['bot']}@{fault['version']}", fault["elapsed_us"]
    yield f"{who}: {fault['kind']} {when} of match {match}, seat {fault['seat']}{cost}"
    yield f"  why       {fault['reason']}"
    for what, text in (
        ("offered", _format_choice(fault["choice"])),
        ("answer", _shorten(fault["answer"])),
        ("request", _shorten(fault["request"])),
        ("time", us and f"{us / 1000:,.1f} ms, of {fault['limit_us'] / 1000:,.0f} ms"),
        ("ended", _format_ending(fault["exit_status"])),
        ("stderr", fault["stderr"].rstrip().replace("\n", "\n            ")),
        ("rule", rule),
        ("advice", advice),
    ):
        if text:
            yield f"  {what:<9} {text}"
    again, see_it = COMMANDS
    step = "hello" if fault["step"] < 0 else fault["step"]
    if fault["lapse"] == "stray":  # what comes too late comes after the end of this match as well
        step = "end"
    version = fault["version"].partition("-")[0]  # that of a bot in several seats ends with -1 and so on
    is_here = not numbers or (fault["bot"], version) in numbers
    asked = f"{fault['bot']}@{version}" if is_here else "PATH"
    yield f"{again}ladder bots ask {asked} {match} {step} --seat {fault['seat']}"
    yield f"{see_it}ladder replay {match}"


def _format_choice(choice: str) -> str:
    if not choice:
        return ""
    offer = json.loads(choice)
    how = "one of" if offer["kind"] == "one" else f"{offer['low']} to {offer['high']} of"
    return _shorten(f"{how} " + ", ".join(offer["options"]))


def _shorten(text: str) -> str:
    return text.strip() if len(text) <= SHOWN else f"{text[:SHOWN].strip()} ..."


def _format_ending(status: int | None) -> str:
    if status is None:
        return ""
    return f"exit status {status}" if status >= 0 else f"killed by signal {-status}"
