"""Users for bots whose runner is root: one for each process, that nobody else on this machine has.

A user is taken by binding an abstract socket of its name: that is exclusive, and ends with the runner,
however it ends.  Which one is taken is chance, so that it says nothing of seats.
"""

from __future__ import annotations

import os
import random
import socket

from ladder.sandbox.plan import CannotConfine

__all__ = ["USERS", "Lease"]

USERS = range(61_000, 65_000)
"""Numbers that distributions give to nobody for good, and small enough for containers."""


class Lease:
    """A user that is ours until `release`."""

    def __init__(self) -> None:
        """Take a user.  Raises CannotConfine if there is none left."""
        first = random.randrange(len(USERS))
        for user in (*USERS[first:], *USERS[:first]):
            name = socket.socket(socket.AF_UNIX)
            try:
                name.bind(f"\0botladder-user-{user}")
            except OSError:
                name.close()
                continue
            if not _has_processes(user):  # of a runner that has just been killed, or somebody's after all
                self.user, self._name = user, name
                return
            name.close()
        raise CannotConfine(
            f"none of the users {USERS[0]} to {USERS[-1]} is free", "see who runs: ps -eo uid,args"
        )

    def release(self) -> None:
        """Give the user back, when no process has it any more."""
        self._name.close()


def _has_processes(user: int) -> bool:
    try:
        os.getpriority(os.PRIO_USER, user)
    except ProcessLookupError:
        return False
    return True
