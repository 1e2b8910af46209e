"""Messages for what the parser of the command line refuses."""

import re
from typing import Any

from typer.exceptions import TyperException

from ladder.cli.commands import COMMANDS, GROUPS
from ladder.cli.help import example_of
from ladder.cli.values import path_of
from ladder.errors import suggest

_NO_COMMAND = re.compile(r"No such command '(.*?)'")
_NO_CHOICE = re.compile(r"Value error, '(.*)' is not one of (.*)\.")
_SUCH_AS = re.compile(r"expected .*?such as ([^\s,;]+)")
_OTHERS = {
    re.compile(r"Option '(.*)' requires an argument\."): r"\1 needs a value",
    re.compile(r"Option '(.*)' does not take a value\."): r"\1 takes no value",
    re.compile(r"Got unexpected extra arguments?\(?s?\)? \((.*)\)"): r"one argument too many: \1",
}


def explain(error: TyperException, command: str = "ladder") -> tuple[str, str]:
    """Return what is wrong with the command line, in one line, and what to type next.

    *command* is what was typed, for errors that do not know it.
    """
    context: Any = getattr(error, "ctx", None)
    path = path_of(context) if context else command
    help_ = f"{path} --help"
    if hasattr(error, "possibilities"):  # an unknown option
        name = error.option_name  # type: ignore[attr-defined]  # typer keeps the class private
        return f"{path} has no option {name}{suggest(name, error.possibilities or ())}", help_
    if unknown := _NO_COMMAND.match(error.message):
        name = unknown[1]
        offered = GROUPS.get(context.command.name) or [each for each in COMMANDS if " " not in each]
        return f"there is no command {name!r}{suggest(name, offered)}", help_
    if hasattr(error, "param_type"):  # a missing argument
        example = example_of(context.command) if context else ""
        param: Any = error.param  # type: ignore[attr-defined]  # typer keeps the class private
        return f"{path} needs {param.metavar or param.name.upper()}", example or help_
    where, reason = _where(error), _reason(error.message)
    if where.startswith("--") and (such := _SUCH_AS.match(reason)):
        help_ = f"the same command with {where} {such[1]}, or {help_}"
    return (f"{where}: " if where else "") + reason, help_


def _where(error: Any) -> str:
    """Return the option or argument that the error is about, by its long name."""
    hint = getattr(error, "param_hint", None) or getattr(getattr(error, "param", None), "opts", None) or ""
    names = [hint] if isinstance(hint, str) else list(hint)
    return max((name.strip("'") for name in names), key=len, default="")


def _reason(message: str) -> str:
    if choice := _NO_CHOICE.fullmatch(message):
        known = re.findall(r"'(.*?)'", choice[2])
        return f"expected one of {', '.join(known)}, got: {choice[1]!r}{suggest(choice[1], known)}"
    for pattern, words in _OTHERS.items():
        message = pattern.sub(words, message)
    return message[:1].lower() + message[1:].rstrip(".")
