"""What builds may use besides the system: the toolchains of the user who runs the ladder, read-only.

A toolchain is shown if the runner's PATH leads to one of PROGRAMS.  What is shown is the installation that
the program belongs to, and the variables that lead to it.  Never shown are the user's home and the settings
and credentials of package managers: builds have a HOME of their own, which goes with them.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from ladder.sandbox.plan import ENVIRONMENT
from ladder.sandbox.runtimes import CERTIFICATES, NETWORK, installations, is_within, may_be_shown, system

__all__ = ["Toolchains", "linked_toolchain", "network_variables", "toolchains"]

PROGRAMS = (
    *("cargo", "rustc", "rustup", "go", "zig", "gcc", "g++", "clang", "clang++", "ghc", "cabal", "stack"),
    *("make", "cmake", "ninja", "meson", "swift", "nim", "ocamlfind", "dune", "dotnet", "julia"),
    *("node", "npm", "npx", "pnpm", "yarn", "deno", "bun", "java", "javac", "mvn", "gradle", "kotlinc"),
    *("scala", "ruby", "bundle", "php", "composer", "lua", "perl", "uv", "pip", "python", "python3"),
    *(f"python3.{minor}" for minor in range(9, 20)),
)
"""What builds are made of."""
SETTINGS = (
    *("/etc/debian_version", "/etc/lsb-release", "/etc/os-release", "/etc/redhat-release"),
    "/etc/mime.types",
)
"""What package managers read of the system: they give up where it is there and cannot be read."""
PLACES = ("GOROOT", "JAVA_HOME")
"""Variables of the runner that builds have, too, if what they name is shown."""
TRUST = (
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "PIP_CERT", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"),
    *("CURL_CA_BUNDLE", "CARGO_HTTP_CAINFO", "GIT_SSL_CAINFO"),
)
"""The same for builds that may use the network, which are shown more."""
REGISTRIES = (
    *(
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "ALL_PROXY",
        "NO_PROXY",
        "http_proxy",
        "https_proxy",
        "all_proxy",
        "no_proxy",
    ),
    *("PIP_INDEX_URL", "UV_INDEX_URL", "UV_DEFAULT_INDEX", "NPM_CONFIG_REGISTRY", "npm_config_registry"),
    *("GOPROXY", "GOSUMDB"),
)
"""Variables that lead to registries: builds that may use the network have those that hold no password."""


class Toolchains(NamedTuple):
    """What a build finds."""

    shown: tuple[Path, ...]
    """Folders and files that it may read."""
    environment: Mapping[str, str]


class _Toolchain(NamedTuple):
    """A toolchain: what is shown of it, and the variables that lead its programs there."""

    shown: tuple[Path, ...]
    variables: Mapping[str, str] = {}


def toolchains(readable: Iterable[Path] = ()) -> Toolchains:
    """Return what builds may use here, with what the operator lets all bots read."""
    return _toolchains(os.environ.get("PATH", ""), str(Path.home()), tuple(readable))


def linked_toolchain(program: str, folder: Path) -> tuple[Path, ...]:
    """Return the toolchain that *program* of a bot is a link into, as in a `.venv` that its build made."""
    file = folder / program
    if not file.is_relative_to(folder) or not file.is_symlink():
        return ()
    return tuple(path for path in toolchains().shown if is_within(file, [path]))


def network_variables() -> dict[str, str]:
    """Return the variables of the runner by which a build reaches the network."""
    seen = [*system(), *map(Path, NETWORK)]
    values = {name: os.environ[name] for name in (*TRUST, *REGISTRIES) if os.environ.get(name)}
    return {
        name: value
        for name, value in values.items()
        if (is_within(Path(value), seen) if name in TRUST else "@" not in value)
    }


@lru_cache(64)
def _toolchains(path: str, home: str, readable: tuple[Path, ...]) -> Toolchains:
    programs = [Path(found) for name in PROGRAMS if (found := shutil.which(name, path=path))]
    known = [_toolchain(program.absolute(), Path(home)) for program in programs]
    parts = [*map(Path, (*SETTINGS, *CERTIFICATES)), *(part for found in known for part in found.shown)]
    shown = list(dict.fromkeys(part for part in parts if _may_be_shown(part, home)))
    variables = {name: value for found in known for name, value in found.variables.items()}
    visible = [*system(), *shown, *readable]
    for name in PLACES:
        if (value := os.environ.get(name)) and is_within(Path(value), visible):
            variables[name] = value
    folders = [folder for folder in path.split(os.pathsep) if folder and _is_visible(Path(folder), visible)]
    folders += ENVIRONMENT["PATH"].split(os.pathsep)
    variables["UV_PYTHON_DOWNLOADS"] = "never"  # they would be gone when the bot plays
    variables["PATH"] = os.pathsep.join(dict.fromkeys(folders))
    return Toolchains(tuple(shown), variables)


def _toolchain(program: Path, home: Path) -> _Toolchain:
    """Return the toolchain of *program*: of managers with a place of their own, and of all others."""
    folder = program.parent
    if (folder / "rustup").exists():  # beside its shims; the folder above them has credentials
        place = Path(os.environ.get("RUSTUP_HOME") or home / ".rustup")
        return _Toolchain((folder, place), {"RUSTUP_HOME": str(place)})
    if program.name == "uv":
        data = Path(os.environ.get("XDG_DATA_HOME") or home / ".local/share")
        place = Path(os.environ.get("UV_PYTHON_INSTALL_DIR") or data / "uv/python")
        variables = {"UV_PYTHON_INSTALL_DIR": str(place)} if place.is_dir() else {}
        return _Toolchain((*installations(program), place), variables)
    if (root := folder.parent / "libexec" / "pyenv").exists():
        return _Toolchain((folder.parent,), {"PYENV_ROOT": str(root.parents[1])})
    return _Toolchain(tuple(installations(program)))


def _may_be_shown(path: Path, home: str) -> bool:
    return path.exists() and may_be_shown(path) and path != Path(home, ".cargo")


def _is_visible(folder: Path, visible: Iterable[Path]) -> bool:
    """Return whether a folder of the PATH is *visible*, or something in it."""
    return folder.is_absolute() and (
        is_within(folder, visible) or any(folder == path.parent for path in visible if path.is_file())
    )
