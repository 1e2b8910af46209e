"""Many submissions at once: each has an answer, none stops another, and authors read only what is theirs."""

import errno
import sys
import zipfile
from pathlib import Path

import msgspec
import pytest
from support import ladders
from support.main_module import ladder_as_main
from support.submitting import submit

import ladder.__main__
from ladder.admission.author_page import author_page, page_names
from ladder.admission.batch import BatchProgress, SubmissionAnswer, submissions_in, submit_all
from ladder.admission.submission import Submission
from ladder.admission.submit import TakenName
from ladder.errors import LESS_LOAD, TooBusy, UsageProblem
from ladder.home.bot_life import rename
from ladder.home.class_list import ClassList, Entrant
from ladder.home.home import create_home
from ladder.machine.installation import ROOT
from ladder.machine.pool import Pool
from ladder.process.spawn import SpawnerEnded
from ladder.registry import roster
from ladder.registry.place import place_of
from ladder.registry.version import Ban

pytestmark = pytest.mark.usefixtures("threads")

TOML = 'name = "{name}"\nrun = ["{{python}}", "bot.py"]\n'


@pytest.fixture(autouse=True)
def program():
    """Let processes import the ladder's main module again, not pytest's."""
    with ladder_as_main():
        yield


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "class").mkdir()
    return tmp_path / "class"


def a_bot(folder, entry, name="", text="pass"):
    """Write a folder with a bot of this *name*, else called as its *entry*; return it."""
    (folder / entry).mkdir(exist_ok=True)
    (folder / entry / "bot.py").write_text(text)
    (folder / entry / "bot.toml").write_text(TOML.format(name=name or entry))
    return folder / entry


def submitted(home, paths, share=None, checks="none", **how):
    """Submit the bots at *paths*, mostly without a match; return the answers in the order of *paths*."""
    progress = how.pop("progress", BatchProgress(len(paths)))
    people, folder, place = how.pop("people", ClassList()), how.pop("folder", False), how.pop("place", None)
    taking = how.pop("replace_bots", ())
    asked = [
        Submission(path, place_of(path, place, entry=folder), checks=checks, **how).listed_as(people.of(path))
        for path in dict.fromkeys(paths)
    ]
    with Pool(2) as pool:
        submit_all(home, asked, share or pool.as_done, progress, taking)
    return sorted(progress.answers, key=lambda answer: paths.index(answer.path))


def one_by_one(work, next_task, hear):
    """Share the work among no processes."""
    while task := next_task():
        yield task, work(task, lambda text: None)


def pack(path, text="pass", name=""):
    """Write an archive with a script, or with the folder of a bot of this *name*."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("x/bot.py" if name else "bot.py", text)
        if name:
            archive.writestr("x/bot.toml", TOML.format(name=name))


def test_archives_that_all_hold_a_bot_py_have_their_own_names(home, folder):
    for name, text in (("s01", "1"), ("s02", "2"), ("s 03", "3")):
        pack(folder / f"{name}.zip", text)
    paths = submissions_in(folder)
    answers = submitted(home, paths, folder=True)
    assert {"s 03.zip": "bot", "s01.zip": "s01", "s02.zip": "s02"} == {
        answer.path.name: answer.bot for answer in answers
    }, "the first has the name of its file, as by itself"
    assert "named after its archive" in answers[-1].said[-1]
    pack(folder / "s02.zip", "22")
    pack(folder / "s04.zip", "4")
    again = {a.path.name: (a.bot, a.result) for a in submitted(home, submissions_in(folder), folder=True)}
    assert ("s02", "new version") == again["s02.zip"]
    assert ("s04", "new bot") == again["s04.zip"], "the name bot is that of another by now"
    assert ("bot", "unchanged") == again["s 03.zip"]


def test_handles_that_nobody_has_chosen_give_way(home, folder):
    names = ("Rat(1).py", "Rat.py", "mole.py", "моле.py", "42.py")
    for number, name in enumerate(names):
        (folder / name).write_text(str(number))
    first = {a.path.name: a for a in submitted(home, submissions_in(folder), folder=True)}
    bots = {"Rat(1).py": "Rat-2", "Rat.py": "Rat", "mole.py": "mole", "моле.py": "mole-2", "42.py": "bot-42"}
    assert bots == {name: answer.bot for name, answer in first.items()}
    assert {"new bot"} == {answer.result for answer in first.values()}
    assert "commands call it mole-2: mole is another bot's name" in first["моле.py"].said[-1]
    assert "programs read '42' as something else" in first["42.py"].said[-1]
    (folder / "mole.py").unlink()
    (folder / "моле.py").write_text("new")
    (folder / "42.py").write_text("new")
    again = {a.path.name: a for a in submitted(home, submissions_in(folder), folder=True)}
    assert ("mole-2", "new version") == (again["моле.py"].bot, again["моле.py"].result)
    assert ("bot-42", "new version") == (again["42.py"].bot, again["42.py"].result)


@pytest.mark.parametrize(
    ("error", "result"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "not judged"),
        (OSError(errno.ENOSPC, "No space left on device", "rat.py"), "not judged"),
        (OSError(errno.EACCES, "Permission denied"), "not judged"),
        (OSError(errno.EACCES, "Permission denied", "elsewhere"), "not judged"),
        (OSError(errno.EACCES, "Permission denied", "rat.py"), "refused"),
        (OSError(errno.ENAMETOOLONG, "File name too long", "elsewhere"), "refused"),
        (ZeroDivisionError("of the ladder"), "not judged"),
        (UsageProblem("a link", "replace it"), "refused"),
        (SpawnerEnded("the process that starts bots was killed"), "not judged"),
        (MemoryError(), "not judged"),
    ],
)
def test_only_what_is_the_bots_refuses_it(home, folder, monkeypatch, error, result):
    if isinstance(error, OSError):
        error.filename = error.filename and str(folder / error.filename)

    def copy(*arguments):
        raise error

    monkeypatch.setattr(roster, "copy_files", copy)
    (folder / "rat.py").write_text("pass")
    # in this process, where copying fails
    (answer,) = submitted(home, submissions_in(folder), one_by_one, folder=True)
    assert result == answer.result
    page = author_page(answer, home)
    assert ("nothing is known of your bot, and nothing in it need be changed" in page) == (
        result != "refused"
    )
    if result != "refused":
        assert str(error) == "" or str(error) not in page


def test_a_name_that_is_too_long_is_told_in_short_and_without_our_folders(home, folder):
    for name, program in (("s01", "y" * 4000), ("s02", "./" + "y" * 4000)):
        a_bot(folder, name)
        (folder / name / "bot.toml").write_text(f'name = "{name}"\nrun = ["{program}"]\n')
    for answer in submitted(home, submissions_in(folder), folder=True):
        assert "cannot be read: File name too long" in answer.told
        assert 300 > len(answer.why)
        assert str(home.path) not in answer.details


def test_what_windows_puts_into_a_folder_is_no_submission(home, folder):
    for name in ("Thumbs.db", "desktop.ini", "~$essay.docx", "rat.py"):
        (folder / name).write_text("pass")
    assert ["rat.py"] == [path.name for path in submissions_in(folder)]


def test_an_empty_script_is_named_as_such(home, folder):
    (folder / "s01.py").write_text(" \n")
    (answer,) = submitted(home, submissions_in(folder))
    assert "s01.py is an empty file" in answer.details


@pytest.mark.process
def test_each_submission_in_a_folder_has_an_answer_in_its_order(home, folder):
    a_bot(folder, "s01")
    (folder / "s02").mkdir()
    (folder / "s03.py").write_text("pass")
    pack(folder / "s04.zip", name="s04")
    (folder / "s05.txt").write_text("my bot is ready")
    (folder / ".git").mkdir()
    (folder / "__MACOSX").mkdir()
    create_home(folder / "ladder-home")
    answers = submitted(home, submissions_in(folder))
    assert [
        ("s01", "new bot", ""),
        ("s02", "refused", "s02 is empty"),
        ("s03.py", "new bot", ""),
        ("s04.zip", "new bot", ""),
        ("s05.txt", "refused", "s05.txt is a document, not a bot"),
    ] == [(answer.path.name, answer.result, answer.why) for answer in answers]
    assert ["s01", "s03", "s04"] == [version.bot for version in home.roster.active()]
    assert ["unchanged", "unchanged"] == [
        answer.result for answer in submitted(home, [folder / "s01", folder / "s03.py"])
    ]


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: None, "is not a folder"),
        (lambda path: path.mkdir(), "has no submissions"),
        (lambda path: a_bot(path.parent, path.name), "is itself a bot"),
    ],
)
def test_a_folder_without_submissions_is_refused(tmp_path, make, said):
    make(tmp_path / "x")
    with pytest.raises(UsageProblem, match=said) as error:
        submissions_in(tmp_path / "x")
    assert error.value.hint


def test_of_two_submissions_of_one_name_the_owner_of_the_name_is_accepted(home, folder):
    first, other = a_bot(folder, "a"), a_bot(folder, "b", "a", "pass  # theirs")
    answers = submitted(home, [first, other])
    assert ["new bot", "refused"] == [answer.result for answer in answers]
    assert "'a' is the name of another submission, a" == answers[1].why
    a_bot(folder, "b", "b")
    stranger = a_bot(folder, "0", "b", "pass  # a stranger")
    assert ["new bot"] == [answer.result for answer in submitted(home, [folder / "b"])]
    a_bot(folder, "b", "b", "pass  # version 2")
    answers = submitted(home, [stranger, folder / "b"])
    assert ["refused", "new version"] == [answer.result for answer in answers]
    assert ("", "pass  # version 2") == (
        answers[0].plays,
        Path(home.roster.find("b").folder, "bot.py").read_text(),
    )


def test_submissions_that_may_replace_each_other_become_versions_in_their_order(home, folder):
    paths = [a_bot(folder, entry, "a", f"pass  # {entry}") for entry in ("x", "y", "z")]
    answers = submitted(home, paths, replace=True)
    assert [("new bot", 1), ("new version", 2), ("new version", 3)] == [
        (answer.result, answer.version.number) for answer in answers
    ]


def test_a_folder_and_its_archive_are_the_same_place_and_other_names_are_not(home, folder):
    pack(folder / "s01.ZIP", name="s01")
    assert ["new bot"] == [answer.result for answer in submitted(home, [folder / "s01.ZIP"])]
    again, other = a_bot(folder, "s01", text="pass  # 2"), a_bot(folder, "s01.zip.old", "s01")
    assert ["new version"] == [answer.result for answer in submitted(home, [again])]
    (answer,) = submitted(home, [other])
    assert f"there is a bot 's01' already, submitted from {folder.resolve()}/s01" == answer.why


def test_a_link_among_the_submissions_is_refused_and_not_followed(home, folder, tmp_path):
    a_bot(tmp_path, "private")
    (folder / "s01").symlink_to(tmp_path / "private")
    (answer,) = submitted(home, submissions_in(folder), folder=True)
    assert ("refused", "s01 is a link") == (answer.result, answer.why)
    assert [] == home.roster.versions()


def test_an_older_version_of_a_refused_submission_goes_on_playing(home, folder):
    submitted(home, [a_bot(folder, "s01")])
    (folder / "s01" / "bot.toml").write_text("name = ")
    (answer,) = submitted(home, [folder / "s01"])
    assert ("refused", "s01@1") == (answer.result, answer.plays)
    assert "continues to play" not in answer.details
    assert "**Refused. Your version s01@1 goes on playing.**" in author_page(answer, home)


@pytest.mark.process
def test_a_submission_whose_process_dies_is_not_judged_and_the_others_go_on(home, folder, monkeypatch):
    paths = [a_bot(folder, name) for name in ("s01", "s02", "s03")]
    (folder / "sitecustomize.py").write_text(
        "import ladder.admission.batch as batch, os\n"
        "submit = batch.submit\n"
        "batch.submit = lambda home, what, **how: os._exit(9) if what.path.name == 's02'"
        " else submit(home, what, **how)\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(folder))
    answers = submitted(home, paths)
    assert ["new bot", "not judged", "new bot"] == [answer.result for answer in answers]
    assert "a worker process died: exit status 9" == answers[1].why


LATE = "s02@1-0: no ready within 10000 ms of its start; but it waited"


def test_a_submission_that_the_machine_delays_is_not_judged_and_nothing_changes(home, folder, monkeypatch):
    def play_itself(home, version, *_, **__):
        if version.bot == "s02":
            raise TooBusy(LATE, judged="s02")
        return {}

    submitted(home, [a_bot(folder, "s02", text="pass  # 1")])
    before = home.roster.versions()
    monkeypatch.setattr("ladder.admission.submit.play_itself", play_itself)
    paths = [a_bot(folder, "s01"), a_bot(folder, "s02")]
    progress = BatchProgress(2)
    good, late = submitted(home, paths, one_by_one, "full", progress=progress)
    assert ("new bot", "not judged") == (good.result, late.result)
    assert (8, None, "s02@1") == (late.exit_code, late.version, late.plays)
    assert (f"this machine is too busy: {LATE}", LESS_LOAD) == (late.why, late.hint)
    assert "2 of 2 checked, 1 not judged" == str(progress)
    assert before == [version for version in home.roster.versions() if version.bot == "s02"]
    page = author_page(late, home)
    assert "**Not judged. Your version s02@1 goes on playing.**" in page
    assert "nothing in it need be changed" in page
    assert "What to do" not in page


def test_what_the_machine_delayed_is_tried_once_more_at_the_end(home, folder, monkeypatch):
    tried = []

    def play_itself(home, version, *_, **__):
        tried.append(version.bot)
        if tried.count("s01") == 1 == len(tried):
            raise TooBusy(LATE, judged="s01")
        return {}

    monkeypatch.setattr("ladder.admission.submit.play_itself", play_itself)
    answers = submitted(home, [a_bot(folder, "s01"), a_bot(folder, "s02")], one_by_one, "full")
    assert ["s01", "s02", "s01"] == tried
    assert ["new bot", "new bot"] == [answer.result for answer in answers]


def test_the_roster_says_what_bots_are_called_and_who_wrote_them(home, folder):
    (folder / "机器人.py").write_text("pass")
    people = ClassList((Entrant("s02", "ann", author="Ann"), Entrant("机器人.py", "s07"), Entrant("s09")))
    paths = [a_bot(folder, "s01"), a_bot(folder, "s02"), folder / "机器人.py"]
    answers = submitted(home, paths, people=people, folder=True)
    assert ["s01", "ann", "s07"] == [answer.bot for answer in answers]
    assert ["", "Ann", ""] == [answer.version.manifest.author for answer in answers]
    assert ("s07: it is shown as '机器人'; commands call it s07",) == answers[2].said
    assert answers[1].version == submitted(home, paths, people=people, folder=True)[1].version, "unchanged"
    assert [Entrant("s09")] == people.missing(paths)


def test_progress_counts_answers_and_shows_what_runs():
    progress = BatchProgress(3)
    assert "0 of 3 checked" == str(progress)
    progress.hear(Submission(Path("a")), "a against itself: stellar, match 1 of 2, 4 decisions")
    progress.hear(Submission(Path("b")), "b: copying and building")
    progress.end(SubmissionAnswer(Path("a"), "refused"))
    assert "1 of 3 checked, 1 refused; b: copying and building" == str(progress)


# -- pages for authors


def test_pages_are_called_as_their_submissions_and_none_overwrites_another():
    names = page_names([Path("/x/s01"), Path("/x/s01.zip"), Path("/y/S01"), Path("/z/s01")])
    assert ["s01.md", "s01.zip.md", "S01-2.md", "s01-3.md"] == list(names.values())


def test_a_submission_with_a_long_name_has_a_page_like_any_other(tmp_path):
    for name in ("a" * 255, "\x01" * 255, "é" * 127):
        (tmp_path / name).mkdir()
    names = page_names([*tmp_path.iterdir()])
    for name in names.values():
        (tmp_path / f".{name}.tmp").write_text("")  # what it is called while it is written
        assert name.endswith(".md")


def test_a_page_shows_what_the_bot_wrote_as_text_and_no_path_of_ours(home, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", "/home/of-ann")
    path = tmp_path / "class" / "s01"
    staged = home.roster.path.resolve() / ".staging-77" / "files" / "bot.py"
    told = [
        f'{path}: no\n  File "{staged}"',
        "```\n# <b>Hello\x1b[31m\n[link](javascript:x)",
        f"{sys.prefix}/bin/python3: can't open file '/bot/bot.py'",
        f"{home.path}/ladder.toml, {ladder.__main__.__file__}, /home/of-ann/foo",
    ]
    page = author_page(SubmissionAnswer(path, "refused", "s01", told="\n".join(told)), home)
    assert not [folder for folder in (tmp_path, sys.prefix, ROOT, "/home/of-ann") if str(folder) in page]
    assert "\x1b" not in page
    assert '    s01: no\n      File "bot.py"\n    ```\n    # <b>Hello\\x1b[31m\n    [link]' in page
    assert "    (python)/bin/python3: can't open file '/bot/bot.py'\n" in page
    assert "    (home)/ladder.toml, (ladder)/ladder/__main__.py, ~/foo\n" in page
    assert {"# Your submission"} == {line for line in page.split("\n") if line.startswith(("#", "[", "`"))}


def test_a_link_to_itself_is_refused_like_any_link_and_stops_no_other(home, folder):
    (folder / "s02.py").symlink_to("s02.py")
    link, other = submitted(home, [folder / "s02.py", a_bot(folder, "s01")], folder=True)
    assert ("refused", "s02.py is a link") == (link.result, link.why)
    assert "s02.py is a link" in author_page(link, home)
    assert other.version


def test_a_page_of_a_link_has_its_own_name_and_not_that_of_its_target(home, folder, tmp_path):
    (tmp_path / "secret.py").write_text("pass")
    (folder / "s01.py").symlink_to(tmp_path / "secret.py")
    assert ["s01.py.md"] == list(page_names([folder / "s01.py"]).values())
    for is_entry in (True, False):
        (answer,) = submitted(home, [folder / "s01.py"], folder=is_entry)
        page = author_page(answer, home)
        assert "\n    s01.py\n" in page
        assert "secret.py" not in page


def reasons(home, *paths, **how):
    """Submit the bots at *paths*; return the answer to the last one, and the end of its page."""
    answer = submitted(home, [*paths], **how)[-1]
    return answer, author_page(answer, home).partition("Why:\n\n")[2].partition("\n\nBefore")[0]


def test_a_page_about_a_name_that_is_taken_says_nothing_about_the_other_bot(home, folder):
    taken = "    the name 'good' is taken\n\nWhat to do:\n\n    use another name"
    first, other = a_bot(folder, "ann", "good"), a_bot(folder, "zoe", "good", "pass  # hers")
    answer, page = reasons(home, first, other)
    assert ("'good' is the name of another submission, ann", taken) == (answer.why, page)
    answer, page = reasons(home, other)
    assert (f"there is a bot 'good' already, submitted from {first}", taken) == (answer.why, page)
    assert answer.hint.startswith(f"ladder submit {other} --replace, if")
    home.roster.rewrite(
        msgspec.structs.replace(
            home.roster.find("good"),
            manifest=msgspec.structs.replace(home.roster.find("good").manifest, author="Ann"),
        )
    )
    answer, page = reasons(home, other)
    assert ("is by 'Ann', and this bot is without an author", taken) == (answer.why.partition(" ")[2], page)


def test_a_page_about_a_bot_that_was_renamed_tells_its_author_alone_the_new_name(home, folder):
    own, other = a_bot(folder, "ann", "good"), a_bot(folder, "zoe", "good", "pass  # hers")
    submitted(home, [own])
    rename(home, "good", "best")
    assert "called 'best' now" in reasons(home, own)[1]
    assert 'write name = "best" in bot.toml' in reasons(home, own)[1]
    assert "    the name 'good' is taken\n\nWhat to do:\n\n    use another name" == reasons(home, other)[1]


def test_a_page_about_a_banned_bot_gives_the_reason_and_no_command_of_the_operator(home, folder):
    submitted(home, [a_bot(folder, "good")])
    home.roster.ban("good", Ban("it read other bots' files", "2026-01-02T03:04:05+00:00"))
    answer, page = reasons(home, folder / "good")
    assert "ladder bots ban good --lift, if the ban is over" == answer.hint
    why = "good is banned since 2026-01-02: it read other bots' files"
    assert f"    {why}\n\nWhat to do:\n\n    ask the person who runs the ladder" == page


def test_a_page_about_what_is_not_allowed_names_no_setting_of_the_operator(home, folder):
    path = a_bot(folder, "s01")
    for line, why in (
        ('env = ["KEY"]', "s01 asks for the variable KEY, which bots do not have here"),
        ("network = true", "s01 asks for the network, which bots do not have here"),
        ("threads = 1000", f"s01 asks for 1,000 threads, and {home.most_threads()} are allowed"),
    ):
        (path / "bot.toml").write_text(TOML.format(name="s01") + line)
        answer, page = reasons(home, path)
        assert "ladder.toml" in answer.hint
        assert page.startswith(f"    {why}\n\nWhat to do:")
        assert "ladder.toml" not in page


def test_a_page_says_which_version_plays_and_what_it_does_not_play(home, folder):
    (answer,) = submitted(home, [a_bot(folder, "s01")])
    version = answer.version.version
    page = author_page(answer, home)
    assert f"**Accepted as s01@1 ({version}). It plays from the next run on.**" in page
    assert page.endswith("once it has played there: `ladder review --bot s01`.\n")
    (again,) = submitted(home, [folder / "s01"])
    assert f"**Nothing has changed: s01@1 ({version}) already plays.**" in author_page(again, home)


# -- whose name it is, where a class is unpacked anew each night


def night(tmp_path, name, *entries, bot="rat", text=""):
    """Unpack *entries*, each with a bot of this name, in a new folder; return its submissions."""
    (tmp_path / name).mkdir()
    for entry in entries:
        a_bot(tmp_path / name, entry, bot, f"pass  # {text or name}")
    return submissions_in(tmp_path / name)


def results(home, paths, **how):
    """Submit the entries of a folder; return what became of each."""
    return [answer.result for answer in submitted(home, paths, folder=True, **how)]


def test_an_entry_keeps_its_bot_wherever_the_class_is_unpacked(home, tmp_path):
    assert ["new bot"] == results(home, night(tmp_path, "n1", "s01"))
    assert ["new version"] == results(home, night(tmp_path, "n2", "s01"))
    assert ["refused", "new version"] == results(home, night(tmp_path, "n3", "s00", "s01"))
    (answer,) = submitted(home, night(tmp_path, "n4", "s02"), folder=True)
    assert ("refused", True, 2) == (answer.result, answer.taken, answer.exit_code)
    assert "there is a bot 'rat' already, submitted from s01" == answer.why
    assert "the same command with --replace rat, if it is its next version;" in answer.hint
    assert 3 == home.roster.find("rat").number


def test_two_classes_are_told_apart_by_their_place(home, tmp_path):
    assert ["new bot"] == results(home, night(tmp_path, "n1", "s01"), place="A")
    assert ["refused"] == results(home, night(tmp_path, "n2", "s01"), place="B")
    assert ["refused"] == results(home, night(tmp_path, "n3", "s01"))
    (tmp_path / "n1").rename(tmp_path / "old")
    assert ["refused"] == results(home, night(tmp_path, "n1", "s01", text="b"), place="B")
    assert ["new version"] == results(home, night(tmp_path, "n4", "s01"), place="A")


def test_a_version_has_a_path_and_an_entry_and_each_gives_its_right(home, tmp_path):
    (first,) = night(tmp_path, "n1", "s01")
    assert ["new bot"] == results(home, [first])
    a_bot(first.parent, "s01", "rat", "pass  # mended")
    assert 2 == submit(home, first, checks="none").number
    assert ["new version"] == results(home, night(tmp_path, "n2", "s01"))
    a_bot(first.parent, "s01", "rat", "pass  # mended again")
    assert 4 == submit(home, first, checks="none").number
    with pytest.raises(TakenName):
        submit(home, a_bot(tmp_path, "s01", "rat"), checks="none")


def test_one_that_was_submitted_alone_goes_on_in_its_folder_only(home, tmp_path):
    (alone,) = night(tmp_path, "n1", "s01")
    submit(home, alone, checks="none")
    assert ["refused"] == results(home, night(tmp_path, "n2", "s01"))
    assert ["unchanged"] == results(home, [alone])
    assert ["new version"] == results(home, night(tmp_path, "n3", "s01")), "its entry is known now"


def test_an_origin_of_an_older_ladder_counts_by_its_last_part(home, tmp_path):
    (first,) = night(tmp_path, "n1", "s01")
    submit(home, first, checks="none")
    (file,) = home.path.glob("bots/rat/*/version.json")
    record = msgspec.json.decode(file.read_bytes())
    del record["entry"], record["also"]
    file.write_bytes(msgspec.json.encode(record))
    assert ["refused"] == results(home, night(tmp_path, "n2", "s02"))
    with pytest.raises(TakenName):
        submit(home, night(tmp_path, "n3", "s01")[0], checks="none")
    assert ["new version"] == results(home, night(tmp_path, "n4", "s01"), place="A")
    assert ["refused"] == results(home, night(tmp_path, "n5", "s01"), place="B"), (
        "the entry counts from then on"
    )


def test_names_in_replace_bots_may_move_and_no_others(home, tmp_path):
    results(home, [*night(tmp_path, "n1", "s01"), *night(tmp_path, "m1", "s02", bot="cat")])
    moved = [*night(tmp_path, "n2", "s03"), *night(tmp_path, "m2", "s04", bot="cat")]
    assert ["new version", "refused"] == results(home, moved, replace_bots=["rat"])
    assert ["new version"] == results(home, night(tmp_path, "n3", "s03")), "it has the right from then on"
    both = night(tmp_path, "n4", "s05", "s06")
    answers = submitted(home, both, folder=True, replace_bots=["rat"])
    assert ["refused", "refused"] == [answer.result for answer in answers]
    assert "2 submissions want to be the next version of 'rat'" == answers[0].why
    owner = night(tmp_path, "n5", "s00", "s01")
    assert ["refused", "new version"] == results(home, owner, replace_bots=["rat"])


def test_of_new_names_that_look_alike_only_the_first_is_accepted(home, folder):
    paths = [a_bot(folder, entry, name) for entry, name in (("x", "Rat"), ("y", "rat"), ("z", "RAT."))]
    answers = submitted(home, paths, replace=True)
    assert ["new bot", "refused", "refused"] == [answer.result for answer in answers]
    assert "'rat' differs from 'Rat' in upper and lower case or final dots only" in answers[1].why
    assert "the name 'rat' is too much like that of another bot" == answers[1].told


def test_bots_of_a_home_of_before_that_look_alike_go_on_together(home, folder):
    ladders.enlist(home, "Rat", {})
    ladders.enlist(home, "rat", {})
    paths = [a_bot(folder, entry, name) for entry, name in (("x", "Rat"), ("y", "rat"))]
    assert ["new version", "new version"] == [each.result for each in submitted(home, paths, replace=True)]
