"""Find the paths that every bot may read: the system, the interpreters, engines and protocol.

Only the operator decides: interpreters come from the runner's own PATH, never from a path in a manifest, and
a folder that holds more than an installation is not shown.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from glob import glob
from pathlib import Path

from ladder.machine.build import libraries
from ladder.machine.user_home import user_home

SMALL = (
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/etc/mono/4.5/machine.config",
    "/etc/mono/config",  # where mono's own libraries are: without it, a program can open no file
    "/etc/ssl/openssl.cnf",  # node gives up if this is there and cannot be read
)
"""Files that runtimes need outside of /usr, besides Java's settings."""
CERTIFICATES = (
    "/etc/ca-certificates",
    "/etc/pki/ca-trust",
    "/etc/pki/tls/cert.pem",
    "/etc/pki/tls/certs",
    "/etc/ssl/cert.pem",
    "/etc/ssl/certs",
)
"""Certificates of authorities.  The machine's own keys beside them are not shown."""
NETWORK = (*CERTIFICATES, "/etc/gai.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/resolv.conf")
"""Files for bots that may use the network: name resolution and certificates."""
SECRET = {
    *("NetworkManager", "apt", "credstore", "credstore.encrypted", "cron.d", "crontab", "crypttab", "docker"),
    *("environment", "fstab", "gitconfig", "group", "group-", "gshadow", "gshadow-", "hostname", "hosts"),
    *("krb5.keytab", "kubernetes", "letsencrypt", "machine-id", "netplan", "npmrc", "openvpn", "passwd"),
    *("passwd-", "pip.conf", "pki", "ppp", "private", "resolv.conf", "shadow", "shadow-", "ssh", "ssl"),
    *("subgid", "subgid-", "subuid", "subuid-", "sudoers", "sudoers.d", "wgetrc", "wireguard"),
    "wpa_supplicant",
}
"""What is in /etc, and in /etc/ssl, of users, networks, keys and passwords: no build sees it."""
INSTALLATION = ("lib", "lib64", "libexec", "pyvenv.cfg")
"""The installation of a runtime has one of these beside its `bin`."""


@cache
def system() -> tuple[Path, ...]:
    """Return the system's own folders and files, including links (`/bin` often is one)."""
    folders = [Path("/", name) for name in ("usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32")]
    small = [Path(name) for name in (*SMALL, *sorted(glob("/etc/java-*")))]  # noqa: PTH207 - no Path.glob
    return tuple(path for path in (*folders, *small) if path.exists())


@cache
def settings(folder: Path = Path("/etc")) -> tuple[Path, ...]:
    """Return what builds may read of /etc besides `system`: what every user may read, and is not SECRET."""
    roots = (folder, Path("/usr"))  # a link may lead out of them, as that of mtab into /proc
    return tuple(
        path
        for path in sorted([*folder.iterdir(), *folder.glob("ssl/*")])
        if path.name not in SECRET and path not in system() and path.exists() and is_within(path, roots)
        if path.stat().st_mode & 0o004
    )


@lru_cache(1024)
def programs(program: str, folder: Path, readable: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return the folders, besides the system's, that a bot in *folder* started by *program* may read.

    These are the ladder's own Python with engines and protocol, the installation of *program* if that is on
    the runner's PATH, and the operator's *readable* paths.
    """
    found = [*_python_folders(), *readable]
    if os.path.dirname(program) in os.environ.get("PATH", "").split(os.pathsep):  # noqa: PTH120 - as it stands
        found += installations(Path(program))
    return tuple(_outermost(path for path in found if may_be_shown(path) and not is_within(folder, [path])))


@lru_cache(1024)
def exposed_home(folder: Path, shown: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return the home that *folder* lies in, if bots would see it: no bot may ever read a home."""
    homes = (parent for parent in folder.resolve().parents if (parent / "ladder.toml").is_file())
    home = next(homes, None)
    return (home,) if home and is_within(home, (*system(), *shown)) else ()


def is_within(path: Path, roots: Iterable[Path]) -> bool:
    """Return whether *path*, with links resolved, is one of *roots* or lies below one."""
    return any(path.resolve().is_relative_to(root.resolve()) for root in roots)


@cache
def _python_folders() -> tuple[Path, ...]:
    prefixes = [Path(sys.prefix), Path(sys.base_prefix), *installations(Path(sys.executable))]
    return (*prefixes, *ladder_paths())


def ladder_paths() -> list[Path]:
    """Return what bots import of the ladder: two packages, and the machine code of their modules."""
    packages = [_package_folder(name) for name in ("engines", "protocol")]
    return [*packages, *(Path(path).resolve() for path in libraries())]


def _package_folder(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    assert spec
    assert spec.origin
    return Path(spec.origin).resolve().parent


def installations(program: Path) -> Iterator[Path]:
    """Yield the installation folder of *program*, and of each program that its links lead to.

    A program that lies in no folder of its own, as in `~/.local/bin`, is yielded itself.
    """
    for _ in range(16):
        top = program.parent.parent
        known = program.parent.name in ("bin", "sbin", "shims", "libexec") and not is_shared(top)
        yield top if known and any((top / name).exists() for name in INSTALLATION) else program
        if not program.is_symlink():
            return
        program = Path(os.path.normpath(program.parent / program.readlink()))


def may_be_shown(path: Path) -> bool:
    """Return whether to show *path*: not if the system's folders show it, or if it is a shared folder.

    A link elsewhere that leads into them is shown: programs are called by the path on which they were found.
    """
    return not (is_shared(path) or _is_seen(path, system()))


def _is_seen(path: Path, roots: Iterable[Path]) -> bool:
    """Return whether *path*, as it stands and where its links lead, lies in one of *roots*."""
    return any(path.is_relative_to(root) and is_within(path, [root]) for root in roots)


def is_shared(path: Path) -> bool:
    """Return whether *path* is a folder with more than one installation, such as a user's home."""
    user = (user_home() or Path("/")).resolve()
    return path.resolve() in {Path("/"), Path("/opt"), user, *user.parents, user / ".local"}


def _outermost(paths: Iterable[Path]) -> list[Path]:
    """Return *paths* without those that others show; for a link in a folder shown, where it leads."""
    found: list[Path] = []
    for path in sorted({path for path in paths if path.exists()}):  # parents come before their children
        roots = [*system(), *found]
        if not _is_seen(path, roots) and any(path.is_relative_to(root) for root in roots):
            path = path.resolve()
        if not _is_seen(path, roots):
            found.append(path)
    return found
