"""Matches for programs: lists of them, their records, and what their decisions cost."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ladder.api.asked import MatchesRequest, ReviewRequest
from ladder.home.chosen_results import ChosenResults, results_in
from ladder.home.home import Home, read_home
from ladder.machine.cores import usable_cores
from ladder.replay.replay import find_match
from ladder.replay.review.bot_review import newest_matches
from ladder.replay.review.effort import COARSE, FULL
from ladder.replay.review.reviewing import Reviewing, make_reviews, record_to_review, review_now
from ladder.replay.seat import check_seat, seat_record
from ladder.replay.steps import EVERYTHING, Sight, Viewpoint, all_positions, look
from ladder.run.match_options import known_game
from results.record import Json, Match
from results.reports.document import Row
from results.reports.row_sets import MATCHES, PLACE, Selection, select_newest
from results.reports.row_sets import matches as rows_of
from results.reviewed import ReviewedStep
from results.storage.contents import Contents
from results.storage.schema import Table, to_table
from results.storage.store import Store
from results.storage.unrated import contents_with

MATCH_COLUMNS = (*MATCHES, *PLACE)
"""What programs get of a match."""


class ListedMatches(NamedTuple):
    """The newest of the matches that are asked for."""

    rows: Sequence[Row]
    found: int
    """How many there are in all."""
    chosen: ChosenResults


def list_matches(asked: MatchesRequest) -> ListedMatches:
    """Return the matches that are *asked* for, newest first.  Raises NotFound for a bot or game."""
    where, bot = read_home(asked.home), asked.bot
    version = where.roster.find(bot) if bot else None
    wanted = Selection(
        bot=version.bot if version else None,
        version=version.version if version and bot and "@" in bot else None,
        lost=asked.lost,
        fault=asked.fault,
        game=known_game(asked.game) if asked.game else None,
    )
    chosen = results_in(where, asked.within)
    rows, found = select_newest(chosen.contents, wanted, asked.top, chosen.run)
    return ListedMatches(rows_of(rows, chosen.unrated and asked.within), found, chosen)


@dataclass(frozen=True)
class ReplayedMatch:
    """The *record* of a match, as `ladder replay --format json` has it: of all seats, or of one *seat*."""

    record: Mapping[str, Json]
    seat: int | None
    _whole: Mapping[str, Json] = field(repr=False)

    @classmethod
    def of(cls, whole: Mapping[str, Json], seat: int | None) -> "ReplayedMatch":
        """Return what *seat* had of the *whole* record, or without one all of it."""
        return cls(whole if seat is None else seat_record(whole, seat), seat, whole)

    def steps(self) -> list[Sight]:
        """Return positions with views, events, options, moves, of all or this seat.  Raises LadderError."""
        viewpoint: Viewpoint = EVERYTHING if self.seat is None else self.seat
        return [look(position, viewpoint) for position in all_positions(self._whole)]


def review_one(home: Home, asked: ReviewRequest) -> Table:
    """Return what decisions cost in the match that is *asked* for.  Raises NoReview, which says why not."""
    contents, wanted = contents_with(home.results, asked.match or "")
    found = find_match(contents, wanted)
    record = record_to_review(contents, found)
    if asked.seat is not None:
        check_seat(record, asked.seat)
    rows, _ = review_now(contents, found, record, asked.seat, asked.worlds)
    return to_table(rows, ReviewedStep)


class NewestReviewed(NamedTuple):
    """The newest matches of a bot, or of one version of it, which are reviewed now."""

    contents: Contents
    bot: str
    version: str | None
    matches: Sequence[Match]


def review_newest(
    home: Home, asked: ReviewRequest, hear: Callable[[Reviewing], object] = lambda progress: None
) -> NewestReviewed:
    """Review the matches of the bot that is *asked* for; *hear* is told how far that is."""
    assert asked.bot
    game, jobs = asked.game and known_game(asked.game), asked.jobs or len(usable_cores())
    player, contents = home.roster.find(asked.bot), Store(home.results).contents()
    version = player.version if "@" in asked.bot else None
    newest = newest_matches(contents, player.bot, version, asked.matches, game)
    for progress in make_reviews(contents, newest, FULL if asked.full else COARSE, jobs):
        hear(progress)
    return NewestReviewed(contents, player.bot, version, newest)
