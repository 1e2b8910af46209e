"""The pages of `ladder site` as they are now: made when a browser asks, and kept until results change."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ladder.home.home import Home
from ladder.pages.frame import Frame, Link
from ladder.pages.viewer import VIEWER_ASSETS
from ladder.site.facts import gather
from ladder.site.match_pages import read_selection
from ladder.site.options import SiteOptions
from ladder.site.pages import pages
from ladder.site.tables import Shown

__all__ = ["PLAY", "Edition", "read_edition"]

PLAY = Link("Play", "play")
"""The tab that only a server has."""
LIVE = "live.js"


class _LiveShown(Shown):
    """What the pages of a server are made from: they renew themselves, and lead to a seat."""

    __slots__ = ()

    def frame(
        self, current: str, root: str = "", measured: Iterable[str] = (), more: tuple[str, ...] = ()
    ) -> Frame:
        """Return the frame of a page: see Shown."""
        frame = super().frame(current, root, measured, more)
        renews = () if VIEWER_ASSETS[-1] in more or current == PLAY.address else (LIVE,)
        return frame._replace(tabs=(*frame.tabs, PLAY), more=(*frame.more, *renews), live=True)


class Edition:
    """All pages of a home at one moment."""

    def __init__(self, shown: Shown) -> None:
        """Make pages of what is *shown*."""
        self._shown = shown
        self._make: dict[str, Callable[[], str]] = {
            page.path: page.text for page in pages(shown) if page.path.endswith(".html")
        }
        self._made: dict[str, str] = {}

    @property
    def paths(self) -> list[str]:
        """The paths of all pages."""
        return [*self._make]

    def page(self, path: str) -> str | None:
        """Return the page at *path*, or None where no page is."""
        if path not in self._made and (make := self._make.get(path)):
            self._made[path] = make()
        return self._made.get(path)

    def frame(self, current: str, more: tuple[str, ...]) -> Frame:
        """Return the frame of a page of ours, whose tab is *current*."""
        return self._shown.frame(current, "/", (), more)


def read_edition(home: Home) -> Edition:
    """Return the pages of *home* as it is now.  Raises LadderError or ResultsError."""
    facts = gather(home, private=False)
    options = SiteOptions(title=home.path.resolve().name)
    return Edition(_LiveShown(facts, options, read_selection(facts, options)))
