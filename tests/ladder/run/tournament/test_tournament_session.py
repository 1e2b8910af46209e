"""Tournaments that are begun, played, stopped and continued."""

import contextlib
import re
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta

import pytest
from support import ladders
from support.command_line import listing
from support.full import FULL
from support.here import HERE
from support.taken_in import make_unfit

from ladder.errors import NotFound, UsageProblem
from ladder.replay.replay import find_match
from ladder.run import session
from ladder.run.run_events import Progress
from ladder.run.run_options import RunOptions
from ladder.run.session import Admission
from ladder.run.tournament.pairing_check import check_pairings
from ladder.run.tournament.revealing import reveal_tournament
from ladder.run.tournament.stored_tournaments import (
    find_tournament,
    find_tournaments,
    shown_event,
)
from ladder.run.tournament.tournament_begin import plan_tournament
from ladder.run.tournament.tournament_request import TournamentRequest, read_moment, read_name
from ladder.run.tournament.tournament_session import AskedTournament, new_tournament, remove_tournament
from ladder.run.tournament_schedule import rounds_of
from results.rating.cache import ratings_current
from results.rating.rated import standings_of
from results.reports.digest import digest
from results.storage.store import Store
from results.storage.unrated import contents_with

FIVE = {"one": {}, "two": {"style": "first"}, "three": {"style": "last"}, "four": {"parallel": 2}, "five": {}}


def begin(home, name="spring", agrees=lambda question: False, **asked):
    request = TournamentRequest(**{"name": name, "game": "stellar", "blocks": 1, "seed": 3, **asked})
    return new_tournament(
        nullcontext(home), request, Admission(None, lambda *_: None), lambda event: None, agrees
    )


def play(home, name="spring", tell=lambda event: None, **how):
    tournament, admission = AskedTournament(name, RunOptions(**how)), Admission(None, None)
    return session.play(nullcontext(home), tournament, HERE, admission, tell)


def report_of(home, name="spring"):
    """Return all that was played: rounds, tables, scores, places."""
    event = find_tournament(home.results, name).schedule().event
    return event.report(), event.standing()


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = ladders.a_home(tmp_path_factory.mktemp("tournament") / "home", FIVE)
    begin(home, stages="swiss:2+knockout:4")
    play(home)
    return home


def test_a_tournament_has_an_end_and_a_winner(home):
    (swiss, knockout), standing = report_of(home)
    assert [2, 2] == [len(stage.rounds) for stage in (swiss, knockout)]
    assert all(stage.is_over for stage in (swiss, knockout))
    assert [1] * 2 == [len(each.byes) for each in swiss.rounds], "one of five sits out"
    assert [*range(5)] == sorted(each.entrant for each in standing)
    assert 1 == [each.place for each in standing].count(1)
    run = find_tournament(home.results, "spring").run
    assert run.finished is not None


def test_its_matches_do_not_count(home):
    assert () == Store(home.results).runs()


def test_its_matches_count_if_that_is_asked_for(tmp_path):
    home = ladders.a_home(tmp_path / "home", FIVE)
    begin(home, rated=True, stages="knockout:4")
    with pytest.raises(UsageProblem, match="run 1 is not finished, and rated runs are played one after"):
        begin(home, "autumn", rated=True)
    begin(home, "autumn", game=())  # the home has one
    play(home)
    found = find_tournament(home.results, "spring")
    (run,) = Store(home.results).runs()
    assert (run.run, True) == (found.run.run, found.is_rated)
    assert run.finished is not None
    rated = {bot for _, bot, _ in standings_of(ratings_current(Store(home.results)))}
    assert {entrant for entrant, _ in run.bot_keys[:4]} == rated, "the fifth did not play"
    assert ([], 0) == (check_pairings(found).wrong, check_pairings(found).left)
    for number in ("0", "last"):
        contents, wanted = contents_with(home.results, f"spring/{number}")
        assert 1 == find_match(contents, wanted).run
    assert found.count_matches() == Store(home.results).contents().matches(["number"]).num_rows
    assert ["autumn", "spring"] == sorted(find_tournaments(home.results))


def test_it_cannot_be_played_twice_or_begun_under_its_name(home):
    with pytest.raises(UsageProblem, match="tournament spring is over"):
        play(home)
    with pytest.raises(UsageProblem, match="there is a tournament spring already"):
        begin(home)
    with pytest.raises(NotFound, match=r"there is no tournament 'sprin' \(did you mean 'spring'\?\)"):
        find_tournament(home.results, "sprin")


class Halt(Exception):
    """Stops a tournament, as a crash does."""


def test_wherever_it_is_stopped_it_ends_the_same(home, tmp_path):
    again = ladders.a_home(tmp_path / "home", FIVE)
    begin(again, stages="swiss:2+knockout:4")

    def halt_after(matches):
        def tell(event):
            if isinstance(event, Progress) and event.status.done >= matches:
                raise Halt

        return tell

    total = find_tournament(home.results, "spring").count_matches()
    for matches in range(1, total) if FULL else (1, 4, 8, 9):  # in a round, at its end, and in the bracket
        with pytest.raises(Halt):
            play(again, tell=halt_after(matches))
    play(again)
    assert report_of(home) == report_of(again)
    stores = [find_tournament(each.results, "spring").store for each in (home, again)]
    assert 1 == len({digest(store.contents(), None).hex for store in stores})


def test_rounds_are_revealed_while_it_is_played(home, tmp_path):
    again = ladders.a_home(tmp_path / "home", FIVE)
    begin(again, stages="swiss:2+knockout:4", hidden=True)

    def tell(event):
        if isinstance(event, Progress) and event.status.done >= 4:  # two tables, two matches each
            with contextlib.suppress(UsageProblem):  # the last match may not be committed
                reveal_tournament(again.results, "spring", "swiss/1")
        if find_tournament(again.results, "spring").revealed.rounds:
            raise Halt

    with pytest.raises(Halt):
        play(again, tell=tell)
    shown = shown_event(find_tournament(again.results, "spring"))
    assert ["swiss/1"] == [each.name for each in rounds_of(shown)]
    assert report_of(home)[0][0].rounds[0] == rounds_of(shown)[0]
    play(again)
    assert report_of(home) == report_of(again)
    reveal_tournament(again.results, "spring")
    assert report_of(home)[0] == shown_event(find_tournament(again.results, "spring")).report()


def test_it_goes_on_without_a_bot_whose_tables_are_byes(tmp_path):
    home = ladders.a_home(tmp_path / "home", FIVE)
    begin(home, stages="round-robin")
    play(home, without=["five"], resume=True)
    (stage,), standing = report_of(home)
    five = [bot for bot, _ in find_tournament(home.results, "spring").run.bot_keys].index("five")
    assert five == standing[-1].entrant
    assert stage.is_over
    assert all(table.blocks == 0 for each in stage.rounds for table in each.tables if five in table.entrants)


def test_a_bot_that_cannot_start_forfeits_its_table_and_is_named(tmp_path):
    home = ladders.a_home(tmp_path / "home", {"one": {}, "two": {}, "three": {}, "broken": {"sin": "start"}})
    begin(home, stages="knockout:4", blocks=3)
    play(home)
    (knockout,), standing = report_of(home)
    broken = [bot for bot, _ in find_tournament(home.results, "spring").run.bot_keys].index("broken")
    (table,) = (table for table in knockout.rounds[0].tables if broken in table.entrants)
    assert [("forfeit", (broken,))] == [(note.kind, note.entrants) for note in table.notes]
    assert 1 == table.blocks, "what it cannot win is not counted"
    assert broken == table.ranking[-1]
    assert broken in {each.entrant for each in standing if each.place > 2}


def test_points_of_the_game_are_told_to_the_standing(home):
    (swiss, _), _ = report_of(home)
    assert any(row.points for row in swiss.rows)
    assert 0 == sum(row.points for row in swiss.rows)


def test_a_game_of_several_table_sizes_has_mixed_tables(tmp_path):
    settings = ladders.STELLAR.replace("stellar", "stella")
    home = ladders.a_home(tmp_path / "home", {**FIVE, **{f"more{i}": {} for i in range(2)}}, settings)
    begin(home, game="stella", seats=[4], stages="swiss:1")
    play(home)
    (stage,), _ = report_of(home)
    assert [3, 4] == sorted(len(table.entrants) for table in stage.rounds[0].tables)


# -- what is asked for


def test_versions_that_were_submitted_after_the_freeze_do_not_play(tmp_path):
    home = ladders.a_home(tmp_path / "home", FIVE)
    now, contents = datetime.now(UTC), Store(home.results).contents()
    for freeze, there in ((now + timedelta(minutes=1), 5), (now - timedelta(minutes=10), 0)):
        request = TournamentRequest(name="x", game="stellar", blocks=1, freeze=freeze)
        if there:
            assert there == len(plan_tournament(home, request, contents, {}).new.bots)
        else:
            with pytest.raises(UsageProblem, match="0 entrants cannot fill a table of 2"):
                plan_tournament(home, request, contents, {})


def test_no_bot_enters_that_does_not_play_a_size_that_may_be_needed(tmp_path):
    home = ladders.a_home(tmp_path / "home", FIVE)
    make_unfit(home.roster, "one", "stella/6")
    contents = Store(home.results).contents()
    asked = {"name": "x", "game": "stella", "seats": [4], "blocks": 1}
    plan = plan_tournament(home, TournamentRequest(**asked), contents, {})
    assert {"two", "three", "four", "five"} == {bot.bot for bot in plan.new.bots}
    told = "one: it plays stella (3, 4, 5 seats), and tables of 3, 4, 5, 6 may be needed"
    assert (told,) == plan.new.settings.left_out
    with pytest.raises(UsageProblem, match=r"one@\w+ plays stella at tables of 3, 4, 5, not of 6"):
        plan_tournament(home, TournamentRequest(bots=["one", "two", "three"], **asked), contents, {})


def test_a_date_is_its_end():
    for text in ("2027-05-01", "20270501", "2027-W17-6"):
        assert datetime(2027, 5, 1, 23, 59, 59, 999999, UTC) == read_moment(text)
    assert datetime(2027, 5, 1, 12, tzinfo=UTC) == read_moment("2027-05-01T12:00")
    for text in ("tomorrow", "", "2027-02-30", "0000-01-01", "10000-01-01", "9999-12-31T24:00:01"):
        with pytest.raises(ValueError, match=f"expected a date such as 2027-05-01, got: '{text}'"):
            read_moment(text)


@pytest.mark.parametrize(
    ("text", "there"),
    [("9999-12-31", 5), ("9999-12-31T23:59-14:00", 5), ("0001-01-01", 0), ("0001-01-01T00:00+14:00", 0)],
)
def test_the_first_and_the_last_date_that_there_are_freeze(home, text, there):
    request = TournamentRequest(name="x", game="stellar", freeze=read_moment(text), blocks=1)
    contents = Store(home.results).contents()
    with contextlib.suppress(UsageProblem) if not there else nullcontext():
        assert there == len(plan_tournament(home, request, contents, {}).new.bots)


@pytest.mark.parametrize("name", ["", "d1", "last", "D1", "LAST", "Last.", "1st", "a/b"])
def test_a_name_that_means_something_else_is_refused(name):
    with pytest.raises(ValueError, match=r"expected a letter, then|is what other matches are called"):
        read_name(name)


@pytest.mark.parametrize("name", ["spring", "SPRING", "Spring."])
def test_names_that_look_alike_are_one(home, name):
    with pytest.raises(UsageProblem, match="there is a tournament spring already"):
        begin(home, name)


def test_a_long_one_that_names_no_bots_is_begun_if_somebody_agrees(tmp_path):
    home, asked = ladders.a_home(tmp_path / "home", FIVE), []
    what = r"no bots are named, so all 5 play: about 2,\d\d\d matches"
    with pytest.raises(UsageProblem, match=what) as refused:
        begin(home, blocks=101, stages="round-robin", agrees=asked.append)
    assert refused.value.hint.endswith("or begin it: --yes")
    assert re.fullmatch(f"{what}; begin it\\?", asked[0])
    assert {} == find_tournaments(home.results)
    for name, how in {"a": {"yes": True}, "b": {"bots": [*FIVE]}, "c": {"agrees": bool}}.items():
        begin(home, name, blocks=101, stages="round-robin", **how)
    begin(home, "d", blocks=40, stages="round-robin")
    assert [*"abcd"] == [*find_tournaments(home.results)]


@pytest.mark.parametrize("how", [{}, {"rated": True}, {"hidden": True}])
def test_it_can_be_removed_before_its_first_match(tmp_path, monkeypatch, how):
    home = ladders.a_home(tmp_path / "home", FIVE)
    ladders.play(home, matches=8)
    begin(home, "other")
    before = matches_and_runs(home)
    begin(home, **how)
    stale = find_tournament(home.results, "spring")
    remove_tournament(home.results, "spring")
    assert before == matches_and_runs(home)
    monkeypatch.setattr("ladder.run.tournament.tournament_session.find_tournament", lambda *_: stale)
    for act in (remove_tournament, lambda *_: play(home)):
        with pytest.raises(NotFound, match="there is no tournament 'spring' any more"):
            act(home.results, "spring")
    monkeypatch.undo()
    assert [] == Store(home.results).audit().damage
    begin(home, **how)
    play(home)
    with pytest.raises(UsageProblem, match="tournament spring has begun, and what was played stays"):
        remove_tournament(home.results, "spring")


def matches_and_runs(home):
    """Return the files of the results, except for values that can be computed again and locks."""
    made = ("cache", "lock")
    return {path.partition(".")[0] for path in listing(home.results) if not path.endswith(made)}


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"game": ("stellar", "stella")}, "a tournament plays one game"),
        ({"seats": [2, 3]}, "a tournament has one preferred table size"),
        ({"rated": True, "hidden": True}, "ratings would reveal the results of a secret tournament"),
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"seats": [3]}, "the game has no tables of 3 seats"),
        ({"stages": "swiss:2+knockout:9"}, "takes 9 entrants, but there are 5"),
        ({"stages": "cup"}, "there is no stage 'cup'"),
        ({"bots": ["one", "one"]}, "one is named twice"),
        ({"bots": ["one"]}, "one entrant cannot fill a table of 2"),
        ({"bots": ["nobody", "one"]}, "there is no bot 'nobody'"),
    ],
)
def test_what_cannot_be_played_is_refused_and_nothing_is_stored(tmp_path, asked, said):
    home = ladders.a_home(tmp_path / "home", FIVE)
    with pytest.raises((UsageProblem, NotFound), match=said):
        begin(home, **asked)
    assert {} == find_tournaments(home.results)


def test_the_best_rating_is_the_first_seed_and_the_secret_draws_the_others(tmp_path):
    home = ladders.a_home(tmp_path / "home", FIVE)
    contents = Store(home.results).contents()
    version = {bot.bot: bot.version for bot in home.roster.active()}
    ratings = {("stellar", "two", version["two"]): 30.0, ("stellar", "four", version["four"]): 31.0}

    def seeds(seed):
        request = TournamentRequest(name="x", game="stellar", blocks=1, seed=seed)
        return [bot.bot for bot in plan_tournament(home, request, contents, ratings).new.bots]

    assert ["four", "two"] == seeds(1)[:2]
    assert seeds(1) == seeds(1)
    assert 1 < len({tuple(seeds(seed)) for seed in range(8)})
