"""Leaderboards, pairs, matrix and history: what is printed, and whether it fits."""

import json
import re
from functools import partial
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from support.command_line import check_refused, on_a_terminal, run_here, without_colour
from support.faulty_fields import a_field
from support.rated_homes import a_rated_home
from support.reviewed import a_review
from support.stores import keep_run

from engines.contract.texts import wide_lines
from ladder.api.board_rows import columns_for_people, read_columns
from ladder.cli.bots_info import _write_chart
from ladder.errors import NotFound, UsageProblem
from ladder.home.home import create_home
from ladder.replay.review.account import account_of
from results.storage.layout import Folder
from results.storage.reviews import Reviews
from results.storage.store import Store

pytestmark = pytest.mark.usefixtures("threads")

SIX = ["careful", "greedy", "bold", "random-c", "random", "random-js"]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Return a home with six bots, 100 matches each."""
    return a_rated_home(tmp_path_factory.mktemp("rated") / "home", SIX)


@pytest.fixture(scope="module")
def crowd(tmp_path_factory):
    """Return a home with 20 bots, 38 matches each."""
    names = [f"bot-number-{i:03}" for i in range(20)]
    return a_rated_home(tmp_path_factory.mktemp("crowd") / "home", names, 1)


def terminal(*arguments, columns):
    """Return the lines of a command, whose last argument is the home, on a terminal: all of them fit."""
    command, home = map(str, arguments[:-1]), str(arguments[-1])
    lines = without_colour(on_a_terminal(*command, columns=columns, NO_COLOR="1", LADDER_HOME=home))
    assert [] == wide_lines(lines, columns)
    return lines


def rows(*arguments):
    answer = run_here(*arguments, "--format", "json")
    assert 0 == answer.code, answer.err
    found: list[dict[str, object]] = json.loads(answer.out)
    return found


# -- leaderboard


def test_it_says_who_is_surely_above_a_bot(tmp_path):
    home = a_rated_home(tmp_path / "home", SIX, 60)
    found = {row["bot"]: row["passes"] for row in rows("leaderboard", "--home", home, "--pass", "random")}
    assert {name: name in SIX[:3] for name in SIX} == found
    table = run_here("leaderboard", "--home", home, "--pass", "random").out.splitlines()
    assert ["passes", "yes"] == [table[2].split()[-1], table[4].split()[-1]]
    assert {None} == {row["passes"] for row in rows("leaderboard", "--home", home)}
    check_refused(run_here("leaderboard", "--home", home, "--pass", "nobody"), 3, "there is no bot 'nobody'")
    check_refused(run_here("leaderboard", "--home", home, "--show", "pairs", "--pass", "random"), 2, "--pass")


def test_columns_may_be_named_as_tables_name_them():
    assert ("win_rate", "mean_rank", "record") == read_columns("win %,mean place (95 %), won-drawn-lost")
    assert ("rating", "plus_minus") == read_columns("rating,plus_minus"), "a name comes before a heading"


def test_each_column_for_programs_can_be_asked_for_in_a_table():
    names = read_columns("beaten_low,matches_worth,mu_high")
    assert [*names] == [column.key for column in columns_for_people(names)[2:]]


def test_columns_are_chosen_by_name_beside_the_bots(home):
    chosen = ("leaderboard", "--home", home, "--columns", "cost_usd, matches,margin,cost_usd")
    _, _, headings, _, first, *_ = run_here(*chosen).out.splitlines()
    assert "# bot $/match matches +-" == " ".join(headings.split())
    assert ["1-6", "careful", "0.2500", "100"] == first.split()[:4]
    (row, *_) = rows(*chosen)
    assert ["game", "bot", "version", "cost_usd", "matches", "margin"] == list(row)
    assert 0.25 == row["cost_usd"]
    for wrong, what in (("cost", "no column 'cost' (did you mean"), (",", "expected names of columns")):
        check_refused(run_here("leaderboard", "--home", home, "--columns", wrong), 2, what)
    check_refused(
        run_here("leaderboard", "--home", home, "--show", "pairs", "--columns", "mu"), 2, "--columns"
    )


def test_a_line_below_two_notes_says_how_to_see_the_others_of_the_same_matches(tmp_path):
    home = a_rated_home(tmp_path / "home", ["alpha", "beta"], 220)
    said = run_here("leaderboard", "--home", home, "--columns", "luck", "--seats", "2").err
    first, more = said.split("2 matches of a deal tell as much")
    assert first.startswith("no match is reviewed yet")
    assert "\n1 more note: ladder leaderboard --show notes --game stellar --seats 2\n" in more
    assert "only two bots" not in said
    assert "only two bots" in run_here("leaderboard", "--home", home, "--show", "notes", "--seats", "2").out


def test_errors_and_luck_of_reviews_stand_in_columns_and_move_nobody(tmp_path):
    """They are what the reviews say: the mean of all decisions, and of the accounts of whole reviews."""
    home = a_rated_home(tmp_path / "home", ["alpha", "beta"])
    chosen = ("leaderboard", "--home", home, "--columns", "luck,error,reviewed_matches,matches_with_luck")
    plain = rows("leaderboard", "--home", home)
    before = run_here(*chosen)
    assert f"no match is reviewed yet\n  next: ladder review --bot {plain[0]['bot']}\n" in before.err
    assert [None, None] == [row["error"] for row in rows(*chosen)]

    made = [a_review(number, quick=number >= 3) for number in range(5)]
    reviews = Reviews(Folder(home / "results"))
    for each in made:
        reviews.add(each)
    found = rows(*chosen)
    assert [row["bot"] for row in plain] == [row["bot"] for row in found]
    for row in found:
        seat = ("alpha", "beta").index(str(row["bot"]))
        lost = [each.loss for match in made for each in match if each.seat == seat and each.loss is not None]
        accounts = [account_of(match, seat) for match in made[:3]]
        luck = sum(each.start - 0.5 + each.luck for each in accounts if each) / 3
        assert row["error"] == pytest.approx(100 * sum(lost) / len(lost), abs=0.1)
        assert row["luck"] == pytest.approx(100 * luck, abs=1)
        assert [5, 3] == [row["reviewed_matches"], row["matches_with_luck"]]
        assert row["error_margin"]
        assert row["luck_margin"]
    told = run_here(*chosen, "--format", "table")
    said = " ".join(told.err.split())
    assert (
        "reviews explain, they do not rate; error is of 5 matches a bot, luck is of 3 matches a bot" in said
    )
    assert "with fewer than 20, +- is a rough one" in said
    assert [] == wide_lines(told.out.splitlines(), 80)


def test_remote_bots_are_marked_in_a_last_column_where_there_are_any(tmp_path, home):
    create_home(mixed := tmp_path / "home")
    with Store(mixed / "results").lock() as store:
        bots = [{"name": name, "version": f"{name}-1"} for name in "abc"]
        keep_run(
            store, a_field({"a": 29, "b": 25, "c": 20}, {}, 4), bots=[{**bots[0], "remote": True}, *bots[1:]]
        )
    here, there = rows("leaderboard", "--home", home), rows("leaderboard", "--home", mixed)
    assert [*here[0], "remote"] == [*there[0]]
    assert {"a": True, "b": False, "c": False} == {row["bot"]: row["remote"] for row in there}
    (chosen, *_) = rows("leaderboard", "--home", home, "--columns", "remote")
    assert (["game", "bot", "version", "remote"], False) == ([*chosen], chosen["remote"])


def test_only_matches_without_a_fault_may_count_and_both_ratings_stand_side_by_side(tmp_path, home):
    faulty = tmp_path / "home"
    create_home(faulty)
    with Store(faulty / "results").lock() as store:
        bots = [{"name": name, "version": f"{name}-1"} for name in "abc"]
        keep_run(store, a_field({"a": 29, "b": 25, "c": 20}, {"a": 0.4}, 40), bots=bots)
    answer = run_here("leaderboard", "--home", faulty, "--clean")
    told = "without faults a is above b; with them it is below"
    assert "without faults; 64 matches with a charged fault left out" in answer.err
    assert "stellar  2 seats, 176 matches, 3 bots" in answer.out
    assert ["1 a", "2 b", "3 c"] == [" ".join(line.split()[:2]) for line in answer.out.splitlines()[4:7]]
    assert "60.0" == answer.out.splitlines()[4].split()[-1], "the share that a played without a fault"
    for more in (["--clean"], ["--clean", "--show", "notes"], ["--columns", "mu,clean,played"]):
        shown = run_here("leaderboard", "--home", faulty, *more)
        assert told in shown.out + shown.err
        assert "ladder leaderboard --game stellar --columns mu,clean,played\n" in shown.out + shown.err
    assert told not in run_here("leaderboard", "--home", faulty).err
    clean, (chosen, *_) = (
        rows(*(which := ("leaderboard", "--home", faulty)), "--clean"),
        rows(*which, "--columns", "clean,played"),
    )
    assert ["game", "bot", "version", "clean", "clean_low", "clean_high", "played"] == list(chosen)
    assert ["clean", "clean_low", "clean_high", "played"] == [*clean[0]][-4:]
    assert {row["bot"]: row["mu"] for row in clean}[chosen["bot"]] == chosen["clean"]

    none = run_here("leaderboard", "--home", home, "--clean")
    assert none.out.splitlines()[2:4]
    assert "no bot was charged with a fault: all these matches count" in none.err
    check_refused(run_here("leaderboard", "--home", home, "--show", "calibration", "--clean"), 2, "--clean")


def test_only_matches_under_the_limits_of_now_may_count(home):
    answer = run_here("leaderboard", "--home", home, "--limits", "current")
    assert ("", 0) == (answer.out, answer.code), "these were stored without limits"
    assert "under the limits of now; 300 matches under others left out" in answer.err
    assert "no such matches so far" in answer.err
    check_refused(run_here("leaderboard", "--home", home, "--limits", "other"), 2, "current")
    check_refused(
        run_here("leaderboard", "--home", home, "--show", "calibration", "--limits", "current"), 2, "--limits"
    )


def test_programs_get_rounded_numbers_and_names_too(home):
    for row in rows("leaderboard", "--home", home):
        assert (round(row["mu"], 1), round(row["margin"], 1)) == (row["rating"], row["plus_minus"])
        assert round(100 * row["win_rate"], 1) == row["win_percent"]
        assert (None, row["bot"]) == (row["author"], row["display_name"]), "it was never submitted"


def test_a_leaderboard_has_a_title_a_table_and_notes(home):
    answer = run_here("leaderboard", "--home", home)
    title, blank, headings, _, *table = answer.out.splitlines()
    assert "stellar  2 seats, 300 matches, 6 bots" == title
    assert ["", "+- and places (#) are 95 % intervals"] == table[6:]
    assert "" == blank
    assert "# bot rating +- matches beaten % (95 %) points ms/move" == " ".join(headings.split())
    assert SIX == [line.split()[1] for line in table[:6]]
    assert [] == wide_lines(answer.out.splitlines(), 80)
    assert answer.err.startswith("few matches (100 a bot): ")
    assert [] == wide_lines([line for line in answer.err.splitlines() if "next: " not in line], 80)
    assert "ladder duel" not in answer.err, "the bots are not here"


def test_a_narrow_terminal_has_what_matters_and_a_wide_one_more(home):
    narrow = terminal("leaderboard", home, columns=80)
    assert all(
        title in " ".join(narrow[:4]) for title in ("rating", "+-", "matches", "beaten", "points", "ms/move")
    )
    assert not any("├" in line or "not shown" in line for line in narrow)
    wide = terminal("leaderboard", home, columns=140)
    assert 6 == sum("├" in line and "●" in line for line in wide)
    assert all(title in " ".join(wide[:4]) for title in ("version", "95 % interval"))


@pytest.mark.parametrize("columns", [60, 80, 100, 140, 200])
def test_a_leaderboard_fits_the_terminal(home, columns):
    lines = terminal("leaderboard", home, columns=columns)
    assert all(any(name in line for line in lines) for name in SIX)


def test_only_the_first_bots_are_shown_if_so_wanted(home):
    answer = run_here("leaderboard", "--top", "2", "--home", home)
    assert SIX[:2] == [line.split()[1] for line in answer.out.splitlines()[4:6]]
    assert answer.out.startswith("stellar  2 seats, 300 matches, the first 2 of 6 bots\n")
    assert SIX[:2] == [row["bot"] for row in rows("leaderboard", "--top", "2", "--home", home)]


def test_a_crowd_has_a_line_for_each_bot(crowd):
    lines = terminal("leaderboard", crowd, columns=80)
    assert 20 == sum(line.lstrip()[0:1].isdigit() and "bot-number-" in line for line in lines)
    assert any(
        line.startswith("few matches (38 a bot): differences are exaggerated; read ") for line in lines
    )


# -- pairs


def test_pairs_are_listed_with_the_least_sure_ones_first(home):
    answer = run_here("leaderboard", "--show", "pairs", "--home", home)
    title, _, headings, _, *table = answer.out.splitlines()
    found = rows("leaderboard", "--show", "pairs", "--home", home)
    unsure = sum(not row["told_apart"] for row in found)
    assert f"stellar  15 pairs of bots, {unsure} open; +- is a 95 % interval" == title
    assert "bot is above by +-" == " ".join(headings.split())
    assert "few matches (100 a bot): differences are exaggerated; read 10 points as about 6\n" in answer.err
    assert 15 == len(table) == len(found)
    assert [True] * unsure + [False] * (15 - unsure) == [line.endswith("open") for line in table]
    assert 3 == len(rows("leaderboard", "--show", "pairs", "--top", "3", "--home", home))


def test_a_crowd_has_more_pairs_than_a_table_shows(crowd):
    answer = run_here("leaderboard", "--show", "pairs", "--home", crowd)
    assert 100 == len(answer.out.splitlines()) - 4
    assert "90 more pairs, all of them surer\n  next: --top N, or --format csv" in answer.err
    listed = run_here("leaderboard", "--show", "pairs", "--home", crowd, "--format", "csv").out
    assert 190 == len(listed.splitlines()) - 1


# -- matrix


def test_a_matrix_is_in_the_order_of_the_leaderboard(home):
    title, _, headings, _, *table = run_here("matrix", "--home", home).out.splitlines()
    assert "stellar  matches won in %, a draw as half, each with its 95 % interval" == title
    assert ["#", "bot", *"123456"] == headings.split()
    assert SIX == [line.split()[1] for line in table]
    assert ["-"] * 6 == [re.split("  +", line)[2 + i] for i, line in enumerate(table)]
    for row in rows("matrix", "--home", home):
        low, rate, high = (row[key] for key in ("win_rate_low", "win_rate", "win_rate_high"))
        assert 0 <= low < rate < high <= 1  # type: ignore[operator]  # numbers, as the columns say


@pytest.mark.parametrize(("columns", "shown"), [(80, 5), (140, 10)])
def test_a_matrix_of_a_crowd_has_as_many_columns_as_there_is_room_for(crowd, columns, shown):
    lines = terminal("matrix", crowd, columns=columns)
    (headings,) = [line.split() for line in lines if line.split()[:2] == ["#", "bot"]]
    assert ["#", "bot", *map(str, range(1, shown + 1))] == headings
    assert 20 == sum("bot-number-" in line for line in lines)
    assert any(f"not shown, for lack of room: {20 - shown} columns" in line for line in lines)


def test_the_matrix_of_the_first_bots_is_small(crowd):
    assert 20 == len(rows("matrix", "--top", "5", "--home", crowd))
    assert 5 == len(run_here("matrix", "--top", "5", "--home", crowd).out.splitlines()) - 4


def test_the_results_of_one_bot_are_a_list(home):
    answer = run_here("matrix", "--bot", "bold", "--home", home)
    assert [name for name in SIX if name != "bold"] == [
        line.split()[1] for line in answer.out.splitlines()[4:]
    ]
    assert {"bold"} == {row["bot"] for row in rows("matrix", "--bot", "bold", "--home", home)}


# -- history


def test_a_history_is_listed_for_programs(home):
    found = rows("bots", "bold", "--history", "--home", home)
    assert [10, 16, 20, 30, 50, 70, 100] == [row["matches"] for row in found]
    assert {("stellar", "bold", "bold-1")} == {(row["game"], row["bot"], row["version"]) for row in found}


@pytest.mark.parametrize("columns", [60, 80, 140])
def test_a_history_is_drawn(home, columns):
    lines = terminal("bots", "bold", "--history", home, columns=columns)
    told = " ".join(" ".join(lines).split())
    assert told.startswith("stellar bold: how far above greedy after its first matches, +- 95 %")
    assert 7 == sum("●" in line for line in lines)


def test_a_bot_that_is_not_there_has_no_history(home):
    check_refused(run_here("bots", "bald", "--history", "--home", home), 3, "there is no bot 'bald'")
    answer = run_here("bots", "bold", "--history", "--game", "stella", "--home", home)
    assert (0, "") == answer[:2]
    assert "bold has not played stella yet\n" == answer.err, "it is not in the home, so no run takes it"


def test_a_history_is_a_chart_that_needs_no_page(home, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = ("bots", "bold", "--history", "--home", home, "--svg")
    light, dark = run_here(*command, "-").out, run_here(*command, "-", "--dark").out
    for drawn, background in ((light, "#ffffff"), (dark, "#15181b")):
        root = ET.fromstring(drawn)
        assert "{http://www.w3.org/2000/svg}svg" == root.tag
        assert background in drawn
        assert "Rating of bold in Stellar over its matches" in "".join(root.itertext())
        assert not re.search(r"var\(|\bclass=.plot|<style|<script|href", drawn)
    Path("charts").mkdir()
    for file, written in (
        ("bold.svg", "bold.svg"),
        ("bold.svg", "bold.svg"),
        ("charts", "charts/rating-bold-stellar.svg"),
    ):
        said = run_here(*command, file)
        assert (0, "", f"wrote {written}\n") == said
        assert light == Path(written).read_text()


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("--history", "--svg", "mine.svg"), 2, "'mine.svg' exists, and this command did not write it"),
        (("--history", "--svg", "no/a.svg"), 2, "there is no folder 'no'\n  next: mkdir -p no"),
        (
            ("--history", "--svg", "a.svg", "--game", "stella"),
            3,
            "bold has no rating to draw\n  next: ladder bots bold",
        ),
        (("--svg", "a.svg"), 2, "--svg: it goes with --history"),
        (("--history", "--svg", "a.svg", "--json"), 2, "--svg: it goes with --history, and with no --format"),
        (("--history", "--dark"), 2, "--dark: it goes with --svg"),
    ],
)
def test_a_chart_that_cannot_be_written_says_why(home, tmp_path, monkeypatch, arguments, code, words):
    monkeypatch.chdir(tmp_path)
    Path("mine.svg").write_text("<svg/>")
    check_refused(run_here("bots", "bold", *arguments, "--home", home), code, words)
    assert [("mine.svg", "<svg/>")] == [(path.name, path.read_text()) for path in tmp_path.iterdir()]


def test_a_chart_is_of_one_game_and_has_a_line(tmp_path):
    numbers = {("ann", "a"): 1}
    rows = [{"matches": 5}]
    write = partial(_write_chart, tmp_path / "a.svg", "ann", numbers=numbers, dark=False)
    with pytest.raises(UsageProblem, match="of one game, and ann has a rating in stella, stellar") as error:
        write({"stella": [(("ann", "a"), rows)], "stellar": [(("ann", "a"), rows)]})
    assert "--history --game stella --svg" in error.value.hint
    one = {"matches": 5, "anchor": None, "mu": 25.0, "mu_low": 20.0, "mu_high": 30.0, "beside": ""}
    with pytest.raises(NotFound, match="a line needs two ratings, and ann has one in stella"):
        write({"stella": [(("ann", "a"), [one])]})
