"""The files with the types of a view: nothing that a game from outside says ends a comment or a string."""

import re
import sys
from types import ModuleType
from typing import get_args, get_type_hints

import pytest

from ladder.kits.identifiers import SPELLINGS
from ladder.kits.languages import LANGUAGES
from ladder.kits.type_files import write_types
from ladder.kits.view_types import read_types

LINE = r"//[^\n]*"
BLOCK = r"/\*.*?\*/"
STRING = r'"(?:\\.|[^"\\\n])*"'
PROSE = {
    "c": (BLOCK, STRING),
    "cpp": (BLOCK, STRING),
    "csharp": (LINE, BLOCK, STRING),
    "go": (LINE, BLOCK, STRING, r"`[^`]*`"),
    "java": (LINE, BLOCK, STRING),
    "php": (r"//(?:(?!\?>)[^\n])*", BLOCK, STRING, r"'(?:\\.|[^'\\])*'"),
    "python": (r'"""(?:\\.|[^\\])*?"""', STRING, r"'[^'\n]*'"),
    "rust": (LINE, BLOCK, STRING),
    "typescript": (LINE, BLOCK, STRING),
}
"""The comments and strings of each language."""
ENDS = ['"', '"""', "'", "'''", "*/", "/*", "//", "#", "`", "?>", "<?php", "\\", "\\u000a x", "\\N{", "??/"]
ENDS += [
    "a\nb",
    "a\r\nb",
    "\x00",
    "\x1b[0m",
    "\u2028",
    "\u202e",
    "\U0001d11e",
    "</summary>",
    "$x ${x}",
    "{{ x }}",
]


def types_in(language, text):
    """Return the types of a view that has *text* wherever a game can write what it likes."""
    about = f"about {text}"
    names = {"description": about, "enum": [text, f" {text}"]}
    fields = {
        f" {text}": {"description": about, "type": "integer"},
        "row": {
            "type": "array",
            "prefixItems": [names, {"type": "null"}],
            "maxItems": 2,
            "description": about,
        },
        "map": {"type": "object", "additionalProperties": names, "description": about},
    }
    view = {"type": "object", "description": about, "properties": fields, "required": ["map"]}
    return write_types(read_types("toy", {"title": about, "$defs": {"view": view}}), language)


def without_prose(language, program):
    """Return the words outside of comments and strings, which are found as *language* finds them."""
    if language == "java":  # whose letters may be written as numbers anywhere
        program = re.sub(
            r"\\(\\|u+([0-9a-f]{4}))", lambda m: m[0] if m[1] == "\\" else chr(int(m[2], 16)), program
        )
    if language in ("c", "cpp"):
        program = program.replace("??/", "\\")
    return re.sub("|".join(PROSE[language]), "", program, flags=re.DOTALL).split()


@pytest.mark.parametrize("text", ENDS)
@pytest.mark.parametrize("language", SPELLINGS)
def test_no_text_of_a_game_becomes_a_part_of_the_program(language, text):
    harmless = re.sub(r"[^A-Za-z0-9]+", " ", text).strip() or "é"
    program = types_in(language, text)
    assert without_prose(language, types_in(language, harmless)) == without_prose(language, program)
    assert [] == re.findall("[\x00-\x08\x0b-\x1f\u2028\u202e]", program)


@pytest.mark.parametrize(
    ("language", "written"),
    [
        ("c", r'json_get(value, " a?\077/\134\303\251\360\235\204\236$")'),
        ("cpp", r'json_get(value, " a?\077/\134\303\251\360\235\204\236$")'),
        ("csharp", r'Json.Get(fields, " a??/\\\u00e9\ud834\udd1e$")'),
        ("go", r'cannot read its key: " a??/\\\u00e9\U0001d11e$"'),
        ("java", r'fields.get(" a??/\\\u00e9\ud834\udd1e$")'),
        ("php", r"($data->{' a??/\\é𝄞$'} ?? null)"),
        ("python", r'" a??/\\\u00e9\U0001d11e$": '),
        ("rust", r'field(value, " a??/\u{5c}é𝄞$")?'),
        ("typescript", r'" a??/\\\u00e9\ud834\udd1e$"?: number;'),
    ],
)
def test_a_key_is_a_string_of_the_language(language, written):
    assert written in types_in(language, "a??/\\é𝄞$")


@pytest.mark.parametrize("text", ENDS)
def test_python_gets_the_keys_and_names_of_a_game_as_they_are(text, monkeypatch):
    module = ModuleType("view")
    monkeypatch.setitem(sys.modules, "view", module)
    exec(types_in("python", text), vars(module))
    hints = get_type_hints(module.View)
    assert {f" {text}", "row", "map"} == set(hints)
    assert (text, f" {text}") == get_args(get_args(hints["map"])[1])


def test_there_is_a_template_for_each_language_with_types():
    assert set(SPELLINGS) == {language.types for language in LANGUAGES.values()} - {""}


def test_go_says_which_keys_its_library_cannot_read():
    keys = ["a`b", 'a"b', "a,b", "a\\b", "", "-", "é", "a b"]
    view = {"type": "object", "properties": {key: {"type": "integer"} for key in keys}}
    program = write_types(read_types("toy", {"$defs": {"view": view}}), "go")
    assert 5 == program.count('`json:"-"`') == program.count("// encoding/json cannot read its key: ")
    assert '`json:"-,"`' in program
    assert r'`json:"\u00e9"`' in program
    assert '`json:"a b"`' in program


def test_a_record_that_needs_one_which_contains_it_points_to_it():
    parts = {
        "card": {"type": "object", "properties": {"holder": {"$ref": "#/$defs/player"}}},
        "player": {
            "type": "object",
            "properties": {"card": {"$ref": "#/$defs/card"}, "all": {"type": "array", "items": CARD}},
            "required": ["card", "all"],
        },
        "view": {"type": "object", "properties": {"card": {"$ref": "#/$defs/card"}}},
    }
    types = read_types("toy", {"$defs": parts})
    assert ["Player", "Card", "View"] == [record.name for record in types.records]
    cpp, rust = (write_types(types, language) for language in ("cpp", "rust"))
    assert "std::shared_ptr<Card> card{};" in cpp
    assert "std::vector<Card> all{};" in cpp
    assert "pub card: Box<Card>," in rust
    assert "pub all: Vec<Card>," in rust
    assert "pub holder: Option<Player>," in rust


CARD = {"$ref": "#/$defs/card"}


@pytest.mark.parametrize(
    ("language", "part", "written"),
    [
        ("php", "match", "final class MatchType\n"),
        ("php", "exception", "final class ExceptionType\n"),
        ("csharp", "read", "public sealed class ReadType\n"),
        ("python", "none", "class NoneType(TypedDict):\n"),
        ("python", "typed_dict", "class TypedDictType(TypedDict):\n"),
    ],
)
def test_a_type_with_a_name_that_the_language_has_already_gets_another(language, part, written):
    record = {"type": "object", "properties": {"left": {"type": "integer"}}}
    view = {"type": "object", "properties": {"field": {"$ref": f"#/$defs/{part}"}}}
    assert written in write_types(read_types("toy", {"$defs": {"view": view, part: record}}), language)


def test_a_schema_with_half_a_letter_is_refused():
    view = {"type": "object", "properties": {"\ud834": {"type": "integer"}}}
    with pytest.raises(ValueError, match="surrogates"):
        read_types("toy", {"$defs": {"view": view}})
