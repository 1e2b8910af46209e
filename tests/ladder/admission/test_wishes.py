"""Wishes: strictly read, whatever the file is."""

import os

import pytest

from ladder.admission.wishes import Wish, read_wish, wish_text
from ladder.errors import UsageProblem

ONE = 'wish = "retire"\nbot = "mine"\n'


@pytest.mark.parametrize(
    ("fields", "wish"),
    [
        ({"wish": "retire", "bot": "mine@2"}, Wish("retire", "mine@2")),
        ({"wish": "rename", "bot": "mine", "to": "rival"}, Wish("rename", "mine", to="rival")),
        (
            {"wish": "challenge", "bot": "mine", "against": "greedy", "game": "stella-quest", "deals": 50},
            Wish("challenge", "mine", against="greedy", game="stella-quest", deals=50),
        ),
    ],
)
def test_what_is_written_is_read(fields, wish, tmp_path):
    (tmp_path / "a.wish.toml").write_text(wish_text(fields))
    assert wish == read_wish(tmp_path / "a.wish.toml")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (ONE + 'wish = "activate"\n', "Cannot overwrite a value"),
        ('[[wish]]\nwish = "retire"\n[[wish]]\n', "Expected `str`, got `array`"),
        (ONE + 'to = "other"\n', "retire takes bot"),
        (ONE + "and = 1\n", "unknown field `and`"),
        (ONE.replace("retire", "rename"), "rename takes bot and to"),
        ('wish = "ban"\nbot = "mine"\n', "Invalid enum value 'ban'"),
        ('bot = "mine"\n', "missing required field `wish`"),
        (ONE.replace("mine", "../mine"), "expected NAME or NAME@NUMBER"),
        (ONE.replace("mine", "mine\\n"), "expected NAME or NAME@NUMBER"),
        (ONE.replace("mine", "mine@9999999"), "expected NAME or NAME@NUMBER"),
        ('wish = "challenge"\nbot = "a"\nagainst = "b"\ngame = "stellar"\ndeals = 501\n', "<= 500"),
        (ONE + "#" * 2**20, "at most 4,096 bytes"),
        (ONE.encode("utf-16"), "codec can't decode"),
        (b"\xff\x00", "codec can't decode"),
        ("x = " + "[" * 4000, "nested at most"),
    ],
)
def test_what_is_no_wish_is_said_to_be_none(content, why, tmp_path):
    path = tmp_path / "a.wish.toml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(UsageProblem, match="this is no wish") as raised:
        read_wish(path)
    assert why in str(raised.value)
    assert str(tmp_path) not in str(raised.value)


def test_links_pipes_and_folders_are_no_wishes_and_are_not_read(tmp_path):
    (tmp_path / "real").write_text(ONE)
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name in ("link", "folder", "pipe", "missing"):
        with pytest.raises(UsageProblem, match="not a regular file"):
            read_wish(tmp_path / name)
