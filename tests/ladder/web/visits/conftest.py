"""What visitors of these tests come to: a ladder of all games with a few matches, as a site and served."""

import pytest
from support import ladders
from support.live import ALL_GAMES
from support.served import served

from ladder.web.site.site import write_site
from ladder.web.site.site_options import SiteOptions


@pytest.fixture(scope="session")
def home(tmp_path_factory):
    home = ladders.a_home(tmp_path_factory.mktemp("visited") / "home", ladders.FOUR, ALL_GAMES)
    ladders.play(home, matches=12)
    return home


@pytest.fixture(scope="session")
def site(home, tmp_path_factory):
    folder = tmp_path_factory.mktemp("visited") / "site"
    write_site(home, folder, SiteOptions(title="A ladder", matches=3))
    return folder


@pytest.fixture(scope="session")
def url(home):
    with served(home) as (url, _):
        yield url
