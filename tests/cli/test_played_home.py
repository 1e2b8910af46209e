"""The home that tests share is what this ladder plays: see tests/programs/played_home.py."""

import re

import pytest
from programs.played_home import play
from support.command_line import HOME, run_here

MEASURED = re.compile(
    r" *[0-9.]+$| in [0-9.]+ s, [0-9,]+/s|^(running uncompiled sources|this machine is busy).*\n.*\n"
    r"|^run 1: (?!202 of).*\n",
    re.MULTILINE,
)
"""What another machine, or a busy one, says otherwise."""


@pytest.mark.process
def test_it_is_played_again_with_the_same_matches_and_words(played, tmp_path):
    again = play(tmp_path / "home")
    digests = [run_here("home", "digest", "--home", home) for home in (played.home, tmp_path / "home")]
    assert digests[0] == digests[1]
    assert (0, 0) == (again.code, digests[0].code)
    kept = [text.replace(str(played.home), HOME) for text in (played.run.out, played.run.err)]
    assert [MEASURED.sub("", text) for text in kept] == [
        MEASURED.sub("", text) for text in (again.out, again.err)
    ]
