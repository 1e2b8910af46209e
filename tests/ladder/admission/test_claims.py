"""Which of many submissions gets which name."""

from pathlib import Path

from support import ladders

from ladder.admission.claims import in_turn
from ladder.admission.submission import Submission
from ladder.home.bot_life import rename
from ladder.registry.place import BotPlace


def test_a_name_that_an_author_chose_goes_before_one_that_was_derived(tmp_path):
    home = ladders.a_home(tmp_path / "home", {})

    def a_claim(entry, **how):
        return Submission(Path(entry), BotPlace(f"/class/{entry}", entry), bot="river", **how)

    waiting, refused = in_turn(home, [a_claim("1.py", is_derived=True), a_claim("2.py")], ())
    assert {"1.py": "river-2", "2.py": "river"} == {task.path.name: task.bot for task in waiting}
    assert [] == refused


def test_a_name_of_a_file_in_an_archive_gives_way_to_all_that_no_new_bot_may_have(tmp_path):
    home = ladders.a_home(tmp_path / "home", {"Bot": {}, "mole": {}})
    rename(home, "mole", "vole")

    def a_claim(name):
        path = Path(f"{name}-of-ann.zip")
        return Submission(path, BotPlace(str(path), "ann/"), bot=name, has_name_of_file=True)

    waiting, refused = in_turn(home, [a_claim("bot")], ())
    assert (["ann"], []) == ([task.bot for task in waiting], refused)
    waiting, refused = in_turn(home, [a_claim("mole")], ())
    assert (["ann"], []) == ([task.bot for task in waiting], refused)
