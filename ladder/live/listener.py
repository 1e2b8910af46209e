"""Wait for a bot that its author starts, for example in a debugger: a socket of this machine, and a token."""

import secrets
import select
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from hmac import compare_digest

from ladder.errors import LadderError
from protocol.client import CONNECT

HOST = "127.0.0.1"
MOST_WRONG = 20
"""The wait ends after this many wrong lines: they are guesses, because the line is printed to be copied."""
MOST_CALLERS = 16
"""The most connections that have not sent the token; at one more, the oldest is closed."""


class Listener:
    """A socket of this machine.  Close it once the bot has connected, or if it does not."""

    @classmethod
    def open(cls) -> "Listener":
        """Listen on a free port.  Raises OSError."""
        return cls(socket.create_server((HOST, 0)), secrets.token_hex(16))

    def __init__(self, server: socket.socket, token: str) -> None:
        """Listen on *server*; a caller must first send *token* as a line."""
        self._server = server
        self._token = token
        self._callers: dict[socket.socket, bytes] = {}
        """What the callers have sent so far of their first line."""
        self._wrong = 0

    @property
    def port(self) -> int:
        return int(self._server.getsockname()[1])

    @property
    def variable(self) -> str:
        """What makes the client for Python connect: a variable with its value."""
        return f"{CONNECT}={HOST}:{self.port}/{self._token}"

    @property
    def relay(self) -> str:
        """The beginning of a command that connects stdin and stdout of any program: bash can open sockets."""
        return f"exec 3<>/dev/tcp/{HOST}/{self.port}; echo {self._token} >&3; exec <&3 >&3 3>&-"

    def wait(self, patience: float, tell: Callable[[str], object]) -> socket.socket:
        """Return the connection of the first caller that sends the token; *tell* of those that do not.

        Raises LadderError after *patience* seconds, and after MOST_WRONG lines that are not the token.
        """
        deadline = time.monotonic() + patience
        while (left := deadline - time.monotonic()) > 0:
            ready = select.select([*self._callers, self._server], [], [], left)[0]
            for caller in ready[:-1] if self._server in ready else ready:
                if self._has_token(caller, tell):
                    del self._callers[caller]
                    return caller
            if self._server in ready:
                self._accept()
        raise LadderError(
            f"no bot has connected within {patience:,.0f} seconds: the match was not begun",
            "run the same command again, then start the bot with what it prints",
        )

    def close(self) -> None:
        """Listen no more, and end the connections of other callers."""
        self._server.close()
        for caller in self._callers:
            caller.close()
        self._callers.clear()

    def _accept(self) -> None:
        caller, _ = self._server.accept()
        caller.setblocking(False)
        if len(self._callers) == MOST_CALLERS:
            oldest = next(iter(self._callers))
            del self._callers[oldest]
            oldest.close()
        self._callers[caller] = b""

    def _has_token(self, caller: socket.socket, tell: Callable[[str], object]) -> bool:
        """Read on in the first line of *caller*; return whether it is the token.  Turn away other callers.

        A line is judged when it is whole, or longer than the token: what becomes of a part tells nothing.
        """
        wanted = self._token.encode() + b"\n"
        data = b""
        with suppress(OSError):  # a caller that is gone has sent nothing
            data = caller.recv(len(wanted) - len(self._callers[caller]))
        sent = self._callers[caller] = self._callers[caller] + data
        if data and b"\n" not in sent and len(sent) < len(wanted):
            return False
        if compare_digest(sent, wanted):
            return True
        del self._callers[caller]
        caller.close()
        tell("turned away a connection that did not begin with the token")
        self._wrong += bool(sent)
        if self._wrong == MOST_WRONG:
            raise LadderError(
                f"{MOST_WRONG} connections did not begin with the token: a program may be guessing it",
                "run the same command again; it has another token",
            )
        return False
