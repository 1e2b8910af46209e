"""Sites of homes, for tests: written in this process, and read as texts and elements."""

import json
import re
import zlib
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from ladder.home.home import Home
from ladder.web.site import pages, site
from ladder.web.site.facts import gather
from ladder.web.site.format import Shown
from ladder.web.site.guide_pages import Guide, render_guide
from ladder.web.site.match_pages import read_selection, select_event_matches
from ladder.web.site.site_options import SiteOptions


@contextmanager
def in_this_process() -> Iterator[None]:
    """Let sites be written without other processes, and read each guide for authors of bots once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(site, "usable_cores", lambda: {0})
        patch.setattr(pages, "render_guide", lambda file, links: _guide(file, tuple(links.items())))
        yield


@cache
def _guide(file: Path, links: tuple[tuple[str, str], ...]) -> Guide:
    return render_guide(file, dict(links))


def pages_of(home: Home, folder: Path, **options: object) -> dict[str, str]:
    """Write the site of *home* to *folder*, and return its pages."""
    site.write_site(home, folder, SiteOptions(**options))  # type: ignore[arg-type]
    return read_pages(folder)


def page_of(home: Home, path: str, **options: object) -> str:
    """Return one page of the site of *home*, no page of a match: a whole site takes longer."""
    asked = SiteOptions(**{"matches": 1, **options})  # type: ignore[arg-type]
    facts = gather(home, asked)
    of_events = select_event_matches(facts, asked.matches)
    shown = Shown(facts, asked, read_selection(facts, asked), event_matches=of_events)
    return next(page.text() for page in pages.pages(shown) if page.path == path)


def read_pages(folder: Path) -> dict[str, str]:
    """Return the text of each page of a site, unpacked, by its path."""
    return {
        path.relative_to(folder).as_posix(): unpacked(path.read_text("utf-8"))
        for path in folder.rglob("*.html")
    }


_DATA = re.compile('(<script type="text/plain" id="viewer-data">)([^<]*)(</script>)')


def unpacked(page: str) -> str:
    """Return a *page* with the data of its match, if it has any, as JSON, so that words in it are found."""
    return _DATA.sub(lambda found: found[1] + _inflate(found[2]).replace("<", r"\u003c") + found[3], page)


def data_of(page: str) -> Any:
    """Return the data of the match that a *page* shows."""
    found = _DATA.search(page)
    assert found, "the page has no data of a match"
    return json.loads(_inflate(found[2]))


def _inflate(packed: str) -> str:
    return zlib.decompress(b64decode(packed, validate=True)).decode()


class Elements(HTMLParser):
    """The elements of a page with their attributes, and its texts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attributes)))

    def handle_data(self, text: str) -> None:
        self.texts.append(text)


def assert_no_markup(name: str, page: str) -> None:
    """Assert that no bot has written an element, an attribute that acts, or a sign that turns texts round."""
    assert not {"\u202e", "\x07"} & set(page), name
    for tag, attributes in Elements(page).found:
        assert tag not in ("img", "iframe", "object", "style"), name
        assert not [key for key in attributes if key.startswith("on") or key in ("style", "srcdoc")], name
        if tag == "script" and "src" not in attributes:
            assert attributes["type"] in ("application/json", "text/plain"), name
        for key in ("href", "src", "action") if attributes.get("rel") != "icon" else ():
            assert re.fullmatch(r"[a-zA-Z0-9._/#-]*", attributes.get(key) or ""), (name, attributes)
