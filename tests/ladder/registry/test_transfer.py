"""Bots that travel: what arrives is what was sent; a machine of another type builds, or refuses by name."""

import os

import msgspec
import pytest

from ladder.errors import LadderError
from ladder.registry.bot_manifest import BotManifest
from ladder.registry.roster import Roster
from ladder.registry.transfer import PackedBot, machine_type, pack, unpack
from ladder.sandbox.confinement import Confinement

BUILD = "printf built >made && ln -s made link && mkdir -p deep && cp prog deep/prog"


@pytest.fixture
def roster(tmp_path):
    return Roster(tmp_path / "home" / "bots")


def a_version(roster, build="", run=("./prog",)):
    """Return a version with a program, a file and a folder."""
    source = roster.path.parent.parent / "source"
    (source / "data").mkdir(parents=True)
    (source / "prog").write_text("#!/bin/sh\n")
    (source / "prog").chmod(0o755)
    (source / "data" / "numbers").write_bytes(bytes(range(256)))
    roster.path.parent.mkdir()
    return roster.stage(
        source, BotManifest(name="bot", run=run, build=build), {}, Confinement("none")
    ).accept()


def sent(version):
    """Return the parcel of *version* as it arrives."""
    return msgspec.msgpack.decode(msgspec.msgpack.encode(pack(version)), type=PackedBot)


def arrived(parcel, folder, origin=None):
    return unpack(parcel, folder, origin or machine_type(), {}, Confinement("none"))


def test_what_arrives_has_the_same_bytes_and_run_bits_and_lies_where_it_should(roster, tmp_path):
    version = a_version(roster)
    there = arrived(sent(version), tmp_path / "there")
    assert msgspec.structs.replace(version, folder=str(tmp_path / "there")) == there
    assert bytes(range(256)) == (tmp_path / "there/data/numbers").read_bytes()
    assert [0o755, 0o644] == [
        (tmp_path / "there" / n).stat().st_mode & 0o777 for n in ("prog", "data/numbers")
    ]


def test_a_bot_without_a_build_plays_on_any_machine(roster, tmp_path):
    arrived(sent(a_version(roster)), tmp_path / "there", "Plan 9")
    assert (tmp_path / "there/prog").exists()


@pytest.mark.process
def test_a_machine_of_the_same_type_gets_what_was_built(roster, tmp_path):
    version = a_version(roster, BUILD)
    (roster.path / "bot" / version.version / "files/made").write_text("here and nowhere else")
    arrived(sent(version), tmp_path / "there")
    assert "here and nowhere else" == (tmp_path / "there/made").read_text()
    assert "made" == os.readlink(tmp_path / "there/link")  # noqa: PTH115 - a str
    assert os.access(tmp_path / "there/deep/prog", os.X_OK)


@pytest.mark.process
def test_a_machine_of_another_type_builds_from_the_snapshot(roster, tmp_path):
    version = a_version(roster, BUILD)
    (roster.path / "bot" / version.version / "files/made").write_text("here and nowhere else")
    arrived(sent(version), tmp_path / "there", "Plan 9")
    assert "built" == (tmp_path / "there/made").read_text()


@pytest.mark.process
def test_a_build_that_fails_there_names_the_bot(roster, tmp_path):
    version = a_version(roster, f"test ! -e {tmp_path}/no-compiler && {BUILD}")
    (tmp_path / "no-compiler").touch()
    with pytest.raises(LadderError, match=r"bot: the build .* failed: exit status 1"):
        arrived(sent(version), tmp_path / "there", "Plan 9")


@pytest.mark.process
def test_a_build_whose_snapshot_was_not_kept_is_refused_by_name_on_another_machine(roster, tmp_path):
    version = a_version(roster, BUILD)
    (roster.path / "bot" / version.version / "source").rename(tmp_path / "lost")
    arrived(sent(version), tmp_path / "there")
    with pytest.raises(LadderError, match=rf"bot@{version.version} was built on Plan 9, which this machine"):
        arrived(sent(version), tmp_path / "elsewhere", "Plan 9")


@pytest.mark.process
@pytest.mark.parametrize("build", ["", BUILD])
@pytest.mark.parametrize("origin", [None, "Plan 9"])
def test_files_that_are_not_what_was_sent_are_refused_by_name(roster, tmp_path, build, origin):
    parcel = sent(a_version(roster, build))
    change = {
        part: (msgspec.structs.replace(files[0], runs=not files[0].runs), *files[1:])
        for part in ("snapshot", "built")
        if (files := getattr(parcel, part))
    }
    with pytest.raises(LadderError, match=f"the files of {parcel.version.id} are not those"):
        arrived(msgspec.structs.replace(parcel, **change), tmp_path / "there", origin)
    assert not (tmp_path / "there").exists()


def test_a_program_that_is_not_on_that_machine_is_refused_by_name(roster, tmp_path, monkeypatch):
    program = tmp_path / "bin" / "interpreter"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    parcel = sent(a_version(roster, run=("interpreter", "prog")))
    program.unlink()
    with pytest.raises(LadderError, match="bot: the program 'interpreter' is not on this machine"):
        arrived(parcel, tmp_path / "there")
