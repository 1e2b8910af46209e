"""What the events of the game say, as engines.news tells them."""

from typing import Final

_SHUFFLED: Final = "[reshuffled?; the discards are the new pile]"
PHRASES: Final = {
    "start": "{first:seat} begins[; starters in hand: {hand}]",
    "starters": "Starters: {moves:each}; the others go into the notebooks: {notebooks:each}",
    "deal": "The row is dealt[: {row}][; new in hand: {hand}]",
    "keep": "{seat} keeps the row",
    "wipe": "{seat} discards the row[; the new one is {row}]" + _SHUFFLED,
    "take": "{seat} takes {card} from place {slot}",
    "play": "{seat} plays {move}; the matching card is {card}[ from place {slot}][slot! from the pile]"
    + _SHUFFLED,
    "place": "{seat} places {move}[; the row is {row}]" + _SHUFFLED,
    "final": "Last cards: {moves:each}; thrown away: {thrown:each}; points: {scores:points}",
}
