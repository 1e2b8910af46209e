"""Derive a build command from dependency files, such as requirements.txt, if a manifest has none.

Dependencies that the author has put into the folder are not fetched.
"""

import json
import re
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

SITE = "site-packages"
"""The folder, inside a bot's own, that Python imports dependencies from."""
SIDE_FILES = {
    ".py": ("requirements.txt",),
    ".js": ("package.json", "package-lock.json"),
    ".mjs": ("package.json", "package-lock.json"),
}
"""Files that are submitted together with a single script if they lie beside it."""
BIN = ("node_modules", ".bin")
"""The folder in which npm puts links to the commands of packages; the programs of bots do not need them."""
VENDOR = "vendor"
"""The folder for dependencies that the author supplies."""
LEFTOVERS = ("build", "deps", "examples", "incremental", ".fingerprint")
"""Folders that cargo leaves in target/release besides the program, with hundreds of megabytes."""
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
"""Messages of builds that cannot reach a registry."""


def build_line(folder: Path, run: Sequence[str], network: bool) -> str:
    """Return a shell command that builds the bot in *folder*; "" if there is nothing to build.

    *run* is the command of the bot.  Without *network* the package managers are told to stay offline.
    """
    return " && ".join(_build_steps(folder, run[0], network))


def wants_network(output: str) -> bool:
    """Return whether the *output* of a build shows that it could not reach a registry."""
    return bool(NEEDS_NETWORK.search(output))


def environment_of(folder: Path) -> dict[str, str]:
    """Return the variables by which a bot finds the dependencies in its *folder*."""
    return {"PYTHONPATH": SITE} if (folder / SITE).is_dir() else {}


def venv_of(file: Path) -> Path | None:
    """Return the virtual environment of Python that *file* lies in; None if it lies in none."""
    return next((folder for folder in file.parents if (folder / "pyvenv.cfg").is_file()), None)


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
    """Return whether *folder* has a requirements.txt with at least one requirement."""
    try:
        lines = (folder / "requirements.txt").read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return (folder / "requirements.txt").is_file()
    return any(line.strip() and not line.lstrip().startswith("#") for line in lines)


def _has_packages(folder: Path) -> bool:
    """Return whether *folder* has a package.json with at least one dependency."""
    try:
        package = json.loads((folder / "package.json").read_bytes())
    except FileNotFoundError:
        return False
    except (OSError, ValueError, RecursionError):
        return True  # npm reports the error
    return not isinstance(package, dict) or any(
        package.get(f"{kind}ependencies") for kind in ("d", "optionalD")
    )


def _pip(folder: Path, network: bool) -> str:
    vendored = any(file.suffix in (".whl", ".gz", ".zip") for file in (folder / VENDOR).glob("*"))
    places = f" --find-links {VENDOR}" if vendored else ""
    offline = "" if network else " --no-index"
    tool = "{python} -m pip install --no-input --no-warn-script-location --disable-pip-version-check"
    if not find_spec("pip"):  # environments made by uv have no pip
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
