"""`ladder check`: check a bot for its author."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ladder.api.asked import CheckRequest
from ladder.cli.options import FormatOption, existing_home, note, print_json, print_rows
from ladder.cli.progress import Watching
from ladder.cli.streams import paint
from ladder.errors import FIRST_RUN, UsageProblem
from ladder.run.match_options import games_named
from ladder.run.option import Option
from results.reports.values_as_text import escape

if TYPE_CHECKING:
    from ladder.admission.finding import Finding
    from ladder.admission.submission import Submission
    from ladder.home.home import Home
    from ladder.worker.worker_messages import TranscriptPlace

COLOURS = {"ok": "32", "warning": "33", "failure": "31"}
"""The colours of the verdicts, as SGR codes (ECMA-48, 8.3.117)."""


def check(
    asked: CheckRequest,
    transcript: Annotated[
        bool, Option("Write every line to and from the bots to the file NAME-transcript.txt.")
    ] = False,
    format: FormatOption = "table",  # noqa: A002 - the option's name
) -> None:
    """Test a bot before it counts.

    The bot is built and plays its games at every table size from every seat, under the limits of this
    ladder. Each problem is shown with what to do about it. Nothing is stored.

    Example: ladder check my_bot.py
    """
    from ladder.admission.check import FailedChecks
    from ladder.home.home import home_to_check_in

    bot, games = asked.bot, games_named(asked.game)
    place = _transcript_of(bot) if transcript else None
    with home_to_check_in(asked.home, existing_home) as where:
        findings = find_and_print(where, bot, place, games, prints=format == "table")
    failed = FailedChecks(bot, findings)
    if format != "table":
        _print_all(bot, findings, format, passed=not failed.failures)
    if place and (file := Path(Path(place.path).name)).exists():
        note(f"every line to and from the bots is in {file}: {file.stat().st_size / 1000:,.0f} kB")
    if failed.failures:
        raise failed
    note(f"{bot} is ready to play", f"ladder submit {shlex.quote(bot)}" if Path(bot).exists() else FIRST_RUN)


def _print_all(bot: str, findings: Sequence[Finding], form: str, *, passed: bool) -> None:
    """Print all *findings* for programs; as rows, without the lines exchanged."""
    import msgspec

    from ladder.admission.finding import FINDINGS

    if form == "json":
        print_json(msgspec.to_builtins({"bot": bot, "passed": passed, "findings": findings}))
    else:
        print_rows(msgspec.to_builtins(findings), FINDINGS, form)


def find_and_print(
    home: Home,
    bot: str | Submission,
    transcript: TranscriptPlace | None = None,
    games: Sequence[str] = (),
    *,
    prints: bool = True,
    ends_at_failure: bool = False,
) -> list[Finding]:
    """Check *bot* in *home* and show how far that is; return the findings.

    If so wanted, each is printed as it comes, and then what to do.  With *ends_at_failure* the first failure
    is the last finding.
    """
    from ladder.admission.check import check as findings_of
    from ladder.worker.check_progress import CheckProgress

    progress = CheckProgress()
    findings = []
    with (
        closing(findings_of(home, bot, progress, transcript, games)) as coming,
        Watching(progress) as watching,
    ):
        for finding in _print_each(coming, watching) if prints else coming:
            findings.append(finding)
            if ends_at_failure and finding.verdict == "failure":
                break
    if prints:
        _explain(findings)
    return findings


def _transcript_of(bot: str) -> TranscriptPlace:
    """Return the file for the transcript of *bot*, in this folder; an older one is removed.

    Raises UsageProblem for a file that is no transcript, or that cannot be written.
    """
    from ladder.worker.transcript import TITLE
    from ladder.worker.worker_messages import TranscriptPlace

    path = Path(bot).resolve() if Path(bot).exists() else Path(bot.partition("@")[0])
    file = Path(f"{path.name.partition('.')[0] or 'bot'}-transcript.txt")
    try:
        # a transcript is replaced without a question; whatever else has its name is somebody's work
        if file.exists():
            with file.open(encoding="utf-8", errors="replace") as text:
                if not text.readline().startswith(TITLE):
                    raise UsageProblem(
                        f"{file} exists and is not a transcript", f"move it: mv {file} {file}.old"
                    )
        file.unlink(missing_ok=True)
        file.touch()
    except OSError as error:
        raise UsageProblem(f"{file} cannot be written: {error}", "check from another folder") from None
    return TranscriptPlace(str(file.resolve()), one_file=True)


def _print_each(findings: Iterator[Finding], watching: Watching) -> Iterator[Finding]:
    """Print each finding on its own line as it comes, and yield it."""
    for finding in findings:
        with watching.aside():
            verdict = paint(f"{finding.verdict:<7}", COLOURS[finding.verdict])
            print(f"{verdict}  {finding.check:<14}  {escape(finding.what)}", flush=True)
        yield finding


def _explain(findings: list[Finding]) -> None:
    """Print the exchange and the advice of each finding that is not ok."""
    for finding in findings:
        if finding.verdict != "ok":
            print(f"\n{finding.check}: {escape(finding.what)}")
            for block in finding.exchange:
                for line in block.split("\n"):
                    print(f"  {escape(line)}")
            if finding.advice:
                print(f"  to do: {finding.advice}")
