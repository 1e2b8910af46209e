"""What `ladder run` takes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from ladder.cli.worker import ON, TLS, check_cluster
from ladder.run.match_options import HOME, QUIET, WAIT
from ladder.run.option import Option, Section, WrongOption
from ladder.run.run_options import RunRequest


@dataclass(frozen=True, kw_only=True)
class RunArguments(RunRequest):
    """What `ladder run` takes.  Raises WrongOption for options that do not go together."""

    on: Annotated[str | None, ON] = None
    tls: Annotated[Path | None, TLS] = None
    transcript: Annotated[
        bool,
        Option(
            "Keep every line to and from the bots; `ladder replay MATCH --transcript` shows them.",
            section=Section.WORKERS,
        ),
    ] = False
    home: Annotated[Path | None, HOME] = None
    wait: Annotated[bool, WAIT] = False
    quiet: Annotated[bool, QUIET] = False
    report: Annotated[
        Path | None,
        Option("Write what is new since the last report to FILE: Markdown, or .json.", metavar="FILE"),
    ] = None
    site: Annotated[
        Path | None,
        Option("With --forever: write the site to FOLDER after each run.", metavar="FOLDER"),
    ] = None
    json: Annotated[bool, Option("Print the run and its leaderboards as JSON.")] = False
    verbose: Annotated[bool, Option("Log what workers do.", ("--verbose", "-v"))] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_cluster(self.on, self.tls, has_jobs=bool(self.jobs) or self.pin != "auto")
        if self.report and self.unrated:
            raise WrongOption("--report", "it tells of ratings, which --unrated leaves as they are")
        if self.report and (self.report.is_dir() or not self.report.parent.is_dir()):
            raise WrongOption("--report", f"expected a file in a folder that is there, got: {self.report}")
        if self.quiet and (self.json or self.verbose):
            raise WrongOption("--quiet", "--json and --verbose print what it leaves out")
        if self.site and not self.forever:
            raise WrongOption("--site", "it goes with --forever; after one run, type: ladder site FOLDER")
        if self.forever and (self.json or self.transcript):
            raise WrongOption("--json" if self.json else "--transcript", "it is for one run, not --forever")
        if self.on and self.transcript:
            raise WrongOption("--transcript", "lines are kept by workers of this machine only")
