"""The playouts of `ladder bench`: all decisions are counted, and aims are those of the compiled build."""

from functools import partial
from random import Random

import pytest

from engines import GAMES, playout
from ladder.dev.benchmark import playout_speed
from ladder.dev.benchmark.playout_speed import WAYS, match_us, random_matches

GAME = GAMES["stella"]  # where several seats choose at once


def test_a_playout_counts_every_decision_of_every_seat():
    rng, dice, expected = Random(7), Random(7), 0
    for _ in range(3):
        deal = GAME.deal(3, rng)
        expected += sum(len(step.moves) for step in playout(GAME, deal, 3, dice))
    assert expected == random_matches(GAME, 3, 3).decisions


@pytest.mark.parametrize("way", WAYS)
def test_the_starts_are_played_again_in_every_round(way):
    matches = random_matches(GAME, 3, 2)
    assert WAYS[way](matches) == WAYS[way](matches) > 0
    assert not any(start.over for start in matches.starts)


def test_choice_and_view_are_written_for_every_decision(monkeypatch):
    matches = random_matches(GAME, 3, 1)
    written: list[tuple[str, int]] = []
    kind = type(matches.starts[0])
    for name in ("write_choice", "write_view"):
        monkeypatch.setattr(kind, name, lambda position, seat, name=name: written.append((name, seat)))
    decisions = WAYS["playout with choice and view as JSON"](matches)
    assert decisions == len([name for name, _ in written if name == "write_choice"])
    assert decisions == len([name for name, _ in written if name == "write_view"])
    assert {0, 1, 2} == {seat for _, seat in written}


def test_the_cost_is_per_decision(monkeypatch):
    times = iter([1_000, 41_000])
    monkeypatch.setattr(playout_speed.time, "process_time_ns", lambda: next(times))
    assert 10.0 == match_us(lambda matches: 4, random_matches(GAME, 3, 1))


@pytest.mark.parametrize("compiled", [False, True])
def test_stellar_and_the_slowest_of_the_others_have_the_aims_of_the_compiled_build(monkeypatch, compiled):
    monkeypatch.setattr(playout_speed, "GAMES", {"stellar": GAMES["stellar"], "other": GAMES["stellar"]})
    monkeypatch.setattr(playout_speed, "is_compiled", lambda: compiled)
    monkeypatch.setattr(playout_speed, "random_matches", partial(random_matches, matches=1))
    shown = {figure.what: figure for figure in playout_speed.playout_figures(1)}
    assert {f"{whose}: {way}" for whose in ("stellar", "other", "slowest other game") for way in WAYS} == {
        *shown
    }
    for way in WAYS:
        assert shown[f"other: {way}"].value == shown[f"slowest other game: {way}"].value
    aims = {figure.what: figure.aim for figure in shown.values() if figure.aim}
    assert aims == (
        {
            "stellar: random playout": "at least 1,000,000",
            "slowest other game: random playout": "at least 400,000",
            "stellar: playout with choice and view as JSON": "at least 240,000",
            "slowest other game: playout with choice and view as JSON": "at least 100,000",
        }
        if compiled
        else {}
    )
