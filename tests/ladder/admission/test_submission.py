"""An archive is unpacked once, and what is open is handed on."""

import tarfile

import pytest
from support import ladders
from support.command_line import run_here
from support.inboxes import rename, take
from support.submitting import submit

from ladder.admission import inbox
from ladder.admission.batch import BatchProgress, submit_all
from ladder.admission.check import check
from ladder.admission.submission import Submission
from ladder.errors import RefusedBot
from ladder.registry import bot_archive
from ladder.registry.place import place_of

pytestmark = pytest.mark.usefixtures("threads")


@pytest.fixture
def unpacked(monkeypatch):
    """Return the names of the archives that are unpacked from now on."""
    names: list[str] = []
    unpack = bot_archive._unpack

    def count(path, *how):
        names.append(path.name)
        unpack(path, *how)

    monkeypatch.setattr(bot_archive, "_unpack", count)
    return names


class Here:
    """A pool whose work is done in this process."""

    def __init__(self, processes):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def as_done(self, work, begin_next, hear):
        while of := begin_next():
            yield of, work(of, lambda text: None)


def packed(path, text=ladders.PLAYER, more=""):
    """Write an archive of a bot that is called as the archive."""
    folder = path.with_name(f".{path.name}.files")
    folder.mkdir(parents=True)
    name = path.name.partition(".")[0]
    (folder / "bot.py").write_text(text)
    (folder / "bot.toml").write_text(f'name = "{name}"\nrun = ["{{python}}", "bot.py"]\n{more}')
    with tarfile.open(path, "w:gz") as archive:
        archive.add(folder, name)
    return path


def test_submit_unpacks_once(home, tmp_path, unpacked):
    submit(home, packed(tmp_path / "ann.tar.gz"))
    assert ["ann.tar.gz"] == unpacked


def test_check_unpacks_once(home, tmp_path, unpacked):
    assert [*check(home, str(packed(tmp_path / "ann.tar.gz")))][5:]
    assert ["ann.tar.gz"] == unpacked


@pytest.mark.process
def test_try_unpacks_once(home, tmp_path, unpacked):
    (tmp_path / "bob.py").write_text(ladders.PLAYER)
    submit(home, tmp_path / "bob.py", checks="none")
    archive = packed(tmp_path / "ann.tar.gz")
    done = run_here("try", archive, "--against", "bob", "-g", "2", "--home", home.path)
    assert 6 == done.code, "it has played: too few matches for a verdict"
    assert ["ann.tar.gz"] == unpacked


def test_many_are_unpacked_for_their_names_and_by_the_processes_that_submit_them(home, tmp_path, unpacked):
    paths = [packed(tmp_path / f"{name}.tar.gz") for name in ("ann", "bob")]
    asked = [Submission(path, place_of(path, entry=True), checks="none") for path in paths]

    progress = BatchProgress(2)
    submit_all(home, asked, Here(1).as_done, progress)
    assert ["new bot", "new bot"] == [answer.result for answer in progress.answers]
    assert 2 * ["ann.tar.gz", "bob.tar.gz"] == unpacked


def test_an_inbox_unpacks_an_entry_for_its_name_and_to_submit_it(home, folders, unpacked, monkeypatch):
    monkeypatch.setattr(inbox.batch, "trial_pool", lambda *_, **__: Here(1))
    rename(packed(folders.inbox.parent / "river.tar.gz"), folders.inbox / "ann" / "river.tar.gz")
    assert ["new bot"] == [answer.result for _, answer in take(home, folders)]
    assert 2 * ["river.tar.gz"] == unpacked


def test_what_is_open_is_opened_again_for_nothing_and_its_errors_name_the_archive(home, tmp_path, unpacked):
    path = packed(tmp_path / "ann.tar.gz")
    with Submission(path).open(home) as opened, pytest.raises(RefusedBot) as caught, opened.open(home):
        raise RefusedBot(f"{opened.unpacked.folder}/bot.py is odd", f"rm {opened.unpacked.folder}/bot.py")
    assert (f"{path}/ann/bot.py is odd", f"rm {path}/ann/bot.py") == (str(caught.value), caught.value.hint)
    assert ["ann.tar.gz"] == unpacked
    assert not opened.unpacked.folder.exists()


def test_a_file_that_is_empty_is_refused_where_it_is_judged(home, tmp_path):
    (tmp_path / "ann.py").write_text("\n")
    with Submission(tmp_path / "ann.py").open(home, refuses=False) as opened:
        assert "ann" == opened.manifest.name
        with pytest.raises(RefusedBot, match=r"ann\.py is an empty file"), opened.open(home):
            pass
