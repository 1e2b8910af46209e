"""What to type where an optional part of the ladder is not installed."""

import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

DISTRIBUTION = "botladder"


def install_line(extra: str) -> str:
    """Return the command that installs what *extra* needs.

    It names the packages: the distribution is in no index, and who has a compiled ladder need not compile
    again.
    """
    packages = list(dict.fromkeys(_packages(extra)))
    return shlex.join(["pip", "install", *packages]) if packages else f"pip install '.[{extra}]'"


def _packages(extra: str) -> Iterator[str]:
    """Yield the packages of *extra*, and of extras that it names; nothing if the ladder is not installed."""
    from importlib import metadata  # help needs none

    try:
        required = metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        return
    for line in required:
        package, _, condition = line.partition(";")
        if not re.search(rf"extra\s*==\s*['\"]{re.escape(extra)}['\"]", condition):
            continue
        if inner := re.match(rf"{DISTRIBUTION}\[(\w+)\]", package):
            yield from _packages(inner[1])
        else:
            yield package.strip()


def check_web(command: str, *packages: str) -> None:
    """Raise LadderError if *command* lacks one of its *packages*, which are of the extra `web`."""
    from importlib.util import find_spec

    from ladder.errors import LadderError

    if missing := [package for package in packages if not find_spec(package)]:
        raise LadderError(f"{command} needs {missing[0]}, which is not installed", install_line("web"))


def check_workbook(to: Path | None = None) -> None:
    """Raise LadderError if no workbook can be written *to* a file, or to stdout: before anything is done."""
    from ladder.errors import LadderError, UsageProblem

    if to is None and sys.stdout.isatty():
        what = "--format xlsx makes a workbook, which a terminal cannot show"
        raise UsageProblem(what, "the same command with > marks.xlsx behind it")
    try:
        import xlsxwriter  # noqa: F401 - only to find out
    except ModuleNotFoundError:
        raise LadderError(
            "a workbook needs xlsxwriter, which is not installed", install_line("excel")
        ) from None
