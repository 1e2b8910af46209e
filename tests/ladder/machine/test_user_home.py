"""The home folder of the user: HOME, else what passwd says, and for some users none."""

import pwd
from pathlib import Path

import pytest

from ladder.dev.hostile import case_trial
from ladder.home.home import create_home
from ladder.home.machine_paths import paths_of_machine
from ladder.machine.user_home import user_home
from ladder.sandbox import toolchains
from ladder.sandbox.runtimes import is_shared


def listed(monkeypatch, folder):
    """Let passwd name *folder* as the home of the user; None: it has no such user."""

    def find(user):
        if folder is None:
            raise KeyError(user)
        return pwd.struct_passwd(("ann", "x", user, user, "", folder, "/bin/sh"))

    monkeypatch.setattr(pwd, "getpwuid", find)


@pytest.mark.parametrize(
    ("variable", "folder", "expected"),
    [
        ("/home/ann", "/home/bob", "/home/ann"),
        (None, "/home/bob", "/home/bob"),
        ("", "/home/bob", "/home/bob"),
        ("not/absolute", "/home/bob", "/home/bob"),
        ("not/absolute", None, None),
        (None, None, None),
        (None, "", None),
    ],
)
def test_the_home_is_that_of_the_environment_else_of_passwd_else_none(
    monkeypatch, variable, folder, expected
):
    listed(monkeypatch, folder)
    if variable is None:
        monkeypatch.delenv("HOME", raising=False)
    else:
        monkeypatch.setenv("HOME", variable)
    assert (Path(expected) if expected else None) == user_home()


@pytest.fixture
def homeless(monkeypatch):
    """Take the home folder of the user away."""
    listed(monkeypatch, None)
    monkeypatch.delenv("HOME", raising=False)


@pytest.mark.usefixtures("homeless")
def test_without_a_home_nothing_of_a_user_is_hidden_shown_or_searched(tmp_path):
    assert is_shared(Path("/"))
    assert is_shared(Path("/opt"))
    assert not is_shared(Path("/usr"))
    assert "~" not in paths_of_machine(create_home(tmp_path / "home"), []).values()
    assert not [path for path in toolchains.toolchains().shown if path.name in (".rustup", ".cargo")]
    assert [] == list(case_trial.litter("no-such-mark", tmp_path))
