"""The keys of cards in pictures: a card keeps its key on its way from the row to its place."""

from collections import Counter
from collections.abc import Mapping
from itertools import zip_longest

from engines.game import Json, Seat
from engines.stellar.cards import DOWN


class CardKeys:
    """The keys of all cards in sight.  Of two equal cards the one that was laid down first is number 1.

    What lies in a telescope is in the order of play.  A notebook does not tell when it got a card: its cards
    come after those of telescopes, so two equal cards may change places there.
    """

    def __init__(self, view: Mapping[str, Json], hands: Mapping[Seat, list[str]]) -> None:
        self._numbers: Counter[str] = Counter()
        self.telescopes: list[dict[str, str]] = [{}, {}]
        first, telescopes = view["first"], [[*telescope.items()] for telescope in view["telescopes"]]
        for turn in zip_longest(telescopes[first], telescopes[1 - first]):
            for seat, laid in zip((first, 1 - first), turn, strict=True):
                if laid:
                    self.telescopes[seat][laid[0]] = self._key(laid[1].removesuffix(DOWN))
        self.notebooks = [[self._key(card) for card in notebook] for notebook in view["notebooks"]]
        self.waiting = self._key(view["waiting"]) if "waiting" in view else None
        self.thrown = [self._key(card) for card in view.get("thrown", ())]
        self.hands = {
            seat: [self._key(card) for card in hands.get(seat, view["known"][seat])] for seat in range(2)
        }
        self.row = [self._key(card) if card else None for card in view["row"]]

    def _key(self, card: str) -> str:
        self._numbers[card] += 1
        return f"card-{card}-{self._numbers[card]}"
