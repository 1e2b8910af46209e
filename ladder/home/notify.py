"""Tell a program of the operator what happens here: each link of a chain, and each answer to a person."""

import os
import signal
from collections.abc import Sequence
from pathlib import Path

import msgspec

NOTICE_SECONDS = 30.0
"""The most time of the program."""


def send_notice(notice: tuple[Path, Sequence[str], object]) -> list[str]:
    """Run a command, in the folder of a home, with an event as JSON on its stdin; return what went wrong."""
    from subprocess import DEVNULL, PIPE, Popen, TimeoutExpired

    home, command, event = notice
    try:
        with Popen(command, stdin=PIPE, stdout=DEVNULL, cwd=home, start_new_session=True) as process:
            try:
                process.communicate(msgspec.json.encode(event) + b"\n", NOTICE_SECONDS)
            except TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                return [f"the notice was not sent: {command[0]} took more than {NOTICE_SECONDS:.0f} s"]
        code = process.returncode
        return [f"the notice was not sent: {command[0]} ended with exit code {code}"] if code else []
    except (OSError, ValueError) as error:
        return [f"the notice was not sent: {error}"]
