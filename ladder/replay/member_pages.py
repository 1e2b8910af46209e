"""What has become of the bots of each person, written into an outbox when a run has ended."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from ladder.errors import OF_MACHINE
from ladder.home.home import open_home
from ladder.home.night import (
    TOLD_TO_MEMBERS,
    NightReport,
    Told,
    boards_of,
    keep_told,
    new_runs,
    night_report,
    places_on,
    read_told,
)
from ladder.replay.feedback import FEEDBACK, by_preference, feedback_of
from results.rating.cache import ratings_of
from results.reports.labels import file_names
from results.reports.leaderboard import GameBoard
from results.storage.disk import put_page
from results.storage.store import Store
from results.words import count


def write_member_pages(asked: tuple[Path, Path]) -> list[str]:
    """Write OUTBOX/PERSON/bots/BOT.md for all who have played in a home since this was done last.

    Return what could not be written, in words.  If this is killed, the next time does the same again.
    """
    home, outbox = open_home(asked[0]), asked[1]
    contents = Store(home.results).contents()
    told = read_told(home, TOLD_TO_MEMBERS)
    if not new_runs(contents, told):
        return []
    boards = boards_of(home, contents, ratings_of(contents))
    report = night_report(home, contents, boards, TOLD_TO_MEMBERS)
    entries = {bot: [each.entry or "" for each in of] for bot, of in home.roster.places().items()}
    persons = {
        bot: of[-1][:-1] for bot, of in entries.items() if of[-1].endswith("/") and bot in report.played
    }
    names, failed = file_names(persons), []
    versions = {bot: home.roster.versions_of(bot) for bot in persons}
    wanted = [(by_preference(home.roster.find(bot), versions[bot]), versions[bot]) for bot in persons]
    for facts, text in feedback_of(home, wanted):
        bot = facts.bot[0]
        page = outbox / persons[bot] / "bots" / f"{names[bot]}.md"
        news = "\n".join(f"- {line}" for line in _news(bot, report, boards, told))
        try:
            page.parent.parent.mkdir(exist_ok=True)
            put_page(page, text.replace(FEEDBACK, f"{FEEDBACK}\n\n# New\n\n{news}", 1))
        except OSError as error:
            if error.errno in OF_MACHINE:
                raise
            failed.append(f"{page}: {error.strerror}")
    keep_told(home, report, contents, boards, TOLD_TO_MEMBERS)
    return failed


def _news(bot: str, report: NightReport, boards: Sequence[GameBoard], told: Told | None) -> Iterator[str]:
    """Yield what has happened to *bot* since *told*."""
    since = f" since {told.when[:16].replace('T', ' ')} UTC" if told else ""
    yield f"{count(report.played[bot], 'match')}{since}"
    for board in boards:
        now, then = (
            places.get(bot) for places in (places_on(board), told.places.get(board.game, {}) if told else {})
        )
        if now or then:
            yield f"{board.game}: {_place(now)}; before: {_place(then)}"
    for fault in report.faults:
        if fault.bot == bot:
            yield f"lost by {fault.kind}: {count(fault.matches, 'match')}, the last of them {fault.last}"
    if failures := report.reported.get(bot):
        yield f"its service failed {count(failures, 'time')}, which cost no match"


def _place(place: tuple[int, int] | None) -> str:
    if place is None:
        return "no place"
    return f"place {place[0]}" if place[0] == place[1] else f"place {place[0]} to {place[1]}"
