"""Find the toolchains of the user who runs the ladder.  Builds may read them besides the system.

A toolchain is shown if one of PROGRAMS is on the runner's PATH: the program's installation and the variables
that name it.  The user's home and the settings and credentials of package managers are never shown.  A build
has a temporary HOME of its own.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from ladder.machine.user_home import user_home
from ladder.sandbox.plan import ENVIRONMENT
from ladder.sandbox.runtimes import CERTIFICATES, NETWORK, installations, is_within, may_be_shown, system

PROGRAMS = (
    *("cargo", "rustc", "rustup", "go", "zig", "gcc", "g++", "clang", "clang++", "ghc", "cabal", "stack"),
    *("make", "cmake", "ninja", "meson", "swift", "nim", "ocamlfind", "dune", "dotnet", "julia"),
    *("node", "npm", "npx", "pnpm", "yarn", "deno", "bun", "java", "javac", "mvn", "gradle", "kotlinc"),
    *("scala", "ruby", "bundle", "php", "composer", "lua", "perl", "uv", "pip", "python", "python3"),
    *(f"python3.{minor}" for minor in range(9, 20)),
)
"""The programs of the toolchains."""
SETTINGS = (
    *("/etc/debian_version", "/etc/lsb-release", "/etc/os-release", "/etc/redhat-release"),
    "/etc/mime.types",
)
"""System files of package managers, which fail if a file exists and is not readable."""
PLACES = ("GOROOT", "JAVA_HOME")
"""Variables of the runner that builds get, too, if the paths in them are shown."""
TRUST = (
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "PIP_CERT", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"),
    *("CURL_CA_BUNDLE", "CARGO_HTTP_CAINFO", "GIT_SSL_CAINFO"),
)
"""The same for builds that may use the network, and see more paths."""
REGISTRIES = (
    *("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"),
    *("http_proxy", "https_proxy", "all_proxy", "no_proxy"),
    *("PIP_INDEX_URL", "UV_INDEX_URL", "UV_DEFAULT_INDEX", "NPM_CONFIG_REGISTRY", "npm_config_registry"),
    *("GOPROXY", "GOSUMDB"),
)
"""Variables that name registries.  Builds that may use the network get those without a password."""


class Toolchains(NamedTuple):
    """The paths and variables for a build."""

    shown: tuple[Path, ...]
    """Folders and files that the build may read."""
    environment: Mapping[str, str]


class _Toolchain(NamedTuple):
    """A toolchain: the paths to show, and the variables by which its programs find them."""

    shown: tuple[Path, ...]
    variables: Mapping[str, str] = {}


def toolchains(readable: Iterable[Path] = ()) -> Toolchains:
    """Return the toolchains for builds, given the *readable* paths that the operator shows to all bots."""
    return _toolchains(os.environ.get("PATH", ""), str(user_home() or "/"), tuple(readable))


def linked_toolchain(program: str, folder: Path) -> tuple[Path, ...]:
    """Return the toolchain that *program* of a bot links to, as in a `.venv` made by its build."""
    file = folder / program
    if not file.is_relative_to(folder) or not file.is_symlink():
        return ()
    return tuple(path for path in toolchains().shown if is_within(file, [path]))


def network_variables() -> dict[str, str]:
    """Return the variables of the runner that a build with network access gets."""
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
    variables["UV_PYTHON_DOWNLOADS"] = "never"  # a download would be gone when the bot plays
    variables["PATH"] = os.pathsep.join(dict.fromkeys(folders))
    return Toolchains(tuple(shown), variables)


def _toolchain(program: Path, home: Path) -> _Toolchain:
    """Return the toolchain of *program*, with special cases for managers that have folders of their own."""
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
    """Return whether a *folder* of the PATH, or a file in it, is *visible*."""
    return folder.is_absolute() and (
        is_within(folder, visible) or any(folder == path.parent for path in visible if path.is_file())
    )
