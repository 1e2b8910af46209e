"""Old homes and old texts: what each release has stored is read by all later ones."""

import difflib
import shutil

import pytest
from programs.golden_home import HOMES
from programs.golden_texts import GOLDEN, golden_files
from support.bot_threads import in_threads
from support.command_line import run_here

AGAIN = "python tests/programs/golden_texts.py"
DIGESTS = {
    "0.5.0": "76a6fe8b44ee4434d11f96f097144efe003e00d917dfc11e9d0bd3635a44493c",
    "0.6.0": "9142fdbe29fd13c5e33087c4bababdb713befeeeca85e668868356b0045b9e70",
}
"""What `ladder home digest` says of the home of each release."""


def test_commands_and_pages_say_what_they_said(tmp_path):
    files = golden_files(tmp_path)
    kept = {path.name: path.read_text("utf-8") for path in GOLDEN.iterdir()}
    assert sorted(kept) == sorted(files)
    changed = [
        line
        for name in kept
        for line in difflib.unified_diff(kept[name].splitlines(), files[name].splitlines(), name, lineterm="")
    ]
    assert not changed, f"read it; if it is better, {AGAIN}:\n" + "\n".join(changed[:200])


@pytest.mark.parametrize("version", DIGESTS)
def test_a_home_of_before_is_opened_verified_continued_archived_and_shown(version, tmp_path, monkeypatch):
    home = tmp_path / "home"
    shutil.unpack_archive(HOMES / f"{version}.tar.xz", home)
    monkeypatch.setenv("LADDER_HOME", str(home))
    assert DIGESTS[version] == run_here("home", "digest").out.strip()
    for words in ("home verify", "leaderboard", "bots", "duel d1", "replay 1/1", "bots greedy --history"):
        assert 0 == run_here(*words.split()).code, words
    archive, restored = tmp_path / "all.tar.gz", tmp_path / "restored"
    with in_threads():
        said = run_here("run", "--resume", "--sandbox", "none")
        assert 0 == said.code, said.err
        assert "of 400 matches" in said.err
        assert 0 == run_here("home", "archive", archive).code
        said = run_here("home", "restore", archive, restored)
        assert 0 == said.code, said.err
        monkeypatch.setenv("LADDER_HOME", str(restored))
        assert 0 == run_here("home", "verify").code
