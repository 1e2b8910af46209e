"""A wish: a small file in a person's inbox that asks for one change of that person's own bots."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from ladder.errors import UsageProblem, short
from ladder.machine.toml import read_toml
from ladder.registry.handles import NAME

SUFFIX = ".wish.toml"
"""How the names of wishes end."""
LONGEST = 4096
"""The most bytes of a wish."""
MOST_DEALS = 500
"""The most deals of a challenge."""
FORMS = """\
wish = "retire", bot = "mine" or "mine@2"
wish = "activate", bot = "mine@2"
wish = "rename", bot = "mine", to = "rival"
wish = "challenge", bot = "mine", against = "greedy", game = "stellar", deals = 50"""

_Name: TypeAlias = Annotated[str, Meta(pattern=rf"\A{NAME.pattern}\Z")]
_Version: TypeAlias = Annotated[str, Meta(pattern=rf"\A{NAME.pattern}(@[0-9]{{1,6}})?\Z")]


class Retire(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="wish", tag="retire"):
    """Keep a bot, or one of its versions, out of the next runs."""

    bot: _Version


class Activate(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="wish", tag="activate"):
    """Let a version be the one that plays."""

    bot: _Version


class Rename(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="wish", tag="rename"):
    """Give a bot another name."""

    bot: _Name
    to: _Name


class Challenge(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="wish", tag="challenge"):
    """Play an unrated duel against another bot."""

    bot: _Version
    against: _Version
    game: _Name
    deals: Annotated[int, Meta(ge=1, le=MOST_DEALS)]


Wish: TypeAlias = Retire | Activate | Rename | Challenge


def check_wish(fields: Mapping[str, object]) -> Wish:
    """Return the wish that *fields* are.  Raises UsageProblem, which its author may read."""
    try:
        return msgspec.convert(fields, Wish)  # type: ignore[no-any-return]  # a union is no class
    except (msgspec.ValidationError, OverflowError) as error:
        told = re.sub("Expected `str` matching regex '.*'", "expected NAME or NAME@NUMBER", str(error))
        raise UsageProblem(f"this is no wish: {short(told, 200)}", FORMS) from None


def wish_text(fields: Mapping[str, object]) -> str:
    """Return the text of a file with the wish of *fields*.  Raises UsageProblem."""
    told = msgspec.to_builtins(check_wish(fields))
    # names need no escapes, and JSON writes the others as TOML does
    return "".join(f"{key} = {msgspec.json.encode(value).decode()}\n" for key, value in told.items())


def read_wish(path: Path) -> Wish:
    """Return the wish in the file at *path*, which may be anything.  Raises UsageProblem."""
    try:
        if path.is_symlink() or not path.is_file():
            raise ValueError("it is not a regular file")
        return check_wish(read_toml(path, LONGEST))
    except (ValueError, OSError) as error:
        what = (error.strerror if isinstance(error, OSError) else "") or str(error)
        raise UsageProblem(f"this is no wish: {what}", FORMS) from None
