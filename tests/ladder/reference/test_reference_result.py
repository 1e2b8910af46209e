"""The line to quote, with its marks, and what is told beside it."""

from math import inf

import msgspec
import pytest
from support.media import MEDIA

from ladder.reference.reference_result import RatedRow, ReferenceResult, reference_document
from ladder.reference.reference_set import load_set
from ladder.reference.set_match import Otherwise, ShareBeaten
from results.rating.reference_score import ReferenceScore

STELLAR = ReferenceResult(
    set="R1",
    key="stellar/2",
    bot="mine",
    run="d1",
    score=ReferenceScore(24.3, 23.4, 25.2),
    rows=(RatedRow("careful", 26.5, 0.4, 300), RatedRow("greedy", 25.0, 0.5, 300)),
    matches=2400,
    faults=0,
    voids=0,
    full=False,
    beaten=ShareBeaten(0.61, 0.58, 0.64),
    margins={"careful": 1.0, "bold": 0.9, "uniform": 1.7},
)
STELLA = msgspec.structs.replace(STELLAR, key="stella/4", scale=False)
NEW = msgspec.structs.replace(
    STELLAR,
    run="d2",
    matches=240,
    score=ReferenceScore(14.1, 11.2, 17.0),
    beaten=ShareBeaten(0.41, 0.35, 0.47),
)
WORSE = {"new": NEW, "worse": True}
WORSE_AT_STELLA = {"new": msgspec.structs.replace(NEW, key="stella/4", scale=False), "worse": True}
OTHERWISE = Otherwise(("greedy", "most"), "3f9a1c02")


@pytest.mark.parametrize(
    ("of", "more", "line"),
    [
        (STELLAR, {}, "R1 stellar/2: 24.3 +- 0.9"),
        (STELLAR, {"score": ReferenceScore(46.0, 45.2, inf)}, "R1 stellar/2: above 45.2"),
        (
            STELLAR,
            {"otherwise": OTHERWISE},
            "R1 stellar/2 (greedy, most play otherwise: 3f9a1c02): 24.3 +- 0.9",
        ),
        (
            STELLAR,
            {"otherwise": Otherwise(("bold",), "3f9a1c02"), "full": True, "limits": ("move_ms=5000",)},
            "R1 stellar/2 (full, move_ms=5000; bold plays otherwise: 3f9a1c02): 24.3 +- 0.9",
        ),
        (STELLAR, WORSE, "R1 stellar/2: 24.3 +- 0.9; does worse on new deals: 14.1 +- 2.9"),
        (STELLAR, {"new": NEW}, "R1 stellar/2: 24.3 +- 0.9"),
        (STELLA, {}, "R1 stella/4: no one scale; beats 0 of 2, 61 of 100 (58 to 64) of all seats"),
        (
            STELLA,
            WORSE_AT_STELLA
            | {"rows": (RatedRow("bold", 24.0, 0.51, 300), RatedRow("greedy", 25.0, 0.5, 300))},
            (
                "R1 stella/4: no one scale; beats 1 of 2, 61 of 100 (58 to 64) of all seats"
                "; does worse on new deals: 41 of 100 (35 to 47)"
            ),
        ),
        (STELLA, {"score": None, "beaten": None}, "R1 stella/4: not measured"),
    ],
)
def test_a_line_has_a_mark_for_all_that_keeps_it_from_being_compared(of, more, line):
    assert line == msgspec.structs.replace(of, **more).line


def test_json_keeps_the_rating_where_there_is_no_scale():
    told = msgspec.structs.replace(STELLA, **WORSE, otherwise=OTHERWISE).to_json()
    assert (24.3, [23.4, 25.2], False) == (told["rating"], told["interval"], told["scale"])
    assert (0.61, [0.58, 0.64], 0) == (told["beaten"], told["beaten_interval"], told["beats"])
    assert {"bots": ["greedy", "most"], "mark": "3f9a1c02"} == msgspec.json.decode(
        msgspec.json.encode(told["otherwise"])
    )
    assert ("d2", 240, 14.1, True) == tuple(
        told["new_deals"][key] for key in ("run", "matches", "rating", "worse")
    )
    assert STELLAR.to_json()["new_deals"] is None


def test_the_errors_of_the_set_and_what_a_line_compares_with_stand_once_below_the_table():
    told = MEDIA["text"](reference_document(STELLAR, "operator"))
    sentence = "lines compare within stellar/2 only; the ratings of R1 itself are known to"
    assert 1 == " ".join(told.split()).count(f"{sentence} +-0.9 (bold) to +-1.7 (uniform)")


def test_without_a_scale_no_rating_and_no_place_is_told():
    told = MEDIA["text"](reference_document(STELLA, "operator"))
    assert "24.3" not in told
    assert "number" not in told
    assert "26.5" not in told
    assert "R1 has no one scale here" in " ".join(told.split())


def test_a_mark_is_explained():
    told = MEDIA["text"](
        reference_document(msgspec.structs.replace(STELLAR, **WORSE, otherwise=OTHERWISE), "operator")
    )
    assert "an engine was changed, or another C library rounds in another way" in " ".join(told.split())
    assert "--draw-deals" in told


def test_the_set_has_no_scale_at_stella_alone():
    of = load_set()
    contests = [of.contest(game, seats) for game, each in of.listed.games.items() for seats in each.blocks]
    assert {"stella"} == {each.game for each in contests if not each.has_scale}
    assert [7] == [sum(each.has_scale for each in contests)]
