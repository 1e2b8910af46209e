"""Features: flags for codes, shares of the most for quantities."""

from array import array
from random import Random

import pytest
from support.learning import IDS, NUMBERED
from support.need import need

from engines import GAMES

pytestmark = pytest.mark.tools


@pytest.fixture(autouse=True)
def numpy():
    return need("numpy")


def make(*arguments, **options):
    from ladder.learn import Encoder

    return Encoder(*arguments, **options)


@pytest.mark.parametrize(("game", "seats"), NUMBERED, ids=IDS)
def test_features_are_made_as_the_page_says(game, seats, numpy):
    """Made once more, a number at a time."""
    encoder, columns, rows = make(game, seats, leave=()), game.columns(seats), []
    position, rng = game.begin(game.deal(seats, Random(1)), seats), Random(1)
    while not position.over and len(rows) < 20:
        row = array("f", bytes(4 * len(columns)))
        position.numbers(position.seat, row)
        rows.append(row)
        position.play(position.options()[int(rng.random() * len(position.options()))])
    features = encoder(numpy.array(rows))
    assert (len(rows), encoder.size) == features.shape
    assert "float32" == features.dtype
    for row, found in zip(rows, features, strict=True):
        expected = {}
        for column, number in zip(columns, row, strict=True):
            if column.code:
                expected[f"{column.name}={number:.0f}"] = 1
            elif number:
                expected[column.name] = pytest.approx(number / column.most)
        assert expected == {encoder.names[at]: found[at] for at in found.nonzero()[0]}


def test_fields_are_left_out_by_name():
    names = make("stella-quest", 2).names
    assert not [name for name in names if name.startswith("history")]
    assert len(names) == len({*names}) == 828
    assert not [name for name in make("stellar", leave=("known", "hand")).names if name.startswith("known.")]


def test_a_single_row_is_one_of_many_and_another_size_is_refused(numpy):
    encoder = make("stellar")
    assert (1, encoder.size) == encoder(numpy.zeros(416)).shape
    for wrong in (numpy.zeros(415), numpy.zeros((2, 2, 416))):
        with pytest.raises(ValueError, match="expected rows of 416 numbers, got an array of"):
            encoder(wrong)
    for code in (-1, 7):
        row = numpy.zeros(416)
        row[[column.name for column in GAMES["stellar"].columns(2)].index("step")] = code
        with pytest.raises(ValueError, match="a code that it does not have"):
            encoder(row)
