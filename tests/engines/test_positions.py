"""The positions for authors: the engine agrees with them, and so does a plain reading of each page."""

import json
from collections import Counter
from itertools import product

import pytest
from support.positions import NAMES, path_of, positions_of, text_of

FILES = {name: json.loads(path_of(name).read_text("utf-8")) for name in NAMES}
SLOTS = json.loads((path_of("stellar").parent / "slots.json").read_text("utf-8"))
BOARDS = json.loads((path_of("starry-sky").parent / "boards.json").read_text("utf-8"))


@pytest.mark.parametrize("name", NAMES)
def test_the_file_is_what_the_engine_says(name):
    """`python tests/support/positions.py` writes the files again."""
    assert text_of(positions_of(name)) == path_of(name).read_text("utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_the_page_shows_authors_the_file(name):
    page = (path_of(name).parent / "README.md").read_text("utf-8")
    assert "[positions.json](positions.json)" in page
    assert all(f"`{key}`" in page for key in {*FILES[name]} - {"about", "game", "version"})


@pytest.mark.parametrize("name", NAMES)
def test_every_kind_of_decision_is_among_the_positions(name):
    steps = {position["view"].get("step", "place") for position in FILES[name]["positions"]}
    expected = {
        "stella-quest": {"play", "take", "top", "over"},
        "starry-sky": {"place"},
        "stellar": {"starter", "wipe", "take", "play", "place", "final", "over"},
        "stella": {"vote", "associate", "show", "over"},
    }
    assert expected[name] == steps


# Each game counted again, from its file alone, as an author of another language would.


def longest_run(numbers):
    return max(
        (end - start + 1 for start in numbers for end in numbers if {*range(start, end + 1)} <= numbers),
        default=0,
    )


def types_of_stellar(telescope, notebook):
    """Try every use of satellites and 6/0 cards."""
    stars, stacks, free = Counter(), {kind: set() for kind in "PMACB"}, []
    for card in telescope.values():
        if not card.endswith(" down") and card[0] != "S":
            stars[card[0]] += int(card[3])
    for card in notebook:
        if card[0] == "S":
            free.append([(kind, int(card[1])) for kind in "PMACB"])
        elif card[1] == "6":
            free.append([(card[0], 6), (card[0], 0)])
        else:
            stacks[card[0]].add(int(card[1]))
    return max(
        sum(
            stars[kind] * longest_run(stacks[kind] | {number for to, number in used if to == kind})
            for kind in "PMACB"
        )
        for used in product(*free)
    )


def sections_of_stellar(telescope):
    shown = {slot: 3 if card.endswith(" down") else int(card[1]) for slot, card in telescope.items()}
    return [sum(shown.get(slot, 0) for slot in slots) for slots in SLOTS["sections"].values()]


def test_stellar_is_counted_from_the_views():
    for position in FILES["stellar"]["positions"]:
        view = position["view"]
        sections = [sections_of_stellar(telescope) for telescope in view["telescopes"]]
        for seat, told in enumerate(position["scores"]):
            telescope = view["telescopes"][seat]
            up = {card[0] for card in telescope.values() if not card.endswith(" down")} - {"S"}
            assert types_of_stellar(telescope, view["notebooks"][seat]) == told["types"]
            mine, theirs = sections[seat], sections[1 - seat]
            assert 10 * sum(a > b for a, b in zip(mine, theirs, strict=True)) == told["majorities"]
            assert 10 * (len(up) == 5) == told["diversity"]
            assert position["points"][seat] == told["total"]
            assert told["total"] == told["types"] + told["majorities"] + told["diversity"]


def test_stella_quest_is_counted_from_the_views():
    jewels = {1: 3, 2: 3, 3: 2, 4: 2, 5: 1, 6: 1}
    for position in FILES["stella-quest"]["positions"]:
        for seat, cards in enumerate(position["view"]["collections"]):
            held = Counter(int(card[1]) for card in cards)
            worth = sum(jewels[number] for number, count in held.items() if count == 1)
            lights = position["view"]["lights"][seat]
            assert {"lights": lights, "jewels": worth, "total": lights + worth} == position["scores"][seat]
            assert lights + worth == position["points"][seat]


def test_the_boards_of_starry_sky_are_paid_as_the_page_says():
    assert len(FILES["starry-sky"]["boards"]) == 12 * 2 * 3
    for scored in FILES["starry-sky"]["boards"]:
        board = next(board for board in BOARDS["boards"] if board["id"] == scored["board"])
        near = [
            {b if a == star else a for a, b in board["edges"] if star in (a, b)}
            for star in range(len(board["stars"]))
        ]
        tokens, owners = scored["tokens"], scored["owners"]
        holes = {star for star, token in enumerate(tokens) if token == "H"}
        gone = {star for star in holes if near[star] & holes}
        left = {*range(len(tokens))} - gone - {other for hole in holes - gone for other in near[hole]}
        value, count = Counter(), Counter()
        for star in left:
            doubles = sum(tokens[other] == "D" for other in near[star] & left)
            value[owners[star]] += int(tokens[star]) * 2**doubles if tokens[star].isdigit() else 0
            count[owners[star]] += 1
        assert paid(board["prizes"], value, count, scored["seats"]) == scored["coins"]


def paid(prizes, value, count, seats):
    coins = [count[seat] for seat in range(seats)]
    keys = sorted(((value[seat], count[seat]) for seat in count), reverse=True)
    order = sorted(count, key=lambda seat: (value[seat], count[seat]), reverse=True)
    if len(keys) == 1:
        coins[order[0]] = sum(prizes)
    elif keys and keys[0] > keys[1]:
        coins[order[0]] = prizes[0]
        if keys[1:2] != keys[2:3]:
            coins[order[1]] = prizes[1]
            coins[order[0]] -= sum(count[seat] for seat in order[2:])
    return coins


def test_the_rounds_of_stella_are_scored_as_the_page_says():
    for told in FILES["stella"]["rounds"]:
        seats, crosses = range(told["seats"]), [set(cards) for cards in told["crosses"]]
        stars, sparks, fallen = Counter(), Counter(), []
        for shown in told["shown"]:
            company = [seat for seat in seats if shown["card"] in crosses[seat]]
            assert shown["seat"] in company
            assert shown["seat"] not in fallen
            if len(company) == 1:
                fallen.append(shown["seat"])
                continue
            for seat in {*company} - {*fallen}:
                stars[seat] += 3 if len(company) == 2 else 2
                sparks[seat] += 1
        counts = [len(cards) for cards in crosses]
        dark = counts.index(max(counts)) if counts.count(max(counts)) == 1 else None
        lost = {dark: sparks[dark]} if dark in fallen else {}
        assert [counts, dark, sorted(fallen)] == [told["counts"], told["dark"], sorted(told["fallen"])]
        assert [stars[seat] for seat in seats] == told["stars"]
        assert [stars[seat] - lost.get(seat, 0) for seat in seats] == told["scores"]
