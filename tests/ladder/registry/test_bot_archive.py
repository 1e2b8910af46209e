"""Archives of strangers: what they hold is taken, where it may not lead, and what is too much."""

import errno
import io
import random
import stat
import struct
import tarfile
import zipfile

import pytest
from support.command_line import listing
from support.submitting import open_submission

from engines import GAMES
from ladder.errors import UsageProblem
from ladder.registry import bot_archive, submission_size
from ladder.registry.bot_archive import TARS
from ladder.registry.bot_manifest import SEVERAL, read_manifest

TOML = b'name = "rat"\nrun = ["./bot"]\n'
FILES = {"bot.toml": TOML, "bot": b"#!/bin/sh\n", "part/data": b"x" * 100_000}
KINDS = [".zip", *TARS]


def packed(path, files=FILES, runs=("bot",)):
    """Make an archive, of the kind that the name of *path* says."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in files.items():
                info = zipfile.ZipInfo(name)
                info.compress_type = zipfile.ZIP_DEFLATED
                info.external_attr = (stat.S_IFREG | (0o755 if name in runs else 0o644)) << 16
                archive.writestr(info, data)
        return path
    compression = {"tgz": "gz", "txz": "xz", "tbz2": "bz2", "tar": ""}
    with tarfile.open(path, "w:" + compression.get(path.suffix[1:], path.suffix[1:])) as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(data), 0o755 if name in runs else 0o644
            archive.addfile(member, io.BytesIO(data))
    return path


def with_member(path, kind, name="odd", target="/etc/passwd"):
    """Make an archive with a bot.toml and one member that is no file."""
    if isinstance(kind, int):
        with zipfile.ZipFile(packed(path, {"bot.toml": TOML}), "a") as archive:
            info = zipfile.ZipInfo(name)
            info.external_attr = (kind | 0o777) << 16
            archive.writestr(info, target)
        return path
    with tarfile.open(packed(path, {"bot.toml": TOML}), "a") as archive:
        member = tarfile.TarInfo(name)
        member.type, member.linkname = kind, target
        archive.addfile(member)
    return path


@pytest.mark.parametrize("top", ["", "rat/", "./", "a/b/"])
@pytest.mark.parametrize("kind", KINDS)
def test_an_archive_is_the_folder_that_was_packed(tmp_path, kind, top):
    path = packed(tmp_path / f"sub{kind}", {top + name: data for name, data in FILES.items()}, (f"{top}bot",))
    with open_submission(path) as place:
        assert FILES == {name: (place / name).read_bytes() for name in FILES}
        assert [True, False] == [bool((place / n).stat().st_mode & stat.S_IXUSR) for n in ("bot", "bot.toml")]
        assert "rat" == read_manifest(place, GAMES).name
    assert not place.exists()


def test_a_script_that_was_packed_alone_is_that_script(tmp_path):
    with open_submission(
        packed(tmp_path / "x.zip", {"rat.py": b"", "__MACOSX/._rat.py": b"", ".DS_Store": b""})
    ) as place:
        assert ("rat.py", "rat") == (place.name, read_manifest(place, GAMES).name)


def test_what_is_no_archive_is_taken_as_it_lies(tmp_path):
    (tmp_path / "x.zip").mkdir()
    for path in (tmp_path, tmp_path / "x.zip", tmp_path / "nothing.zip", tmp_path / "rat.py"):
        with open_submission(path) as place:
            assert path == place


def test_errors_name_the_archive(tmp_path):
    path = packed(tmp_path / "x.zip", {"rat/bot.toml": b"name = ", "rat/bot": b""})
    with (
        pytest.raises(UsageProblem, match=rf"^{path}/rat/bot\.toml is not valid TOML"),
        open_submission(path) as place,
    ):
        read_manifest(place, GAMES)


def refused(path, said, most_mb=1):
    """See that an archive is refused, and that nothing is left anywhere."""
    before = listing(path.parent)
    with pytest.raises(UsageProblem, match=said) as caught, open_submission(path, most_mb=most_mb):
        pass
    assert str(caught.value).startswith(str(path))
    assert caught.value.hint
    assert before == listing(path.parent)


def test_an_archive_of_several_bots_says_which_it_holds_and_what_to_do(tmp_path):
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        for name in ("zoe", "ann", "bob", "eve"):
            archive.writestr(f"class/{name}/bot.toml", f'name = "{name}"')
    with pytest.raises(UsageProblem) as caught, open_submission(tmp_path / "class.zip") as place:
        read_manifest(place, [])
    told = f"{tmp_path}/class.zip/class has no bot.toml; folders in it have one: ann, bob, eve and 1 more"
    assert told == str(caught.value)
    assert SEVERAL == caught.value.hint


@pytest.mark.parametrize("name", ["/etc/x", "../x", "a/../../x", "a/..", ".."])
@pytest.mark.parametrize("kind", [".zip", ".tar"])
def test_no_file_is_written_elsewhere(tmp_path, kind, name):
    refused(packed(tmp_path / f"x{kind}", {"bot.toml": TOML, name: b"out"}), "which leads out of the folder")


@pytest.mark.parametrize(
    ("suffix", "kind"),
    [
        (".tar", tarfile.SYMTYPE),
        (".tar", tarfile.LNKTYPE),
        (".tar", tarfile.FIFOTYPE),
        (".tar", tarfile.CHRTYPE),
        (".tar", tarfile.BLKTYPE),
        (".zip", stat.S_IFLNK),
        (".zip", stat.S_IFIFO),
        (".zip", stat.S_IFCHR),
    ],
)
def test_links_and_devices_are_refused(tmp_path, suffix, kind):
    refused(with_member(tmp_path / f"x{suffix}", kind), "holds 'odd', which is .*regular files")


def test_links_of_a_virtual_environment_in_an_archive_are_no_reason_to_refuse_it(tmp_path):
    path = with_member(tmp_path / "x.tar", tarfile.SYMTYPE, name="my/.venv/bin/python")
    with tarfile.open(path, "a") as archive:
        archive.addfile(tarfile.TarInfo("my/.venv/pyvenv.cfg"))
    with open_submission(path) as place:
        assert not (place / "my/.venv/bin/python").exists()


@pytest.mark.parametrize("kind", KINDS)
def test_what_unpacks_to_more_than_a_bot_may_have_is_refused_before_it_is_written(tmp_path, kind):
    refused(packed(tmp_path / f"x{kind}", {"a": bytes(2**20), "b": b"."}), "more than 1 MB")
    refused(packed(tmp_path / f"y{kind}", {"a": bytes(2**20 + 1)}), "more than 1 MB")
    with open_submission(packed(tmp_path / f"z{kind}", {"a": bytes(2**20)}), most_mb=1):
        pass


@pytest.mark.parametrize("kind", [".zip", ".tar.gz"])
def test_more_files_than_a_bot_may_have_are_refused(tmp_path, monkeypatch, kind):
    monkeypatch.setattr(submission_size, "MAX_FILES", 3)
    files = {f"bot/data/{i}": b"" for i in range(3)} | {"bot/bot.py": b""}
    refused(packed(tmp_path / f"x{kind}", files), "more than 3 files, most of them in bot/data$")


def test_a_large_bot_reads_how_large_data_can_lie_elsewhere_and_which_setting_allows_more(tmp_path):
    path = packed(tmp_path / "x.zip", {"bot/bot.py": b"x", "bot/model/w.bin": bytes(2**20)})
    refused(path, "more than 1 MB, most of it in bot/model/w.bin$")
    with pytest.raises(UsageProblem) as caught, open_submission(path, most_mb=1):
        pass
    assert 'readable = ["/opt/models"]; or allow more, below [limits]: bot_mb = 2' in caught.value.hint


def test_a_zip_that_lies_about_its_sizes_is_measured(tmp_path):
    path = packed(tmp_path / "x.zip", {"a": bytes(2**21)})
    path.write_bytes(path.read_bytes().replace(struct.pack("<L", 2**21), struct.pack("<L", 5)))
    refused(path, "more than 1 MB|cannot be unpacked")


@pytest.mark.slow
def test_a_zip_with_an_endless_list_of_files_is_refused_unread(tmp_path):
    path = tmp_path / "x.zip"
    with path.open("wb") as file:  # the end says that a list of 1 GB precedes it
        file.truncate(2**30)
        file.seek(0, io.SEEK_END)
        file.write(struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 9, 9, 2**30, 0, 0))
    refused(path, "its list of files is too long")


def test_headers_of_a_tar_cannot_fill_the_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(bot_archive, "MAX_FILES", 10)
    path = tmp_path / "x.tar.gz"
    with tarfile.open(path, "w:gz", format=tarfile.PAX_FORMAT) as archive:
        archive.addfile(tarfile.TarInfo("a"))
        member = tarfile.TarInfo("b")
        member.pax_headers = {"comment": "x" * 2**22}
        archive.addfile(member)
    refused(path, "more than 1 MB")


def test_what_a_zip_announces_is_counted_before_it_is_read(tmp_path, monkeypatch):
    path = packed(tmp_path / "x.zip", {"a": bytes(2**19), "b": bytes(2**19 + 1)})
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *_: pytest.fail("it was read"))
    refused(path, "more than 1 MB, most of it in b")


@pytest.mark.parametrize("kind", [".zip", ".tar"])
def test_folders_that_lie_too_deep_are_refused(tmp_path, kind):
    with open_submission(packed(tmp_path / f"x{kind}", {"d/" * 63 + "a": b"", "bot.toml": TOML})):
        pass
    refused(packed(tmp_path / f"y{kind}", {"d/" * 64 + "a": b""}), "folders more than 64 deep")


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), MemoryError()])
def test_a_machine_without_room_refuses_no_archive(tmp_path, error, monkeypatch):
    def fail(*_):
        raise error

    path = packed(tmp_path / "x.zip")
    monkeypatch.setattr(bot_archive, "_write", fail)
    with pytest.raises(type(error)), open_submission(path):
        pass


def test_the_same_name_twice_is_refused(tmp_path):
    path = tmp_path / "x.tar"
    with tarfile.open(path, "w") as archive:
        for _ in range(2):
            archive.addfile(tarfile.TarInfo("bot.toml"))
    refused(path, "cannot be unpacked: .*File exists")


def test_an_archive_of_another_kind_is_told_what_to_make(tmp_path):
    for name in ("x.7z", "x.rar", "x.tar.zst", "x.gz"):
        (tmp_path / name).write_bytes(b"")
        with (
            pytest.raises(UsageProblem, match=f"{name} cannot be unpacked") as caught,
            open_submission(tmp_path / name),
        ):
            pass
        assert "pack the bot as .zip or .tar.gz" == caught.value.hint


@pytest.mark.parametrize("kind", KINDS)
def test_damaged_archives_are_refused_and_never_a_traceback(tmp_path, kind):
    whole = packed(tmp_path / f"whole{kind}").read_bytes()
    rng = random.Random(1)
    told = []
    for number in range(150):
        damaged = bytearray(whole[: rng.randrange(len(whole))] if number % 3 == 0 else whole)
        for _ in range(rng.randrange(1, 6) if damaged else 0):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        path = tmp_path / f"damaged{kind}"
        path.write_bytes(damaged)
        try:
            with open_submission(path) as place:
                assert place.exists()
        except UsageProblem as problem:
            told.append(str(problem))
    assert told
    assert all(str(path) in said for said in told)
    assert {f"whole{kind}", f"damaged{kind}"} == {file.name for file in tmp_path.iterdir()}
