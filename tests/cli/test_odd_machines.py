"""Machines that lack something: what can work works, and else one line names what is missing."""

import resource
import subprocess
import sys

import pytest
from support.ladders import a_home

LITTLE = 500_000 << 10
"""Bytes of addresses, as `ulimit -v 500000` leaves: too few for libraries that start many threads."""


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return a_home(tmp_path_factory.mktemp("odd") / "home", {"first": {}, "last": {"style": "last"}}).path


@pytest.mark.process
def test_with_few_addresses_a_run_is_played_and_its_results_are_read(home):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (LITTLE, LITTLE))

    for words in ("run first last --games 2", "matches", "matrix", "leaderboard"):
        done = subprocess.run(
            [sys.executable, "-m", "ladder", *words.split(), "--home", home],
            preexec_fn=limit,
            capture_output=True,
            text=True,
        )
        assert 0 == done.returncode, done.stderr
