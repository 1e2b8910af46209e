"""The pictures and word cards, from the data file beside this module or from a user's own deck.

A deck is data with the keys of deck.json, as json.load or tomllib.load returns it.  Pass the content of a
file to `checked_deck`, which names the fault of a deck that cannot be used.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias
from unicodedata import category

from engines.game import Json

FEWEST_CARDS: Final = 30
"""The cards of a match: a grid of 15, then three rows of 5."""
DISCOVERY: Final = 4
"""The number of discovery word cards, and of the word cards of a match."""
MOST_TAGS: Final = 20
LONGEST: Final = {"id": 40, "text": 1_000, "tag": 40, "word": 100, "image": 2_000}
"""The most characters of each kind of text: every view carries fifteen cards or more."""
_DECK_KEYS: Final = ("cards", "words", "discovery", "about")
_CARD_KEYS: Final = ("id", "text", "tags", "image")
_CONTROLS: Final = {"Cc", "Cs", "Zl", "Zp"}
"""The Unicode categories that do not belong in one line of text; non-breaking blanks and joiners do."""

Pair: TypeAlias = tuple[str, str]
"""A word card: the word at the top, and the word printed upside down."""


class PictureCard(NamedTuple):
    """A picture card, described in words."""

    id: str
    text: str
    tags: tuple[str, ...]
    image: str | None = None
    """A path or a URL, for bots and programs that can show it."""


class Deck(NamedTuple):
    """The pictures and words that a match is dealt from."""

    pictures: dict[str, PictureCard]
    """Every picture by its id.  Never changed in place."""
    words: tuple[Pair, ...]
    discovery: tuple[Pair, ...]
    """The word cards of a first game, in order; empty if a user's deck has words but no discovery words."""

    def __hash__(self) -> int:
        return hash((*self.pictures, self.words))


def trusted_deck(deck: Mapping[str, Json]) -> Deck:
    """Build a deck from data that has been checked; the default deck supplies what is missing."""
    pictures = {
        card["id"]: PictureCard(card["id"], card["text"], tuple(card.get("tags", ())), card.get("image"))
        for card in deck["cards"]
    }
    if "words" not in deck:
        return Deck(pictures, DEFAULT.words, _pairs(deck.get("discovery", DEFAULT.discovery)))
    return Deck(pictures, _pairs(deck["words"]), _pairs(deck.get("discovery", ())))


def _pairs(cards: Iterable[Json]) -> tuple[Pair, ...]:
    return tuple((top, upside_down) for top, upside_down in cards)


DEFAULT: Final = trusted_deck(json.loads((Path(__file__).parent / "deck.json").read_text("utf-8")))


def picture_json(picture: PictureCard) -> dict[str, Json]:
    """Return *picture* as JSON for bots."""
    name, text, tags, image = picture
    seen = {"id": name, "text": text, "tags": [*tags]}
    return seen if image is None else seen | {"image": image}


def deck_json(deck: Deck) -> dict[str, Json]:
    """Return a user's own deck as a rule option, without the word cards of the default deck."""
    data: dict[str, Json] = {"cards": [*map(picture_json, deck.pictures.values())]}
    if deck.words != DEFAULT.words:
        data["words"] = [[*pair] for pair in deck.words]
    if deck.discovery not in ((), DEFAULT.discovery):
        data["discovery"] = [[*pair] for pair in deck.discovery]
    return data


def options_json(word_vote: bool, first_game: bool, deck: Deck) -> dict[str, Json]:
    """Return all rule options, with the deck only if it is a user's own."""
    options: dict[str, Json] = {"word_vote": word_vote, "first_game": first_game}
    if deck != DEFAULT:
        options["deck"] = deck_json(deck)
    return options


def checked_deck(deck: Json) -> Deck:
    """Check *deck* and build it.  Raises ValueError, which names the fault, if it cannot be used.

    "cards" is a list of at least 30 tables with an "id", a "text" and, if you like, "tags" and an "image";
    "words" (at least four) and "discovery" (exactly four) are lists of pairs of words and may be missing.
    """
    _check_keys("the deck", deck, _DECK_KEYS, ("cards",))
    if not isinstance(about := deck.get("about", ""), str):
        raise ValueError(f"expected 'about' of the deck as a text, got: {_short(about)}")
    cards = deck["cards"]
    if not isinstance(cards, (list, tuple)):
        raise ValueError(f"expected 'cards' of the deck as a list, in TOML [[cards]], got: {_short(cards)}")
    if len(cards) < FEWEST_CARDS:
        raise ValueError(f"expected at least {FEWEST_CARDS} cards in the deck, got: {len(cards)}")
    numbers: dict[str, int] = {}
    for number, card in enumerate(cards, 1):
        _check_card(f"card {number} of the deck", card)
        first = numbers.setdefault(card["id"], number)
        if first != number:
            both = f"in cards {first} and {number}"
            raise ValueError(f"expected different ids in the deck, got {card['id']!r} {both}")
    _check_word_cards("words", deck.get("words", DEFAULT.words))
    _check_word_cards("discovery", deck.get("discovery", DEFAULT.discovery))
    return trusted_deck(deck)


def _check_card(what: str, card: Json) -> None:
    _check_keys(what, card, _CARD_KEYS, ("id", "text"))
    name = card["id"]
    _check_text(f"the id of {what}", name, "id")
    if name.split() != [name] or not name.isprintable():
        raise ValueError(f"expected the id of {what} without blanks, got: {_short(name)}")
    what = f"{what} ({name})"
    _check_text(f"the text of {what}", card["text"], "text")
    tags = card.get("tags", ())
    if not isinstance(tags, (list, tuple)):
        raise ValueError(f"expected the tags of {what} as a list, got: {_short(tags)}")
    if len(tags) > MOST_TAGS:
        raise ValueError(f"expected at most {MOST_TAGS} tags of {what}, got: {len(tags)}")
    for tag in tags:
        _check_text(f"every tag of {what}", tag, "tag")
    if "image" in card:
        _check_text(f"the image of {what}, a path or a URL,", card["image"], "image")


def _check_word_cards(key: str, cards: Json) -> None:
    if not isinstance(cards, (list, tuple)):
        raise ValueError(f"expected {key} of the deck as a list of pairs of words, got: {_short(cards)}")
    if len(cards) < DISCOVERY or (key == "discovery" and len(cards) > DISCOVERY):
        bound = "exactly" if key == "discovery" else "at least"
        raise ValueError(f"expected {bound} {DISCOVERY} pairs in {key} of the deck, got: {len(cards)}")
    for number, pair in enumerate(cards, 1):
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise ValueError(f"expected pair {number} in {key} of the deck as two words, got: {_short(pair)}")
        for word in pair:
            _check_text(f"each word of pair {number} in {key} of the deck", word, "word")


def _check_keys(what: str, table: Json, known: tuple[str, ...], needed: tuple[str, ...]) -> None:
    if not isinstance(table, Mapping):
        raise ValueError(f"expected {what} as a table, got: {_short(table)}")
    for key in table:
        if key not in known:
            raise ValueError(f"unknown key {_short(key)} in {what}{_suggest_key(key, known)}")
    for key in needed:
        if key not in table:
            raise ValueError(f"expected {what} to have the key {key!r}")


def _suggest_key(key: Json, known: tuple[str, ...]) -> str:
    from difflib import get_close_matches  # needed only for an error

    if key in _DECK_KEYS:  # in TOML every key after [[cards]] belongs to the card
        return "; it belongs above the first card"
    close = get_close_matches(str(key), known, 1)
    return f"; did you mean {close[0]!r}?" if close else f"; known: {', '.join(known)}"


def _check_text(what: str, text: Json, kind: str) -> None:
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"expected {what} as a text that is not empty, got: {_short(text)}")
    if len(text) > LONGEST[kind]:
        found = f"{len(text)}: {_short(text)}"
        raise ValueError(f"expected {what} in at most {LONGEST[kind]} characters, got {found}")
    if not text.isprintable() and any(category(sign) in _CONTROLS for sign in text):
        raise ValueError(f"expected {what} in one line without control characters, got: {_short(text)}")


def _short(value: Json) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
