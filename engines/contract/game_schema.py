"""The schema of a game, as its tests ask it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from jsonschema import Draft202012Validator, validators

from engines.contract.subject import Subject
from engines.game import Json


def declared_schema(subject: Subject) -> dict[str, Json] | None:
    """Return what schema.json must say by the game's declaration; None if it is written by hand."""
    declared = f"{type(subject.game).__module__}.schema"
    if find_spec(declared) is None:
        return None
    schema: dict[str, Json] = import_module(declared).SCHEMA
    return schema


@cache
def schema_of(subject: Subject) -> dict[str, Json]:
    schema: dict[str, Json] = json.loads((subject.folder / "schema.json").read_text("utf-8"))
    return schema


@cache
def _validators_of(subject: Subject) -> Any:
    """Return the validator class, but with a memory: most of what a view shows was in the one before."""
    fine = set()

    def once(validator: Any, value: Json, part: Json, **path: Any) -> Iterator[Any]:
        key = id(part), json.dumps(value)
        if key not in fine:
            errors = [*validator.descend(value, part, **path)]
            yield from errors
            if not errors:
                fine.add(key)

    def properties(validator: Any, parts: Json, instance: Json, schema: Json) -> Iterator[Any]:
        for key, part in parts.items() if isinstance(instance, dict) else ():
            if key in instance:
                yield from once(validator, instance[key], part, path=key, schema_path=key)

    def items(validator: Any, part: Json, instance: Json, schema: Json) -> Iterator[Any]:
        for item in instance[len(schema.get("prefixItems", ())) :] if isinstance(instance, list) else ():
            yield from once(validator, item, part)

    return validators.extend(Draft202012Validator, {"properties": properties, "items": items})


@cache
def validator(subject: Subject, part: str) -> Any:
    """Return what validates one of the $defs of a game's schema."""
    schema = {**schema_of(subject), "anyOf": [{"$ref": f"#/$defs/{part}"}]}
    return _validators_of(subject)(schema)


def fits(subject: Subject, part: str, value: Json) -> bool:
    """Return whether *value* fits one of the $defs of a game's schema."""
    return bool(validator(subject, part).is_valid(value))


def properties(subject: Subject, part: str) -> set[str]:
    """Return the names of the fields of one of the $defs."""
    return {*schema_of(subject)["$defs"][part]["properties"]}


def kinds(subject: Subject) -> list[str]:
    """Return the kinds of events in a schema."""
    refs = [ref["$ref"] for ref in schema_of(subject)["$defs"]["event"]["oneOf"]]
    return [ref.removeprefix("#/$defs/").removesuffix("_event") for ref in refs]


def steps(subject: Subject) -> set[str]:
    """Return the steps in a schema; none where views have no `step`."""
    return {*schema_of(subject)["$defs"].get("step", {"enum": []})["enum"]}
