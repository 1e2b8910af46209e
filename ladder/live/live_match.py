"""A live match: the process that plays it, and what the program that shows it has of it."""

import logging
import multiprocessing
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from socket import socket
from threading import Lock

import msgspec

from engines.game import Json, Move
from ladder.contest.blocks import ScheduledMatch
from ladder.errors import tell, whose
from ladder.live.live_messages import (
    Asked,
    LiveFailed,
    LiveOrder,
    News,
    Over,
    Remark,
    Seen,
    decode_news,
    encode,
)
from ladder.live.live_request import PlayPlan
from ladder.machine.exits import describe_exit
from ladder.machine.interrupts import undisturbed_starts
from ladder.machine.unexpected import say_one_line, summarize
from ladder.process.seat_kinds import SeatKind
from ladder.referee.table_events import Event, StepPlayed
from ladder.worker.main import obey_parent
from ladder.worker.worker import Worker
from protocol.client import Act
from results.record import encode_block

PATIENCE = 3.0
"""How long the process of a match has to end its bots before it is killed, in seconds."""


class LiveMatch:
    """A match in progress, in a process of its own.  Close it whatever happens: its bots end with it."""

    @classmethod
    def start(cls, plan: PlayPlan, connected: socket | None = None) -> "LiveMatch":
        """Start what is planned; close *connected*, of a bot that its author started.  Raises OSError."""
        context = multiprocessing.get_context("spawn")
        news, news_end = context.Pipe()
        seat, seat_end = context.Pipe()
        order = msgspec.json.encode(plan.order)
        process = context.Process(
            target=_play_order, args=(news_end, seat_end, order, connected), daemon=True
        )
        with undisturbed_starts():
            process.start()
        if connected:
            connected.close()
        news_end.close()
        seat_end.close()
        return cls(process, news, seat)

    def __init__(self, process: SpawnProcess, news: Connection, seat: Connection) -> None:
        self._process = process
        self._news = news
        self._seat = seat
        self._closing = Lock()
        """Held by the thread that closes the match: a descriptor must not be closed twice."""
        self.ended = False
        """Whether its last news have come."""

    def filenos(self) -> list[int]:
        """Return the descriptors to wait for: `read` has something when one is readable."""
        return [self._news.fileno(), self._seat.fileno()]

    def read(self, patience: float | None = 0.0) -> list[News]:
        """Return the news in order; wait *patience* seconds or for ever.  The last: Over or LiveFailed."""
        if self.ended:
            return []
        ready = wait([self._news, self._seat], patience)
        asked = self._drain(self._seat) if self._seat in ready else []  # what led to it has come before it
        found = [*self._drain(self._news), *asked]
        if any(isinstance(news, Over | LiveFailed) for news in found):
            self.ended = True
        elif ready and not found:  # both pipes are closed: the process has ended without a word
            self.ended = True
            self._process.join(PATIENCE)
            ended = describe_exit(self._process.exitcode)
            found = [
                LiveFailed(f"the process of the match died: {ended}", "run the same command again", "machine")
            ]
        return found

    def answer(self, move: Move) -> None:
        """Make the person's *move*, one of those that were offered."""
        with suppress(OSError):  # `read` reports a process that is gone
            self._seat.send_bytes(msgspec.json.encode(move))

    def close(self) -> None:
        """End the match and its bots, if it still goes on.  Threads may call it at the same time."""
        with self._closing:
            if not self.ended:
                self._process.terminate()
            self._process.join(PATIENCE)
            self._process.kill()
            self._process.join()
            self._news.close()
            self._seat.close()

    @staticmethod
    def _drain(pipe: Connection) -> list[News]:
        found = []
        with suppress(EOFError, OSError):
            while pipe.poll():
                found.append(decode_news(pipe.recv_bytes()))
        return found


def _play_order(news: Connection, seat: Connection, order: bytes, connected: socket | None = None) -> None:
    """Play *order*, an encoded LiveOrder, and send News; *connected* is of a bot its author started."""
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
