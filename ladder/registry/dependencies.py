"""Dependencies of bots: the files of package managers that stand for a build where a manifest has none.

What is in the folder already, because its author put it there, is not fetched.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

__all__ = ["SIDE_FILES", "SITE", "build_line", "environment_of", "wants_network"]

SITE = "site-packages"
"""The folder of a bot that its Python imports from, besides the bot's own."""
SIDE_FILES = {
    ".py": ("requirements.txt",),
    ".js": ("package.json", "package-lock.json"),
    ".mjs": ("package.json", "package-lock.json"),
}
"""What belongs to a script that is submitted by itself, if it lies beside it."""
VENDOR = "vendor"
"""The folder in which authors put what their bots depend on."""
LEFTOVERS = ("build", "deps", "examples", "incremental", ".fingerprint")
"""What cargo leaves in target/release besides the program: hundreds of megabytes."""
NEEDS_NETWORK = re.compile(
    "|".join(
        (
            *("Name or service not known", "Temporary failure in name resolution", "EAI_AGAIN", "ENOTFOUND"),
            *("[Cc]ould not resolve", "failed to lookup address", "Network is unreachable", "dial tcp"),
            *("No matching distribution found", "ENOTCACHED", "offline mode", "--offline was specified"),
            *("GOPROXY=off", "Network connectivity is disabled", "No solution found.*unavailable"),
            *("spurious network error", "getaddrinfo", "Failed to establish a new connection"),
        )
    )
)
"""What builds say that cannot reach a registry."""


def build_line(folder: Path, run: Sequence[str], network: bool) -> str:
    """Return a line for the shell that builds what lies in *folder*; "" if there is nothing to do.

    *run* is the command of the bot.  Without *network* nothing is asked for that could not be answered.
    """
    return " && ".join(_build_steps(folder, run[0], network))


def wants_network(output: str) -> bool:
    """Return whether the *output* of a build says that it cannot reach others."""
    return bool(NEEDS_NETWORK.search(output))


def environment_of(folder: Path) -> dict[str, str]:
    """Return the variables by which a bot finds the dependencies in its *folder*, where it is started."""
    return {"PYTHONPATH": SITE} if (folder / SITE).is_dir() else {}


def _build_steps(folder: Path, program: str, network: bool) -> Iterator[str]:
    if _has_requirements(folder) and not (folder / SITE).is_dir():
        yield _pip(folder, network)
    if _has_packages(folder) and not (folder / "node_modules").is_dir():
        locked = (folder / "package-lock.json").is_file()
        offline = "" if network else " --offline"
        yield f"npm {'ci' if locked else 'install'} --omit=dev --no-audit --no-fund{offline}"
    if program.startswith(("/", "{python}")) or (folder / program).exists():
        return
    if (folder / "Cargo.toml").is_file():
        yield _cargo(folder, network)
    if (folder / "go.mod").is_file():
        yield f"{'' if network else 'GOPROXY=off '}go build -o {program} ."


def _has_requirements(folder: Path) -> bool:
    """Return whether there is a requirements.txt that asks for something."""
    try:
        lines = (folder / "requirements.txt").read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return (folder / "requirements.txt").is_file()
    return any(line.strip() and not line.lstrip().startswith("#") for line in lines)


def _has_packages(folder: Path) -> bool:
    """Return whether there is a package.json that asks for something."""
    try:
        package = json.loads((folder / "package.json").read_bytes())
    except FileNotFoundError:
        return False
    except (OSError, ValueError, RecursionError):
        return True  # npm says what is wrong
    return not isinstance(package, dict) or any(
        package.get(f"{kind}ependencies") for kind in ("d", "optionalD")
    )


def _pip(folder: Path, network: bool) -> str:
    vendored = any(file.suffix in (".whl", ".gz", ".zip") for file in (folder / VENDOR).glob("*"))
    places = f" --find-links {VENDOR}" if vendored else ""
    offline = "" if network else " --no-index"
    tool = "{python} -m pip install --no-input --no-warn-script-location --disable-pip-version-check"
    if not find_spec("pip"):  # as in environments that uv has made
        tool = "uv pip install --python {python}"
    return f"{tool}{offline}{places} --target {SITE} -r requirements.txt"


def _cargo(folder: Path, network: bool) -> str:
    locked = " --locked" if (folder / "Cargo.lock").is_file() else ""
    offline = "" if network else " --offline"
    vendored = (folder / VENDOR).is_dir() and not (folder / ".cargo").is_dir()
    source = (
        f" --config 'source.crates-io.replace-with=\"{VENDOR}\"'"
        f" --config 'source.{VENDOR}.directory=\"{VENDOR}\"'"
    )
    leftovers = " ".join(f"target/release/{name}" for name in LEFTOVERS)
    return f"cargo build --release{locked}{offline}{source if vendored else ''} && rm -rf {leftovers}"
