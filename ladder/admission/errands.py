"""What takes an inbox long: processes aside do it, one of each kind at a time, while answers go on."""

import time
from collections.abc import Callable, Hashable
from typing import Any, Literal, NamedTuple

from ladder.errors import LadderError, NotFound, UsageProblem
from ladder.machine.pool import Aside

PAUSE_SECONDS = 60.0
"""After what time is tried again what could not be done by no fault of those who asked for it."""
ASKED_WRONG = (UsageProblem.exit_code, NotFound.exit_code)
"""The exit codes of errors of those who asked."""


class Errand(NamedTuple):
    """Something that takes long."""

    kind: Literal["home", "duel", "pages", "notice"]
    """What it needs for itself; `home`: that no run goes on."""
    work: Callable[[Any], object]
    """It returns something else than None."""
    task: object
    end: Callable[[Any], object]
    """What is called with the result, or with an error of those who asked for it."""


class Errands:
    """What is to be done aside, in the order in which it came."""

    def __init__(self, say: Callable[[LadderError], object]) -> None:
        """*say* is told the other errors."""
        self._say = say
        self.waiting: dict[Hashable, Errand] = {}
        """What has no result yet, and may have begun."""
        self._begun: dict[str, tuple[Hashable, Aside[object]]] = {}
        self._again: dict[Hashable, float] = {}

    def go_on(self) -> None:
        """End what has a result, and begin what may begin."""
        for key, aside in [*self._begun.values()]:
            errand, result = self.waiting[key], None
            try:
                result = aside.answer()
            except LadderError as error:
                if error.exit_code in ASKED_WRONG and errand.kind in ("home", "duel"):
                    result = error
                else:
                    self._say(error)
                    self.drop(key)
                    self.waiting[key], self._again[key] = errand, time.monotonic() + PAUSE_SECONDS
            if result is not None:
                self.drop(key)
                errand.end(result)
        for key in filter(self.is_due, self.waiting):
            errand = self.waiting[key]
            if errand.kind not in self._begun:
                self._begun[errand.kind] = key, Aside(errand.work, errand.task, starts_others=True)

    def is_due(self, key: Hashable) -> bool:
        """Return whether what is called *key* may go on now."""
        return time.monotonic() >= self._again.get(key, 0.0)

    def drop(self, key: Hashable) -> None:
        """Forget what is called *key*; kill its process, which loses nothing that is stored."""
        kind = self.waiting.pop(key).kind
        if kind in self._begun and self._begun[kind][0] == key:
            self._begun.pop(kind)[1].end()
