"""The words in which a schema.py declares what bots read and write; engines/schemas.py offers them.

A declaration is a piece of JSON Schema (draft 2020-12).  These functions write the usual ones.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from engines.game import NOTHING, Json

Schema: TypeAlias = dict[str, Json]
Fields: TypeAlias = Mapping[str, Schema]
SIZE: Final = "depends on the size of the table"
OPTIONAL: Final = "may be missing"
"""Keys of declarations that document() resolves; the schema does not have them."""
SEAT: Final = "seat"
BY_SEAT: Final = "by seat"
OR_FEWER: Final = "by seat, or fewer"
AT_TABLE: Final = "the parts of it"
"""How a part depends on the size of the table."""
PRESENT: Final = "present, and not null"
ABSENT: Final = "not there"
"""What has() may say of a field, in place of its value."""


# -- values


def integer(low: int, high: int, about: str = "") -> Schema:
    """Return the schema of a whole number from *low* to *high*."""
    return about_of(about) | {"type": "integer", "minimum": low, "maximum": high}


def flag(about: str = "") -> Schema:
    """Return the schema of true or false."""
    return about_of(about) | {"type": "boolean"}


def text_of(pattern: str = "", about: str = "", longest: int | None = None) -> Schema:
    """Return the schema of a text of at most *longest* characters, all of which *pattern* matches.

    Alternatives stand in parentheses: "(?:heads|tails)".
    """
    form = {"pattern": f"^{pattern}$"} if pattern else {}
    bound = {} if longest is None else {"maxLength": longest}
    return about_of(about) | {"type": "string"} | form | bound


def name_of(names: Iterable[str], about: str = "") -> Schema:
    """Return the schema of one of *names*."""
    return about_of(about) | {"type": "string", "enum": [*names]}


def list_of(item: Schema, low: int, high: int | None, about: str = "", *, unique: bool = False) -> Schema:
    """Return the schema of a list of *low* to *high* values that fit *item*; None is any number."""
    bound = {} if high is None else {"maxItems": high}
    different = {"uniqueItems": True} if unique else {}
    return about_of(about) | {"type": "array", "items": item, "minItems": low} | bound | different


def exactly(count: int, item: Schema, about: str = "", *, unique: bool = False) -> Schema:
    """Return the schema of a list of *count* values that fit *item*."""
    return list_of(item, count, count, about, unique=unique)


def orders_of(count: int, card: Schema) -> Schema:
    """Return the schema of what a deal has for reshuffles: at least one order of a deck of *count* cards."""
    about = "The orders that reshuffles follow, one after the other, then from the first again."
    return list_of(exactly(count, card), 1, None, about)


def row_of(*items: Schema, about: str = "") -> Schema:
    """Return the schema of a list of exactly *items*, in order."""
    row = {"type": "array", "prefixItems": [*items], "items": False}
    return about_of(about) | row | length(len(items))


def map_of(keys: Schema, values: Schema, about: str = "", most: int | None = None) -> Schema:
    """Return the schema of an object of at most *most* keys that fit *keys*, each with one of *values*."""
    bound = {} if most is None else {"maxProperties": most}
    return about_of(about) | {"type": "object", "propertyNames": keys, "additionalProperties": values} | bound


def record(about: str, fields: Fields, rules: Sequence[Schema] = ()) -> Schema:
    """Return the schema of an object of *fields*, and no others, that fits *rules*."""
    return object_of(about, fields, always(fields), rules)


def either(*parts: Schema, about: str = "") -> Schema:
    """Return the schema of a value that fits one of *parts*."""
    return about_of(about) | {"anyOf": [*parts]}


def nullable(part: Schema, about: str = "") -> Schema:
    """Return the schema of a value that fits *part*, or null."""
    return at_table(either(part, {"type": "null"}, about=about))


def optional(part: Schema) -> Schema:
    """Return the schema of a field that may be missing."""
    return {**part, OPTIONAL: True}


def part_of(name: str, about: str = "") -> Schema:
    """Return a reference to the part of the document that is called *name*, such as "options"."""
    return about_of(about) | {"$ref": f"#/$defs/{name}"}


# -- what depends on the size of the table: in a view, its field `seats` bounds it


def seat(about: str = "") -> Schema:
    """Return the schema of a seat at the table."""
    return about_of(about) | {"type": "integer", "minimum": 0, SIZE: SEAT}


def by_seat(item: Schema, about: str = "", *, or_fewer: bool = False) -> Schema:
    """Return the schema of a list with an *item* for each seat, or for at most as many."""
    return about_of(about) | {"type": "array", "items": item, SIZE: OR_FEWER if or_fewer else BY_SEAT}


def at_table(part: Schema) -> Schema:
    """Return *part*, a field of a view, so that `seats` also bounds the seats and lists deep inside it."""
    return {**part, SIZE: AT_TABLE}


# -- rules: what one field says of others


def when(
    test: Mapping[str, Json], then: Mapping[str, Json], otherwise: Mapping[str, Json] = NOTHING
) -> Schema:
    """Return the rule that an object that has *test* has *then*, and each other one *otherwise*.

    All three are what has() takes.
    """
    rule = {"if": has(test), "then": has(then)}
    return rule | {"else": has(otherwise)} if otherwise else rule


def has(fields: Mapping[str, Json]) -> Schema:
    """Return the schema of an object with these *fields*, whatever else is in it.

    A field is PRESENT or ABSENT; or, if it is there, has a value, one of a tuple of values, or fits a schema.
    """
    parts = {"properties": {name: _value_of(meant) for name, meant in fields.items()}}
    needed = [name for name, meant in fields.items() if meant == PRESENT]
    return parts | {"required": needed} if needed else parts


def _value_of(meant: Json) -> Json:
    match meant:
        case dict():
            return meant
        case tuple():
            return {"enum": [*meant]}
        case str() if meant == ABSENT:
            return False
        case str() if meant == PRESENT:
            return {"not": {"type": "null"}}
    return {"const": meant}


def length(low: int, high: int | None = None) -> Schema:
    """Return what a list of *low* to *high* items fits; without *high*, a list of exactly *low*."""
    return {"minItems": low, "maxItems": low if high is None else high}


# -- for document()


def object_of(about: str, fields: Fields, required: Iterable[str], rules: Sequence[Schema] = ()) -> Schema:
    """Return the schema of an object of *fields*, of which those *required* must be there."""
    whole = about_of(about) | {
        "type": "object",
        "properties": dict(fields),
        "required": [*required],
        "additionalProperties": False,
    }
    return whole | ({"allOf": [*rules]} if rules else {})


def always(fields: Fields) -> list[str]:
    """Return the names of the fields that are always there."""
    return [name for name, part in fields.items() if OPTIONAL not in part]


def about_of(about: str) -> Schema:
    """Return the description of a part, if it has one."""
    return {"description": about} if about else {}
