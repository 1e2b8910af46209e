"""Who imports whom: down, and heavy packages only where they belong."""
# the expected value stands on the left, in every test

import re
import subprocess
import sys
import tomllib
from collections import Counter
from importlib.metadata import packages_distributions

import pytest
from support.places import ROOT
from support.sources import module_of, paths, read, text_of

from ladder.cli.commands import COMMANDS, UNLISTED, load_command

MAY_IMPORT = {
    "engines": set(),
    "protocol": set(),
    "results": set(),
    "ladder": {"engines", "protocol", "results"},
    "bots": {"engines", "protocol"},
}
LAYERS = (  # lowest first; a unit imports only units of lower layers, and itself
    "engines protocol results.batches results.errors results.words",
    "results.record",
    "results.reviewed",
    "results.storage",
    "results.rating",
    "results.reports",
    "ladder.spawner ladder.errors ladder.contest ladder.learn",
    "ladder.machine ladder.pairing",
    "ladder.games",
    "ladder.sandbox",
    "ladder.process",
    "ladder.registry",
    "ladder.kits",
    "ladder.home",
    "ladder.referee",
    "ladder.worker",
    "ladder.run ladder.admission ladder.replay",  # none imports another
    "ladder.live",  # plays a match as a run does
    "ladder.reference",  # plays a run, and asks its bot again
    "ladder.web",
    "ladder.api",  # submits and plays, so it stands above both
    "ladder",  # __init__: offers ladder.api, which is loaded when it is asked for
    "ladder.dev",  # measures and attacks all of them
    "ladder.cli",
    "ladder.__main__",
)
HEAVY = {
    "gymnasium",
    "jinja2",
    "networkx",
    "numpy",
    "pettingzoo",
    "pyarrow",
    "rich",
    "starlette",
    "typer",
    "trueskill",
    "uvicorn",
}
"""What match workers never load."""


def packages(path):
    """Return the packages that *path* imports, wherever it stands."""
    return {name.partition(".")[0] for name in read(path).imports}


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_imports_point_down(package):
    """A package imports only those below it; nobody imports the bots."""
    assert paths(package)
    for path in paths(package):
        strangers = packages(path) & MAY_IMPORT.keys() - {package}
        assert set() == strangers - MAY_IMPORT[package], path


def unit_of(name):
    """Return the unit of a module, or of a name in one: a package, or a module beside the packages."""
    top, *inside = name.split(".")[:2]
    is_unit = top in ("ladder", "results") and any(
        (ROOT / top / part).is_dir() or (ROOT / top / f"{part}.py").exists() for part in inside
    )
    return ".".join([top, *inside]) if is_unit else top


def test_a_unit_imports_only_lower_layers():
    """At module level and inside functions."""
    height = {unit: floor for floor, units in enumerate(LAYERS) for unit in units.split()}
    upward = []
    for package in ("results", "ladder"):
        for path in paths(package):
            here = unit_of(module_of(path))
            there = {unit_of(name) for name in read(path).imports if name.partition(".")[0] in MAY_IMPORT}
            upward += [
                (str(path.relative_to(ROOT)), unit) for unit in there - {here} if height[unit] >= height[here]
            ]
    assert [] == sorted(upward)


@pytest.mark.parametrize("package", ["engines", "protocol", "results", "ladder"])
def test_no_module_imports_itself_by_way_of_others(package):
    """Imports inside functions, and for types alone, count."""
    files = {module_of(path): path for path in paths(package)}
    below = {
        name: {whole if whole in files else whole.rpartition(".")[0] for whole in read(path).imports}
        & set(files)
        for name, path in files.items()
    }
    while lowest := [name for name, wanted in below.items() if not wanted & below.keys()]:
        for name in lowest:
            del below[name]
    assert {} == below


def test_few_arrows_join_the_rooms_of_the_ladder():
    """An arrow is a room that imports another; more of them, and a change here is felt everywhere."""
    arrows = {
        (here, there)
        for path in paths("ladder")
        for here in [unit_of(module_of(path))]
        for there in map(unit_of, read(path).imports)
        if there.partition(".")[0] == "ladder" and there != here
    }
    assert len(arrows) <= 118  # the face of Python, ladder.api, needs the rooms that the commands need
    assert len({room for arrow in arrows for room in arrow}) <= 25


def test_no_arrow_goes_up_in_the_room_of_runs():
    """Its modules and folders stand on floors: each imports those below it, a folder as a whole."""
    below = {}
    for path in paths("ladder"):
        if module_of(path).startswith("ladder.run."):
            here = module_of(path).split(".")[2]
            wanted = {name.split(".")[2] for name in read(path).imports if name.startswith("ladder.run.")}
            below.setdefault(here, set()).update(wanted - {here})
    assert {"session", "tournament", "until"} <= below.keys()
    while lowest := [name for name, wanted in below.items() if not wanted & below.keys()]:
        for name in lowest:
            del below[name]
    assert {} == below


def test_bots_know_the_client_of_the_protocol_and_no_more_of_it():
    for path in paths("bots"):
        of_protocol = {name for name in read(path).imports if name.startswith("protocol")}
        assert all(name.startswith("protocol.client") for name in of_protocol), path


@pytest.mark.parametrize("package", ["engines", "bots"])
def test_engines_and_bots_need_only_the_standard_library(package):
    """Except for the tests that the engines bring along for the authors of games."""
    for path in paths(package):
        if path.is_relative_to(ROOT / "engines" / "contract"):
            assert packages(path) <= sys.stdlib_module_names | {"engines", "jsonschema", "pytest"}, path
            continue
        local = {file.stem for file in path.parent.glob("*.py")}
        assert packages(path) <= sys.stdlib_module_names | {"engines", "protocol"} | local, path


@pytest.mark.parametrize(
    ("wanted", "users"),
    [
        (
            "subprocess",
            {
                "ladder/dev/compiler/hook.py",
                "ladder/process/spawn.py",
                "ladder/process/tiers.py",  # what the probe bot attacks
                "ladder/home/notify.py",  # it starts no bots, but the program of [notify]
                "ladder/machine/removal.py",  # it starts no bots, but chmod and rm
                "ladder/cli/replay.py",  # it starts no bots, but PAGER
                "ladder/run/executors/ssh_hosts.py",  # it starts no bots, but ssh
            },
        ),
        ("gymnasium", {"ladder/learn/ladder_env.py", "ladder/learn/seat_env.py"}),
        ("networkx", {"ladder/pairing/pairing.py"}),
        ("trueskill", {"results/rating/trueskill_package.py"}),
        ("multiprocessing_logging", {"ladder/machine/logs.py"}),
    ],
)
def test_one_module_alone_uses_it(wanted, users):
    found = {
        path
        for package in MAY_IMPORT
        if package != "bots"
        for path in paths(package)
        if wanted in packages(path)
    }
    assert users == {str(path.relative_to(ROOT)) for path in found}


def test_threads_and_locks_are_used_by_these_modules_alone():
    for path in paths("ladder"):
        waits = ("web/serve/", "web/door/", "live/connect.py")  # for many browsers, or many bots, at once
        if not any(place in path.as_posix() for place in waits):
            assert not packages(path) & {"asyncio", "concurrent"}, path
        threads = {name for name in read(path).imports if name.startswith("threading")}
        allowed = (
            "machine/logs.py",
            "executors/local.py",
            "hostile/delays.py",  # two tables at once
            "process/function.py",
            "process/spawn.py",
            "referee/watch.py",  # one thread watches the bots of many tables
            "process/waits.py",  # tables and the thread that counts them read the same bots
            "executors/cluster_worker.py",
            "executors/ssh_hosts.py",  # what ssh says is read while the run goes on
            "executors/tls_files.py",  # a worker waits for the end of its run
            "machine/unexpected.py",
            "worker/lanes.py",
            "worker/main.py",
            "worker/open_blocks.py",
            "worker/concurrency.py",
            "worker/side_by_side.py",
            "cli/progress.py",
            "admission/batch.py",
            "admission/tryout.py",
            "admission/upload_states.py",  # a server asks it in many threads
            "live/live_match.py",  # a server closes it in a thread
        )
        assert not threads or path.as_posix().endswith(allowed), path


def loaded_by(module):
    """Return the top-level packages that are loaded once *module* is imported by itself."""
    code = f"import sys, {module}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(done.stdout.split())


@pytest.mark.process
def test_the_entry_module_loads_nothing_heavy():
    loaded = loaded_by("ladder.__main__")
    assert "ladder" in loaded
    assert set() == loaded & (
        HEAVY | {"msgspec", "engines", "protocol", "results", "multiprocessing", "logging"}
    )


@pytest.mark.process
def test_import_ladder_loads_nothing_until_its_names_are_asked_for():
    code = """
import sys
before = set(sys.modules)
import ladder
print(*sorted(set(sys.modules) - before))
ladder.play
print("ladder.api" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert ["ladder ladder.machine ladder.machine.installation types", "True"] == done.stdout.splitlines()


@pytest.mark.process
@pytest.mark.parametrize("module", ["ladder.learn", "ladder.worker.main", "ladder.replay.replayer"])
def test_a_workers_modules_load_nothing_heavy(module):
    """Nor does what learns, before one of its classes is asked for."""
    loaded = loaded_by(module)
    assert module == "ladder.learn" or {"engines", "results", "msgspec"} <= loaded
    assert set() == loaded & HEAVY


def test_tests_load_only_what_the_command_of_the_readme_installs():
    """What tests other extras is collected without them, too: it imports them as it runs, or is skipped."""
    project = tomllib.loads(text_of(ROOT / "pyproject.toml"))["project"]
    extras = {
        name: {re.match(r"[\w-]+", line)[0] for line in lines}
        for name, lines in project["optional-dependencies"].items()
    }
    others = set().union(*extras.values()) - extras["test"] - extras["web"] - {"botladder"}
    heavy = {name for name, whence in packages_distributions().items() if {*whence} & others}
    files = {module_of(path): path for folder in MAY_IMPORT for path in paths(folder)}
    files |= {module_of(path).removeprefix("tests."): path for path in paths("tests")}
    lacking = {
        name
        for name, path in files.items()
        if {whole.partition(".")[0] for whole in read(path).loads} & heavy
    }
    while above := {
        name
        for name, path in files.items()
        if name not in lacking
        and {part for whole in read(path).loads for part in (whole, whole.rpartition(".")[0])} & lacking
    }:
        lacking |= above
    assert lacking or not heavy
    assert [] == [name for name in sorted(lacking) if name.rpartition(".")[2].startswith("test_")]


def test_all_names_that_a_module_offers_are_there():
    for package in ("ladder", "engines", "protocol", "results"):
        for path in paths(package):
            assert {*read(path).exported} <= read(path).defined, path


PUBLIC = (
    "ladder",
    "engines",
    "engines.drawing",
    "engines.game",
    "engines.template",
    "ladder.api.face",
    "ladder.learn",
    "protocol.client",
)
"""Modules whose names are for authors of bots, games and programs; `engines.template` is a folder to copy."""


BY_NAME = (
    "drawing.candidates",
    "drawing.draw",
    "drawing.parts_of",
    "drawing.sketches",
    "greedy.POLICIES",
    "imagination.imagine",
    "luck.begin",
    "luck.deal",
    "news.PHRASES",
    "numbers.columns",
    "numbers.vocabulary",
    "text.ask",
    "text.cost",
    "text.in_words",
    "text.kind_of",
    "text.say",
    "text.text",
    "unplay.unplay",
)
"""What engines.position_game finds by its name in the packages of the games."""


PROGRAMS = (
    "engines.contract",
    "engines.template",
    "ladder.dev.benchmark.client_bot",
    "ladder.dev.compiler",
    "ladder.kits.filters",
    "ladder.process.probe",
    "ladder.run.executors.cluster_worker",
)
"""Programs, tests of games, and filters of templates: what they define is used by its name."""


def is_found_by_name(module):
    """Return whether others find what is in a module by its name."""
    of_game = module.startswith("engines.") and module.endswith((".testing", ".schema"))
    return of_game or module.startswith(("bots.", *PROGRAMS))


def test_what_a_module_offers_is_used_outside_it():
    files = {path: module_of(path) for package in MAY_IMPORT for path in paths(package)}
    uses = Counter(name for path in files for name in read(path).used)
    uses.update(
        name.replace(":", ".") for name in re.findall(r'"([\w.]+:\w+)"', text_of(ROOT / "pyproject.toml"))
    )
    uses.update(
        f"{command.__module__}.{command.__name__}" for command in map(load_command, (*COMMANDS, *UNLISTED))
    )
    unused = [
        f"{module}.{name}"
        for path, module in files.items()
        if module not in PUBLIC and not is_found_by_name(module)
        for name in read(path).exported
        if not (module.startswith("engines.") and f"{module}.{name}".endswith(BY_NAME))
        and uses[f"{module}.{name}"] == (f"{module}.{name}" in read(path).used)
    ]
    assert [] == [name for name in unused if not is_tested(name)]


def is_tested(name):
    """Return whether a test uses *name*; only files with its last word are read."""
    word = name.rpartition(".")[2]
    return any(word in text_of(path) and name in read(path).used for path in paths("tests"))


def test_only_the_tests_of_games_import_the_contract():
    """Bots and workers load rules, not their tests."""
    for package in ("bots", "engines", "ladder"):
        for path in paths(package):
            if path.name != "testing.py" and not path.is_relative_to(ROOT / "engines" / "contract"):
                assert not any(name.startswith("engines.contract") for name in read(path).imports), path
