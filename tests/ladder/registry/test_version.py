"""At which table sizes a version plays."""

import pytest

from ladder.errors import UsageProblem
from ladder.registry.bot_manifest import BotManifest
from ladder.registry.version import Version

KNOWN = (2, 3, 4)


def a_version(unfit=(), games=(), **seats):
    sizes = {"seats": {"stella-quest": seats["seats"]}} if seats else {}
    manifest = BotManifest("rat", ("./rat",), games=games, **sizes)
    return Version("rat", "abc", ".", manifest, unfit=unfit, tried=())


@pytest.mark.parametrize(
    ("version", "sizes"),
    [
        (a_version(), (2, 3, 4)),
        (a_version(("stella-quest/4",)), (2, 3)),
        (a_version(("stella-quest/4",), ("stella-quest",)), (2, 3)),
        (a_version(("stella-quest",)), ()),
        (a_version((), ("stellar",)), ()),
        (a_version(seats=(2, 4)), (2, 4)),
        (a_version(("stella-quest/4",), seats=(2, 4)), (2,)),
    ],
)
def test_a_version_plays_the_sizes_that_its_manifest_allows_and_it_is_fit_for(version, sizes):
    assert sizes == version.sizes("stella-quest", KNOWN)
    assert bool(sizes) == version.plays("stella-quest")


def test_a_trial_of_a_game_replaces_what_was_known_of_its_sizes():
    version = a_version(("stella-quest/4", "stella"))
    assert ("stella", "stella-quest/2") == version.note_tried(["stella-quest"], ["stella-quest/2"]).unfit


def test_a_size_that_it_does_not_play_is_refused_with_those_that_it_plays():
    version = a_version(seats=(2, 4))
    version.check_sizes("stella-quest", [2, 4], KNOWN)
    assert "stella-quest (2, 4 seats)" == version.say_sizes("stella-quest", KNOWN)
    assert "stella-quest" == a_version().say_sizes("stella-quest", KNOWN)
    with pytest.raises(UsageProblem, match="rat@abc plays stella-quest at tables of 2, 4, not of 3"):
        version.check_sizes("stella-quest", [2, 3], KNOWN)
