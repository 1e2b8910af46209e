"""Remove, or open to this user, folders in which a stranger's program wrote."""

import shutil
from pathlib import Path


def open_up(folder: Path, then: str = ":") -> None:
    """Let this user read and remove all in *folder*, whatever rights it has; *then* do a line of shell."""
    from subprocess import DEVNULL, run

    run(["/bin/sh", "-c", f'chmod -R u+rwX -- "$0"; {then}', folder], stderr=DEVNULL, check=False)


def remove_folder(folder: Path) -> None:
    """Remove *folder* as far as this user may, however deep or closed a program has left it."""
    try:
        shutil.rmtree(folder)
    except (OSError, RecursionError):
        if folder.is_dir() and not folder.is_symlink():
            open_up(folder, 'rm -rf -- "$0"')
