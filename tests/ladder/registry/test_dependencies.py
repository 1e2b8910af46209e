"""Dependencies of bots: what is built without a `build` key, from the network or from what is vendored."""

import json
import os
import zipfile
from pathlib import Path

import msgspec
import pytest
from support import ladders
from support.taken_in import take_in

from ladder.errors import LadderError
from ladder.home.home import open_home
from ladder.registry.bot_build import command_of
from ladder.registry.dependencies import SITE, build_line, environment_of, wants_network
from ladder.registry.roster import Roster
from ladder.registry.transfer import machine_type, pack, unpack
from ladder.sandbox.confinement import Confinement

PYTHON = ("{python}", "bot.py")
NODE = ("node", "bot.js")
DEPENDS = json.dumps({"dependencies": {"is-odd": "3"}})
CRATE = '[package]\nname = "bot"\nversion = "1.0.0"\n'


def written(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.mark.parametrize(
    ("files", "run", "steps"),
    [
        ({"bot.py": ""}, PYTHON, []),
        ({"requirements.txt": "numpy"}, PYTHON, ["pip install", f"--target {SITE} -r requirements.txt"]),
        ({"requirements.txt": "# none\n\n"}, PYTHON, []),
        ({"requirements.txt": "numpy", f"{SITE}/numpy.py": ""}, PYTHON, []),
        ({"package.json": DEPENDS}, NODE, ["npm install --omit=dev"]),
        ({"package.json": DEPENDS, "package-lock.json": "{}"}, NODE, ["npm ci --omit=dev"]),
        ({"package.json": DEPENDS, "node_modules/is-odd/index.js": ""}, NODE, []),
        ({"package.json": '{"type": "module", "devDependencies": {"x": "1"}}'}, NODE, []),
        ({"package.json": "{"}, NODE, ["npm install"]),
        ({"Cargo.toml": CRATE}, ("target/release/bot",), ["cargo build --release"]),
        (
            {"Cargo.toml": CRATE, "Cargo.lock": ""},
            ("target/release/bot",),
            ["cargo build --release --locked"],
        ),
        ({"Cargo.toml": CRATE, "target/release/bot": ""}, ("target/release/bot",), []),
        ({"Cargo.toml": CRATE}, PYTHON, []),
        ({"go.mod": "module bot"}, ("./bot",), ["go build -o ./bot ."]),
        ({"go.mod": "module bot", "bot": ""}, ("./bot",), []),
        (
            {"go.mod": "module bot", "requirements.txt": "x", "package.json": DEPENDS},
            ("./bot",),
            ["pip install", " && ", "npm install", " && ", "go build"],
        ),
    ],
)
def test_the_files_of_package_managers_stand_for_a_build(tmp_path, files, run, steps):
    line = build_line(written(tmp_path, files), run, network=True)
    assert bool(steps) == bool(line)
    rest = line
    for step in steps:
        assert step in rest
        rest = rest.partition(step)[2]


def test_without_a_network_nothing_is_asked_for_and_what_is_vendored_is_taken(tmp_path):
    folder = written(
        tmp_path, {"requirements.txt": "x", "package.json": DEPENDS, "go.mod": "", "Cargo.toml": CRATE}
    )
    offline = build_line(folder, ("./bot",), network=False)
    for option in ("--no-index", "--offline", "GOPROXY=off go", "--release --offline"):
        assert option in offline
        assert option not in build_line(folder, ("./bot",), network=True)
    assert "vendor" not in offline
    written(folder, {"vendor/x-1-py3-none-any.whl": ""})
    line = build_line(folder, ("./bot",), network=False)
    assert "--no-index --find-links vendor" in line
    assert "'source.vendor.directory=\"vendor\"'" in line
    written(folder, {".cargo/config.toml": ""})
    assert "source.vendor" not in build_line(folder, ("./bot",), network=False)


@pytest.mark.parametrize(
    "said",
    [
        "pip: [Errno -3] Temporary failure in name resolution",
        "ERROR: No matching distribution found for numpy",
        "npm error code ENOTCACHED",
        "npm error code EAI_AGAIN",
        "go: module lookup disabled by GOPROXY=off",
        "dial tcp: lookup proxy.golang.org: no such host",
        "curl: (6) Could not resolve host: example.org",
        "error: failed to download from `https://index.crates.io`\nfailed to lookup address information",
        "As a reminder, you're using offline mode (--offline)",
    ],
)
def test_a_build_that_wanted_the_network_is_known_by_what_it_said(said):
    assert wants_network(f"...\n{said}\n")
    assert not wants_network("error[E0308]: mismatched types")


# -- builds


def a_wheel(folder):
    """Make a wheel of a module `tinydep`, as `pip download` fetches one."""
    folder.mkdir(parents=True)
    info = "tinydep-1.0.dist-info"
    files = {
        "tinydep.py": "ANSWER = 42\n",
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: tinydep\nVersion: 1.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files[f"{info}/RECORD"] = "".join(f"{name},,\n" for name in (*files, f"{info}/RECORD"))
    with zipfile.ZipFile(folder / "tinydep-1.0-py3-none-any.whl", "w") as wheel:
        for name, text in files.items():
            wheel.writestr(name, text)


@pytest.fixture
def rat(tmp_path):
    """Return the folder of a bot that depends on a module that it brings."""
    toml = 'name = "rat"\nrun = ["{python}", "-S", "bot.py"]\n'
    program = f"import tinydep\nassert tinydep.ANSWER == 42\n{ladders.PLAYER}"
    folder = written(
        tmp_path / "rat", {"bot.toml": toml, "bot.py": program, "requirements.txt": "tinydep==1.0"}
    )
    a_wheel(folder / "vendor")
    return folder


def built(home, path, tier="none"):
    return take_in(Roster(home / "bots"), path, tier=tier)


@pytest.mark.slow
def test_a_bot_plays_with_what_its_folder_brings(tier, tmp_path, rat):
    home = ladders.a_home(tmp_path / "home", {"mole": {}}, ladders.STELLAR.replace('"none"', f'"{tier}"'))
    built(home.path, rat, tier)
    ladders.play(open_home(home.path), jobs=1, matches=2)
    seats = [seat for row in ladders.rows(home.path) for seat in row["seats"]]
    assert {"rat", "mole"} == {seat["bot"] for seat in seats}
    assert {None} == {seat["fault"] for seat in seats}


@pytest.mark.process
def test_what_is_installed_is_no_part_of_the_identity(tmp_path, rat):
    version = built(tmp_path / "home", rat)
    assert {"PYTHONPATH": SITE} == environment_of(Path(version.folder))
    assert not (Path(version.folder).with_name("source") / SITE).exists()
    assert version == built(tmp_path / "home", rat)


def test_an_empty_build_says_that_nothing_is_to_be_built(tmp_path, rat):
    (rat / "bot.toml").write_text((rat / "bot.toml").read_text() + 'build = ""\n')
    assert {} == environment_of(Path(built(tmp_path / "home", rat).folder))


@pytest.mark.process
def test_what_is_installed_travels_and_is_installed_anew_elsewhere(tmp_path, rat):
    parcel = pack(built(tmp_path / "home", rat))
    for number, origin in enumerate((machine_type(), "another machine")):
        there = unpack(parcel, tmp_path / str(number), origin, {}, Confinement("none"))
        assert (Path(there.folder) / SITE / "tinydep.py").is_file()
    assert msgspec.msgpack.encode(parcel)


def test_what_lies_beside_a_script_goes_with_it(tmp_path, monkeypatch):
    written(tmp_path / "programs", {"node": ""})
    (tmp_path / "programs/node").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "programs"), prepend=os.pathsep)
    written(
        tmp_path, {"bot.py": "", "requirements.txt": "# nothing\n", "diary.txt": "", "a.js": "", "b.sh": ""}
    )
    (tmp_path / "package-lock.json").symlink_to("/etc/hostname")
    written(tmp_path, {"package.json": "{}"})
    for name, files in {
        "bot.py": ["bot.py", "requirements.txt"],
        "a.js": ["a.js", "package.json"],
        "b.sh": ["b.sh"],
    }.items():
        version = built(tmp_path / "home", tmp_path / name)
        assert files == sorted(file.name for file in Path(version.folder).iterdir())
        assert command_of(version)[-1] == name


@pytest.mark.process
def test_dependencies_that_cannot_be_had_are_refused_with_the_line_that_allows_it(tmp_path):
    written(
        tmp_path, {"bot.py": "import nothing_of_the_kind", "requirements.txt": "nothing-of-the-kind==1.0"}
    )
    with pytest.raises(LadderError, match="needs the network, which builds may not use") as caught:
        built(tmp_path / "home", tmp_path / "bot.py")
    assert "vendor what it needs (protocol/SPEC.md, Dependencies), or allow it" in caught.value.hint
    assert caught.value.hint.endswith("write in ladder.toml, below [allow]: build_network = true")
    assert [] == list((tmp_path / "home" / "bots").iterdir())
