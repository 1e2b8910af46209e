"""A process that starts ignores Ctrl-C, in whatever thread it is started."""

import signal
from concurrent.futures import ThreadPoolExecutor

import pytest

from ladder.machine.interrupts import undisturbed_starts

pytestmark = pytest.mark.process  # which counts semaphores, and runs from then on


def blocked():
    with undisturbed_starts():
        within = signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    return within, signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_interrupts_are_blocked_while_a_process_starts_in_any_thread():
    assert (True, False) == blocked()
    with ThreadPoolExecutor(1) as pool:
        assert (True, False) == pool.submit(blocked).result()


def interrupt_within():
    with undisturbed_starts():
        signal.raise_signal(signal.SIGINT)


def test_an_interrupt_meanwhile_is_heard_afterwards():
    with pytest.raises(KeyboardInterrupt):
        interrupt_within()
