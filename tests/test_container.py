"""The container file: its commands are run, and it is built where that can be done.

The commands are run without an engine, in a copy-on-write view of this machine: each stage sees its files and
keeps its own changes in a folder (overlayfs), in a mount namespace that ends with the commands.  So it wants
root, and leaves nothing behind but that folder.
"""

import json
import os
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest
from support.places import ROOT

FILE = ROOT / "Containerfile"
BASE = "docker.io/library/python:3.13-slim"
KNOWN = {"FROM", "RUN", "COPY", "ENV", "USER", "WORKDIR", "VOLUME", "STOPSIGNAL", "ENTRYPOINT"}
PASSED = ("PIP_", "SSL_", "LADDER_COMPILE")
"""How variables begin that commands get from this machine: which packages it may fetch, and from where."""


class Instruction(NamedTuple):
    """A line of a container file."""

    name: str
    text: str


def read_container_file(path):
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


def start_point(instructions):
    """Return the command that a container starts."""
    (text,) = [text for name, text in instructions if name == "ENTRYPOINT"]
    command: list[str] = json.loads(text)
    return command


def obstacle(folder):
    """Return why commands cannot be run in *folder*; empty if they can."""
    probe = f"{_stage(folder / 'probe')}\ntest -e {folder}/probe/root/bin/sh"
    try:
        done = subprocess.run(["unshare", "-m", "sh", "-euc", probe], capture_output=True, text=True)
    except OSError as error:
        return str(error)
    return done.stderr.strip()


def script_of(instructions, sources, folder, python, then):
    """Return a shell script that does what *instructions* say, and then types the commands *then*.

    *sources* is the context of the build, *folder* is for its files, and *python* stands for that of the base
    image.  It is for `unshare -m sh -eu`.
    """
    lines = [f"cd {shlex.quote(str(sources))}"]
    stages: dict[str, Path] = {}
    root, user, place = folder, "", "/"
    variables: dict[str, str] = {}
    passed = {name: value for name, value in os.environ.items() if name.startswith(PASSED)}

    def typed(command):
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


def _stage(folder):
    """Return the commands that mount a view of this machine at `root` in *folder*."""
    parts = [folder / name for name in ("changes", "work", "root")]
    changes, work, root = parts
    options = f"lowerdir=/,upperdir={changes},workdir={work}"
    mounts = [f"mount --rbind /{name} {root}/{name}" for name in ("proc", "dev", "sys")]
    return "\n".join(
        [f"mkdir -p {shlex.join(map(str, parts))}", f"mount -t overlay overlay -o {options} {root}", *mounts]
    )


def _copies(origin, names, root, target):
    """Return the commands that copy as COPY does: the content of a folder, or files into a folder."""
    lines = []
    for name in names:
        source = origin / name.lstrip("/")
        if source.is_file():
            lines += [f"mkdir -p {root}{target}", f"cp -p {source} {root}{target}"]
        else:  # a folder here, or one that an earlier stage makes
            lines += [f"mkdir -p {root}{target}", f"cp -a {source}/. {root}{target}/"]
    return lines


def sources_in(folder):
    """Copy what is in the checkout into *folder*, without what git ignores."""
    files = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True
    )
    if files.returncode:
        pytest.skip("this is no checkout of git")
    folder.mkdir()
    for name in filter(None, files.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def run_file(text, folder, then, monkeypatch):
    """Run the commands of the container file *text*, then those of *then*, below *folder*."""
    monkeypatch.setenv("LADDER_COMPILE", "never")  # tests/test_compiled.py compiles
    monkeypatch.setenv("PIP_NO_COMPILE", "1")  # a third of the time
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)
    if why := obstacle(folder):
        pytest.skip(f"needs root and overlayfs: {why}")
    python = next(
        (path for path in map(Path, ("/usr/local/bin/python3", "/usr/bin/python3")) if path.exists()), None
    )
    if python is None or subprocess.run([python, "-c", "import ensurepip"], capture_output=True).returncode:
        pytest.skip("there is no Python that makes environments and that every user may start")
    path = folder / "Containerfile"
    path.write_text(text)
    script = script_of(read_container_file(path), sources_in(folder / "sources"), folder, python, then)
    return subprocess.run(["unshare", "-m", "sh", "-eu"], input=script, capture_output=True, text=True)


@pytest.mark.tools
@pytest.mark.slow
def test_the_commands_of_the_container_file_make_a_ladder(tmp_path, monkeypatch):
    (ladder,) = start_point(read_container_file(FILE))
    then = [
        "test $(id -un) = ladder && command -v bwrap",
        f"{ladder} --version",
        f"{ladder} home init && {ladder} bots house add && {ladder} run --games 4 --game stellar",
        f"{ladder} serve --help && test -w /var/ladder && ! test -w /opt/ladder",
    ]
    done = run_file(FILE.read_text(), tmp_path, then, monkeypatch)
    assert 0 == done.returncode, done.stdout[-3000:] + done.stderr[-3000:]
    assert "stellar" in done.stdout


def test_the_container_file_takes_in_all_that_the_wheel_is_built_from():
    taken = {
        name
        for instruction, text in read_container_file(FILE)
        if instruction == "COPY" and not text.startswith("--from")
        for name in text.split()[:-1]
    }
    assert {"pyproject.toml", "README.md", "LICENSE", "tests/bad_bots"} < taken
    assert {"bots", "engines", "ladder", "protocol", "results"} < taken
    assert all((ROOT / name).exists() for name in taken)


@pytest.mark.tools
@pytest.mark.slow
def test_the_container_file_is_built_where_podman_and_the_base_image_are(tmp_path):
    podman = shutil.which("podman")
    if not podman or subprocess.run([podman, "image", "exists", BASE]).returncode:
        pytest.skip(f"podman or the image {BASE} is not here")
    tag = f"localhost/ladder-test-{tmp_path.name}"
    try:
        subprocess.run([podman, "build", "-q", "-t", tag, str(ROOT)], check=True, capture_output=True)
        done = subprocess.run([podman, "run", "--rm", tag, "doctor"], capture_output=True, text=True)
        assert 0 == done.returncode, done.stderr
        assert "tier landlock" in done.stdout
    finally:
        subprocess.run([podman, "rmi", "-f", tag], capture_output=True)
