"""The policies of this game, each with its version.

A policy never changes: bots name it, and so do frozen sets of bots.  One that plays otherwise gets another
number, and stands beside the old one.
"""

from collections.abc import Mapping
from typing import Final

from engines.position import Policy
from engines.stella.greedy import STYLES, greedy

POLICIES: Final[Mapping[str, Policy]] = {f"{name}-1": greedy(style) for name, style in STYLES.items()}
