"""What `ladder reference` prints, and how a bot of the set joins a home."""

import json

import pytest
from support import ladders
from support.command_line import check_refused, run_here
from support.small_set import make_small_set

from engines.contract.texts import wide_lines
from ladder.admission.house import add
from ladder.api import face as api
from ladder.home.home import open_home
from ladder.reference import reference_set

pytestmark = pytest.mark.usefixtures("threads")


@pytest.fixture
def home(tmp_path, monkeypatch):
    make_small_set(tmp_path / "r1")
    monkeypatch.setattr(reference_set, "FOLDER", tmp_path / "r1")
    return ladders.a_home(tmp_path / "home", {"mixed": {"parallel": 4}})


def test_a_measurement_prints_a_table_and_a_line_to_quote(home):
    told = run_here("reference", "mixed", "--game", "stellar", "--home", home.path, "-j", "1")
    lines = told.out.splitlines()
    assert 0 == told.code, told.err
    assert lines[-1].startswith("R1 stellar/2: ")
    assert ["#", "bot", "stellar/2", "beaten", "%", "met"] == lines[0].split()
    assert 1 == sum("> mixed" in line for line in lines)
    assert {"uniform", "half", "greedy", "careful"} <= set(told.out.split())
    assert [] == wide_lines(lines, 80)
    assert "of 5; beaten: in how many of 100 meetings it ranked" in told.err
    assert "ladder matches --in d1" in told.err
    listed = run_here("duel", "--home", home.path)
    assert "reference" in listed.out
    rows = json.loads(
        run_here("reference", "mixed", "--game", "stellar", "--home", home.path, "--json", "-j", "1").out
    )
    assert [lines[-1]] == [row["line"] for row in rows]
    assert reference_set.load_set().digest == rows[0]["digest"]
    found = api.reference("mixed", game=["stellar"], jobs=1, home=home.path)
    assert [row["line"] for row in rows] == [each.line for each in found]


def test_a_changed_set_is_refused_before_anything_is_played(home):
    (reference_set.FOLDER / "players.py").write_text("# another\n")
    told = run_here("reference", "mixed", "--home", home.path)
    check_refused(told, 1, "expected the hash", "pip install --force-reinstall")
    assert not (home.results / "unrated").exists()


def test_a_command_without_a_bot_or_with_too_much_is_refused(tmp_path):
    check_refused(run_here("reference"), 2, "name the bot to measure")
    check_refused(run_here("reference", "greedy", "--draw-deals", tmp_path / "deals"), 2, "leave out BOT")
    check_refused(run_here("reference", "--draw-deals", tmp_path / "no" / "deals"), 2, "cannot be written")
    drawn = run_here("reference", "--draw-deals", tmp_path / "deals")
    assert drawn.out.startswith("deals ")
    assert 0o600 == (tmp_path / "deals").stat().st_mode & 0o777


def test_a_bot_of_the_set_can_be_the_anchor_of_a_home(tmp_path):
    home = ladders.a_home(tmp_path / "home", {"mixed": {"parallel": 4}})
    said: list[str] = []
    (version,) = add(home, ["r1-uniform"], said.append)
    assert ("r1-uniform", True) == (version.bot, version.plays("stellar"))
    settings = ladders.STELLAR + '[ratings.stellar]\nanchor = "r1-uniform@1"\nanchor_rating = 12.5\n'
    (home.path / "ladder.toml").write_text(settings)
    run = api.play(["mixed", "r1-uniform"], home=open_home(home.path), games=20, game="stellar", jobs=1)
    rows = {row["bot"]: row["mu"] for row in run.leaderboard("stellar").to_pylist()}
    assert 12.5 == pytest.approx(rows["r1-uniform"])
