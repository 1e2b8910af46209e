"""Views that are read with the types that the kits make of a schema hold what the JSON says."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from support.kits import require_tools
from support.places import ROOT

from engines import GAMES
from ladder.kits.create import create_bot
from ladder.kits.languages import KITS, LANGUAGES
from ladder.kits.type_files import write_types
from ladder.kits.view_types import read_types

PROGRAMS = ROOT / "tests" / "support" / "kit_programs" / "typed_views"
"""Programs that read view.json from stdin and print some of its parts, the same in each language."""

SCHEMA = json.loads((PROGRAMS / "schema.json").read_text("utf-8"))
"""Of views with all that a schema may say, and with texts that would end a comment or a string."""

BUILDS = {
    "c": ["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-o", "program", "c.c"],
    "cpp": ["c++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-pedantic", "-o", "program", "cpp.cpp"],
    "csharp": ["mcs", "-warnaserror", "-r:System.Core", "-out:program", "csharp.cs", "View.cs", "Json.cs"],
    "go": ["go", "build", "-o", "program", "go.go", "view.go"],
    "java": [
        *("javac", "-encoding", "UTF-8", "-Xlint:all", "-Werror"),
        *("java.java", "View.java", "Json.java"),
    ],
    "php": ["php", "-l", "view.php"],
    "rust": ["rustc", "--edition", "2021", "-D", "warnings", "-o", "program", "rust.rs"],
    "typescript": ["tsc", "--strict", "--target", "es2020", "node.d.ts", "view.ts", "typescript.ts"],
}
RUNS = {
    "csharp": ["mono", "program"],
    "java": ["java", "-cp", ".", "Program"],
    "php": ["php", "php.php"],
    "typescript": ["node", "typescript.js"],
}
"""The command of a program that is not `./program`."""


@pytest.mark.tools
@pytest.mark.slow
@pytest.mark.parametrize("language", BUILDS)
def test_a_view_is_read_with_its_types(language, tmp_path):
    kit = require_tools(LANGUAGES[language])
    for path in (
        *(KITS / language).rglob("*.*"),
        KITS / "shared" / "json.h",
        *PROGRAMS.glob(f"{language}.*"),
    ):
        shutil.copy(path, tmp_path)
    (tmp_path / Path(kit.types_file).name).write_text(
        write_types(read_types("toy", SCHEMA), kit.types), "utf-8"
    )
    built = subprocess.run(BUILDS[language], cwd=tmp_path, capture_output=True, text=True)
    assert 0 == built.returncode, built.stdout + built.stderr
    command, view = RUNS.get(language, ["./program"]), (PROGRAMS / "view.json").read_bytes()
    read = subprocess.run(command, cwd=tmp_path, input=view, capture_output=True)
    assert (0, b"") == (read.returncode, read.stderr)
    assert (PROGRAMS / "printed.txt").read_bytes() == read.stdout


@pytest.mark.parametrize("game", GAMES)
def test_each_game_has_types_in_each_language(game, tmp_path):
    for language in BUILDS:
        kit = LANGUAGES[language]
        bot = create_bot(kit, f"{language}-bot", tmp_path, game)
        text = (bot / kit.types_file).read_text("utf-8")
        assert "View" in text
        assert "Made from the JSON Schema of the game" in text
        assert "seats" in text.lower()
