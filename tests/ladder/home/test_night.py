"""What a report on a night says: what is new since the last one, and nothing else."""

from unittest import mock

import msgspec
import pytest
from support.command_line import check_refused, run_here
from support.rated_homes import a_rated_home
from support.taken_in import take_in

from ladder.home.home import open_home
from ladder.home.night import (
    NewVersion,
    NightFaults,
    NightPlace,
    NightReport,
    boards_of,
    failed_night,
    keep_told,
    night_report,
)
from ladder.home.night_document import night_document, write_report
from results.rating.cache import ratings_of
from results.reports.as_markdown import as_markdown
from results.storage.store import Store

pytestmark = pytest.mark.usefixtures("threads")


def told_now(home):
    contents = Store(home.results).contents()
    boards = boards_of(home, contents, ratings_of(contents))
    report = night_report(home, contents, boards)
    keep_told(home, report, contents, boards)
    return report


def to_markdown(report):
    return as_markdown(night_document(report, "operator"), {})


def submit(home, folder, name, text, note="", **how):
    (folder / f"{name}.py").write_text(text)
    take_in(home.roster, folder / f"{name}.py", note=note, **how)


def test_the_first_report_tells_everything_and_the_second_what_came_since(tmp_path):
    home = open_home(a_rated_home(tmp_path / "home", ["ann", "bob", "cid"], 60))
    submit(home, tmp_path, "dan", "1")
    submit(home, tmp_path, "greedy", "1", house=True)
    first = told_now(home)
    assert (None, [1], 360) == (first.since, first.runs, first.matches)
    assert [("dan", True)] == [(each.bot, each.is_new_bot) for each in first.bots], "without house bots"
    assert {"ann", "bob", "cid"} == {place.bot for place in first.places}
    second = told_now(home)
    assert first.when == second.since
    assert ([], 0, [], [], []) == (second.runs, second.matches, second.faults, second.places, second.to_do)


def test_a_version_is_told_once_whatever_the_clock_says(tmp_path):
    home = open_home(a_rated_home(tmp_path / "home", ["ann", "bob"]))
    submit(home, tmp_path, "dan", "1")
    told_now(home)
    file = home.path / "last-report.json"
    told = msgspec.json.decode(file.read_bytes()) | {"when": "2999-01-01T00:00:00Z"}
    file.write_bytes(msgspec.json.encode(told))
    submit(home, tmp_path, "eve", "1")
    assert ["eve"] == [each.bot for each in told_now(home).bots], "the clock was a thousand years ahead"
    file.write_bytes(msgspec.json.encode(told | {"versions": None, "when": "2000-01-01T00:00:00Z"}))
    assert ["dan", "eve"] == [each.bot for each in told_now(home).bots], "as an old file has it"


def test_only_places_that_do_not_touch_those_of_before_are_told(tmp_path):
    home = open_home(a_rated_home(tmp_path / "home", ["ann", "bob", "cid"], 60))
    told_now(home)
    file = home.path / "last-report.json"
    told = msgspec.json.decode(file.read_bytes())
    now = told["places"]["stellar"]
    assert 1 == now["ann"][0]
    told["places"]["stellar"] = now | {"ann": [now["ann"][1] + 1, 9], "bob": [1, now["bob"][0]]}
    file.write_bytes(msgspec.json.encode(told))
    (place,) = told_now(home).places
    assert ("ann", now["ann"][1] + 1) == (place.bot, place.was_low)


def test_a_damaged_memory_is_none(tmp_path):
    home = open_home(a_rated_home(tmp_path / "home", ["ann", "bob"]))
    (home.path / "last-report.json").write_text("{")
    assert told_now(home).since is None


def test_the_text_names_each_part_and_quotes_what_bots_say():
    report = NightReport(
        when="2026-11-26T23:20:38+00:00",
        since="2026-11-25T23:20:30+00:00",
        runs=[4, 5],
        matches=1200,
        faults=[NightFaults("rat", "illegal", 6, "4/75")],
        places=[
            NightPlace("stellar", "ann", 3, 1, 2, 4, 6),
            NightPlace("stellar", "bob", 1, 3, 3, None, None),
        ],
        left_out=["x`y\u202e\n# z"],
    )
    text = to_markdown(report)
    assert (
        "# The night to 2026-11-26 23:20 UTC\n\n1,200 matches since 2026-11-25 23:20 UTC; runs: 4, 5" in text
    )
    assert "- `stellar`: `ann` went up to 1 to 2, from 4 to 6\n- `stellar`: 1 bot new: `bob` at 3\n" in text
    assert "- `rat`: 6 matches by illegal; the last is 4/75" in text
    assert "- ``x`y\\u202e\\n# z``" in text
    assert text.endswith("\n\nNothing is to be done.\n")


def test_what_is_new_in_the_same_way_is_told_in_one_line():
    bots = [NewVersion(f"b{i}", 1, True, "2026-11-26", "") for i in range(84)]
    noted = NewVersion("b0", 2, False, "2026-11-26", "bids `less`")
    places = [NightPlace("stella", f"b{i}", 1, 1, 84, None, None) for i in range(84)]
    text = to_markdown(NightReport("2026-11-26T23:20:38+00:00", None, bots=[*bots, noted], places=places))
    named = ", ".join(f"`b{i}@1`" for i in range(12))
    placed = ", ".join(f"`b{i}` at 1 to 84" for i in range(12))
    assert (
        f"## New\n\n- 84 new bots: {named} and 72 more\n- 1 new version: `b0@2`: `` bids `less` ``\n" in text
    )
    assert f"## Places\n\n- `stella`: 84 bots new: {placed} and 72 more\n" in text


def test_long_parts_are_cut_and_say_so():
    text = to_markdown(NightReport("2026-11-26T23:20:38+00:00", None, left_out=[f"a{i}" for i in range(60)]))
    assert "- `a49`\n- and 10 more\n" in text


def test_a_night_that_failed_says_why(tmp_path):
    report = failed_night(ValueError("no bots"), "ladder submit PATH")
    write_report(tmp_path / "n.json", report)
    assert "no bots" == msgspec.json.decode((tmp_path / "n.json").read_bytes())["failed"]
    text = to_markdown(report)
    assert "The night failed. `no bots`\n\n## To do\n\n- `ladder submit PATH`\n" in text
    assert "Nothing is to be done" not in text


def test_a_run_that_cannot_begin_writes_why(tmp_path):
    home = a_rated_home(tmp_path / "home", ["ann", "bob"])
    answer = run_here("run", "nobody", "ann", "--report", tmp_path / "n.md", "--home", home)
    check_refused(answer, 3, "there is no bot 'nobody'")
    assert "The night failed. `there is no bot 'nobody'" in (tmp_path / "n.md").read_text()
    assert not (home / "last-report.json").exists(), "the next report tells of this night, too"


def test_a_report_that_cannot_be_written_hides_no_error(tmp_path):
    home = a_rated_home(tmp_path / "home", ["ann", "bob"])
    with mock.patch("ladder.home.night_document.write_report", side_effect=OSError("no space left")):
        answer = run_here("run", "nobody", "ann", "--report", tmp_path / "n.md", "--home", home)
    check_refused(answer, 3, "there is no bot 'nobody'", "the report could not be written: no space left")
