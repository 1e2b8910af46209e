"""Checksummed lines: what is torn is cut off, what is damaged is refused."""

import pytest

from results.errors import DamagedResults
from results.storage import journal
from results.storage.disk import Disk
from results.storage.journal import Journal, frame


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "000001.log"
    journal.create(Disk(), path, [b'{"a":1}', b'{"b":2}'])
    return path


def lines(path):
    return journal.read(path.read_bytes(), path)[0]


def test_a_line_begins_with_the_crc32_of_its_json():
    assert b'561bacaf {"a":1}\n' == frame(b'{"a":1}')


def test_a_journal_holds_what_was_appended(path):
    opened = Journal.open(Disk(), path)
    opened.append(b'{"c":3}')
    opened.commit()
    opened.close()
    assert [b'{"a":1}', b'{"b":2}', b'{"c":3}'] == lines(path)


@pytest.mark.parametrize("zeros", [0, 100])
@pytest.mark.parametrize("cut", range(1, 16))
def test_a_torn_last_line_is_left_out_by_readers_and_cut_off_at_the_next_opening(path, cut, zeros):
    whole = path.read_bytes()
    path.write_bytes(whole + frame(b'{"c":3}')[:-cut] + bytes(zeros))
    assert [b'{"a":1}', b'{"b":2}'] == lines(path)
    Journal.open(Disk(), path).close()
    assert whole == path.read_bytes()


def committed_then_not(path):
    """Append c and commit it, then d and e; return the bytes before each of them."""
    opened, sizes = Journal.open(Disk(), path), []
    for payload, commit in ((b'{"c":3}', True), (b'{"d":4}', False), (b'{"e":5}', False)):
        sizes.append(path.stat().st_size)
        opened.append(payload)
        if commit:
            opened.commit()
    opened.close()
    return sizes


def test_a_hole_of_zeros_in_what_was_not_committed_is_cut_off_with_all_after_it(path):
    _, d, e = committed_then_not(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:d] + bytes(e - d) + whole[e:])
    assert [b'{"a":1}', b'{"b":2}', b'{"c":3}'] == lines(path)
    Journal.open(Disk(), path).close()
    assert whole[:d] == path.read_bytes()


def test_a_hole_of_zeros_in_what_was_committed_is_damage(path):
    c, d, _ = committed_then_not(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:c] + bytes(d - c - 1) + whole[d - 1 :])
    with pytest.raises(DamagedResults, match="line 4 does not match"):
        lines(path)


def test_what_says_how_much_was_committed_is_no_payload(path):
    committed_then_not(path)
    assert 2 == path.read_bytes().count(b'{"safe":')
    assert [b'{"%c":%d}' % pair for pair in zip(b"abcde", range(1, 6), strict=True)] == lines(path)


def test_every_flipped_bit_is_damage_and_named(path):
    whole = path.read_bytes()
    for place in range(len(whole)):
        for bit in range(8):
            path.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << bit]) + whole[place + 1 :])
            with pytest.raises(DamagedResults, match=r"000001\.log is damaged"):
                lines(path)


def test_a_journal_under_another_name_is_damage(path):
    other = path.rename(path.with_name("000002.log"))
    with pytest.raises(DamagedResults, match="another journal"):
        lines(other)


def test_an_empty_file_is_no_journal(path):
    path.write_bytes(b"")
    with pytest.raises(DamagedResults):
        lines(path)


def test_several_lines_at_once_are_refused(path):
    opened = Journal.open(Disk(), path)
    with pytest.raises(ValueError, match="one line"):
        opened.append(b"{}\n{}")
    opened.close()


def test_a_commit_with_nothing_new_costs_no_fsync(path):
    class Counting(Disk):
        fsyncs = 0

        def fsync(self, handle):
            self.fsyncs += 1
            super().fsync(handle)

    disk = Counting()
    opened = Journal.open(disk, path)  # one, for what a killed process may have left unsafe
    opened.commit()
    opened.append(b"{}")
    opened.append(b"{}")
    opened.commit()
    opened.commit()
    opened.close()
    assert 2 == disk.fsyncs
