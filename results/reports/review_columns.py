"""The columns of a leaderboard about reviews; what they hold, ladder.replay.review.board_reviews says."""

from typing import Final

from results.reports.document import Column, Row, digits

REVIEWED: Final = (
    Column("error", "error %", digits(2), right=True),
    Column("error_margin", "+-", digits(2), right=True),
    Column("luck", "luck %", "{:+.1f}".format, right=True),
    Column("luck_margin", "+-", digits(1), right=True),
    Column("reviewed_matches", "reviewed", right=True),
    Column("matches_with_luck", "with luck", right=True),
)
"""The columns of a leaderboard about reviews, in % of a result: a mean a decision, and one a match."""
WITH_MARGINS: Final = {"error": ("error", "error_margin"), "luck": ("luck", "luck_margin")}
"""What is shown for a column: a mean is never without its interval."""
NO_REVIEWS: Final[Row] = dict.fromkeys(column.key for column in REVIEWED)
"""The values of a bot without a review."""
