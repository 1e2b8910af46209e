"""`ladder submit`: submit bots."""

from __future__ import annotations

import sys
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ladder.cli.options import agrees, be_quiet, home_for_writing, note, print_rows
from ladder.cli.progress import Watching
from ladder.cli.submit_arguments import SubmitArguments
from ladder.errors import FIRST_RUN, LESS_LOAD, RunStopped, TooBusy, UsageProblem, first_of, short
from ladder.run.option import WrongOption
from results.reports.document import Column

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ladder.admission.batch import SubmissionAnswer
    from ladder.home.class_list import ClassList
    from ladder.home.home import Home
    from ladder.registry.version import Version

LONGEST_NAME = 24
"""The most characters of a submission's name in a table."""
NAMED = 5
"""The most submissions that a line names."""


def submit(asked: SubmitArguments) -> None:
    """Submit bots, or new versions of them.

    The ladder copies the files, builds them and lets the bot play a match against itself. From then on this
    copy plays, as a version of its own. Submit the bot again to add its next version.

    Several bots, or all bots in a folder, are checked in parallel. A table says which were accepted, and why
    others were refused, or could not be judged because the machine was too busy. With --all the exit code is
    0 if every entry was judged, and 8 if not; with --strict it is that of the worst refusal.

    Example: ladder submit my_bot.py
    """
    from ladder.registry.handles import NAME

    be_quiet(asked.quiet)
    if asked.place is not None and not NAME.fullmatch(asked.place):
        raise WrongOption("--place", f"expected letters, digits, dots or dashes, got: {asked.place!r}")
    # one bot is told in words
    if asked.all is None and len(asked.paths) == 1 and asked.pages is None and asked.format == "table":
        _submit_one(asked)
        return
    if asked.name:
        raise WrongOption("--name", "it names one bot, and several are submitted")
    listed = list(asked.paths)
    if asked.all is not None:
        from ladder.admission.batch import submissions_in

        listed += [path for path in submissions_in(asked.all) if path not in listed]
    if not listed:
        raise UsageProblem("there is nothing to submit", "ladder submit PATH, or ladder submit --all FOLDER")
    _submit_many(asked, listed)


@contextmanager
def _home(asked: SubmitArguments) -> Iterator[Home]:
    """Yield the home to submit to, with the limits that were *asked* for."""
    from ladder.home.settings import read_limits

    changes = read_limits(asked.limits)
    with home_for_writing(asked.home) as where:
        yield where.with_limits(changes)


def _submit_one(asked: SubmitArguments) -> None:
    """Submit one bot, and show the progress if it is slow; raise the error if it is refused."""
    from ladder.admission.submit import submit
    from ladder.worker.check_progress import CheckProgress

    with _home(asked) as where:
        older = [version for version in where.roster.versions() if not version.aside]
        with Watching(progress := CheckProgress()) as watching:

            def confirm(question: str) -> bool:
                with watching.aside():
                    return agrees(question)

            def warn(text: str) -> None:
                watching.note(f"warning: {text.removeprefix('warning: ')}")

            say = warn if asked.quiet else watching.note
            version = submit(where, asked.submission_of(asked.paths[0]), confirm, say, progress)
        if not asked.quiet:
            _print_version(version, [old for old in older if old.bot == version.bot])
    note(f"  next: {FIRST_RUN}")


def _print_version(version: Version, older: list[Version]) -> None:
    """Print the submitted version: in words on a terminal, else its id, for programs."""
    called = f"{version.bot}@{version.number} ({version.version})"
    if not older:
        said = f"new bot {called}"
    elif version.id == older[-1].id:
        said = f"{called} is already the newest version; nothing has changed"
        if older[-1].retired:
            said = f"{called} plays again"
    else:
        again = "an older version again" if version.id in [old.id for old in older] else "new version"
        said = f"{again} of {version.bot}: {called}, after {version.bot}@{older[-1].number}"
    if sys.stdout.isatty():
        print(said)
    else:
        print(version.id)
        note(said)


def _submit_many(asked: SubmitArguments, paths: Sequence[Path]) -> None:
    """Submit the bots at *paths*, print what became of them, and write their authors' pages."""
    from ladder.home.class_list import ClassList, keep_entrants, read_class_list, stored_class_list

    files = {} if asked.pages is None else _page_files(asked.pages, paths)
    listed = read_class_list(asked.roster) if asked.roster else None
    with _home(asked) as where:
        for name in (taking := asked.replaced):
            where.roster.find(name)  # raises NotFound
        people = ClassList()
        if asked.all is not None:
            people = stored_class_list(where, asked.place or "") if listed is None else listed
        answers = _submit_all(where, asked, paths, taking, people, partial(_write_page, where, files))
        if listed and any(answer.version for answer in answers):
            keep_entrants(where, listed.entrants, asked.place or "")
        stopped = len(answers) < len(set(paths))
        told = [answer for answer in answers if not (asked.quiet and answer.version)]
        if told or not (stopped or asked.quiet):
            _print_answers(told, asked.format, where)
        _compare(people, paths)
        if not any(answer.version for answer in answers):  # a home that was made for them is removed
            _sum_up(answers, len(set(paths)), asked)
    _sum_up(answers, len(set(paths)), asked)


def _compare(people: ClassList, paths: Sequence[Path]) -> None:
    """Say which of *paths* the roster does not name, and which handles have handed in nothing."""
    if not people:
        return
    strangers = [path.name for path in paths if people.of(path) is None]
    if strangers:
        hint = "they keep their own names; or add a line for each"
        note(f"not in the roster: {first_of(strangers, NAMED)}", hint)
    if missing := [entrant.handle or entrant.file for entrant in people.missing(paths)]:
        note(f"nothing was handed in by {first_of(missing, NAMED)}")


def _submit_all(
    home: Home,
    asked: SubmitArguments,
    paths: Sequence[Path],
    taking: Sequence[str],
    people: ClassList,
    tell: Callable[[SubmissionAnswer], object],
) -> list[SubmissionAnswer]:
    """Submit the bots at *paths* in parallel, also under the names *taking*; show the progress in one line.

    *people* says what bots are called; *tell* hears each answer as it comes.  Return the answers that came,
    in the order of *paths*: Ctrl-C ends it before all have come.
    """
    from ladder.admission.batch import BatchProgress, remove_left, submit_all, trial_pool

    progress = BatchProgress(len(set(paths)), tell)
    try:
        with (
            suppress(KeyboardInterrupt),
            Watching(progress) as shown,
            trial_pool(home, asked.jobs, exact=bool(asked.jobs)) as pool,
        ):
            submissions = (
                asked.submission_of(path).listed_as(people.of(path)) for path in dict.fromkeys(paths)
            )
            submit_all(home, submissions, pool.as_done, progress, taking, shown.note)
    finally:
        remove_left(home)
    return sorted(progress.answers, key=lambda answer: paths.index(answer.path))


def _print_answers(answers: Sequence[SubmissionAnswer], form: str, home: Home) -> None:
    """Print a line for each submission; a program gets the whole reason and the advice as well."""
    same = _same_programs(home) if any(answer.version for answer in answers) else {}
    if form in ("table", "md"):
        rows = [
            {
                "submission": short(answer.path.name or str(answer.path), LONGEST_NAME),
                "answer": brief_answer(answer),
                "same": ", ".join(same.get(answer.bot, ())) or None if answer.version else None,
            }
            for answer in answers
        ]
        columns = [Column("submission", "submission"), Column("answer", "result")]
        print_rows(rows, [*columns, Column("same", "same program as", always=False)], form)
        return
    whole = [
        {
            "submission": str(answer.path),
            "bot": answer.bot or None,
            "number": answer.version.number if answer.version else None,
            "result": answer.result,
            "why": answer.why or "; ".join(text.split("\n")[0] for text in answer.said) or None,
            "version": answer.version.version if answer.version else None,
            "details": answer.details or "\n".join(answer.said) or None,
            "hint": answer.hint or None,
            "seconds": round(answer.seconds, 1),
            "same_program": list(same.get(answer.bot, ())) if answer.version else [],
        }
        for answer in answers
    ]
    keys = ("submission", "bot", "number", "result", "why", "version", "details", "hint", "seconds")
    print_rows(whole, [Column(key, key) for key in (*keys, "same_program")], form)


def _same_programs(home: Home) -> dict[str, list[str]]:
    """Return by bot the other bots of *home* that have had the same program."""
    from ladder.registry.same_programs import find_same_programs

    found: dict[str, set[str]] = {}
    for group in find_same_programs(home.roster.versions()):
        names = {version.bot for version in group}
        for name in names:
            found.setdefault(name, set()).update(names - {name})
    return {name: sorted(others) for name, others in found.items()}


def brief_answer(answer: SubmissionAnswer) -> str:
    """Return in one line which version a submission became, or why it became none."""
    if answer.version is None:
        return f"{answer.result}: {answer.why}"
    named = f"{answer.version.bot}@{answer.version.number}"
    became = {
        "new bot": f"new bot {named}",
        "unchanged": f"{named}, unchanged",
        "older version": f"{named}, an older version again",
        "proving": f"{named} proves itself in a duel",
        "kept back": f"{named} is kept back: {answer.why}",
    }.get(answer.result, named)
    return "; ".join([became, *(text.split("\n")[0] for text in answer.said)])


def _page_files(folder: Path, paths: Sequence[Path]) -> dict[Path, Path]:
    """Return the file for the page of each of *paths*.  Raises UsageProblem if one must not be written."""
    from ladder.admission.author_page import PAGE, page_names
    from ladder.web.pages.file import make_folder

    names = page_names([*dict.fromkeys(paths)])
    return dict(zip(names, make_folder(folder, names.values(), PAGE), strict=True))


def _write_page(home: Home, files: Mapping[Path, Path], answer: SubmissionAnswer) -> None:
    """Write a page for the author of *answer* if it has one of *files*."""
    from ladder.admission.author_page import PAGE, author_page
    from ladder.web.pages.file import write_page

    if file := files.get(answer.path):
        write_page(author_page(answer, home), file, PAGE)


def _sum_up(answers: Sequence[SubmissionAnswer], total: int, asked: SubmitArguments) -> None:
    """Say how many of *total* submissions were accepted and not judged, and what to type next.

    Exits if one was refused or not judged; raises RunStopped if Ctrl-C came before all had their answers.
    """
    pages = asked.pages
    refused = [answer for answer in answers if answer.refused]
    not_judged = sum(answer.not_judged for answer in answers)
    good = len(answers) - len(refused) - not_judged
    written = "" if pages is None or not answers else f"; a page for each author is in {pages}"
    if len(answers) < total:
        what = f"stopped: {len(answers)} of {total} checked, {good} accepted{written}"
        raise RunStopped(what, "run the same command again: it skips what has not changed", 130)
    counts = f"{good} of {total} accepted"
    if not_judged:
        busy = all("too busy" in answer.why for answer in answers if answer.not_judged)
        why = "because this machine is too busy" if busy else "through no fault of theirs"
        counts += f", {not_judged} not judged, {why}"
    if not (refused or not_judged):
        note(f"{counts}{written}", FIRST_RUN)
        return
    if not refused:
        note(f"{counts}{written}", f"{LESS_LOAD}: it skips what has not changed")
        raise typer.Exit(TooBusy.exit_code)
    again = "correct the others, then run the same command again: it skips what has not changed"
    if taken := sorted({answer.bot for answer in refused if answer.taken}):
        again = f"for bots that have moved: --replace {','.join(taken)}; {again}"
    shown = again if pages else f"--pages FOLDER, which writes the whole reason for each author; {again}"
    note(f"{counts}{written}", shown)
    # For an entry of a folder a refusal is an answer, and a night has many; a path was typed for this one.
    counted = [answer for answer in refused if asked.strict or answer.path.parent != asked.all]
    worst = max((answer.exit_code for answer in counted), default=0)
    raise typer.Exit(worst or (TooBusy.exit_code if not_judged else 0))
