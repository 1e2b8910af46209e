"""`ladder review`: what the decisions of a match, or of a bot, cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from ladder.api.asked import NEED_BOT, ReviewRequest
from ladder.cli.options import AnswerFormatOption, existing_home, note, print_json, store_of
from ladder.cli.show_document import show_document
from ladder.run.option import Option, WrongOption, whole
from results.reports.document import Document
from results.reports.values_as_text import escape
from results.words import count

if TYPE_CHECKING:
    from ladder.home.home import Home
    from ladder.replay.review.reviewing import Reviewing

SHOWN = 25
"""The number of matches after which the command reports its progress."""


@dataclass(frozen=True, kw_only=True)
class ReviewArguments(ReviewRequest):
    """What `ladder review` takes.  Raises WrongOption for what does not go together."""

    worst: Annotated[
        int,
        Option(
            "With --bot: list the N decisions that cost most.", metavar="N", read=whole(0, 1000), short=True
        ),
    ] = 5
    drop: Annotated[bool, Option("Remove all stored reviews.")] = False
    format: AnswerFormatOption = "table"

    def __post_init__(self) -> None:
        if self.bot is None and self.worst != 5:
            raise WrongOption("--worst", NEED_BOT)
        super().__post_init__()

    def check_one(self, *given: bool) -> None:
        if sum(given) + self.drop != 1:
            raise WrongOption("MATCH", "expected a match, --bot BOT or --drop")


def review(asked: ReviewArguments) -> None:
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
    where, json = existing_home(asked.home), asked.format == "json"
    if asked.drop:
        _drop(where)
    elif asked.match is not None:
        _show_match(where, asked.match, asked.seat, asked.worlds, json=json)
    else:
        _show_bot(where, asked, json=json)


def _drop(home: Home) -> None:
    from results.storage.unrated import unrated_stores

    stores = [store_of(home), *unrated_stores(home.results).values()]
    gone = sum(store.reviews.drop(lambda key: True) for store in stores)
    note(f"removed {count(gone, 'review')}")


def _show_match(home: Home, name: str, seat: int | None, worlds: int | None, *, json: bool) -> None:
    from msgspec import to_builtins

    from ladder.replay.replay import find_match, name_seats, story_of
    from ladder.replay.review.match_review import NoJudge, judge_for
    from ladder.replay.review.review_document import MatchReview, match_review, views_of
    from ladder.replay.review.reviewing import record_to_review, review_now
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
        judge_for(shown)
    except NoJudge as error:  # what needs no judge is shown all the same
        if json:
            print("[]")
        else:
            print(escape(story_of(shown, home.roster.numbers())))
        note(str(error), f"ladder replay {shown['run']}/{found.number}")
        return
    rows, stored = review_now(contents, found, record, seat, worlds)
    if not (stored or worlds):
        note("the review is not stored: this user may write nothing in the home")
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


def _show_bot(home: Home, asked: ReviewArguments, *, json: bool) -> None:
    from ladder.api.match_rows import review_newest
    from ladder.replay.feedback import read_decisions
    from ladder.replay.review.review_document import bot_review

    problems: dict[str, None] = {}

    def hear(progress: Reviewing) -> None:
        if progress.problem:
            problems[progress.problem] = None
        if progress.done % SHOWN == 0:
            note(f"reviewed {count(progress.done, 'match', progress.total)}")

    contents, bot, version, matches = review_newest(home, asked, hear)
    reviewed = [(match.run, match.number) for match in matches]
    found, decisions = read_decisions(contents, bot, version, reviewed, asked.worst)
    if json:
        print_json(found.to_json())
        return
    numbers = home.roster.numbers()
    show_document(bot_review(found, decisions, numbers), numbers)
    left_out = [*[*problems][:3], *([f"{len(problems) - 3:,} more"] if len(problems) > 3 else [])]
    for problem in left_out:
        note(f"left out: {problem}", f"ladder matches --bot {asked.bot}" if problem is left_out[-1] else "")
