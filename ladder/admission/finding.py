"""The result of one check of a bot, and its constants."""

from typing import Literal, TypeAlias

import msgspec

from results.reports.document import Column

Grade: TypeAlias = Literal["ok", "warning", "failure"]

MARK = "LADDER_CHECK"
"""The environment variable that marks the processes of a bot, so that they can be found again."""
LATER_SECONDS = 1.0
"""How long to wait beyond the limit: a bot that is still silent then is not just slow."""
ENDING_SECONDS = 0.5
"""How long to wait for buffered output after stdin is closed."""
NEAR = 0.75
"""A bot that uses more than this share of a limit gets a warning."""
SHOWN = 600
"""The most characters of a process's output that are shown."""


class Finding(msgspec.Struct, frozen=True):
    """The result of one check."""

    check: str
    verdict: Grade
    what: str
    advice: str = ""
    """What to do about it; empty if all is well."""
    exchange: tuple[str, ...] = ()
    """The lines exchanged that show it."""
    not_the_bot: bool = False
    """Whether the ladder or this machine is to blame: the check could not be made."""


FINDINGS = [Column(key, key) for key in ("check", "verdict", "what", "advice")]
"""The columns for programs."""
