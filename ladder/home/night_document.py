"""What is told of a night, in every medium: the mail of an operator, as a file."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from ladder.home.night import NewVersion, NightFaults, NightPlace, NightReport
from results.reports import document as doc
from results.reports.as_markdown import as_markdown
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


def night_document(report: NightReport, audience: doc.Audience) -> doc.Document:
    """Return what has happened since the last report.

    The operator alone reads notes, what was left out, why the night failed, and what to do.
    """
    is_operator = audience == "operator"
    since = f"since {_time(report.since)}" if report.since else "since the beginning"
    runs = ", ".join(map(str, report.runs)) or "none"
    told: doc.Words = [f"{count(report.matches, 'match')} {since}; runs: {runs}"]
    if report.failed:
        told = [doc.Warned("The night failed.")]
        if is_operator:
            told += [" ", doc.Prose(report.failed)]
    listed: dict[str, list[doc.Value | doc.Words]] = {
        "New": [*_on_versions(report.bots, with_notes=is_operator)],
        "Places": [*_on_places(report.places)],
        "Faults": [*map(_fault, report.faults)],
        "Left out": [doc.Prose(each) for each in report.left_out if is_operator],
        "To do": [doc.Prose(each) for each in report.to_do if is_operator],
    }
    parts: list[doc.Part] = [doc.Text(told)]
    parts += [doc.Section(title, [_lines(lines)]) for title, lines in listed.items() if lines]
    if is_operator and not report.failed and not report.to_do:
        parts.append(doc.Text("Nothing is to be done."))
    return doc.Document(f"The night to {_time(report.when)}", parts)


def _fault(each: NightFaults) -> doc.Words:
    run, _, number = each.last.partition("/")
    what = count(each.matches, "match" if each.charged else "report")
    told = f": {what} {'by' if each.charged else 'of'} {each.kind}; the last is "
    return [doc.Prose(each.bot), told, doc.MatchRef(run, int(number))]


def _lines(lines: list[doc.Value | doc.Words]) -> doc.Lines:
    more = [f"and {len(lines) - LISTED:,} more"] if len(lines) > LISTED else []
    return doc.Lines([*lines[:LISTED], *more])


def _on_versions(versions: Iterable[NewVersion], *, with_notes: bool) -> Iterator[doc.Words]:
    """Yield a line for all new bots, and for all new versions, that have the same note."""
    groups: dict[tuple[bool, str], list[doc.Value]] = {}
    for each in versions:
        group = each.is_new_bot, each.note if with_notes else ""
        groups.setdefault(group, []).append(doc.Prose(f"{each.bot}@{each.number}"))
    for (is_new, note), names in groups.items():
        what = count(len(names), "new bot" if is_new else "new version")
        line = [f"{what}: ", *doc.some_of(names, NAMED)]
        yield [*line, ": ", doc.Prose(note)] if note else line


def _on_places(places: Iterable[NightPlace]) -> Iterator[doc.Words]:
    """Yield a line for each bot that has another place, and one for all that are new at a game."""
    new: dict[str, list[doc.Words]] = {}
    for each in places:
        now, bot = _interval(each.low, each.high), doc.Prose(each.bot)
        if each.was_low is None or each.was_high is None:
            new.setdefault(each.game, []).append([bot, f" at {now}"])
            continue
        way = "up" if each.high < each.was_low else "down"
        was = _interval(each.was_low, each.was_high)
        yield [doc.GameRef(each.game), ": ", bot, f" went {way} to {now}, from {was}"]
    for game, bots in new.items():
        yield [doc.GameRef(game), f": {count(len(bots), 'bot')} new: ", *doc.some_of(bots, NAMED)]


def _interval(low: int, high: int) -> str:
    return f"{low}" if low == high else f"{low} to {high}"


def _time(when: str) -> str:
    return f"{when[:16].replace('T', ' ')} UTC"
