"""What `ladder play` takes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from ladder.cli.options import HomeOption
from ladder.live.play_request import PlayRequest
from ladder.run.option import Option, WrongOption


@dataclass(frozen=True, kw_only=True)
class PlayArguments(PlayRequest):
    """What `ladder play` takes.  Raises WrongOption for a seed beside a deal."""

    deal: Annotated[
        Path | None,
        Option(
            "Play this deal: JSON in the game's format, or what `ladder replay MATCH --json` printed.",
            metavar="FILE",
        ),
    ] = None
    home: HomeOption = None

    def __post_init__(self) -> None:
        if self.deal and self.seed is not None:
            raise WrongOption("--deal", "give either --seed or --deal")
