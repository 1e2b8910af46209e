"""What templates need to write keys, values and comments of a game in a program."""

import json
import keyword
import re
import unicodedata
from collections.abc import Callable
from xml.sax.saxutils import escape

from ladder.kits.identifiers import pascal


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
    """Return *text* as a string of PHP: in single quotes, which know few escapes, if it can be printed."""
    if text.isprintable():
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
    return rust_string(text).replace("$", "\\$")


def wide_string(text: str) -> str:
    """Return *text* as a string of Python or Go, where a letter above 16 bits is not a pair of two."""
    letters = (json.dumps(letter)[1:-1] if letter <= "\uffff" else f"\\U{ord(letter):08x}" for letter in text)
    return f'"{"".join(letters)}"'


def go_tag(key: str) -> str:
    """Return the tag of a field with *key*; a field that encoding/json could not read stays as it is."""
    if not is_go_key(key):
        key = "-"
    elif key == "-":
        key = "-,"
    return f"`json:{wide_string(key)}`"


def comment(text: str) -> str:
    """Return *text* for a comment that ends with `*/`."""
    return text.replace("*/", "* /")


def c_comment(text: str) -> str:
    """Return *text* for a comment in which no other begins."""
    return comment(text).replace("/*", "/ *")


def java_comment(text: str) -> str:
    r"""Return *text* for a comment of Java, which would read \u000a as the end of the line."""
    return comment(text).replace("\\", "\\\\")


def php_comment(text: str) -> str:
    """Return *text* for a comment of PHP, where `?>` ends the program in a comment of one line."""
    return comment(text).replace("?>", "? >")


def docstring(text: str) -> str:
    """Return *text* for a docstring of Python."""
    return text.replace("\\", "\\\\").replace('"', "'")


def constants(values: tuple[str, ...]) -> dict[str, str]:
    """Return *values* by names for constants; none if one of them gets no name of its own."""
    spelled = {pascal(value): value for value in values}
    fit = len(spelled) == len(values) and all(name and name[0].isalpha() for name in spelled)
    return spelled if fit else {}


def is_go_key(key: str) -> bool:
    """Return whether encoding/json can read *key*: it has no quote, comma, backslash or symbol."""
    signs = "!#$%&()*+-./:;<=>?@[]^_{|}~ "
    return key != "" and all(letter.isalpha() or letter.isdecimal() or letter in signs for letter in key)


def is_python_name(key: str) -> bool:
    """Return whether a class of Python can have an attribute *key* that it does not spell in another way."""
    plain = unicodedata.normalize("NFKC", key) == key and not key.startswith("__")
    return plain and key.isidentifier() and not keyword.iskeyword(key)


def is_script_name(key: str) -> bool:
    return bool(re.fullmatch(r"[A-Za-z_$][A-Za-z0-9_$]*", key))


_COMMENTS = (comment, c_comment, java_comment, php_comment, docstring)
_STRINGS = (c_string, php_string, rust_string, wide_string)
FILTERS: dict[str, Callable[..., object]] = {
    **{each.__name__: each for each in (*_COMMENTS, *_STRINGS, constants, go_tag)},
    "json": json.dumps,
    "xml": escape,
}
TESTS: dict[str, Callable[[str], bool]] = {
    each.__name__.removeprefix("is_"): each for each in (is_go_key, is_python_name, is_script_name)
}
