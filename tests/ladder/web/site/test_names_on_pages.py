"""The names that people see, on the pages of a site: long ones, some without spaces, right to left, alike."""

import pytest
from support.places import ROOT
from support.rated_homes import rate
from support.sites import assert_no_markup, in_this_process, pages_of
from support.taken_in import take_in

from ladder.home.home import create_home
from ladder.registry.bot_manifest import BotManifest

LONG, FALCON, TWIN = "Donaudampf" * 6 + "fahr", "صقر الصحراء السريع", "Twin"
SHOWN = {"long": LONG, "falcon": FALCON, "dragon": "龙的智慧机器人" * 9, "twin-a": TWIN, "twin-b": "TWIN"}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("named")
    home = create_home(folder / "home")
    run = ("{python}", "bot.py")
    taken = [
        take_in(home.roster, ROOT / "bots/random", BotManifest(name, run, display=display))
        for name, display in SHOWN.items()
    ]
    rate(home.path, [(version.bot, version.version) for version in taken])
    with in_this_process():
        return pages_of(home, folder / "site")


@pytest.mark.parametrize("name", ["long", "falcon", "dragon"])
def test_the_name_that_people_see_is_whole_with_the_handle_as_its_tooltip(site, name):
    for page in ("index.html", "bots.html", "games/stellar.html", f"bots/{name}.html"):
        assert f'<bdi title="{name}">{SHOWN[name]}</bdi>' in site[page], page
    assert f"<p>{SHOWN[name]}: last match" in site[f"bots/{name}.html"]


def test_two_that_are_alike_have_their_handles_beside_them_muted(site):
    for name in ("twin-a", "twin-b"):
        assert f'{SHOWN[name]}</bdi> <span class="muted">({name})</span>' in site["bots.html"]


def test_no_name_turns_the_text_beside_it_or_is_markup(site):
    for path, page in site.items():
        assert_no_markup(path, page)
