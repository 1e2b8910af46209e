"""What the wheel holds beside the code: licences, type markers, pages, and data that code reads."""

import email
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest
from support.documents import PAGES
from support.need import need
from support.places import ROOT

pytestmark = pytest.mark.tools

TYPED = ("engines", "ladder", "protocol", "results")


@pytest.fixture(scope="module")
def wheel_file(tmp_path_factory):
    """Return the wheel, built from a copy: hatchling reads brackets in the path of a checkout as a glob."""
    need("hatchling")
    folder, copy = tmp_path_factory.mktemp("wheel"), tmp_path_factory.mktemp("checkout")
    for file in (each for each in ROOT.iterdir() if each.is_file()):
        shutil.copy(file, copy)
    for name in (*TYPED, "bots", "tests/bad_bots"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
    environment = os.environ | {"LADDER_COMPILE": "never"}  # tests/test_compiled.py does
    done = subprocess.run(build, cwd=copy, env=environment, capture_output=True, text=True)
    assert 0 == done.returncode, done.stderr
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def wheel(wheel_file):
    """Return the text files of the wheel, by their names in it."""
    with zipfile.ZipFile(wheel_file) as archive:
        return {name: archive.read(name).decode("utf-8", "replace") for name in archive.namelist()}


def test_the_wheel_has_the_pages_that_lie_beside_the_code(wheel):
    pages = {page: text for page, text in PAGES.items() if Path(page).parts[0] in TYPED}
    assert pages == {page: wheel.get(page) for page in pages}


def test_the_wheel_has_the_files_of_all_kits_all_templates_and_marks_of_types(wheel):
    kits = [path for path in (ROOT / "bots" / "kits").rglob("*") if path.is_file()]
    templates = [*(ROOT / "ladder").rglob("templates/*.*")]
    assert len(kits) > 50
    assert {".html", ".jinja"} == {path.suffix for path in templates}
    files = [path for path in (*kits, *templates) if "__pycache__" not in path.parts]
    marks = {f"{package}/py.typed" for package in TYPED}
    assert set() == (marks | {str(path.relative_to(ROOT)) for path in files}) - wheel.keys()


def test_the_wheel_carries_the_licences_and_names_them(wheel):
    (metadata,) = (text for name, text in wheel.items() if name.endswith(".dist-info/METADATA"))
    project = email.message_from_string(metadata)
    assert "MIT AND CC-BY-SA-4.0 AND BSD-3-Clause" == project["License-Expression"]
    files = project.get_all("License-File")
    assert ["LICENSE", "engines/starry_sky/LICENSE"] == files
    for file in files:
        (text,) = (text for name, text in wheel.items() if name.endswith(f".dist-info/licenses/{file}"))
        assert (ROOT / file).read_text("utf-8") == text


def test_the_wheel_has_no_tests_of_its_own_but_hostile_bots_and_the_contract_of_games(wheel):
    assert {"bots", "engines", "ladder", "protocol", "results"} == {
        name.split("/")[0] for name in wheel if ".dist-info/" not in name
    }
    assert "ladder/bad_bots/silent.py" in wheel
    tests = {str(Path(name).parent) for name in wheel if Path(name).name.startswith("test_")}
    assert {"engines/contract", "engines/template/project/tests"} >= tests


def test_the_wheel_has_not_what_builds_it(wheel):
    assert "ladder/machine/build.txt" in wheel, "the build has found it among the sources"
    assert [] == [name for name in wheel if name.startswith("ladder/dev/compiler")]


@pytest.fixture(scope="module")
def installed(wheel_file, tmp_path_factory):
    """Return the Python of a new environment in which the wheel is installed, as by `pip install .`."""
    prefix = tmp_path_factory.mktemp("plain") / "env"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", prefix], check=True)
    (packages,) = prefix.glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel_file) as archive:
        archive.extractall(packages)
    # what the ladder depends on; a path in a .pth file brings no .pth files of its own, so no other ladder
    (packages / "others.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return prefix / "bin" / "python"


def run_installed(python, folder, *words):
    """Run a command of the *installed* ladder in *folder*."""
    environment = {
        name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "LADDER_HOME")
    }
    command = [python, "-m", "ladder", *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


@pytest.mark.slow
def test_in_a_plain_install_a_check_plays_against_the_house_bots(installed, tmp_path):
    program = (ROOT / "bots" / "random" / "bot.py").read_text()
    (tmp_path / "bot.py").write_text(program)
    (tmp_path / "bot.toml").write_text('name = "rat"\nrun = ["{python}", "bot.py"]\ngames = ["stellar"]\n')
    done = run_installed(installed, tmp_path, "check", ".", "--json")
    findings = {finding["check"]: finding for finding in json.loads(done.stdout)["findings"]}
    assert "2 matches, every seat at tables of 2, no fault" == findings["stellar"]["what"]
    assert "2 matches played again in new processes" == findings["same moves"]["what"]
    assert "time" in findings  # it is there only if the bot has decided in matches with opponents


@pytest.mark.slow
def test_in_a_plain_install_hostile_bots_can_be_tried(installed, tmp_path):
    done = run_installed(installed, tmp_path, "selftest", "L13")
    assert 0 == done.returncode, done.stdout + done.stderr
    assert ["L13", "L13b"] == [line.split()[0] for line in done.stdout.splitlines() if line.startswith("L")]
