"""The life of a bot after its submission: retired, active again, banned."""

import json
import re
from pathlib import Path

import pytest
from support import ladders
from support.command_line import check_refused, run_here
from support.here import play_commands_here
from support.rated_homes import rate
from support.taken_in import make_unfit

from ladder.errors import UsageProblem
from ladder.home.home import open_home
from ladder.run.request import begin
from ladder.run.run_options import RunRequest
from ladder.run.setup import setup_of
from ladder.run.stored_run import leave_out
from results.record import Json
from results.storage.store import Store

pytestmark = pytest.mark.usefixtures("threads")


def bots(home, *words):
    """Type `ladder bots` and *words*."""
    return run_here("bots", *words, "--home", home.path)


def playing(home):
    """Return the versions that play, with their numbers."""
    return [f"{version.bot}@{version.number}" for version in home.roster.active()]


def listed(home, command, *words):
    """Return the rows of *command*."""
    found = run_here(command, *words, "--format", "json", "--home", home.path)
    assert 0 == found.code, found.err
    rows: list[dict[str, Json]] = json.loads(found.out)
    return rows


# -- active and retired


def test_a_retired_bot_plays_only_in_a_run_that_names_it(home, monkeypatch):
    play_commands_here(monkeypatch)
    code, out, err = bots(home, "retire", "bob")
    assert (0, "retired: bob@1\n") == (code, out)
    assert "submit it again to bring it back\n  next: ladder bots" in err
    assert ["ann", "cid"] == [row["bot"] for row in listed(home, "bots")]
    for named, seated in (((), {"ann", "cid"}), (("bob", "cid"), {"bob", "cid"})):
        assert 0 == run_here("run", *named, "--games", "4", "--home", home.path).code
        rows = listed(home, "matches", "-n", "4")
        assert seated == {seat["bot"] for row in rows for seat in row["seats"]}


def test_when_one_version_retires_the_newest_of_the_others_plays_on(home):
    code, out, err = bots(home, "retire", "ann@2")
    assert (0, "retired: ann@2\n") == (code, out)
    assert "submit it again to bring it back; ann@1 keeps playing\n" in err
    assert ["ann@1", "bob@1", "cid@1"] == playing(home)


def test_a_name_retires_all_versions_and_a_second_time_changes_nothing(home):
    assert "retired: ann@1, ann@2\n" == bots(home, "retire", "ann").out
    code, out, err = bots(home, "retire", "ann")
    assert (0, "") == (code, out)
    assert "nothing has changed: ann is already retired\n  next: ladder bots" in err
    assert ["bob@1", "cid@1"] == playing(home)


def test_an_older_version_plays_in_place_of_a_newer_one(home):
    assert ["ann@2", "bob@1", "cid@1"] == playing(home)
    code, out, err = bots(home, "activate", "ann@1")
    assert (0, "active: ann@1\n") == (code, out), err
    assert ["ann@1", "bob@1", "cid@1"] == playing(home)
    assert "ann@1" == f"ann@{home.roster.find('ann').number}", "a name alone means the version that plays"
    code, out, err = bots(home, "activate", "ann@1")
    assert (0, "") == (code, out)
    assert "nothing has changed: ann@1 already plays\n  next: ladder bots --all-versions" in err


def test_a_retired_bot_comes_back_with_its_newest_version(home):
    assert "  next: ladder bots activate ann" in bots(home, "retire", "ann").err
    assert ["bob@1", "cid@1"] == playing(home)
    assert "active: ann@2\n" == bots(home, "activate", "ann").out
    assert ["ann@2", "bob@1", "cid@1"] == playing(home)


def test_a_version_whose_files_were_changed_is_not_activated(home):
    (Path(home.roster.find("ann@1").folder) / "player.py").write_text("print()")
    why = "ladder: ann@1 is not what was submitted: player.py"
    check_refused(bots(home, "activate", "ann@1"), 1, why, "  next: submit it again")
    assert ["ann@2", "bob@1", "cid@1"] == playing(home)


# -- too few bots


def test_when_the_last_bots_of_a_game_retire_the_game_is_named(home):
    assert "warning" not in bots(home, "retire", "ann").err
    said_so = bots(home, "retire", "bob").err
    assert "warning: stellar needs 2 bots, and only cid plays it\n" in said_so
    assert "  next: ladder submit PATH; or ladder bots house add" in said_so
    assert "warning: no bot plays stellar any more\n" in bots(home, "retire", "cid").err
    assert "warning" not in bots(home, "retire", "cid").err, "that was said before"


def test_every_game_of_the_home_that_has_too_few_bots_is_named(tmp_path):
    home = ladders.a_home(tmp_path / "home", {"ann": {}, "bob": {}, "cid": {}}, settings="")
    said_so = bots(home, "ban", "bob", "--why", "x").err
    assert "starry-sky needs 3 bots, and 2 bots play it; stella needs 3 bots, and 2 bots play it\n" in said_so
    assert 1 == said_so.count("house add")


def test_a_game_has_too_few_bots_where_no_size_has_enough(tmp_path):
    home = ladders.a_home(
        tmp_path / "home", {"ann": {}, "bob": {}, "cid": {}}, '[run]\ngames = ["stella-quest"]'
    )
    make_unfit(home.roster, "ann", "stella-quest/2", "stella-quest/4")
    make_unfit(home.roster, "bob", "stella-quest/2", "stella-quest/4")
    said_so = bots(home, "retire", "cid").err
    assert "warning: stella-quest needs 3 bots, and 2 bots play it\n" in said_so
    assert "only bob plays it" not in bots(home, "retire", "ann").err, "that was said before"
    assert "no bot plays stella-quest any more" in bots(home, "retire", "bob").err


# -- bans


def test_a_banned_bot_plays_nowhere_not_even_where_it_is_named(home):
    code, out, err = bots(home, "ban", "bob", "--why", "it reads the deal")
    assert (0, "banned: bob\n") == (code, out), err
    assert "  next: ladder bots ban bob --lift" in err
    assert ["ann@2", "cid@1"] == playing(home)
    for command in (
        ["run", "--schedule", "gauntlet", "bob@1"],
        ["duel", "ann", "cid", "--field", "bob", "--game", "stella"],
        ["check", "bob"],
        ["bots", "activate", "bob@1"],
    ):
        hint = ": it reads the deal\n  next: ladder bots ban bob --lift, if the ban is over"
        check_refused(run_here(*command, "--home", home.path), 2, "ladder: bob is banned since 2", hint)
    assert [] == [*Store(home.results).runs()]


def test_a_submission_under_a_banned_name_is_refused_with_the_reason(home, tmp_path):
    bots(home, "ban", "bob", "--why", "it reads the deal")
    program = tmp_path / "bob.py"
    program.write_text("print()\n")
    for extra in ([], ["--replace"]):
        said = run_here("submit", program, *extra, "--home", home.path)
        check_refused(said, 2, "bob is banned since 2", "it reads the deal\n")
    check_refused(run_here("duel", program, "cid", "--home", home.path), 2, "bob is banned since 2")
    assert 1 == len(home.roster.versions_of("bob"))


def test_lists_say_which_bots_are_banned_and_why(home):
    bots(home, "ban", "ann", "--why", "it floods the log")
    short = bots(home)
    assert "ann" not in short.out
    assert "banned: ann\n  next: ladder bots --all-versions, which says why" in short.err
    rows = json.loads(bots(home, "--all-versions", "--format", "json").out)
    assert {("ann", 1, "it floods the log", False), ("ann", 2, "it floods the log", False)} == {
        (row["bot"], row["number"], row["banned"], row["active"]) for row in rows if row["banned"]
    }
    assert "it floods the log" in bots(home, "--all-versions").out
    assert "it floods the log (since 2" in bots(home, "info", "ann").out


def test_a_ban_that_is_lifted_leaves_all_as_it_was_before(home):
    before = home.roster.versions()
    bots(home, "ban", "ann", "--why", "x")
    code, out, err = bots(home, "ban", "ann", "--lift")
    assert (0, "no longer banned: ann\n") == (code, out)
    assert "ann@2 plays again" in err
    assert before == home.roster.versions()
    assert "nothing has changed: ann is not banned" in bots(home, "ban", "ann", "--lift").err
    bots(home, "retire", "bob")
    bots(home, "ban", "bob", "--why", "x")
    assert (
        "all its versions are retired\n  next: ladder bots activate bob"
        in bots(home, "ban", "bob", "--lift").err
    )
    assert ["ann@2", "cid@1"] == playing(home)


def test_a_ban_of_one_version_holds_for_all_after_a_crash_in_between(home):
    bots(home, "ban", "ann", "--why", "x")
    old = home.roster.find("ann@1")
    record = Path(old.folder).parent / "version.json"
    stored = json.loads(record.read_text())
    assert stored.pop("ban")
    record.write_text(json.dumps(stored))
    assert ["x", "x"] == [version.ban and version.ban.why for version in home.roster.versions_of("ann")]


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (
            ["ann@1", "--why", "x"],
            2,
            "a ban applies to all versions of a bot, and ann@1 is one version\n  next: lad",
        ),
        (["ann"], 2, "say why the bot is banned"),
        (["ann", "--why", " "], 2, "expected a reason of one line and 1 to 200 characters, got: ' '"),
        (["ann", "--why", "a\nb"], 2, "expected a reason of one line and 1 to 200 characters, got: 'a\\nb'"),
        (["ann", "--why", "x" * 201], 2, "expected a reason of one line and 1 to 200 characters"),
        (["ann", "--why", "x", "--lift"], 2, "give either --why or --lift"),
        (["anne", "--why", "x"], 3, "there is no bot 'anne' (did you mean 'ann'?)"),
    ],
)
def test_a_ban_that_makes_no_sense_is_refused(home, words, code, message):
    before = home.roster.versions()
    check_refused(bots(home, "ban", *words), code, message)
    assert before == home.roster.versions()


# -- unfinished runs


def test_an_unfinished_run_goes_on_with_a_bot_that_is_retired(home):
    run = ladders.start_run(home)
    told = bots(home, "retire", "bob").err
    bob = home.roster.find("bob")
    assert "run 1 is unfinished and continues with bob\n" in told
    assert f"  next: ladder run --resume --without {bob.id}, to leave it out" in told
    assert bob.id in [bot.id for bot in setup_of(home, run, 1).bots]


def test_an_unfinished_run_does_not_go_on_with_a_bot_that_is_banned(home):
    run = ladders.start_run(home)
    told = bots(home, "ban", "bob", "--why", "it reads the deal").err
    bob = home.roster.find("bob")
    assert "run 1 is unfinished and cannot continue with bob; if it is playing now, stop it\n" in told
    assert f"  next: ladder run --resume --without {bob.id}" in told
    with pytest.raises(UsageProblem, match=f"{bob.id} plays in run 1 and is banned: it reads") as refused:
        setup_of(home, run, 1)
    assert refused.value.hint.startswith(
        f"ladder run --resume --without {bob.id}; or ladder bots ban bob --li"
    )
    store = Store(home.results)
    with store.lock():
        run = leave_out(home, store, run, ["bob"])
    assert setup_of(home, run, 1).bots, "without it the run goes on"
    assert "run 1" not in bots(home, "ban", "bob", "--why", "still").err


def test_a_ban_does_not_touch_a_run_that_does_not_have_the_bot(home):
    store = Store(home.results)
    with store.lock():
        begin(home, store, RunRequest(games=60, seed=1, bots=("bob", "cid")))
    assert "run 1" not in bots(home, "ban", "ann", "--why", "x").err
    assert setup_of(open_home(home.path), store.runs()[0], 1).bots


# -- which versions are shown


@pytest.fixture
def rated(home):
    """Return the home with results: ann@1 is the best, then ann@2, bob, cid, and dan, a Python function."""
    keys = [(version.bot, version.version) for version in home.roster.versions()]
    rate(home.path, [*keys, ("dan", "0123456789ab")])
    return home


def placed(home, *words):
    """Return the bots on the leaderboard, with their numbers and their places."""
    numbers = home.roster.numbers()
    return [
        (f"{row['bot']}@{numbers.get((row['bot'], row['version']), 'function')}", row["rank"])
        for row in listed(home, "leaderboard", *words)
    ]


def test_the_leaderboard_shows_the_version_that_plays_of_each_active_bot(rated):
    every = [("ann@1", 1), ("ann@2", 2), ("bob@1", 3), ("cid@1", 4), ("dan@function", 5)]
    assert every == placed(rated, "--all-versions")
    assert [("ann@2", 1), ("bob@1", 2), ("cid@1", 3), ("dan@function", 4)] == placed(rated)
    bots(rated, "activate", "ann@1")
    bots(rated, "retire", "cid")
    bots(rated, "ban", "bob", "--why", "x")
    assert [("ann@1", 1), ("dan@function", 2)] == placed(rated)
    assert every == placed(rated, "--all-versions")
    told = run_here("leaderboard", "--home", rated.path)
    assert "2 seats, 200 matches, 2 bots\n" in told.out
    assert "not shown: 3 versions that do not play\n" in told.err
    assert "  next: ladder leaderboard --all-versions" in told.err
    assert "not shown" not in run_here("leaderboard", "--all-versions", "--home", rated.path).err
    bots(rated, "retire", "ann")
    told = run_here("leaderboard", "--home", rated.path)
    assert "2 seats, 200 matches, 1 bot\n" in told.out
    assert told.err.startswith("not shown: 4 versions that do not play"), "one bot has no remark on places"


def test_ratings_are_the_same_whatever_is_shown_and_places_those_among_what_is_shown(rated):
    whole = {row["version"]: row["mu"] for row in listed(rated, "leaderboard", "--all-versions")}
    bots(rated, "retire", "bob")
    bots(rated, "retire", "cid")
    rows = listed(rated, "leaderboard")
    assert all(whole[row["version"]] == row["mu"] for row in rows)
    assert [1, 2] == [row["rank"] for row in rows]
    assert 2 == max(row["rank_high"] for row in rows)


def test_a_leaderboard_without_active_bots_says_where_the_others_are(tmp_path):
    home = ladders.a_home(tmp_path / "home", {"ann": {}, "bob": {}})
    rate(home.path, [(version.bot, version.version) for version in home.roster.versions()])
    home.roster.retire(home.roster.versions())
    found = run_here("leaderboard", "--home", home.path)
    assert 0 == found.code
    assert "0 bots" in found.out
    assert "not shown: 2 versions that do not play\n" in found.err
    assert 0 == run_here("matrix", "--home", home.path).code
    assert 0 == run_here("site", tmp_path / "site", "--home", home.path).code


def test_pairs_are_those_of_active_bots(rated):
    assert 6 == len(listed(rated, "leaderboard", "--show", "pairs"))
    assert 10 == len(listed(rated, "leaderboard", "--show", "pairs", "--all-versions"))
    told = run_here("leaderboard", "--show", "pairs", "--home", rated.path).err
    assert (
        "not shown: 1 version that does not play\n  next: ladder leaderboard --show pairs --all-versions"
        in told
    )


def test_the_matrix_shows_active_bots_and_the_version_that_is_named(rated):
    versions = {f"{version.bot}@{version.number}": version.version for version in rated.roster.versions()}

    def of(*words):
        return {row["version"] for row in listed(rated, "matrix", *words) if row["bot"] == "ann"}

    assert {versions["ann@2"]} == of()
    assert {versions["ann@1"], versions["ann@2"]} == of("--all-versions")
    assert {versions["ann@2"]} == of("--bot", "ann")
    assert {versions["ann@1"]} == of("--bot", "ann@1")
    bots(rated, "retire", "ann")
    assert set() == of()
    assert {versions["ann@1"], versions["ann@2"]} == of("--bot", "ann")
    assert (
        "not shown: 2 versions that do not play\n  next: ladder matrix --all"
        in run_here("matrix", "--home", rated.path).err
    )


def test_a_site_shows_active_bots_and_the_page_of_a_bot_all_its_versions(rated, tmp_path):
    bots(rated, "retire", "cid")
    bots(rated, "ban", "bob", "--why", "SECRET-REASON")
    pages = {}
    for name, words in (("some", []), ("all", ["--all-versions"])):
        assert 0 == run_here("site", tmp_path / name, *words, "--home", rated.path).code
        pages[name] = {
            path.relative_to(tmp_path / name).as_posix(): path.read_text("utf-8")
            for path in (tmp_path / name).rglob("*.html")
        }
    assert all(f"bots/{name}.html" in pages["some"] for name in ("ann", "bob", "cid", "dan"))
    assert ["4 bots played 200 matches"] * 2 == [
        text
        for name in pages
        for text in re.findall("[0-9] bots played 200 matches", pages[name]["index.html"])
    ]
    linked = {name: set(re.findall("bots/([a-z]+)[.]html", pages[name]["bots.html"])) for name in pages}
    assert {"some": {"ann", "dan"}, "all": {"ann", "bob", "cid", "dan"}} == linked
    assert "not shown: 3 versions that do not play" in pages["some"]["games/stellar.html"]
    assert all(f"@{number}" in pages["some"]["bots/ann.html"] for number in (1, 2))
    assert "banned" in pages["some"]["bots/bob.html"]
    assert not any("SECRET-REASON" in page for page in pages["some"].values())


def test_from_python_the_leaderboard_has_active_bots_and_those_of_a_run(rated):
    def shown(**asked):
        found: list[str] = rated.leaderboard("stellar", **asked).column("bot").to_pylist()
        return found

    bots(rated, "retire", "cid")
    assert ["ann", "bob", "dan"] == shown()
    assert ["ann", "ann", "bob", "cid", "dan"] == shown(all_versions=True) == shown(run=1)
