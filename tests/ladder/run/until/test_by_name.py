"""The rules that `--until` can name: a file each."""

import sys
from random import Random

import pytest
from support import ladders
from support.scripted_tables import play_tables

import ladder.run.until as rules
from ladder.errors import RunStopped, UsageProblem
from ladder.run.request import new_run
from ladder.run.run_options import RunRequest
from ladder.run.run_plan import rests_on_ratings
from ladder.run.until.by_name import check_rule, named_rules
from ladder.run.until.rule import StoppingRule
from results.record import RunSettings
from results.storage.store import Store

WINS = '''
"""`--until wins=N`: a bot has won N matches."""

from collections import Counter

from ladder.run.until.rule import StoppingRule, Words


class Wins(StoppingRule):
    name = "wins"
    form = "wins=N"
    help = "once a bot has won N matches, with wins=N"

    def __init__(self, most):
        self.most, self.wins, self.last = most, Counter(), None

    @classmethod
    def read(cls, value):
        return cls(int(value))

    def hear(self, rated):
        self.wins.update(row.bot for row in rated.rows() if row.rank == 1)
        if self.last is None and max(self.wins.values()) >= self.most:
            self.last = rated.end

    @property
    def end(self):
        return self.last

    def sum_up(self, ended):
        return Words(f"{self.most} wins") if ended.by is self else None
'''


@pytest.fixture
def with_wins(tmp_path, monkeypatch):
    """Add a file with a rule to those of the ladder."""
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "wins.py").write_text(WINS)
    monkeypatch.setattr(rules, "__path__", [*rules.__path__, str(tmp_path / "rules")])
    named_rules.cache_clear()
    yield
    named_rules.cache_clear()
    del sys.modules[f"{rules.__name__}.wins"]


def play(home, tables, stop_after=None):
    """Play a run until a bot has won 40 matches; stop it after *stop_after* rated matches."""
    script = {"shuffle": Random(2)}
    return play_tables(home, tables, stop_after=stop_after, script=script, matches=1_000, until="wins=40")


@pytest.mark.usefixtures("with_wins")
def test_a_file_with_a_rule_is_all_that_a_new_rule_needs(tmp_path):
    """It ends a run at the same match with any number of tables, and when it is continued."""
    found = []
    for number, (tables, stop_after) in enumerate(((1, None), (20, None), (5, 30))):
        home = ladders.a_home(tmp_path / str(number), {name: {} for name in "abcd"})
        if stop_after:
            with pytest.raises(RunStopped):
                play(home, tables, stop_after)
        running = play(home, tables)
        assert ["40 wins"] == [words.text for words in running.last_words()]
        (stored,) = Store(home.results).runs()
        assert "wins=40" == stored.settings.until
        found.append((running.status.done, stored.blocks, ladders.ratings(home.path)))
    assert found[0] == found[1] == found[2]
    assert 60 < found[0][0] < 200


@pytest.mark.usefixtures("with_wins")
def test_a_new_rule_is_offered():
    assert ["cost", "faults", "order", "tokens", "wins"] == [*named_rules()]
    assert "wins=3" == check_rule("wins=3")
    with pytest.raises(ValueError, match=r"expected .* or wins=N, got: 'win=3'"):
        check_rule("win=3")


@pytest.mark.usefixtures("with_wins")
def test_a_rule_that_judges_no_epochs_rests_on_no_ratings_and_fits_a_gauntlet(tmp_path):
    assert not rests_on_ratings(RunSettings(schedule="round-robin", until="wins=3"))
    home = ladders.a_home(tmp_path / "home", {name: {} for name in "abc"})
    run = ladders.start_run(home, 8, bots=["a"], schedule="gauntlet", until="wins=3")
    assert "wins=3" == run.settings.until


def test_a_rule_that_there_is_not_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"^expected .*order.*, got: 'ordr'"):
        check_rule("ordr")
    home = ladders.a_home(tmp_path / "home", {"a": {}, "b": {}})
    with pytest.raises(UsageProblem, match=r"--until: expected .*, got: 'wins=3'"):
        new_run(home, RunRequest(until="wins=3"))


def test_a_rule_without_a_value_takes_none():
    class Never(StoppingRule):
        name = "never"

    assert isinstance(Never.read(""), Never)
    with pytest.raises(UsageProblem, match="--until: never takes no value, got: '3'"):
        Never.read("3")
