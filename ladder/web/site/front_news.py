"""Who leads, rose or is new, and what to watch: what the first page says, and no more than results carry."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from ladder.web.site.format import Shown
from results.rating.calibration import sure_pair_z
from results.rating.fit import Fit
from results.record import Match
from results.reports.document import BotRef, GameRef, Words
from results.reports.intervals import say_lead
from results.reports.labels import Key
from results.reports.leaderboard import GameBoard
from results.reports.survey import MatchId
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


# -- the matches most worth watching, one of each kind, with the reason why


class Watched(NamedTuple):
    """A match to watch."""

    which: MatchId
    kind: str
    why: str


class _Found(NamedTuple):
    """How much a match stands out in one way, and what is said of it."""

    much: float
    which: MatchId
    why: str


def worth_watching(shown: Shown) -> list[Watched]:
    """Return an upset, a close match and the newest, as far as there are.

    Only matches with a page are looked at, and none of them twice.  Those with a fault are left out: it
    decided them.
    """
    played = {which: match for which, (match, _) in shown.matches.items() if is_whole(match)}
    newest = (_Found(0.0, which, "the newest") for which in played)
    kinds = {"Upset": _upsets(shown, played), "Close": _close_ones(played), "New": newest}
    found: dict[MatchId, Watched] = {}
    for kind, rated in kinds.items():
        if best := max((each for each in rated if each.which not in found), default=None):
            found[best.which] = Watched(best.which, kind, best.why)
    return [*found.values()]


def is_whole(match: Match) -> bool:
    """Return whether *match* has a result that no fault decided."""
    return all(seat.rank and seat.score is not None and not seat.fault for seat in match.seats)


def _upsets(shown: Shown, played: Mapping[MatchId, Match]) -> Iterator[_Found]:
    """Yield the matches whose winner is rated lower than somebody it beat, and told apart from it."""
    for which, match in played.items():
        if board := shown.facts.boards.get(match.game):
            for winner, loser in _beaten(match):
                if lead := _lead(board, loser, winner):
                    names = [shown.facts.label.get(bot, bot[0]) for bot in (winner, loser)]
                    said = f"{names[0]} beats {names[1]}, which is rated {say_lead(board.fit, loser, winner)}"
                    yield _Found(lead, which, said)


def _beaten(match: Match) -> Iterator[tuple[Key, Key]]:
    """Yield the winner, if there is one alone, with each of those it beat."""
    winners = [seat for seat in match.seats if seat.rank == 1]
    if len(winners) == 1:
        for seat in match.seats:
            if seat.rank != 1:
                yield (winners[0].bot, winners[0].version), (seat.bot, seat.version)


def _lead(board: GameBoard, above: Key, below: Key) -> float:
    """Return by how much *above* is rated higher, if the two are told apart; else 0."""
    places = {board.fit.bots[i]: i for i in board.ranked}
    if above not in places or below not in places or board.is_open(places[above], places[below]):
        return 0.0
    return max(0.0, board.rated.standings[above].mu - board.rated.standings[below].mu)


def _close_ones(played: Mapping[MatchId, Match]) -> Iterator[_Found]:
    """Rate by how few points, of those of the first, lie between the two highest scores."""
    for which, match in played.items():
        first, second, *_ = sorted((seat.score or 0 for seat in match.seats), reverse=True)
        if first > max(second, 0):
            yield _Found((second - first) / first, which, f"{count(first - second, 'point')} apart")
