"""What a person types, as a move."""

import re

from engines.game import Choice, IllegalMove, Move, OneOf

NO_OPTION = "none"
"""What is typed for no option at all, where a choice allows that."""


def read_move(choice: Choice, text: str) -> Move:
    """Return the move of *choice* that *text* means: options, or their numbers from 1 on.

    Several are divided by spaces or commas.  Raises IllegalMove, saying what was expected.
    """
    if isinstance(choice, OneOf):
        return choice.check(_option(choice.options, text.strip()))
    if text.strip().lower() == NO_OPTION:
        return choice.check(())
    options = choice.options
    if text.strip() in options:
        return choice.check((text.strip(),))
    words = [word for word in re.split(r"[\s,]+", text) if word]
    return choice.check(tuple(_option(options, word) for word in words))


def _option(options: tuple[str, ...], word: str) -> str:
    """Return the option that *word* is, or whose number it is.  Raises IllegalMove."""
    if word in options:
        return word
    if re.fullmatch("[0-9]{1,6}", word):
        if 1 <= int(word) <= len(options):
            return options[int(word) - 1]
        raise IllegalMove(f"expected a number from 1 to {len(options)}, got: {word}")
    folded = [option for option in options if option.lower() == word.lower()]
    if len(folded) == 1:
        return folded[0]
    wanted = f"a number from 1 to {len(options)}, or a move as it is written"
    raise IllegalMove(f"expected {wanted}, got: {word!r}")


def number_options(options: tuple[str, ...], width: int) -> list[str]:
    """Return *options* with their numbers, in columns that are read downwards, as lines of at most *width*.

    An option that is wider has a line of its own.
    """
    cells = [f"{i:>{len(str(len(options)))}}) {option}" for i, option in enumerate(options, 1)]
    wide = max(map(len, cells), default=0) + 3
    columns = max(1, min((width + 3) // wide, -(-len(cells) // 3)))
    rows = -(-len(cells) // columns)
    return ["".join(f"{cell:<{wide}}" for cell in cells[row::rows]).rstrip() for row in range(rows)]
