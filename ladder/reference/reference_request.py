"""What `ladder reference` is asked for, and the file of secret deals.  It loads neither games nor a home."""

import os
import secrets
import shlex
import stat
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Annotated

from ladder.errors import UsageProblem
from ladder.run.match_options import GAME, JOBS, SEATS
from ladder.run.option import Argument, Option
from ladder.run.shard import read_secret

BOT = Argument("NAME, NAME@NUMBER, NAME@HASH or a path.", metavar="BOT", completes="bots")


@dataclass(frozen=True)
class ReferenceRequest:
    """A measurement that is asked for."""

    bot: Annotated[str, BOT]
    _: KW_ONLY
    game: Annotated[Sequence[str], replace(GAME, default="all that the bot plays")] = ()
    seats: Annotated[Sequence[int], replace(SEATS, default="the smallest that it plays")] = ()
    full: Annotated[
        bool,
        Option("Also play against the slow bots of the set. It first says how long that takes.", short=True),
    ] = False
    deals: Annotated[
        Path | None,
        Option(
            "Play the secret deals of this file, in place of the public ones. Results compare only with "
            "others of the same file.",
            metavar="FILE",
            short=True,
        ),
    ] = None
    jobs: Annotated[int | None, JOBS] = None

    @cached_property
    def drawn(self) -> bytes | None:
        """What the secret deals follow from; None for the public ones.

        Raises UsageProblem for a file that holds none, or that others may read.
        """
        if self.deals is None:
            return None
        found = read_secret(self.deals)
        mode = self.deals.stat().st_mode
        if stat.S_ISREG(mode) and mode & 0o077:
            raise UsageProblem(
                f"the deals in {self.deals} are not secret: other users may read the file",
                f"chmod 600 {shlex.quote(str(self.deals))}; and if one may have: draw others",
            )
        return found

    @property
    def deals_mark(self) -> str | None:
        """What names the secret deals: the first digits of their hash."""
        return None if self.drawn is None else sha256(self.drawn).hexdigest()[:8]


def draw_deals(file: Path) -> str:
    """Draw secret deals into *file*, which only its owner may read; return their mark.

    Raises UsageProblem if there is such a file, or if it cannot be written.
    """
    try:
        opened = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise UsageProblem(f"{file} is there already, and stays as it is", "name a new file") from None
    except OSError as error:
        raise UsageProblem(f"the deals cannot be written: {error}", "name another file") from None
    drawn = secrets.token_bytes(16)
    with os.fdopen(opened, "w") as writing:
        writing.write(drawn.hex() + "\n")
    return sha256(drawn).hexdigest()[:8]
