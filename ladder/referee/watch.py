"""Watch the bots of many tables from one thread, so that tables whose bots wait need not wake.

A look at a bot opens dozens of files.  The watch reads its CPU clocks and rings for its table only if it has
run.  A table looks by itself where a bot that does not run matters, near a deadline: see Clocks.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Event, Lock, Thread
from typing import Self

from ladder.process.link import SYSTEM_CLOCK, TimeSource
from ladder.process.patience import LATE_NS
from ladder.referee.limits import LOOK_NS
from ladder.referee.player import Player


class Bell:
    """Wakes a table: another thread rings, and its descriptor can be read."""

    def __init__(self) -> None:
        self.fd, self._other_end = os.pipe()
        os.set_blocking(self.fd, False)
        os.set_blocking(self._other_end, False)
        self._lock = Lock()
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._closed = True
            os.close(self.fd)
            os.close(self._other_end)

    def ring(self) -> None:
        """Make the descriptor readable, unless the bell is closed: its number may be another's by then."""
        with self._lock, suppress(BlockingIOError):  # it rings already
            if not self._closed:
                os.write(self._other_end, b"\0")

    def hear(self) -> None:
        """Wait for the next ring."""
        with suppress(BlockingIOError):
            os.read(self.fd, 4096)


class Watch:
    """A thread that looks, every LOOK_NS, which of the bots at tables have run."""

    def __init__(self, look_beside: Callable[[], None], clock: TimeSource = SYSTEM_CLOCK) -> None:
        """Begin to watch; *look_beside* is called at every look, to watch bots at no table."""
        self.failure: BaseException | None = None
        """What has ended the watch; the worker raises it."""
        self._look_beside = look_beside
        self._clock = clock
        self._tables: dict[Bell, Sequence[Player]] = {}
        self._rest = (0, clock.now() + LOOK_NS)
        """How long the machine has stood still, and when the next look is due: always of one moment."""
        self._over = Event()
        self._runner = Thread(target=self._run, daemon=True)
        self._runner.start()

    def close(self) -> None:
        """End the watch."""
        self._over.set()
        self._runner.join()

    def stood_still_ns(self) -> int:
        """Return how long the machine has stood still so far, also where the watch has not woken from it."""
        stood_ns, look_at = self._rest
        late_ns = self._clock.now() - look_at
        return stood_ns + (late_ns if late_ns > LATE_NS else 0)

    @contextmanager
    def watching(self, players: Sequence[Player], bell: Bell) -> Iterator[None]:
        """Ring *bell* when one of *players* has run, as long as the block lasts."""
        self._tables[bell] = players
        try:
            yield
        finally:
            del self._tables[bell]

    def _run(self) -> None:
        try:
            stood_ns, look_at = self._rest
            waited_us = self._clock.waited_us()
            while not self._over.wait(max(0, look_at - self._clock.now()) / 1e9):
                now, before_us, waited_us = self._clock.now(), waited_us, self._clock.waited_us()
                if now - look_at > LATE_NS:  # as far as it was not for want of a core
                    stood_ns += max(0, now - look_at - 1000 * (waited_us - before_us))
                self._rest = stood_ns, now + LOOK_NS
                self._look()
                look_at = self._clock.now() + LOOK_NS  # a look that takes long is no standstill
                self._rest = stood_ns, look_at
        except BaseException as error:
            self.failure = error

    def _look(self) -> None:
        self._look_beside()
        for bell, players in list(self._tables.items()):
            if any(_wants_look(player) for player in players):
                bell.ring()


def _wants_look(player: Player) -> bool:
    """Return whether a bot has run, or its memory is read in parts and is not known yet."""
    return not player.lost and bool(
        player.process and (player.process.has_run or player.weighing.is_under_way)
    )
