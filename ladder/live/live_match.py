"""A live match as the program that shows it has it: news come in, the person's moves go out."""

import multiprocessing
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from socket import socket
from threading import Lock

import msgspec

from engines.game import Move
from ladder.live.live_messages import LiveFailed, News, Over, decode_news
from ladder.live.live_request import PlayPlan
from ladder.live.live_table import play_table
from ladder.machine.exits import describe_exit
from ladder.machine.interrupts import undisturbed_starts

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
        process = context.Process(target=play_table, args=(news_end, seat_end, order, connected), daemon=True)
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
