"""Read the words of the command line that need no conversion, or only that of a parser of ours.

For any other, typer loads pydantic, which takes longer than most commands.  It also reads, and refuses, what
is wrong here.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias, get_args, get_origin

from typer import BadParameter

__all__ = ["PlainValues"]

Process: TypeAlias = Callable[[Any, Any], Any]
"""Turns what was typed, or a default, into the value of a parameter; takes the context, too."""
_OTHER: Final = object()
"""Stands for a value that typer must read."""


class PlainValues:
    """Makes the parameters of a command read plain values by themselves, and leave the others to typer."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return all parameters, with that of the help."""
        parameters: list[Any] = super().get_params(ctx)  # type: ignore[misc]  # a command's, which is the next class
        for parameter in parameters:
            if not isinstance(parameter.process_value, partial):
                parameter.process_value = partial(_process, parameter, parameter.process_value)
        return parameters


def _process(parameter: Any, by_typer: Process, context: Any, value: Any) -> Any:
    """Return the value of *parameter*.  Raises BadParameter."""
    kind = parameter.type_descriptor
    try:
        found = _read(kind.annotation, kind.parameter_info, value)
    except ValueError:  # typer says what is wrong
        found = _OTHER
    for path in found if isinstance(found, list) else [found]:
        if isinstance(path, Path):
            _refuse_below_file(path, parameter, context)
    if found is _OTHER or (parameter.required and found in (None, ())):
        return by_typer(context, value)
    return parameter.callback(context, parameter, found) if parameter.callback else found


def _refuse_below_file(path: Path, parameter: Any, context: Any) -> None:
    """Raise BadParameter if *path* cannot be, because what should be a folder in it is a file."""
    try:
        path.stat()
    except NotADirectoryError:
        raise BadParameter(
            f"expected a folder, but a part of the path is a file: {str(path)!r}",
            ctx=context,
            param=parameter,
        ) from None
    except (OSError, ValueError):  # it is not there, or its command will tell
        pass


def _read(annotation: Any, info: Any, value: Any) -> Any:
    """Return *value* as an *annotation* of Python has it, or _OTHER."""
    if get_origin(annotation) is list:
        if value is None or isinstance(value, str):
            return _OTHER if value else ()
        found = [_read(get_args(annotation)[0], info, each) for each in value]
        return _OTHER if _OTHER in found else found
    if value is None:
        return None
    if info.parser:
        return info.parser(value)
    if annotation is Path:
        return _read_path(info, value)
    if annotation in (str, int, float):
        is_bounded = info.min is not None or info.max is not None
        return value if type(value) is annotation and not is_bounded else _OTHER
    is_choice = isinstance(value, str) and value in get_args(annotation)
    return value if is_choice else _OTHER


def _read_path(info: Any, value: Any) -> Any:
    """Return *value* as a path if it is free, or names what can be read."""
    special = info.exists or info.resolve_path or info.allow_dash or info.writable or info.path_type
    if special or not (info.file_okay and info.dir_okay) or not isinstance(value, str | Path):
        return _OTHER
    is_there = os.path.exists(value)  # noqa: PTH110  # Path.exists raises where a folder is closed
    return Path(value) if not is_there or os.access(value, os.R_OK) else _OTHER
