"""What authors tried with `ladder try`, with notes and outcomes: a file of the home that only grows."""

import msgspec

from ladder.home.home import Home
from ladder.home.json_lines import append_line, read_lines
from results.reports.document import Row

TRIES = "tries.jsonl"
"""The file in the home."""


class Experiment(msgspec.Struct, frozen=True):
    """A version that was tried against another one."""

    when: str
    """In UTC (ISO 8601)."""
    bot: str
    version: str | None
    """NAME@HASH of what was tried; None if a check failed before it was kept."""
    against: str | None
    """NAME@HASH of the other; None if there was no duel."""
    verdict: str
    """That of the duel, or the check that failed."""
    note: str = ""
    duel: str | None = None
    """What commands call the duel."""


def keep_experiment(home: Home, experiment: Experiment) -> None:
    """Add *experiment* to the list of *home*.  Raises OSError."""
    append_line(home.path / TRIES, experiment)


def read_experiments(home: Home) -> list[Experiment]:
    """Return what was tried in *home*, newest first."""
    return [*read_lines(home.path / TRIES, Experiment)][::-1]


def experiment_rows(experiments: list[Experiment], home: Home) -> list[Row]:
    """Return a row for each of *experiments*; versions are named by their numbers in *home*."""
    numbers = {version.id: f"{version.bot}@{version.number}" for version in home.roster.versions()}
    return [
        {
            **msgspec.structs.asdict(each),
            "when": each.when[:16].replace("T", " "),
            "version": numbers.get(each.version or "", each.version) or each.bot,
            "against": numbers.get(each.against or "", each.against),
        }
        for each in experiments
    ]
