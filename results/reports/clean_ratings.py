"""The ratings from matches in which no bot was charged with a fault, beside those from all matches."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from results.rating.misfit import find_size_gaps
from results.rating.rated import Rated
from results.reports.board_notes import fit_note
from results.reports.document import Column, Note, Row, digits
from results.reports.doubts import bots_without_order, clip
from results.reports.intervals import rating_of, value_of, with_ends
from results.reports.labels import Key, Numbers, labels
from results.reports.leaderboard import GameBoard, share_of
from results.words import count

CLEAN = (
    Column("clean", "clean", digits(1), right=True, kind=value_of("clean", "clean_")),
    Column("clean_low", "from", digits(1), right=True),
    Column("clean_high", "to", digits(1), right=True),
    Column("played", "played %", digits(3), right=True, kind=share_of("played")),
)
"""The columns of a leaderboard about faults: a rating with its interval, and the share of matches without."""


class BothRated(NamedTuple):
    """The ratings by game from the same matches: all of them, and those without a charged fault."""

    every: Mapping[str, Rated]
    clean: Mapping[str, Rated]


def add_clean(rows: Iterable[Row], both: BothRated) -> list[Row]:
    """Return *rows* of `leaderboard` with the values of CLEAN; None for a bot without such matches."""
    fits = {game: of.fit for game, of in both.clean.items()}
    ratings = {(game, bot): rating_of(fit, i) for game, fit in fits.items() for i, bot in enumerate(fit.bots)}
    found = []
    for row in rows:
        game, bot = row["game"], (row["bot"], row["version"])
        rating = ratings.get((game, bot), {})
        clean = with_ends("clean", rating.get("mu"), (rating.get("mu_low"), rating.get("mu_high")))
        of = both.every[game].standings.get(bot) if game in both.every else None
        played = with_ends("played", 1 - sum(of.faults.values()) / of.matches if of else None)
        found.append({**row, **clean, **played})
    return found


def clean_notes(both: BothRated, board: GameBoard, numbers: Numbers, options: str) -> list[Note]:
    """Say which bots are surely in another order without faults; *options* are those of the command."""
    boards = [GameBoard(of[board.game], board.hidden) for of in both if board.game in of]
    if not boards[1:]:
        return []
    every, clean = boards
    # as for table sizes: of all pairs of a game, a wrong one is named with at most 5 %
    gaps = find_size_gaps({0: every.fit, 1: clean.fit})
    pairs = [(gap.below, gap.above) for gap in gaps]
    turned = [pair for pair in pairs if _is_told(clean, *pair) and _is_told(every, *reversed(pair))]
    if not turned:
        return []
    more = f", and {count(len(turned) - 1, 'more pair')}" if turned[1:] else ""
    label = labels((every.fit.bots[i] for i in every.by_rating), numbers)

    def say(_: int, width: int) -> str:
        above, below = (clip(label[bot], width) for bot in turned[0])
        return f"without faults {above} is above {below}; with them it is below{more}"

    same = options.replace(" --clean", "")
    return [Note(fit_note(say), f"ladder leaderboard --game {board.game} --columns mu,clean,played{same}")]


def _is_told(board: GameBoard, above: Key, below: Key) -> bool:
    """Return whether *board* ranks both bots, and tells the first from the second, which it is above."""
    place = {board.fit.bots[i]: i for i in board.ranked}
    is_order = {above, below} <= place.keys() and not bots_without_order(board) >= {above, below}
    return is_order and not board.is_open(place[above], place[below])
