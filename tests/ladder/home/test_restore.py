"""Restoring: archives that are cut off, altered or hostile are refused, and nothing is left of them."""

import gzip
import hashlib
import io
import signal
import subprocess
import sys
import tarfile

import msgspec
import pytest
from support import ladders
from support.command_line import ENVIRONMENT, listing, run_here
from support.rated_homes import a_rated_home
from support.stores import flips

from ladder.errors import LadderError, UsageProblem
from ladder.home import restore as restoring
from ladder.home.archive import write_archive
from ladder.home.home import open_home
from ladder.home.packing import ArchivedFile, ArchiveList
from ladder.home.restore import restore_home
from ladder.home.season import begin_season


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """An archive of a home with a bot, two seasons and a run; tests only read it."""
    folder = tmp_path_factory.mktemp("archived")
    home = open_home(a_rated_home(folder / "home", ["greedy", "bold"], 2))
    ladders.enlist(home, "first", {})
    begin_season(home, "spring")
    write_archive(home, folder / "term.tar.gz")
    return folder / "term.tar.gz"


@pytest.fixture
def target(tmp_path):
    """The folder of the home to come; nothing else is in its own."""
    (tmp_path / "new").mkdir()
    return tmp_path / "new" / "home"


@pytest.fixture
def file(tmp_path):
    return tmp_path / "other.tar.gz"


def refused(file, target, match, kind=UsageProblem):
    with pytest.raises(kind, match=match) as caught:
        restore_home(file, target)
    assert [] == list(target.parent.iterdir())
    assert str(target.parent) not in f"{caught.value} {caught.value.hint}"
    return caught.value


def unpacked(archive):
    """Return the list of *archive*, and its other members with their content."""
    with tarfile.open(archive) as tar:
        members = [(member, tar.extractfile(member).read()) for member in tar]
    return msgspec.json.decode(members[0][1], type=ArchiveList), members[1:]


def pack(file, listed, members):
    """Write an archive with a list of one's own."""
    data = msgspec.json.encode(listed)
    with tarfile.open(file, "w:gz", format=tarfile.PAX_FORMAT) as tar:
        head = tarfile.TarInfo("archive.json")
        head.size = len(data)
        tar.addfile(head, io.BytesIO(data))
        for member, content in members:
            tar.addfile(member, io.BytesIO(content) if member.isreg() else None)
    return file


def added(archive, file, path, kind="file", type_=tarfile.REGTYPE, points_to=""):
    """Write the *archive* with one more empty file, which is in the list as well."""
    listed, members = unpacked(archive)
    member = tarfile.TarInfo(path)
    member.type, member.linkname = type_, points_to
    one = described(path, points_to.encode() if kind == "link" else b"", kind)
    return pack(file, replaced(listed, [one]), [*members, (member, b"")])


def described(path, content, kind="file"):
    """Return what a list says of a file with this *content*, or of a link that points to it."""
    size = 0 if kind == "link" else len(content)
    return ArchivedFile.describe(path, kind, size, hashlib.sha256(content).hexdigest())


def replaced(listed, more):
    return msgspec.structs.replace(listed, files=(*listed.files, *more))


def with_other(archive, file, end, content):
    """Write *archive* to *file*, with other *content* of its first file whose path has this *end*."""
    listed, members = unpacked(archive)
    at = next(i for i, (member, _) in enumerate(members) if member.name.endswith(end))
    member = members[at][0]
    member.size = len(content)
    files = (*listed.files[:at], described(member.name, content), *listed.files[at + 1 :])
    changed = [*members[:at], (member, content), *members[at + 1 :]]
    return pack(file, msgspec.structs.replace(listed, files=files), changed)


def test_an_archive_that_was_packed_again_is_accepted(archive, file, target):
    """So what the next tests refuse is refused for what they change."""
    restored = restore_home(pack(file, *unpacked(archive)), target)
    assert listing(archive.parent / "home" / "bots") == listing(restored.home.path / "bots")
    assert ["home"] == [path.name for path in target.parent.iterdir()]


# -- cut off, altered


def test_an_archive_that_is_cut_off_anywhere_is_refused(archive, file, target):
    whole = archive.read_bytes()
    for size in [*range(0, len(whole), len(whole) // 25), len(whole) - 1]:
        file.write_bytes(whole[:size])
        refused(file, target, "cannot be restored")


def test_an_archive_without_its_last_files_is_refused(archive, file, target):
    """As if a tar archive had been cut off and compressed again."""
    listed, members = unpacked(archive)
    refused(pack(file, listed, members[:-1]), target, "it is cut off before 'ladder.toml'")
    tar = gzip.decompress(archive.read_bytes())
    file.write_bytes(gzip.compress(tar[: len(tar) // 2]))
    refused(file, target, "cannot be restored")


def test_an_archive_in_which_a_bit_has_flipped_is_refused_or_makes_the_same_home(
    archive, file, target, tmp_path
):
    """A few bits of gzip mean nothing: of its header, and those before a block that begins with a byte."""
    expected = listing(restore_home(archive, tmp_path / "right").home.path / "bots")
    tar = gzip.decompress(archive.read_bytes())
    file.write_bytes(archive.read_bytes())
    refusals = 0
    for place in flips(file, 40):
        try:
            restored = restore_home(file, target)
        except (UsageProblem, LadderError):
            refusals += 1
            assert [] == list(target.parent.iterdir())
        else:
            assert tar == gzip.decompress(file.read_bytes())
            assert expected == listing(restored.home.path / "bots")
            restored.home.path.rename(tmp_path / str(place))
    assert refusals >= 36


def test_a_file_with_other_content_is_refused_although_tar_and_gzip_are_in_order(archive, file, target):
    listed, members = unpacked(archive)
    for i, (member, content) in enumerate(members):
        other = bytes([content[0] ^ 1]) + content[1:]
        changed = [*members[:i], (member, other), *members[i + 1 :]]
        refused(pack(file, listed, changed), target, f"{member.name!r} is not as it was archived")


def test_a_file_of_another_size_is_refused(archive, file, target):
    listed, members = unpacked(archive)
    member = members[0][0]
    member.size += 1
    refused(pack(file, listed, [(member, members[0][1] + b"x"), *members[1:]]), target, "with another size")


@pytest.mark.parametrize(
    "content", [b"", b"hello", gzip.compress(b"hello", mtime=0), b"\x1f\x8b" + b"x" * 99]
)
def test_what_is_no_archive_is_refused(file, target, content):
    file.write_bytes(content)
    refused(file, target, "cannot be restored")


def test_an_archive_of_something_else_is_refused(archive, file, target):
    with tarfile.open(file, "w:gz") as tar:
        tar.add(archive, "archive.json2")
    refused(file, target, "it is not an archive of a home")


def test_an_archive_of_a_newer_format_names_the_ladder_that_wrote_it(archive, file, target):
    listed, members = unpacked(archive)
    newer = msgspec.structs.replace(listed, format=2, ladder="9.1")
    refused(
        pack(file, newer, members), target, "it is of format 2, of ladder 9.1; this ladder reads format 1"
    )


# -- hostile


@pytest.mark.parametrize(
    "path",
    [
        "../x",
        "/tmp/x",
        "bots/../../x",
        "./x",
        "bots//x",
        "results/..",
        "bots/x/",
        "",
        "a\0b",
        "ladder.toml/..",
    ],
)
def test_a_path_that_leads_out_of_the_home_is_refused(archive, file, target, path):
    listed, members = unpacked(archive)
    evil = pack(file, replaced(listed, [described(path, b"")]), [*members, (tarfile.TarInfo("x"), b"")])
    refused(evil, target, "which leads out of the home")


@pytest.mark.parametrize("path", ["results/runs2", "bots/first", "bots/first/0/version.json", "ladder2.toml"])
def test_a_link_is_refused_except_among_the_files_of_a_bot(archive, file, target, path):
    evil = added(archive, file, path, kind="link", type_=tarfile.SYMTYPE, points_to="/etc/passwd")
    refused(evil, target, "or is a link that may not be")


def test_nothing_is_written_through_a_link(archive, file, target, tmp_path):
    """A link to a folder, then a file in that folder."""
    listed, members = unpacked(archive)
    link, inside = tarfile.TarInfo("bots/x/1/files/out"), tarfile.TarInfo("bots/x/1/files/out/evil")
    link.type, link.linkname, inside.size = tarfile.SYMTYPE, str(tmp_path), 4
    files = described(link.name, str(tmp_path).encode(), "link"), described(inside.name, b"evil")
    both = [*members, (link, b""), (inside, b"evil")]
    refused(pack(file, replaced(listed, files), both), target, "it lists one path twice")
    assert not (tmp_path / "evil").exists()


@pytest.mark.parametrize(
    "type_", [tarfile.LNKTYPE, tarfile.SYMTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE]
)
def test_what_is_no_file_is_refused_where_a_file_is_listed(archive, file, target, type_):
    evil = added(archive, file, "bots/x", type_=type_, points_to="ladder.toml")
    refused(evil, target, "'bots/x' is not as it was archived|holds 'bots/x/'")


def test_a_file_is_refused_where_a_link_is_listed(archive, file, target):
    evil = added(archive, file, "bots/x/1/files/y", kind="link", points_to="z")
    refused(evil, target, "is not as it was archived")


def test_a_member_that_is_not_listed_is_refused(archive, file, target):
    listed, members = unpacked(archive)
    refused(
        pack(file, listed, [*members, (tarfile.TarInfo("evil"), b"")]),
        target,
        "holds 'evil', which it does not",
    )


def test_one_path_that_is_listed_twice_is_refused(archive, file, target):
    refused(added(archive, file, "ladder.toml"), target, "it lists one path twice")


def test_an_archive_without_settings_is_refused(archive, file, target):
    listed, members = unpacked(archive)
    less = msgspec.structs.replace(listed, files=listed.files[:-1])
    refused(pack(file, less, members[:-1]), target, "it has no ladder.toml")


def test_an_archive_that_is_larger_than_the_disk_is_refused_before_it_is_unpacked(archive, file, target):
    listed, members = unpacked(archive)
    huge = ArchivedFile.describe("bots/x", "file", 2**60, "")
    refused(pack(file, replaced(listed, [huge]), members), target, "but the disk has only")


def test_more_than_is_listed_is_not_read(archive, file, target):
    """A gigabyte of zeros behind the last file is a megabyte in the archive."""
    tar = gzip.decompress(archive.read_bytes())
    file.write_bytes(gzip.compress(tar + bytes(2**26)))
    refused(file, target, "it holds more than it lists")


def test_a_list_that_is_no_list_is_refused(file, target):
    refused(pack(file, {"format": 1, "ladder": "1", "files": 3}, []), target, "cannot be restored")


def test_variables_that_a_hostile_archive_would_give_to_bots_are_taken_away(archive, file, target):
    """Their values would be those of the machine where the archive is restored."""
    text = b'[allow]\nenv = ["AWS_SECRET_ACCESS_KEY"]\nnetwork = ["first"]\n[sandbox]\ntier = "none"\n'
    restored = restore_home(with_other(archive, file, "ladder.toml", text), target)
    assert () == restored.home.settings.allow.env
    assert ("the network for first", "everything, because the sandbox tier is none") == restored.allowed


@pytest.mark.parametrize(
    ("end", "content", "said"),
    [
        ("results/runs.parquet", b"PAR1", "results/runs.parquet is damaged"),
        ("version.json", b"{}", "bots/first/[0-9a-f]+/version.json cannot be read"),
        ("ladder.toml", b"[runn]", "ladder.toml: unknown runn"),
        ("ladder.toml", b"[run", "Expected ']'"),
        ("ladder.toml", b"\xff\xfe", "can't decode"),
    ],
)
def test_a_home_that_cannot_be_read_is_refused_although_its_archive_is_in_order(
    archive, file, target, end, content, said
):
    error = refused(with_other(archive, file, end, content), target, f"{file} cannot be restored: .*{said}")
    assert "restore another copy; ladder home archive FILE makes one" == error.hint


def test_results_of_a_newer_ladder_are_refused_with_the_ladder_to_use(archive, file, target):
    newer = with_other(archive, file, "results/format.json", b'{"format": 999}')
    error = refused(newer, target, "cannot be restored: results/format.json has format 999")
    assert "use the ladder that wrote it, or a newer one" == error.hint


# -- the target


@pytest.mark.parametrize("kind", ["folder", "file", "link"])
def test_a_target_that_exists_is_refused_and_stays_as_it_is(archive, tmp_path, kind):
    target = tmp_path / "home"
    if kind == "folder":
        target.mkdir()
    elif kind == "file":
        target.write_text("mine")
    else:
        target.symlink_to("nowhere")
    before = listing(tmp_path)
    with pytest.raises(UsageProblem, match="exists already") as caught:
        restore_home(archive, target)
    assert "ladder home restore" in caught.value.hint
    assert before == listing(tmp_path)


def test_a_target_in_no_folder_and_an_archive_that_is_not_there_are_named(archive, tmp_path, target):
    with pytest.raises(UsageProblem, match="nowhere is not there"):
        restore_home(archive, tmp_path / "nowhere" / "home")
    refused(tmp_path / "none.tar.gz", target, "none.tar.gz is not an archive: it is not a file")
    refused(tmp_path, target, "is not an archive")


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("call", ["_unpack", "_complete", "sync_tree"])
def test_nothing_is_left_if_the_disk_is_full_or_somebody_stops_it(archive, target, monkeypatch, call, error):
    real = getattr(restoring, call)

    def fail(*arguments):
        real(*arguments)
        raise error

    monkeypatch.setattr(restoring, call, fail)
    with pytest.raises((LadderError, KeyboardInterrupt)):
        restore_home(archive, target)
    assert [] == list(target.parent.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("call", ["_unpack", "_complete", "sync_tree"])
def test_a_process_that_is_killed_leaves_no_home_and_the_next_one_cleans_up(archive, target, call):
    program = f"""
import os, signal
from pathlib import Path
from ladder.home import restore
restore.{call} = lambda *arguments: os.kill(os.getpid(), signal.SIGKILL)
restore.restore_home(Path({str(archive)!r}), Path({str(target)!r}))
"""
    killed = subprocess.run([sys.executable, "-c", program], env=ENVIRONMENT, check=False)
    assert -signal.SIGKILL == killed.returncode
    (left,) = target.parent.iterdir()
    assert left.name.startswith(".home.restoring-")
    (left / "evil").write_text("x")
    restored = restore_home(archive, target)
    assert not (restored.home.path / "evil").exists()
    assert ["home"] == [path.name for path in target.parent.iterdir()]


def test_what_a_hostile_archive_says_of_itself_cannot_command_a_terminal(archive, file, target):
    text = b'[allow]\nnetwork = ["\\u001b[2J"]\n[sandbox]\nreadable = ["/\\u202e"]\n'
    listed, members = unpacked(with_other(archive, file, "ladder.toml", text))
    said = dict.fromkeys(("ladder", "made", "machine", "digest"), "\x1b[2J\u202e" + "x" * 9999)
    pack(file, msgspec.structs.replace(listed, **said), members)
    answer = run_here("home", "restore", file, target)
    assert 0 == answer.code
    assert not {"\x1b", "\u202e"} & set(answer.out + answer.err)
    assert "allows bots the network for \\x1b[2J" in answer.err
