"""The paths of this machine in what bots and programs wrote, which their authors need not know."""

import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from ladder.home.home import Home
from ladder.machine.installation import ROOT
from ladder.machine.user_home import user_home

EVERYWHERE = ("/", "/usr", "/usr/local")
"""Folders that say nothing about a machine."""


def paths_of_machine(home: Home, own: Iterable[str | Path]) -> dict[str, str]:
    """Return paths of this machine, each with what is shown in its place; those of folders end in /.

    *own* are folders of the bot or its author: their files have their bare names.
    """
    shown = {
        f"{folder}/": ""
        for path in map(Path, own)
        for folder in (path.absolute(), path.resolve())
        if folder != folder.parent
    }
    shown |= {str(home.path.resolve()): "(home)", str(ROOT): "(ladder)", sys.prefix: "(python)"}
    shown |= {sys.base_prefix: "(python)", str(user_home() or "/"): "~"}
    return {path: text for path, text in shown.items() if path not in EVERYWHERE}


def hide_paths(paths: Mapping[str, str], text: str) -> str:
    """Return *text* with each of *paths* replaced, the longest first."""
    for path in sorted(paths, key=len, reverse=True):
        end = "" if path.endswith("/") else r"(?![\w-])"
        text = re.sub(re.escape(path) + end, lambda _: paths[path], text)  # noqa: B023 - called at once
    return text
