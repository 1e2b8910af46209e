"""Describe the messages as a JSON Schema for other languages.

`python -m protocol.schema` writes it, and the tables of limits and faults in SPEC.md.
"""

import re
from pathlib import Path

import msgspec

from protocol import VERSION
from protocol.faults import spec_table
from protocol.messages import Absent, Act, Answer, Bye, End, Failure, Hello, Json, Ready, Start

PATH = Path(__file__).with_name("schema.json")
SPEC = PATH.with_name("SPEC.md")
_REFEREE = (Hello, Start, Act, End, Bye)
_BOT = (Ready, Absent, Answer, Failure)


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


def spec_text() -> str:
    """Return the text of SPEC.md with its tables of limits and of faults written again."""
    found = SPEC.read_text(encoding="utf-8")
    return _with_table(_with_table(found, _limits_table()), spec_table())


def _with_table(text: str, table: str) -> str:
    """Return the Markdown *text* with *table* in the place of the one that has the same header."""
    header = re.escape(table.partition("\n")[0])
    return re.sub(rf"(?m)^{header}\n(?:\|.*\n)*", lambda _: table, text, count=1)


def _limits_table() -> str:
    limits: dict[str, Json] = schema()["$defs"]["Limits"]["properties"]
    rows = [f"| `{name}` | {limit['description']} |" for name, limit in limits.items()]
    return "\n".join(["| limit | meaning |", "|---|---|", *rows, ""])


if __name__ == "__main__":
    PATH.write_text(text(), encoding="utf-8")
    SPEC.write_text(spec_text(), encoding="utf-8")
