"""Label bots for people: by the name that people see, with the version added if its handle is not unique."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import TypeAlias

Key: TypeAlias = tuple[str, str]
"""A bot's name and version."""
Numbers: TypeAlias = Mapping[Key, int]
"""The numbers that a home gave to versions.  They are valid in that home only, so rows do not hold them."""


class HomeNumbers(dict[Key, int]):
    """The numbers that a home gave to versions, and the names of its bots that people see."""

    def __init__(self, numbers: Numbers, displays: Mapping[str, str]) -> None:
        """Take *displays*, by handle; a name that is also another's gets its handle behind it."""
        super().__init__(numbers)
        handles = {name for name, _ in numbers}
        looks = Counter(display.casefold() for display in displays.values())
        looks.update(handle.casefold() for handle in handles - displays.keys())
        self.displays = {
            bot: f"{display} ({bot})" if looks[display.casefold()] > 1 else display
            for bot, display in displays.items()
        }


def display_of(bot: str, numbers: Numbers) -> str:
    """Return the name of *bot* that people see, which is its handle if it has no other."""
    return numbers.displays.get(bot, bot) if isinstance(numbers, HomeNumbers) else bot


DIGITS = 4
"""The most digits of a number in a label.  A longer one could be read as the beginning of a hash."""
HASH_SHOWN = 6
"""The number of a hash's characters that are shown, and the fewest that are accepted for a hash."""
PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
"""Names that can be those of files and parts of addresses.  Matches of other ladders may have others."""
LONGEST = 64
"""The most characters of a name that becomes that of a file."""
COPY = re.compile(r"(?<=^[0-9a-f]{12})-[0-9]+$")
"""What the version of a copy has behind the hash of the bot."""


def labels(bots: Iterable[Key], numbers: Numbers) -> dict[Key, str]:
    """Return the label of each of *bots*: the name that people see, if its handle is unique among them.

    Otherwise NAME@NUMBER if *numbers* has the version, else NAME@HASH, the beginning of its hash.  A bot that
    sits at a table twice has one label: its copies have the version HASH-0, HASH-1 and so on.
    """
    bots = set(bots)
    found = {_original(bot) for bot in bots}
    count = Counter(name for name, _ in found)
    short = Counter((name, version[:HASH_SHOWN]) for name, version in found)
    label = {
        (name, version): display_of(name, numbers)
        + ("" if count[name] == 1 else f"@{_suffix(name, version, numbers, short)}")
        for name, version in found
    }
    return {bot: label[_original(bot)] for bot in bots}


def tell_apart(names: Sequence[str]) -> list[str]:
    """Return *names*, by seat, with the seat behind those that stand there more than once."""
    count = Counter(names)
    return [f"{name} ({seat})" if count[name] > 1 else name for seat, name in enumerate(names)]


def _original(bot: Key) -> Key:
    name, version = bot
    return name, COPY.sub("", version)


def hint_on(command: str, bots: Iterable[Key], numbers: Numbers) -> str:
    """Return *command*, which names *bots* to be typed next; empty if it cannot work.

    Only submitted bots, of which the home has *numbers*, can play or be asked; people, functions of Python
    and bots of other homes cannot.
    """
    return command if all(bot in numbers for bot in bots) else ""


def file_name(name: str) -> str:
    """Return the name of a file, without a suffix, that is also part of an address, for *name*.

    It is the name itself, or a part of its hash if that is long, is not PLAIN or has upper case: names that
    differ only in that would be one file on some disks.
    """
    is_safe = PLAIN.fullmatch(name) and name == name.lower() and len(name) <= LONGEST
    return name if is_safe else _hash(name)


def _hash(name: str) -> str:
    return sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def file_names(bots: Iterable[str]) -> dict[str, str]:
    """Return for each name of a bot the name of a file, without a suffix, that is also part of an address.

    Names that are not PLAIN get a part of a hash, and so do those that differ only in upper case, which
    would be one file on some disks.
    """
    bots = set(bots)
    alike = Counter(bot.lower() for bot in bots)
    return {bot: bot if alike[bot.lower()] == 1 and PLAIN.fullmatch(bot) else _hash(bot) for bot in bots}


def _suffix(name: str, version: str, numbers: Numbers, short: Mapping[Key, int]) -> str:
    number = str(numbers.get((name, version), 0))
    if number != "0" and len(number) <= DIGITS:
        return number
    beginning = version[:HASH_SHOWN]
    return beginning if short[name, beginning] == 1 else version
