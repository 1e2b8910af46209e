"""Events in words: every event of every game has a phrase, and a phrase leaves out what is secret."""

from random import Random

import pytest

from engines import GAMES, playout
from engines.news import tell_event

PHRASES = {
    "play": "{seat} plays {card}[ from slot {slot}][slot! from the pile][shuffled?; shuffled]",
    "show": "{card}: {crossed:those}; {coins:each}; {scores:points}; {cards:count}",
}


@pytest.mark.parametrize(
    ("words", "event"),
    [
        ("Seat 1 plays C5 from slot 2", {"event": "play", "seat": 1, "card": "C5", "slot": 2}),
        (
            "The dummy plays C5 from the pile; shuffled".replace("The", "the"),
            {"event": "play", "seat": "dummy", "card": "C5", "slot": None, "shuffled": True},
        ),
        (
            "C5: Seat 0, Seat 2; Seat 0: 4, Seat 1: 1; Seat 0: 9, Seat 1: 8; 3",
            {
                "event": "show",
                "card": "C5",
                "crossed": [0, 2],
                "coins": [4, 1],
                "scores": [{"total": 9}, 8],
                "cards": ["a", "b", "c"],
            },
        ),
        ("play: seat 1, card none", {"event": "play", "seat": 1, "card": None}),
        (
            "new: who 3, more (a 1 2, b yes), none none",
            {"event": "new", "who": 3, "more": {"a": [1, 2], "b": True}, "none": []},
        ),
        ("end", {"event": "end"}),
    ],
)
def test_an_event_is_told_by_its_phrase_or_else_field_by_field(words, event):
    phrases = PHRASES if event.get("card", "") is not None else {}
    assert words == tell_event(event, phrases)


def test_the_names_of_seats_can_be_those_of_bots_and_are_not_read_as_phrases():
    event = {"event": "play", "seat": 0, "card": "{slot}", "slot": 3}
    assert "[x] {card} plays {slot} from slot 3" == tell_event(event, PHRASES, ["[x] {card}"])


def test_what_each_seat_was_told_is_told_seat_by_seat():
    assert "deal: hand Seat 0: A B, Seat 1: C" == tell_event(
        {"event": "deal", "hand": {0: ["A", "B"], 1: ["C"]}}, {}
    )


@pytest.mark.parametrize(
    ("name", "seats"), [("stellar", 2), ("starry-sky", 3), ("stella-quest", 2), ("stella", 4)]
)
def test_every_event_of_a_game_has_a_phrase_for_all_who_see_it(name, seats):
    game, rng = GAMES[name], Random(7)
    for _ in range(3):
        for step in playout(game, game.deal(seats, rng), seats, rng):
            for event in step.events:
                for seat in (None, *range(seats)):
                    told = game.tell(event.seen_by(seat))
                    assert told != tell_event(event.seen_by(seat), {})
                    assert not set("{}[]") & set(told)


@pytest.mark.parametrize(
    ("name", "seats"), [("stellar", 2), ("starry-sky", 3), ("stella-quest", 3), ("stella", 4)]
)
def test_the_points_so_far_end_as_the_scores_and_are_the_same_for_all(name, seats):
    game, rng = GAMES[name], Random(7)
    for step in playout(game, game.deal(seats, rng), seats, rng):
        points = game.points(game.view(step.state, None))
        assert seats == len(points)
        assert all(points == game.points(game.view(step.state, seat)) for seat in range(seats))
    assert game.outcome(step.state).scores == points
