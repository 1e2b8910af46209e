"""Bots are tried at the games that are played here, and at others before a run has them play those."""

from __future__ import annotations

from contextlib import nullcontext

import pytest
from support import ladders
from support.cheating import cheating
from support.command_line import run_here
from support.submitting import submit

from ladder.admission import trials
from ladder.admission.check import check
from ladder.admission.house import add
from ladder.admission.submit import tried_here
from ladder.admission.trials import try_games
from ladder.errors import LadderError, TooBusy, UsageProblem
from ladder.home.home import open_home
from ladder.machine.pool import Pool
from ladder.registry.bot_manifest import BotManifest
from ladder.registry.version import Untried
from ladder.run import session
from ladder.run.playing import Means
from ladder.run.request import AskedRun, new_run
from ladder.run.run_events import OperatorNote
from ladder.run.run_options import RunRequest
from ladder.run.session import Admission
from ladder.run.shard import Shard
from results.storage.store import Store

pytestmark = pytest.mark.usefixtures("threads")


def a_bot(folder, name, bad=(), games=()):
    """Write a bot that cheats in the games or at the sizes *bad*, and whose manifest names *games*."""
    (folder / name).mkdir(exist_ok=True)
    (folder / name / "bot.py").write_text(cheating(f"{[*bad]}"))
    named = f"games = {[*games]}\n" if games else ""
    (folder / name / "bot.toml").write_text(f'name = "{name}"\nrun = ["{{python}}", "-S", "bot.py"]\n{named}')
    return folder / name


@pytest.fixture
def home(tmp_path):
    """Return a home that plays Stellar."""
    home = ladders.a_home(tmp_path / "home", {})
    home.roster.expect([])
    return home


def tried(version):
    return [each.game for each in version.tried or ()]


def test_a_bot_is_tried_at_the_games_that_are_played_here(home, tmp_path):
    version = submit(home, a_bot(tmp_path, "rat", bad=["stella", "stella-quest", "starry-sky"]))
    assert (["stellar"], ()) == (tried(version), version.unfit)
    assert [False, True] == [version.needs_trial(game) for game in ("stellar", "stella")]
    with pytest.raises(LadderError, match="failed its match against itself at stellar: illegal"):
        submit(home, a_bot(tmp_path, "mole", bad=["stellar"]))


def test_what_a_bot_names_is_tried_whatever_is_played_here(home, tmp_path):
    version = submit(home, a_bot(tmp_path, "rat", games=("stella-quest",)))
    assert ["stella-quest"] == tried(version)
    assert not version.needs_trial("stellar")
    assert ("stella-quest",) == tried_here(home, version.manifest, ["stellar"])


def test_without_games_of_the_home_all_are_tried(home):
    (home.path / "ladder.toml").write_text("")
    assert 4 <= len(tried_here(open_home(home.path), BotManifest(name="rat", run=("rat",))))


def test_other_games_are_tried_when_asked_for_also_at_the_next_submission(home, tmp_path):
    folder = a_bot(tmp_path, "rat", bad=["stella-quest"])
    first = submit(home, folder)
    again = submit(home, folder, games=["stellar", "stella-quest"])
    assert first.id == again.id
    assert (["stellar", "stella-quest"], ("stella-quest",)) == (tried(again), again.unfit)
    assert again == home.roster.find("rat")
    assert tried(again) == tried(submit(home, folder))


def test_fewer_checks_are_no_trial_and_ask_for_none_later(home, tmp_path):
    version = submit(home, a_bot(tmp_path, "rat"), checks="none")
    assert None is version.tried
    assert not version.needs_trial("stella")


def test_check_tries_what_submit_would(home, tmp_path):
    bot = str(a_bot(tmp_path, "rat", bad=["stella-quest"]))
    checks = [finding.check for finding in check(home, bot)]
    assert "stellar" in checks
    assert "stella-quest" not in checks
    (failed,) = [each for each in check(home, bot, games=("stella-quest",)) if each.check == "stella-quest"]
    assert "failure" == failed.verdict


# -- before a run


def play(home, **asked):
    notes: list[str] = []

    def hear(event):
        if isinstance(event, OperatorNote):
            notes.append(event.text)

    request = RunRequest(seed=1, jobs=1, **asked)  # type: ignore[arg-type]
    return session.play(nullcontext(home), AskedRun(request), Means(), Admission(add, try_games), hear), notes


@pytest.mark.process
def test_a_run_of_another_game_has_its_bots_try_it_first_and_leaves_out_who_fails(home, tmp_path):
    for name in ("ann", "bob", "cid"):
        submit(home, a_bot(tmp_path, name, bad=["stella-quest"] if name == "bob" else []))
    _, notes = play(home, games=4, game=("stella-quest",), seats=(2,))
    assert "before the run: trying ann, bob, cid at stella-quest for the first time" in notes
    (left_out,) = [note for note in notes if note.startswith("bob is left out of stella-quest")]
    assert "illegal: expected" in left_out
    (run,) = Store(home.results).runs()
    ((contest,),) = (run.settings.contests,)
    assert {"ann", "cid"} == {run.bots[i]["name"] for i in contest.bots}
    _, notes = play(home, games=4, game=("stella-quest",), seats=(2,))
    assert not [note for note in notes if "trying" in note]


def test_a_run_of_the_games_that_are_played_here_tries_nothing(home, tmp_path):
    for name in ("ann", "bob"):
        submit(home, a_bot(tmp_path, name))
    assert () == new_run(home, RunRequest()).untried


def test_shards_try_nothing_and_name_the_command(home, tmp_path):
    for name in ("ann", "bob"):
        submit(home, a_bot(tmp_path, name))
    request = RunRequest(
        game=("stella-quest",), seats=(2,), shard=Shard(1, 2), seed=1, schedule="round-robin"
    )
    with pytest.raises(UsageProblem, match="not tried: ann, bob at stella-quest") as caught:
        new_run(home, request)
    assert caught.value.hint.startswith("ladder bots trial --game stella-quest")
    command = ("bots", "trial", "--game", "stella-quest", "--home", home.path)
    assert 0 == run_here(*command).code
    assert () == new_run(home, request).untried
    assert "nothing is left to try" in run_here(*command).err


def test_what_the_machine_delays_is_tried_once_more_and_then_the_run_does_not_begin(
    home, tmp_path, monkeypatch
):
    ann = submit(home, a_bot(tmp_path, "ann"))
    rounds: list[int] = []

    class Late(Pool):
        def __init__(self, jobs):
            super().__init__(1)
            rounds.append(jobs)

        def as_done(self, work, next_task, hear):
            while task := next_task():
                yield task, trials._Answer({}, "late" if len(rounds) < limit else "")

    monkeypatch.setattr(trials, "trial_pool", lambda home, jobs, *, exact: Late(jobs))
    limit = 2
    (later,) = try_games(home, [Untried(ann, ("stella",))], 2, lambda text: None)
    assert ["stellar", "stella"] == tried(later)
    limit, rounds = 9, []
    with pytest.raises(TooBusy, match="ann at starry-sky is not judged: this machine is too busy") as caught:
        try_games(home, [Untried(later, ("starry-sky",))], 2, lambda text: None)
    assert 8 == caught.value.exit_code
    assert [2, 1] == rounds
    assert later == home.roster.find("ann")


def test_a_bot_that_fails_at_one_size_is_taken_in_without_it_and_told_so(home, tmp_path):
    folder, said = a_bot(tmp_path, "rat", bad=["stella-quest/4"]), list[str]()
    version = submit(home, folder, games=("stella-quest",), say=said.append)
    assert ((2, 3), ("stella-quest/4",)) == (version.sizes("stella-quest", range(2, 5)), version.unfit)
    why = "rat does not play stella-quest at tables of 4, where it failed against itself: illegal: expected"
    assert said[-1].endswith(
        "; if it is for other tables, name them in bot.toml: seats = { stella-quest = [2, 3] }"
    )
    assert said.pop().startswith(why)
    assert version.unfit == submit(home, folder, games=("stella-quest",), say=said.append).unfit
    assert said.pop().startswith(why)


def test_a_bot_that_fails_at_a_size_that_it_names_is_refused(home, tmp_path):
    folder = a_bot(tmp_path, "rat", bad=["stella-quest/4"])
    manifest = (folder / "bot.toml").read_text()
    (folder / "bot.toml").write_text(f"{manifest}seats = {{ stella-quest = [2, 4] }}\n")
    with pytest.raises(LadderError, match="against itself at stella-quest at tables of 4: illegal"):
        submit(home, folder, games=("stella-quest",))
    (folder / "bot.toml").write_text(f"{manifest}seats = {{ stella-quest = [2, 3] }}\n")
    assert () == submit(home, folder, games=("stella-quest",)).unfit


def test_before_a_run_a_bot_is_left_out_of_a_size_alone(home, tmp_path):
    version = submit(home, a_bot(tmp_path, "rat", bad=["stella-quest/3"]))
    said: list[str] = []
    done = run_here("bots", "trial", "rat", "--game", "stella-quest", "--home", home.path)
    assert "rat@1 plays stella-quest (2, 4 seats)\n" == done.out
    (found,) = try_games(home, [Untried(version, ("stella-quest",))], 1, said.append)
    assert ("stella-quest/3",) == found.unfit
    assert said[1].startswith(
        "rat is left out of stella-quest at tables of 3, where it failed against itself"
    )
