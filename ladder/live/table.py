"""The process of a live match: the referee, the bots, and a person as one more seat.

It tells what one seat, or a spectator, sees, and nothing else.  The person is a bot that is a function, which
asks over a pipe; a bot that its author has started talks over a socket.  The process ends with the program
that started it, and the bots end with the process.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from multiprocessing.connection import Connection
from socket import socket

import msgspec

from engines.game import Json
from ladder.contest.blocks import ScheduledMatch
from ladder.errors import LadderError
from ladder.live.messages import Asked, Failed, Order, Over, Remark, Seen, encode
from ladder.machine.unexpected import say_one_line, summarize
from ladder.process.bot import BotProcess
from ladder.process.connected import ConnectedBot
from ladder.process.function import FunctionBot
from ladder.referee.match import Match
from ladder.referee.matches import News
from ladder.referee.player import Player
from ladder.registry.version import Version
from ladder.worker.main import obey_parent
from ladder.worker.worker import Worker
from protocol.client import Act
from results.record import encode_block

__all__ = ["play_table"]


def play_table(news: Connection, seat: Connection, order: bytes, connected: socket | None = None) -> None:
    """Play the match of *order*, an encoded Order, and send News to *news*; ask the person on *seat*.

    *connected* is the connection of a bot that its author has started.
    """
    obey_parent()
    say_one_line()
    logging.basicConfig(handlers=[_Teller(news)], format="%(message)s", force=True)
    table = _Table(msgspec.json.decode(order, type=Order), news, seat, connected)
    try:
        news.send_bytes(encode(Over(table.play_match())))
        table.close()
    except BrokenPipeError:
        pass  # the program that showed the match has ended
    except LadderError as error:
        news.send_bytes(encode(Failed(str(error), error.hint)))
    except Exception as error:
        news.send_bytes(encode(Failed(f"the match broke off: {summarize(error)}", "")))
    finally:
        table.kill()


class _Table(Worker):
    """A worker for one match, which tells what happens."""

    def __init__(self, order: Order, news: Connection, seat: Connection, connected: socket | None) -> None:
        super().__init__(order.setup)
        self._order = order
        self._news = news
        self._seat = seat
        self._connected = connected
        self._visitor: Player | None = None
        """The bot that its author has started: it has no other process."""
        self._dealt = False
        self.watch = self._tell

    def play_match(self) -> str:
        """Play the match; return its record, as encode_block makes it."""
        contest = self.setup.contests[0]
        scheduled = ScheduledMatch(
            match=0,
            block=0,
            rotation=0,
            contest=contest,
            bots=contest.bots,
            attempt=0,
            deal=self._order.deal,
            paired=False,
        )
        return encode_block(self.play_once(scheduled)).decode()

    def _tell(self, match: Match, news: News) -> None:
        """Send what the person, or a spectator, sees of the *news*, and knows after them."""
        person = self._order.person
        step = match.step if self._dealt else -1
        self._dealt = True
        seen = [msgspec.json.decode(event) for event in news(person)]
        view = msgspec.json.decode(match.position.write_view(person))
        self._news.send_bytes(encode(Seen(step, seen, view, tuple(match.position.seats()))))

    def _connect(self, bot: Version) -> Player:
        if self._sits_in(self._order.person, bot):
            return self._greet(bot, FunctionBot.start_function(_Person(self._seat), self._line_bytes))
        if self._connected and self._sits_in(self._order.connected, bot):
            self._visitor = self._visitor or self._greet(
                bot, ConnectedBot.take(self._connected, self._line_bytes)
            )
            return self._visitor
        return super()._connect(bot)

    def _sits_in(self, seat: int | None, bot: Version) -> bool:
        return seat is not None and bot.id == self.setup.bots[seat].id

    @property
    def _line_bytes(self) -> int:
        return self.rules.limits.line_bytes

    def _greet(self, bot: Version, link: BotProcess) -> Player:
        """Send hello to *bot* at *link*; return it as a player that may take any time."""
        link.send(self._hello(bot))
        player = Player(bot, link)
        player.has_clock = False
        return player


class _Person:
    """The bot that is a person: it asks over a pipe."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe

    def act(self, act: Act) -> Json:
        """Return the person's move."""
        choice = act.choice
        self._pipe.send_bytes(
            encode(Asked(act.step, choice.kind, tuple(choice.options), choice.low, choice.high))
        )
        return msgspec.json.decode(self._pipe.recv_bytes())


class _Teller(logging.Handler):
    """Sends what is logged to those who watch."""

    def __init__(self, news: Connection) -> None:
        super().__init__(logging.WARNING)
        self._news = news

    def emit(self, record: logging.LogRecord) -> None:
        """Send the message of *record*."""
        with suppress(OSError):
            self._news.send_bytes(encode(Remark(self.format(record))))
