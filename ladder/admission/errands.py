"""What takes an inbox long: processes aside do it, one of each kind at a time, while answers go on."""

from collections.abc import Callable, Hashable
from typing import Any, Literal, NamedTuple

from ladder.errors import LadderError
from ladder.machine.pool import Aside


class Errand(NamedTuple):
    """Something that takes long."""

    kind: Literal["home", "duel", "pages", "notice"]
    """What it needs for itself; `home`: that no run goes on."""
    work: Callable[[Any], object]
    """It returns something else than None."""
    task: object
    end: Callable[[Any], object]
    """What is called with the result, or with the error."""


class Errands:
    """What is to be done aside, in the order in which it came."""

    def __init__(self) -> None:
        self.waiting: dict[Hashable, Errand] = {}
        """What has no result yet, and may have begun."""
        self._begun: dict[str, tuple[Hashable, Aside[object]]] = {}

    def go_on(self) -> None:
        """End what has a result, and begin what may begin."""
        for key, aside in [*self._begun.values()]:
            result: object
            try:
                result = aside.answer()
            except LadderError as error:
                result = error
            if result is not None:
                errand = self.waiting[key]
                self.drop(key)
                errand.end(result)
        for key, errand in self.waiting.items():
            if errand.kind not in self._begun:
                self._begun[errand.kind] = key, Aside(errand.work, errand.task, starts_others=True)

    def drop(self, key: Hashable) -> None:
        """Forget what is called *key*; kill its process, which loses nothing that is stored."""
        kind = self.waiting.pop(key).kind
        if kind in self._begun and self._begun[kind][0] == key:
            self._begun.pop(kind)[1].end()

    def end(self) -> None:
        """Forget all."""
        for key in [*self.waiting]:
            self.drop(key)
