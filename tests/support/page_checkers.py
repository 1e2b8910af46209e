"""Checkers of pages, programs of others in .ci/checkers: what each of them finds in files of HTML.

`npm install --prefix .ci/checkers --no-package-lock` brings them, as .ci/run does.  A test whose checker is
missing is skipped.
"""

import json
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from support.need import need_program

CHECKERS = Path(__file__).parents[2] / ".ci" / "checkers"
INSTALL = "npm install --prefix .ci/checkers --no-package-lock"
UNSURE = ("Content Security Policy", "“paint-order”: Property", "“vector-effect”: Property")
"""What vnu cannot know: a file has no server, so that all is foreign to it; browsers check this.  And a
property of SVG 2, which all browsers have."""


def axe_program() -> str:
    """Return the text of axe-core, which runs inside a page; skip the test if it is missing."""
    return _installed("axe-core", "axe.min.js").read_text("utf-8")


def vnu(files: Sequence[Path]) -> list[str]:
    """Return what the checker of the W3C finds wrong or doubtful in *files*."""
    archive = _installed("vnu-jar", "build/dist/vnu.jar")
    options = ["--format", "json", "--exit-zero-always", "--skip-non-html"]
    said = _run("java", ["-Xss4m", "-jar", archive, *options, *files], "default-jre-headless").stderr
    found = [
        message
        for message in json.loads(said)["messages"]
        if not any(words in message["message"] for words in UNSURE)
    ]
    return [f"{_short(each['url'])}: {each['message']} {each.get('extract', '')}" for each in found]


def html_validate(files: Sequence[Path]) -> list[str]:
    """Return what html-validate finds in *files*, by the rules of html-validate.cjs."""
    program = _installed("html-validate", "bin/html-validate.mjs")
    with tempfile.TemporaryDirectory() as folder:
        said = Path(folder, "said.json")  # Node ends before all of a long text has gone through a pipe
        options = ["--formatter", f"json={said}", "--config", CHECKERS / "html-validate.cjs"]
        _run("node", [program, *options, *files], "nodejs")
        return [*_told(json.loads(said.read_text("utf-8")))]


def _told(reports: list[dict[str, Any]]) -> Iterator[str]:
    for report in reports:
        for each in report["messages"]:
            yield f"{_short(report['filePath'])}:{each['line']}: {each['ruleId']}: {each['message']}"


def _short(file: str) -> str:
    return "/".join(file.split("/")[-2:])


def _installed(package: str, file: str) -> Path:
    path = CHECKERS / "node_modules" / package / file
    if not path.is_file():
        pytest.skip(f"{package} is not installed: {INSTALL}")
    return path


def _run(program: str, arguments: Sequence[str | Path], debian: str) -> subprocess.CompletedProcess[str]:
    command = [need_program(program, debian), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done
