"""The operator's settings for the confinement of bots."""

from __future__ import annotations

import msgspec


class Confinement(msgspec.Struct, frozen=True):
    """The tier that confines bots, and the exceptions for them.  By default there are none."""

    tier: str
    network: tuple[str, ...] = ()
    """The bots that may use the network if their manifests ask for it."""
    readable: tuple[str, ...] = ()
    """Paths that bots may read besides the system and the interpreters."""
    scratch_mb: int = 0
    build_network: bool = False
    """Whether builds may use the network."""
