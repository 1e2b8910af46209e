"""What is told of a night, in every medium: the mail of an operator, as a file."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from ladder.home.night import NewVersion, NightFaults, NightPlace, NightReport
from results.reports.as_markdown import as_markdown
from results.reports.document import (
    Audience,
    Document,
    GameRef,
    Lines,
    MatchRef,
    Part,
    Prose,
    Section,
    Text,
    Value,
    Warned,
    Words,
    some_of,
)
from results.storage.disk import put_page
from results.words import count

NAMED = 12
"""The most bots that a line names."""
LISTED = 50
"""The most rows of each part of a report; a number says how many more there are."""


def write_report(path: Path, report: NightReport) -> None:
    """Write *report* to *path*: as JSON if it ends in .json, else as Markdown."""
    if path.suffix.lower() == ".json":
        text = msgspec.json.format(msgspec.json.encode(report)).decode() + "\n"
    else:
        text = as_markdown(night_document(report, "operator"), {})
    put_page(path, text)


def night_document(report: NightReport, audience: Audience) -> Document:
    """Return what has happened since the last report.

    The operator alone reads notes, what was left out, why the night failed, and what to do.
    """
    is_operator = audience == "operator"
    since = f"since {_time(report.since)}" if report.since else "since the beginning"
    runs = ", ".join(map(str, report.runs)) or "none"
    told: Words = [f"{count(report.matches, 'match')} {since}; runs: {runs}"]
    if report.failed:
        told = [Warned("The night failed.")]
        if is_operator:
            told += [" ", Prose(report.failed)]
    listed: dict[str, list[Value | Words]] = {
        "New": [*_on_versions(report.bots, with_notes=is_operator)],
        "Places": [*_on_places(report.places)],
        "Faults": [*map(_fault, report.faults)],
        "Left out": [Prose(each) for each in report.left_out if is_operator],
        "To do": [Prose(each) for each in report.to_do if is_operator],
    }
    parts: list[Part] = [Text(told)]
    parts += [Section(title, [_lines(lines)]) for title, lines in listed.items() if lines]
    if is_operator and not report.failed and not report.to_do:
        parts.append(Text("Nothing is to be done."))
    return Document(f"The night to {_time(report.when)}", parts)


def _fault(each: NightFaults) -> Words:
    run, _, number = each.last.partition("/")
    what = count(each.matches, "match" if each.charged else "report")
    told = f": {what} {'by' if each.charged else 'of'} {each.kind}; the last is "
    return [Prose(each.bot), told, MatchRef(run, int(number))]


def _lines(lines: list[Value | Words]) -> Lines:
    more = [f"and {len(lines) - LISTED:,} more"] if len(lines) > LISTED else []
    return Lines([*lines[:LISTED], *more])


def _on_versions(versions: Iterable[NewVersion], *, with_notes: bool) -> Iterator[Words]:
    """Yield a line for all new bots, and for all new versions, that have the same note."""
    groups: dict[tuple[bool, str], list[Value]] = {}
    for each in versions:
        group = each.is_new_bot, each.note if with_notes else ""
        groups.setdefault(group, []).append(Prose(f"{each.bot}@{each.number}"))
    for (is_new, note), names in groups.items():
        what = count(len(names), "new bot" if is_new else "new version")
        line = [f"{what}: ", *some_of(names, NAMED)]
        yield [*line, ": ", Prose(note)] if note else line


def _on_places(places: Iterable[NightPlace]) -> Iterator[Words]:
    """Yield a line for each bot that has another place, and one for all that are new at a game."""
    new: dict[str, list[Words]] = {}
    for each in places:
        now, bot = _interval(each.low, each.high), Prose(each.bot)
        if each.was_low is None or each.was_high is None:
            new.setdefault(each.game, []).append([bot, f" at {now}"])
            continue
        way = "up" if each.high < each.was_low else "down"
        was = _interval(each.was_low, each.was_high)
        yield [GameRef(each.game), ": ", bot, f" went {way} to {now}, from {was}"]
    for game, bots in new.items():
        yield [GameRef(game), f": {count(len(bots), 'bot')} new: ", *some_of(bots, NAMED)]


def _interval(low: int, high: int) -> str:
    return f"{low}" if low == high else f"{low} to {high}"


def _time(when: str) -> str:
    return f"{when[:16].replace('T', ' ')} UTC"
