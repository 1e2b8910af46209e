"""What the authors of bots may read of their matches, and what of it each person finds after a run."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

from ladder.errors import OF_MACHINE
from ladder.home import night
from ladder.home.home import Home, open_home
from ladder.home.machine_paths import hide_paths, paths_of_machine
from ladder.replay.bot_identity import identity
from ladder.replay.feedback import FEEDBACK, feedback
from results.rating.cache import ratings_of
from results.reports.bot_facts import BotFacts, BotReader
from results.reports.labels import file_names
from results.reports.leaderboard import GameBoard
from results.storage.disk import put_page
from results.storage.store import Store
from results.words import count


def feedback_of(home: Home, bots: Iterable[str], season: str | None = None) -> Iterator[tuple[BotFacts, str]]:
    """Yield the facts about *bots*, NAME or NAME@NUMBER, and their feedback.

    A name alone means the version that plays or, if that has not played yet, the newest that has.
    """
    contents = Store(home.results).contents().of_season(season)
    rated, numbers = ratings_of(contents), home.roster.numbers()
    played = {key for each in rated.values() for key in each.standings}
    chosen = []
    for wanted in bots:
        plays = home.roster.find(wanted)
        mine = home.roster.versions_of(plays.bot)
        versions = [each for each in mine if each.id == plays.id or not each.aside]
        best = [(each.bot, each.version) for each in (plays, *reversed(versions))]
        key = best[0] if "@" in wanted else next((key for key in best if key in played), best[0])
        chosen.append((key, versions))
    keys = {key for key, _ in chosen}
    reader = BotReader(contents, rated, keys, home.hidden_versions(contents), at_once=True)
    for key, versions in chosen:
        paths = paths_of_machine(home, [each.folder for each in versions])
        facts = reader.facts(key, [(each.bot, each.version) for each in versions])
        version = next(each for each in versions if (each.bot, each.version) == key)
        known = identity(version, {})
        yield facts, feedback(reader.contents, facts, versions, numbers, known, partial(hide_paths, paths))


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
    persons = {bot: who for bot, who in home.roster.persons().items() if bot in report.played}
    names, failed = file_names(persons), []
    for facts, text in feedback_of(home, persons):
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
    bot: str, report: night.NightReport, boards: Sequence[GameBoard], told: night.ToldLast | None
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
            how = f"lost by {fault.kind}" if fault.charged else f"of {fault.kind}, which cost no match"
            yield f"{what} {how}: {fault.last}"
