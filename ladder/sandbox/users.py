"""Users for bots if the ladder runs as root: a user for each process that is not used elsewhere.

Binding an abstract socket of its name reserves a user.  That is exclusive and ends with the runner, however
it ends.  The choice is random, so that it reveals nothing about seats.
"""

from __future__ import annotations

import os
import random
import socket

from ladder.sandbox.plan import CannotConfine

USERS = range(61_000, 65_000)
"""User ids that distributions do not assign permanently, and that are small enough for containers."""


class Lease:
    """A user that is reserved until `release`."""

    def __init__(self) -> None:
        """Reserve a user.  Raises CannotConfine if none is free."""
        first = random.randrange(len(USERS))
        for user in (*USERS[first:], *USERS[:first]):
            name = socket.socket(socket.AF_UNIX)
            try:
                name.bind(f"\0botladder-user-{user}")
            except OSError:
                name.close()
                continue
            if not _has_processes(user):  # left by a runner that was just killed, or a real user's
                self.user, self._name = user, name
                return
            name.close()
        raise CannotConfine(
            f"none of the users {USERS[0]} to {USERS[-1]} is free", "see who runs: ps -eo uid,args"
        )

    def release(self) -> None:
        """Release the user.  Call it when no process of the user is left."""
        self._name.close()


def _has_processes(user: int) -> bool:
    try:
        os.getpriority(os.PRIO_USER, user)
    except ProcessLookupError:
        return False
    return True
