"""Equal programs are found whatever their files, bots and authors are called."""

import pytest
from support.taken_in import take_in

from ladder.registry.roster import Roster
from ladder.registry.same_programs import find_same_programs


def script(folder, name, text):
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text)
    return folder / name


def project(folder, name, text, more=""):
    script(folder, "main.py", text)
    script(folder, "bot.toml", f'name = "{name}"\nrun = ["{{python}}", "main.py"]\n{more}')
    return folder


def found(roster):
    return [
        [f"{each.bot}@{each.number}" for each in group] for group in find_same_programs(roster.versions())
    ]


def test_names_manifests_and_empty_files_do_not_count(tmp_path):
    roster = Roster(tmp_path / "bots")
    take_in(roster, script(tmp_path, "ann.py", "print(1)"))
    take_in(roster, script(tmp_path, "bob.py", "print(2)"))
    take_in(roster, project(tmp_path / "x", "cid", "print(1)", 'author = "cid"\nconfig = { depth = 2 }\n'))
    with_empty = project(tmp_path / "y", "dan", "print(2)")
    script(with_empty, "__init__.py", "")
    take_in(roster, with_empty)
    assert [["ann@1", "cid@1"], ["bob@1", "dan@1"]] == found(roster)


def test_a_table_that_is_no_manifest_counts(tmp_path):
    roster = Roster(tmp_path / "bots")
    for name, depth in (("ann", 1), ("bob", 2)):
        folder = project(tmp_path / name, name, "print(1)")
        script(folder, "settings.toml", f"depth = {depth}")
        take_in(roster, folder)
    assert [] == found(roster)


def test_an_older_version_counts_and_other_versions_of_the_same_bot_do_not(tmp_path):
    roster = Roster(tmp_path / "bots")
    take_in(roster, script(tmp_path, "ann.py", "print(1)"))
    take_in(roster, project(tmp_path / "x", "ann", "print(1)", 'description = "the same again"\n'))
    assert [] == found(roster)
    take_in(roster, script(tmp_path, "ann.py", "print(3)"))
    take_in(roster, script(tmp_path, "bob.py", "print(1)"))
    assert [["ann@2", "bob@1"]] == found(roster)


@pytest.mark.process
def test_house_bots_and_what_is_built_do_not_count(tmp_path):
    roster = Roster(tmp_path / "bots")
    take_in(roster, script(tmp_path, "ann.py", "print(1)"), house=True)
    take_in(roster, script(tmp_path, "bob.py", "print(1)"), house=True)
    for name in ("cid", "dan"):
        build = f'build = "echo {name} > made.txt"\n'
        take_in(roster, project(tmp_path / name, name, "print(2)", build))
    assert [["cid@1", "dan@1"]] == found(roster)
