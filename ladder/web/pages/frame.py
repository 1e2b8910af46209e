"""What stands around the content of a page: the ladder's name, tabs, search, footer."""

from typing import NamedTuple

from markupsafe import Markup

from ladder.web.pages.assets import PAGE_ASSETS, asset_file, policy_of_files, policy_of_texts, read_asset


class Link(NamedTuple):
    """A link of the header."""

    text: str
    address: str
    """Relative to the root of the site."""
    inside: "tuple[Link, ...]" = ()
    """The links that it opens; then it leads nowhere itself."""


class Frame(NamedTuple):
    """The surroundings of a page.  Addresses are relative to the root of the site."""

    ladder: str = "Ladder"
    """The name of the ladder."""
    root: str = ""
    """How the page reaches the root: "" at the root itself, "../" one folder below."""
    home: str = "index.html"
    """The address of the first page; empty for a page that stands alone."""
    tabs: tuple[Link, ...] = ()
    current: str = ""
    """The address of the tab that the page belongs to."""
    search: str = ""
    """The address of the page that finds a bot, in `?bot=`; empty if there is none."""
    measured: tuple[str, ...] = ()
    """The footer: what was measured and when."""
    play: str = ""
    """The address of the page where people play; empty on pages that no server of ours shows."""
    more: tuple[str, ...] = ()
    """The names of assets besides those that every page needs."""
    inline: bool = False
    """Whether the page holds its assets, so that it is one file."""
    live: bool = False
    """Whether the page may talk to the server that it came from."""
    description: str = ""
    """What the page tells, for those who share a link to it."""
    edition: str = ""
    """Which results a server shows on the page."""

    @property
    def styles(self) -> list[str]:
        """The names of its style sheets."""
        return [name for name in (*PAGE_ASSETS, *self.more) if name.endswith(".css")]

    @property
    def scripts(self) -> list[str]:
        """The names of its scripts."""
        return [name for name in (*PAGE_ASSETS, *self.more) if name.endswith(".js")]

    @property
    def policy(self) -> str:
        """The Content-Security-Policy of the page."""
        if self.inline:
            return policy_of_texts(map(read_asset, self.scripts), map(read_asset, self.styles))
        return policy_of_files(live=self.live)

    @staticmethod
    def file_of(asset: str) -> str:
        """Return the name of the file of one of our own assets."""
        return asset_file(asset)

    def text_of(self, asset: str) -> Markup:
        """Return the text of one of our own assets, as it stands in a page."""
        return Markup(read_asset(asset))  # noqa: S704 - a file of this package, nothing that a bot said
