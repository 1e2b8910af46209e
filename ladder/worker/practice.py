"""Practice matches, which are not stored: a bot may play against itself under several ids."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from msgspec.structs import replace

from ladder.registry.seat_caps import SeatCap
from ladder.registry.version import Version
from ladder.sandbox.confinement import Confinement
from ladder.worker.worker_messages import Setup, TranscriptPlace
from results.record import Contest, RunSettings


def practice_setup(
    contests: tuple[Contest, ...],
    bots: tuple[Version, ...],
    settings: RunSettings,
    confinement: Confinement,
    *,
    secret: bytes,
    passed: Mapping[str, dict[str, str]] = MappingProxyType({}),
    in_progress: int = 1,
    cores: int = 0,
    transcript: TranscriptPlace | None = None,
    caps: tuple[SeatCap, ...] = (),
) -> Setup:
    """Return the setup of a worker for matches that are not stored; all its processes stay warm."""
    return Setup(
        run=0,
        secret=secret,
        contests=contests,
        bots=bots,
        passed=dict(passed),
        settings=settings,
        confinement=confinement,
        processes=max(128, len(bots) ** 2),
        in_progress=in_progress,
        cores=cores,
        transcript=transcript,
        caps=caps,
    )


def twin(version: Version, index: int) -> Version:
    """Return *version* under another id, so that it can sit at a table more than once."""
    return replace(version, version=f"{version.version}-{index}", folder=str(Path(version.folder).resolve()))
