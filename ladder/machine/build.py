"""How this installation was built: compiled to machine code, or interpreted, and why.

The build of a wheel writes it into the package (ladder/dev/compiler/hook.py).  Sources have no such file:
they are never compiled.
"""

import os
from importlib.machinery import EXTENSION_SUFFIXES
from typing import NamedTuple

from ladder.machine.installation import ROOT, __version__

RECORD = "ladder/machine/build.txt"
"""The file in an installation that says how it was built."""
PACKAGES = ("engines", "ladder", "protocol", "results")
"""The packages with compiled modules."""
LIBRARY = "botladder__mypyc"
"""The module beside the packages that holds the machine code of all compiled modules."""


class Build(NamedTuple):
    """What came of compiling: *how* it was done, or why it was not; *hint* says what to do about that."""

    compiled: bool
    how: str
    hint: str = ""

    @property
    def word(self) -> str:
        """Return one word for it."""
        return "compiled" if self.compiled else "interpreted"

    def to_text(self) -> str:
        """Return the content of the record."""
        return "\n".join([self.word, self.how, self.hint, ""])


SOURCES = Build(
    False, "installed with -e, or run from a clone", "pip install PATH-OF-THE-SOURCES, without -e"
)


def read_build(root: str = ROOT) -> Build:
    """Return how the installation in *root* was built."""
    try:
        with open(os.path.join(root, RECORD), encoding="utf-8") as file:  # noqa: PTH118, PTH123  # read by --version
            word, how, hint = file.read().split("\n")[:3]
    except (OSError, ValueError):
        return SOURCES
    return Build(word == "compiled", how, hint)


def warn_of_stray(root: str = ROOT) -> str:
    """Return a warning if compiled files lie beside the sources in *root*, where Python prefers them, or "".

    In an installation that was compiled they belong there.
    """
    if read_build(root).compiled:
        return ""
    stray = [
        os.path.relpath(os.path.join(folder, name), root)  # noqa: PTH118
        for package in PACKAGES
        for folder, _, names in os.walk(os.path.join(root, package))  # noqa: PTH118
        for name in sorted(names)
        if any(
            name.endswith(suffix) and f"{name.removesuffix(suffix)}.py" in names
            for suffix in EXTENSION_SUFFIXES
        )
    ]
    if not stray:
        return ""
    names = stray[0] if len(stray) == 1 else f"{stray[0]} and {len(stray) - 1} more"
    return f"Python imports compiled files in place of the sources beside them: {names}"


def libraries(root: str = ROOT) -> list[str]:
    """Return the paths of the machine code that compiled modules in *root* load, none if interpreted."""
    paths = (os.path.join(root, LIBRARY + suffix) for suffix in EXTENSION_SUFFIXES)  # noqa: PTH118
    return [path for path in paths if os.path.exists(path)]  # noqa: PTH110


def version_line() -> str:
    """Return what `ladder --version` prints: the version, and whether rules and referee are compiled."""
    return f"ladder {__version__} ({warn_of_stray() or read_build().word})"
