"""The value of a bot's variable stands in no file of a home, and in no output."""

import io
import tarfile

import pyarrow.parquet as pq
import pytest
from support.command_line import check_refused, run_here

pytestmark = pytest.mark.usefixtures("threads")

KEY = "sk-ant-0123456789-abcdefghij"
BOT = """\
import os, sys
from protocol.client import serve

key = os.environ["API_KEY"]
print("my key is", key, file=sys.stderr)

def choose(act):
    if act.seat == 0 and act.step > 3:
        raise ValueError(f"cannot call the model with {key}")
    act.note = key
    return act.choice.options[0]

serve(choose)
"""
MANIFEST = """\
name = "teller"
run = ["{python}", "bot.py"]
games = ["stellar"]
env = ["API_KEY"]
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Return a folder with a home and a bot that tells its key."""
    folder = tmp_path_factory.mktemp("hidden")
    bot = folder / "teller"
    bot.mkdir()
    (bot / "bot.py").write_text(BOT)
    (bot / "bot.toml").write_text(MANIFEST)
    assert 0 == run_here("home", "init", folder / "home").code
    (folder / "home/ladder.toml").write_text('[run]\ngames = ["stellar"]\n[allow]\nenv = ["API_KEY"]\n')
    return folder


def told(place, *arguments, key=KEY):
    """Run a command with the bot's variable set."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        patch.setenv("API_KEY", key)
        patch.setenv("LADDER_HOME", str(place / "home"))
        return run_here(*arguments)


def test_a_home_and_its_archive_have_no_value(place):
    assert 0 == told(place, "submit", "teller", "--check", "none").code
    assert 0 == told(place, "run", "teller", "random", "--games", "20", "--seed", "3").code
    assert 0 == told(place, "home", "archive", "it.tar.gz").code
    kept = {str(file): file.read_bytes() for file in (place / "home").rglob("*") if file.is_file()}
    with tarfile.open(place / "it.tar.gz") as archive:
        packed = {each.name: archive.extractfile(each).read() for each in archive if each.isreg()}
    for files in (kept, packed):
        assert [] == [name for name, data in files.items() if KEY.encode() in data]
        tables = [io.BytesIO(data) for name, data in files.items() if name.endswith(".parquet")]
        rows = "".join(str(pq.read_table(table).to_pylist()) for table in tables)
        assert KEY not in rows
        assert "cannot call the model with ***" in rows, "what a compressed file has is read"
    outputs = [
        told(place, "faults", "teller", "--format", "csv"),
        told(place, "faults", "teller", "--format", "json"),
        told(place, "bots", "feedback", "teller"),
    ]
    for code, out, err in outputs:
        assert code == 0, err
        assert KEY not in out + err
    assert "cannot call the model with ***" in outputs[1].out
    assert "cannot call the model with ***" in outputs[2].out


@pytest.mark.process
def test_check_shows_no_value_and_warns_of_one_that_is_not_hidden(place):
    whole = told(place, "check", "teller", "--transcript")
    assert "cannot call the model with ***" in whole.out
    transcript = (place / "teller-transcript.txt").read_text()
    assert "my key is ***" in transcript
    assert KEY not in whole.out + whole.err + transcript
    shown = told(place, "check", "teller", key="20260131")
    what = (
        "the value of API_KEY is not hidden where the bot prints it: it is a number of fewer than 12 digits"
    )
    assert f"variables       {what}" in shown.out
    assert "variables" not in whole.out


@pytest.mark.process
def test_the_output_of_a_build_shows_no_value(place):
    bot = place / "builder"
    bot.mkdir()
    (bot / "bot.py").write_text(BOT)
    (bot / "bot.toml").write_text(
        MANIFEST.replace("teller", "builder") + 'build = "echo key $API_KEY; exit 1"\n'
    )
    refused = told(place, "submit", "builder")
    check_refused(refused, 1, "key ***")
    assert KEY not in refused.err
