"""A player that reads nothing but texts, as a language model does: what it may do, and how to say it."""

import json
import re
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import NamedTuple

from engines.game import Json

_CARRIED_ON = re.compile(r"\n  +(?=\S)")
_EXAMPLE = re.compile(r'^Answer with .* like (".*"|\[.*\])\.$', re.MULTILINE)
_BOARD = re.compile(r"^(\w+): prizes .*?; lines [-\d, ]+ free ([\d* ]+|none)", re.MULTILINE)


class Offer(NamedTuple):
    """What a text offers: from *low* to *high* of *options*, of which one is a move if *several* is false."""

    options: list[str]
    low: int = 1
    high: int = 1
    several: bool = False

    def pick(self, rng: Random) -> Json:
        """Return one of the moves, at random."""
        if not self.several:
            return rng.choice(self.options)
        return rng.sample(self.options, rng.randint(self.low, self.high))


def example(text: str) -> Json:
    """Return the move that *text* shows as an example."""
    (found,) = _EXAMPLE.findall(text)
    return json.loads(found)


def offered(text: str) -> Offer:
    """Return all that *text* offers, whatever the game."""
    lines = _CARRIED_ON.sub(" ", text)
    if several := re.search(r"^Answer with a list of (\d+) to (\d+) names", lines, re.MULTILINE):
        if chosen := re.search(r"^You may choose: (.*)$", lines, re.MULTILINE):
            return Offer(chosen[1].split(", "), int(several[1]), int(several[2]), True)
        rows = lines.partition("Top row:\n")[2].partition("\n\n")[0].split("\n")
        names = [row.split()[0] for row in rows if not row.endswith(" row:")]
        return Offer(names, int(several[1]), int(several[2]), True)
    return Offer([*dict.fromkeys(_ones(lines))])


def _ones(lines: str) -> Iterator[str]:
    """Yield the moves of which one is a move."""
    if hand := re.search(r"^Your hand: (.*)\nAnswer with TOKEN@BOARD.STAR", lines, re.MULTILINE):
        for board, free in _BOARD.findall(lines):
            for token, star in product(hand[1].split(), re.findall(r"\d", free)):
                yield f"{token}@{board}.{star}"
    elif chosen := re.search(r"^You may choose: (.*)$", lines, re.MULTILINE):
        yield from chosen[1].split(", ")
    elif may := re.search(r"^You may (.*)$", lines, re.MULTILINE):
        for group in may[1].split(", or "):
            word, *rest = group.split()
            yield from (f"{word} {each}" for each in rest) if rest else [word]
    elif raised := re.search(r"^Face up you may play (.*)$", lines, re.MULTILINE):
        yield from _plays(raised[1].split("; "), lines)


def _plays(raised: list[str], lines: str) -> Iterator[str]:
    """Yield the moves of a card of Stellar."""
    free = re.search(r"^Free: (.*)$", lines, re.MULTILINE)
    also = re.search(r"^Each of these cards may also go (.*)$", lines, re.MULTILINE)
    assert free
    for group in raised:
        card, _, slots = group.partition(" on ")
        if slots != "no slot":
            yield from (f"{card}@{slot}" for slot in slots.split())
        if also and "face down" in also[1]:
            yield from (f"{card}@{slot} down" for slot in free[1].split())
        if also and "into the notebook" in also[1]:
            yield f"{card}@notebook"
