"""Names: each thing has one, no two things share one, and the old ones still work."""
# the expected value stands on the left, in every test

import re
from collections import defaultdict
from pathlib import Path

import pytest
from support.documents import PAGES
from support.places import ROOT
from support.sources import paths, read

from ladder.cli.commands import COMMANDS

PACKAGES = ("engines", "ladder", "protocol", "results")
GAMES = {"starry_sky", "stella", "stella_quest", "stellar", "template"}
"""A game is read by itself, and all have the same files and classes: a name that only games share is one."""
COMMAND_FILES = {f"{name.rpartition(' ')[2]}.py" for name in COMMANDS}
"""A command is named as it is typed, and calls the module that does the work."""

SAME_FILES = {
    "errors.py": "the ladder and results, which knows nothing of it, have exceptions of their own",
    "main.py": "what `python -m` starts: a worker, a spawner",
    "schema.py": "declares the form of what stands beside it: messages, tables of the store, a view",
    "judge.py": "what a judge is, and that of each game",
    "moves.py": "the notation of moves: what games share, and what each game has",
    "table.py": "the pieces on a game's table; the table of the referee, with its bots",
}
SAME_CLASSES = {
    "Act": "the client is one file that bots may copy: it has the names of the messages, and imports none",
    "Again": "as Act",
    "Clock": "as Act",
    "Failure": "as Act",
    "Message": "what a worker and its run tell each other; in the client, as Act",
    "Retry": "as Act",
    "Start": "as Act",
    "OneOf": "a choice of a game, and how a message writes it; the protocol imports no engine",
    "Some": "as OneOf",
    "Command": "a part of documents, or a value in one, which have the plain words; see document.py",
    "Bracket": "as Command",
    "Facts": "as Command",
    "Interval": "as Command",
    "Lines": "as Command",
    "Note": "as Command",
    "Picture": "as Command",
    "Section": "as Command",
    "Share": "as Command",
    "Table": "as Command",
    "Usage": "what a bot says that it used, in a message and as it is stored",
}
PARTICIPLE = (
    "(?!need|feed|seed|speed)[a-z]+ed|begun|bound|built|chosen|done|drawn|found|frozen|given|gone|held|hidden|kept"
    "|known|laid|lost|made|met|paid|played|seen|sent|shown|spent|taken|told|won|written"
)
PARTICIPLES = {
    "engines/dice.py: shuffled": "engines/README.md tells the authors of games of it",
    "engines/types.py: ranked": "engines/README.md tells the authors of games of it",
}


def modules():
    """Yield the modules of the packages, as paths below the repository."""
    for package in PACKAGES:
        yield from (path.relative_to(ROOT) for path in paths(package))


def owner(path):
    """Return the path of a module; all games are one owner, because they share their names on purpose."""
    return "a game" if path.parts[0] == "engines" and path.parts[1] in GAMES else str(path)


def shared(names):
    """Return the names that several owners have."""
    return {name: sorted(owners) for name, owners in sorted(names.items()) if len(owners) > 1}


def test_no_two_modules_share_a_name_without_a_reason():
    owners: dict[str, set[str]] = defaultdict(set)
    for path in modules():
        is_command = path.parts[:2] == ("ladder", "cli") and path.name in COMMAND_FILES
        if path.name != "__init__.py" and path.name != "__main__.py" and not is_command:
            owners[path.name].add(owner(path))
    assert SAME_FILES.keys() == shared(owners).keys(), shared(owners)


def test_no_two_public_classes_share_a_name_without_a_reason():
    owners: dict[str, set[str]] = defaultdict(set)
    for path in modules():
        for name in read(ROOT / path).classes:
            if not name.startswith("_"):
                owners[name].add(owner(path))
    assert SAME_CLASSES.keys() == shared(owners).keys(), shared(owners)


def test_no_function_is_a_bare_participle_without_a_reason():
    """A function does something, so its name is a verb.  A property is a value, and may be one."""
    found = {
        f"{path}: {name}"
        for path in modules()
        for name in read(ROOT / path).functions
        if re.fullmatch(PARTICIPLE, name.strip("_"))
    }
    assert PARTICIPLES.keys() == found


def test_what_a_package_lists_is_there():
    """Lines such as `clocks   open requests: ...` in the docstring of a package name its modules."""
    listed = {
        path.parent / name
        for path in modules()
        if path.name == "__init__.py"
        for line in re.findall(r"^ *([a-z_]+(?:, [a-z_]+)*) {2,}\S", read(ROOT / path).doc, re.MULTILINE)
        for name in line.split(", ")
    }
    there = [each for each in listed if (ROOT / f"{each}.py").is_file() or (ROOT / each).is_dir()]
    assert {Path("ladder/sandbox/none")} == listed - {*there}  # a tier, which has no module


@pytest.mark.parametrize("page", PAGES)
def test_every_module_that_a_page_names_is_there(page):
    there = {path.name for folder in (*PACKAGES, "bots", "tests") for path in paths(folder)}
    named = set(re.findall(r"`(?:[\w/]*/)?([a-z]\w*\.py)`", PAGES[page]))
    assert set() == named - there - {"my_bot.py", "train.py", "curve.py", "ppo.py"}  # the reader's
