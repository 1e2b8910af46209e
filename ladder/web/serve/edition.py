"""The pages of `ladder site` as they are now: made when a browser asks, and kept until results change."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Iterable
from pathlib import Path
from typing import ClassVar, Final

from ladder.home.home import Home
from ladder.machine.resting import Resting
from ladder.web.pages.frame import Frame, Link
from ladder.web.pages.viewer import VIEWER_ASSETS
from ladder.web.site.facts import gather, page_of_match
from ladder.web.site.format import SUBMIT, Shown
from ladder.web.site.match_pages import read_selection
from ladder.web.site.pages import pages
from ladder.web.site.site_options import SiteOptions
from results.reports.survey import MatchId
from results.storage.layout import UNRATED, Folder

BEAT: Final = 15.0
"""How often a stream of events says that it lives, in seconds."""
LOOK_SECONDS: Final = 1.0
"""How often files are looked at while a page is open that shows them."""

PLAY = Link("Play", "play")
"""The tab that only a server has."""
UPLOAD = Link("Upload", "upload")
"""The last tab of a server that takes uploads."""
LIVE = "live.js"


class _LiveShown(Shown):
    """What the pages of a server are made from: they renew themselves, and lead to a seat."""

    __slots__ = ()
    last_tab: ClassVar[Link] = SUBMIT

    def frame(
        self, current: str, root: str = "", measured: Iterable[str] = (), more: tuple[str, ...] = ()
    ) -> Frame:
        """Return the frame of a page: see Shown."""
        frame = super().frame(current, root, measured, more)
        renews = () if VIEWER_ASSETS[-1] in more or current in (PLAY.address, UPLOAD.address) else (LIVE,)
        return frame._replace(
            tabs=(PLAY, *frame.tabs[:-1], self.last_tab),
            current=self.last_tab.address if current == SUBMIT.address else current,
            play=PLAY.address,
            more=(*frame.more, *renews),
            live=True,
        )

    def page_of(self, which: MatchId) -> str:
        """Return the path of the page of a match: here, every match has one."""
        return page_of_match(which)

    def page_of_event_match(self, store: str, number: int) -> str:
        """Return the path of the page of a match of a tournament: here, every match has one."""
        return page_of_match((store, number))


class _DoorShown(_LiveShown):
    """The same of a server that takes uploads."""

    __slots__ = ()
    last_tab: ClassVar[Link] = UPLOAD


class Edition:
    """All pages of a home at one moment."""

    def __init__(self, shown: Shown) -> None:
        """Make pages of what is *shown*."""
        self._shown = shown
        self.facts = shown.facts
        self._make: dict[str, Callable[[], str]] = {
            page.path: page.text for page in pages(shown) if page.path.endswith(".html")
        }
        self._made: dict[str, str] = {}

    @property
    def going_on(self) -> tuple[str, ...]:
        """The names of the unrated stores in which tournaments go on that are not secret."""
        events = self.facts.tournaments.values()
        return tuple(
            event.store
            for event in events
            if event.run.finished is None and not event.state.is_hidden and not event.is_rated
        )

    @property
    def paths(self) -> list[str]:
        """The paths of all pages."""
        return [*self._make]

    def page(self, path: str) -> str | None:
        """Return the page at *path*, or None where no page is."""
        if path not in self._made and (make := self._make.get(path)):
            self._made[path] = make()
        return self._made.get(path)

    def frame(self, current: str, root: str, more: tuple[str, ...]) -> Frame:
        """Return the frame of a page of ours: its tab is *current*, and *root* leads to the first page."""
        return self._shown.frame(current, root, (), more)


def read_edition(home: Home, name: str = "", has_door: bool = False) -> Edition:
    """Return the pages of *home* as it is now, called *name*.  Raises LadderError or ResultsError."""
    options = SiteOptions()
    facts = gather(home, options)
    kind = _DoorShown if has_door else _LiveShown
    return Edition(kind(facts, options, read_selection(facts, options), name))


def signature(results: Path, events: Iterable[str] = ()) -> tuple[tuple[str, int, int], ...]:
    """Return what changes with the results in the folder: journal, runs, seasons, reviews, unrated stores.

    *events* are the names of unrated stores whose matches count as well.
    """
    folder = Folder(results)
    found = []
    files_of_all = (folder.runs, folder.seasons, folder.ratings)
    of_events = [Folder(results / UNRATED / name) for name in events]
    folders = [folder.journals, folder.manifests, folder.reviews, results / UNRATED]
    folders += [path for each in of_events for path in (each.journals, each.manifests)]
    for path in (*files_of_all, *folders):
        files = sorted(path.iterdir()) if path.is_dir() else [path]
        for file in files:
            try:
                state = file.stat()
            except OSError:  # not there, or not any more
                continue
            found.append((str(file.relative_to(results)), state.st_size, state.st_mtime_ns))
    return tuple(found)


class Follower:
    """Tells when results have changed; it looks only when it is asked.

    It looks at names, sizes and times of files, which disturbs no run.
    """

    def __init__(self, results: Path) -> None:
        """Follow the folder *results*."""
        self._results = results
        self._signature = signature(results)
        self.events: tuple[str, ...] = ()
        """The names of the unrated stores in which tournaments go on."""
        self.version = 0
        """How often they have changed."""

    async def next_change(self, version: int, seconds: float) -> None:
        """Return when the results are no longer those of *version*, or after that many seconds."""
        for _ in range(max(1, round(seconds / LOOK_SECONDS))):
            self.look()
            if self.version != version:
                return
            await asyncio.sleep(LOOK_SECONDS)

    def look(self) -> None:
        """Look at the files."""
        now = signature(self._results, self.events)
        if now != self._signature:
            self._signature = now
            self.version += 1


class Editions:
    """The newest edition of a home's pages, and the stream that tells browsers of newer ones."""

    def __init__(self, home: Home, *, has_door: bool = False) -> None:
        """Make pages of *home* when they are asked for; with *has_door*, they lead to that of uploads."""
        self.newest: Edition | None = None
        """None until pages were asked for."""
        self._home = home
        self._has_door = has_door
        self._follower = Follower(home.results)
        self._server = secrets.token_hex(4)
        """Tells the editions of this server from those of one that was here before."""
        self._reading = asyncio.Lock()
        self._version = -1
        self._rest = Resting()

    async def read(self) -> Edition:
        """Return the pages as they are now, or as they were a moment ago if making them takes long.

        Raises LadderError or ResultsError.
        """
        async with self._reading:
            self._follower.look()
            version = self._follower.version
            if self.newest is None or (version != self._version and not self._rest.is_on):
                with self._rest:
                    self.newest = await asyncio.to_thread(
                        read_edition, self._home, self._name_of(version), self._has_door
                    )
                self._follower.events = self.newest.going_on
                self._version = version
            return self.newest

    async def changes(self, shown: str) -> AsyncIterator[str]:
        """Yield server-sent events: the name of each edition that is newer than the one *shown*.

        An edition is told of when a browser that asks gets it: while results rest, it would get the old one
        again, and no event would come after that.
        """
        told = self._version_of(shown) if shown else self._follower.version
        while True:
            await self._follower.next_change(told, BEAT)
            if told == self._follower.version:
                yield ": still here\n\n"
                continue
            if self._version != self._follower.version and self._rest.is_on:
                await asyncio.sleep(LOOK_SECONDS)
                continue
            told = self._follower.version
            yield f"id: {self._name_of(told)}\ndata: {told}\n\n"
            await asyncio.sleep(max(1.0, self._rest.seconds))

    def _name_of(self, version: int) -> str:
        return f"{self._server}-{version}"

    def _version_of(self, name: str) -> int:
        """Return the version of the edition called *name*, or -1 if this server does not have it."""
        server, _, version = name.partition("-")
        return int(version) if server == self._server and version.isascii() and version.isdigit() else -1
