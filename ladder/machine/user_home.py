"""The home folder of the user who runs the ladder, if there is one."""

import os
import pwd
from contextlib import suppress
from pathlib import Path


def user_home() -> Path | None:
    """Return HOME if it is absolute, else what passwd says; None for a user without a home folder."""
    found = os.environ.get("HOME", "")
    with suppress(KeyError):
        found = found if found.startswith("/") else pwd.getpwuid(os.getuid()).pw_dir
    return Path(found) if found.startswith("/") else None
