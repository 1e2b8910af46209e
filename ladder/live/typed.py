"""What a person types, as a move; and what it is chosen from, in words with numbers."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engines.game import Choice, IllegalMove, Move, MovePart, OneOf
from ladder.live.fitting import break_line

NO_OPTION = "none"
"""What is typed for no option at all, where a choice allows that."""


@dataclass
class OfferedMoves:
    """A choice as a person reads it: all options, or first the cards, then the places of one."""

    choice: Choice
    groups: Mapping[str, Mapping[str, str]]
    """The options by their words, in groups by the words of their first part."""
    first: str | None = ""
    """The group that is chosen; None: this is asked."""

    @property
    def labels(self) -> tuple[str, ...]:
        """What is to be chosen now, in words."""
        return tuple(self.groups if self.first is None else self.groups[self.first])

    def read(self, text: str) -> Move | None:
        """Return the move that *text* means; None if it chooses a group, whose options are asked next.

        A move may be typed as it is written, or by the number or the words of its label; several are divided
        by spaces or commas.  Raises IllegalMove, saying what was expected.
        """
        choice, text = self.choice, text.strip()
        if isinstance(choice, OneOf):
            if spelled := _find_spelled(choice.options, text):
                return spelled
            label = _option(self.labels, text)
            if self.first is not None:
                return self.groups[self.first][label]
            places = self.groups[label]
            self.first = label if len(places) > 1 else None
            return None if self.first else next(iter(places.values()))
        if text.lower() == NO_OPTION:
            return choice.check(())
        if text in choice.options:
            return choice.check((text,))
        words = [word for word in re.split(r"[\s,]+", text) if word]
        options = choice.options
        return choice.check(tuple([_find_spelled(options, word) or _option(options, word) for word in words]))


def offer(choice: Choice, said: Sequence[str], parts: Sequence[Sequence[MovePart]]) -> OfferedMoves:
    """Return *choice*, whose options are *said* in words and have these *parts*, as a person reads it."""
    options = choice.options
    firsts = [made[0].name if len(made) > 1 else words for made, words in zip(parts, said, strict=True)]
    if isinstance(choice, OneOf) and 1 < len({*firsts}) < len(options):
        groups: dict[str, dict[str, str]] = {}
        for first, words, option in zip(firsts, said, options, strict=True):
            is_alone = firsts.count(first) == 1
            rest = words[len(first) :].strip() if words.casefold().startswith(first.casefold()) else words
            groups.setdefault(words if is_alone else first, {})[rest.removeprefix("on ")] = option
        if len(options) == sum(map(len, groups.values())):
            return OfferedMoves(choice, groups, None)
    labels = said if len({*said}) == len(options) else options  # words alike would not tell options apart
    return OfferedMoves(choice, {"": dict(zip(labels, options, strict=True))})


def _option(options: Sequence[str], word: str) -> str:
    """Return the option whose number *word* is, or that it is.  Raises IllegalMove."""
    if re.fullmatch("[0-9]{1,6}", word):
        if 1 <= int(word) <= len(options):
            return options[int(word) - 1]
        raise IllegalMove(f"expected a number from 1 to {len(options)}, got: {word}")
    if found := _find_spelled(options, word):
        return found
    wanted = f"a number from 1 to {len(options)}, or a move as it is written"
    raise IllegalMove(f"expected {wanted}, got: {word!r}")


def _find_spelled(options: Sequence[str], word: str) -> str | None:
    """Return the option that *word* spells, or the only one that it spells in another case; else None."""
    if word in options:
        return word
    folded = [option for option in options if option.lower() == word.lower()]
    return folded[0] if len(folded) == 1 else None


def number_options(options: Sequence[str], width: int) -> list[str]:
    """Return numbered *options* in columns, read downwards, within *width*; if one is wider, a line each."""
    digits = len(str(len(options)))
    cells = [f"{i:>{digits}}) {option}" for i, option in enumerate(options, 1)]
    wide = max(map(len, cells), default=0) + 3
    columns = min((width + 3) // wide, -(-len(cells) // 3))
    if columns < 2:
        return [line for cell in cells for line in break_line(cell, digits + 2, width)]
    rows = -(-len(cells) // columns)
    return ["".join(f"{cell:<{wide}}" for cell in cells[row::rows]).rstrip() for row in range(rows)]
