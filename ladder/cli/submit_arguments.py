"""What `ladder submit` takes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ladder.api.asked import SubmitRequest
from ladder.cli.options import FormatOption
from ladder.run.match_options import OWN_JOBS, QUIET
from ladder.run.option import Argument, Option, Section, WrongOption, whole

if TYPE_CHECKING:
    from ladder.admission.submission import Submission

AT_ONCE = replace(OWN_JOBS, help="Bots to check at once.", read=whole(1, 4096), section=Section.MANY)

ANY_NAME = "*"
"""Stands for every name, where --replace has none."""


def _is_names(word: str, words: Sequence[str]) -> bool:
    """Return whether *word* behind --replace has names; a file that is there is submitted."""
    if "--all" not in words and Path(word).exists():
        return False
    from ladder.registry.handles import NAME  # help of any command does without it

    return all(NAME.fullmatch(name.strip()) for name in word.split(","))


@dataclass(frozen=True, kw_only=True)
class SubmitArguments(SubmitRequest):
    """What `ladder submit` takes.  Raises WrongOption for options that do not go together."""

    paths: Annotated[
        Sequence[Path],
        Argument(
            "A script, a folder with bot.toml, a manifest, a .zip or .tar.gz; may be repeated.",
            metavar="PATH",
        ),
    ] = ()
    replace: Annotated[
        str | None,
        Option(
            "Take over the name of a bot that another user submitted. With --all: let submissions take over "
            "these names even if they come from another place.",
            metavar="[NAME,...]",
            bare=ANY_NAME,
            is_value=_is_names,
        ),
    ] = None
    all: Annotated[
        Path | None,
        Option(
            "Submit every folder, script and archive in FOLDER.",
            metavar="FOLDER",
            section=Section.MANY,
            short=True,
        ),
    ] = None
    place: Annotated[
        str | None,
        Option(
            "The name of this class. Each bot belongs to its entry in the --all folder of a class.",
            metavar="NAME",
            default="one class",
            section=Section.MANY,
        ),
    ] = None
    roster: Annotated[
        Path | None,
        Option(
            "A list of the class: gives each file the handle and author of its bot.",
            metavar="CSV",
            section=Section.MANY,
        ),
    ] = None
    pages: Annotated[
        Path | None,
        Option(
            "Write a page for the author of each submission into FOLDER.",
            metavar="FOLDER",
            section=Section.MANY,
            short=True,
        ),
    ] = None
    strict: Annotated[
        bool,
        Option(
            "With --all: exit with the code of the worst refusal, if a bot was refused.", section=Section.MANY
        ),
    ] = False
    quiet: Annotated[bool, QUIET] = False
    format: FormatOption = "table"
    jobs: Annotated[int | None, AT_ONCE] = None

    @property
    def replaced(self) -> list[str]:
        """The names that submissions may take over."""
        # bare, it is about whatever name the submission has, and names none
        names = "" if self.replace in (None, ANY_NAME) else self.replace or ""
        return [name.strip() for name in names.split(",") if name.strip()]

    def submission_of(self, path: Path, **more: Any) -> "Submission":
        """Return the submission of the bot at *path*."""
        from ladder.registry.place import place_of

        place = place_of(path, self.place, entry=self.all is not None)
        return super().submission_of(path, place=place, replace=self.replace == ANY_NAME, **more)

    def __post_init__(self) -> None:
        if self.place is not None and self.all is None:
            raise WrongOption("--place", "it names the folder of --all, which is missing")
        if self.roster is not None and self.all is None:
            raise WrongOption("--roster", "it names the entries of the --all folder, which is missing")
        if self.strict and self.all is None:
            raise WrongOption("--strict", "it goes with --all; else the exit code is that of the refusal")
        if self.replaced and self.all is None:
            raise WrongOption("--replace", "names go with --all; for one bot, type no name")
