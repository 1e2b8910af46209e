"""The compiled build: the same to the last bit.

In the gate it is the one that `.ci/life` has left in LADDER_BUILT, where it looks at the sources, too.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest
from support.command_line import ENVIRONMENT, run_apart
from support.ladders import FOUR, a_home
from support.places import ROOT

from ladder.machine.build import LIBRARY

PLAYOUTS = """
import hashlib, json
from random import Random
from engines import GAMES
from ladder.dev.doctor import is_compiled

said = hashlib.sha256()
for game in GAMES.values():
    for seats in game.seats:
        rng = Random(seats)
        deal = game.deal(seats, rng)
        state, events = game.start(deal, seats)
        position = game.begin(deal, seats)
        while choices := game.choices(state):
            seen = [game.view(state, seat) for seat in (None, *range(seats))]
            offered = [[seat, choice.to_json()] for seat, choice in choices.items()]
            said.update(json.dumps([seen, offered, [event.seen_by(0) for event in events]]).encode())
            for seat in choices:
                said.update(position.write_view(seat) + position.write_choice(seat))
            said.update(b"".join(position.write_events(0)))
            moves = {seat: choice.sample(rng) for seat, choice in choices.items()}
            state, events = game.play(state, moves)
            for seat, move in moves.items():
                position.play(position.option_of(seat, move))
        said.update(repr((game.outcome(state), game.position(state).playout(rng))).encode())
print(is_compiled(), said.hexdigest())
"""
"""Plays every game at all table sizes at random; prints whether it is compiled, and a hash of all it says."""

FITS = """
import hashlib
from collections import Counter
from random import Random
from results.rating import chain
from results.rating.draw_probability import choose_draws
from results.rating.fit import fit
from results.rating.outcomes import Counts, FinishOrder
from results.rating.pairs import count_pairs
from results.rating.parameters import Parameters

rng, said = Random(1), hashlib.sha256()
bots = [(f"bot-{i}", "1") for i in range(12)]
for sizes in ([2], [3, 4], [5, 6], [2, 3, 4, 5, 6]):
    counts = Counts()
    for _ in range(150):
        table = rng.sample(bots, rng.choice(sizes))
        ranks = [[rng.randint(1, 3) + bots.index(bot) // 3 for bot in table] for _ in table]
        orders = [sorted(zip(rank, table)) for rank in ranks]
        ties = [[a[0] == b[0] for a, b in zip(order, order[1:])] for order in orders]
        block = [FinishOrder(tuple(bot for _, bot in order), tuple(tie)) for order, tie in zip(orders, ties)]
        counts.update(Counts(Counter(block), {tuple(sorted(block)): 1}))
    found = fit(counts, Parameters())
    pairs = count_pairs(counts.outcomes).values()
    said.update(repr((found, [choose_draws(same, found, 25 / 6) for same in pairs])).encode())
    later = fit(counts, Parameters(), found.quadratic())
    said.update(repr(later).encode())
print(not chain.__file__.endswith(".py"), said.hexdigest())
"""
"""Fits matches at tables of all sizes; prints whether it is compiled, and a hash of all numbers."""


pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(1800),
]  # the first of them builds


class Compiled(NamedTuple):
    """What a build of this test made, and what it found."""

    folder: Path
    """What is in the wheel."""
    before: dict[str, tuple[int, bytes]]
    after: dict[str, tuple[int, bytes]]
    """The folders and files of the sources, with times and contents of the latter."""


def files_below(folder):
    return {
        str(path.relative_to(folder)): (path.stat().st_mtime_ns, path.read_bytes())
        if path.is_file()
        else (0, b"")
        for path in folder.rglob("*")
    }


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    """Build a wheel as `pip wheel .` does in a fresh clone, without optimization; None if one is there."""
    if not shutil.which("cc"):
        pytest.skip("needs a C compiler")
    if os.environ.get("LADDER_BUILT"):
        return None
    source, wheels, folder = (tmp_path_factory.mktemp(name) for name in ("source", "wheels", "compiled"))
    for name in ("ladder", "engines", "protocol", "results", "bots", "tests/bad_bots"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    for name in ("README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    project = (ROOT / "pyproject.toml").read_text()
    assert 'optimize = "-O1"' in project
    (source / "pyproject.toml").write_text(project.replace('optimize = "-O1"', 'optimize = "-O0"'))
    before = files_below(source)
    pip_wheel = ["pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w"]
    command = [sys.executable, "-m", *pip_wheel, wheels, source]
    subprocess.run(command, check=True, env=os.environ | {"LADDER_COMPILE": "always"})
    (wheel,) = wheels.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return Compiled(folder, before, files_below(source))


@pytest.fixture(scope="module")
def compiled(build):
    """Return a folder with the ladder as it is when its hot modules are compiled."""
    return build.folder if build else Path(os.environ["LADDER_BUILT"])


def environment(folder):
    return ENVIRONMENT | {"PYTHONPATH": str(folder)}


def output(program, folder, cwd):
    command = [sys.executable, "-c", program]
    done = subprocess.run(
        command, cwd=cwd, env=environment(folder), check=True, capture_output=True, text=True
    )
    return done.stdout.split()


def test_a_build_leaves_the_sources_as_they_were(build):
    if build:
        assert build.before == build.after
    else:
        assert 'diff "$folder/before" -' in (ROOT / ".ci/life").read_text()


def test_a_compiled_wheel_is_for_machines_of_this_kind(compiled):
    (wheel,) = compiled.glob("botladder-*.dist-info/WHEEL")
    (tag,) = [
        line.removeprefix("Tag: ") for line in wheel.read_text().splitlines() if line.startswith("Tag: ")
    ]
    python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    *versions, machine = tag.split("-")
    assert [python, python] == versions
    assert sysconfig.get_platform().split("-")[0] in machine


def test_every_module_that_the_project_lists_is_compiled(compiled):
    hook = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    patterns = [name for name in hook["hooks"]["custom"]["include"] if "*" not in name]
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    made = {str(path.relative_to(compiled)) for path in compiled.rglob(f"*{suffix}")}
    assert set() == {name.lstrip("/").replace(".py", suffix) for name in patterns} - made
    assert {name.split("/")[0] for name in made} == {
        *("engines", "ladder", "protocol", "results"),
        LIBRARY + suffix,
    }


def test_a_compiled_wheel_says_so_where_there_is_no_compiler(build, compiled, tmp_path):
    without = {**environment(compiled), "PATH": str(tmp_path)}
    command = [sys.executable, "-m", "ladder", "--version"]
    done = subprocess.run(command, cwd=tmp_path, env=without, check=True, capture_output=True, text=True)
    assert "(compiled)" == done.stdout.split()[-1]
    found = output("from ladder.dev.doctor import examine; print(*examine()[3])", compiled, tmp_path)
    assert ["compiled", "True"] == found[:2]
    assert ("-O0" if build else "-O1") in found


@pytest.mark.parametrize("program", [PLAYOUTS, FITS], ids=["rules", "fits"])
def test_compiled_rules_and_fits_say_what_the_others_do(compiled, tmp_path, program):
    plain, fast = output(program, ROOT, tmp_path), output(program, compiled, tmp_path)
    assert ["False", "True"] == [plain[0], fast[0]]
    assert plain[1] == fast[1]


def test_a_run_of_the_compiled_referee_has_the_same_digest(compiled, tmp_path):
    bots = FOUR | {"cheat": {"sin": "cheat", "one_in": 3}}
    digests = []
    for folder in (ROOT, compiled):
        home = a_home(tmp_path / folder.name, bots).path
        run = run_apart(
            "run", "--games", "60", "--seed", "5", "--home", home, cwd=tmp_path, env=environment(folder)
        )
        assert 0 == run.code
        digests.append(run_apart("digest", "--home", home, cwd=tmp_path, env=environment(folder)))
    assert digests[0] == digests[1]
    assert "form 4: 60 matches of 1 run\n" == digests[1].err
