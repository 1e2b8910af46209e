"""The files of a game for authors of bots: listed, copied."""

from pathlib import Path

import pytest
from support.command_line import check_refused, run_here

from engines import GAMES
from ladder.errors import UsageProblem
from ladder.games.bot_files import copy_bot_files, list_bot_files


@pytest.mark.parametrize("game", GAMES)
def test_every_file_that_a_page_links_to_is_among_those_for_authors(game):
    files = {file.name for file in list_bot_files(game)}
    assert {"README.md", "positions.json", "schema.json", "summary.txt"} <= files


def test_the_files_are_copied_into_a_folder_of_the_game(tmp_path):
    done = run_here("games", "stellar", "--to", tmp_path)
    assert 0 == done.code
    copies = [Path(line) for line in done.out.splitlines()]
    assert [tmp_path / "stellar" / file.name for file in list_bot_files("stellar")] == copies
    for copy, file in zip(copies, list_bot_files("stellar"), strict=True):
        assert file.read_bytes() == copy.read_bytes()


def test_a_folder_that_is_there_is_left_alone(tmp_path):
    (tmp_path / "stellar").mkdir()
    with pytest.raises(UsageProblem, match="is there already"):
        copy_bot_files("stellar", tmp_path)
    assert [] == [*(tmp_path / "stellar").iterdir()]


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageProblem, match="cannot be written"):
        copy_bot_files("stellar", tmp_path / "file")


def test_a_game_that_is_not_there_is_a_clear_error():
    check_refused(run_here("games", "stelar"), 3, "stellar")
