"""Sizes: a function can be read at once, and a module of some length says why where the idea is hard."""
# the expected value stands on the left, in every test

import io
import tokenize

from support.places import ROOT
from support.sources import PACKAGES, paths, read, text_of

LONGEST = 60
"""The most lines of a function.  How complex one may be is held by ruff: C901 in pyproject.toml."""
SHORT = 150
"""Modules of at most this many lines may be clear without a comment."""
DENSITY = 2.4
"""Comments in 100 lines of code of the longer modules, all together."""


def test_functions_can_be_read_at_once():
    found = {
        f"{path.relative_to(ROOT)}: {name}"
        for package in PACKAGES
        for path in paths(package)
        for name, lines in read(path).lengths
        if lines > LONGEST
    }
    assert set() == found


def count_lines(path):
    """Return how many comments, and how many lines of code, are in the module at *path*."""
    text = text_of(path)
    comments = [
        token.start[0]
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT
    ]
    code = [
        number
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and not line.lstrip().startswith("#") and number not in read(path).prose_lines
    ]
    return len(comments), len(code)


def test_longer_modules_say_why():
    counts = {
        str(path.relative_to(ROOT)): count_lines(path)
        for package in PACKAGES
        for path in paths(package)
        if len(text_of(path).splitlines()) > SHORT
    }
    comments, code = map(sum, zip(*counts.values(), strict=True))
    assert set() == {name for name, (said, _) in counts.items() if not said}
    assert DENSITY <= 100 * comments / code
