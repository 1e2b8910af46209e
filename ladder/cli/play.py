"""`ladder play`: one match, shown as it goes, with or without a person at the table."""

from __future__ import annotations

import os
import select
import shutil
import sys
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, assert_never

from ladder.cli.options import HomeOption, home_for_writing, note
from ladder.cli.streams import paint
from ladder.errors import LadderError, RunStopped, UsageProblem, short
from ladder.live.play_request import PlayRequest
from ladder.run.option import Option, WrongOption
from results.reports.values_as_text import escape, say

if TYPE_CHECKING:
    from collections.abc import Sequence
    from socket import socket

    from engines.game import Json, Move
    from ladder.home.home import Home
    from ladder.live.live_match import LiveMatch
    from ladder.live.live_messages import Asked, News, Over, Seen
    from ladder.live.live_request import PlayPlan
    from ladder.live.typed import OfferedMoves

CONNECT_SECONDS = 600.0
"""How long a match waits for a bot that its author starts."""
PLAIN_COLUMNS = 80
"""How wide the output is where no terminal says."""
HELP = """\
Type the number of a move, or the move as it is written.
Where several may be chosen: numbers with spaces between them, or none.
  back  returns from the place of a card to the choice of the card
  v  shows the table again       r  shows a summary of the rules
  ?  shows this                  q  leaves the match, which is not kept
A move cannot be taken back: the other seats have seen it."""
NO_UNDO = "a move cannot be taken back: the other seats have seen it"


@dataclass(frozen=True, kw_only=True)
class PlayArguments(PlayRequest):
    """What `ladder play` takes.  Raises WrongOption for a seed beside a deal."""

    deal: Annotated[
        Path | None,
        Option(
            "Play this deal: JSON in the game's format, or what `ladder replay MATCH --format json` printed.",
            metavar="FILE",
        ),
    ] = None
    home: HomeOption = None

    def __post_init__(self) -> None:
        if self.deal and self.seed is not None:
            raise WrongOption("--deal", "give either --seed or --deal")


def play(asked: PlayArguments) -> None:
    """Play one match, or watch one, as it goes.

    You see what a bot in your seat sees, and have no clock. The match is stored when it is over, but does not
    count in the ratings. A match that you leave is not stored. A run may play at the same time.

    With --connect, the match waits for your bot, and prints how to start it: a variable for bots that use
    protocol.client, a line of bash for others.

    Example: ladder play stellar greedy --human 0
    """
    from ladder.admission.house import add
    from ladder.cli.admitting import take_path
    from ladder.home.home import confine_home
    from ladder.home.house_bots import expecting, pending
    from ladder.live.live_match import LiveMatch
    from ladder.live.live_request import plan_match
    from ladder.run.duel_request import take_paths

    request: PlayRequest = replace(asked, deal=_read_deal(asked.deal, asked.game) if asked.deal else None)
    with home_for_writing(asked.home) as where:
        named = {bot.partition("@")[0] for bot in asked.bots}
        plan_match(expecting(where, pending(where)), request, take_path)
        where = confine_home(where, note)
        if coming := [name for name in pending(where) if name in named]:
            take_paths(where, coming, asked.bots, take_path)
            add(where, coming, note)
        plan = plan_match(where, request, take_path)
    screen = _Screen(where, plan)
    try:
        match = LiveMatch.start(plan, None if asked.connect is None else _wait_for_bot(asked.connect))
        with closing(match):
            over = screen.follow(match)
    except Leaving:
        note("you left; the match is not kept")
        return
    except KeyboardInterrupt:
        raise RunStopped("you left; the match is not kept", "run the same command again", 130) from None
    except EOFError:
        what = "the input ended before the match, which is not kept"
        raise UsageProblem(what, "run the same command with a move for each decision") from None
    _end(where, plan, over, screen.names)


def _wait_for_bot(seat: int) -> socket:
    """Print what to start the bot in *seat* with; return its connection.  Raises LadderError."""
    from ladder.live.listener import Listener

    try:
        listener = Listener.open()
    except OSError as error:
        raise LadderError(f"this machine lets no bot connect: {error}", "ladder doctor") from None
    with closing(listener):
        minutes = CONNECT_SECONDS / 60
        note(f"seat {seat} waits for your bot, for {minutes:,.0f} minutes; start it yourself, with")
        print(f"  {listener.variable} python3 my_bot.py", file=sys.stderr)
        note("or, if it does not use protocol.client, by bash, with the command of your bot at the end:")
        print(f"  bash -c '{listener.relay}; exec ./my_bot'", file=sys.stderr, flush=True)
        connection = listener.wait(CONNECT_SECONDS, note)
        note("your bot has connected")
        return connection


def _read_deal(path: Path, game: str) -> Json:
    """Return the deal of *game* in the file at *path*.  Raises UsageProblem for a file that holds none."""
    import json

    try:
        data = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise UsageProblem(
            f"{path} cannot be read: {error}", "ladder replay MATCH --format json > FILE"
        ) from None
    if isinstance(data, dict) and "deal" in data and "moves" in data:  # a whole record
        if (other := data.get("game")) != game:
            raise UsageProblem(
                f"the record in {path} is of {short(str(other))}, not {game}",
                f"name that game, or take the record of a match of {game}",
            )
        data = data["deal"]
    if data is None:
        raise UsageProblem(f"{path} holds no deal, got: null", "ladder replay MATCH --format json > FILE")
    return data


class Leaving(Exception):
    """The person leaves the match."""


class _Screen:
    """Shows a match as it goes, and asks the person."""

    def __init__(self, home: Home, plan: PlayPlan) -> None:
        from ladder.games.shown_game import ShownGame
        from results.reports.labels import tell_apart

        self.names = plan.names(home.roster.numbers())
        self._called = tell_apart(
            ["You" if seat == plan.person else name for seat, name in enumerate(self.names)]
        )
        self._plan = plan
        self._game = ShownGame(plan.game)
        self._explain = self._game.explain()
        self._width = shutil.get_terminal_size().columns if sys.stdout.isatty() else PLAIN_COLUMNS
        self._options = plan.order.setup.contests[0].options
        self._seen: Seen | None = None
        self._offer: OfferedMoves | None = None
        self._warned: Move | None = None
        """The move whose cost has been told: the same again plays it."""
        self._typed = b""
        self._last_prompt = ""

    def follow(self, match: LiveMatch) -> Over:
        """Show *match* to its end, and return that.

        Raises Leaving if the person leaves it, EOFError if the input ends first, and LadderError if the match
        cannot be played.
        """
        from ladder.live.live_messages import Asked, Over

        self._introduce()
        asked: Asked | None = None
        while True:
            text = self._line(match) if asked else None
            if asked and text is not None:
                if (move := self._understand(asked, text)) is not None:
                    match.answer(move)
                    asked = None
                continue
            for news in match.read(None):
                if isinstance(news, Over):
                    return news
                if isinstance(news, Asked):
                    asked = news
                    self._begin(news)
                else:
                    self._show(news)

    def _say(self, text: str = "") -> None:
        """Print *text*; what cannot be printed is escaped."""
        print("\n".join(escape(line) for line in text.split("\n")), flush=True)

    def _say_fitted(self, text: str) -> None:
        """Print *text*, if there is any, in lines that fit."""
        from ladder.live.fitting import break_line

        if text:
            self._say("\n".join(break_line(escape(text), 2, self._width)))

    def _introduce(self) -> None:
        self._say(f"{self._plan.game}, a table of {len(self.names)}")
        for i, name in enumerate(self.names):
            self._say(f"  seat {i}: {name}")

    def _show(self, news: News) -> None:
        """Show what has happened; a spectator also sees the whole table at the beginning and at the end."""
        from ladder.live.live_messages import Asked, LiveFailed, Over, Remark, Seen

        match news:
            case Remark(text):
                note(text)
            case LiveFailed(what, hint):
                raise LadderError(what, hint)
            case Seen():
                for event in map(self._explain, news.events):
                    self._say_fitted(self._game.tell(event, self._called, self._options))
                self._seen = news
                if self._plan.person is None and (news.step < 0 or not news.asked):
                    self._show_table()
            case Asked() | Over():
                pass
            case _:
                assert_never(news)

    def _show_table(self) -> None:
        from ladder.live.fitting import fit

        assert self._seen
        text = self._game.text(self._seen.view, self._called, ask=False)
        self._say("\n".join(["", *fit(text, self._width)]))

    def _begin(self, asked: Asked) -> None:
        """Show the table, and ask the person below it."""
        from ladder.live.typed import offer

        assert self._seen
        view, options = self._seen.view, asked.options
        parts = [self._game.parts_of(view, option) for option in options]
        self._offer, self._warned = offer(asked.choice, self._game.say(view, options), parts), None
        self._show_table()
        if hand := self._game.hand(view, self._options):
            self._say_fitted(f"Your hand: {hand}")
        number = f"{asked.low}" if asked.low == asked.high else f"{asked.low} to {asked.high}"
        several = "" if asked.kind == "one" else f", {number} of these"
        self._ask(self._game.ask(view), f"your move{several}: ")

    def _ask(self, question: str, prompt: str) -> None:
        """Print the *question*, what may be chosen, and the *prompt*."""
        from ladder.live.typed import number_options

        assert self._offer
        self._say_fitted(question)
        for line in number_options(self._offer.labels, self._width - 2):
            self._say(f"  {line}")
        self._prompt(prompt)

    def _prompt(self, text: str = "") -> None:
        """Print the prompt, a new one or the last again."""
        self._last_prompt = text or self._last_prompt
        print(paint(self._last_prompt, "1"), end="", flush=True)

    def _understand(self, asked: Asked, text: str) -> Move | None:
        """Return the move that *text* means; None for a word that is answered here.  Raises Leaving."""
        from engines.game import IllegalMove

        assert self._offer
        match text.strip().lower():
            case "q" | "quit":
                raise Leaving
            case "v" | "view" | "b" | "back":
                self._begin(asked)
                return None
            case "?" | "h" | "help":
                self._say(HELP)
            case "r" | "rules":
                from engines import GAMES
                from ladder.live.fitting import fold

                self._say("\n".join(fold(GAMES[self._game.name].summary, self._width)))
            case "u" | "undo":
                self._say(NO_UNDO)
            case "":
                pass
            case _:
                try:
                    move = self._offer.read(text)
                except IllegalMove as error:
                    self._say_fitted(f"{error}; ? shows what to type")
                else:
                    return self._settle(move)
        self._prompt()
        return None

    def _settle(self, move: Move | None) -> Move | None:
        """Return *move*, once what it costs has been told; without one, ask for the place of a card."""
        assert self._offer
        assert self._seen
        if move is None:
            self._ask(f"{self._offer.first}; back returns", "where? ")
            return None
        options = [move] if isinstance(move, str) else move
        costs = "; ".join(filter(None, self._game.costs(self._seen.view, options)))
        if costs and move != self._warned:
            self._warned = move
            self._say_fitted(f"{costs}; the same again to do it")
            self._prompt()
            return None
        return move

    def _line(self, match: LiveMatch) -> str | None:
        """Return the next line that the person types; None if there are news first.  Raises EOFError.

        Not by input(), for the match may end meanwhile: its process is killed, or another bot fails.
        """
        while b"\n" not in self._typed:
            ready, _, _ = select.select([0, *match.filenos()], [], [])
            if 0 not in ready:
                print(flush=True)
                return None
            if not (data := os.read(0, 65_536)):
                print(flush=True)
                raise EOFError
            self._typed += data
        line, _, self._typed = self._typed.partition(b"\n")
        text = line.decode("utf-8", "replace")
        if not sys.stdin.isatty():
            self._say(text)
        return text


def _end(home: Home, plan: PlayPlan, over: Over, names: Sequence[str]) -> None:
    """Store the match; print the result and the command of its replay."""
    from msgspec import to_builtins

    from ladder.live.keep import keep_match
    from results.reports.story import tell_result

    try:
        name, block = keep_match(home, plan, over)
    except OSError as error:
        raise LadderError(f"the match is over but could not be kept: {error}", "free some space") from None
    (match,) = [match for match in block.matches if not match.void]
    print()
    print(escape(say(tell_result(to_builtins(match.seats), names, you=plan.person), {})))
    for fault in block.faults:
        if fault.charged and fault.attempt == match.attempt:
            print(escape(f"     {names[fault.seat]} lost the match: {fault.reason}"))
    note(f"\nkept as {name}/0, not rated", f"ladder replay {name}/0")
