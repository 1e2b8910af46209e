"""What bubblewrap is asked, and what of the machine is shown to bots."""

import sys
from pathlib import Path

import pytest
from support.places import ROOT

from ladder.sandbox import ENVIRONMENT, Bounds, CannotConfine, bwrap, confine, landlock, runtimes

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="confinement needs Linux")


@pytest.fixture(autouse=True)
def _new_paths():
    """Forget which programs were found on the paths of other tests."""
    runtimes.programs.cache_clear()
    yield
    runtimes.programs.cache_clear()


def options(tmp_path, root=False, **changes):
    confined = confine("bwrap", [sys.executable, "bot.py"], tmp_path, {"KEY": "x y"}, **changes)
    return list(bwrap.options(confined, root))


def pairs(words, option):
    """Return what follows *option*, wherever it stands."""
    return [words[i + 1] for i, word in enumerate(words) if word == option]


def test_an_ordinary_users_sandbox_has_its_own_users_and_roots_has_not(tmp_path):
    user, root = options(tmp_path), options(tmp_path, root=True)
    assert {"--unshare-user", "--disable-userns"} <= set(user)
    assert {"--unshare-user", "--disable-userns"}.isdisjoint(root)
    assert ["CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"] == pairs(root, "--cap-add")
    assert [] == pairs(user, "--cap-add")
    assert ["ALL"] == pairs(user, "--cap-drop") == pairs(root, "--cap-drop")


def test_every_sandbox_has_nothing_of_the_machine_but_files(tmp_path):
    words = options(tmp_path)
    assert {"--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-net"} <= set(words)
    assert {"--die-with-parent", "--clearenv"} <= set(words)
    assert "--new-session" not in words  # the spawner has begun one
    assert [*ENVIRONMENT, "KEY"] == pairs(words, "--setenv")
    assert ["/proc", "/tmp", "/dev", "/"] == pairs(words, "--remount-ro")
    assert [] == pairs(words, "--bind")
    assert "--unshare-net" not in options(tmp_path, network=True)


def test_scratch_space_has_its_size_and_can_be_written(tmp_path):
    words = options(tmp_path, bounds=Bounds(scratch_mb=64))
    assert ["16777216", "67108864"] == pairs(words, "--size")
    assert ["/proc", "/dev", "/"] == pairs(words, "--remount-ro")


def test_interpreters_are_shown_where_they_are(tmp_path):
    shown = runtimes.programs(sys.executable, tmp_path, ())
    system = runtimes.system()
    assert all(runtimes.is_within(Path(path), [*system, *shown]) for path in (sys.prefix, sys.base_prefix))
    for package in ("engines", "protocol"):
        assert runtimes.is_within(ROOT / package, [*system, *shown])
    assert not runtimes.is_within(ROOT / "results", [*system, *shown])


def test_the_machine_code_of_a_compiled_ladder_is_shown(tmp_path, monkeypatch):
    library = tmp_path / "botladder__mypyc.so"
    library.touch()
    monkeypatch.setattr(runtimes, "libraries", lambda: [str(library)])
    assert [ROOT / "engines", ROOT / "protocol", library.resolve()] == runtimes.ladder_paths()


def test_two_source_trees_of_one_environment_have_links_of_their_own(tmp_path, monkeypatch):
    """Or a bot of one tree would be led to the other, which it may not read."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "environment"))
    folders = []
    for tree in ("one", "other"):
        packages = [tmp_path / tree / name for name in ("engines", "protocol")]
        monkeypatch.setattr(runtimes, "ladder_paths", lambda packages=packages: packages)
        folders.append((landlock._link_packages.__wrapped__(), packages))
    for folder, packages in folders:
        assert folder
        assert packages == [(folder / package.name).readlink() for package in packages]


def installation(tmp_path):
    """Make something like an interpreter's installation; return its program."""
    for name in ("bin", "lib"):
        (tmp_path / "tool" / name).mkdir(parents=True)
    program = tmp_path / "tool" / "bin" / "program"
    program.write_text("")
    return program


def test_an_installation_is_shown_if_the_runners_path_leads_there(tmp_path, monkeypatch):
    program = installation(tmp_path)
    folder = tmp_path / "bot"
    assert program.parents[1] not in runtimes.programs(str(program), folder, ())
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    runtimes.programs.cache_clear()
    assert program.parents[1] in runtimes.programs(str(program), folder, ())


def test_a_program_that_lies_in_no_folder_of_its_own_is_shown_alone(tmp_path, monkeypatch):
    program = installation(tmp_path)
    place = tmp_path / "user" / ".local"
    for name in ("bin", "lib"):
        (place / name).mkdir(parents=True)
    (place / "bin" / "program").symlink_to(program)
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    assert [place / "bin" / "program", program.parents[1]] == [
        *runtimes.installations(place / "bin" / "program")
    ]


def test_no_path_is_placed_at_a_link_in_a_folder_that_is_shown(tmp_path):
    shown, other = tmp_path / "shown", tmp_path / "other"
    shown.mkdir()
    other.mkdir()
    (shown / "link").symlink_to(other)
    (tmp_path / "alias").symlink_to(shown)
    readable = (shown, shown / "link", tmp_path / "alias")
    found = runtimes.programs("./bot", tmp_path / "bot", readable)
    assert {tmp_path / "alias", other, shown} == {path for path in found if path.is_relative_to(tmp_path)}


def test_what_holds_the_bots_folder_or_the_users_things_is_not_shown(tmp_path, monkeypatch):
    program = installation(tmp_path)
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    assert program.parents[1] not in runtimes.programs(str(program), program.parents[1] / "home" / "bot", ())
    monkeypatch.setenv("HOME", str(program.parents[1]))
    runtimes.programs.cache_clear()
    assert program.parents[1] not in runtimes.programs(str(program), tmp_path / "bot", ())


def test_a_home_among_the_systems_own_files_is_covered(tmp_path, monkeypatch):
    home = tmp_path / "src" / "home"
    folder = home / "bots" / "one" / "1" / "files"
    folder.mkdir(parents=True)
    (home / "ladder.toml").write_text("")
    monkeypatch.setattr(runtimes, "system", lambda: (tmp_path,))
    confined = confine("bwrap", ["./bot"], folder, {})
    words = list(bwrap.options(confined, False))
    assert str(home) in pairs(words, "--tmpfs")
    assert str(home) in pairs(words, "--remount-ro")
    with pytest.raises(CannotConfine, match="lies among what bots may read"):
        list(landlock.rules(confined, None))


def test_a_tier_has_one_of_three_names(tmp_path):
    with pytest.raises(ValueError, match="expected one of the tiers bwrap, landlock, none, got: 'iron'"):
        confine("iron", ["./bot"], tmp_path, {})


def test_builds_may_read_what_every_user_may_less_keys_users_and_networks(tmp_path):
    for name in ("findlib.conf", "shadow", "ssl/openssl.cnf", "ssl/private/key", "opam/config", "closed"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    for path in tmp_path.rglob("*"):  # whatever the umask
        path.chmod(0o755 if path.is_dir() else 0o644)
    (tmp_path / "closed").chmod(0o600)
    (tmp_path / "mtab").symlink_to("/proc/self/mounts")
    found = [path.relative_to(tmp_path).as_posix() for path in runtimes.settings(tmp_path)]
    assert ["findlib.conf", "opam", "ssl/openssl.cnf"] == found
