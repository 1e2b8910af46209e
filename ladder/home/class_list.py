"""The roster of a class: which person submits which file.  Its operator keeps it in a spreadsheet.

It has real names and mail addresses, so the home keeps it in a file of its own, which only its operator can
read.  Nothing else reads it: no page, export, archive, feedback or log has what is in it, except for the
handles and author lines that bots get from it.
"""

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from ladder.errors import UsageProblem, short, suggest
from ladder.home.home import Home
from ladder.registry.bot_archive import without_suffix
from ladder.registry.bot_names import is_reserved, look_of
from ladder.registry.handles import NAME, NAME_RULE
from results.storage.disk import put_page

FILE = "roster.csv"
"""The file in the home."""
COLUMNS = ("file", "handle", "name", "author", "mail")
STORED = ("place", *COLUMNS)
LONGEST = 200
"""The most characters of a cell."""
MOST_BYTES = 2**24
MAIL = re.compile(r"[^\s@<>,;]+@[^\s@<>,;]+")
EXAMPLE = "file,handle,name,author,mail"


class Entrant(NamedTuple):
    """One line of a roster; what is not known is empty."""

    file: str
    """The name of the entry in the folder of submissions."""
    handle: str = ""
    """The name of the bot."""
    name: str = ""
    """The name of the person."""
    author: str = ""
    """The author line of the bot, which everyone may read."""
    mail: str = ""


@dataclass(frozen=True)
class ClassList:
    """The entrants of a folder of submissions."""

    entrants: tuple[Entrant, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.entrants)

    def of(self, path: Path) -> Entrant | None:
        """Return who handed in the entry at *path*, which may stand here without its suffix."""
        name = _plain(path.name)
        return next(filter(None, map(self._by_file.get, (name, without_suffix(name), Path(name).stem))), None)

    def missing(self, paths: Iterable[Path]) -> list[Entrant]:
        """Return who handed in none of *paths*."""
        found = {entrant for path in paths if (entrant := self.of(path))}
        return [entrant for entrant in self.entrants if entrant not in found]

    @cached_property
    def _by_file(self) -> Mapping[str, Entrant]:
        return {entrant.file: entrant for entrant in self.entrants}


def read_class_list(path: Path) -> ClassList:
    """Read a roster, in CSV with the columns `file`, `handle`, `name`, `author`, `mail`; `file` is needed.

    Commas or semicolons separate the cells, as spreadsheets have them.  Raises UsageProblem, with the line.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise UsageProblem(f"{path} is too large for a roster", f"a CSV file that begins: {EXAMPLE}")
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageProblem(f"{path} is not in UTF-8", "save it as CSV UTF-8 in your spreadsheet") from None
    except OSError as error:
        raise UsageProblem(f"{path} cannot be read: {error.strerror}", f"a CSV file: {EXAMPLE}") from None
    return ClassList(tuple(entrant for _, entrant in _read(text, path, COLUMNS)))


def stored_class_list(home: Home, place: str = "") -> ClassList:
    """Return the roster that *home* keeps of the class called *place*."""
    return ClassList(tuple(entrant for of, entrant in _read_stored(home) if of == place))


def keep_entrants(home: Home, entrants: Sequence[Entrant], place: str = "") -> None:
    """Keep *entrants* of the class called *place* in the roster of *home*; who is there is replaced."""
    files = {entrant.file for entrant in entrants}
    others = [(of, each) for of, each in _read_stored(home) if of != place or each.file not in files]
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(STORED)
    writer.writerows((of, *each) for of, each in (*others, *((place, each) for each in entrants)))
    put_page(home.path / FILE, table.getvalue(), 0o600)


def _read_stored(home: Home) -> list[tuple[str, Entrant]]:
    path = home.path / FILE
    try:
        return list(_read(path.read_text("utf-8"), path, STORED))
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        raise UsageProblem(f"{path} cannot be read: {error}", f"correct it: {','.join(STORED)}") from None


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", text.strip())


def _read(text: str, path: Path, columns: Sequence[str]) -> Iterator[tuple[str, Entrant]]:
    """Yield the lines of a roster, each with its place.  Raises UsageProblem."""
    head = text.split("\n", 1)[0]
    rows = csv.reader(io.StringIO(text), delimiter=";" if head.count(";") > head.count(",") else ",")
    try:
        titles = [title.strip().casefold() for title in next(rows, [])]
        _check_titles(titles, path, columns)
        seen: dict[tuple[str, str, str], int] = {}
        for cells in rows:
            if not any(cell.strip() for cell in cells):
                continue
            line = rows.line_num
            if len(cells) > len(titles):
                raise _wrong(path, line, f"has {len(cells)} cells, and there are {len(titles)} columns")
            row = dict(zip(titles, map(_plain, cells), strict=False))
            place, entrant = row.get("place", ""), Entrant(*(row.get(key, "") for key in COLUMNS))
            _check(entrant, path, line)
            for what, value, same in _keys(entrant):
                first = seen.setdefault((place, what, same), line)
                if value and first != line:
                    raise _wrong(path, line, f"has the {what} {value!r}, and so has line {first}")
            yield place, entrant
    except csv.Error as error:
        raise _wrong(path, rows.line_num, f"is not CSV: {error}") from None


def _keys(entrant: Entrant) -> Iterator[tuple[str, str, str]]:
    """Yield what no other line may have: what it is, as it is written, and what it has in common."""
    yield "file", entrant.file, entrant.file
    if entrant.handle:
        yield "handle", entrant.handle, look_of(entrant.handle)


def _check_titles(titles: Sequence[str], path: Path, columns: Sequence[str]) -> None:
    for title in titles:
        if title not in columns:
            what = f"{path}: unknown column {short(repr(title))}{suggest(title, columns)}"
            raise UsageProblem(what, f"the first line names the columns, such as {EXAMPLE}")
    if "file" not in titles or len(set(titles)) < len(titles):
        what = "has no column 'file'" if "file" not in titles else "has a column twice"
        raise UsageProblem(f"{path} {what}", f"the first line names the columns, such as {EXAMPLE}")


def _check(entrant: Entrant, path: Path, line: int) -> None:
    for what, cell in zip(COLUMNS, entrant, strict=True):
        if not cell.isprintable():
            raise _wrong(path, line, f"has a {what} with a line break or another control character")
        if len(cell) > LONGEST:
            raise _wrong(path, line, f"has a {what} of more than {LONGEST} characters")
    if not entrant.file or "/" in entrant.file:
        raise _wrong(path, line, "has no file: the name of an entry of the folder, without its path")
    handle = entrant.handle
    if handle and (not NAME.fullmatch(handle) or is_reserved(handle)):
        raise _wrong(path, line, f"has the handle {short(repr(handle))}, expected {NAME_RULE}")
    if entrant.mail and not MAIL.fullmatch(entrant.mail):  # not quoted: errors are logged
        raise _wrong(path, line, "has a mail that is no address, such as ann@example.org")


def _wrong(path: Path, line: int, what: str) -> UsageProblem:
    return UsageProblem(f"{path}, line {line}, {what}", "correct that line; nothing was submitted")
