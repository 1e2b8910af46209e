"""The text of a view fits a terminal."""

from __future__ import annotations

from random import Random

import pytest

from engines import GAMES
from ladder.live.fitting import fit

TABLE = """\
Points          Seat 0          Seat 1
top                 10               8
the sum            210             108"""


def test_what_fits_stays_as_it_is() -> None:
    assert [*TABLE.split("\n"), "", "Prose."] == fit(TABLE + "\n\nProse.", 80)


def test_a_table_loses_spaces_that_all_of_its_lines_have() -> None:
    squeezed = fit(TABLE, 30)
    assert 30 >= max(map(len, squeezed))
    assert ["Points", "Seat", "0", "Seat", "1"] == squeezed[0].split()
    numbers = zip(squeezed[1:], ("8", "108"), strict=True)
    ends = [line.rindex(number) + len(number) for line, number in numbers]
    assert 1 == len(set(ends)), "columns are in line"


def test_a_sketch_beside_a_list_comes_below_it() -> None:
    listed = [
        "0  Antares  free  lines to 1",
        "1  Shaula   free  lines to 0 2",
        "2  Sargas   free  lines to 1",
    ]
    sketch = ["  .(0)", "  .", "2"]
    wide = "\n".join(f"{left:<34}{right}" for left, right in zip(listed, sketch, strict=True))
    assert [*listed, *sketch] == fit(wide, 36)


def test_prose_is_broken_between_words_and_hangs_behind_its_label() -> None:
    assert ["c08  a boy in a", "     kite"] == fit("c08  a boy in a kite", 15)
    assert ["  one two", "    three"] == fit("  one two three", 10)


@pytest.mark.parametrize("game", GAMES)
def test_every_view_fits_80_columns(game: str) -> None:
    rules, rng = GAMES[game], Random(1)
    seats = rules.seats[-1]
    state = rules.start(rules.deal(seats, rng), seats).state
    for _ in range(12):
        choices = rules.choices(state)
        for seat in (*choices, None):
            text = rules.text(rules.view(state, seat))
            shown = fit(text, 80)
            assert 80 >= max(map(len, shown))
            assert sorted("".join(text.split())) == sorted("".join("".join(shown).split())), "nothing is lost"
        state = rules.play(state, {seat: choice.sample(rng) for seat, choice in choices.items()}).state
