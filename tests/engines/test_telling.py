"""Texts that can be played from: they offer what is offered, tell what happened, and are short."""

import json
import re
from collections.abc import Mapping
from random import Random
from typing import Any, NamedTuple

import pytest
from support import text_reader
from support.documents import blocks
from support.places import ROOT
from support.short_game import Showdown

from engines import GAMES, decide, find_policy
from engines.contract.texts import wide_lines
from engines.game import Json, Move, Seat
from engines.page import fill_lines
from engines.template import Toy
from engines.wording import tell_rules, tell_view

TOKEN = re.compile(r" ?[^\W\d_]{1,8}|\d{1,3}| ?[^\w\s]{1,2}|\n+| +|\s|_")
"""Stands in for the tokenizers of language models, without a file of a vocabulary.

A token is a piece of up to eight letters of a word, with the space before it; up to three digits; a sign, or
two, with the space before them; a run of line ends, or of spaces.  At the mean of the texts of a game this is
within 3 % of o200k, the vocabulary of GPT-4o and its successors, and of cl100k, that of GPT-4.
"""
MOST = 620
"""Tokens of a text, at the mean of the decisions of a game at one table size."""
PLAYED = [*GAMES.values(), Toy()]
each_table = pytest.mark.parametrize(
    ("game", "seats"),
    [(game, seats) for game in PLAYED for seats in game.seats],
    ids=lambda each: getattr(each, "name", None),
)


class Decision(NamedTuple):
    """A decision of a seat, and the text that it reads."""

    seat: Seat
    choice: Any
    view: Mapping[str, Json]
    events: list[dict[str, Json]]
    text: str


def decisions(game, seats, rng, choose):
    """Play a match with the moves that *choose* makes of decisions; yield each decision."""
    options = {key: rng.choice(values) for key, values in game.options.items()}
    step = game.start(game.deal(seats, rng, options), seats)
    news: list[list[dict[str, Json]]] = [[] for _ in range(seats)]
    while True:
        for seat in range(seats):
            news[seat] += [event.seen_by(seat) for event in step.events]
        moves: dict[Seat, Move] = {}
        for seat, choice in game.choices(step.state).items():
            view = game.view(step.state, seat)
            made = Decision(seat, choice, view, news[seat], tell_view(game, view, news[seat]))
            yield made
            moves[seat] = choice.check(choose(made))
            news[seat] = []
        if not moves:
            return
        step = game.play(step.state, moves)


@each_table
def test_a_player_that_reads_the_text_alone_finds_all_its_moves_and_makes_legal_ones(game, seats):
    rng = Random(seats)
    for _ in range(2):
        for made in decisions(game, seats, rng, lambda made: text_reader.offered(made.text).pick(rng)):
            offer = text_reader.offered(made.text)
            assert sorted(made.choice.options) == sorted(offer.options), made.text
            if offer.several:
                assert (made.choice.low, made.choice.high) == (offer.low, offer.high)


@each_table
def test_the_example_of_a_text_is_a_legal_move(game, seats):
    for made in decisions(game, seats, Random(seats), lambda made: text_reader.example(made.text)):
        assert made.choice.check(text_reader.example(made.text))


@each_table
def test_a_text_with_events_is_that_without_them_and_what_happened(game, seats):
    rng, told = Random(seats), 0
    for made in decisions(game, seats, rng, lambda made: made.choice.sample(rng)):
        paragraphs = made.text.split("\n\n")
        news = [each for each in paragraphs if each.startswith("Since your last decision:")]
        told += len(news)
        rest = [each for each in paragraphs if each not in news]
        if game.name in GAMES:  # each event has a phrase, also without the fields that the view tells
            fields = rf" ({'|'.join(event['event'] for event in made.events) or '-'}): (?!seat)[a-z]+ "
            assert not re.search(fields, " ".join(news).lower()), news
        assert game.text(made.view) == "\n\n".join(rest)
        assert [] == wide_lines(made.text, 100)
        assert all(line.isprintable() for line in made.text.splitlines())
    assert told


def test_a_text_says_what_the_others_did_since_the_last_decision():
    rng = Random(3)
    for made in decisions(GAMES["stellar"], 2, rng, lambda made: made.choice.sample(rng)):
        for event in made.events:
            if event["event"] == "take":
                assert f"Seat {event['seat']} takes {event['card']} from place" in " ".join(made.text.split())


def test_items_fill_lines():
    items = ["a" * 30, "b" * 30, "c" * 40]
    assert [f"Row: {items[0]}, {items[1]},", f"  {items[2]}."] == [*fill_lines("Row:", items, ",", ".")]


def test_a_game_whose_text_takes_a_view_alone_is_told_as_before():
    game = Showdown()
    view = game.view(game.start(game.deal(2, Random(1)), 2).state, 0)
    assert game.text(view) == tell_view(game, view, [{"event": "start"}])


def greedy(game):
    policy = find_policy(GAMES[game], "greedy-1")
    return lambda made: decide(GAMES[game], policy, made.view, Random(0))


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), [(game, seats) for game in GAMES for seats in GAMES[game].seats])
def test_a_text_has_at_most_620_tokens_at_the_mean(game, seats):
    rng = Random(5)
    counts = [
        len(TOKEN.findall(made.text))
        for _ in range(2)
        for made in decisions(GAMES[game], seats, rng, greedy(game))
    ]
    assert sum(counts) / len(counts) <= MOST


def test_rules_are_the_summary_and_the_options_of_the_match():
    stellar, stella = GAMES["stellar"], GAMES["stella"]
    told = tell_rules(stellar, {"face_down_number": "three"})
    assert told == f'{stellar.summary.rstrip()}\n\nIn this match face_down_number: "three".\n'
    assert tell_rules(GAMES["starry-sky"], {}) == GAMES["starry-sky"].summary.rstrip() + "\n"
    own = {"word_vote": True, "first_game": False, "deck": {"cards": [{"id": "x" * 40}]}}
    told = tell_rules(stella, own)
    assert told.endswith("\nIn this match word_vote: true; first_game: false; deck: see options.\n")
    assert "x" * 40 not in told


@pytest.mark.parametrize("game", GAMES)
def test_the_page_of_a_game_shows_the_text_of_its_example(game):
    page = (ROOT / "engines" / game.replace("-", "_") / "README.md").read_text("utf-8")
    events, view = (json.loads(block) for block in blocks("json", page))
    assert tell_view(GAMES[game], view, events) in blocks("text", page)
