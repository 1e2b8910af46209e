"""A name in any script becomes one that commands take, and what was a name before stays as it is."""

import msgspec
import pytest

from engines import GAMES
from ladder.errors import UsageProblem
from ladder.registry.bot_manifest import BotManifest, read_manifest
from ladder.registry.handles import NAME, derive_handle, is_display_name
from ladder.registry.snapshot import identity_in
from ladder.registry.version import Version


@pytest.mark.parametrize(
    ("text", "handle"),
    [
        ("机器人", "ji-qi-ren"),
        ("робот 7", "robot-7"),
        ("Zoë's Bot", "Zoe-s-Bot"),
        ("Straße", "Strasse"),
        ("José", "Jose"),  # the accent is a character of its own
        ("\uff37\uff29\uff24\uff25", "WIDE"),
        ("My bot", "My-bot"),
        ("_rat_", "rat"),
        ("a" * 40, "a" * 32),
        ("rat 机", "rat-ji"),
    ],
)
def test_a_handle_is_made_of_what_the_name_sounds_like(text, handle):
    assert handle == derive_handle(text) == derive_handle(text)
    assert NAME.fullmatch(handle)


def test_names_of_which_nothing_is_left_have_a_handle_of_their_own():
    handles = {derive_handle(text) for text in ("---", "???", "..")}
    assert 3 == len(handles)
    assert all(NAME.fullmatch(handle) for handle in handles)


@pytest.mark.parametrize(
    "text", ["", " rat", "../rat", "a\\b", "rat\n", "a\u202eb", "a\u200bb", "x" * 65, "\ufeffrat"]
)
def test_what_cannot_be_seen_is_no_name(text):
    assert not is_display_name(text)


def a_folder(path, toml):
    path.mkdir()
    (path / "bot.py").write_text("pass\n")
    (path / "bot.toml").write_text(f'{toml}\nrun = ["{{python}}", "bot.py"]\n', "utf-8")
    return path


def test_such_a_name_is_shown_and_commands_call_the_bot_by_its_handle(tmp_path):
    told: list[str] = []
    manifest = read_manifest(a_folder(tmp_path / "x", 'name = "机器人"'), GAMES, told=told)
    assert ("ji-qi-ren", "机器人") == (manifest.name, manifest.display)
    assert ["it is shown as '机器人'; commands call it ji-qi-ren"] == told
    assert "机器人" == Version("ji-qi-ren", "", "", manifest).display
    assert "" == Version("rat", "", "", BotManifest("rat", ("a",))).display


def test_an_author_can_choose_both(tmp_path):
    told: list[str] = []
    both = a_folder(tmp_path / "x", 'name = "rat"\ndisplay = "River Rat"')
    manifest = read_manifest(both, GAMES, told=told)
    assert ("rat", "River Rat", []) == (manifest.name, manifest.display, told)
    assert "River Rat" == read_manifest(both, GAMES, "鼠", told).display, "the author's own stays"
    bad = a_folder(tmp_path / "y", 'name = "rat"\ndisplay = "a\\u202eb"')
    with pytest.raises(UsageProblem, match="expected a `display` of 1 to 64 characters that can be seen"):
        read_manifest(bad, GAMES)


def test_a_name_that_is_given_for_such_a_bot_leaves_it_its_own_to_be_shown(tmp_path):
    manifest = read_manifest(a_folder(tmp_path / "x", 'name = "机器人"'), GAMES, "s07")
    assert ("s07", "机器人") == (manifest.name, manifest.display)


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("Bot(1).py", "Bot"),
        ("Bot (12).py", "Bot"),
        ("(1).py", "1"),
        ("Bot(x).py", "Bot-x"),
        ("bot.py", "bot"),
        ("BOT.PY", "BOT"),
        ("bot.pyw", "bot"),
        ("bot.py.txt", "bot"),
        (" rat .py", "rat"),
        ("a\u200bb.py", "ab"),
        (f"{'x' * 100}.py", "x" * 32),
    ],
)
def test_the_number_of_a_copy_is_no_part_of_a_name(tmp_path, file, name):
    (tmp_path / file).write_text("pass\n")
    assert name == read_manifest(tmp_path / file, GAMES).name


def test_a_name_that_is_not_in_utf_8_is_named(tmp_path):
    (tmp_path / "caf\udce9.py").write_text("pass\n")
    with pytest.raises(UsageProblem, match=r"the name 'caf\\udce9\.py' is not in UTF-8"):
        read_manifest(tmp_path / "caf\udce9.py", GAMES)


def test_a_name_that_begins_with_a_dash_is_no_option_of_what_runs_it(tmp_path):
    (tmp_path / "-rat.py").write_text("pass\n")
    manifest = read_manifest(tmp_path / "-rat.py", GAMES)
    assert ("rat", ("{python}", "./-rat.py")) == (manifest.name, manifest.run)


def test_emoji_that_are_joined_are_a_name(tmp_path):
    manifest = read_manifest(a_folder(tmp_path / "x", 'name = " \u2764\ufe0f "'), GAMES)
    assert ("heart", "\u2764") == (manifest.name, manifest.display)


def test_a_bot_without_a_name_to_show_keeps_its_hash(tmp_path):
    folder = a_folder(tmp_path / "x", 'name = "rat"')
    for file in folder.iterdir():
        file.chmod(0o644)
    assert "600e9f64e150" == identity_in(folder, read_manifest(folder, GAMES))


def test_table_sizes_are_stored_in_order_and_change_the_hash_of_their_bots_alone(tmp_path):
    texts = "stella-quest = [4, 2], stella = [3]", "stella = [3], stella-quest = [2, 4]"
    folders = [
        a_folder(tmp_path / str(i), f'name = "rat"\nseats = {{ {text} }}') for i, text in enumerate(texts)
    ]
    one, other = (read_manifest(folder, GAMES) for folder in folders)
    assert one == other
    assert [(2, 4), (3,), ()] == [one.sizes_of(game) for game in ("stella-quest", "stella", "stellar")]
    assert b'"seats":{"stella":[3],"stella-quest":[2,4]}' in msgspec.json.encode(other)
    assert b"seats" not in msgspec.json.encode(BotManifest("rat", ("./rat",)))
