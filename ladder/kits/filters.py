"""What templates need to write keys, values and comments of a game in a program."""

from __future__ import annotations

import json
import keyword
import re
from collections.abc import Callable
from xml.sax.saxutils import escape

from ladder.kits.names import pascal

__all__ = ["FILTERS", "TESTS"]


def c_string(text: str) -> str:
    """Return *text* as a string of C or C++."""
    letters = (
        chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:03o}" for byte in text.encode()
    )
    return f'"{"".join(letters)}"'.replace("??", "?\\077")  # two of them may begin a trigraph


def rust_string(text: str) -> str:
    """Return *text* as a string of Rust."""
    letters = (
        letter if letter.isprintable() and letter not in '"\\' else f"\\u{{{ord(letter):x}}}"
        for letter in text
    )
    return f'"{"".join(letters)}"'


def php_string(text: str) -> str:
    """Return *text* as a string of PHP."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def comment(text: str) -> str:
    """Return *text* for a comment that nothing in it ends, and in which no other begins."""
    return text.replace("*/", "* /")


def c_comment(text: str) -> str:
    return comment(text).replace("/*", "/ *")


def java_comment(text: str) -> str:
    return comment(text).replace("\\", "\\\\")


def docstring(text: str) -> str:
    """Return *text* for a docstring of Python."""
    return text.replace("\\", "\\\\").replace('"', "'")


def constants(values: tuple[str, ...]) -> dict[str, str]:
    """Return *values* by names for constants; none if one of them gets no name of its own."""
    spelled = {pascal(value): value for value in values}
    fit = len(spelled) == len(values) and all(name and name[0].isalpha() for name in spelled)
    return spelled if fit else {}


def is_python_name(key: str) -> bool:
    return key.isidentifier() and not keyword.iskeyword(key)


def is_script_name(key: str) -> bool:
    return bool(re.fullmatch(r"[A-Za-z_$][A-Za-z0-9_$]*", key))


FILTERS: dict[str, Callable[..., object]] = {
    "c_comment": c_comment,
    "c_string": c_string,
    "comment": comment,
    "constants": constants,
    "docstring": docstring,
    "java_comment": java_comment,
    "json": json.dumps,
    "php_string": php_string,
    "rust_string": rust_string,
    "xml": escape,
}
TESTS: dict[str, Callable[[str], bool]] = {"python_name": is_python_name, "script_name": is_script_name}
