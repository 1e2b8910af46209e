"""When a golden record may be rewritten."""

from __future__ import annotations

import pytest

from engines.contract.test_golden import rewrite, version_of
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
