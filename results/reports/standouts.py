"""Find the nemesis and the prey of a bot: the rival that it does worst against for its rating, and best.

What counts is its score against the rival less what the ratings expect, less the mean of that over the three
rivals next to it in rating.  So a bot that does badly against all strong ones has no nemesis among them.
"""

from collections.abc import Mapping, Sequence
from math import comb, sqrt
from typing import TYPE_CHECKING, NamedTuple

from results.rating.calibration import MeetingModel, sure_pair_z
from results.rating.one_sided import Z_95
from results.reports.document import Row
from results.reports.labels import Key, Numbers, labels
from results.reports.leaderboard import GameBoard
from results.reports.survey import Meetings

if TYPE_CHECKING:
    from results.rating.rated import Rated

BESIDE = 3
"""The number of rivals next to a rival in rating that it is compared with..."""
FEWEST_BESIDE = 2
"""...and the least: with one alone, it would be as much about that one."""
FEWEST_RIVALS = 8
"""Among fewer, a rival that stands out has moved the ratings of the others, and no interval is told."""
LEAST_NOISE = 4.0
"""The least variance of the points against a rival: with less they are not normal, and nothing is said."""


class _Residual(NamedTuple):
    """A bot's score against a rival, beside what the ratings expect."""

    met: Meetings
    mu: float
    """The rating of the rival."""
    score: float
    expected: float
    variance: float
    """Of the score, if the ratings are right."""

    @property
    def excess(self) -> float:
        return self.score - self.expected


def standouts(meetings: Sequence[Meetings], board: GameBoard, bot: Key) -> list[Row]:
    """Return the nemesis and the prey of *bot*, where they are sure: a row for each, or none.

    *meetings* are those of *bot*.  Over all its rivals together, one is found in at most 5 % by chance
    (Bonferroni).  `excess` is the difference in points of score, with its 95 % interval from eight rivals on.
    """
    residuals, found = _residuals(meetings, board.rated, bot), list[Row]()
    surest = _surest(residuals)
    if surest:
        found.append(surest)
        # Beside a rival that stands out, those next to it would stand out the other way.
        rest = [each for each in residuals if _key(each.met) != (surest["rival"], surest["rival_version"])]
        other = _surest(rest)
        if other and other["role"] != surest["role"]:
            found.append(other)
    if len(residuals) < FEWEST_RIVALS:
        found = [{**row, "excess_low": None, "excess_high": None} for row in found]
    return sorted(found, key=lambda row: row["role"])


def _surest(residuals: Sequence[_Residual]) -> Row | None:
    """Return the row of the rival that stands out most surely, if one does so surely."""
    rows = [row for own in residuals if (row := _compare(own, residuals))]
    most = max(rows, key=lambda row: (abs(row["excess"]) / row["se"], row["rival"]), default=None)
    if most is None or abs(most["excess"]) <= sure_pair_z(len(rows)) * most["se"]:
        return None
    return {"role": "nemesis" if most["excess"] < 0 else "prey", **most}


def _key(met: Meetings) -> Key:
    return met.rival, met.rival_version


def _residuals(meetings: Sequence[Meetings], rated: "Rated", bot: Key) -> list[_Residual]:
    fit, model = rated.fit, MeetingModel(rated.parameters)
    index = {each: i for i, each in enumerate(fit.bots)}
    # Sizes differ in their draws alone here, which hardly change a score: a mean over all meetings will do.
    shares = {seats: matches * comb(seats, 2) for seats, matches in rated.tables.items()}
    found = []
    for met in meetings:
        rival = (met.rival, met.rival_version)
        if rival not in index or rival == bot:
            continue
        difference = fit.mu[index[bot]] - fit.mu[index[rival]]
        expected, noise = _expect(model, difference, shares)
        noise *= fit.deviation
        if met.matches * noise >= LEAST_NOISE:
            score = (met.wins + met.draws / 2) / met.matches
            found.append(_Residual(met, fit.mu[index[rival]], score, expected, noise / met.matches))
    return found


def _expect(model: MeetingModel, difference: float, shares: Mapping[int, int]) -> tuple[float, float]:
    """Return the expected score of a meeting of two bots with this *difference*, and its variance."""
    total, expected, squares = sum(shares.values()), 0.0, 0.0
    for seats, share in sorted(shares.items()):
        win, draw, _ = model.chances(difference, 0.0, seats)
        expected += share * (win + draw / 2) / total
        squares += share * (win + draw / 4) / total
    return expected, squares - expected * expected


def _compare(own: _Residual, residuals: Sequence[_Residual]) -> Row | None:
    """Return how far *own* is from the rivals next to it; None where there are too few of them."""
    others = sorted(
        (each for each in residuals if each is not own), key=lambda each: (abs(each.mu - own.mu), each.met)
    )[:BESIDE]
    if len(others) < FEWEST_BESIDE:
        return None
    excess = own.excess - sum(each.excess for each in others) / len(others)
    se = sqrt(own.variance + sum(each.variance for each in others) / len(others) ** 2)
    return {
        "rival": own.met.rival,
        "rival_version": own.met.rival_version,
        "matches": own.met.matches,
        "win_rate": own.score,
        "expected": own.expected,
        "excess": excess,
        "excess_low": excess - Z_95 * se,
        "excess_high": excess + Z_95 * se,
        "se": se,
    }


def standout_lines(rows: Sequence[Row], opponents: Sequence[Row], numbers: Numbers) -> list[str]:
    """Return *rows* of `standouts` as lines for people, with the names that its *opponents* have there."""
    keys = [(row["rival"], row["rival_version"]) for row in rows]
    label = labels([*keys, *((row["rival"], row["rival_version"]) for row in opponents)], numbers)
    return [
        f"{row['role']}: {label[key]}, wins {100 * row['win_rate']:.0f} of 100 in {row['matches']:,}"
        f" meetings, where ratings say {100 * row['expected']:.0f}; beside its neighbours"
        f" {_more_or_fewer(row)}"
        for key, row in zip(keys, rows, strict=True)
    ]


def _more_or_fewer(row: Row) -> str:
    said = f"{100 * abs(row['excess']):.0f} {'more' if row['excess'] > 0 else 'fewer'}"
    if row["excess_low"] is None:
        return said
    low, high = sorted(abs(row[key]) for key in ("excess_low", "excess_high"))
    return f"{said} ({100 * low:.0f} to {100 * high:.0f})"
