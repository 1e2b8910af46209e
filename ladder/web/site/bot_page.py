"""The page of a bot: all its versions, in all games."""

from collections.abc import Sequence

from ladder.replay.bot_document import BotSubject, bot_document
from ladder.replay.bot_identity import identity
from ladder.replay.feedback import read_decisions
from ladder.web.site.format import Shown, date_of
from results.reports.document import Table
from results.reports.labels import Key, display_of

DECISION_ASSETS = ("board.css", "review.css")
"""What a page with decisions needs besides what every page needs."""
CARDS = 10
MATCHES = 12


def bot_page(shown: Shown, bot: str) -> str:
    """Return the page of *bot*."""
    subject = _subject(shown, bot)
    document = bot_document(subject, "operator" if shown.options.private else "public")
    assets = DECISION_ASSETS if subject.decisions else ()
    return shown.page(document, shown.frame("bots.html", "../", [_measure(shown, bot)], assets))


def _subject(shown: Shown, bot: str) -> BotSubject:
    facts, options = shown.facts, shown.options
    versions = [version for version in facts.versions if version.bot == bot]
    keys = facts.keys[bot]
    review, decisions = (
        read_decisions(facts.contents, bot, None, facts.reviewed) if facts.reviewed else (None, [])
    )
    known = []
    if versions:
        limits = facts.home.limits_of(versions[-1])
        known = identity(versions[-1], limits, with_notes=options.shows_notes)
    return BotSubject(
        bot,
        [facts.reader.facts(key, keys) for key in reversed(keys)],
        versions,
        facts.numbers,
        known,
        review=review,
        decisions=decisions,
        cards=CARDS,
        matches={game: table for game in facts.boards if (table := _matches(shown, bot, keys, game)).rows},
        with_notes=options.shows_notes,
    )


def _matches(shown: Shown, bot: str, keys: Sequence[Key], game: str) -> Table:
    """Return the matches of *bot* that are worth looking at: notable ones, and the newest with a fault."""
    survey = shown.facts.survey
    wanted = dict.fromkeys(match for key in keys for match in survey.notable(game, key).values())
    wanted |= dict.fromkeys(match for key in keys for match in survey.faulted.get((game, key), [])[-1:])
    wanted |= dict.fromkeys(
        which
        for which, (match, _) in shown.matches.items()
        if match.game == game and any(seat.bot == bot for seat in match.seats)
    )
    return shown.match_table([*wanted], f"Matches of {bot} in {game}", MATCHES)


def _measure(shown: Shown, bot: str) -> str:
    last = [us for (_, key), us in shown.facts.survey.last.items() if key[0] == bot]
    called = display_of(bot, shown.facts.numbers)
    return f"{called}: last match {date_of(max(last))}" if last else f"{called}: no match yet"
