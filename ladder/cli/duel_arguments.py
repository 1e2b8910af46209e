"""What `ladder duel` takes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from ladder.run.duel_options import DuelRequest
from ladder.run.match_options import HOME, WAIT
from ladder.run.option import Option

__all__ = ["DuelArguments"]


@dataclass(frozen=True, kw_only=True)
class DuelArguments(DuelRequest):
    """What `ladder duel` takes.  Raises WrongOption for a seed beside a file with a secret."""

    json: Annotated[bool, Option("Print JSON.")] = False
    wait: Annotated[bool, WAIT] = False
    home: Annotated[Path | None, HOME] = None
