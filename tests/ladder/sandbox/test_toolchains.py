"""Builds find the toolchains of the user who runs the ladder, and nothing else of that user's."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.need import need_program
from support.taken_in import take_in

from ladder.process.command import build
from ladder.registry.bot_build import command_of
from ladder.registry.roster import Roster
from ladder.sandbox import ENVIRONMENT, confine
from ladder.sandbox import toolchains as module
from ladder.sandbox.toolchains import linked_toolchain, network_variables, toolchains

SYSTEM = "/usr/bin:/bin"
LAYOUTS = {
    "nvm": ".nvm/versions/node/v20.1.0/bin/node",
    "go": "sdk/go1.22/bin/go",
    "sdkman": ".sdkman/candidates/java/17.0.9-tem/bin/java",
    "pyenv": ".pyenv/shims/python3",
    "rustup": ".cargo/bin/cargo",
    "uv": ".local/bin/uv",
}
"""Where managers of toolchains put a program, below the home."""
SECRETS = (
    ".ssh/id",
    ".cargo/credentials.toml",
    ".npmrc",
    ".local/bin/private",
    ".sdkman/etc/config",
    "diary",
)
"""What no build may read, below the home."""


@pytest.fixture
def user(tmp_path, monkeypatch):
    """Return the home of a user with secrets, and programs on the PATH that say where they lie."""
    home = tmp_path / "user"
    for path in LAYOUTS.values():
        program = home / path
        program.parent.mkdir(parents=True)
        program.write_text(f"#!/bin/sh\necho {program.name} from {program}\n")
        program.chmod(0o755)
    for folder in (
        ".nvm/versions/node/v20.1.0/lib",
        "sdk/go1.22/lib",
        ".sdkman/candidates/java/17.0.9-tem/lib",
    ):
        (home / folder).mkdir()
    (home / ".sdkman/candidates/java/current").symlink_to("17.0.9-tem")
    (home / ".pyenv/libexec").mkdir()
    (home / ".pyenv/libexec/pyenv").write_text("")
    shim = '#!/bin/sh\nexec "$RUSTUP_HOME/toolchains/stable/bin/$(basename "$0")" "$@"\n'
    for name in ("cargo", "rustup", "rustc"):
        (home / ".cargo/bin" / name).write_text(shim)
        (home / ".cargo/bin" / name).chmod(0o755)
    real = home / ".rustup/toolchains/stable/bin/cargo"
    real.parent.mkdir(parents=True)
    real.write_text("#!/bin/sh\necho $CARGO_HOME registry > ~/.cache && printf '#!/bin/sh\\n' > bot\n")
    real.chmod(0o755)
    (home / ".local/share/uv/python/cpython-3.12/lib").mkdir(parents=True)
    for secret in SECRETS:
        (home / secret).parent.mkdir(parents=True, exist_ok=True)
        (home / secret).write_text("secret")
    folders = [str((home / path).parent) for path in LAYOUTS.values()]
    folders = [folder.replace("17.0.9-tem", "current") for folder in folders]
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PATH", os.pathsep.join([str(home), *folders, SYSTEM]))
    for name in ("RUSTUP_HOME", "XDG_DATA_HOME", "UV_PYTHON_INSTALL_DIR", "JAVA_HOME", "GOROOT"):
        monkeypatch.delenv(name, raising=False)
    module._toolchains.cache_clear()
    yield home
    module._toolchains.cache_clear()


def relative(home, paths):
    """Return those of *paths* that lie in *home*, as they lie there."""
    return {str(path.relative_to(home)) for path in paths if path.is_relative_to(home)}


def test_what_is_shown_is_the_installations_and_no_more(user):
    assert {
        ".nvm/versions/node/v20.1.0",
        "sdk/go1.22",
        ".sdkman/candidates/java/current",
        ".pyenv",
        ".cargo/bin",
        ".rustup",
        ".local/bin/uv",
        ".local/share/uv/python",
    } == relative(user, toolchains().shown)


def test_the_path_of_a_build_is_the_runners_as_far_as_it_is_shown(user):
    folders = toolchains().environment["PATH"].split(":")
    assert [*os.environ["PATH"].split(":")[1:], *ENVIRONMENT["PATH"].split(":")][: len(LAYOUTS)] == folders[
        :6
    ]
    assert str(user) not in folders
    assert set(ENVIRONMENT["PATH"].split(":")) <= set(folders)


def test_variables_lead_to_what_is_shown(user, monkeypatch):
    monkeypatch.setenv("JAVA_HOME", str(user / ".sdkman/candidates/java/current"))
    monkeypatch.setenv("GOROOT", str(user / "secret-go"))
    found = toolchains().environment
    assert str(user / ".rustup") == found["RUSTUP_HOME"]
    assert str(user / ".pyenv") == found["PYENV_ROOT"]
    assert str(user / ".local/share/uv/python") == found["UV_PYTHON_INSTALL_DIR"]
    assert str(user / ".sdkman/candidates/java/current") == found["JAVA_HOME"]
    assert not {"GOROOT", "CARGO_HOME", "HOME"} & found.keys()


def test_what_the_operator_lets_bots_read_is_on_the_path_of_builds_too(user, monkeypatch):
    tools = user.parent / "tools"
    tools.mkdir()
    monkeypatch.setenv("PATH", f"{tools}:{SYSTEM}")
    assert str(tools) not in toolchains().environment["PATH"].split(":")
    assert str(tools) == toolchains((tools,)).environment["PATH"].split(":")[0]


def test_a_link_into_a_toolchain_shows_it_and_any_other_link_nothing(user, tmp_path):
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "python").symlink_to(user / ".pyenv/shims/python3")
    (folder / "spy").symlink_to(user / "diary")
    (folder / "plain").write_text("")
    assert (user / ".pyenv",) == linked_toolchain("python", folder)
    assert ((), (), (), ()) == tuple(
        linked_toolchain(name, folder) for name in ("spy", "plain", "/bin/sh", "nothing")
    )


def made(tmp_path, tier, toml, run="./bot", readable=()):
    """Build a bot whose bot.toml says *toml*; return where its files lie then."""
    folder = tmp_path / "bot"
    folder.mkdir(exist_ok=True)
    (folder / "bot.toml").write_text(f'name = "rat"\nrun = ["{run}"]\n{toml}')
    version = take_in(Roster(tmp_path / "home" / "bots"), folder, tier=tier, readable=readable)
    return Path(version.folder)


@pytest.mark.tools
def test_a_compiler_on_a_path_of_links_finds_its_parts(tier, tmp_path, monkeypatch):
    (tmp_path / "links").symlink_to(Path(need_program("cc", "gcc")).parent)
    monkeypatch.setenv("PATH", f"{tmp_path}/links:{SYSTEM}")
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "bot.c").write_text("int main() { return 0; }\n")
    assert (made(tmp_path, tier, 'build = ["cc", "-o", "bot", "bot.c"]') / "bot").is_file()


@pytest.mark.process
@pytest.mark.usefixtures("user")
def test_a_build_uses_the_toolchains_of_every_manager(tier, tmp_path):
    said = "; ".join(f"{Path(path).name} >> said" for name, path in LAYOUTS.items() if name != "rustup")
    files = made(tmp_path, tier, f'build = "cargo build && {said} && chmod +x bot"')
    lines = (files / "said").read_text().splitlines()
    assert ["node", "go", "java", "python3", "uv"] == [line.split()[0] for line in lines]


@pytest.mark.process
def test_a_build_reads_no_secret_of_the_user_and_writes_to_no_toolchain(tier, user, tmp_path):
    if tier == "none":
        pytest.skip("nothing is protected by this tier")
    reads = "; ".join(f"cat {user / secret} >> read" for secret in SECRETS)
    writes = "; ".join(
        f"touch {user / path}/mark && echo {path} >> read" for path in (".cargo/bin", ".rustup")
    )
    files = made(tmp_path, tier, f'build = "touch read; {reads}; {writes}; printf x > bot; chmod +x bot"')
    assert "" == (files / "read").read_text()


@pytest.mark.process
def test_a_builds_home_is_its_own_and_goes_with_it(tier, tmp_path):
    files = made(tmp_path, tier, 'build = "touch ~/mark && echo ~ > bot && chmod +x bot"')
    assert not (Path((files / "bot").read_text().strip()) / "mark").exists()


@pytest.mark.process
def test_a_build_reads_what_the_operator_lets_bots_read(tier, tmp_path):
    (tmp_path / "models").mkdir()
    (tmp_path / "models/one").write_text("weights")
    build = f'build = "cat {tmp_path}/models/one > bot; chmod +x bot"'
    assert "weights" == (made(tmp_path, tier, build, readable=[str(tmp_path / "models")]) / "bot").read_text()


@pytest.mark.process
def test_a_build_locks_files_as_compilers_do(tier, tmp_path):
    program = "import fcntl; f = open('lock', 'w'); fcntl.flock(f, 2); fcntl.lockf(f, 2); print('held')"
    confined = confine(tier, [sys.executable, "-S", "-c", program], tmp_path, {})
    tmp_path.chmod(0o755)
    assert (0, "held\n") == build(confined, 300)


@pytest.mark.process
def test_python_stands_for_the_ladders_own_in_a_line_for_the_shell_too(tmp_path):
    line = "build = \"{python} -c 'import sys; print(sys.executable)' > bot; chmod +x bot\""
    assert f"{sys.executable}\n" == (made(tmp_path, "none", line) / "bot").read_text()


def test_variables_of_the_network_are_given_without_passwords(monkeypatch):
    for name in (*module.TRUST, *module.REGISTRIES):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy:3128")
    monkeypatch.setenv("HTTP_PROXY", "http://me:password@proxy:3128")
    monkeypatch.setenv("PIP_CERT", "/etc/ssl/certs/ca-certificates.crt")
    monkeypatch.setenv("SSL_CERT_FILE", "/home/me/own.pem")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "x")
    assert {
        "HTTPS_PROXY": "http://proxy:3128",
        "PIP_CERT": "/etc/ssl/certs/ca-certificates.crt",
    } == network_variables()


# -- with real ones


def need_toolchain(*command):
    """Skip the test unless a toolchain is there and answers."""
    if not shutil.which(command[0]) or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip(f"{' '.join(command)} does not work here: install {command[0]}")


@pytest.mark.tools
def test_rust_by_rustup_builds_without_a_build_key(tier, tmp_path):
    need_toolchain("rustup", "which", "cargo")
    folder = tmp_path / "bot"
    (folder / "src").mkdir(parents=True)
    (folder / "src/main.rs").write_text('fn main() { println!("ready"); }\n')
    (folder / "Cargo.toml").write_text('[package]\nname = "bot"\nversion = "0.1.0"\nedition = "2021"\n')
    files = made(tmp_path, tier, "", run="target/release/bot") / "target/release"
    assert "bot" in [file.name for file in files.iterdir()]
    assert not (files / "deps").exists()


@pytest.mark.tools
def test_go_builds_without_a_build_key(tier, tmp_path):
    need_toolchain("go", "version")
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "go.mod").write_text("module bot\n\ngo 1.18\n")
    (folder / "main.go").write_text('package main\n\nfunc main() { println("ready") }\n')
    assert os.access(made(tmp_path, tier, "") / "bot", os.X_OK)


@pytest.mark.process
def test_a_venv_that_a_build_made_runs_by_its_own_python(tier, tmp_path):
    need_toolchain("python3", "-c", "import venv")
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "bot.toml").write_text(
        'name = "rat"\nrun = [".venv/bin/python", "-c", "print(6 * 7)"]\n'
        'build = "python3 -m venv --without-pip .venv"\n'
    )
    version = take_in(Roster(tmp_path / "home" / "bots"), folder, tier=tier)
    command, place = command_of(version), Path(version.folder)
    confined = confine(tier, command, place, {}, readable=linked_toolchain(command[0], place))
    assert (0, "42\n") == build(confined, 300)
