"""Read what callers in Python give, by the types that declare it."""

import collections.abc
import os
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin

from ladder.errors import UsageProblem, short

_WRONG: Final = object()
"""Stands for what a type cannot have."""


def read_argument(name: str, value: Any, kind: Any, read: Callable[[Any], Any] | None = None) -> Any:
    """Return *value* of the argument *name* as *kind*, read from text by *read*.  Raises UsageProblem."""
    try:
        found = _convert(value, kind, read)
    except ValueError as error:
        raise UsageProblem(f"{name}: {error}", f"correct {name}") from None
    if found is _WRONG:
        wanted = re.sub(r"[a-zA-Z_]+\.", "", str(kind)) if get_origin(kind) else kind.__name__
        raise UsageProblem(f"{name}: expected {wanted}, got: {short(repr(value))}", f"correct {name}")
    return found


def _convert(value: Any, kind: Any, read: Callable[[Any], Any] | None) -> Any:
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        # what fits as it is stays: a path that may be a text or a path is a path
        kinds = sorted(args, key=lambda each: each not in type(value).__mro__)
        found = (_convert(value, each, read) for each in kinds)
        return next((each for each in found if each is not _WRONG), _WRONG)
    if origin is collections.abc.Sequence and args == (str,) and isinstance(value, str):
        return [value]  # as in a command, where an option that may be repeated is typed once
    if origin in (collections.abc.Sequence, collections.abc.Iterable):
        if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
            return _WRONG
        several = [_convert(each, args[0], read) for each in value]
        return _WRONG if any(each is _WRONG for each in several) else several
    if kind in (int, float) and hasattr(value, "tolist"):  # a number of numpy's
        value = value.tolist()
    if kind is int and isinstance(value, float) and value.is_integer():
        value = int(value)
    if kind is Path and isinstance(value, (str, os.PathLike)):
        return Path(value)
    if kind is str and isinstance(value, os.PathLike):
        return os.fspath(value)
    if origin is collections.abc.Mapping:
        fits = isinstance(value, Mapping) and all(isinstance(key, args[0]) for key in value)
    elif origin is Literal:
        fits = isinstance(value, str) and value in args
    elif isinstance(value, bool):
        fits = kind in (bool, Any)
    elif read and kind is not type(None) and isinstance(value, str if kind is str else (str, int, float)):
        return read(value)
    else:
        fits = kind is Any or isinstance(value, (int, float) if kind is float else origin or kind)
    return value if fits else _WRONG
