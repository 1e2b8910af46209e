"""Views: everything that a seat knows, built up from nothing."""

from __future__ import annotations

from engines.game import Json, Seat
from engines.stella.luck import options_json
from engines.stella.state import Past, State, pick

__all__ = ["view"]


def view(state: State, seat: Seat | None) -> dict[str, Json]:
    """Return everything that *seat* knows; None is a spectator, who knows what is public."""
    luck, step, round_, _, shown, fallen, stars, sparks, scores, past, asked = state
    number, grid, word, flipped, crosses, counts, dark = round_
    seen: dict[str, Json] = {
        "seats": luck.seats,
        "options": options_json(luck.word_vote, luck.first_game, luck.deck),
        "first": luck.first,
        "round": number,
        "step": step,
        "grid": [
            {"id": name, "text": text, "tags": [*tags]}
            if image is None
            else {"id": name, "text": text, "tags": [*tags], "image": image}
            for name, text, tags, image in grid.pictures
        ],
        "word": word,
        "flipped": flipped,
        "counts": [*counts],
        "dark": dark,
        "scout": next(iter(asked)) if step == "show" else None,
        "shown": {card: [*crossed] for card, crossed in shown.items()},
        "fallen": [*fallen],
        "stars": [*stars],
        "sparks": [*sparks],
        "rounds": [*map(_past_json, past)],
        "scores": [*scores],
    }
    if step == "vote":
        seen["words"] = [*luck.words[number - 1]]
    if seat is not None:
        seen["seat"] = seat
        seen["crosses"] = [*pick(grid.cards, crosses[seat])] if crosses else []
        seen["past_crosses"] = [[*pick(over.round.grid.cards, over.round.crosses[seat])] for over in past]
    return seen


def _past_json(past: Past) -> dict[str, Json]:
    """Return the public facts about a finished round (D8)."""
    (_, grid, word, flipped, _, counts, dark), shown, fallen, stars, scores = past
    return {
        "cards": [*grid.cards],
        "word": word,
        "flipped": flipped,
        "counts": [*counts],
        "dark": dark,
        "shown": {card: [*crossed] for card, crossed in shown.items()},
        "fallen": [*fallen],
        "stars": [*stars],
        "scores": [*scores],
    }
