"""A wish: a small file in a person's inbox that asks for one change of that person's own bots."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

from ladder.errors import UsageProblem, short
from ladder.machine.toml import read_toml
from ladder.registry.handles import NAME

SUFFIX: Final = ".wish.toml"
"""How the names of wishes end."""
LONGEST = 4096
"""The most bytes of a wish."""
EXAMPLES: Final[list[dict[str, str | int]]] = [
    {"wish": "retire", "bot": "mine"},
    {"wish": "retire", "bot": "mine@2"},
    {"wish": "activate", "bot": "mine@2"},
    {"wish": "rename", "bot": "mine", "to": "rival"},
    {"wish": "challenge", "bot": "mine", "against": "greedy", "game": "stellar", "deals": 50},
]
KEYS = {"rename": {"bot", "to"}, "challenge": {"bot", "against", "game", "deals"}}
"""What stands in a wish of each kind, if that is more than a bot."""

WishKind: TypeAlias = Literal["retire", "activate", "rename", "challenge"]
_Name: TypeAlias = Annotated[str, Meta(pattern=rf"\A{NAME.pattern}(@[0-9]{{1,6}})?\Z")]


class Wish(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is wished; each kind has the fields of KEYS."""

    wish: WishKind
    bot: _Name
    to: _Name = ""
    against: _Name = ""
    game: _Name = ""
    deals: Annotated[int, Meta(ge=1, le=500)] = 0


def _as_toml(fields: Mapping[str, object]) -> str:
    # names need no escapes, and JSON writes the others as TOML does
    return "".join(f"{key} = {msgspec.json.encode(value).decode()}\n" for key, value in fields.items())


FORMS: Final = "a file has one wish, as one of these:\n\n" + "\n".join(map(_as_toml, EXAMPLES))


def _check(fields: Mapping[str, object]) -> Wish:
    """Return the wish that *fields* are.  Raises UsageProblem, which its author may read."""
    try:
        wish = msgspec.convert(fields, Wish)
    except (msgspec.ValidationError, OverflowError) as error:
        told = re.sub("Expected `str` matching regex '.*'", "expected NAME or NAME@NUMBER", str(error))
        raise UsageProblem(f"this is no wish: {short(told, 200)}", FORMS) from None
    if fields.keys() - {"wish"} != (keys := KEYS.get(wish.wish, {"bot"})):
        raise UsageProblem(f"this is no wish: {wish.wish} takes {' and '.join(sorted(keys))}", FORMS)
    return wish


def wish_text(fields: Mapping[str, object]) -> str:
    """Return the text of a file with the wish of *fields*.  Raises UsageProblem."""
    return _as_toml(msgspec.to_builtins(_check(fields)))


def read_wish(path: Path) -> Wish:
    """Return the wish in the file at *path*, which may be anything.  Raises UsageProblem."""
    try:
        if path.is_symlink() or not path.is_file():
            raise ValueError("it is not a regular file")
        return _check(read_toml(path, LONGEST))
    except (ValueError, OSError) as error:
        what = (error.strerror if isinstance(error, OSError) else "") or str(error)
        raise UsageProblem(f"this is no wish: {what}", FORMS) from None
