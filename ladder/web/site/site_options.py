"""What a site shows."""

from typing import NamedTuple


class SiteOptions(NamedTuple):
    """What a site shows.  Neither kind shows a secret, a seed or a path."""

    title: str | None = None
    """The name of the ladder; None: as in its settings."""
    private: bool = False
    """Whether it is for those who run the ladder.

    It then shows also what bots wrote to stderr and answered where they failed, their authors, the
    machine and the versions of a run, and all notes.
    A public site is the default: what was published by mistake cannot be taken back.
    """
    notes: bool = False
    """Whether a public site shows notes: those of bots on their moves, and of submitters on versions."""
    matches: int = 100
    """The most matches that get a page."""
    season: str | None = None
    """The season that is shown; None: the current one."""
    all_versions: bool = False
    """Whether leaderboards also show versions that do not play.  The page of a bot shows all of its own."""

    @property
    def shows_notes(self) -> bool:
        """Whether notes are shown."""
        return self.notes or self.private
