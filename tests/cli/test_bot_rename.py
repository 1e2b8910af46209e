"""`ladder bots rename`: what was played appears under the new name, and what is stored stays as it is."""

import json
import re
import shutil

import pytest
from msgspec.structs import replace
from support import ladders
from support.command_line import check_refused, listing, run_here
from support.rated_homes import rate

from ladder.errors import UsageProblem
from ladder.home.home import open_home
from ladder.registry.roster import Roster
from ladder.replay.verify import check_bots, verify
from ladder.run.merge import gather_shards, join_shards
from ladder.run.request import begin
from ladder.run.run_options import RunRequest
from ladder.run.setup import setup_of
from ladder.run.shard import Shard
from results.rating.cache import ratings_current
from results.storage.store import Store
from results.storage.unrated import make_unrated

pytestmark = pytest.mark.slow  # bots play for it; tests/results/storage/test_names.py is quick


@pytest.fixture(scope="module")
def once(tmp_path_factory):
    """Return a home in which ann (two versions), bob and cid have played 12 blocks with real processes."""
    made = ladders.a_home(tmp_path_factory.mktemp("once") / "home", {"ann": {"style": "first"}, "bob": {}})
    ladders.enlist(made, "ann", {"style": "last"})
    ladders.enlist(made, "cid", {"sin": "cheat"})
    ladders.play(made, matches=24, jobs=1, bots=("ann@1", "ann@2", "bob", "cid"))
    return made


@pytest.fixture
def home(once, tmp_path):
    """Return a copy of that home."""
    return open_home(shutil.copytree(once.path, tmp_path / "home"))


def typed(home, *words):
    """Run a command on *home*."""
    return run_here(*words, "--home", home.path)


def answer(home, *words):
    """Return what a command that succeeds prints."""
    found = typed(home, *words)
    assert 0 == found.code, found.err
    return found.out


def verify_home(home):
    """Return what is found in the results and in the bots of *home*."""
    found = verify(Store(home.results))
    check_bots(found, home.roster, lambda: False)
    return found


def rename(home, old, new):
    """Rename a bot; return what the command says."""
    found = typed(home, "bots", "rename", old, new)
    assert (0, f"renamed: {old} is {new} now\n") == (found.code, found.out), found.err
    return found.err


LISTS = (
    ("leaderboard", "--all-versions", "--format", "json"),
    ("leaderboard", "--show", "pairs", "--format", "csv"),
    ("matrix", "--all-versions", "--format", "csv"),
    ("matches", "--format", "json"),
    ("faults", "--format", "json"),
    ("bots", "--all-versions", "--format", "json"),
    ("replay", "last", "--json"),
)


def test_everything_that_was_played_appears_under_the_new_name(home):
    before = {words: answer(home, *words) for words in LISTS}
    history = answer(home, "bots", "ann", "--history", "--format", "csv")
    told = rename(home, "ann", "abe")  # first by name, as before: sums are rounded in the same order
    assert "  next: ladder bots abe; " in told
    for words, text in before.items():
        assert re.sub(r"\bann\b", "abe", text) == answer(home, *words), words
        assert re.search(r"\bann\b", text) or words[0] == "faults", words
    assert history.replace("ann", "abe") == answer(home, "bots", "abe", "--history", "--format", "csv")
    assert "abe@2" in answer(home, "bots", "abe")
    assert 0 == typed(home, "export", home.path / "all.csv").code
    assert not re.search(r"\bann\b", (home.path / "all.csv").read_text())
    assert answer(home, "matches", "--bot", "abe@1")


def test_what_is_stored_stays_and_the_digest_too(home):
    digest = answer(home, "home", "digest")
    stored = listing(home.path / "results" / "matches") | listing(home.path / "bots")
    runs = (home.path / "results" / "runs.parquet").read_bytes()
    rename(home, "ann", "zoe")
    assert digest == answer(home, "home", "digest")
    assert stored == listing(home.path / "results" / "matches") | listing(home.path / "bots")
    assert runs == (home.path / "results" / "runs.parquet").read_bytes()
    assert {"ann": "zoe"} == json.loads((home.path / "results" / "names.json").read_bytes())


def test_a_renamed_home_is_sound_and_its_stored_ratings_are_used(home):
    rename(home, "ann", "zoe")
    assert verify_home(home).sound
    assert verify_home(home).standings == 4
    store = Store(home.results)
    table, _ = store.ratings() or pytest.fail("no ratings are stored")
    assert {"zoe", "bob", "cid"} == set(table.column("bot").to_pylist())
    rated = ratings_current(store)["stellar"]
    assert not rated.behind
    assert {"zoe", "bob", "cid"} == {name for name, _ in rated.fit.bots}


def test_matches_before_and_after_count_for_one_bot(home):
    before = ratings_current(Store(home.results))["stellar"].standings
    zoe = [version.version for version in home.roster.versions_of("ann")]
    rename(home, "ann", "zoe")
    ladders.play(home, matches=8, jobs=1, bots=("zoe@1", "bob"))
    after = ratings_current(Store(home.results))["stellar"].standings
    assert before["ann", zoe[0]].matches + 8 == after["zoe", zoe[0]].matches
    assert before["ann", zoe[1]].matches == after["zoe", zoe[1]].matches
    assert verify_home(home).sound
    with Store(home.results).lock() as store:
        store.compact()
    assert {"zoe", "bob"} == {seat["bot"] for row in ladders.rows(home.path, 2) for seat in row["seats"]}
    assert answer(home, "home", "digest")


def test_a_bot_is_renamed_again_and_back(home):
    before = {words: answer(home, *words) for words in LISTS}
    rename(home, "ann", "zoe")
    ladders.play(home, matches=4, jobs=1, bots=("zoe", "bob"))
    rename(home, "zoe", "yan")
    names = {seat["bot"] for row in ladders.rows(home.path) for seat in row["seats"]}
    assert {"yan", "bob", "cid"} == names
    rename(home, "yan", "ann")
    names = {seat["bot"] for row in ladders.rows(home.path) for seat in row["seats"]}
    assert {"ann", "bob", "cid"} == names
    assert before["bots", "--all-versions", "--format", "json"] == answer(
        home, "bots", "--all-versions", "--format", "json"
    )
    assert {"zoe": "ann", "yan": "ann"} == home.roster.names
    assert verify_home(home).sound


def test_the_next_version_comes_in_under_the_new_name(home):
    rename(home, "ann", "zoe")
    new = ladders.enlist(home, "zoe", {"style": "first", "note": "new"})
    assert 3 == new.number
    assert "zoe@3" == f"zoe@{home.roster.find('zoe').number}"
    assert ["zoe", "zoe", "zoe"] == [version.bot for version in home.roster.versions_of("zoe")]
    assert 3 == len(home.roster.origins()["zoe"])
    typed(home, "bots", "activate", "zoe@1")
    assert 1 == home.roster.find("zoe").number
    assert verify_home(home).sound, "records keep the name of their folder"


def test_the_old_name_leads_to_the_new_one(home, tmp_path):
    rename(home, "ann", "zoe")
    for command in (
        ["bots", "ann"],
        ["run", "ann", "bob"],
        ["bots", "ann", "--history"],
        ["bots", "ban", "ann@1", "--why", "x"],
    ):
        said = "ladder: 'ann' is called 'zoe' now\n  next: the same command with zoe"
        check_refused(typed(home, *command), 3, said)
    program = tmp_path / "ann.py"
    program.write_text("print()\n")
    for words in (["submit", program], ["submit", "--replace", program], ["duel", program, "bob"]):
        said = "the bot 'ann' is called 'zoe' now, and keeps its old name, too"
        hint = 'submit it with --name zoe, or write name = "zoe" in its bot.toml'
        check_refused(typed(home, *words), 2, said, hint)


def test_a_ban_holds_under_the_new_name(home):
    typed(home, "bots", "ban", "ann", "--why", "it cheats")
    rename(home, "ann", "zoe")
    assert "zoe is banned since" in typed(home, "run", "zoe", "bob").err
    typed(home, "bots", "ban", "zoe", "--lift")
    assert not home.roster.find("zoe").ban


def test_a_name_that_cannot_be_given_is_refused_and_nothing_changes(home):
    rename(home, "bob", "eve")
    rename(home, "eve", "bob")
    rate(home.path, [("function", "0123456789ab"), ("bob", home.roster.find("bob").version)], 2)
    before = listing(home.path / "bots"), home.roster.names
    for old, new, code, message in (
        ("nan", "zoe", 3, "there is no bot 'nan' (did you mean 'ann'?)"),
        (
            "ann@1",
            "zoe",
            2,
            "all versions of a bot share its name, and ann@1 is one version\n  next: ladder bo",
        ),
        (
            "ann",
            "bob",
            2,
            "there is a bot 'bob' already\n  next: choose another name: ladder bots rename ann N",
        ),
        ("ann", "ann", 2, "it already has that name"),
        ("ann", "greedy", 2, "'greedy' is the name of a house bot"),
        ("ann", "../x", 2, "'../x' cannot be a bot's name"),
        ("ann", "eve", 2, "'eve' was the name of 'bob' before"),
        ("ann", "function", 2, "there is a bot 'function' already"),
    ):
        found = typed(home, "bots", "rename", old, new)
        assert (code, "") == (found.code, found.out), new
        assert f"ladder: {message}" in found.err, new
        assert before == (listing(home.path / "bots"), home.roster.names), new


def test_a_house_bot_keeps_its_name(home):
    home.roster.rewrite(replace(home.roster.find("bob"), house=True))
    said = "bob is a house bot: the ladder knows it by its name\n"
    check_refused(typed(home, "bots", "rename", "bob", "zoe"), 2, said)


def test_a_bot_of_an_unfinished_run_keeps_its_name_until_then(home):
    ladders.start_run(home, bots=("ann", "bob"))
    said = "ladder: run 2 is not finished, and ann plays in it\n  next: ladder run --resume"
    check_refused(typed(home, "bots", "rename", "ann", "zoe"), 2, said)
    rename(home, "cid", "dora")
    ladders.play(home, jobs=1)
    assert verify_home(home).sound
    rename(home, "ann", "zoe")


def test_no_bot_is_renamed_while_another_process_plays(home):
    with Store(home.results).lock():
        found = typed(home, "bots", "rename", "ann", "zoe")
    assert (7, "") == (found.code, found.out)
    duel = make_unrated(home.results)
    with duel.lock():
        begin(home, duel, RunRequest(games=4, seed=1, bots=("bob", "cid")))
        found = typed(home, "bots", "rename", "ann", "zoe")
    assert (7, "") == (found.code, found.out), "it would store its ratings under the old name"
    assert {} == home.roster.names
    rename(home, "cid", "dora")
    assert "dora" in {bot["name"] for bot in duel.runs()[0].bots}, "one that is not playing goes on with it"
    assert setup_of(home, duel.runs()[0], 1).bots


def test_an_anchor_in_the_settings_is_pointed_out(home):
    with (home.path / "ladder.toml").open("a") as file:
        file.write('[ratings.stellar]\nanchor = "bob"\n')
    told = rename(open_home(home.path), "bob", "zoe")
    assert (
        f"warning: bob is the anchor of stellar in {home.path}/ladder.toml\n  next: write zoe there" in told
    )


def test_shards_are_merged_under_the_names_that_are_stored(tmp_path):
    shards = [ladders.a_home(tmp_path / f"shard-{i}") for i in (1, 2)]
    for i, shard in enumerate(shards, 1):
        ladders.play(shard, matches=24, jobs=1, shard=Shard(i, 2), schedule="round-robin")
    target = ladders.a_home(tmp_path / "target", {})
    rename(shards[0], "mixed", "zoe")
    with pytest.raises(
        UsageProblem, match=r"'mixed' plays in the run, and is called 'zoe' in .*shard-1"
    ) as refused:
        gather_shards([shard.path for shard in shards])
    assert refused.value.hint.startswith(f"ladder bots rename zoe mixed --home {shards[0].path}; merge")
    rename(shards[0], "zoe", "mixed")
    run, _ = join_shards(gather_shards([shard.path for shard in shards]), target)
    assert {"first", "last", "mixed", "plain"} == {bot["name"] for bot in run.bots}
    assert {"zoe": "mixed"} == Roster(shards[0].path / "bots", shards[0].results).names


def test_an_archive_holds_the_stored_names_and_those_of_today(home, tmp_path):
    rename(home, "ann", "zoe")
    assert 0 == typed(home, "home", "archive", tmp_path / "file").code
    found = run_here("home", "restore", tmp_path / "file", tmp_path / "new")
    assert 0 == found.code, found.err
    restored = open_home(tmp_path / "new")
    assert {"ann": "zoe"} == restored.roster.names
    assert answer(home, "home", "digest") == answer(restored, "home", "digest")
    assert answer(home, "leaderboard", "--format", "csv") == answer(
        restored, "leaderboard", "--format", "csv"
    )
    stored = Store(restored.results).contents().as_stored()
    assert {"ann", "bob", "cid"} == {bot["name"] for bot in stored.run(1).bots}


def test_names_that_cannot_be_read_are_reported_and_moved_aside(home):
    rename(home, "ann", "zoe")
    file = home.results / "names.json"
    file.write_text('{"ann": "zoe", "zoe": "bob"}')
    check_refused(typed(home, "leaderboard"), 4, "names.json")
    report = verify(Store(home.results))
    assert ["names.json"] == [problem.where for problem in report.damaged]
    assert 0 == typed(home, "home", "verify", "--repair").code
    assert not file.exists()
    assert verify_home(home).sound
    assert "ann" in answer(home, "leaderboard")
