"""Describe the messages as a JSON Schema for other languages; `python -m protocol.schema` writes it."""

from __future__ import annotations

from pathlib import Path

import msgspec

from protocol import VERSION
from protocol.messages import Act, Answer, Bye, End, Hello, Json, Ready, Start

__all__ = ["PATH", "schema", "text"]

PATH = Path(__file__).with_name("schema.json")
_REFEREE = (Hello, Start, Act, End, Bye)
_BOT = (Ready, Answer)


def schema() -> dict[str, Json]:
    """Return the schema of one message; `$defs` has Referee, Bot and each message by name."""
    refs, defs = msgspec.json.schema_components([*_REFEREE, *_BOT], ref_template="#/$defs/{name}")
    sides = {
        "Referee": {"description": "A message of the referee.", "anyOf": list(refs[: len(_REFEREE)])},
        "Bot": {"description": "A message of a bot.", "anyOf": list(refs[len(_REFEREE) :])},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"ladder, protocol {VERSION}",
        "anyOf": [{"$ref": f"#/$defs/{side}"} for side in sides],
        "$defs": sides | defs,
    }


def text() -> str:
    """Return the schema as the text of its file."""
    return msgspec.json.format(msgspec.json.encode(schema()), indent=2).decode() + "\n"


if __name__ == "__main__":
    PATH.write_text(text(), encoding="utf-8")
