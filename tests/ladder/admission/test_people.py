"""The people who may upload: names, tokens, and a damaged file."""

import re
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta

import pytest
from support.ladders import a_home

from ladder.admission.people import DamagedPeople, People, changing_people
from ladder.errors import NotFound, UsageProblem
from ladder.home.archive import write_archive
from ladder.home.packing import PEOPLE
from ladder.home.restore import restore_home

YESTERDAY = datetime.now(UTC).date() - timedelta(days=1)


@pytest.fixture
def home(tmp_path):
    return a_home(tmp_path / "home")


def added(home, name, **more):
    with changing_people(home) as found:
        return found.add(name, **more)


def test_a_token_is_that_of_its_person_and_stands_in_no_file(home):
    ann, bob = added(home, "ann", bots=2), added(home, "bob")
    assert re.fullmatch(r"ldr_[A-Za-z0-9_-]{43}", ann)
    found = People.read(home)
    assert ["ann", "bob"] == [found.of_token(token).name for token in (ann, bob)]
    assert 2 == found.of_token(ann).bots
    assert 0o600 == (home.path / PEOPLE).stat().st_mode & 0o777
    stored = b"".join(path.read_bytes() for path in home.path.rglob("*") if path.is_file())
    assert ann.encode() not in stored
    for wrong in ("", "ldr_", ann[:-1], ann + "A", ann.upper(), "ä\udc80", bob[:-1] + "!"):
        assert found.of_token(wrong) is None


def test_a_token_ends_with_its_day_its_renewal_and_its_person(home):
    old = added(home, "ann", ends=YESTERDAY)
    assert People.read(home).of_token(old) is None
    with changing_people(home) as found, pytest.raises(UsageProblem, match="ended on"):
        found.renew("ann")
    with changing_people(home) as found:
        found.remove("ann")
    added(home, "ann", ends=date(2999, 1, 1))
    with changing_people(home) as found:
        new = found.renew("Ann")
    assert (None, "ann") == (People.read(home).of_token(old), People.read(home).of_token(new).name)
    with changing_people(home) as found:
        found.remove("ANN")
    assert People.read(home).of_token(new) is None
    with changing_people(home) as found, pytest.raises(NotFound, match="no person 'ann'"):
        found.find("ann")


@pytest.mark.parametrize("name", ["", ".ann", "a/b", "..", "a" * 33, "ann\n", "änn", "a.part", "__MACOSX"])
def test_a_name_is_that_of_a_folder_of_the_inbox(home, name):
    with changing_people(home) as found, pytest.raises(UsageProblem, match="cannot be the name"):
        found.add(name)


@pytest.mark.parametrize("name", ["ann", "ANN", "Ann."])
def test_names_are_unique_without_regard_to_case(home, name):
    added(home, "ann")
    with changing_people(home) as found, pytest.raises(UsageProblem, match="person ann already"):
        found.add(name)


@pytest.mark.parametrize("text", [b"", b"{", b"[1]", b'[{"name":"ann"}]', b"\xff", b"null"])
def test_a_damaged_file_is_told_and_stays_as_it_is(home, text):
    (home.path / PEOPLE).write_bytes(text)
    with pytest.raises(DamagedPeople, match="cannot be read"), changing_people(home):
        pass
    assert text == (home.path / PEOPLE).read_bytes()


def test_an_error_changes_nothing(home):
    added(home, "ann")
    before = (home.path / PEOPLE).read_bytes()
    with changing_people(home) as found, pytest.raises(UsageProblem):
        found.add("")
    with suppress(UsageProblem), changing_people(home) as found:
        found.remove("ann")
        found.add("")
    assert before == (home.path / PEOPLE).read_bytes()


def test_an_archive_has_the_people_unless_it_is_without_secrets(home, tmp_path):
    token = added(home, "ann")
    write_archive(home, tmp_path / "whole")
    restored = restore_home(tmp_path / "whole", tmp_path / "again").home
    assert "ann" == People.read(restored).of_token(token).name
    assert 0o600 == (restored.path / PEOPLE).stat().st_mode & 0o777
    written = write_archive(home, tmp_path / "bare", without_secrets=True)
    assert ["people.json: no person can upload where it is restored"] == [*written.left_out]
    assert [] == [*People.read(restore_home(tmp_path / "bare", tmp_path / "other").home)]
