"""The help of the program and of its commands, for a terminal of 80 columns."""

import inspect
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any, TypeAlias

from typer.core import TyperArgument, TyperCommand, TyperOption

from ladder.cli.commands import BY_NAME, GROUPS, load_command
from ladder.cli.last_line import remember_commands
from ladder.cli.streams import GLUE, paint
from ladder.cli.values import PlainValues, path_of
from ladder.errors import FIRST_RUN
from ladder.run.option import Option

EXAMPLE = "Example: "
"""Begins the last line of a command's docstring."""
WIDEST = 100
"""Columns: longer lines are hard to read."""
SHORTEST = 24
"""Lines: -h has no more; a longer help is left to --help."""
TALLEST = 40
"""Lines: the sections of a longer help of the program stand close together."""
LONGEST_LABEL = 26
"""Columns: the description of a longer option begins on the next line."""
ARGUMENTS, OPTIONS = "Arguments", "Options"
"""The sections of what names no section of its own."""
BOLD, CYAN = "1", "36"
"""SGR codes (ECMA-48, 8.3.117)."""

Entries: TypeAlias = Iterable[tuple[str, str]]
"""Labels with their descriptions."""


def example_of(command: Any) -> str:
    """Return the example in the docstring of a *command*, which is about to be printed."""
    _, _, example = inspect.cleandoc(command.help or "").partition(EXAMPLE)
    return remember_commands(example.strip())


class Command(PlainValues, TyperCommand):
    """A command whose help is its docstring, its arguments and options, and its example."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read *args*; an option that may be typed without a value gets its own one where none follows it."""
        self._is_brief = is_brief(args)
        options, typed = self._options(), list[str]()
        for word, following in zip_longest(args, args[1:], fillvalue=""):
            typed.append(word)
            if word in options and not options[word].takes(following, args):
                typed.append(options[word].bare)
        return super().parse_args(ctx, typed)

    def _options(self) -> dict[str, Option]:
        return getattr(self.callback, "options", {})

    def get_help(self, ctx: Any) -> str:
        """Return the help: all of it, or for -h what most people need."""
        short = frozenset(flag for flag, option in self._options().items() if option.short)
        return _choose_help(self, ctx, short, brief=self._is_brief)


def is_brief(args: Sequence[str]) -> bool:
    """Return whether *args* ask for the help of -h."""
    return "-h" in args and "--help" not in args


def help_of_group(group: Any, ctx: Any, *, brief: bool) -> str:
    """Return the help of a *group* of commands, which lists them: all of it, or if *brief* a screen."""
    commands = {"Commands": [(name, _summary(f"{group.name} {name}")) for name in GROUPS[group.name]]}
    return _choose_help(group, ctx, frozenset(("-",)), commands, brief=brief)


def help_of_program(program: Any, ctx: Any, sections: Mapping[str, Sequence[str]]) -> str:
    """Return the help of the program, which fits a screen: names of commands by the word before the first."""
    width = _width()
    first = max(map(len, sections)) + 4
    second = first + max(len(name) for names in sections.values() for name in names) + 2
    parts = []
    for section, names in sections.items():
        label, lines = f"  {section}", []
        for name in names:
            start, *rest = _wrap(_line(name), width - second) or [""]
            left = paint(f"{label:<{first}}", BOLD) + paint(f"{name:<{second - first}}", CYAN)
            lines += [left + start, *(" " * second + line for line in rest)]
            label = ""
        parts.append("\n".join(lines))
    start = f"{program.help}\nUsage: {path_of(ctx)} COMMAND [OPTIONS]"
    end = (
        "Options: COMMAND --help, --version, --install-completion (of your shell)\n"
        f"Start here: {remember_commands(FIRST_RUN)}"
    )
    dense = "\n".join(parts)
    spaced = "\n\n".join([start, *parts, end]), "\n\n".join([start, dense, end])
    fitting = (text for text in spaced if text.count("\n") < TALLEST)
    return next(fitting, f"{start}\n{dense}\n{end}")


def _line(name: str) -> str:
    """Return what a command does, in one line; for a group, with the names of its commands."""
    summary = _summary(name)
    return f"{summary.rstrip('.')}: {', '.join(GROUPS[name])}" if name in GROUPS else summary


def _summary(name: str) -> str:
    """Return the first paragraph of the docstring of the command *name*; its options are not read."""
    return " ".join(inspect.cleandoc(load_command(name).__doc__ or "").split("\n\n")[0].split())


def _wrap(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, break_on_hyphens=False)


def _width() -> int:
    return min(shutil.get_terminal_size().columns, WIDEST) if sys.stdout.isatty() else 80


def _choose_help(
    command: Any, ctx: Any, short: frozenset[str], commands: Mapping[str, Entries] = {}, *, brief: bool
) -> str:
    """Return the help of a command or a group: all of it, or if *brief* and it is long what -h shows."""
    whole = _help(command, ctx, commands)
    return _help(command, ctx, commands, short) if brief and whole.count("\n") >= SHORTEST else whole


def _help(
    command: Any, ctx: Any, commands: Mapping[str, Entries], short: frozenset[str] | None = None
) -> str:
    """Return the help of a command or group; *short*: a paragraph, these options or all, a sentence each."""
    text, _, _ = inspect.cleandoc(command.help or "").partition(EXAMPLE)
    width, paragraphs = _width(), text.strip().split("\n\n")
    lines = [f"Usage: {path_of(ctx)}{_arguments(command)} [OPTIONS]"]
    lines += [f"       {path_of(ctx)} {_first_word(command)}"] if commands else []
    lines.append("")
    for paragraph in paragraphs if short is None else paragraphs[:1]:
        lines += [*_wrap(" ".join(paragraph.split()), width), ""]
    sections: dict[str, list[tuple[str, str]]] = {name: list(entries) for name, entries in commands.items()}
    parameters = [each for each in command.get_params(ctx) if not getattr(each, "hidden", False)]
    options = [each for each in parameters if not isinstance(each, TyperArgument)]
    for parameter in parameters:
        section = OPTIONS if parameter in options else ARGUMENTS
        if short is None:
            section = parameter.rich_help_panel or section
        elif parameter in options and (
            parameter.name == "help" or (short and short.isdisjoint(parameter.opts))
        ):
            continue
        sections.setdefault(section, []).append(_entry(parameter, ctx, brief=short is not None))
    alone = (*commands, ARGUMENTS)
    listed = [entry for name, entries in sections.items() if name not in alone for entry in entries]
    for name, entries in sections.items():
        column = _column(entries if name in alone else listed)
        lines += [paint(name, BOLD), *_list_entries(entries, column, width), ""]
    lines += [f"{EXAMPLE}{example}"] if (example := example_of(command)) else []
    lines += [f"--help shows all {len(options) - 1} options"] if short is not None else []
    return "\n".join(lines).rstrip()


def _first_word(group: Any) -> str:
    """Return what stands for the word behind a *group*."""
    names = group.name.removesuffix("s").upper() if BY_NAME.get(group.name) == "info" else ""
    return f"COMMAND|{names}" if names else "COMMAND"


def _arguments(command: Any) -> str:
    """Return the arguments as the line of usage shows them."""
    words = ""
    for parameter in command.params:
        if isinstance(parameter, TyperArgument):
            word = _value(parameter) + ("..." if parameter.nargs != 1 else "")
            words += f" {word}" if parameter.required else f" [{word}]"
    return words


def _entry(parameter: Any, ctx: Any, *, brief: bool = False) -> tuple[str, str]:
    """Return an argument or option: its value, what it does (*brief*: in one sentence), and its default."""
    value = _value(parameter)
    if isinstance(parameter, TyperArgument):
        label = value
    else:
        short = [name for name in parameter.opts if not name.startswith("--")]
        long = [name for name in parameter.opts if name.startswith("--")]
        label = ", ".join([*(short or ["  "]), *long]) if short else f"    {long[0]}"
        label += f" {value}" if value and not parameter.is_flag else ""
    if parameter.name == "help":
        return label, "Show this help."
    default = _default(parameter)
    # a default that fits stays in one line
    kept = default.replace(" ", GLUE) if len(default) <= LONGEST_LABEL else default
    said = parameter.help or ""
    return label, (re.split(r"(?<=\.) ", said)[0] if brief else said) + (f" [{kept}]" if default else "")


def _value(parameter: Any) -> str:
    """Return what stands for the value: its metavar, or the words among which one chooses."""
    if parameter.metavar is not None:
        return str(parameter.metavar)
    if choices := parameter.type_descriptor.choices:
        return "|".join(map(str, choices))
    return "" if getattr(parameter, "is_flag", False) else parameter.name.upper()


def _default(parameter: Any) -> str:
    if isinstance(parameter.show_default, str):
        return f"default: {parameter.show_default}"
    if isinstance(parameter, TyperOption) and parameter.is_flag:
        return ""
    default = parameter.default
    return "" if default in (None, "", ()) or callable(default) else f"default: {default}"


def _column(entries: Entries) -> int:
    """Return where the descriptions of *entries* begin."""
    return 4 + max((len(label) for label, _ in entries if len(label) <= LONGEST_LABEL), default=0)


def _list_entries(entries: Entries, column: int, width: int) -> list[str]:
    """Return *entries* as lines: labels on the left, descriptions from *column* on."""
    lines = []
    for label, text in entries:
        rest = [line.replace(GLUE, " ") for line in _wrap(text, width - column)] or [""]
        left = f"  {label}"
        if len(left) + 2 > column:
            lines.append(paint(left, CYAN))
        else:
            lines.append(paint(f"{left:<{column}}", CYAN) + rest.pop(0))
        lines += [" " * column + line for line in rest]
    return lines
