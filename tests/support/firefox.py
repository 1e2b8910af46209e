"""Headless Firefox for tests, driven by WebDriver BiDi: commands and events as JSON over a web socket.

A page that complains fails its test.  Playwright cannot drive the Firefox of a distribution, only its own.
"""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from support.commands import process_group
from support.need import need, need_program

if TYPE_CHECKING:
    from websocket import WebSocket

PATIENCE = 60.0
"""How many seconds something may take before the test fails: a busy machine is slow."""
KEYS = {"Enter": "\ue007", "End": "\ue010", "ArrowRight": "\ue014"}


@contextlib.contextmanager
def run_firefox(folder: Path) -> Iterator[Firefox]:
    """Run the distribution's Firefox with its profile in *folder*; skip the test if there is none."""
    program = shutil.which("firefox") or need_program("firefox-esr")
    connect = need("websocket").create_connection
    command = [program, "--headless", "--no-remote", "--profile", str(folder), "--remote-debugging-port=0"]
    with process_group(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        address = next(found[0] for line in process.stderr if (found := re.search(r"ws://\S+", line)))
        with contextlib.closing(connect(f"{address}/session", PATIENCE, suppress_origin=True)) as socket:
            yield Firefox(socket)


class Firefox:
    """A window of Firefox."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self._asked = 0
        self._trouble: list[str] = []
        self._do("session.new", capabilities={})
        self._do("session.subscribe", events=["log.entryAdded"])
        self._window = self._do("browsingContext.getTree")["contexts"][0]["context"]

    @contextlib.contextmanager
    def visit(self, url: str) -> Iterator[Firefox]:
        """Show a page, and fail the test at the end unless it was quiet."""
        self._trouble.clear()
        self._do("browsingContext.navigate", context=self._window, url=url, wait="complete")
        yield self
        self.read("1")  # what was reported before this has arrived
        assert not self._trouble, "\n".join(self._trouble)

    def read(self, expression: str) -> Any:
        """Return the value of *expression* in the page, as JSON carries it."""
        found = self._evaluate(f"JSON.stringify({expression}) ?? 'null'")
        return json.loads(found["value"])

    def wait_for(self, expression: str) -> Any:
        """Return the value of *expression* as soon as it is true."""
        end = time.monotonic() + PATIENCE
        while not (found := self.read(expression)):
            assert time.monotonic() < end, f"{expression} does not become true"
            time.sleep(0.05)
        return found

    def click(self, selector: str, times: int = 5) -> None:
        """Click with the mouse on the middle of the first element of *selector*.

        A page in play may replace the element meanwhile: then it is looked for again, *times* in all.
        """
        element = self._evaluate(
            f"(() => {{ const found = document.querySelector({json.dumps(selector)});"
            "  found.scrollIntoView({block: 'center', behavior: 'instant'}); return found; })()"
        )
        origin = {"type": "element", "element": {"sharedId": element["sharedId"]}}
        move = {"type": "pointerMove", "x": 0, "y": 0, "origin": origin}
        press = [{"type": f"pointer{what}", "button": 0} for what in ("Down", "Up")]
        try:
            self._act({"type": "pointer", "id": "mouse", "actions": [move, *press]})
        except AssertionError as error:
            if times == 1 or not any(word in str(error) for word in ("is not displayed", "no such node")):
                raise
            self.click(selector, times - 1)

    def press(self, *keys: str) -> None:
        """Press keys of the keyboard, one after another."""
        values = [KEYS.get(key, key) for key in keys]
        actions = [{"type": f"key{what}", "value": value} for value in values for what in ("Down", "Up")]
        self._act({"type": "key", "id": "keyboard", "actions": actions})

    def _act(self, source: dict[str, Any]) -> None:
        self._do("input.performActions", context=self._window, actions=[source])

    def _evaluate(self, expression: str) -> dict[str, Any]:
        """Return the result of *expression* as BiDi tells values."""
        target = {"context": self._window}
        told = self._do("script.evaluate", expression=expression, target=target, awaitPromise=True)
        assert told["type"] == "success", f"{expression}: {told['exceptionDetails']['text']}"
        found: dict[str, Any] = told["result"]
        return found

    def _do(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command and return its result; events that come before it are noted."""
        self._asked += 1
        self._socket.send(json.dumps({"id": self._asked, "method": method, "params": params}))
        while (told := json.loads(self._socket.recv())).get("id") != self._asked:
            if told["params"].get("level") in ("error", "warn"):
                self._trouble.append(f"{told['params']['type']}: {told['params']['text']}")
        assert told["type"] == "success", f"{method}: {told}"
        result: dict[str, Any] = told["result"]
        return result
