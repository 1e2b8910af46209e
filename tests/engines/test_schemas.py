"""The JSON Schema of every game takes all that is seen and said in its matches, and next to nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator, validators
from support.places import ROOT

from engines import GAMES, OneOf, playout, replay
from engines.starry_sky.boards import BOARDS
from engines.starry_sky.moves import PLACES
from engines.starry_sky.tokens import HIDDEN, TOKENS
from engines.stella import checked_deck
from engines.stella.deck import DEFAULT, LONGEST, MOST_TAGS
from engines.stella_quest.cards import BACKS, COLOURS, EMOTIONS
from engines.stella_quest.luck import complete_deal
from engines.stellar.cards import CARDS, SLOTS, STARTERS

SCHEMAS = {
    name: json.loads((ROOT / "engines" / name.replace("-", "_") / "schema.json").read_text("utf-8"))
    for name in GAMES
}
PAGES = {name: (ROOT / "engines" / name.replace("-", "_") / "README.md").read_text("utf-8") for name in GAMES}
TABLES = [(name, seats) for name, game in GAMES.items() for seats in game.seats]
each_game = pytest.mark.parametrize("name", GAMES)
each_table = pytest.mark.parametrize(("name", "seats"), TABLES, ids=[f"{n}-{s}" for n, s in TABLES])


# -- schemas


@cache
def validators_of(name: str) -> type[Any]:
    """Return the validator class, but with a memory: most of what a view shows was in the one before."""
    fine = set()

    def once(validator, value, part, **path):
        key = id(part), json.dumps(value)
        if key not in fine:
            errors = [*validator.descend(value, part, **path)]
            yield from errors
            if not errors:
                fine.add(key)

    def properties(validator, parts, instance, schema):
        for key, part in parts.items() if isinstance(instance, dict) else ():
            if key in instance:
                yield from once(validator, instance[key], part, path=key, schema_path=key)

    def items(validator, part, instance, schema):
        for item in instance[len(schema.get("prefixItems", ())) :] if isinstance(instance, list) else ():
            yield from once(validator, item, part)

    return validators.extend(Draft202012Validator, {"properties": properties, "items": items})


@cache
def validator(name: str, part: str) -> Any:
    """Return what validates one of the $defs of a game's schema."""
    return validators_of(name)({**SCHEMAS[name], "anyOf": [{"$ref": f"#/$defs/{part}"}]})


def fits(name: str, part: str, value: Any) -> bool:
    return validator(name, part).is_valid(value)


def properties(name: str, part: str) -> set[str]:
    return SCHEMAS[name]["$defs"][part]["properties"].keys()


def kinds(name: str) -> list[str]:
    """Return the kinds of events in a schema."""
    refs = [ref["$ref"] for ref in SCHEMAS[name]["$defs"]["event"]["oneOf"]]
    return [ref.removeprefix("#/$defs/").removesuffix("_event") for ref in refs]


def steps(name: str) -> set[str]:
    return {*SCHEMAS[name]["$defs"].get("step", {"enum": []})["enum"]}


# -- matches


@cache
def matches(name: str, seats: int) -> list[tuple[dict[str, Any], list[Any]]]:
    """Return deals, each with the steps of a match on it: the golden record, and one or more at random."""
    game, rng = GAMES[name], Random(seats)
    golden = (ROOT / f"tests/golden/{name}-{seats}.jsonl").read_text("utf-8")
    head, *made, _ = map(json.loads, golden.splitlines())
    found = [(head["deal"], [*replay(game, head["deal"], seats, [line["moves"] for line in made])])]
    for _ in range(4 // len(game.seats)):
        options = {key: rng.choice(values) for key, values in game.options.items()}
        deal = game.deal(seats, rng, options)
        found.append((deal, [*playout(game, deal, seats, rng)]))
    return found


def rare(name: str) -> Iterator[tuple[int, Any]]:
    """Yield table sizes and steps of what hardly ever happens, from states made by hand."""
    if name == "stella-quest":
        yield from ((2, step) for step in exhausted(2, 1))  # ends when nobody can play
        yield from ((3, step) for step in exhausted(3, 200))  # ends with round 200
    if name == "stellar":
        for _, match in matches(name, 2)[1:]:
            yield from ((2, step) for step in reshuffled(match))
    if name == "starry-sky":
        game = GAMES[name]
        state, _ = game.start(game.deal(3, Random(1)) | {"first": 0}, 3)
        state = state._replace(hands=(state.hands[0], 0, state.hands[2]))
        yield 3, game.play(state, {0: game.choices(state)[0].options[0]})  # seat 1 is skipped


def exhausted(seats: int, number: int) -> Iterator[Any]:
    """Play Stella Quest where there is nothing to draw, and seat 1 has no card, from that round on."""
    game = GAMES["stella-quest"]
    state, _ = game.start(complete_deal({"deck": ["B1", "B2", "B3", "B4", "B5"]}), seats)
    one, other, *others = state.players
    state = state._replace(
        piles=state.piles._replace(pile=()),
        players=(one, other._replace(hand=(), backs=()), *others),
        round=state.round._replace(number=number),
    )
    while asked := game.choices(state):
        step = game.play(state, {seat: choice.options[0] for seat, choice in asked.items()})
        yield step
        state = step.state


def reshuffled(match: list[Any]) -> Iterator[Any]:
    """Make the moves of a match of Stellar again, each with nothing but up to 25 discards to draw from."""
    for (_, before, _), (moves, _, _) in pairwise(match[1:]):
        cards = sorted((before.discards.cards + before.pile)[:25])
        discards = before.discards._replace(cards=tuple(cards))
        yield GAMES["stellar"].play(before._replace(pile=(), discards=discards), moves)


def seen(name: str) -> Iterator[tuple[int, Any]]:
    """Yield table sizes and steps: all of the matches at all tables, and what is rare."""
    for seats in GAMES[name].seats:
        for _, match in matches(name, seats):
            yield from ((seats, step) for step in match)
    yield from rare(name)


def check(name: str, seats: int, step: Any) -> None:
    """Assert that what every seat and a spectator see of a step fits the schema."""
    everybody = (*range(seats), None)
    for seat in everybody:
        validator(name, "view").validate(GAMES[name].view(step.state, seat))
    for event in step.events:
        for seen_event in {json.dumps(event.seen_by(seat)) for seat in everybody}:
            validator(name, f"{event.kind}_event").validate(json.loads(seen_event))


# -- what fits


@each_game
def test_the_schema_is_a_schema_of_this_version_of_the_game(name):
    Draft202012Validator.check_schema(SCHEMAS[name])
    title, version = SCHEMAS[name]["title"].split(", version ")
    assert (name, str(GAMES[name].version)) == (title.lower().replace(" ", "-"), version)


@each_table
def test_all_that_is_seen_in_a_match_fits(name, seats):
    for _, match in matches(name, seats):
        for step in match:
            check(name, seats, step)


@each_game
def test_all_that_is_seen_of_what_is_rare_fits(name):
    for seats, step in rare(name):
        check(name, seats, step)


@each_table
def test_a_view_fits_with_its_text(name, seats):
    for _, match in matches(name, seats):
        view = GAMES[name].view(match[len(match) // 2].state, 0)
        assert fits(name, "view", view | {"text": GAMES[name].text(view)})


@each_table
def test_all_options_of_all_choices_fit_the_moves_of_their_step(name, seats):
    moves = set()
    for _, match in matches(name, seats):
        for step in match:
            view = GAMES[name].view(step.state, None)
            kind = f"{view['step']}_move" if "step" in view else "move"
            for choice in GAMES[name].choices(step.state).values():
                if isinstance(choice, OneOf):
                    moves |= {(kind, option) for option in choice.options}
                else:
                    sizes = [n for n in range(len(choice.options)) if fits(name, kind, [*choice.options[:n]])]
                    assert [*range(choice.low, choice.high + 1)] == sizes
    assert [] == [move for move in moves if not fits(name, *move)]


@each_table
def test_deals_and_options_fit(name, seats):
    for deal, match in matches(name, seats):
        assert fits(name, "options", GAMES[name].view(match[0].state, None)["options"])
        assert fits(name, "deal", deal)
        assert fits(name, "deal", {key: value for key, value in deal.items() if key != "options"})


@each_game
def test_the_options_and_their_defaults_are_those_of_the_game(name):
    part = "given_options" if GAMES[name].options else "options"
    assert {*GAMES[name].options, *GAMES[name].custom} == properties(name, part)
    for key, values in GAMES[name].options.items():
        assert values[0] == SCHEMAS[name]["$defs"][key]["default"]
        assert all(fits(name, part, {key: value}) for value in values)
        assert not fits(name, part, {key: "sometimes"})
    assert not fits(name, part, {"foreign": True})


@each_game
def test_every_event_of_the_schema_occurs_with_all_its_fields(name):
    fields: dict[str, set[str]] = {}
    for _, step in seen(name):
        for event in step.events:
            fields.setdefault(event.kind, set()).update(event.seen_by(0))
    assert {kind: properties(name, f"{kind}_event") for kind in kinds(name)} == fields


@each_game
def test_every_step_and_every_field_of_views_occurs(name):
    views = [GAMES[name].view(step.state, 0) for _, step in seen(name)]
    assert properties(name, "view") == {"text"}.union(*views)
    assert steps(name) == {view["step"] for view in views if "step" in view}


def test_every_end_of_stella_quest_occurs():
    ends = SCHEMAS["stella-quest"]["$defs"]["ending"]["properties"]["why"]["enum"]
    overs = [event for _, step in seen("stella-quest") for event in step.events if event.kind == "over"]
    assert {*ends} == {event.public["why"] for event in overs}


@each_game
def test_every_definition_of_the_schema_is_used_by_another(name):
    refs = set(re.findall(r'"#/\$defs/(\w+)"', json.dumps(SCHEMAS[name])))
    assert SCHEMAS[name]["$defs"].keys() == refs


# -- what does not fit

GONE, FOREIGN, NAME, NUMBER = "missing fields", "foreign fields", "wrong names", "wrong numbers"
FREE = {"text", "tags", "image", "word", "words"}
"""Texts of a deck: any name may stand there."""
BY_NAME = {"telescopes", "excluded", "rarer", "mine", "shown"}
"""Objects with names for keys: any key of theirs may be missing."""
each_mistake = pytest.mark.parametrize("what", [GONE, FOREIGN, NAME, NUMBER])


def mistakes(value: Any, where: tuple[Any, ...] = ()) -> Iterator[tuple[str, tuple[Any, ...], Any]]:
    """Yield every way to spoil *value* in one place: what is wrong, where, and what it then looks like."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if isinstance(value, dict):
        yield FOREIGN, where, value | {"Z 9": 0}
        yield from ((GONE, (*where, key), {k: value[k] for k in value if k != key}) for key in value)
    elif isinstance(value, str):
        yield NAME, where, "Z 9"
    elif isinstance(value, int):
        yield from ((NUMBER, where, wrong) for wrong in (-1, 999, str(value)))
    for key, part in parts:
        for what, there, wrong in mistakes(part, (*where, key)):
            copy = value.copy()
            copy[key] = wrong
            yield what, there, copy


def is_one(what: str, where: tuple[Any, ...]) -> bool:
    """Return whether a mistake is one after all."""
    return BY_NAME.isdisjoint(where[:-1]) if what == GONE else what != NAME or FREE.isdisjoint(where)


def unnoticed(name: str, part: str, value: Any, what: str) -> list[tuple[Any, ...]]:
    """Return where the schema does not notice a mistake in *value*, of some that are tried."""
    spoilt = [(at, wrong) for kind, at, wrong in mistakes(value) if kind == what and is_one(what, at)]
    tried = Random(1).sample(spoilt, min(16, len(spoilt)))
    return [at for at, wrong in tried if fits(name, part, wrong)]


@each_mistake
@each_game
def test_a_view_with_a_mistake_does_not_fit(name, what):
    for seats in GAMES[name].seats:
        _, match = matches(name, seats)[0]
        for step in [match[0], *Random(seats).sample(match, 3), match[-1]]:
            assert [] == unnoticed(name, "view", GAMES[name].view(step.state, seats - 1), what)


@each_mistake
@each_game
def test_an_event_with_a_mistake_does_not_fit(name, what):
    told = {event.kind: event.seen_by(None) for _, step in seen(name) for event in step.events}
    for event in told.values():
        event.pop("reshuffled", None)  # which may be missing
        assert fits(name, "event", event)
        assert [] == unnoticed(name, "event", event, what)


@each_mistake
@each_game
def test_a_deal_with_a_mistake_does_not_fit(name, what):
    for seats in GAMES[name].seats:
        deal, _ = matches(name, seats)[0]
        deal = {key: value for key, value in deal.items() if key != "options"}  # which may be missing
        assert [] == unnoticed(name, "deal", deal, what)


@each_table
def test_a_seat_that_is_not_at_the_table_does_not_fit(name, seats):
    view = GAMES[name].view(matches(name, seats)[0][1][-1].state, 0)
    assert fits(name, "view", view | {"seat": seats - 1})
    assert not fits(name, "view", view | {"seat": seats})
    assert not fits(name, "view", view | {"first": seats})


@each_table
def test_a_view_of_a_smaller_or_larger_table_does_not_fit(name, seats):
    view = GAMES[name].view(matches(name, seats)[0][1][-1].state, 0)
    assert [seats] == [other for other in range(1, 8) if fits(name, "view", view | {"seats": other})]


@each_game
def test_a_spectators_view_has_nothing_of_a_seat(name):
    state = matches(name, GAMES[name].seats[0])[0][1][-1].state
    own, public = GAMES[name].view(state, 0), GAMES[name].view(state, None)
    assert fits(name, "view", public)
    for key in own.keys() - public.keys():
        assert not fits(name, "view", public | {key: own[key]})


@pytest.mark.parametrize("place", ["grid", "shown", "crosses", "past_crosses", "rounds"])
def test_a_card_of_another_deck_fits_only_into_a_view_with_that_deck(place):
    view = GAMES["stella"].view(matches("stella", 3)[0][1][-1].state, 0)
    card = next(iter(view["shown"])) if place == "shown" else re.search(r"c\d\d", json.dumps(view[place]))[0]
    view[place] = json.loads(json.dumps(view[place]).replace(card, "c85"))
    assert not fits("stella", "view", view)
    view["options"] |= {"deck": {"cards": view["grid"] * 2}}
    assert fits("stella", "view", view)


NAMES = [
    ("stellar", "card", CARDS),
    ("stellar", "starter", STARTERS),
    ("stellar", "slot", SLOTS),
    ("stella-quest", "card", BACKS),
    ("stella-quest", "emotion", EMOTIONS),
    ("stella-quest", "back", BACKS.values()),
    ("stella-quest", "colour", COLOURS),
    ("starry-sky", "token", TOKENS),
    ("starry-sky", "shown_token", [*TOKENS, HIDDEN]),
    ("starry-sky", "board_name", BOARDS),
    ("starry-sky", "star", [place for places in PLACES.values() for place in places]),
    ("stella", "house_card", DEFAULT.pictures),
]


@pytest.mark.parametrize(("name", "part", "names"), NAMES, ids=[f"{name}-{part}" for name, part, _ in NAMES])
def test_the_names_are_those_of_the_game_and_no_others_like_them(name, part, names):
    one_sign_more = {
        text[:at] + sign + text[at:] for text in names for at in (0, len(text)) for sign in " 1X"
    }
    another_sign = {
        text[:at] + sign + text[at + 1 :] for text in names for at in range(len(text)) for sign in "A.?02468"
    }
    fitting = {text for text in {*names, *one_sign_more, *another_sign} if fits(name, part, text)}
    assert {*names} == fitting


@pytest.mark.parametrize("board", BOARDS)
def test_a_board_with_more_or_fewer_stars_does_not_fit(board):
    stars = len(BOARDS[board].stars)
    for count in range(5, 10):
        scored = {"board": board, "owners": [0] * count, "tokens": ["1"] * count, "coins": [0, 0, 0]}
        assert (count == stars) == fits("starry-sky", "scored_board", scored)
        assert (count == stars) == fits("starry-sky", "event", scored | {"event": "score"})


# -- decks of one's own

WORDS = [["Kapitän Ahab", "🌊"], ['"Quoted"', "back\\slash"], ["ليل", "夜"], ["non\u00a0breaking", "a" * 100]]


def odd_deck(**more: Any) -> dict[str, Any]:
    """Return a deck with cards of all kinds, as its author writes it."""
    kinds_of_cards = [
        {"text": 'A "quoted" back\\slash, a tab\'s worth of nothing; 100 % {odd}.', "tags": []},
        {"text": "夜の海に、ひとつの灯。", "tags": ["海", "non\u00a0breaking", "👩\u200d🚀"]},
        {"text": "ليل", "image": "https://example.org/a%20picture.png?size=large&x=1#top"},
        {"text": "x", "tags": ["the same"] * MOST_TAGS, "image": "../pictures/with blanks/ä.jpg"},
    ]
    cards = [{"id": f"№{n}/ü-{n}", **kinds_of_cards[n % 4]} for n in range(34)]
    return {"about": "A deck\nof oddities.", "cards": cards} | more


@pytest.mark.parametrize(
    "words", [{}, {"words": WORDS}, {"discovery": WORDS}], ids=["no words", "words", "discovery"]
)
def test_all_that_is_seen_in_a_match_with_an_odd_deck_fits(words):
    game, rng = GAMES["stella"], Random(1)
    options = {"deck": odd_deck(**words), "first_game": "discovery" in words}
    deal = game.deal(3, rng, options)
    assert fits("stella", "deal", deal)
    assert fits("stella", "deal", deal | {"options": options})
    for step in playout(game, deal, 3, rng):
        check("stella", 3, step)


@pytest.mark.parametrize(("kind", "most"), LONGEST.items())
def test_the_texts_of_a_deck_may_be_as_long_as_the_game_allows(kind, most):
    for length in (most, most + 1):
        text = "x" * length
        deck = odd_deck(words=[[text if kind == "word" else "a", "b"]] * 4)
        deck["cards"][0] |= {"tags": [text]} if kind == "tag" else {kind: text} if kind != "word" else {}
        assert (length == most) == fits("stella", "given_deck", deck)
        if length == most:
            checked_deck(deck)
        else:
            with pytest.raises(ValueError, match=f"at most {most} characters"):
                checked_deck(deck)


# -- the pages for authors


def section(name: str, title: str) -> str:
    return PAGES[name].partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def table_of(text: str, number: int = 0) -> dict[str, str]:
    """Return one of the tables in a text: what stands in code in the first column, and the second column."""
    tables = re.findall(r"^\|[^\n]*\n\|-.*\n((?:\|.*\n)*)", text, re.MULTILINE)
    rows = [line.split(" | ") for line in tables[number].splitlines()] if tables else []
    return {row[0].strip("| `"): row[1] for row in rows}


@each_game
def test_the_page_names_the_fields_of_a_view(name):
    assert properties(name, "view") == table_of(section(name, "The view")).keys()


def test_the_page_of_starry_sky_names_the_fields_of_a_board():
    text = section("starry-sky", "The view")
    assert properties("starry-sky", "open_board") == table_of(text, 1).keys()


def test_the_page_of_stella_names_the_fields_of_a_deck():
    text = section("stella", "Your own deck")
    assert properties("stella", "given_deck") | properties("stella", "given_picture") == table_of(text).keys()


@each_game
def test_the_page_names_every_event_and_its_fields(name):
    told = {
        kind: {"event", *re.findall(r"`(\w+)`", re.sub(r"\([^)]*\)", "", fields))}
        for kind, fields in table_of(section(name, "Events")).items()
    }
    assert {kind: properties(name, f"{kind}_event") for kind in kinds(name)} == told


@each_game
def test_the_page_names_every_step_and_every_option(name):
    assert steps(name) - {"over"} == table_of(section(name, "Decisions")).keys()
    part = "given_options" if GAMES[name].options else "options"
    assert properties(name, part) == table_of(section(name, "Options")).keys()


@each_game
def test_the_example_on_the_page_fits(name):
    events, view = (json.loads(block.split("```")[0]) for block in PAGES[name].split("```json")[1:])
    assert fits(name, "view", view)
    assert all(fits(name, "event", event) for event in events)


@each_game
def test_the_page_leads_to_the_schema(name):
    assert "[schema.json](schema.json)" in PAGES[name]
