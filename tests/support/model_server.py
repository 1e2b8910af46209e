"""A fake server of a language model on the loopback, and bots that ask it for each decision.

It is slow, turns away with 429 what comes while it is busy, cuts answers off, and lies down.
"""

import contextlib
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from random import Random

from ladder.home.home import Home
from ladder.registry.bot_manifest import BotManifest
from ladder.registry.version import Version
from results.record import Json
from support.taken_in import take_in

ASKING = """\
import http.client, json, sys, urllib.error, urllib.request

config = {}

def ask():
    address = "http://127.0.0.1:%d/%s" % (config["port"], config.get("model", "any"))
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        return json.loads(opener.open(address, timeout=20).read()), None
    except urllib.error.HTTPError as error:
        return None, {"fail": "transport", "why": str(error.code)}
    except http.client.IncompleteRead:
        return None, {"fail": "transport", "why": "cut off"}
    except (OSError, http.client.HTTPException):
        return None, {"fail": "transport", "why": "no connection"}
    except ValueError:
        return None, {"fail": "unreadable"}

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        config = message["config"]
        print(json.dumps({"type": "ready", "protocol": 1, "view": "none"}), flush=True)
    elif message["type"] == "act":
        said, failure = ask()
        choice, options = message["choice"], message["choice"]["options"]
        # the better the model, the more often it takes what `skill` of ladders.FOUR takes: the first
        lucky = (message["seed"] // 7 + message["step"]) % 100 < config.get("skill", 100)
        turn = 0 if lucky else (message["seed"] // 7 + 31 * message["step"]) % len(options)
        turned = options[turn:] + options[:turn]
        move = turned[0] if choice["kind"] == "one" else turned[: choice["low"]]
        print(json.dumps({"id": message["id"], **(failure or {"move": move})}), flush=True)
"""
"""A bot that plays what follows from seed and step once the server has answered, and else reports why not.

Its config has the `port`, and may have its `skill` in percent and the `model` that it asks for.
"""


def enlist_asking(home: Home, name: str, port: int, **config: Json) -> Version:
    """Add a bot that asks the server at *port*, without its match against itself."""
    program = home.path.parent / "asking.py"
    program.write_text(ASKING)
    manifest = BotManifest(
        name=name, run=("{python}", "-S", "asking.py"), config={"port": port, **config}, network=True
    )
    return take_in(home.roster, program, manifest)


class ModelServer:
    """Takes at most *limit* requests at once; answers after *seconds*; cuts off *cut* of all answers.

    After *lasts* requests it lies down for good: every connection is closed without an answer.
    """

    def __init__(
        self, limit: int = 1 << 20, seconds: float = 0.0, cut: float = 0.0, lasts: int = 1 << 30
    ) -> None:
        self.limit, self.seconds, self.cut, self.lasts = limit, seconds, cut, lasts
        self.most = 0
        """The most requests that were in flight at once."""
        self.answers: Counter[str] = Counter()
        """How it has answered: 200, 429, cut, down."""
        self._now = 0
        self._lock = threading.Lock()
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port = int(self._socket.getsockname()[1])

    def serve(self) -> None:
        """Answer until the socket is closed."""
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._socket.accept()
                threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _answer(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            connection.recv(65_536)
            with self._lock:
                self._now += 1
                self.most = max(self.most, self._now)
                kind = self._choose()
                self.answers[kind] += 1
            if kind in ("200", "cut"):
                time.sleep(self.seconds)
            with self._lock:  # before the answer: the bot may ask again at once
                self._now -= 1
            if kind != "down":
                body = b"{}" if kind == "200" else b"{"
                state = "429 Too Many Requests" if kind == "429" else "200 OK"
                connection.sendall(f"HTTP/1.0 {state}\r\nContent-Length: 2\r\n\r\n".encode() + body)

    def _choose(self) -> str:
        asked = self.answers.total()
        if asked >= self.lasts:
            return "down"
        if self._now > self.limit:
            return "429"
        return "cut" if Random(asked).random() < self.cut else "200"


@contextlib.contextmanager
def model_server(**how: float) -> Iterator[ModelServer]:
    """Yield a server that answers as ModelServer says."""
    server = ModelServer(**how)  # type: ignore[arg-type]  # counts are whole numbers
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.close()
        thread.join()
