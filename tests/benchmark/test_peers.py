"""`bench.py --against`: peers that are there are timed beside the ladder, those that are not are named.

The peers here are fakes of the parts of them that are used: no test needs one to be installed.
"""

import json
import os
import sys
from functools import partial
from importlib import metadata
from random import Random
from types import SimpleNamespace
from typing import ClassVar

import pytest
from programs import bench
from programs.benchmark import peers

OTHERS = (
    "ladder.dev.benchmark.measure",
    "programs.benchmark.confinement_cost.confinement_figures",
    "programs.benchmark.crowds.crowd_figures",
    "programs.benchmark.page_speed.page_figures",
    "programs.benchmark.rule_speed.engine_figures",
)
"""What else `bench.py` measures."""
OURS = ("ladder", "stellar")
"""What the figures of the ladder's own games begin with, and the ratios."""
PSYLEAGUE = """\
import json, subprocess, sys, tomllib

if sys.argv[1] == "config":
    open("psyleague.cfg", "w").write('version = "9"\\ndate_format = "%Y"\\nn_workers = 1\\n')
elif sys.argv[1] == "run":
    settings = tomllib.loads(open("psyleague.cfg").read())
    game = subprocess.run(settings["cmd_play_game"], shell=True, capture_output=True, check=True)
    json.loads(game.stdout)["ranks"]
with open(LOG, "a") as log:
    print(*sys.argv[1:], file=log)
"""
"""What of psyleague is used; LOG is where it writes how it was called."""


class Hand:
    """A game of OpenSpiel: two cards are dealt, both seats decide, one card is drawn, they decide again."""

    seen: ClassVar[list[tuple[int, int]]] = []

    def __init__(self):
        self.line = [-1, -1, 0, 1, -1, 0, 1]  # -1: chance
        self.at = 0

    def is_terminal(self):
        return self.at == len(self.line)

    def is_chance_node(self):
        return not self.is_terminal() and self.current_player() == -1

    def current_player(self):
        return self.line[self.at]

    def legal_actions(self):
        return [3, 4]

    def apply_action(self, action):
        assert action in self.legal_actions()
        self.at += 1

    def information_state_string(self, player):
        Hand.seen.append((self.at, player))
        return "cards"


class Table:
    """An environment of RLCard and of PettingZoo: five decisions."""

    def reset(self, seed=None):
        self.left = 5
        return {"legal_actions": {7: None}}, 0

    def is_over(self):
        return self.left == 0

    def step(self, action):
        assert self.left
        assert action == 7
        self.left -= 1
        return {"legal_actions": {7: None}}, 0

    def last(self):
        mask = SimpleNamespace(nonzero=lambda: ([7],))
        return {"action_mask": mask}, 0, self.left == 0, False, {}


@pytest.fixture
def install(monkeypatch):
    """Return what makes these peers, and no others, appear installed."""

    def these(*names):
        def version(name):
            if name not in names:
                raise metadata.PackageNotFoundError(name)
            return "9"

        monkeypatch.setattr(metadata, "version", version)
        monkeypatch.setitem(sys.modules, "pyspiel", SimpleNamespace(load_game=lambda name: game, State=Hand))
        monkeypatch.setitem(sys.modules, "rlcard", SimpleNamespace(make=lambda name, config: Table()))
        monkeypatch.setitem(sys.modules, "pettingzoo", SimpleNamespace(make=lambda api, name: Table()))

    kind = SimpleNamespace(provides_observation_string=False)
    game = SimpleNamespace(new_initial_state=Hand, get_type=lambda: kind)
    monkeypatch.setattr(peers, "GAMES", {"stellar": peers.GAMES["stellar"]})
    monkeypatch.setattr(peers, "random_matches", partial(peers.random_matches, matches=2))
    return these


def figures(told=None):
    return {figure.what: figure for figure in peers.peer_figures(1, ([] if told is None else told).append)}


def test_a_peer_that_is_not_installed_is_a_line_that_says_how_to_install_it(install):
    install()
    told: list[str] = []
    assert {} == figures(told)
    assert ["open_spiel", "rlcard", "pettingzoo", "psyleague"] == [line.split()[0] for line in told]
    assert all("is not installed" in line and "pip install '.[bench]'" in line for line in told)


def test_every_figure_of_a_library_comes_with_its_version_and_ratio(install):
    install("open_spiel", "rlcard", "pettingzoo")
    shown = figures()
    assert [
        "open_spiel 9, hearts: rules",
        "open_spiel 9, hearts: rules, observation",
        "open_spiel 9, gin_rummy: rules",
        "open_spiel 9, gin_rummy: rules, observation",
        "rlcard 9, gin-rummy: rules, observation",
        "pettingzoo 9, hanabi: rules, observation",
    ] == [what for what in shown if not what.startswith(OURS)]
    for what, figure in shown.items():
        if not what.startswith(OURS):
            way = "playout with choice and view as JSON" if "observation" in what else "random playout"
            for whose, short in (("ladder, median of its games", "ladder"), ("stellar", "stellar")):
                ours = shown[f"{whose}: {way}"]
                assert "decisions/s" == ours.unit == figure.unit
                assert ours.value / figure.value == pytest.approx(shown[f"{short} / {what}"].value)
    move_by_move = shown["stellar: playout, move by move"].value / shown["open_spiel 9, hearts: rules"].value
    ratio = "stellar, move by move / open_spiel 9, hearts: rules"
    assert move_by_move == pytest.approx(shown[ratio].value)
    assert f"{ratio}, observation" not in shown


@pytest.mark.parametrize("compiled", [False, True])
def test_only_the_compiled_build_has_aims_and_only_beside_hearts(install, monkeypatch, compiled):
    install("open_spiel", "rlcard")
    monkeypatch.setattr(peers, "is_compiled", lambda: compiled)
    aims = {figure.what: figure.aim for figure in figures().values() if figure.aim}
    hearts = {
        "ladder / open_spiel 9, hearts: rules": "at least 2",
        "ladder / open_spiel 9, hearts: rules, observation": "at least 1.5",
    }
    assert (hearts if compiled else {}) == aims


def test_a_peer_is_shown_what_its_seat_sees_at_each_of_its_decisions():
    Hand.seen.clear()
    dealt = peers._deal_random(SimpleNamespace(new_initial_state=Hand), Random(1))
    assert 4 == peers._play_spiel(dealt, Random(1), Hand.information_state_string)
    assert [(2, 0), (3, 1), (5, 0), (6, 1)] == Hand.seen


def test_the_cost_is_per_decision_and_leaves_the_deal_out(monkeypatch):
    now = 0

    def passes(ns):
        nonlocal now
        now += ns
        return 4

    monkeypatch.setattr(peers.time, "process_time_ns", lambda: now)
    work = peers.Work("", peers.RULES, lambda: passes(70_000), lambda dealt, rng: passes(8_000))
    assert 2.0 == work.us(10)
    assert 3 * 78_000 == now


def test_a_peer_that_does_not_work_here_is_left_out_and_the_others_are_timed(install, monkeypatch):
    install("open_spiel", "rlcard")
    monkeypatch.delattr(sys.modules["pyspiel"], "load_game")
    told: list[str] = []
    shown = figures(told)
    assert told[-1].startswith("skipping open_spiel 9, which does not work here: AttributeError(")
    assert {"rlcard 9, gin-rummy: rules, observation"} == {w for w in shown if not w.startswith(OURS)}


@pytest.fixture
def psyleague(install, tmp_path, monkeypatch):
    """Return what makes a program appear as psyleague, and returns where that writes how it was called."""

    def program(text):
        log = tmp_path / "calls"
        (tmp_path / "psyleague").mkdir()
        (tmp_path / "psyleague/__init__.py").touch()
        (tmp_path / "psyleague/psyleague.py").write_text(text.replace("LOG", repr(str(log))))
        return log

    install("psyleague")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(peers, "OUR_MATCHES", 4)
    return program


@pytest.mark.slow
def test_runners_of_programs_are_compared_by_matches_a_second(psyleague):
    log = psyleague(PSYLEAGUE)
    ours, theirs, ratio = figures().values()
    assert ("matches/s", "matches/s", "") == (ours.unit, theirs.unit, ratio.unit)
    assert theirs.what.startswith("psyleague 9, 2 workers")
    assert ours.value / theirs.value == pytest.approx(ratio.value)
    assert ["config", "bot add one", "bot add other", "run -g 80 -w 2 -s"] == log.read_text().splitlines()


@pytest.mark.process
def test_a_runner_that_fails_is_left_out_with_what_it_said_and_leaves_no_process(psyleague):
    log = psyleague(
        "import subprocess, sys\n"
        "child = subprocess.Popen(['sleep', '600'])\n"
        "open(LOG, 'w').write(str(child.pid))\n"
        "sys.exit('no league today')\n"
    )
    told: list[str] = []
    assert {} == figures(told)
    assert "skipping psyleague 9: `python -m psyleague.psyleague config` ended with 1" in told[-1]
    assert told[-1].endswith("no league today")
    with pytest.raises(ProcessLookupError):
        os.kill(int(log.read_text()), 0)


def test_peers_are_timed_on_request_only_and_what_is_left_out_is_not_among_the_figures(
    install, monkeypatch, capsys
):
    for part in OTHERS:
        monkeypatch.setattr(part, lambda *_: iter(()))
    install("rlcard")
    bench.main(["--json"])
    assert ("[]\n", "") == capsys.readouterr()
    bench.main(["--against", "--json", "--rounds", "1"])
    out, err = capsys.readouterr()
    units = [figure["unit"] for figure in json.loads(out)]
    assert ["decisions/s", "decisions/s", "decisions/s", "", ""] == units
    assert 3 == err.count("is not installed")
