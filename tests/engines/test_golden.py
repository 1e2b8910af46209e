"""When a golden record may be rewritten."""

import sys
from pathlib import Path

import pytest

from engines import GAMES
from engines.contract.golden import in_words_of_today, read_record, rewrite, version_of
from engines.games import BUILT_IN
from engines.template import Toy


def test_a_golden_record_of_the_same_version_is_not_rewritten_with_other_lines(tmp_path):
    path = tmp_path / "2.jsonl"
    rewrite(path, ['{"version":1}', '{"moves":{}}'])
    rewrite(path, ['{"version":1}', '{"moves":{}}'])
    with pytest.raises(pytest.fail.Exception, match="raise the version"):
        rewrite(path, ['{"version":1}', '{"moves":{"0":"a"}}'])
    rewrite(path, ['{"version":2}', '{"moves":{"0":"a"}}'])
    assert ['{"version":2}', '{"moves":{"0":"a"}}'] == path.read_text("utf-8").splitlines()


def test_a_golden_record_of_a_version_that_replays_keeps_its_version(tmp_path):
    class Later(Toy):
        version = 4
        replays = frozenset({3})

    path = tmp_path / "3.jsonl"
    assert 4 == version_of(path, Later())
    for version, expected in ((2, 4), (3, 3), (4, 4)):
        path.write_text(f'{{"version":{version}}}\n')
        assert expected == version_of(path, Later())


# -- old records, in which the event is called kind

BEFORE = '{"events":[{"kind":"show","private":{},"public":{"kind":"of shown"}}],"version":1}'
TODAY = '{"events":[{"event":"show","private":{},"public":{"kind":"of shown"}}],"version":1}'


def test_a_record_of_before_is_read_in_the_words_of_today(tmp_path):
    path = tmp_path / "2.jsonl"
    path.write_text(f"{BEFORE}\n{TODAY}\n")
    assert [TODAY, TODAY] == read_record(path)


def test_a_record_of_before_is_rewritten_without_a_higher_version(tmp_path):
    path = tmp_path / "2.jsonl"
    path.write_text(f"{BEFORE}\n")
    with pytest.raises(pytest.fail.Exception, match="raise the version"):
        rewrite(path, [TODAY.replace("shown", "hidden")])
    rewrite(path, [TODAY])
    assert f"{TODAY}\n" == path.read_text("utf-8")
    assert [path] == [*tmp_path.iterdir()]


def test_what_a_game_of_before_says_that_its_records_show_is_found():
    assert '"event":"show"' in TODAY
    assert in_words_of_today('"kind":"show"') in TODAY
    assert in_words_of_today('"kind":"hide"') not in TODAY


@pytest.mark.parametrize("name", BUILT_IN)
def test_records_of_built_in_games_are_in_the_words_of_today(name):
    folder = Path(sys.modules[type(GAMES[name]).__module__].__file__).parent
    for path in (folder / "golden").iterdir():
        assert read_record(path) == path.read_text("utf-8").splitlines()
