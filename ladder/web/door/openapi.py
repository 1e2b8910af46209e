"""Describe addresses below api/v1/ as OpenAPI 3.1."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from ladder.web.door.problems import ProblemDocument
from results.record import Json

OPENAPI: Final = Path(__file__).with_name("openapi.json")


class ApiRoute(NamedTuple):
    """An address, with the types of the JSON that it answers, of its parameters and of its body."""

    path: str
    what: str
    answer: Any
    query: Any = None
    method: str = "get"
    body: Any = None
    """What is sent: bytes are a file, all else is JSON."""
    needs_token: bool = False
    kind: str = "application/json"
    """The media type of the answer."""


def describe(routes: Iterable[ApiRoute]) -> str:
    """Return what is told of *routes*, as the text of a file."""
    listed = [*routes]
    kinds = [ProblemDocument, *(each.answer for each in listed), *(each.body for each in listed)]
    at = "#/components/schemas/{name}"
    (problem, *refs), schemas = msgspec.json.schema_components(kinds, ref_template=at)
    failed = _content("A problem.", problem, "application/problem+json")
    paths: dict[str, dict[str, Json]] = {}
    for route, answer, body in zip(listed, refs, refs[len(listed) :], strict=False):
        told = {
            "summary": route.what,
            "parameters": _parameters(route),
            "responses": {"2XX": _content("The answer.", answer, route.kind), "default": failed},
        }
        if route.body:
            kind = "application/octet-stream" if route.body is bytes else "application/json"
            told["requestBody"] = _content("What is sent.", {} if route.body is bytes else body, kind)
        if route.needs_token:
            told["security"] = [{"token": []}]
        paths.setdefault(f"/{route.path}", {})[route.method] = told
    token = {"type": "http", "scheme": "bearer"}
    whole = {
        "openapi": "3.1.0",
        "info": {"title": "ladder", "version": "1"},
        "servers": [{"url": "../v1"}],  # as seen from the file: a proxy may show it below any path
        "paths": paths,
        "components": {"schemas": schemas, "securitySchemes": {"token": token}},
    }
    return msgspec.json.format(msgspec.json.encode(whole), indent=2).decode() + "\n"


def _content(what: str, schema: Json, kind: str = "application/json") -> Json:
    return {"description": what, "content": {kind: {"schema": schema}}}


def _parameters(route: ApiRoute) -> list[Json]:
    names = re.findall(r"{(\w+)}", route.path)
    parts = [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names]
    _, queries = msgspec.json.schema_components([route.query] if route.query else [])
    asked = [field for query in queries.values() for field in query["properties"].items()]
    return parts + [{"name": name, "in": "query", "schema": schema} for name, schema in asked]
