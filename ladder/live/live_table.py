"""The process of a live match: the referee, the bots, and a person as one more seat.

It tells what one seat, or a spectator, sees, and nothing else.  The person is a bot that is a function, which
asks over a pipe; a bot that its author has started talks over a socket.  The process ends with the program
that started it, and the bots end with the process.
"""

import logging
from contextlib import suppress
from multiprocessing.connection import Connection
from socket import socket

import msgspec

from engines.game import Json
from ladder.contest.blocks import ScheduledMatch
from ladder.errors import tell, whose
from ladder.live.live_messages import Asked, LiveFailed, LiveOrder, Over, Remark, Seen, encode
from ladder.machine.unexpected import say_one_line, summarize
from ladder.process.seat_kinds import SeatKind
from ladder.referee.table_events import Event, StepPlayed
from ladder.worker.main import obey_parent
from ladder.worker.worker import Worker
from protocol.client import Act
from results.record import encode_block


def play_table(news: Connection, seat: Connection, order: bytes, connected: socket | None = None) -> None:
    """Play the match of *order*, an encoded LiveOrder, and send News to *news*; ask the person on *seat*.

    *connected* is the connection of a bot that its author has started.
    """
    obey_parent()
    say_one_line()
    logging.basicConfig(handlers=[_Teller(news)], format="%(message)s", force=True)
    wanted = msgspec.json.decode(order, type=LiveOrder)
    seats, witness = _seats(wanted, seat, connected), _Witness(wanted.person, news)
    worker = Worker(wanted.setup, seats=seats, on_event=witness)
    contest = wanted.setup.contests[0]
    match = ScheduledMatch(0, 0, 0, contest, contest.bots, attempt=0, deal=wanted.deal, paired=False)
    try:
        news.send_bytes(encode(Over(encode_block(worker.play_match(match)).decode())))
        worker.close()
    except BrokenPipeError:
        pass  # the program that showed the match has ended
    except Exception as error:
        what, hint = tell(error) or (f"the match broke off: {summarize(error)}", "")
        news.send_bytes(encode(LiveFailed(what, hint, whose(error))))
    finally:
        worker.kill()


def _seats(order: LiveOrder, person: Connection, connected: socket | None) -> dict[str, SeatKind]:
    """Return the seats of *order* that no bot of the home takes, by the ids of their versions."""
    found = {}
    if order.person is not None:
        found[order.setup.bots[order.person].id] = SeatKind.of_person(_Person(person))
    if connected and order.connected is not None:
        found[order.setup.bots[order.connected].id] = SeatKind.of_socket(connected)
    return found


class _Witness:
    """Sends what the person, or a spectator, sees of each step, and knows after it."""

    def __init__(self, seat: int | None, news: Connection) -> None:
        self._seat = seat
        self._news = news

    def __call__(self, event: Event) -> None:
        if isinstance(event, StepPlayed):
            seen = [msgspec.json.decode(told) for told in event.told(self._seat)]
            view = msgspec.json.decode(event.view(self._seat))
            self._news.send_bytes(encode(Seen(event.step, seen, view, event.asked)))


class _Person:
    """The bot that is a person: it asks over a pipe."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe

    def act(self, act: Act) -> Json:
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
        with suppress(OSError):
            self._news.send_bytes(encode(Remark(self.format(record))))
