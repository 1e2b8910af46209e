"""The JSON readers of the kits read what is JSON, refuse what is not, and write strings back."""

import json
import shutil
import subprocess
from math import isinf
from random import Random

import pytest
from support.need import need_program
from support.places import ROOT

from ladder.kits.languages import KITS

ECHO = ROOT / "tests" / "support" / "kit_programs" / "json_echo"
"""Programs that read lines, and write each as JSON again, or `error: ` and what is wrong with it."""

pytestmark = [pytest.mark.tools, pytest.mark.slow]

LEVELS = 64
REFUSED, UNDECIDED = object(), object()

GOOD = [
    *json.loads((ECHO / "good.json").read_text("utf-8")),
    '"' + "x" * 200_000 + '"',
    json.dumps(list(range(20_000))),
    "[" * LEVELS + "]" * LEVELS,
    '{"a":' * LEVELS + "1" + "}" * LEVELS,
]
BAD = [
    *json.loads((ECHO / "bad.json").read_text("utf-8")),
    "[" * (LEVELS + 1) + "]" * (LEVELS + 1),
    "[" * 100_000,
    '{"a":' * 100_000,
]


STRICT = "-Wall -Wextra -Werror -pedantic -fsanitize=address,undefined -o echo echo.c"
LANGUAGES = {
    "c": ("shared/json.h", "echo.c", f"cc -std=c99 {STRICT}", "./echo"),
    "cpp": ("shared/json.h", "echo.c", f"c++ -std=c++11 -x c++ {STRICT}", "./echo"),
    "java": ("java/Json.java", "Echo.java", "javac -encoding UTF-8 Json.java Echo.java", "java -cp . Echo"),
    "rust": ("rust/src/json.rs", "echo.rs", "rustc --edition 2021 -O -o echo echo.rs", "./echo"),
    "lua": ("lua/json.lua", "echo.lua", "", "lua echo.lua"),
    "csharp": (
        "csharp/Json.cs",
        "Echo.cs",
        "mcs -warnaserror -out:echo.exe -r:System.Core Json.cs Echo.cs",
        "mono echo.exe",
    ),
}
"""The reader of each kit, the program that uses it, and the commands that build and start that."""
PACKAGES = {"cc": "gcc", "c++": "g++", "javac": "default-jdk-headless", "lua": "lua5.4", "mcs": "mono-mcs"}
"""Packages of Debian that are not called as their program."""


@pytest.fixture(scope="module", params=LANGUAGES)
def echo(request, tmp_path_factory):
    """Return a function that has the reader of a language read lines, and returns what it made of each."""
    reader, program, build, start = LANGUAGES[request.param]
    tool = (build or start).split()[0]
    need_program(tool, PACKAGES.get(tool, ""))
    folder = tmp_path_factory.mktemp(request.param)
    for file in (KITS / reader, ECHO / program):
        shutil.copy(file, folder)
    if build:
        done = subprocess.run(build.split(), cwd=folder, capture_output=True, text=True)
        assert 0 == done.returncode, done.stderr

    def read(lines):
        text = "".join(f"{line}\n" for line in lines).encode()
        done = subprocess.run(start.split(), input=text, capture_output=True, cwd=folder, timeout=120)
        assert (0, b"") == (done.returncode, done.stderr)
        return done.stdout.decode().removesuffix("\n").split("\n")

    return read


def test_what_is_json_is_read(echo):
    read = echo(GOOD)
    assert len(GOOD) == len(read)
    for text, written in zip(GOOD, read, strict=True):
        assert same(json.loads(text), json.loads(written)), text[:80]


def test_what_is_no_json_is_refused_with_its_place(echo):
    read = echo(BAD)
    assert [] == [(text[:80], line) for text, line in zip(BAD, read, strict=True) if "error: " not in line]
    assert [] == [line for line in read if "found " not in line or " at " not in line]


def test_a_line_that_is_cut_off_anywhere_is_refused(echo):
    line = r'{"type":"act","id":"9f","view":{"row":[null,"P3.2",-1.5e2,true],"é":{"\ud834\udd1e":[]}}}'
    cut = [line[:end] for end in range(1, len(line))]
    assert [] == [start for start, made in zip(cut, echo(cut), strict=True) if not made.startswith("error: ")]


def test_altered_lines_are_read_as_python_reads_them(echo):
    rng = Random(5)
    lines = [line for line in (alter_line(rng) for _ in range(4000)) if "\n" not in line and "\r" not in line]
    expected = [read_strictly(line) for line in lines]
    judged = [result is not REFUSED for result in expected if result is not UNDECIDED]
    assert 300 < sum(judged) < len(judged) - 300
    for text, result, written in zip(lines, expected, echo(lines), strict=True):
        if result is REFUSED:
            assert written.startswith("error: "), text
        elif result is not UNDECIDED:
            assert not written.startswith("error: "), (text, written)
            assert same(result, json.loads(written)), text


def alter_line(rng):
    """Return a line of JSON, or one that nearly is, with one to three letters taken out, added or changed."""
    letters = list(
        rng.choice([text for text in 9 * GOOD + BAD if 0 < len(text) < 100 and "12345" not in text])
    )
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        at = rng.randrange(len(letters) + 1)
        letters[at : at + rng.choice([0, 1])] = rng.choice(["", *'{}[]:,"\\/u019abfntE+-. \té\x7f\x01'])
    return "".join(letters)


def read_strictly(line):
    """Return what Python makes of *line*, REFUSED, or UNDECIDED if a reader may do either with it."""
    repeated = False

    def members(pairs):
        nonlocal repeated
        repeated = repeated or len(pairs) > len(dict(pairs))
        return dict(pairs)

    try:
        read = json.loads(line, object_pairs_hook=members, parse_constant=_refuse, parse_float=_finite)
        json.dumps(read, ensure_ascii=False).encode()  # fails for half a pair of surrogates
    except ValueError:
        return REFUSED
    return UNDECIDED if repeated or line.count("[") > LEVELS else read


def _refuse(word):
    raise ValueError(word)


def _finite(digits):
    if isinf(float(digits)):
        raise ValueError(digits)
    return float(digits)


def same(expected, read):
    """Return whether two documents are equal.  Lua has no empty objects, and whole numbers end at 64 bits."""
    if isinstance(expected, dict) and expected:
        return (
            isinstance(read, dict)
            and expected.keys() == read.keys()
            and all(same(value, read[key]) for key, value in expected.items())
        )
    if isinstance(expected, list) and expected:
        return isinstance(read, list) and len(expected) == len(read) and all(map(same, expected, read))
    if isinstance(expected, int) and not isinstance(expected, bool) and abs(expected) > 2**63:
        return bool(float(expected) == read)
    if expected in ([], {}):
        return read in ([], {})
    return expected == read and isinstance(read, bool) == isinstance(expected, bool)
