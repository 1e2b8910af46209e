"""Describe addresses below api/v1/ as OpenAPI 3.1."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from results.record import Json

OPENAPI: Final = Path(__file__).with_name("openapi.json")


class ApiRoute(NamedTuple):
    """An address, with the types of the JSON that it answers and of the parameters behind it."""

    path: str
    what: str
    answer: Any
    query: Any = None


class ProblemDocument(msgspec.Struct, omit_defaults=True):
    """What went wrong, and what to do next (RFC 9457)."""

    status: int
    title: str
    detail: str
    hint: str = ""


def describe(routes: Iterable[ApiRoute]) -> str:
    """Return what is told of *routes*, as the text of a file."""
    answers = {each: each.answer for each in routes}
    (problem, *refs), schemas = msgspec.json.schema_components(
        [ProblemDocument, *answers.values()], ref_template="#/components/schemas/{name}"
    )
    failed = {"description": "A problem.", "content": {"application/problem+json": {"schema": problem}}}
    paths = {}
    for route, schema in zip(answers, refs, strict=True):
        found = {"description": "The answer.", "content": {"application/json": {"schema": schema}}}
        responses = {"200": found, "default": failed}
        told = {"summary": route.what, "parameters": _parameters(route), "responses": responses}
        paths[f"/{route.path}"] = {"get": told}
    whole = {
        "openapi": "3.1.0",
        "info": {"title": "ladder", "version": "1"},
        "servers": [{"url": "../v1"}],  # as seen from the file: a proxy may show it below any path
        "paths": paths,
        "components": {"schemas": schemas},
    }
    return msgspec.json.format(msgspec.json.encode(whole), indent=2).decode() + "\n"


def _parameters(route: ApiRoute) -> list[Json]:
    names = re.findall(r"{(\w+)}", route.path)
    parts = [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names]
    _, queries = msgspec.json.schema_components([route.query] if route.query else [])
    asked = [field for query in queries.values() for field in query["properties"].items()]
    return parts + [{"name": name, "in": "query", "schema": schema} for name, schema in asked]
