"""`ladder bots ask`: what a bot answers in a decision of a stored match."""

from __future__ import annotations

import re
import select
import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ladder.api.asked import MATCH
from ladder.cli.options import (
    AnswerFormatOption,
    BotOrPathArgument,
    HomeOption,
    existing_home,
    note,
    print_json,
)
from ladder.run.option import Argument, Option, WrongOption, whole
from results.reports.values_as_text import escape
from results.words import count

if TYPE_CHECKING:
    from ladder.home.home import Home
    from ladder.live.asked_bot import AskedBot
    from ladder.live.line_replies import LineReply
    from ladder.live.question import Question
    from ladder.registry.version import Version

PATIENCE = 600.0
"""How long --attach waits for a debugger, in seconds."""
LISTED = 12
"""At most this many steps are listed in a line."""


def ask(
    bot: BotOrPathArgument,
    match: Annotated[str, MATCH],
    step: Annotated[
        str, Argument("The number of a step, `end`, or `hello`: only start the bot.", metavar="STEP")
    ],
    seat: Annotated[
        int | None,
        Option(
            "Ask as this seat.",
            metavar="N",
            default="the bot's own, or the one that decides in this step",
            read=whole(0, 63),
        ),
    ] = None,
    step_by_step: Annotated[
        bool, Option("Go on with the next decisions; in a terminal, press Enter for each.")
    ] = False,
    attach: Annotated[
        bool,
        Option(
            "Wait for a debugger before hello. The bot runs without sandbox, limits or clock, with your"
            " environment; a path runs where it is. Only for bots that you trust."
        ),
    ] = False,
    home: HomeOption = None,
    format: AnswerFormatOption = "table",  # noqa: A002 - the option's name
) -> None:
    """Ask a bot for one decision of a stored match, and show its answer beside what was played.

    The bot is started as in a run and sent the match from the hello on: the same lines, with the same ids,
    seed, events and views, up to this step. The match goes on as it was played, whatever the bot answers.
    Nothing is stored.

    If the seat does not decide in this step, the bot is asked for the last decision before.

    Example: ladder bots ask greedy last 3
    """
    from ladder.live.asked_bot import start_bot
    from ladder.live.question import ask_about, find_stored

    number = _step_of(step)
    where = existing_home(home)
    stored = find_stored(where, match)
    with find_or_borrow(where, bot, in_place=attach) as version:
        question = ask_about(version, stored, number, seat)
        with start_bot(where, version, stored.run, free=attach) as asked:
            if attach:
                _wait(asked)
            reached = _interview(where, question, asked, json=format == "json", step_by_step=step_by_step)
    if not reached:
        raise typer.Exit(1)


def _step_of(text: str) -> int:
    """Return the number of the step.  Raises WrongOption."""
    from ladder.live.question import END, HELLO

    if text in (words := {"hello": HELLO, "end": END}):
        return words[text]
    if not re.fullmatch("[0-9]{1,9}", text):
        raise WrongOption("STEP", f"expected the number of a step, hello or end, got: {text!r}")
    return int(text)


@contextmanager
def find_or_borrow(home: Home, wanted: str, *, in_place: bool = False) -> Iterator[Version]:
    """Yield the version that *wanted* names, or the bot at that path; *in_place*, it will not be confined.

    Raises UsageProblem for a bot that is banned and would not be confined.
    """
    from ladder.admission.borrow import borrow_bot
    from ladder.run.duel_request import path_of
    from ladder.run.setup import check_files

    if path := path_of(home, wanted):
        with borrow_bot(home, path, in_place=in_place) as version:
            yield version
        return
    version = home.roster.find_player(wanted) if in_place else home.roster.find(wanted)
    check_files(home, version)
    yield version


def _wait(asked: AskedBot) -> None:
    """Wait for a debugger, or for Enter."""
    from ladder.live.debugger import only_root_attaches, wait_for_debugger

    if asked.pid is None:
        return
    as_root = f"sudo gdb -p {asked.pid}, because this system lets only root attach"
    note(
        f"process {asked.pid} waits: attach a debugger, such as gdb -p {asked.pid}; or press Enter to go on",
        as_root if only_root_attaches() else "",
    )
    wait_for_debugger(asked.pid, PATIENCE, _enter_pressed)


def _enter_pressed(seconds: float) -> bool:
    """Return whether a line came on stdin within *seconds*; its end is no line."""
    if select.select([sys.stdin], [], [], seconds)[0]:
        if sys.stdin.readline():
            return True
        select.select([], [], [], seconds)
    return False


def _wants_more() -> bool:
    """Ask at a terminal whether to go on; elsewhere, go on."""
    if not sys.stdin.isatty():
        return True
    print("Enter: the next decision, q: leave ", end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    return bool(line) and not line.strip().startswith("q")


def _interview(home: Home, question: Question, asked: AskedBot, *, json: bool, step_by_step: bool) -> bool:
    """Print what *question* asks; return whether the bot came as far as that."""
    from ladder.live.line_replies import answers, is_same, row_of

    if not json:
        _print_title(home, question)
    rows: list[dict[str, Any]] = []
    differing: dict[int, None] = {}
    reached = False
    for answer in answers(question, asked):
        if answer.wanted or answer.failed:
            reached |= answer.wanted
            rows.append(row_of(answer))
            if not json:
                _print_answer(answer, question)
            if not step_by_step or answer.failed or answer.step == question.conversation.steps:
                break
            if not json and not _wants_more():
                break
        elif answer.request and answer.reply and not is_same(answer.request, answer.reply):
            differing[answer.step] = None
    if json:
        _print_json(question, rows, list(differing))
    else:
        _say_before(question, list(differing), reached)
    return reached


def _print_title(home: Home, question: Question) -> None:
    from ladder.live.question import HELLO
    from ladder.replay.replay import name_seats

    record, bot = question.match.record, question.bot
    now = f"{bot.bot}@{bot.number}" if bot.number else bot.bot
    where = f"match {question.match.name} of {record['game']}"
    if question.step != HELLO:
        then = name_seats(record, home.roster.numbers())[question.seat]
        where += f", seat {question.seat}, where {then} sat"
    print(escape(f"{now} in {where}"))
    for remark in question.conversation.remarks:
        note(remark)


def _print_answer(answer: LineReply, question: Question) -> None:
    from ladder.live.line_replies import kind_of, tell
    from ladder.live.question import HELLO

    if answer.request is None:
        print("hello" if answer.step == HELLO else f"step {answer.step}: the end of the match")
    else:
        again = ", asked again" if answer.request.retry else ""
        print(f"step {answer.step}: {kind_of(answer.request)}{again}")
        if answer.wanted and answer.step < question.step:
            print(f"  (the last decision of this seat up to step {question.step})")
    for label, text in tell(answer):
        _print_line(label, text)


def _print_line(label: str, text: str) -> None:
    """Print *text*, which may come from a bot, beside its *label*; on a terminal in lines that fit."""
    indent = " " * 11
    lines = [escape(line) for line in text.split("\n")]
    if sys.stdout.isatty():
        width = shutil.get_terminal_size().columns - len(indent)
        lines = [part for line in lines for part in textwrap.wrap(line, width) or [""]]
    print(f"  {label:<9}" + f"\n{indent}".join(lines))


def _say_before(question: Question, differing: Sequence[int], reached: bool) -> None:
    """Say how the bot answered before the decision that was asked for."""
    if not reached:
        note("the bot got no further")
    elif differing:
        more = ", ..." if len(differing) > LISTED else ""
        listed = ", ".join(map(str, differing[:LISTED]))
        steps = count(len(differing), "step")
        note(f"before that, its answers differ from the match in {steps}: {listed}{more}")
    elif question.last > 0:
        decisions = count(question.last, "decision")
        note(f"before that, it answered as in the match: {decisions}")


def _print_json(question: Question, rows: Sequence[dict[str, Any]], differing: Sequence[int]) -> None:

    shown = {
        "match": question.match.name,
        "game": question.match.record["game"],
        "seat": question.seat,
        "bot": question.bot.bot,
        "version": question.bot.version,
        "remarks": list(question.conversation.remarks),
        "differs_before": list(differing),
        "answers": list(rows),
    }
    print_json(shown)
