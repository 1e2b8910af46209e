"""What an operator allows bots."""

from __future__ import annotations

import msgspec

__all__ = ["Confinement"]


class Confinement(msgspec.Struct, frozen=True):
    """How bots are confined, and what they may use nevertheless.  The defaults allow nothing."""

    tier: str
    network: tuple[str, ...] = ()
    """The bots that may use the network if their manifests ask for it."""
    readable: tuple[str, ...] = ()
    """What bots may read besides the system and the interpreters."""
    scratch_mb: int = 0
    build_network: bool = False
    """Whether builds may use the network, on machines that have to build."""
