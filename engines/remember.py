"""Remember what was told or drawn of a part of a view: a replay shows most of it again, to all who look."""

import marshal
from collections.abc import Callable
from functools import wraps
from typing import Any, Final, TypeVar

T = TypeVar("T")
_MOST: Final = 2048
"""How much a function remembers before it forgets all of it: several matches."""
_BY_VALUE: Final = 2
"""A version of marshal's format that writes equal values alike; later ones write references."""


def remember(function: Callable[..., T]) -> Callable[..., T]:
    """Return *function*, called once for arguments that hold the same; it takes JSON values by place.

    What it returns must not change.  lru_cache cannot do this, because lists and dictionaries have no hash.
    """
    known: dict[bytes, T] = {}

    @wraps(function)
    def recall(*arguments: Any) -> T:
        try:
            key = marshal.dumps(arguments, _BY_VALUE)
        except ValueError:  # not of JSON alone, such as a mapping of a test
            return function(*arguments)
        if key not in known:
            if len(known) >= _MOST:
                known.clear()
            known[key] = function(*arguments)
        return known[key]

    return recall
