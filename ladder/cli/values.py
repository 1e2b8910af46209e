"""Read the words of the command line that need no conversion, or only that of a parser of ours.

For any other, typer loads pydantic, which takes longer than most commands.  It also reads, and refuses, what
is wrong here.
"""

import os
import re
import shlex
from collections.abc import Callable
from functools import partial
from itertools import chain, pairwise, takewhile
from pathlib import Path
from typing import Any, Final, TypeAlias, get_args, get_origin

from typer import BadParameter

from ladder.cli.commands import BY_NAME
from ladder.errors import UsageProblem

Process: TypeAlias = Callable[[Any, Any], Any]
"""Turns what was typed, or a default, into the value of a parameter; takes the context as well."""
_DASHED: Final = re.compile(
    r"-?[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]+-?([A-Za-z][\w-]*)(=.*)?|-([a-z][\w-]+)", re.DOTALL
)
"""An option with a dash of a word processor: its name and value; or with one hyphen: its name."""
_OTHER: Final = object()
"""Stands for a value that typer must read."""


def path_of(context: Any) -> str:
    """Return the program and the command that were typed, without the word that no help shows."""
    path: str = context.command_path
    group, _, name = path.removeprefix("ladder ").partition(" ")
    return f"ladder {group}" if name and BY_NAME.get(group) == name else path


class PlainValues:
    """Makes the parameters of a command read plain values by themselves, and leave the others to typer."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read *args*; --json, which no help shows, is --format json.  Raises UsageProblem for `-option`."""
        if any("--format" in parameter.opts for parameter in self.get_params(ctx)):
            commands = () if ctx.allow_interspersed_args else self.list_commands(ctx)  # type: ignore[attr-defined]  # a group's
            first = len([*takewhile(lambda word: word != "--" and word not in commands, args)])
            typed = (("--format", "json") if word == "--json" else (word,) for word in args[:first])
            args = [*chain.from_iterable(typed), *args[first:]]
        own = args.index("--") if "--" in args else len(args)
        if not ctx.allow_interspersed_args:  # a group's: the others are those of its command
            own = 1
        _check_dashes(ctx, self.get_params(ctx), args[:own], args[own:])
        rest: list[str] = super().parse_args(ctx, args)  # type: ignore[misc]  # a command's, which is the next class
        return rest

    def get_params(self, ctx: Any) -> list[Any]:
        """Return all parameters, with that of the help."""
        parameters: list[Any] = super().get_params(ctx)  # type: ignore[misc]  # a command's, which is the next class
        for parameter in parameters:
            if not isinstance(parameter.process_value, partial):
                parameter.process_value = partial(_process, parameter, parameter.process_value)
        return parameters


def _check_dashes(context: Any, parameters: list[Any], words: list[str], others: list[str]) -> None:
    """Raise UsageProblem if one of *words* would be an option with two hyphens; *others* are typed behind."""
    flags = {name: parameter for parameter in parameters for name in parameter.opts}
    for place, (before, word) in enumerate(pairwise(["", *words])):
        found = _DASHED.fullmatch(word)
        if not found or (before.startswith("-") and before in flags and not flags[before].is_flag):
            continue  # it may be the value of an option
        name, value, hyphened = found.groups()
        meant = f"-{name}" if name and len(name) == 1 else f"--{name or hyphened}"
        if (name and not os.path.lexists(word)) or (hyphened and meant in flags):
            typed = [*words[:place], meant + (value or ""), *words[place + 1 :], *others]
            what = f"{word!r} is no option: is that a {meant}?"
            raise UsageProblem(what, f"{path_of(context)} {shlex.join(typed)}")


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
