"""Decide which of many submissions gets which name, before any is tried."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from msgspec import UnsetType

from ladder.admission.submission import Submission
from ladder.admission.submit import name_taken
from ladder.errors import RefusedBot, UsageProblem, of_the_bot
from ladder.home.home import Home
from ladder.home.house_bots import bundled_bots
from ladder.home.new_names import look_alike, spare_words
from ladder.registry.bot_archive import without_suffix
from ladder.registry.bot_names import is_reserved, look_of, spare_name
from ladder.registry.handles import LONGEST_HANDLE, NAME, derive_handle
from ladder.registry.place import has_right

MOST_ALIKE = 100
"""The most bots whose names become the same handle."""


def with_wanted_name(home: Home, submission: Submission) -> Submission:
    """Return *submission* with the name that its bot asks for, or that it is given.

    Its files are not kept: what submits it, in another process, opens it again.  Raises RefusedBot if they
    cannot be read, and for an entry that is a link.
    """
    path = submission.path
    with of_the_bot(path):
        if submission.place.entry and path.is_symlink():
            raise UsageProblem(f"{path} is a link", "replace it by a copy")
        with submission.open(home, refuses=False) as opened:
            manifest, file = opened.manifest, opened.unpacked.folder
            is_script = file.is_file() and file.suffix != ".toml"
    if submission.name:
        return replace(submission, bot=manifest.name)
    display = manifest.display
    is_handle = not isinstance(display, UnsetType) and manifest.name == derive_handle(display)
    return replace(
        submission,
        bot=manifest.name,
        has_name_of_file=is_script and file != path,
        is_derived=is_handle or (is_script and manifest.name != file.stem),
    )


def in_turn(
    home: Home, claims: Sequence[Submission], replace_bots: Collection[str]
) -> tuple[list[Submission], list[tuple[Submission, RefusedBot]]]:
    """Return *claims*, those with a right to their name first, and refusals of names that come again.

    A name comes again if another is too much like it as well.  Names that were not chosen give way: that of
    the file in an archive, and handles that were derived.  So do words that programs read as something else.
    This depends on the order of *claims* only.
    """
    places = home.roster.places()
    known = {version.bot for version in home.roster.versions()}
    looks = {*map(look_of, known | bundled_bots().keys())}
    # Resubmissions keep their names, whatever a newcomer in the same folder calls itself.
    owners = [claim for claim in claims if has_right(claim.place, places.get(claim.bot, ()))]
    strangers = sorted((claim for claim in claims if claim not in owners), key=lambda one: one.is_derived)
    wanted = Counter(claim.bot for claim in strangers)
    first: dict[str, Submission] = {}
    by_look: dict[str, Submission] = {}
    waiting: list[Submission] = []
    refused: list[tuple[Submission, RefusedBot]] = []

    def clashes(claim: Submission) -> bool:
        """Return whether *claim* cannot have its name: another bot has it, or one like it, or a command."""
        name, look = claim.bot, look_of(claim.bot)
        if claim.replace or name in replace_bots:
            return False
        today = home.roster.names.get(name)  # another name, if it was renamed
        is_old = today is not None and not has_right(claim.place, places.get(today, ()))
        return look in looks or look in by_look or is_old or is_reserved(name)

    def settle(claim: Submission) -> Submission:
        """Return *claim* with the name that it had before, or a free one, if its own may give way."""
        spare = list(_spares(claim))
        own = [other for other in spare if has_right(claim.place, places.get(other.bot, ()))]
        # an entry of a class is one bot, and goes on as that; a person's inbox may hold several
        goes_on = own and claim.is_derived and not claim.place.entry.endswith("/")
        if not (clashes(claim) or goes_on):
            return claim
        return next(iter([*own, *(other for other in spare if not clashes(other))]), claim)

    for claim in [*owners, *strangers]:
        if claim not in owners:
            claim = settle(claim)
        name, other = claim.bot, by_look.get(look_of(claim.bot))
        hint = "use another name in bot.toml"
        if name in first and not claim.replace:
            why = f"{name!r} is the name of another submission, {first[name].path.name}"
            refused.append((claim, name_taken(name, why, hint)))
        elif name in replace_bots and name in known and claim in strangers and wanted[name] > 1:
            why = f"{wanted[name]} submissions want to be the next version of {name!r}"
            refused.append((claim, name_taken(name, why, "leave one of them in the folder")))
        elif other and other.bot != name and name not in known:
            refused.append((claim, look_alike(name, other.bot, hint)))
        else:
            waiting.append(replace(claim, replace=claim.replace or name in replace_bots))
            first[name] = by_look[look_of(name)] = claim
    return waiting, refused


def _spares(claim: Submission) -> Iterator[Submission]:
    """Yield *claim* under other names, the best first; nothing if its author has chosen its name."""
    name = claim.bot
    if claim.has_name_of_file:
        # Everybody in a class may hand in a bot.py, so the name of the archive tells them apart.
        why = "named after its archive, because another bot already uses the file's name"
        entry = claim.place.entry.rstrip("/").rpartition("/")[2] or without_suffix(claim.path.name)
        other = entry if NAME.fullmatch(entry) else derive_handle(entry)
        yield replace(claim, bot=other, name=other, renamed=why)
    free = spare_name(name)
    ends = [f"-{number}" for number in range(2, MOST_ALIKE)] if claim.is_derived and claim.place.entry else []
    numbered = [free[: LONGEST_HANDLE - len(end)] + end for end in ends]
    for other in numbered if free == name else [free, *numbered]:
        why = f"commands call it {other}: {name} is another bot's name"
        if is_reserved(name):
            why = spare_words(name, other)
        yield replace(claim, bot=other, name=other, renamed=why)
