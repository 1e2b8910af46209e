"""pyarrow, loaded when it is first used: what reads no rows starts fast."""

from importlib import import_module
from typing import Any, TypeAlias

Table: TypeAlias = Any
"""A pyarrow.Table: pyarrow ships no types."""
Array: TypeAlias = Any
Schema: TypeAlias = Any


class _Lazy:
    """A module that is imported when one of its names is asked for."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self._name), name)


pa: Any = _Lazy("pyarrow")
pc: Any = _Lazy("pyarrow.compute")
