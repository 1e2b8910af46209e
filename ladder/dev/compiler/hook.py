"""Compile while a wheel is built, if this machine can; record in the wheel what came of it.

hatchling loads this file by its path, which pyproject.toml names beside the modules to compile.  With
LADDER_COMPILE=never in the environment they are not compiled; with LADDER_COMPILE=always, a build that cannot
compile fails.  The folder of the sources stays as it is.
"""

import importlib.util
import os
import platform
import resource
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_before = sys.dont_write_bytecode, sys.path[:]
sys.dont_write_bytecode = True  # in the sources
sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
from ladder.dev.compiler.compile_modules import find_compiler  # noqa: E402
from ladder.machine.build import RECORD, Build  # noqa: E402

sys.dont_write_bytecode, sys.path[:] = _before

if TYPE_CHECKING:
    from hatchling.builders.wheel import WheelBuilderConfig

    Base = BuildHookInterface[WheelBuilderConfig]
else:
    Base = BuildHookInterface

SECONDS = 120
"""The longest that compiling may take without LADDER_COMPILE=always; two free cores take half a minute."""
NEEDED = 700 << 20
"""The bytes of address space that compiling needs: with less, threads of mypy may wait for ever."""
LONGER = "`LADDER_COMPILE=always pip install .` waits as long as it takes"
AGAIN = "then `pip install` the ladder's sources again"


class CompilingHook(Base):
    """The build hook.  Its table in pyproject.toml says what to compile: `include` less `exclude`."""

    def dependencies(self) -> list[str]:
        """Return what the build needs: the compiler of typed Python only if it can be used."""
        is_editable = any("build_editable" in word for word in sys.argv)  # pip's name for what it asks
        return [] if is_editable or _obstacle() else list(self.config["compilers"])

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and put into the wheel what that made and the record of it."""
        _leave_no_cache()
        if version == "editable":  # imports the sources
            return
        self._folder = TemporaryDirectory(prefix="ladder-build-")
        folder = Path(self._folder.name)
        build = _obstacle() or self._compile(folder)
        if not build.compiled and os.environ.get("LADDER_COMPILE") == "always":
            self._folder.cleanup()
            raise SystemExit(f"LADDER_COMPILE=always, but {build.how}\n  next: {build.hint}")
        record = folder / "record"
        record.write_text(build.to_text())
        made = {str(record): RECORD}
        if build.compiled:
            build_data.update(infer_tag=True, pure_python=False)
            wheel = folder / "wheel"
            made |= {str(path): str(path.relative_to(wheel)) for path in wheel.rglob("*") if path.is_file()}
        build_data["force_include"].update(made)
        print(f"{build.word}: {build.how}" + (f"\n  next: {build.hint}" if build.hint else ""), flush=True)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what the wheel now holds."""
        if version != "editable":
            self._folder.cleanup()

    def _compile(self, folder: Path) -> Build:
        """Return what came of compiling into *folder*."""
        began = time.monotonic()
        optimize = str(self.config["optimize"])
        program = [sys.executable, "-B", "-m", "ladder.dev.compiler.compile_modules", str(folder), optimize]
        seconds = None if os.environ.get("LADDER_COMPILE") == "always" else SECONDS
        limit = f"at most {seconds} s; " if seconds else ""
        print(f"compiling: {limit}LADDER_COMPILE=never leaves it out", flush=True)  # seen with `pip -v`
        failed, hint = _run([*program, *self._modules()], Path(self.root), seconds)
        if failed:
            return Build(False, failed, f"in the ladder's sources, {hint}")
        return Build(True, f"by {_name_compiler()} {optimize} in {time.monotonic() - began:.0f} s")

    def _modules(self) -> Iterator[str]:
        """Yield the paths of the modules to compile."""
        from pathspec import GitIgnoreSpec

        wanted, left = (GitIgnoreSpec.from_lines(self.config[name]) for name in ("include", "exclude"))
        for file in sorted(self.build_config.builder.recurse_included_files(), key=lambda file: file.path):
            path = Path(file.relative_path).as_posix()
            if path.endswith(".py") and wanted.match_file(path) and not left.match_file(path):
                yield path


def _obstacle() -> Build | None:
    """Return why this machine cannot compile, None if it can."""
    if os.environ.get("LADDER_COMPILE") == "never":
        return Build(False, "LADDER_COMPILE=never was set", f"unset LADDER_COMPILE, {AGAIN}")
    if platform.python_implementation() != "CPython":
        return Build(
            False, f"{platform.python_implementation()} cannot load what mypyc compiles", "use CPython"
        )
    if find_compiler() is None:
        hint = f"install a C compiler, for example with `apt install gcc`, {AGAIN}"
        return Build(False, "there was no C compiler", hint)
    if not Path(sysconfig.get_path("include"), "Python.h").is_file():
        package = f"python{sys.version_info[0]}.{sys.version_info[1]}-dev"
        hint = f"install Python's headers, for example with `apt install {package}`, {AGAIN}"
        return Build(False, "there was no Python.h", hint)
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY and limit < NEEDED:
        what = f"memory was limited to {limit >> 20:,} MB, and compiling needs {NEEDED >> 20:,}"
        return Build(False, what, f"ulimit -v unlimited, {AGAIN}")
    return None


def _run(command: list[str], folder: Path, seconds: float | None) -> tuple[str, str]:
    """Run *command* in *folder*; if it fails, print its output and return why, and what to type next."""
    with subprocess.Popen(
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,  # with the compilers that it starts
    ) as process:
        try:
            output, _ = process.communicate(timeout=seconds)
        except BaseException as error:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            if isinstance(error, subprocess.TimeoutExpired):
                return f"compiling was not done after {seconds:.0f} s", LONGER
            raise
        finally:
            with suppress(ProcessLookupError):  # compilers beside one that failed
                os.killpg(process.pid, signal.SIGKILL)
    if process.returncode == 0:
        return "", ""
    print(output)
    said = [line.strip() for line in output.splitlines() if line.strip()] or ["nothing was said"]
    errors = [line for line in said if "error" in line.lower()]
    return f"compiling failed: {(errors or said)[-1][:160]}", "`pip install -v .` shows more"


def _name_compiler() -> str:
    """Return the name and version of the C compiler, as it states them."""
    command = find_compiler() or []
    done = subprocess.run([*command, "--version"], capture_output=True, text=True, errors="replace")
    return next(iter(done.stdout.splitlines()), command[0])


def _leave_no_cache() -> None:
    """Remove what Python wrote when hatchling loaded this file: a build leaves the sources as they were."""
    cache = Path(importlib.util.cache_from_source(__file__))
    with suppress(OSError):
        cache.unlink()
        cache.parent.rmdir()  # if nothing else is in it
