"""A worker process: it receives chunks of blocks over its pipe, plays them, and sends back each block.

It loads only what playing needs: neither pyarrow nor the command line.
"""

import contextlib
import gc
import logging
import multiprocessing
import os
import signal
import sys
from collections.abc import Sequence
from multiprocessing.connection import Connection, wait
from threading import Thread
from typing import Any, assert_never

import msgspec

from ladder.errors import LadderError
from ladder.machine.capacity import raise_descriptors
from ladder.machine.cores import run_on
from ladder.machine.logs import log_to
from ladder.machine.unexpected import say_one_line, summarize
from ladder.process.carried import load_seats
from ladder.process.spawn import SpawnerEnded
from ladder.worker import worker_messages as messages
from ladder.worker.concurrency import WorkerTables
from ladder.worker.worker import IDLE_SECONDS, Worker

log = logging.getLogger(__name__)


def work(
    pipe: Connection, log_queue: Any, log_level: int, setup: tuple[bytes, bytes], cores: Sequence[int]
) -> None:
    """Work until Stop or the parent's end; *cores* as in Worker; *setup*: a Setup and carried functions."""
    obey_parent()
    log_to(log_queue, log_level)
    say_one_line()
    if cores:
        run_on(0, cores[:1])
    raise_descriptors()
    worker: Worker | None = None
    tables: WorkerTables | None = None
    try:
        seats = load_seats(setup[1])
        worker = Worker(
            msgspec.msgpack.decode(setup[0], type=messages.Setup), cores, seats=seats, patient=True
        )
        if seats:  # which nothing confines
            worker.rules = worker.rules._replace(sandbox="none")
        tables = WorkerTables(worker, lambda message: pipe.send_bytes(messages.encode(message)))
        spare_collections()
        _serve(pipe, worker, tables)
        log.debug("loaded: %s", " ".join(sorted({name.partition(".")[0] for name in sys.modules})))
        worker.close()
        tables.tell_outlays()
    except (EOFError, BrokenPipeError, ConnectionResetError):
        if worker and tables and tables.resting:
            worker.close()  # the parent is gone
    except SpawnerEnded as error:
        log.warning(
            "a worker gives up: %s", error
        )  # perhaps a bot killed it: playing the block again will show
        raise SystemExit(1) from None
    except LadderError as error:
        failed = messages.WorkerFailed.of(error)
        tables.report(failed) if tables else pipe.send_bytes(messages.encode(failed))
    except Exception as error:
        log.error("a worker gives up: %s", summarize(error))
        log.debug("what happened:", exc_info=True)
        raise SystemExit(1) from None
    finally:
        if tables:
            tables.silence()
        if worker:
            worker.kill()  # the bots that are still running
    with contextlib.suppress(OSError):
        pipe.close()


def obey_parent() -> None:
    """Let the parent decide when this process ends: at SIGTERM, by SystemExit, and with the parent itself."""
    signal.signal(signal.SIGINT, _ignore)  # Ctrl-C reaches the whole terminal
    signal.signal(signal.SIGHUP, _ignore)
    signal.signal(signal.SIGTERM, _leave)
    # it was started with interrupts blocked, which bots would inherit
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End with the parent, by a thread: the pipe is read only between blocks, which may take minutes."""
    if parent := multiprocessing.parent_process():
        wait([parent.sentinel])
        os._exit(1)


def spare_collections() -> None:
    """Collect garbage a hundred times less often: a match leaves almost none, and collecting costs 8 %."""
    gc.freeze()
    gc.set_threshold(70_000, 10, 10)


def _serve(pipe: Connection, worker: Worker, tables: WorkerTables) -> None:
    """Play chunks as they arrive, until Stop, which takes effect after the current blocks."""
    while True:
        while not pipe.poll(IDLE_SECONDS):
            tables.look()
        match order := messages.decode_order(pipe.recv_bytes()):
            case messages.StopAfterBlock():
                worker.hurries = True
                return tables.finish()
            case messages.Unpin():
                worker.unpin()
            case messages.Hurry():
                worker.hurries = True
            case messages.OneTable():
                tables.hold_one()
            case messages.LapsesSoFar(counts):
                worker.lanes.lapses.raise_to(counts)
            case messages.Chunk() as chunk:
                tables.add(chunk)
            case _:
                assert_never(order)


def _ignore(*_: object) -> None:
    """Do nothing; unlike SIG_IGN this is not inherited by the bots."""


def _leave(*_: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second one would interrupt what ends the bots
    raise SystemExit(143)
