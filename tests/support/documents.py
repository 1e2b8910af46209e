"""The commands that the documents show."""

from __future__ import annotations

import re

from support.places import ROOT

README = (ROOT / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def commands() -> list[str]:
    """Return the README's commands, in its order, each once."""
    shown = [line for block in blocks("sh") for line in block.splitlines() if line.startswith("ladder ")]
    examples = re.findall(r"\| `(ladder [^`|]+)` \|$", README, re.MULTILINE)
    return list(dict.fromkeys([*shown, *examples]))
