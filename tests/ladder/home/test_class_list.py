"""The roster of a class: what is wrong in it is said with its line, and only its operator can read it."""

from pathlib import Path

import pytest

from ladder.errors import UsageProblem
from ladder.home.class_list import ClassList, Entrant, keep_entrants, read_class_list, stored_class_list
from ladder.home.home import create_home

ANN = Entrant("s01", "ann", "Ann Other", "ann", "ann@example.org")
BOB = Entrant("s02.py", "bob")


def written(folder, text, encoding="utf-8"):
    (folder / "names.csv").write_bytes(text.encode(encoding))
    return folder / "names.csv"


@pytest.mark.parametrize(
    "text",
    [
        "file,handle,name,author,mail\ns01,ann,Ann Other,ann,ann@example.org\ns02.py,bob,,,\n",
        "\ufeffFile;Handle;Name;Author;Mail\r\ns01;ann;Ann Other;ann;ann@example.org\r\n\r\ns02.py;bob\r\n",
        'mail,author,name,handle,file\nann@example.org,ann,"Ann Other",ann, s01\n,,,bob,s02.py\n',
    ],
)
def test_a_roster_is_read_as_spreadsheets_write_it(tmp_path, text):
    assert (ANN, BOB) == read_class_list(written(tmp_path, text)).entrants


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("file,handle\na,x\nb,x\n", "line 3, has the handle 'x', and so has line 2"),
        ("file,handle\na,x\nb,X.\n", "line 3, has the handle 'X.', and so has line 2"),
        ("file\na\n\na\n", "line 4, has the file 'a', and so has line 2"),
        ("file,handle\na,7 x\n", "line 2, has the handle '7 x', expected 1 to 32 letters"),
        ("file,handle\na,last\n", "line 2, has the handle 'last', expected"),
        ('file,mail\na,"ann@example.org\nBcc: all@example.org"\n', "has a mail with a line break"),
        ("file,mail\na,ann\n", "line 2, has a mail that is no address"),
        ("file,name\na,b,c\n", "line 2, has 3 cells, and there are 2 columns"),
        ("file\n../a\n", "line 2, has no file"),
        ("name\nAnn\n", "has no column 'file'"),
        ("file,file\na,a\n", "has a column twice"),
        ("file,handel\na,b\n", "unknown column 'handel'.*did you mean 'handle'"),
        ("", "has no column 'file'"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, text, told):
    with pytest.raises(UsageProblem, match=told):
        read_class_list(written(tmp_path, text))


def test_a_file_in_another_encoding_is_named(tmp_path):
    with pytest.raises(UsageProblem, match="is not in UTF-8"):
        read_class_list(written(tmp_path, "file\nJosé\n", "latin-1"))
    with pytest.raises(UsageProblem, match="cannot be read"):
        read_class_list(tmp_path / "none.csv")


def test_an_entry_is_found_with_and_without_its_suffix():
    people = ClassList((Entrant("a.zip"), Entrant("b"), Entrant("Jose\u0301"), Entrant("c.py")))
    found = [people.of(Path(name)) for name in ("a.zip", "b.tar.gz", "b.py", "c.py", "c.js", "x")]
    assert ["a.zip", "b", "b", "c.py", None, None] == [each and each.file for each in found]


def test_the_home_keeps_it_for_its_operator_alone(tmp_path):
    home = create_home(tmp_path / "home")
    keep_entrants(home, [ANN, BOB])
    keep_entrants(home, [Entrant("s01", "other")], "group-b")
    keep_entrants(home, [ANN._replace(mail="")])
    assert 0o600 == (home.path / "roster.csv").stat().st_mode & 0o777
    assert (BOB, ANN._replace(mail="")) == stored_class_list(home).entrants
    assert (Entrant("s01", "other"),) == stored_class_list(home, "group-b").entrants
    assert not stored_class_list(home, "group-c")
