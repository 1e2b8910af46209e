"""Positions of the games with their options and points, which authors in any language test against.

`python tests/support/positions.py` writes `engines/GAME/positions.json` again.  The positions are those of
random matches: for each table size and each kind of decision the middle one, and the end.  Stellar's cards
lie face up where they can, because random moves would turn most of them down.
"""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2])]

from engines import GAMES
from engines.game import Choice, Game, Json, Move, OneOf, Seat
from engines.playout import PlayoutStep, playout
from engines.stellar.scoring import points

ENGINES = Path(__file__).resolve().parents[2] / "engines"
NAMES = ("stella-quest", "starry-sky", "stellar", "stella")
ABOUT = "Positions of random matches, for tests of your own program. README.md says what they contain."
SEEDS = {"stella": (1,)}
"""The matches for each table size: two, or one where views are long."""


def path_of(name: str) -> Path:
    """Return the file with the positions of the game *name*."""
    return ENGINES / name.replace("-", "_") / "positions.json"


def positions_of(name: str) -> dict[str, Json]:
    """Return the content of the file with the positions of the game *name*."""
    game = GAMES[name]
    matches = [
        (seats, [*playout(game, game.deal(seats, rng), seats, partial(_move, rng))])
        for seats in game.seats
        for seed in SEEDS.get(name, (1, 2))
        for rng in [Random(f"{seed} at {seats}")]
    ]
    found: dict[str, Json] = {"about": ABOUT, "game": name, "version": game.version}
    found["positions"] = [position for _, match in matches for position in _positions(game, match)]
    if name == "starry-sky":
        found["boards"] = [
            {"seats": seats, **board}
            for seats, match in matches
            for board in game.view(match[-1].state, None)["scored"]
        ]
    if name == "stella":
        found["rounds"] = [entry for seats, match in matches for entry in _rounds(game, seats, match)]
    return found


def _move(rng: Random, state: Any, seat: Seat, choice: Choice) -> Move:
    """Return a random move, face up if there is one."""
    if isinstance(choice, OneOf):
        choice = OneOf(tuple(o for o in choice.options if not o.endswith(" down")) or choice.options)
    return choice.sample(rng)


def _positions(game: Game[Any], match: Sequence[PlayoutStep[Any]]) -> Iterator[dict[str, Json]]:
    """Yield the middle decision of each kind in *match*, then its end as seat 0 sees it."""
    kinds: dict[str, list[tuple[int, dict[str, Json]]]] = {}
    for i, played in enumerate(match[:-1]):
        seat = min(game.choices(played.state))
        view = game.view(played.state, seat)
        kinds.setdefault(view.get("step", "place"), []).append((i, view))
    middle = [decisions[len(decisions) // 2] for decisions in kinds.values()]
    for i, view in sorted(middle, key=lambda found: found[0]):
        choice = game.choices(match[i].state)[view["seat"]]
        yield {"view": view, "choice": choice.to_json(), **_points(game, view)}
    last = game.view(match[-1].state, 0)
    yield {"view": last, "choice": None, **_points(game, last), "ranks": game.outcome(match[-1].state).ranks}


def _points(game: Game[Any], view: Mapping[str, Json]) -> dict[str, Json]:
    """Return the points in *view* by seat: as they stand, and what they come from."""
    found: dict[str, Json] = {"points": game.points(view)}
    if game.name == "stellar":
        found["scores"] = points(view["telescopes"], view["notebooks"])
    if game.name == "stella-quest":
        seats = zip(view["lights"], view["collections"], strict=True)
        found["scores"] = [
            {"lights": lights, "jewels": total - lights, "total": total}
            for (lights, _), total in zip(seats, found["points"], strict=True)
        ]
    return found


def _rounds(game: Game[Any], seats: int, match: Sequence[PlayoutStep[Any]]) -> Iterator[dict[str, Json]]:
    """Yield the rounds of *match* with the crosses of all seats and the cards in the order shown."""
    entries = iter(game.view(match[-1].state, None)["rounds"])
    crosses: list[Sequence[str]] = []
    shown: list[dict[str, Json]] = []
    for played in match:
        if all(isinstance(move, tuple) for move in played.moves.values()) and played.moves:
            crosses = [[*played.moves[seat]] for seat in range(seats)]
            shown = []
        for event in played.events:
            if event.kind == "show":
                shown.append({"seat": event.public["seat"], "card": event.public["card"]})
            if event.kind == "score":
                entry = next(entries)
                told = {key: entry[key] for key in ("counts", "dark", "fallen", "stars", "scores")}
                yield {"seats": seats, "cards": entry["cards"], "crosses": crosses, "shown": shown, **told}


def text_of(content: Mapping[str, Json]) -> str:
    """Return *content* as JSON with one position in a line."""
    parts = []
    for key, value in content.items():
        if isinstance(value, list):
            rows = ",\n  ".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in value)
            parts.append(f"{json.dumps(key)}: [\n  {rows}\n ]")
        else:
            parts.append(f"{json.dumps(key)}: {json.dumps(value)}")
    return "{" + ",\n ".join(parts) + "}\n"


def write() -> None:
    """Write the files of all games."""
    for name in NAMES:
        path_of(name).write_text(text_of(positions_of(name)), "utf-8")


if __name__ == "__main__":
    write()
