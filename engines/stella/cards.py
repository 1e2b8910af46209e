"""The cards of a match: the pictures of its deck by codes, and everything that is fixed before it begins.

A picture has a name, its id, and a code, a small integer: its place in the deck.  Names are what bots and
records read; the rules work with codes.
"""

from functools import lru_cache
from typing import final

from engines.game import Seat
from engines.json_bytes import dumps, quote_words
from engines.stella.deck import Deck, Pair, picture_json
from engines.stella.moves import SHOW_WORD


@final
class Cards:
    """A deck by codes: lists by code, and their inverses."""

    __slots__ = (
        *("codes", "deck", "name_words", "names", "picture_words"),
        *("show_codes", "show_words", "shows", "word_cards", "word_codes"),
    )
    deck: Deck
    names: list[str]
    codes: dict[str, int]
    """The code of every name."""
    shows: list[str]
    """The move that shows a card."""
    show_codes: dict[str, int]
    """The card that a move shows."""
    name_words: list[bytes]
    """The name as JSON."""
    show_words: list[bytes]
    """The move that shows a card, as JSON."""
    picture_words: list[bytes]
    """All of a picture as JSON."""
    word_cards: list[dict[str, list[Pair]]]
    """The word cards by the word at the top, then by the word printed upside down."""
    word_codes: dict[str, int]
    """A number from 1 on for every word, in the order of the word cards, then of the discovery cards."""


@lru_cache(maxsize=16)
def cards_of(deck: Deck) -> Cards:
    """Return *deck* by codes."""
    cards = Cards()
    cards.deck = deck
    cards.names = [*deck.pictures]
    cards.codes = {name: code for code, name in enumerate(cards.names)}
    cards.shows = [SHOW_WORD + name for name in cards.names]
    cards.show_codes = {move: code for code, move in enumerate(cards.shows)}
    cards.name_words = quote_words(cards.names)
    cards.show_words = quote_words(cards.shows)
    cards.picture_words = [dumps(picture_json(picture)) for picture in deck.pictures.values()]
    cards.word_cards = [{}, {}]
    for pair in deck.words:
        for word, side in zip(pair, cards.word_cards, strict=True):
            side.setdefault(word, []).append(pair)
    words = [word for pair in (*deck.words, *deck.discovery) for word in pair]
    cards.word_codes = {word: code for code, word in enumerate(dict.fromkeys(words), 1)}
    return cards


@final
class Grid:
    """The pictures of a round.  It never changes: copies of a state and past rounds share it."""

    __slots__ = ("cards", "choice_written", "names", "written")

    def __init__(self, cards: list[int], deck: Cards) -> None:
        self.cards = cards
        """The codes of the pictures, which are in *deck*, row by row from the top."""
        names = deck.names
        self.names: list[str] = [names[card] for card in cards]
        self.written = b""
        """The pictures as JSON, for the next view; empty until the first one asks for it."""
        self.choice_written = b""
        """The choice of decision 2 as JSON, kept likewise."""


@final
class Luck:
    """Everything that is fixed before the match.  It never changes: copies of a state share it."""

    __slots__ = ("cards", "first", "first_game", "order", "seats", "word_vote", "words", "written")

    def __init__(
        self,
        seats: int,
        first: Seat,
        word_vote: bool,
        first_game: bool,
        cards: Cards,
        order: list[int],
        words: tuple[Pair, ...],
    ) -> None:
        self.seats, self.first, self.word_vote, self.first_game = seats, first, word_vote, first_game
        self.cards = cards
        self.order = order
        """All cards, in the order in which they come to the grid."""
        self.words = words
        """One word card per round."""
        self.written = b""
        """The beginning of a view, kept like a grid."""
