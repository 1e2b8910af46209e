"""Say what moved where ratings that are stored were made in another way than those that are shown."""

from collections.abc import Mapping

from results.rating.rated import Rated
from results.storage.contents import Contents
from results.storage.stored_ratings import read_origin, read_ratings

BEFORE = "trueskill, all at once, 2"
"""The method of the ratings with which the shown ones are compared."""
STAYED = "trueskill, all at once, 5"
"""The method whose ratings are those that are shown, with other intervals."""


def say_moved(contents: Contents, rated: Mapping[str, Rated]) -> str:
    """Return why ratings are not those that are stored, and which moved most; empty if they are.

    It compares only what was made by the methods before this one.
    """
    origin = read_origin(contents.folder)
    if isinstance(origin, dict) and origin.get("method") == STAYED:
        return (
            "ratings stay; their intervals are told in a new way: each is that of the distance to the bots"
            " that all came before each other, and where one end alone is known, the table has that end"
        )
    if not isinstance(origin, dict) or origin.get("method") != BEFORE:
        return ""  # what is mostly so, and quickly known
    stored = read_ratings(contents.folder)
    if stored is None:
        return ""
    moves = []
    for row in stored[0].select(["game", "bot", "version", "mu"]).to_pylist():
        game, bot = row["game"], (row["bot"], row["version"])
        fit = rated[game].fit if game in rated else None
        if fit and bot in fit.bots and None not in fit.interval(fit.bots.index(bot)):  # else no table has it
            now = rated[game].standings[bot].mu
            moves.append((abs(now - row["mu"]), game, bot[0], row["mu"], now))
    if not moves:
        return ""
    _, game, name, then, now = max(moves)
    return (
        "ratings are made in a new way: they no longer rest on a belief that bots are alike, and each two"
        " bots have an interval of their own. The largest move is that of"
        f" {name} at {game} from {then:.1f} to {now:.1f}"
    )
