"""What the events of the game say, as engines.news tells them."""

from typing import Final

PHRASES: Final = {
    "start": "{seats} seats; {first:seat} is the first scout",
    "round": "Round {round} begins with {places:count} new pictures"
    "[; the word is {word}][; the words are {words}]",
    "vote": "The word is {word}",
    "announce": "All have crossed[: {counts:each}][; {dark:seat} is in the dark][; {scout:seat} shows first]"
    "[; crossed: {crosses}]",
    "show": "{seat} shows {card}[; crossed by {crossed:those}][; {scout:seat} is the next scout]",
    "fall": "{seat} falls",
    "score": "Round {round} is over[; stars: {stars:each}][; points of the round: {scores:each}]",
}
