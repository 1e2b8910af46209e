"""A small reference set: a few bots of R1 and a few blocks, so that a measurement takes a second."""

import json
import shutil
from pathlib import Path

from ladder.reference.reference_set import FOLDER, RELEASED, ReferenceSet, digest_of, load_set
from ladder.reference.set_match import decisions_of

BOTS = ("uniform", "half", "greedy", "careful")


def make_small_set(folder: Path, blocks: int = 8, program: str = "") -> ReferenceSet:
    """Write a set into *folder*, and return it; *program* plays in place of its bots."""
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("__pycache__"))
    if program:
        (folder / "bot.py").write_text(program)
    listed = json.loads((folder / "set.json").read_text())
    for game in listed["games"].values():
        game |= {"bots": BOTS, "more": ["bold"], "blocks": {size: [blocks, 2] for size in game["blocks"]}}
    (folder / "set.json").write_text(json.dumps(listed))
    decisions = json.loads((folder / "decisions.json").read_text())
    for name, game in listed["games"].items():
        for size in map(int, game["blocks"]):  # fewer than R1 has of one that does little work there
            decisions[f"{name}/{size} bold"] = decisions_of(FOLDER, name, size, "bold", little=False)
    (folder / "decisions.json").write_text(json.dumps(decisions))
    folder.with_name(RELEASED).write_text(digest_of(folder))
    return load_set(folder)
