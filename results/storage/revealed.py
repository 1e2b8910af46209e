"""What is shown of a secret tournament: `revealed.json`, in the unrated store that holds it.

The file is there from before the first match on, and says which rounds are shown.  Where a secret tournament
has none, nothing is shown.  It is apart from the run, which never changes, and is replaced in one step, also
while the tournament is played.  Copies and archives have it as well.
"""

import os
from collections.abc import Sequence

import msgspec

from results.errors import DamagedResults
from results.record import Run
from results.storage.disk import Disk, disk_errors, replace_file
from results.storage.layout import Folder
from results.storage.locking import await_briefly


class Revealed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The part of a secret tournament that is shown."""

    tournament: str
    """Its name."""
    rounds: tuple[str, ...] = ()
    """The rounds, such as swiss/1, in their order."""
    whole: bool = False
    """Whether all is shown, each match as well."""


def read_revealed(folder: Folder, runs: Sequence[Run]) -> Revealed | None:
    """Return what is shown of the results in *folder*, which has these *runs*; None: they were never secret.

    Raises DamagedResults, also where the file of a secret tournament is missing, or is that of another one.
    """
    terms = [each for run in runs if (each := run.settings.tournament)]
    try:
        found = msgspec.json.decode(folder.revealed.read_bytes(), type=Revealed)
    except FileNotFoundError:
        if any(each.hidden for each in terms):
            raise DamagedResults(folder.revealed, "it is missing") from None
        return None
    except (msgspec.MsgspecError, OSError, UnicodeDecodeError) as error:
        raise DamagedResults(folder.revealed, str(error)) from None
    # without terms, runs.parquet was lost, and a repair has made up the run
    if terms and found.tournament not in [each.name for each in terms]:
        raise DamagedResults(folder.revealed, f"it is that of another tournament, {found.tournament!r}")
    return found


def reveal(folder: Folder, runs: Sequence[Run], more: Revealed) -> Revealed:
    """Show *more*, beside what another process may have shown meanwhile; return all that is shown then."""
    lock = folder.revealed.with_suffix(".lock")  # that of the store is held while the tournament is played
    with disk_errors(folder.root), os.fdopen(await_briefly(lock)):
        there = read_revealed(folder, runs) or more
        rounds = max(there.rounds, more.rounds, key=len)  # each has all before its last one
        shown = Revealed(more.tournament, rounds, there.whole or more.whole)
        write_revealed(Disk(), folder, shown)
    return shown


def write_revealed(disk: Disk, folder: Folder, revealed: Revealed) -> None:
    """Replace what is shown, in one step, safe from a power cut."""
    replace_file(disk, folder.revealed, msgspec.json.format(msgspec.json.encode(revealed)) + b"\n")
