import re
from itertools import pairwise

import pytest
from support.rated_homes import a_rated_home
from support.sites import pages_of

from ladder.home.home import open_home
from ladder.web.pages.bot_marks import SERIES, marks_of, swatch

MARK = re.compile(
    r'<svg class="swatch series-(\d)"[^>]*><path class="dot" d="([^"]*)"/></svg><(?:a [^>]*><)?bdi>([^<]*)<'
)
ON_AXIS = re.compile(r'class="interval series-(\d)" .*?<path class="dot" d="([^"]*)"')


def names(count):
    return [f"bot-{number:02}" for number in range(count)]


def test_eighty_bots_look_different():
    marks = marks_of(names(80))
    assert 80 == len({*marks.values()}) == len({swatch(mark) for mark in marks.values()})


def test_the_first_eight_have_the_colours_with_one_shape():
    first = [*marks_of(names(20)).values()][:8]
    assert [*range(1, SERIES + 1)] == [mark.series for mark in first]
    assert 1 == len({mark.shape for mark in first})


def test_a_newcomer_changes_no_mark():
    for few, more in pairwise(range(1, 100)):
        assert marks_of(names(few)).items() <= marks_of(names(more)).items()


def test_two_bots_of_one_colour_have_different_shapes():
    marks = marks_of(names(64))
    for series in range(1, SERIES + 1):
        shapes = [mark.shape for mark in marks.values() if mark.series == series]
        assert len({*shapes}) == len(shapes)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("marks")
    return pages_of(open_home(a_rated_home(folder / "home", names(12), 1)), folder / "site", matches=8)


def test_a_bot_has_one_mark_on_all_pages(site):
    seen = {}
    for page in site.values():
        for series, path, name in MARK.findall(page):
            seen.setdefault(name.partition("@")[0], set()).add((series, path))
    assert {*names(12)} == {*seen}
    assert all(1 == len(marks) for marks in seen.values())
    marks = {mark for each in seen.values() for mark in each}
    assert 12 == len(marks)
    assert marks == {*ON_AXIS.findall(site["games/stellar.html"])}
