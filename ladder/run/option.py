"""Options declared once: a field of a frozen dataclass, annotated with what a command line tells of it.

`Annotated[int | None, Option("Number of matches.", ("--games",), read=whole(1))] = None` is a field of the
struct, a parameter of the function that takes the struct, and an option of the command.  ladder.cli.signature
makes typer's options of such fields; this module loads no parser, so that `import ladder` need not either.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from functools import wraps
from inspect import BoundArguments, Signature, signature
from math import inf
from typing import Any, Literal, ParamSpec, TypeAlias, TypeVar, get_args, get_type_hints

from ladder.errors import LadderError, Told, UsageProblem, short, suggest
from ladder.machine.arguments import read_argument
from results.errors import ResultsError

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")
Completed: TypeAlias = Literal[
    "bots", "duels", "games", "house bots", "languages", "matches", "rules", "seasons"
]
"""What a shell can offer."""
POWERS = {"k": "e3", "K": "e3", "M": "e6"}
"""What may stand behind a count."""
LONGEST_S = 8_760 * 3600
"""A year: the longest time that an option takes, in seconds."""


class Section(Enum):
    """The sections of a command's help, in their order."""

    WHAT = "What is played"
    END = "When it ends"
    DEALS = "Deals"
    UNFINISHED = "Unfinished run"
    WORKERS = "Workers"
    SANDBOX = "Sandbox"
    OPTIONS = "Options"
    MANY = "Many bots"


@dataclass(frozen=True)
class Option:
    """What a command line tells of a field."""

    help: str
    flags: tuple[str, ...] = ()
    """What is typed before the value; empty: the name of the field, with dashes."""
    metavar: str | None = None
    """What stands for the value in the help."""
    default: str = ""
    """What happens without the option, where the default of the field does not say it."""
    section: Section = Section.OPTIONS
    read: Callable[[str], Any] | None = None
    """Returns the value of a text; raises ValueError with a message for anybody who typed it."""
    completes: Completed | None = None
    """What a shell offers."""
    bare: str = ""
    """The value of the option where it is typed without one; empty: it needs one."""
    variable: str | None = None
    """The environment variable that is read in place of an option that is not given."""
    short: bool = False
    """Whether -h shows the option, where it does not show all."""
    hidden: bool = False
    """Whether no help shows it."""
    python_only: bool = False
    """Whether callers in Python give it, and no command line."""

    is_value: Callable[[str, Sequence[str]], bool] | None = None
    """Whether a word, among those that are typed, is the value of an option with a *bare* one."""

    def takes(self, following: str, words: Sequence[str]) -> bool:
        """Return whether the word that follows the option among *words* is its value."""
        if not self.bare:
            return True
        if self.is_value:
            return self.is_value(following, words)
        return re.match(r"[+-]?\.?\d", following) is not None


@dataclass(frozen=True)
class Argument(Option):
    """What a command line tells of a field that is typed without a flag."""


class WrongOption(UsageProblem):
    """An option does not go together with another.  *option* is the one to correct, *reason* says why."""

    def __init__(self, option: str, reason: str) -> None:
        super().__init__(f"{option}: {reason}", "leave one of them out")
        self.option = option
        self.reason = reason


def taking(struct: Callable[P, T]) -> Callable[[Callable[[T], R]], Callable[P, R]]:
    """Return a decorator: the function takes the fields of *struct* as arguments, and gets the struct.

    Values are read by the types and the options of the fields.  Raises UsageProblem for one that is wrong, is
    not there or is unknown; Told in place of ResultsError, so that all errors of a call are LadderErrors.
    """

    def decorate(function: Callable[[T], R]) -> Callable[P, R]:
        @wraps(function)
        def call(*args: P.args, **named: P.kwargs) -> R:
            try:
                given = _bind(function.__name__, taken, args, named)
                for name, value in given.arguments.items():
                    option = next(iter(get_args(declared[name])[1:]), None)
                    read = option.read if isinstance(option, Option) else None
                    given.arguments[name] = read_argument(name, value, hints[name], read)
                return function(struct(*given.args, **given.kwargs))
            except ResultsError as error:
                told = Told(str(error), error.hint, error.whose, error.exit_code)
                told.add_note(f"next: {told.hint}")
                raise told from error
            except LadderError as error:
                error.add_note(f"next: {error.hint}")  # a traceback shows it; no command prints the hint
                raise

        hints, declared = get_type_hints(struct), get_type_hints(struct, include_extras=True)
        taken = signature(struct)
        parameters = [each.replace(annotation=hints[name]) for name, each in taken.parameters.items()]
        returned = get_type_hints(function)["return"]
        call.__signature__ = Signature(parameters, return_annotation=returned)  # type: ignore[attr-defined]  # functions have a dict
        return call

    return decorate


def _bind(function: str, taken: Signature, args: Sequence[Any], named: Mapping[str, Any]) -> BoundArguments:
    """Return the arguments for what is *taken* by a *function*.  Raises UsageProblem."""
    shown = f"help(ladder.{function}), which shows them all"
    for name in named:
        if name not in taken.parameters:
            near = suggest(name, taken.parameters)
            raise UsageProblem(f"{function}: there is no option {short(name)!r}{near}", shown)
    try:
        return taken.bind(*args, **named)
    except TypeError as error:  # one that is missing, is given twice, or must be named
        raise UsageProblem(f"{function}: {error}", shown) from None


def whole(low: int, high: int | None = None) -> Callable[[str], int]:
    """Return a reader of whole numbers from *low* to *high*, such as 10000, 10k, 1e4 or 2.5M."""
    wanted = (
        f"a whole number of at least {low:,}" if high is None else f"a whole number from {low:,} to {high:,}"
    )

    def read(text: str | int) -> int:
        found = re.fullmatch(
            r"([+-]?[0-9]{1,18})|([0-9]{1,9}(?:\.[0-9]{1,6})?)([kKM]|e\+?[0-9]{1,2})", str(text)
        )
        number = None
        if found:
            value = Decimal(found[1] or found[2] + POWERS.get(found[3], found[3]))
            number = int(value) if value == value.to_integral_value() and value < 10**18 else None
        if number is None or number < low or (high is not None and number > high):
            raise ValueError(f"expected {wanted}, got: {str(text)!r}")
        return number

    return read


def percent(low: float, high: float) -> Callable[[str], float]:
    """Return a reader of a number of percent between *low* and *high*, both excluded."""

    def read(text: str | float) -> float:
        if (number := _number_between(low, str(text).removesuffix("%"), high)) is None:
            raise ValueError(f"expected a percentage between {low:g} and {high:g}, got: {text!r}")
        return number

    return read


def wins(low: float, high: float, such_as: str) -> Callable[[str], float]:
    """Return a reader of wins of 100 between *low* and *high*, both excluded; *such_as* is an example."""
    return _number(low, high, f"wins of 100, above {low:g} and below {high:g}, such as {such_as}")


def _number(low: float, high: float, what: str) -> Callable[[str], float]:
    """Return a reader of a number between *low* and *high*, both excluded; *what* says so in words."""

    def read(text: str | float) -> float:
        if (number := _number_between(low, text, high)) is None:
            raise ValueError(f"expected {what}; got: {short(str(text))!r}")
        return number

    return read


points = _number(0.0, inf, "points of rating above 0, such as 2")
dollars = _number(0.0, inf, "US dollars above 0, such as 2.50")


def _number_between(low: float, text: str | float, high: float) -> float | None:
    """Return the number that *text* means if it lies between *low* and *high*, both excluded; else None."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if low < number < high else None


def duration(text: str | float) -> float:
    """Return the seconds of a time such as 1h30m.  Raises ValueError for any other text, and above a year."""
    total = text if not isinstance(text, str) else 0.0
    if match := re.fullmatch(r"(?:([0-9]{1,9})h)?(?:([0-9]{1,9})m)?(?:([0-9]{1,9})s?)?", str(text)):
        parts = zip(match.groups(), (3600, 60, 1), strict=True)
        total = sum(int(part or 0) * unit for part, unit in parts)
    if not 0 < total <= LONGEST_S:
        most = f"{LONGEST_S // 3600:,}h"
        raise ValueError(
            f"expected a time such as 90s, 30m or 1h30m, up to {most}, got: {short(str(text))!r}"
        )
    return float(total)
