"""What every bot may read besides its own folder: the system, the interpreters, engines and protocol.

Nobody's word counts here but the operator's: the interpreters are those on the runner's own PATH, never what
a manifest names by its path, and a folder that holds more than an installation is not shown.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from glob import glob
from pathlib import Path

__all__ = [
    "CERTIFICATES",
    "NETWORK",
    "exposed_home",
    "installations",
    "is_shared",
    "is_within",
    "may_be_shown",
    "package_folder",
    "programs",
    "system",
]

SMALL = (
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/etc/ssl/openssl.cnf",  # node gives up if this is there and cannot be read
)
"""What runtimes look for outside of /usr; Java's settings join them."""
CERTIFICATES = (
    "/etc/ca-certificates",
    "/etc/pki/ca-trust",
    "/etc/pki/tls/cert.pem",
    "/etc/pki/tls/certs",
    "/etc/ssl/cert.pem",
    "/etc/ssl/certs",
)
"""Whom to trust; the keys that lie beside them are the machine's own."""
NETWORK = (*CERTIFICATES, "/etc/gai.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/resolv.conf")
"""What a bot that may use the network needs to find and trust others."""
INSTALLATION = ("lib", "lib64", "libexec", "pyvenv.cfg")
"""One of these lies beside the `bin` of a runtime."""


@cache
def system() -> tuple[Path, ...]:
    """Return the system's own folders and files, links among them (`/bin` often is one)."""
    folders = [Path("/", name) for name in ("usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32")]
    small = [Path(name) for name in (*SMALL, *sorted(glob("/etc/java-*")))]  # noqa: PTH207 - no Path.glob
    return tuple(path for path in (*folders, *small) if path.exists())


@lru_cache(1024)
def programs(program: str, folder: Path, readable: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return the folders outside of the system's own that a bot in *folder* started by *program* may read.

    These are the ladder's own Python with engines and protocol, the installation of *program* if the
    runner's PATH leads to it, and what the operator added as *readable*.
    """
    found = [*_python_folders(), *readable]
    if os.path.dirname(program) in os.environ.get("PATH", "").split(os.pathsep):  # noqa: PTH120 - as it stands
        found += installations(Path(program))
    return tuple(_outermost(path for path in found if may_be_shown(path) and not is_within(folder, [path])))


@lru_cache(1024)
def exposed_home(folder: Path, shown: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return what no bot may ever see, and would: the home of *folder*, if it lies in what is *shown*."""
    homes = (parent for parent in folder.resolve().parents if (parent / "ladder.toml").is_file())
    home = next(homes, None)
    return (home,) if home and is_within(home, (*system(), *shown)) else ()


def is_within(path: Path, roots: Iterable[Path]) -> bool:
    """Return whether *path* is one of *roots* or lies below one, whatever links lead there."""
    return any(path.resolve().is_relative_to(root.resolve()) for root in roots)


@cache
def _python_folders() -> tuple[Path, ...]:
    prefixes = [Path(sys.prefix), Path(sys.base_prefix), *installations(Path(sys.executable))]
    packages = [package_folder(name) for name in ("engines", "protocol")]
    return tuple(prefixes + packages)


def package_folder(name: str) -> Path:
    """Return the folder of one of our packages."""
    spec = importlib.util.find_spec(name)
    assert spec
    assert spec.origin
    return Path(spec.origin).resolve().parent


def installations(program: Path) -> Iterator[Path]:
    """Yield the folder of the installation that *program* belongs to, and of each that its links lead to."""
    for _ in range(16):
        top = program.parent.parent
        known = program.parent.name in ("bin", "sbin", "shims", "libexec")
        yield top if known and any((top / name).exists() for name in INSTALLATION) else program
        if not program.is_symlink():
            return
        program = Path(os.path.normpath(program.parent / program.readlink()))


def may_be_shown(path: Path) -> bool:
    """Return whether *path* is neither the system's, which is shown anyway, nor everybody's things."""
    return not (is_shared(path) or is_within(path, system()))


def is_shared(path: Path) -> bool:
    """Return whether *path* holds everybody's things."""
    user = Path.home().resolve()
    return path.resolve() in {Path("/"), Path("/opt"), user, *user.parents, user / ".local"}


def _outermost(paths: Iterable[Path]) -> list[Path]:
    found: list[Path] = []
    for path in sorted({path for path in paths if path.exists()}):  # parents come before what is in them
        if not is_within(path, found):
            found.append(path)
    return found
