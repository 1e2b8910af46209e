"""`ladder review`: what the decisions of a match, or of a bot, cost."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from ladder.cli.options import (
    MATCH,
    AnswerFormatOption,
    HomeOption,
    existing_home,
    known_game,
    note,
    print_json,
    store_of,
)
from ladder.cli.show_document import show_document
from ladder.errors import LadderError
from ladder.machine.cores import usable_cores
from ladder.run.match_options import OWN_JOBS
from ladder.run.option import Option, WrongOption, whole
from results.errors import DiskFailed
from results.reports.document import Document
from results.reports.values_as_text import escape
from results.words import count

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ladder.home.home import Home
    from results.record import Match
    from results.reviewed import ReviewedStep
    from results.storage.contents import Contents

REVIEWED = Option("With --bot: only matches of this game.", metavar="GAME", completes="games", short=True)
REVIEWERS = replace(OWN_JOBS, help="With --bot: processes that review matches.")
SHOWN = 25
"""The number of matches after which the command reports its progress."""
BotOption: TypeAlias = Annotated[
    str | None,
    Option(
        "Review the newest matches of this bot instead: NAME, NAME@NUMBER or NAME@HASH.",
        metavar="BOT",
        completes="bots",
        short=True,
    ),
]
SeatOption: TypeAlias = Annotated[
    int | None,
    Option(
        "Show only what this seat knew: no open cards, no other seat.",
        metavar="N",
        read=whole(0, 63),
        short=True,
    ),
]
WorldsOption: TypeAlias = Annotated[
    int | None,
    Option(
        "Try all options in N worlds, then only the better half of them. Nothing is stored.",
        metavar="N",
        default="what the judge of the game says",
        read=whole(2, 1000),
    ),
]
WorstOption: TypeAlias = Annotated[
    int,
    Option("With --bot: list the N decisions that cost most.", metavar="N", read=whole(0, 1000), short=True),
]


def review(
    match: Annotated[str | None, MATCH] = None,
    bot: BotOption = None,
    matches: Annotated[
        int, Option("With --bot: at most N of its matches.", metavar="N", read=whole(1))
    ] = 100,
    worst: WorstOption = 5,
    seat: SeatOption = None,
    worlds: WorldsOption = None,
    full: Annotated[bool, Option("With --bot: whole reviews, which take ten times as long.")] = False,
    drop: Annotated[bool, Option("Remove all stored reviews.")] = False,
    game: Annotated[str | None, REVIEWED] = None,
    jobs: Annotated[int | None, REVIEWERS] = None,
    home: HomeOption = None,
    format: AnswerFormatOption = "table",  # noqa: A002 - the option's name
) -> None:
    """Show what decisions cost, in a match or over many.

    Each decision is judged by what its seat could know: in many worlds that look alike to it, every option is
    played, and the judge of the game says what each seat may then expect. A loss is how much more the best
    option promises than the one that was played, in points or in percent of the result. Only losses that are
    surely above 3, 6 and 12 % are called an inaccuracy, a mistake and a blunder. What made each result, such
    as luck and moves, adds up to it.

    Reviews are stored in results/reviews, and never count in ratings. A judge has a style of its own and
    favours players with the same style: a review explains, but does not prove which bot is better, and it
    proves nothing about a person.

    Example: ladder review last
    """
    if bot is None and (matches != 100 or worst != 5 or full or game):
        flag = "--game" if game else "--matches"
        raise WrongOption(flag, "--matches, --worst, --game and --full need --bot")
    if sum([match is not None, bot is not None, drop]) != 1:
        raise WrongOption("MATCH", "expected a match, --bot BOT or --drop")
    if match is None and (seat is not None or worlds is not None):
        raise WrongOption("--seat", "--seat and --worlds are for one match")
    where, json = existing_home(home), format == "json"
    if drop:
        _drop(where)
    elif match is not None:
        _show_match(where, match, seat, worlds, json=json)
    else:
        assert bot is not None
        wanted = known_game(game) if game else None
        _show_bot(where, bot, wanted, matches, worst, jobs or 0, full=full, json=json)


def _drop(home: Home) -> None:
    from results.storage.unrated import unrated_stores

    stores = [store_of(home), *unrated_stores(home.results).values()]
    gone = sum(store.reviews.drop(lambda key: True) for store in stores)
    note(f"removed {count(gone, 'review')}")


def _show_match(home: Home, name: str, seat: int | None, worlds: int | None, *, json: bool) -> None:
    from msgspec import to_builtins

    from ladder.replay.replay import find_match, name_seats, story_of
    from ladder.replay.review.effort import scale_effort
    from ladder.replay.review.match_review import NoJudge, judge_for
    from ladder.replay.review.review_document import MatchReview, match_review, views_of
    from ladder.replay.review.reviewing import record_to_review, review_safely
    from ladder.replay.seat import check_seat
    from results.storage.unrated import contents_with

    contents, wanted = contents_with(home.results, name)
    found = find_match(contents, wanted)
    record = record_to_review(contents, found)
    if seat is not None:
        check_seat(record, seat)
    shown = record | {"run": contents.folder.name_run(found.run)}
    names = name_seats(record, home.roster.numbers())
    try:
        judge = judge_for(shown)
    except NoJudge as error:  # what needs no judge is shown all the same
        if json:
            print("[]")
        else:
            print(escape(story_of(shown, home.roster.numbers())))
        note(str(error), f"ladder replay {shown['run']}/{found.number}")
        return
    if worlds is None:
        rows, stored = _stored_or_made(contents, found, record, seat)
    else:
        stored = False
        rows = review_safely(record, scale_effort(worlds / judge.worlds), seat)
    if json:
        print_json(to_builtins(rows))
        return
    numbers = home.roster.numbers()
    seats = range(len(names)) if seat is None else [seat]
    told = MatchReview(shown, rows, names, seats, views_of(shown), numbers)
    show_document(Document("Review", match_review(told, "operator")), numbers)
    if stored:
        view = "" if seat is None else f" --seat {seat}"
        note(
            "a page shows each step with its board, and what the best options promised",
            f"ladder replay {shown['run']}/{found.number}{view} --html",
        )


def _stored_or_made(
    contents: Contents, found: Match, record: Mapping[str, Any], seat: int | None
) -> tuple[Sequence[ReviewedStep], bool]:
    """Return the review of a match, and whether it is stored: it is made if it is not there.

    Where nothing may be written, it is not stored.  With *seat*, it is that of one seat.
    """
    from ladder.replay.review.effort import FULL
    from ladder.replay.review.match_review import hide_others
    from ladder.replay.review.reviewing import make_reviews, read_review, review_safely
    from results.storage.reviews import Reviews

    try:
        for progress in make_reviews(contents, [found], FULL, 1):
            if progress.problem:
                raise LadderError(progress.problem, f"ladder replay {record['run']}/{record['number']}")
    except DiskFailed as error:
        if not error.may_not_write:
            raise
        note("the review is not stored: this user may write nothing in the home")
        return review_safely(record, FULL, seat), False
    rows = read_review(Reviews(contents.folder), record)
    return rows if seat is None else hide_others(rows, seat), True


def _show_bot(
    home: Home, name: str, game: str | None, most: int, worst: int, jobs: int, *, full: bool, json: bool
) -> None:
    from ladder.replay.feedback import read_decisions
    from ladder.replay.review.bot_review import newest_matches
    from ladder.replay.review.effort import COARSE, FULL
    from ladder.replay.review.review_document import bot_review
    from ladder.replay.review.reviewing import make_reviews

    player = home.roster.find(name)
    version = player.version if "@" in name else None
    contents = store_of(home).contents()
    matches = newest_matches(contents, player.bot, version, most, game)
    problems: dict[str, None] = {}
    for progress in make_reviews(contents, matches, FULL if full else COARSE, jobs or len(usable_cores())):
        if progress.problem:
            problems[progress.problem] = None
        if progress.done % SHOWN == 0:
            note(f"reviewed {count(progress.done, 'match', progress.total)}")
    reviewed = [(match.run, match.number) for match in matches]
    found, decisions = read_decisions(contents, player.bot, version, reviewed, worst)
    if json:
        print_json(found.to_json())
        return
    numbers = home.roster.numbers()
    show_document(bot_review(found, decisions, numbers), numbers)
    left_out = [*[*problems][:3], *([f"{len(problems) - 3:,} more"] if len(problems) > 3 else [])]
    for problem in left_out:
        note(f"left out: {problem}", f"ladder matches --bot {name}" if problem is left_out[-1] else "")
