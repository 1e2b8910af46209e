"""Pictures show what their views show, and nothing else; they are sound SVG that a page can take apart."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from random import Random
from typing import Any, TypeAlias
from xml.etree import ElementTree as ET

import pytest

from engines.contract.subject import Subject, matches_of
from engines.contract.texts import faults_of, layout_faults
from engines.drawing import Picture, style_sheet
from engines.game import Game, Json

LOOKS = 5
"""At how many moments of a match pictures are looked at, about."""
ELEMENTS = frozenset(
    {"svg", "title", "desc", "g", "text", "tspan"}
    | {"rect", "circle", "ellipse", "line", "polygon", "polyline", "path", "foreignObject"}
)
HTML = "{http://www.w3.org/1999/xhtml}"
FORBIDDEN = re.compile("on|style|.*href")
"""Attributes that run a script, that a page's policy refuses, or that load something."""
WIDEST = 720
"""A wider picture cannot be read on a telephone."""
PAGE = 375
"""The width that a picture has on a telephone."""
SMALLEST = 11
"""The least size of a text there, in pixels."""
HEAVIEST = 200_000
"""The most characters of a picture without its description."""
HOSTILE = "<b onload=\"x\" a='&amp;'>]]> \u202e\x00\x1b\ud800 -->"


Drawn: TypeAlias = tuple[list[dict[str, Json]], Picture]
"""The views of a point of view, and the picture of them."""


def moments(subject: Subject, seats: int) -> Iterator[Any]:
    """Yield states of the matches at one table size: the first and the last, and some between."""
    for _, match in matches_of(subject, seats):
        states = [step.state for step in match]
        yield from states[:: 1 + len(states) // LOOKS]
        yield states[-1]


@cache
def pictures(subject: Subject, seats: int) -> list[Drawn]:
    """Return pictures from each point of view: every seat, a spectator, and all seats together."""
    game, drawn = subject.game, []
    for state in moments(subject, seats):
        views = [game.view(state, seat) for seat in range(seats)]
        drawn += [([view], game.draw(view)) for view in [*views, game.view(state, None)]]
        drawn.append((views, game.draw(*views)))
    return drawn


def read(picture: Picture) -> ET.Element:
    """Return a picture in which all is new as a tree; raises ParseError if it is not well formed."""
    root = ET.fromstring(picture.svg(picture._replace(parts=())))
    tags = {each.tag.removeprefix("{http://www.w3.org/2000/svg}") for each in root.iter()}
    assert tags <= ELEMENTS | {f"{HTML}p"}
    sentences = [each for holder in root.iter() if holder.tag.endswith("foreignObject") for each in holder]
    assert [f"{HTML}p"] * len(sentences) == [each.tag for each in sentences]
    assert len(sentences) == sum(each.tag == f"{HTML}p" for each in root.iter())
    assert not [name for each in root.iter() for name in each.attrib if FORBIDDEN.match(name)]
    return root


def classes(element: ET.Element) -> list[str]:
    return element.get("class", "").split()


def check_worlds(game: Game[Any], state: Any, seats: int, rng: Random) -> None:
    """Assert that a picture is the same in every world that looks the same: it can show no secret."""
    for seat in [*range(seats), None]:
        view = game.view(state, seat)
        picture = game.draw(view)
        other = game.view(game.imagine(view, rng), seat)
        assert other == view
        assert game.draw(other) == picture
    views = [game.view(state, seat) for seat in range(seats)]
    before = copy.deepcopy(views)
    assert game.draw(*views) == game.draw(*json.loads(json.dumps(views)))
    assert before == views


def test_a_picture_shows_nothing_that_its_views_do_not(subject: Subject, seats: int) -> None:
    rng = Random(seats)
    for state in moments(subject, seats):
        check_worlds(subject.game, state, seats, rng)


def test_a_picture_that_shows_more_is_noticed(subject: Subject) -> None:
    class Peeking(type(subject.game)):  # type: ignore[misc]  # a class that is a value
        def view(self, state: Any, seat: int | None) -> dict[str, Json]:
            self.state = state
            view: dict[str, Json] = super().view(state, seat)
            return view

        def draw(self, *views: Mapping[str, Json]) -> Picture:
            picture: Picture = super().draw(*views)
            return picture._replace(title=repr(self.state))

    seats, rng = subject.game.seats[0], Random(0)

    def check() -> None:
        for state in moments(subject, seats):
            check_worlds(Peeking(), state, seats, rng)

    with pytest.raises(AssertionError):
        check()


def test_a_picture_is_sound_svg_of_parts_with_keys(subject: Subject, seats: int) -> None:
    known = set(re.findall(r"\.([a-z][a-z-]*)", style_sheet())) | {"part", "loose"}
    for _, picture in pictures(subject, seats):
        root = read(picture)
        unknown = {name for each in root.iter() for name in classes(each)} - known
        assert set() == unknown, f"no such class in board.css: {unknown}"
        keys = [part.key for part in picture.parts]
        assert len(set(keys)) == len(keys)
        groups = [each for each in root if "data-key" in each.attrib]
        assert keys == [group.get("data-key") for group in groups]
        assert all("outline" in classes(group[0]) for group in groups)
        assert all("changed" in classes(group) for group in groups)


def test_a_picture_can_be_read_on_a_telephone(subject: Subject, seats: int) -> None:
    for _, picture in pictures(subject, seats):
        svg = picture.svg()
        assert 0 < picture.width <= WIDEST
        assert 0 < picture.height
        assert len(svg) - len(picture.description) < HEAVIEST
        sizes = re.findall(r'font-size="([\d.]+)"', svg)
        assert min(map(float, sizes), default=99) * PAGE / picture.width >= SMALLEST
        for part in picture.parts:
            at = re.search(r'transform="translate\((\S+) (\S+)\)"', part.svg)
            assert at, part.key
            assert 0 <= float(at[1]) <= picture.width, part.key
            assert 0 <= float(at[2]) <= picture.height, part.key


def test_texts_have_room_in_the_widest_of_common_fonts(subject: Subject, seats: int) -> None:
    for _, picture in pictures(subject, seats):
        faults = [*faults_of(picture)]
        assert not faults, "\n".join([picture.title, *faults])


def test_the_wide_layout_has_the_same_parts_inside_and_apart(subject: Subject, seats: int) -> None:
    for _, picture in pictures(subject, seats):
        faults = [*layout_faults(picture)]
        assert not faults, "\n".join([picture.title, *faults])


def test_a_screen_reader_reads_the_view_in_words(subject: Subject, seats: int) -> None:
    for views, picture in pictures(subject, seats):
        assert picture.title.strip()
        assert picture.description.strip()
        if len(views) == 1:
            assert subject.game.text(views[0]).split() == picture.description.split()


def test_captions_are_about_different_parts_of_the_picture(subject: Subject, seats: int) -> None:
    for _, picture in pictures(subject, seats):
        about = [caption.key for caption in picture.captions]
        assert len(about) == len({*about})
        assert {part.key for part in picture.parts} >= {*about}
        assert all(caption.text.strip() for caption in picture.captions)


def test_small_pictures_show_what_their_event_names_as_sound_svg(subject: Subject, seats: int) -> None:
    game = subject.game
    for deal, match in matches_of(subject, seats):
        events = [event.seen_by(seat) for step in match for event in step.events for seat in (None, 0)]
        for event in events:
            for picture in game.sketches(event, deal["options"]):
                assert picture.title in json.dumps(event, ensure_ascii=False)
                read(picture)


def test_the_parts_of_a_move_are_parts_of_the_picture(subject: Subject, seats: int) -> None:
    game = subject.game
    for state in moments(subject, seats):
        for seat, choice in game.choices(state).items():
            view = game.view(state, seat)
            keys = {part.key for part in game.draw(view).parts}
            assert keys.issuperset(key for thing in game.candidates(view) for key in thing)
            for option in choice.options:
                for part in game.parts_of(view, option):
                    assert part.name.strip(), option
                    assert part.keys, option
                    assert keys >= {*part.keys}, option


def test_a_person_is_asked_in_one_line_and_no_two_moves_are_called_alike(
    subject: Subject, seats: int
) -> None:
    game = subject.game
    for state in moments(subject, seats):
        for seat, choice in game.choices(state).items():
            view = game.view(state, seat)
            said = [game.say(view, option) for option in choice.options]
            assert all(line.strip() and "\n" not in line for line in said)
            assert len(said) == len({*said})
            costs = [game.cost(view, option) for option in choice.options]
            assert not any("\n" in line for line in (game.ask(view), *costs))
            kinds = {game.kind_of(view, option) for option in choice.options}
            assert all(kind.strip() and "\n" not in kind and len(kind) <= 30 for kind in kinds)


def hostile(value: Json, names: frozenset[str], inside: bool = False) -> Json:
    """Return *value* with markup for every text in a field that may hold any."""
    if isinstance(value, dict):
        return {key: hostile(each, names, inside or key in names) for key, each in value.items()}
    if isinstance(value, list):
        return [hostile(each, names, inside) for each in value]
    return HOSTILE if inside and isinstance(value, str) else value


def test_text_of_users_stays_text(subject: Subject, seats: int) -> None:
    drawn = pictures(subject, seats)
    for views, picture in drawn[:: 1 + len(drawn) // LOOKS]:
        changed = subject.game.draw(*hostile(views, subject.known.free))
        read(changed)
        assert bool(subject.known.free) == (changed != picture)
