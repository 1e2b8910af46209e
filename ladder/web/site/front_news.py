"""Who leads, who rose and who is new: what the first page says in words, and no more than results carry."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from ladder.web.site.format import LinkedBot, Shown, name_of
from results.rating.calibration import sure_pair_z
from results.rating.fit import Fit
from results.reports.labels import Key
from results.reports.leaderboard import GameBoard
from results.words import count

DAYS: Final = 7
"""How many days a version is new, up to the newest match."""
NAMED: Final = 5
"""The most bots that a sentence names."""
SURE: Final = 0.975
"""How sure all rises together are."""


class TopOfGame(NamedTuple):
    """Which bots may be the best of a game."""

    leader: LinkedBot | None
    """The one that is told apart from all others that are ranked."""
    open: list[LinkedBot]
    """Otherwise the first of those above which none is known to be..."""
    more: int
    """...and how many more there are."""
    others: int
    """How many other bots are ranked."""
    unranked: int
    """How many have too few matches to be ranked."""


class Rise(NamedTuple):
    """A new version that is better than the one before it, with SURE for all of them together."""

    bot: LinkedBot
    before: str
    game: str
    lead: float
    """By how much it is rated higher."""
    date: str


class Newcomer(NamedTuple):
    """A version that came in the last days."""

    bot: LinkedBot
    is_first: bool
    """Whether it is the first version of its bot."""
    date: str
    played: str
    """How many matches it has; empty: none."""


def top_of(shown: Shown, game: str) -> TopOfGame:
    """Return which bots of *game* may be the best, by the one rule of all tables: GameBoard.is_open."""
    board = shown.facts.boards[game]
    ranked = board.ranked
    first = [i for i in ranked if board.places[i][0] == 1]
    leads = len(ranked) > 1 and len(first) == 1 and board.places[first[0]] == (1, 1)
    bots = [shown.bot(board.fit.bots[i]) for i in first]
    return TopOfGame(
        leader=bots[0] if leads else None,
        open=[] if leads else bots[:NAMED],
        more=0 if leads else len(bots[NAMED:]),
        others=len(ranked) - len(first),
        unranked=len(board.unranked),
    )


def rises(shown: Shown) -> list[Rise]:
    """Return the new versions that are surely better than the version before, the largest lead first."""
    new = dict(_new_versions(shown))
    compared = [
        (game, board, key, before)
        for game, board in shown.facts.boards.items()
        for key in new
        if (before := _before(shown, board, key))
    ]
    found = [
        Rise(
            shown.bot(key, _name(shown, key)),
            _name(shown, before),
            name_of(game),
            board.rated.standings[key].mu - board.rated.standings[before].mu,
            new[key][:10],
        )
        for game, board, key, before in compared
        if _is_surely_above(board.fit, key, before, len(compared))
    ]
    return sorted(found, key=lambda rise: (-rise.lead, rise.bot.label, rise.game))


def newcomers(shown: Shown) -> list[Newcomer]:
    """Return the versions that came in the last days, the newest first."""
    found = []
    for key, submitted in sorted(_new_versions(shown), key=lambda each: each[1], reverse=True):
        matches = _matches(shown, key)
        is_first = shown.facts.keys[key[0]][0] == key
        played = count(matches, "match") if matches else ""
        bot = shown.bot(key, key[0] if is_first else _name(shown, key))
        found.append(Newcomer(bot, is_first, submitted[:10], played))
    return found


def _new_versions(shown: Shown) -> Iterator[tuple[Key, str]]:
    """Yield the versions that were submitted in the last days before the newest match, or after it, and when.

    All are old that were here before the first run: it is not that they came which is new.
    """
    facts = shown.facts
    if not facts.runs or not facts.survey.last:
        return
    begun = _time(facts.runs[0].started)
    newest = _time(max(facts.survey.last.values()))
    since = max(begun, newest - timedelta(days=DAYS))
    is_over = facts.contents.season_is_over
    for version in facts.versions:
        key = (version.bot, version.version)
        submitted = _read_time(version.submitted)
        if submitted is None or submitted < since or key in facts.hidden:
            continue
        if _matches(shown, key) or not (version.rests or is_over):
            yield key, version.submitted


def _matches(shown: Shown, key: Key) -> int:
    return sum(
        board.rated.standings[key].matches
        for board in shown.facts.boards.values()
        if key in board.rated.standings
    )


def _before(shown: Shown, board: GameBoard, key: Key) -> Key | None:
    """Return the version of the same bot before *key*, if both have a rating in the game."""
    played = [each for each in shown.facts.keys[key[0]] if each in board.rated.standings]
    at = played.index(key) if key in played else 0
    return played[at - 1] if at else None


def _is_surely_above(fit: Fit, one: Key, other: Key, compared: int) -> bool:
    """Return whether *one* is better than *other*, so surely that all of *compared* are so with SURE."""
    if not any(one in group and other in group for group in fit.groups()):
        return False
    i, j = fit.bots.index(one), fit.bots.index(other)
    difference, error = fit.difference(i, j)
    return difference > sure_pair_z(compared) * error and fit.p_above(i, j) > 1 - (1 - SURE) / compared


def _name(shown: Shown, key: Key) -> str:
    number = shown.facts.numbers.get(key)
    return f"{key[0]}@{number or key[1][:6]}"


def _time(us: int) -> datetime:
    return datetime.fromtimestamp(us / 1e6, UTC)


def _read_time(text: str) -> datetime | None:
    """Return the time that a version was submitted; None if an older ladder did not note it."""
    try:
        read = datetime.fromisoformat(text)
    except ValueError:
        return None
    return read if read.tzinfo else read.replace(tzinfo=UTC)
