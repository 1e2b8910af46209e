"""Build a version and find the command that starts it."""

import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from ladder.errors import RefusedBot
from ladder.process.command import build
from ladder.process.masks import Masks
from ladder.registry.dependencies import build_line, wants_network
from ladder.registry.file_kinds import build_advice
from ladder.registry.shebang import interpreter_of
from ladder.registry.version import Version
from ladder.sandbox import ENVIRONMENT, confine
from ladder.sandbox.confinement import Confinement
from ladder.sandbox.toolchains import network_variables, toolchains

NOT_FOUND = 127
"""The exit status of a shell that did not find a program (POSIX, 2.8.2)."""
NAMED = re.compile(r"(?<!\S)(\S+): (?:command )?not found")
"""How a shell names that program.  Each word is tried once: a build may write a megabyte without a space."""
LAUNCHER = re.compile(r"^(?:/usr/bin/)?setpriv: failed to execute ", re.MULTILINE)
"""What the sandbox's own program writes before the name of a program that it cannot start."""
LISTED = frozenset(
    (
        *("bash", "c++", "cargo", "cc", "g++", "gcc", "go", "java", "javac", "jq", "lua", "mcs", "mono"),
        *("node", "perl", "php", "ruby", "rustc", "tsc"),
    )
)
"""The programs that `ladder new` says how to install (ladder.kits.languages, which is above)."""


def command_of(version: Version) -> tuple[str, ...]:
    """Return the arguments that start *version*, with {python}, programs on PATH and `#!` lines resolved."""
    return _resolve(version.manifest.run, Path(version.folder))


def shell_line(version: Version, command: str | tuple[str, ...]) -> str:
    """Return *command*, which runs or builds *version*, as a shell would get it: with all names resolved."""
    if isinstance(command, str):
        return command.replace("{python}", shlex.quote(sys.executable))
    return shlex.join(_resolve(command, Path(version.folder)))


def _resolve(arguments: Iterable[str], folder: Path) -> tuple[str, ...]:
    program, *rest = _locate(arguments, folder)
    script = folder / program
    if script.is_file() and script.is_relative_to(folder) and (named := interpreter_of(script)):
        return (_find_interpreter(named[0]), *named[1:], program, *rest)
    return (program, *rest)


def _locate(arguments: Iterable[str], folder: Path) -> tuple[str, ...]:
    """Return *arguments* with the program's path in the snapshot or on the runner's PATH, if it is there."""
    program, *rest = [argument.replace("{python}", sys.executable) for argument in arguments]
    if "/" not in program:
        program = f"./{program}" if (folder / program).is_file() else shutil.which(program) or program
    return (program, *rest)


def _find_interpreter(interpreter: str) -> str:
    """Return the path of an interpreter, from the bots' PATH or else from the runner's."""
    return shutil.which(interpreter, path=ENVIRONMENT["PATH"]) or shutil.which(interpreter) or interpreter


def needs_build(version: Version) -> bool:
    """Return whether *version*, as submitted, needs a build."""
    return bool(build_command(version, network=False))


def build_command(version: Version, network: bool) -> str | tuple[str, ...]:
    """Return the command that builds *version*: its own, else one derived from its dependency files."""
    manifest = version.manifest
    if manifest.build or manifest.build == "" or manifest.remote:  # an empty string means no build
        return manifest.build
    return build_line(Path(version.folder), manifest.run, network)


def build_version(version: Version, passed: Mapping[str, str], confinement: Confinement) -> None:
    """Build *version* in its own folder, under *confinement*.

    The build has the variables *passed*, the user's toolchains, the readable paths and, if builds may use it,
    the network.  Raises RefusedBot if it fails, TooBusy if the machine took too much of its time.
    """
    network = confinement.build_network
    command, folder = build_command(version, network), Path(version.folder)
    if isinstance(command, str):
        arguments: tuple[str, ...] = ("/bin/sh", "-c", shell_line(version, command))
    else:
        arguments = _resolve(command, folder)
    paths = tuple(Path(path) for path in confinement.readable)
    tools = toolchains(paths)
    environment = {**tools.environment, **(network_variables() if network else {}), **passed}
    shown = (*paths, *tools.shown)
    confined = confine(confinement.tier, arguments, folder, environment, network=network, readable=shown)
    status, output = build(confined, version.manifest.build_timeout_s)
    output = Masks(passed.values()).hide(output)
    if status != 0:
        raise _build_error(version, command, status, output, network)


def _build_error(
    version: Version, command: str | tuple[str, ...], status: int | None, output: str, network: bool
) -> RefusedBot:
    shown = command if isinstance(command, str) else " ".join(command)
    why = f"exit status {status}"
    if status is None:
        why = f"no end after {version.manifest.build_timeout_s} s"
    hint = "correct the build and submit again"
    if status == NOT_FOUND:
        program = _missing_program(version, command, output)
        why = f"{program or 'a program'} is not {'in its folder' if '/' in program else 'on this machine'}"
        how = f"{program} (see ladder new)" if program in LISTED else program or "what it calls"
        hint = f"install {how}, or correct `build`; submit again"
        if "/" in program:
            hint = "correct `build` and submit again"
        if not isinstance(command, str) and program == command[0]:
            output = ""  # nothing has run, so these are words of the sandbox's own programs
    if not isinstance(command, str):
        output = LAUNCHER.sub("", output)
    if wants_network(output) and not network:
        why += "; it needs the network, which builds may not use"
        hint = (
            "vendor what it needs (protocol/SPEC.md, Dependencies), or allow it: write in ladder.toml,"
            " below [allow]: build_network = true"
        )
    tail = output.strip()[-2000:]
    what = f"{version.bot}: the build {shown!r} failed: {why}"
    return RefusedBot(what + (f"\n{tail}" if tail else ""), hint, exit_code=1)


def _missing_program(version: Version, command: str | tuple[str, ...], output: str) -> str:
    """Return the program that the build *command* did not find, as its *output* names it, else ""."""
    if isinstance(command, tuple):
        program = command[0]
        if not (Path(version.folder, program).exists() if "/" in program else shutil.which(program)):
            return program
    found = NAMED.search(output)
    return found[1] if found else ""


def check_program(version: Version, path: Path) -> None:
    """Raise RefusedBot if the program of *version* is missing or not executable; messages name *path*."""
    if version.manifest.remote:
        return
    program = _locate(version.manifest.run, Path(version.folder))[0]
    file, shown = Path(version.folder, program), path if path.is_file() else path / program
    if "/" not in program:
        words = ", ".join(f'"{word}"' for word in program.split())
        apart = f"write a list of words: run = [{words}]"
        raise RefusedBot(
            f"{version.bot}: the program {program!r} is not on this machine",
            apart if " " in program else f"install {program}, or correct `run`",
            exit_code=1,
        )
    if not file.exists():
        raise RefusedBot(
            f"{version.bot}: `run` names {program}, which is not in the snapshot",
            (not version.manifest.build and build_advice(Path(version.folder)))
            or "correct `run` in bot.toml",
        )
    ours = file.is_file() and file.is_relative_to(version.folder)
    named = interpreter_of(file, shown) if ours else ()
    if named and not shutil.which(_find_interpreter(named[0])):
        raise RefusedBot(
            f"{version.bot}: the first line of {program} names {named[0]}, which is not on this machine",
            f"install {Path(named[0]).name}, or correct that line",
            exit_code=1,
        )
    if not named and not os.access(file, os.X_OK):
        raise RefusedBot(
            f"{version.bot}: {program} cannot be executed: its executable bit is not set", f"chmod +x {shown}"
        )
