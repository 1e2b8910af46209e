"""The effect of each move: the next state and its events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engines.game import NOTHING, Choice, Event, Json, Move, Seat, Step, new
from engines.stella.deck import picture_json
from engines.stella.moves import FLIP, VOTE, cross_choice, show_choice
from engines.stella.scoring import SPARK, SUPER_SPARK, alone_in_the_lead, round_scores
from engines.stella.state import (
    AFTER,
    CLEAN,
    EVERYWHERE,
    PLACES,
    ROUNDS,
    Grid,
    Luck,
    Past,
    Round,
    State,
    places_of_round,
)

__all__ = ["TOGETHER", "begin_round", "show"]


def begin_round(
    luck: Luck, past: tuple[Past, ...], scores: tuple[int, ...], told: tuple[Event, ...]
) -> Step[State]:
    """Begin a round: new cards, a new word, and a vote on it if the option is on (SD22, D5, D6)."""
    number = len(past) + 1
    places = places_of_round(number)
    cards = luck.cards[:PLACES]
    if past:
        dealt = PLACES + len(places) * (number - 2)
        before = past[-1].round.grid.cards
        cards = (
            *before[: places.start],
            *luck.cards[dealt : dealt + len(places)],
            *before[places.stop :],
        )
    grid = Grid.of(cards, luck.deck)
    words = luck.words[number - 1]
    news: dict[str, Json] = {
        "round": number,
        "places": [*places],
        "cards": [picture_json(grid.pictures[place]) for place in places],
    }
    choice: Choice
    word: str | None
    word, step, choice = words[0], "associate", cross_choice(grid)
    if luck.word_vote:
        word, step, choice = None, "vote", VOTE
        news["words"] = [*words]
    else:
        news["word"] = word
    clean = CLEAN[luck.seats]
    round_ = Round(number, grid, word, False, (), (), None)
    asked: dict[Seat, Choice] = dict.fromkeys(range(luck.seats), choice)
    state = State(luck, step, round_, EVERYWHERE, {}, (), clean, clean, scores, past, asked)
    return Step(state, (*told, Event("round", news)))


def vote(state: State, moves: Sequence[Move]) -> Step[State]:
    """Decision 1, all seats: flip the word card only if all say so; only the result is public (SD2, D4)."""
    luck, before = state.luck, state.round
    flipped = all(move == FLIP for move in moves)
    word = luck.words[before.number - 1][flipped]
    round_ = before._replace(word=word, flipped=flipped)
    asked: dict[Seat, Choice] = dict.fromkeys(state.asked, cross_choice(before.grid))
    after = state._replace(step="associate", round=round_, asked=asked)
    return Step(after, (Event("vote", {"flipped": flipped, "word": word}),))


def associate(state: State, moves: Sequence[Move]) -> Step[State]:
    """Decision 2, all seats: make crosses; publish the counts and the seat in the dark (SD5, D13)."""
    luck, before = state.luck, state.round
    grid = before.grid
    crosses = tuple([sum([grid.bits[card] for card in move]) for move in moves])
    counts = tuple(map(len, moves))
    dark = alone_in_the_lead(counts)
    scout = (luck.first + before.number - 1) % luck.seats
    round_ = Round(before.number, grid, before.word, before.flipped, crosses, counts, dark)
    asked: dict[Seat, Choice] = {scout: show_choice(grid, crosses[scout])}
    news = {"counts": [*counts], "dark": dark, "scout": scout}
    private = {seat: {"crosses": [*move]} for seat, move in enumerate(moves)}
    return Step(state._replace(step="show", round=round_, asked=asked), (Event("announce", news, private),))


def show(state: State, seat: Seat, move: str) -> Step[State]:
    """Decision 3: show a card, for a spark, a super-spark or a fall; then ask the next scout (SD7 to D12)."""
    luck, _, round_, hidden, shown, fallen, stars, sparks, scores, past, _ = state
    _, grid, _, _, crosses, _, _ = round_
    card = move[5:]
    place = grid.bits[card]
    crossed = [who for who, marks in enumerate(crosses) if marks & place]
    falls = len(crossed) == 1
    if falls:
        fallen = tuple(sorted((*fallen, seat)))
    else:
        stars, sparks = _fill_stars(crossed, fallen, stars, sparks)
    shown = {**shown, card: tuple(crossed)}
    hidden ^= place

    scout, asked = None, {}
    for who in AFTER[luck.seats][seat]:
        if crosses[who] & hidden and who not in fallen:
            scout, asked = who, {who: show_choice(grid, crosses[who] & hidden)}
            break
    news = {"seat": seat, "card": card, "crossed": crossed, "stars": [*stars], "scout": scout}
    told: tuple[Event, ...] = (new(Event, ("show", news, NOTHING)),)
    if falls:
        told = (*told, new(Event, ("fall", {"seat": seat}, NOTHING)))
    after = new(State, (luck, "show", round_, hidden, shown, fallen, stars, sparks, scores, past, asked))
    return new(Step, (after, told)) if asked else _score_round(after, told)


def _fill_stars(
    crossed: Sequence[Seat], fallen: Sequence[Seat], stars: Sequence[int], sparks: Sequence[int]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the stars and sparks of all seats after a card that several had crossed (SD7 to SD9)."""
    worth = SUPER_SPARK if len(crossed) == 2 else SPARK
    stars, sparks = [*stars], [*sparks]
    for who in crossed:
        if who not in fallen:
            stars[who] += worth
            sparks[who] += 1
    return tuple(stars), tuple(sparks)


def _score_round(state: State, told: tuple[Event, ...]) -> Step[State]:
    """Score the round, then begin the next one or end the match (SD18 to SD20, SD23, D7, D8)."""
    luck, _, round_, _, shown, fallen, stars, sparks, before, past, _ = state
    scores = round_scores(stars, sparks, round_.dark, fallen)
    totals = tuple(map(sum, zip(before, scores, strict=True)))
    past = (*past, Past(round_, shown, fallen, stars, scores))
    news = {"round": round_.number, "stars": [*stars], "scores": [*scores]}
    told = (*told, Event("score", news))
    if round_.number < ROUNDS:
        return begin_round(luck, past, totals, told)
    return Step(state._replace(step="over", scores=totals, past=past), told)


TOGETHER: Final = {"vote": vote, "associate": associate}
"""The steps in which all seats choose at the same time, in secret."""
