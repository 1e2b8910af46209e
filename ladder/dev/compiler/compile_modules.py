"""Compile modules: called among the sources.

    python -m ladder.dev.compiler.compile_modules FOLDER OPTIMIZE MODULE...

A MODULE is a path such as engines/stellar/turns.py.  In FOLDER this makes `wheel`, with one library of all
modules and, for each module, a small file by which Python finds its part of the library, at the places in
which they belong beside the sources.  C and object files lie in FOLDER as well; nothing else is written.

mypyc writes a C file per module.  Those of a package are compiled as one, which takes a fifth less time than
each by itself, and packages are compiled side by side.
"""

import os
import shlex
import shutil
import sys
import sysconfig
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from pathlib import Path

from ladder.machine.build import LIBRARY
from ladder.machine.cores import usable_cores

CHECKS = """[mypy]
cache_dir = /dev/null
follow_imports = silent
ignore_missing_imports = True

[mypy-ladder.api,ladder.home.*,ladder.live.*,results.storage.*,dask.*,jinja2.*,pyarrow.*,rich.*,typer.*]
follow_imports = skip
"""
"""Settings of mypy: it judges only the modules to compile, and does not read what no match uses."""
QUICKLY = '#pragma GCC optimize("no-tree-pta", "no-tree-dominator-opts")\n'
"""Leaves out passes that take a tenth of gcc's time and make nothing here faster; clang ignores it."""
FLAGS = ("-fPIC", "-fwrapv", "-DNDEBUG", "-g0", "-Werror=implicit-function-declaration")
"""-fwrapv: overflow wraps, as it does in Python's own code.  A function that is not declared would crash."""
SAME_BITS = "-ffp-contract=off"
"""A product and a sum are two roundings, as in Python, also where the processor could make them one."""


def main(folder: Path, optimize: str, modules: Sequence[str]) -> None:
    """Compile *modules*, paths below the working directory, into *folder*.  Raises SystemExit."""
    if (compiler := find_compiler()) is None:
        raise SystemExit("no C compiler")
    c_files, headers = _write_c(modules, folder)
    units = write_units(c_files, modules, folder)
    include = [f"-I{path}" for path in (sysconfig.get_path("include"), *headers, folder)]
    compile_c = [*compiler, *FLAGS, optimize, SAME_BITS, *_environment("CFLAGS"), *include]
    link = [*compiler, *_linking(), *_environment("LDFLAGS")]
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    commands = [[*compile_c, "-c", str(unit), "-o", str(unit.with_suffix(".o"))] for unit in units]
    shims = _write_shims(modules, headers[0], folder)
    links = [[*link, *FLAGS, *include, str(shim), "-o", str(shim.with_suffix(".so"))] for shim in shims]
    run_all([*commands, *links], len(usable_cores()))
    for shim, module in ((shim, module) for shim, found in shims.items() for module in found):
        place = folder / "wheel" / module.replace(".py", suffix)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(shim.with_suffix(".so"), place)  # to compile one for each takes ten times as long
    objects = (str(unit.with_suffix(".o")) for unit in units)
    run_all([[*link, *objects, "-o", str(folder / "wheel" / (LIBRARY + suffix))]], 1)


def find_compiler() -> list[str] | None:
    """Return the command of the C compiler: what CC says, what Python was built with, or cc."""
    for command in (os.environ.get("CC"), sysconfig.get_config_var("CC"), "cc"):
        words = shlex.split(command or "")
        if words and shutil.which(words[0]):
            return words
    return None


def _write_c(modules: Sequence[str], folder: Path) -> tuple[list[Path], list[Path]]:
    """Write the C of *modules* into *folder*; return its files with mypyc's own, and its headers' folders."""
    from mypyc.build import include_dir, mypyc_build
    from mypyc.common import RUNTIME_C_FILES
    from mypyc.options import CompilerOptions

    settings = folder / "mypy.ini"
    settings.write_text(CHECKS)
    options = CompilerOptions(
        multi_file=True, target_dir=str(folder), group_name=LIBRARY.removesuffix("__mypyc")
    )
    _, [(c_files, _)], needed = mypyc_build([f"--config-file={settings}", *modules], options)
    own = Path(include_dir())
    paths = [*map(Path, c_files), *(own / name for name in [*RUNTIME_C_FILES, *(dep.path for dep in needed)])]
    return paths, [own, *{own / name for dep in needed for name in dep.include_dirs}]


def write_units(c_files: Iterable[Path], modules: Iterable[str], folder: Path) -> list[Path]:
    """Write a C file for each package that includes those of its modules; return them, the largest first."""
    package_of = {_c_name(module): str(Path(module).parent) for module in modules}
    packages: dict[str, list[Path]] = defaultdict(list)
    for path in c_files:
        packages[package_of.get(path.stem.removeprefix("__native_"), "library")].append(path)
    sizes = {}
    for package, paths in packages.items():
        unit = folder / f"unit_{package.replace('/', '_')}.c"
        unit.write_text(QUICKLY + "".join(f'#include "{path}"\n' for path in paths))
        sizes[unit] = sum(path.stat().st_size for path in paths)
    return sorted(sizes, key=lambda unit: -sizes[unit])


def _write_shims(modules: Iterable[str], headers: Path, folder: Path) -> dict[Path, list[str]]:
    """Write a C file a package, by which Python finds its modules in the library; return their modules."""
    template = (headers / "module_shim.tmpl").read_text()
    shims: dict[Path, list[str]] = defaultdict(list)
    for module in modules:
        parent, name = str(Path(module).parent), Path(module).stem
        shim = folder / f"shim_{parent.replace('/', '_')}.c"
        text = template.format(modname=name, libname=LIBRARY, full_modname=_c_name(module))
        with shim.open("a") as file:  # another name for what each file of mypyc's would define
            file.write(f"#define PyInit___init__ PyInit___init___{name}\n{text}#undef PyInit___init__\n")
        shims[shim].append(module)
    return shims


def run_all(commands: Iterable[list[str]], jobs: int) -> None:
    """Run *commands*, *jobs* at a time, in their order.  Raises SystemExit as soon as one fails."""
    waiting, running = deque(commands), dict[int, list[str]]()
    while waiting or running:
        if waiting and len(running) < jobs:
            command = waiting.popleft()
            running[os.posix_spawnp(command[0], command, os.environ)] = command
            continue
        pid, status = os.wait()
        command = running.pop(pid)
        if code := os.waitstatus_to_exitcode(status):
            what = f"exit code {code}" if code > 0 else f"signal {-code}"
            raise SystemExit(f"{command[0]} failed with {what}: {shlex.join(command)}")


def _c_name(module: str) -> str:
    """Return what mypyc calls *module* in C."""
    return "___".join(Path(module).with_suffix("").parts)


def _linking() -> tuple[str, ...]:
    """Return the options that link a module; on macOS, it is to look for Python when it is loaded."""
    return ("-bundle", "-undefined", "dynamic_lookup") if sys.platform == "darwin" else ("-shared",)


def _environment(name: str) -> list[str]:
    return shlex.split(os.environ.get(name, ""))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3:])
