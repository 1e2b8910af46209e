"""Views that are read with the types that the kits make of a schema hold what the JSON says."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from support.kits import require_tools
from support.places import ROOT

from engines import GAMES
from ladder.kits.create import create_bot
from ladder.kits.languages import KITS, LANGUAGES
from ladder.kits.type_files import write_types
from ladder.kits.view_types import read_types

PROGRAMS = ROOT / "tests" / "support" / "kit_programs" / "typed_views"
"""Programs that read VIEW from stdin and print some of its parts, the same in each language."""

TREE = {"type": "object", "properties": {"name": {"type": "string"}, "left": {"$ref": "#/$defs/tree"}}}
HOSTILE = '*/ ?> """ \\u000a \\N{x} ` \' ${x} \u202e \x00 \U0001d11e\n int x;'
SUIT = {
    "description": f"Ends here: */ \\u not a letter. {HOSTILE}",
    "type": "string",
    "enum": ["red", "a??/b", 'qu"ote'],
}
CARD = {"type": "object", "properties": {"holder": {"$ref": "#/$defs/player"}}}
PLAYER = {"type": "object", "properties": {"card": {"$ref": "#/$defs/card"}}, "required": ["card"]}
SCHEMA = {
    "title": f"Toy, */ version 1\nint x; {HOSTILE}",
    "$defs": {
        "card": CARD,
        "player": PLAYER,
        "suit": SUIT,
        "tree": TREE | {"required": ["name"]},
        "view": {
            "type": "object",
            "properties": {
                HOSTILE: {"enum": [HOSTILE, f"{HOSTILE}{HOSTILE}"], "description": HOSTILE},
                "card": {"$ref": "#/$defs/card", "description": HOSTILE},
                "for": {"type": "integer"},
                "2nd": {"type": "number"},
                "é": {"type": "boolean"},
                "a??/b": {"$ref": "#/$defs/suit"},
                "suits": {"type": "array", "items": {"anyOf": [{"$ref": "#/$defs/suit"}, {"type": "null"}]}},
                "grid": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
                "flags": {"type": "array", "items": {"type": "boolean"}},
                "bag": {
                    "type": "object",
                    "additionalProperties": {"type": "array", "items": {"type": "string"}},
                },
                "who": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
                "whom": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
                "absent": {"type": "array", "items": {"type": "integer"}},
                "tree": {"$ref": "#/$defs/tree"},
                "trees": {"type": "array", "items": {"$ref": "#/$defs/tree"}},
                "pair": {
                    "type": "array",
                    "prefixItems": [{"type": "string"}, {"type": "integer"}],
                    "maxItems": 2,
                },
                "either": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
            },
            "required": [
                "for",
                "2nd",
                "é",
                "a??/b",
                "suits",
                "grid",
                "flags",
                "bag",
                "who",
                "whom",
                "trees",
            ],
        },
    },
}
VIEW: dict[str, Any] = {
    "for": 2**53,
    "2nd": -2.5,
    "é": True,
    "a??/b": 'qu"ote',
    "suits": ["red", None],
    "grid": [[1, 2], [], [3]],
    "flags": [True, False, True],
    "bag": {"ü": ["x", "y"]},
    "who": 7,
    "whom": None,
    "tree": {"name": "root", "left": {"name": "leaf"}},
    "trees": [{"name": "one"}, {"name": "two"}],
    "pair": ["p", 1],
    "either": "e",
    "seat": 0,
    HOSTILE: HOSTILE,
    "new in a later version": {},
}
PRINTED = """9007199254740992 -2.50 true qu"ote
red none
3: 2 0 1; grid[2][0] = 3
true false true
ü: x y
7 none absent
root leaf none
one two
p 1 e
"""


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


@pytest.mark.parametrize("language", BUILDS)
@pytest.mark.slow
def test_a_view_is_read_with_its_types(language: str, tmp_path: Path) -> None:
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
    command = RUNS.get(language, ["./program"])
    read = subprocess.run(command, cwd=tmp_path, input=json.dumps(VIEW).encode(), capture_output=True)
    assert (0, b"") == (read.returncode, read.stderr)
    assert PRINTED == read.stdout.decode()


@pytest.mark.parametrize("game", GAMES)
def test_each_game_has_types_in_each_language(game: str, tmp_path: Path) -> None:
    for language in BUILDS:
        kit = LANGUAGES[language]
        bot = create_bot(kit, f"{language}-bot", tmp_path, game)
        text = (bot / kit.types_file).read_text("utf-8")
        assert "View" in text
        assert "Made from the JSON Schema of the game" in text
        assert "seats" in text.lower()
