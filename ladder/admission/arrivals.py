"""Files that come from elsewhere: written beside an inbox's entries, and renamed when they are whole.

A folder of a person is opened once and never followed, so no name and no link leads out of it.
"""

import hashlib
import io
import json
import os
import re
import secrets
import shutil
import time
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

from ladder.admission.inbox_answers import InboxFolders
from ladder.admission.inbox_entries import WHOLE_NS, is_left_alone
from ladder.admission.upload_states import count_unanswered
from ladder.errors import UsageProblem
from ladder.home.home import Home, open_home
from ladder.registry.bot_archive import TARS, ZIP
from ladder.registry.bot_manifest import INTERPRETERS, OTHER_INTERPRETERS, check_name
from ladder.registry.bot_names import look_of
from ladder.registry.handles import NAME as HANDLE
from ladder.registry.handles import derive_handle, name_of_file
from ladder.registry.place import BotPlace, has_right
from ladder.registry.version import LONGEST_NOTE

ENDINGS: Final = tuple(sorted({*INTERPRETERS, *OTHER_INTERPRETERS, ZIP, *TARS}))
"""How names of files end that can be a bot."""
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
NAME_RULE: Final = "1 to 64 letters, digits, dots, dashes and underscores, first a letter or digit"
SPARE_BYTES, SPARE_SHARE = 2**30, 20
"""This much of the disk stays free, and one part in this many."""
_PART: Final = re.compile(r"\.[0-9a-f]{16}\.part")


def is_file_name(name: str) -> bool:
    """Return whether a file of a bot may be called *name*."""
    return bool(NAME.fullmatch(name)) and name.lower().endswith(ENDINGS) and not is_left_alone(name)


def is_of_other(home: Home, person: str, file: str) -> bool:
    """Return whether the bot that a *file* names, one of a bot, came from somebody else than *person*."""
    name = name_of_file(next(file[: -len(end)] for end in ENDINGS[::-1] if file.lower().endswith(end)))
    look = look_of(name if HANDLE.fullmatch(name) else derive_handle(name))
    place, places = BotPlace("", f"{person}/"), home.roster.places()
    return any(look_of(bot) == look and not has_right(place, origins) for bot, origins in places.items())


def has_room(folder: Path, size: int) -> bool:
    """Return whether *size* bytes more leave enough of the disk of *folder* free."""
    disk = shutil.disk_usage(folder)
    return disk.free - size >= max(SPARE_BYTES, disk.total // SPARE_SHARE)


class Arrival:
    """A file that arrives in the folder of a person, under a name that the inbox leaves alone."""

    def __init__(self, inbox: Path, person: str) -> None:
        """Begin it; the folder of *person* is made if it is gone.  Raises OSError."""
        self._part, self._hash, self.size = f".{secrets.token_hex(8)}.part", hashlib.sha256(), 0
        top = os.open(inbox, os.O_RDONLY | os.O_DIRECTORY)
        try:
            with suppress(FileExistsError):
                os.mkdir(person, 0o700, dir_fd=top)
            self._folder = os.open(person, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=top)
        finally:
            os.close(top)
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
            self._handle = os.open(self._part, flags, 0o600, dir_fd=self._folder)
        except OSError:
            os.close(self._folder)
            raise

    def write(self, data: bytes) -> None:
        """Add *data*.  Raises OSError."""
        self._hash.update(data)
        self.size += len(data)
        while data:
            data = data[os.write(self._handle, data) :]

    @property
    def sha256(self) -> str:
        """The SHA-256 of what has come."""
        return self._hash.hexdigest()

    def sync(self) -> None:
        """Return when what has come is safe from a power cut."""
        # the inbox takes a file at once that changed before it was renamed, and waits for no rest of it
        os.utime(self._handle, ns=(WHOLE_NS, WHOLE_NS))
        os.fsync(self._handle)

    def keep(self, name: str) -> None:
        """Give the file its *name*, in place of one that waits.  Raises OSError."""
        os.rename(self._part, name, src_dir_fd=self._folder, dst_dir_fd=self._folder)

    def sync_name(self) -> None:
        """Return when its name is safe from a power cut."""
        os.fsync(self._folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file, and remove it unless it was kept."""
        os.close(self._handle)
        with suppress(FileNotFoundError):
            os.unlink(self._part, dir_fd=self._folder)
        os.close(self._folder)


def remove_parts(inbox: Path, older_s: float) -> None:
    """Remove what is left of files in *inbox* that did not arrive whole for *older_s* seconds."""
    for path in inbox.glob("*/.*.part"):
        with suppress(OSError):  # it has arrived
            is_old = time.time() - path.lstat().st_ctime >= older_s
            if is_old and _PART.fullmatch(path.name) and not path.parent.is_symlink():
                path.unlink()


def refuse_name(bot: str) -> UsageProblem:
    """Return the refusal of the name of another person's *bot*."""
    return UsageProblem(f"the name {bot!r} is taken", "use another name")


def hand_in_remote(home: Home, folders: InboxFolders, person: str, bot: str, note: str | None) -> None:
    """Put a manifest of *bot* into the inbox if it is new, or has another *note*: a new version of it.

    None stands for the note of before: a connection is made again.  Raises UsageProblem for a name that
    *person* may not use, OSError.
    """
    check_name(bot)
    home, file = open_home(home.path), f"{bot}{ZIP}"
    if is_of_other(home, person, file):
        raise refuse_name(bot)
    mine = [version for version in home.roster.versions_of(bot) if not version.aside]
    newest = mine[-1].manifest if mine else None
    if note is None or (newest and newest.remote and note in ("", newest.description)):
        return
    if newest and not note:
        raise UsageProblem(f"{bot} runs on the ladder's machine", "add --new-version NOTE")
    if not note.isprintable() or len(note) > LONGEST_NOTE:
        raise UsageProblem("the note is too long, or cannot be printed", f"at most {LONGEST_NOTE} characters")
    told = f"description = {json.dumps(note, ensure_ascii=False)}\n" if note else ""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("bot.toml", f"name = {json.dumps(bot)}\nremote = true\n{told}")
    most = home.settings.inbox.waiting
    if most and count_unanswered(folders, person, file) >= most:
        raise UsageProblem(f"{most} of your uploads wait for their answers", "try again when one is there")
    with Arrival(folders.inbox, person) as arrival:
        arrival.write(packed.getvalue())
        arrival.sync()
        arrival.keep(file)
