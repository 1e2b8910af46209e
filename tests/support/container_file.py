"""Run the commands of a container file without an engine: in a copy-on-write view of this machine.

Each stage sees the files of this machine and keeps its own changes in a folder (overlayfs), in a mount
namespace that ends with the commands.  So it wants root, and leaves nothing behind but that folder.
"""

import json
import os
import shlex
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

KNOWN = {"FROM", "RUN", "COPY", "ENV", "USER", "WORKDIR", "VOLUME", "STOPSIGNAL", "ENTRYPOINT"}
PASSED = ("PIP_", "SSL_", "LADDER_COMPILE")
"""How variables begin that commands get from this machine: which packages it may fetch, and from where."""


class Instruction(NamedTuple):
    """A line of a container file."""

    name: str
    text: str


def read_container_file(path: Path) -> list[Instruction]:
    """Return the instructions of the container file *path*.  Raises ValueError for one that is not known."""
    found = []
    for line in path.read_text().replace("\\\n", " ").splitlines():
        name, _, text = line.strip().partition(" ")
        if not name or name.startswith("#"):
            continue
        if name not in KNOWN:
            raise ValueError(f"expected an instruction such as RUN, got: {line!r}")
        found.append(Instruction(name, text.strip()))
    return found


def start_point(instructions: Sequence[Instruction]) -> list[str]:
    """Return the command that a container starts."""
    (text,) = [text for name, text in instructions if name == "ENTRYPOINT"]
    command: list[str] = json.loads(text)
    return command


def obstacle(folder: Path) -> str:
    """Return why commands cannot be run in *folder*; empty if they can."""
    try:
        done = subprocess.run(
            [
                "unshare",
                "-m",
                "sh",
                "-euc",
                f"{_stage(folder / 'probe')}\ntest -e {folder}/probe/root/bin/sh",
            ],
            capture_output=True,
            text=True,
        )
    except OSError as error:
        return str(error)
    return done.stderr.strip()


def script_of(
    instructions: Sequence[Instruction], sources: Path, folder: Path, python: Path, then: Sequence[str]
) -> str:
    """Return a shell script that does what *instructions* say, and then types the commands *then*.

    *sources* is the context of the build, *folder* is for its files, and *python* stands for that of the base
    image.  It is for `unshare -m sh -eu`.
    """
    lines = [f"cd {shlex.quote(str(sources))}"]
    stages: dict[str, Path] = {}
    root, user, place = folder, "", "/"
    variables: dict[str, str] = {}
    passed = {name: value for name, value in os.environ.items() if name.startswith(PASSED)}

    def typed(command: str) -> str:
        environment = {"PATH": f"{python.parent}:/usr/bin:/bin:/usr/sbin:/sbin", **variables, **passed}
        words = [f"{name}={value}" for name, value in environment.items()]
        inside = shlex.join(["env", "-i", *words, "/bin/sh", "-euc", f"cd {place}\n{command}"])
        return f"chroot {f'--userspec={user} ' if user else ''}{root} {inside}"

    for name, text in instructions:
        match name:
            case "FROM":
                root, user, place, variables = folder / str(len(stages)) / "root", "", "/", {}
                stages[text.partition(" AS ")[2]] = root
                lines.append(_stage(root.parent))
            case "RUN":
                lines.append(typed(text))
            case "COPY":
                *names, target = text.split()
                origin = sources
                if names[0].startswith("--from="):
                    origin = stages[names.pop(0).partition("=")[2]]
                lines += _copies(origin, names, root, target)
            case "ENV":
                variable, _, value = text.partition("=")
                variables[variable] = value
            case "USER":
                user = text
            case "WORKDIR":
                place = text
    return "\n".join([*lines, *(typed(command) for command in then)])


def _stage(folder: Path) -> str:
    """Return the commands that mount a view of this machine at `root` in *folder*."""
    parts = [folder / name for name in ("changes", "work", "root")]
    changes, work, root = parts
    options = f"lowerdir=/,upperdir={changes},workdir={work}"
    mounts = [f"mount --rbind /{name} {root}/{name}" for name in ("proc", "dev", "sys")]
    return "\n".join(
        [f"mkdir -p {shlex.join(map(str, parts))}", f"mount -t overlay overlay -o {options} {root}", *mounts]
    )


def _copies(origin: Path, names: Sequence[str], root: Path, target: str) -> list[str]:
    """Return the commands that copy as COPY does: the content of a folder, or files into a folder."""
    lines = []
    for name in names:
        source = origin / name.lstrip("/")
        if source.is_file():
            lines += [f"mkdir -p {root}{target}", f"cp -p {source} {root}{target}"]
        else:  # a folder here, or one that an earlier stage makes
            lines += [f"mkdir -p {root}{target}", f"cp -a {source}/. {root}{target}/"]
    return lines
