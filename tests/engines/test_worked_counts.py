"""The worked counts on the pages for authors, counted by the engines."""

import re
from pathlib import Path

import pytest
from support.documents import PAGES, rows, section
from support.stella_quest_by_name import breakdown

from engines import GAMES, replay
from engines.starry_sky.scoring import payment
from engines.stella.luck import complete_deal
from engines.stella_quest.rounds import winner
from engines.stellar import scoring
from engines.stellar.cards import BITS, NEAR

ENGINES = Path(__file__).resolve().parents[2] / "engines"


def page(game):
    return PAGES[f"engines/{game.replace('-', '_')}/README.md"]


@pytest.mark.parametrize("name", GAMES)
def test_a_page_has_the_summary_of_the_rules_word_for_word(name):
    assert f"```text\n{GAMES[name].summary.rstrip()}\n```" in page(name)


def told(game, heading):
    """Return the rows of the first table below *heading*, by their first cell."""
    return {row[0]: row[1:] for row in rows(section(page(game), heading))}


def numbers(cells):
    """Return the last number before a colon, or at the end, in each of *cells*."""
    return [int(re.findall(r"\d+", cell.partition(":")[0])[-1]) for cell in cells]


def test_the_worked_count_of_stellar_is_right():
    count = told("stellar", "A worked count")
    telescopes = [dict(lies.split(" ", 1) for lies in cell.split(", ")) for cell in count["telescope"]]
    notebooks = [cell.split() for cell in count["notebook"]]
    scores = scoring.points(telescopes, notebooks)
    assert [score["types"] for score in scores] == numbers(count["types"])
    assert [score["total"] for score in scores] == numbers(count["total"])
    for section_name in ("top", "middle", "bottom"):
        totals = [scoring.section_totals(telescope)[section_name] for telescope in telescopes]
        cells = count[f"{section_name} section"]
        assert totals == numbers([cell.split("=")[-1] for cell in cells])
        assert [total == max(totals) for total in totals] == ["**10**" in cell for cell in cells]
    assert [0, 0] == [score["diversity"] for score in scores]


def test_the_neighbours_of_the_slots_of_stellar_are_right():
    cells = [row for row in rows(section(page("stellar"), "Names")) if len(row) == 6]
    table = {row[i].strip("`"): {*row[i + 1].split()} for row in cells for i in (0, 2, 4)}
    assert {slot: {other for other in BITS if NEAR[slot] & BITS[other]} for slot in BITS} == table


def test_the_rounds_of_stella_quest_are_won_as_the_page_says():
    every = rows(section(page("stella-quest"), "Worked counts"))
    found = [row for row in every if re.fullmatch("`[A-Z0-9]{2}`", row[0])]
    assert len(found) == 7
    for top, cards, wins, _ in found:
        played = cards.split(", ")
        index = winner(top.strip("`"), played)
        assert re.findall("[BGRY][1-6]", wins) == [played[index]]
        assert "second" not in wins or index == len(played) - 1


def test_the_points_of_stella_quest_are_those_of_the_page():
    text = section(page("stella-quest"), "Worked counts")
    count = {row[0]: row[1:] for row in rows(text)}
    scores = breakdown(numbers(count["lights"]), [cards.split() for cards in count["collection"]])
    assert [score["jewels"] for score in scores] == numbers(
        [cell.rpartition(";")[2] for cell in count["jewels"]]
    )
    assert [score["total"] for score in scores] == numbers(count["points"])


def test_the_board_of_starry_sky_pays_what_the_page_says():
    text = section(page("starry-sky"), "A worked count")
    laid = [re.fullmatch(r"(\w+) of seat (\d)", row[1]) for row in rows(text) if len(row) == 3]
    paid = {
        int(row[0]): int(row[3].rpartition(" ")[2])
        for row in rows(text)
        if len(row) == 4 and row[0].isdigit()
    }
    owners, tokens = [int(lies[2]) for lies in laid], [lies[1] for lies in laid]
    assert payment("Cnc", owners, tokens, 4) == tuple(paid[seat] for seat in range(4))
    tokens[2] = "H"  # the last sentence below the tables
    everything = payment("Cnc", owners, tokens, 4)
    assert [seat for seat in range(4) if everything[seat]] == [0, 1, 3]


def test_the_round_of_stella_is_worth_what_the_page_says():
    text = section(page("stella"), "A worked round")
    crosses = {int(seat): cards.split() for seat, cards in (row for row in rows(text) if len(row) == 2)}
    shows = [row for row in rows(text) if len(row) == 4]
    deal = complete_deal({"options": {"word_vote": False}, "first": 0})
    moves = [crosses, *(f"show {card}" for _, card, _, _ in shows)]
    stella = GAMES["stella"]
    *before, last = replay(stella, deal, 3, moves)
    views = [stella.view(step.state, None) for step in before[1:]]
    assert [int(row[0]) for row in shows] == [view["scout"] for view in views]
    stars = [stella.view(step.state, None)["stars"] for step in before[2:]]
    assert [[int(n) for n in row[3].split(", ")] for row in shows[:-1]] == stars
    (score,) = (event for event in last.events if event.kind == "score")
    assert ((3, 5, 2), "3, 5 and 2 points") == (
        tuple(score.public["scores"]),
        re.findall(r"\d, \d and \d points", " ".join(text.split()))[0],
    )
