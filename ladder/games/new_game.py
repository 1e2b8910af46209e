"""The beginning of a game of one's own: a copy of the template, under another name."""

import re
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from string import Template
from typing import NamedTuple

from engines import GAMES
from ladder.errors import UsageProblem
from ladder.machine.installation import ROOT

TEMPLATE = Path(ROOT, "engines", "template")
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
LONGEST = 24
"""How long a name may be: pages of text have 100 columns."""


class _Names(NamedTuple):
    """What a game is called in each place."""

    name: str
    """As users type it: `river-race`."""
    module: str
    """Its package: `river_race`."""
    class_name: str
    """`RiverRace`."""
    title: str
    """`River Race`."""


def create_game(name: str, parent: Path) -> Path:
    """Make a folder for the game *name* in *parent*, a Python project whose tests pass; return it.

    Raises UsageProblem for a name that cannot be used or is taken, and for a folder that is there already.
    """
    if not NAME.fullmatch(name) or len(name) > LONGEST:
        raise UsageProblem(
            f"{name[:80]!r} cannot be the name of a game",
            f"at most {LONGEST} small letters, digits and dashes, beginning with a letter: river-race",
        )
    module = name.replace("-", "_")
    if name in GAMES:
        raise UsageProblem(f"there is a game {name!r} already", "choose another name; see: ladder games")
    if module in sys.stdlib_module_names or find_spec(module):
        raise UsageProblem(f"Python has a package {module!r} already", f"choose another name: {name}-game")
    words = name.split("-")
    names = _Names(name, module, "".join(word.capitalize() for word in words), name.replace("-", " ").title())
    folder = parent / name
    if folder.exists():
        raise UsageProblem(f"{folder} is there already", "choose another name, or another folder with --in")
    for path, text in _files(names):
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return folder


def _files(names: _Names) -> Iterator[tuple[Path, str]]:
    """Yield the files of the project: the package, and what stands around it."""
    project = TEMPLATE / "project"
    for path in sorted(project.rglob("*.template")):
        yield (
            path.relative_to(project).with_suffix(""),
            Template(path.read_text("utf-8")).substitute(names._asdict()),
        )
    for path in sorted(TEMPLATE.rglob("*")):
        inside = path.relative_to(TEMPLATE)
        if path.is_file() and inside.parts[0] not in ("project", "__pycache__"):
            yield Path(names.module, inside), _rename(path, names)


def _rename(path: Path, names: _Names) -> str:
    """Return the text of a file of the template with the names of the game."""
    words = {
        "toy": names.name,
        "Toy": names.class_name if path.suffix == ".py" else names.title,
        "TOY": names.title.upper(),
    }
    return re.sub(r"\b(toy|Toy|TOY)\b", lambda found: words[found[0]], path.read_text("utf-8"))
