"""Who leads, who rose and who is new: what the first page says in words, and no more than results carry."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

from ladder.web.site.format import Shown
from results.rating.calibration import sure_pair_z
from results.rating.fit import Fit
from results.reports.document import BotRef, GameRef, Words
from results.reports.intervals import say_lead
from results.reports.labels import Key
from results.reports.leaderboard import GameBoard
from results.words import count

DAYS: Final = 7
"""How many days a version is new, up to the newest match."""
NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
"""Small numbers as words."""
SURE: Final = 0.975
"""How sure all rises together are."""


def leader_of(board: GameBoard) -> Words:
    """Return which bot leads, or how many may be the best, by the rule of all tables: GameBoard.is_open."""
    ranked = board.ranked
    first = [i for i in ranked if board.places[i][0] == 1]
    if len(first) > 1:
        number = NUMBERS[len(first)] if len(first) < len(NUMBERS) else len(first)
        return [f"{number} bots level at the top"]
    if not first:
        return ["nobody is ranked yet"]
    bot = BotRef(*board.fit.bots[first[0]])
    return [bot, " leads"] if len(ranked) > 1 else ["only ", bot, " is ranked"]


def rises(shown: Shown) -> list[Words]:
    """Return the new versions that are better than the version before, the largest lead first.

    All of that is SURE together.
    """
    new = dict(_new_versions(shown))
    compared = [
        (game, board, key, before)
        for game, board in shown.facts.boards.items()
        for key in new
        if (before := _before(shown, board, key))
    ]
    found = [
        (board.rated.standings[key].mu - board.rated.standings[before].mu, key, before, game)
        for game, board, key, before in compared
        if _is_surely_above(board.fit, key, before, len(compared))
    ]
    return [
        [
            *(
                BotRef(*key, numbered=True),
                " is above ",
                BotRef(*before, numbered=True),
                " in ",
                GameRef(game),
            ),
            f": rated {say_lead(shown.facts.boards[game].fit, key, before)}, told apart, {new[key][:10]}",
        ]
        for _, key, before, game in sorted(found, key=lambda rise: (-rise[0], *rise[1:]))
    ]


def newcomers(shown: Shown) -> list[Words]:
    """Return the versions that came in the last days, the newest first."""
    found: list[Words] = []
    for key, submitted in sorted(_new_versions(shown), key=lambda each: each[1], reverse=True):
        is_first = shown.facts.keys[key[0]][0] == key
        matches = _matches(shown, key)
        played = count(matches, "match") if matches else "no match yet"
        bot = BotRef(key[0]) if is_first else BotRef(*key, numbered=True)
        found.append([bot, f" {'new bot' if is_first else 'new version'}, {submitted[:10]}, {played}"])
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
    i, j = fit.bots.index(one), fit.bots.index(other)
    return fit.lead(i, j) > sure_pair_z(compared) and fit.p_above(i, j) > 1 - (1 - SURE) / compared


def _time(us: int) -> datetime:
    return datetime.fromtimestamp(us / 1e6, UTC)


def _read_time(text: str) -> datetime | None:
    """Return the time that a version was submitted; None if an older ladder did not note it."""
    try:
        read = datetime.fromisoformat(text)
    except ValueError:
        return None
    return read if read.tzinfo else read.replace(tzinfo=UTC)
