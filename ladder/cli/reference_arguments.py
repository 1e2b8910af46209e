"""What `ladder reference` takes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from ladder.reference.reference_request import ReferenceRequest
from ladder.run.match_options import HOME, WAIT
from ladder.run.option import Option

__all__ = ["ReferenceArguments"]


@dataclass(frozen=True, kw_only=True)
class ReferenceArguments(ReferenceRequest):
    """What `ladder reference` takes.  Raises WrongOption for what does not go together."""

    json: Annotated[bool, Option("Print JSON.")] = False
    wait: Annotated[bool, WAIT] = False
    home: Annotated[Path | None, HOME] = None
