"""What has become of the bots of each person, written into an outbox when a run has ended."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from ladder.errors import OF_MACHINE
from ladder.home import night
from ladder.home.home import open_home
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
    told = night.read_told(home, night.TOLD_TO_MEMBERS)
    if not night.new_runs(contents, told):
        return []
    boards = night.boards_of(home, contents, ratings_of(contents))
    report = night.night_report(home, contents, boards, night.TOLD_TO_MEMBERS)
    entries = {bot: of[-1].entry or "" for bot, of in home.roster.places().items() if bot in report.played}
    persons = {bot: entry[:-1] for bot, entry in entries.items() if entry.endswith("/")}
    versions = {bot: home.roster.versions_of(bot) for bot in persons}
    wanted = [(by_preference(home.roster.find(bot), versions[bot]), versions[bot]) for bot in persons]
    names, failed = file_names(persons), []
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
            failed.append(f"{page} is not written: {error.strerror}")
    night.keep_told(home, report, contents, boards, night.TOLD_TO_MEMBERS)
    return failed


def _news(
    bot: str, report: night.NightReport, boards: Sequence[GameBoard], told: night.Told | None
) -> Iterator[str]:
    """Yield what has happened to *bot* since *told*."""
    yield count(report.played[bot], "match") + (f" since {told.when}" if told else "")
    for board in boards:
        both = night.places_on(board), told.places.get(board.game, {}) if told else {}
        now, then = (" to ".join(map(str, sorted({*of[bot]}))) if bot in of else "none" for of in both)
        if (now, then) != ("none", "none"):
            yield f"place at {board.game}: {now}; before: {then}"
    for fault in report.faults:
        if fault.bot == bot:
            what = count(fault.matches, "match" if fault.charged else "report")
            yield f"{what} {'lost by' if fault.charged else 'without a loss of'} {fault.kind}: {fault.last}"
