"""Games as a package of others may offer them: strange, but by the rules; and how to install that package."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, ClassVar, NamedTuple

from engines import Choice, Event, Game, Move, OneOf, Outcome, Seat, Step
from engines.template import Toy
from support.command_line import ENVIRONMENT

LONG_NAMES = {
    "LatinName": "donaudampfschifffahrtsgesellschaftskapitaensmuetzenabzeichen",
    "HebrewName": ("שלום עולם " * 6).strip() + "!",
    "ChineseName": "星空之下的漫长旅程与归途" * 5,
    "EmojiName": "🎲" * 60,
}
"""By the class of the game: 60 characters of several scripts, some of them one word."""
STEPS = 500
"""How many steps a match of LongMatch has."""


class NoParts(Toy):
    """Draws its views, but does not say what can be clicked."""

    name: ClassVar[str] = "no-parts"
    parts_of = Game.parts_of


class NoPicture(Toy):
    """Fails to draw."""

    name: ClassVar[str] = "no-picture"

    def draw(self, *views: Mapping[str, Any], names: Sequence[str] = ()) -> Any:
        raise KeyError("no such card")

    def parts_of(self, view: Mapping[str, Any], option: str) -> Any:
        raise KeyError("no such card")


class Taken(NamedTuple):
    """How much each of two seats has taken; they take turns."""

    taken: tuple[int, int] = (0, 0)
    step: int = 0

    @property
    def asked(self) -> dict[Seat, Choice]:
        return {self.step % 2: OneOf(("take 0", "take 1"))} if self.step < STEPS else {}


class LongMatch(Game[Taken]):
    """A match has very many steps."""

    name: ClassVar[str] = "long-match"
    version: ClassVar[int] = 1
    seats: ClassVar[range] = range(2, 3)
    options: ClassVar[Mapping[str, tuple[Any, ...]]] = {}
    summary: ClassVar[str] = f"LONG MATCH: {STEPS} times, somebody takes something."

    def deal(self, seats: int, rng: Random, options: Mapping[str, Any] | None = None) -> dict[str, Any]:
        return {"options": {}, "luck": rng.random()}

    def start(self, deal: Mapping[str, Any], seats: int) -> Step[Taken]:
        return Step(Taken(), (Event("start", {"options": {}}, {}),))

    def choices(self, state: Taken) -> dict[Seat, Choice]:
        return state.asked

    def play(self, state: Taken, moves: Mapping[Seat, Move]) -> Step[Taken]:
        ((seat, move),) = moves.items()
        taken = [*state.taken]
        taken[seat] += move == "take 1"
        event = Event("take", {"seat": seat, "move": str(move)}, {})
        return Step(Taken((taken[0], taken[1]), state.step + 1), (event,))

    def outcome(self, state: Taken) -> Outcome:
        return Outcome.ranked(state.taken)

    def view(self, state: Taken, seat: Seat | None) -> dict[str, Any]:
        seen: dict[str, Any] = {"seats": 2, "options": {}, "taken": [*state.taken], "step": state.step}
        return seen if seat is None else seen | {"seat": seat}

    def imagine(self, view: Mapping[str, Any], rng: Random) -> Taken:
        first, second = view["taken"]
        return Taken((first, second), view["step"])

    def text(self, view: Mapping[str, Any], events: Sequence[Mapping[str, Any]] = ()) -> str:
        return f"LONG MATCH\ntaken: {view['taken']}\n"


def __getattr__(name: str) -> type[Toy]:
    """Return the game with a long name that has this class."""
    if name not in LONG_NAMES:
        raise AttributeError(name)
    return type(name, (Toy,), {"name": LONG_NAMES[name]})


def install_odd_games(folder: Path) -> dict[str, str]:
    """Install a package with these games in *folder*; return an environment for programs that find it."""
    classes = {each.name: each.__name__ for each in (NoParts, NoPicture, LongMatch)}
    classes |= {name: each for each, name in LONG_NAMES.items()}
    information = folder / "odd-1.0.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: odd\nVersion: 1.0\n")
    offers = "".join(f"{name} = support.odd_games:{each}\n" for name, each in classes.items())
    (information / "entry_points.txt").write_text(f"[ladder.games]\n{offers}", "utf-8")
    paths = (ENVIRONMENT["PYTHONPATH"], folder, Path(__file__).parents[1])
    return ENVIRONMENT | {"PYTHONPATH": os.pathsep.join(map(str, paths))}
