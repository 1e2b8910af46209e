"""What is shown of a secret tournament: `revealed.json`, in the unrated store that holds it.

The file is there from before the first match on, and says which rounds are shown.  Stores without one are
shown.  It is apart from the run, which never changes, and is replaced in one step, also while the tournament
is played.  Copies and archives have it, too.
"""

from __future__ import annotations

import msgspec

from results.errors import DamagedResults
from results.storage.disk import Disk, replace_file
from results.storage.layout import Folder

__all__ = ["Revealed", "read_revealed", "write_revealed"]


class Revealed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The part of a secret tournament that is shown."""

    tournament: str
    """Its name."""
    rounds: tuple[str, ...] = ()
    """The rounds, such as swiss/1, in their order."""
    whole: bool = False
    """Whether all is shown, each match as well."""


def read_revealed(folder: Folder) -> Revealed | None:
    """Return what is shown of the results in *folder*; None if they were never secret.

    Raises DamagedResults.
    """
    try:
        return msgspec.json.decode(folder.revealed.read_bytes(), type=Revealed)
    except FileNotFoundError:
        return None
    except (msgspec.MsgspecError, OSError, UnicodeDecodeError) as error:
        raise DamagedResults(folder.revealed, str(error)) from None


def write_revealed(disk: Disk, folder: Folder, revealed: Revealed) -> None:
    """Replace what is shown, in one step, safe from a power cut."""
    replace_file(disk, folder.revealed, msgspec.json.format(msgspec.json.encode(revealed)) + b"\n")
